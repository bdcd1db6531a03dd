"""What is played for somebody as soon as they are asked, in the terminal: ordered,
seen, dropped and played; by command, in lines, for programs and on the full screen."""

import json
import re
import tempfile

import daemon as d
from person import Person, Terminal
from tap import diag, done_testing, is_, ok


def like(text, pattern, what):
    if not ok(re.search(pattern, text, re.M), what):
        diag(text[-2000:])


def table_of(one, other, game="tictactoe", *more):
    table = one.did("create", game, "-q", *more).strip()
    other.did("join", table)
    return table


with tempfile.TemporaryDirectory() as room, \
        d.Daemon("--set", "limits.local=off") as daemon:
    ana, ben = (Person(room, name, daemon.ready["lines"]) for name in ("ana", "ben"))
    for who in ana, ben:
        who.did("register", who.name, typed="correct horse\n")

    # By command.
    small = table_of(ana, ben)
    like(ben.did("order", small), "Nothing is played for you", "at first nothing stands")
    is_(json.loads(ben.did("order", small, "--json")), None, "nor for programs")
    like(ben.did("order", small, "place", "b2"), r"As soon as you are asked: place cell=b2\.",
         "a move is ordered as it is typed")
    like(ben.did("order", small, "--language", "fr"), "Dès que c’est à vous : place cell=b2",
         "it stands, and is told in French, too")
    is_(json.loads(ben.did("order", small, "--json"))["move"], {"verb": "place", "cell": "b2"},
        "and to programs")
    like(ana.did("order", small), "Nothing is played", "of another's order nobody is told")
    like(ben.did("order", small, "drop"), "Nothing is played", "it is dropped")
    for words, why in ((("place", "z9"), "z9"), (("dance",), "dance"), (("pass",), "nobody passes")):
        status, _, said = ben.run("order", small, *words)
        ok(status == 1 and re.search(why, said), f"no order: {' '.join(words)}")
    status, _, said = ana.run("order", small, "place", "b2")
    ok(status == 1 and "just play" in said, "who is asked just plays")

    # In lines: it is played, and then one is dropped.
    one, two = ana.lines("play", small, "--plain"), ben.lines("play", small, "--plain")
    two.hear("Waiting for ana")
    two.type("order")
    two.hear("Nothing is played for you")
    two.type("order place b2")
    two.hear(r"As soon as you are asked: place cell=b2\.")
    one.type("place a1")
    two.hear(r"Played for you: place cell=b2\.")
    two.hear("Waiting for ana")
    one.hear("ben takes b2")
    ok(True, "it is played as soon as he is asked, and he is told")
    two.type("order place c3")
    two.hear("As soon as you are asked: place cell=c3")
    one.type("place c3")
    two.hear("What you ordered was not played")
    two.hear("Your turn")
    ok(True, "what cannot be played is dropped, and he is asked")
    two.type("order place z9")
    two.hear("z9")
    one.end()
    two.end()

    # For programs.
    lines = ana.lines("play", small, "--json")
    lines.hear('"order":null')
    lines.type("order place a3")
    lines.hear(r'"said","refused":false,"text":"As soon as you are asked: place cell=a3')
    lines.hear(r'"order":\{"after":\d+,"move":\{"verb":"place","cell":"a3"\}\}')
    lines.type("order drop")
    lines.hear('"order":null')
    ok(True, "programs order, hear what stands, and drop it")
    lines.end()

    # A pass, which stands for the round, at a table where there are rounds.
    long = table_of(ana, ben, "greement")
    begun = ana.lines("play", long, "--plain"), ben.lines("play", long, "--plain")
    for lines in begun:
        lines.hear("Your turn|Waiting for")
        lines.end()
    asked = json.loads(ana.did("tables", "--json"))
    mine = next(t for t in asked if t["table"] == long)["seats"]
    waits = ana if mine[1]["acting"] else ben
    like(waits.did("order", long, "pass"), "you pass, until this round is over", "a pass stands")
    is_(json.loads(waits.did("order", long, "--json"))["pass"], "round", "for the round")
    waits.did("order", long, "drop")

    # On the full screen.
    last = table_of(ana, ben)
    first, second = Terminal(ana, 80, 24, "play", last), Terminal(ben, 80, 24, "play", last)
    ok(first.shows("your turn"), "the screen of a table")
    ok(second.shows(r"m:\d"), "of who waits, with the other tables that do")
    second.keys("m")
    ok(second.shows("v vote  p ahead  o note  x give up"), "its menu fits into 80 columns")
    second.keys("p")
    ok(second.shows("you will be asked. A move, or pass:"), "it says what stands, and asks")
    second.text("place c1")
    second.keys("Enter")
    ok(second.shows("As soon as you are asked: place cell=c1"), "a move is ordered")
    ok(second.shows("ahead: m p"), "and the first line says that one stands")
    second.keys("m", "p")
    ok(second.shows("Another, or drop:"), "there it is changed")
    second.text("drop")
    second.keys("Enter")
    ok(second.shows("Nothing is played for you"), "or dropped")
    second.keys("m", "p")
    ok(second.shows("A move, or pass:"), "once more")
    second.text("place c1")
    second.keys("Enter")
    ok(second.shows("ahead: m p"), "it stands")
    other = ana.lines("play", last, "--plain")
    other.hear("Your turn")
    other.type("place b2")
    ok(second.shows("Played for you: place cell=c1"), "it is played, which the screen tells")
    other.hear("ben takes c1")
    other.end()
    first.close()
    second.close()

done_testing()
