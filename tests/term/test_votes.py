"""What the players of a table agree on together, in the terminal: by commands, in
lines, for programs and on the full screen; in both languages."""

import json
import re
import tempfile

import daemon as d
from person import Person, Terminal
from tap import diag, done_testing, is_, ok


def like(text, pattern, what):
    if not ok(re.search(pattern, text, re.M), what):
        diag(text[-2000:])


def table_of(one, other, *more):
    table = one.did("create", "tictactoe", "-q", *more).strip()
    other.did("join", table)
    return table


with tempfile.TemporaryDirectory() as room, \
        d.Daemon("--set", "limits.local=off") as daemon:
    ana, ben = (Person(room, name, daemon.ready["lines"]) for name in ("ana", "ben"))
    for who in ana, ben:
        who.did("register", who.name, typed="correct horse\n")

    # By commands: a pause is proposed, looked at, refused, proposed again, agreed on.
    slow = table_of(ana, ben, "--pace", "3d")
    like(ben.did("vote", slow), "No vote is open", "at first nothing is voted on")
    is_(json.loads(ben.did("vote", slow, "--json")), None, "nor for programs")
    like(ana.did("propose", slow, "pause", "7d"), "The others are asked", "a pause is proposed")
    told = ben.did("vote", slow)
    like(told, r"ana proposes a pause until \w+ \d\d \w+ \d\d:\d\d\.", "who proposes what")
    like(told, r"For it: ana\. Asked: ben\.", "who has agreed, and who is asked")
    like(told, r"until .*; a no or the next move ends it\.\n.*You are asked", "and until when")
    like(ben.did("vote", slow, "--language", "fr"), "ana propose une pause jusqu",
         "in French, too")
    vote = json.loads(ben.did("vote", slow, "--json"))
    is_((vote["about"], vote["asked"], vote["agreed"]), ("pause", [0, 1], [0]),
        "for programs as the protocol has it")
    like(ben.did("tables"), rf"{slow} .*VOTE", "a list tells what waits for one")
    ok("VOTE" not in ana.did("tables"), "but not whom it does not wait for")
    is_([s.get("asked") for t in json.loads(ben.did("tables", "--json")) for s in t["seats"]],
        [None, True],
        "nor programs")
    like(ben.did("vote", slow, "no"), "that vote is over", "a no ends it")
    status, _, why = ana.run("propose", slow, "pause", "7d")
    ok(status == 1 and "came to nothing" in why, "and it cannot be asked for again at once")
    ben.did("propose", slow, "pause", "2d")
    like(ana.did("vote", slow, "yes"), "it is done", "all agree")
    lines = ana.lines("play", slow, "--plain")
    lines.hear("The game is paused until")
    ok(True, "and it is so")
    lines.end()
    ben.did("propose", slow, "resume")
    is_(json.loads(ana.did("vote", slow, "yes", "--json"))["passed"], True, "the pause ends")

    # What is no proposal.
    for words, why in ((("dance",), "what\\?"), (("pause", "never"), "expected a day"),
                       (("give", "carl", "6h"), "nobody there"),
                       (("give", "ben", "much"), "expected 30m"),
                       (("cancel", "now"), "'now' is too much")):
        status, _, said = ben.run("propose", slow, *words)
        ok(status == 1 and re.search(why, said), f"no proposal: {' '.join(words)}")
    status, _, said = ben.run("propose", slow, "give", "ana", "6h")
    ok(status == 1 and "Of two you can give" in said, "why something cannot be voted on")
    status, _, said = ben.run("propose", slow, "replace", "0", "--language", "fr")
    ok(status == 1 and "pas manqué de tour" in said, "in French, and by a seat's number")
    ok(ben.run("vote", slow, "maybe")[0] == 1, "yes or no, and nothing else")

    # In lines: the last move is taken back.
    back = table_of(ana, ben)
    one, two = ana.lines("play", back, "--plain"), ben.lines("play", back, "--plain")
    one.type("place b2")
    two.hear("Your turn")
    one.type("propose take-back")
    two.hear("ana is for taking the last move back")
    two.hear("`agree` or `disagree` answers")
    one.hear("`disagree` withdraws it")
    two.type("agree")
    one.hear("ben is for taking the last move back")
    one.hear("Your turn")
    ok(True, "in lines a move is taken back by agreement")
    one.type("propose nothing")
    one.hear("what\\? cancel")
    one.end()
    two.end()

    # For programs, at a table in lines of JSON.
    lines = ben.lines("play", back, "--json")
    lines.hear('"vote":null')
    lines.type("propose cancel")
    lines.hear('"event":{"kind":"voted","seat":1,"about":"cancel","yes":true}')
    lines.hear('"vote":{"about":"cancel"|"vote":{.*"about":"cancel"')
    lines.type("disagree")
    lines.hear('"about":"cancel","yes":false')
    lines.hear('"vote":null')
    ok(True, "programs hear of a vote, open one and withdraw it")
    lines.end()

    # On the full screen.
    last = table_of(ana, ben, "--pace", "3d")
    first = Terminal(ana, 80, 24, "play", last)
    second = Terminal(ben, 80, 24, "play", last)
    ok(first.shows("your turn"), "the screen of a table")
    first.keys("m")
    ok(first.shows("v vote  t talk  o note  x give up"), "its menu fits into 80 columns")
    first.keys("v")
    ok(first.shows("Propose:  b take back  p pause  o offer a seat  e end the game"), "what can be proposed")
    first.keys("e")
    ok(second.shows("vote: m v"), "who is asked is told in the first line")
    second.keys("m", "v")
    ok(second.shows("ana proposes ending the game"), "and reads what it is")
    second.keys("Space")
    ok(second.shows("y agree  n no"), "and may answer")
    second.keys("y")
    ok(second.shows("game is over|abandoned"), "which ends the game here")
    first.close()
    second.close()

done_testing()
