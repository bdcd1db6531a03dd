"""Tables with a pace in the terminal: made, listed, played, by lines and on the
full screen, in both languages; a miss, told as it happens and afterwards, and what
can be done about it; when one is away; time that is given."""

import json
import re
import tempfile

import daemon as d
from person import Person, Terminal
from tap import diag, done_testing, is_, ok

PACES = [  # as --pace has it, what the server keeps, in words
    ("3d", (259200, 0, 0, 0), "3 days a move"),
    ("10m+15s", (0, 600, 15, 1200), "10 min + 15 s"),
    ("12h/10d", (43200, 864000, 0, 864000), "12 hours a move, a bank of 10 days"),
    ("/30m", (0, 1800, 0, 1800), "30 min for all moves"),
    ("1d/90s+1m", (86400, 90, 60, 180), "1 day a move, a bank of 90 s + 1 min"),
]


def like(text, pattern, what):
    if not ok(re.search(pattern, text, re.M), what):
        diag(text[-2000:])


def create(person, *more):
    return person.did("create", "tictactoe", "-q", *more).strip()


def seat_of(peer, table):
    return peer.call("table.get", table=table)["table"]["seats"][0]


def row(person, table, *more):
    return next(line for line in person.did("tables", *more).splitlines()
                if line.startswith(table))


with tempfile.TemporaryDirectory() as room, \
        d.Daemon("--set", "limits.local=off") as daemon:
    ana, ben = (Person(room, name, daemon.ready["lines"]) for name in ("ana", "ben"))
    for who in ana, ben:
        who.did("register", who.name, typed="correct horse\n")

    for text, kept, said in PACES:
        table = create(ana, "--pace", text, "--misses", "open,2")
        mine = json.loads(ana.did("tables", "--json"))
        is_(next((tuple(t["pace"][name] for name in
                        ("free", "bank", "add", "cap")), t["misses"])
                 for t in mine if t["table"] == table),
            (kept, {"excused": 2, "then": "open"}), f"--pace {text}")
        like(row(ana, table), re.escape(f"({said}"), f"which is {said}")
    for text in "", "3", "3w", "d", "10m+", "1d/", "10m+15s+1s", "-1d":
        status, _, why = ana.run("create", "tictactoe", "--pace", text)
        ok(status == 1 and "--pace: expected 3d" in why, f"no pace: '{text}'")
    status, _, why = ana.run("create", "tictactoe", "--pace", "29s")
    ok(status == 1 and "30 seconds" in why, "too short a one the server refuses")
    ok("days" not in row(ana, create(ana)), "and usually there is none")

    slow = create(ana, "--pace", "50m")
    ben.did("join", slow)
    like(row(ana, slow), r"  (50:00|4\d:\d\d)$", "a list tells how long there is")
    like(row(ana, slow, "--language", "fr"), "50 min par coup", "in French, too")
    lines = ana.lines("play", slow, "--plain")
    lines.hear(r"Time: (50:00|4\d:\d\d)\.")
    ok(True, "so does the table")
    lines.end()
    screen = Terminal(ana, 100, 30, "play", slow)
    first = re.search(r"4\d:\d\d your turn", screen.shows(r"4\d:\d\d your turn"))
    ok(screen.until(lambda now: re.search(r"4\d:\d\d your turn", now) and
                    first.group() not in now), "and its screen, where it goes on")
    screen.close()

    status, _, why = ana.run("return", slow)
    ok(status == 1 and "not gone" in why, "who is not gone need not return")

    # Time that is given.
    gift = create(ana, "--pace", "1d")
    ben.did("join", gift)
    like(row(ben, gift), r"\* *.*until \w+ \d\d:\d\d$",
         "lists tell how long others have")
    like(ben.did("give", gift, "1d"), "sobremesa play", "one of two gives the other time")
    like(row(ben, gift), r"2 days left$", "which they have then")
    lines = ben.lines("play", gift, "--plain")
    lines.type("give 6h", "give much", "clocks")
    lines.hear("How much\\?")
    lines.hear("ana +2 days left")
    lines.hear("Time: 1 day a move")
    ok(True, "in lines, too")
    lines.end()
    for what in "1w", "":
        ok(ben.run("give", gift, what)[0] == 1, f"no time: '{what}'")
    kept = [create(ana, "--pace", pace, *more)
            for pace, more in (("1d", ()), ("1h", ()), ("1h", ("--absence", "yes")),
                               ("1d", ("--hours", "no", "--absence", "no")))]
    mine = {t["table"]: t for t in json.loads(ana.did("tables", "--json"))}
    is_([(mine[t]["hours"], mine[t]["absence"]) for t in kept],
        [(True, True), (False, False), (False, True), (False, False)],
        "what clocks heed can be chosen")
    ok(ana.run("create", "tictactoe", "--pace", "1d", "--hours", "maybe")[0] == 1,
       "by yes or no")

    # When one is away.
    like(ana.did("absence"), "30 of 30 days of absence are left", "nobody is away at first")
    like(ana.did("absence"), rf"stands still here:\n(.*\n)*  {gift}",
         "what it would mean for one's tables")
    first, last = str(d.day(40)), str(d.day(44))
    like(ana.did("absence", first, last), rf"{first} 00:00 - .*  5 days",
         "some days are planned")
    like(ana.did("absence", "end", first), "(?s)^((?!You are away).)*$", "and dropped")
    like(ana.did("absence", "3d"), "You are away:", "one goes at once")
    like(ana.did("absence", "auto", "on", "--language", "fr"),
         "une absence commence plutôt", "and wishes for it, in French, too")
    lines = ben.lines("play", gift, "--plain")
    lines.hear("ana is away until")
    ok(True, "others see until when")
    lines.end()
    like(ana.did("absence", "end"), "You were away:", "and comes back")
    for words in ("tomorrow",), (last, first), ("auto", "maybe"), ("end", "x"), ("3w",):
        status, _, why = ana.run("absence", *words)
        ok(status == 1 and why, f"no absence: {' '.join(words)}")

clocks = d.Clocks(stands=True)
with tempfile.TemporaryDirectory() as room, \
        d.Daemon("--set", "limits.local=off", env=clocks.env) as daemon:
    ana, ben, cai = (Person(room, name, daemon.ready["lines"])
                     for name in ("ana", "ben", "cai"))
    for who in ana, ben, cai:
        who.did("register", who.name, typed="correct horse\n")
    # A turn that is missed.  Who looks on does so until the game is over, if
    # they type nothing: they are ended.
    late = create(ana, "--pace", "5m")
    ben.did("join", late)
    due = seat_of(daemon.peer(), late)["due"]
    lines = ben.lines("watch", late, "--plain")
    lines.hear("ana")
    clocks.passes(daemon, lambda peer: seat_of(peer, late).get("due") != due)
    lines.hear("ana's time is up; this time it is excused.")
    ok(True, "a miss is told of as it happens")
    lines.process.terminate()
    lines.end()
    lines = ben.lines("watch", late, "--plain", "--language", "fr")
    lines.hear("Le temps de ana est écoulé")
    ok(True, "and afterwards, in French")
    lines.process.terminate()
    lines.end()

    left, gone = (create(ana, "--pace", "5m", "--misses", "open,0") for _ in range(2))
    for table in left, gone:
        ben.did("join", table)
        for who, move in (ana, "place b2"), (ben, "place a1"):
            who.run("play", table, "--plain", typed=move + "\n")
    clocks.passes(daemon, lambda peer: all(seat_of(peer, table).get("offered")
                                           for table in (left, gone)))

    # A seat that is offered is in the lobby, and somebody else plays on.
    like(cai.did("lobby", "--plain"), rf"^Seats to take over:\n(.*\n)?  {left}",
         "the lobby tells of a seat whose player has not come")
    screen = Terminal(cai, 60, 20, "lobby")
    screen.shows("Seats to take over")
    screen.close()
    screen = Terminal(cai, 80, 24, "watch", left)
    screen.shows("looking on")
    screen.keys("m")
    screen.shows("c clocks")
    screen.keys("c")
    like(screen.shows("ana has not come"), "(?s)ana has not come.*5 min a move",
         "the table tells of it, and of what was agreed on")
    screen.keys("q")
    screen.shows("k take over the seat")
    screen.keys("k")
    screen.shows("Play on in the seat of ana")
    screen.keys("y")
    like(screen.shows("your turn"), "your turn", "who takes it over plays on")
    screen.close()
    status, _, why = ana.run("take-over", left)
    ok(status == 1 and "no seat is offered" in why, "then it is offered no more")

    # Whose seat nobody takes comes back.
    clocks.passes(daemon, lambda peer: not seat_of(peer, gone)["acting"])
    lines = ana.lines("play", gone, "--plain")
    lines.hear("Your turns are played for you")
    lines.end()
    like(ana.did("return", gone), "yours again", "who comes back has their seat again")
    status, _, why = ana.run("return", gone)
    ok(status == 1 and "not gone" in why, "once")

    # A very first turn that is missed opens another table, and each leads to the
    # other: in lines, for programs, on the screen; who was not there sits down.
    never = create(ana, "--pace", "5m", "--misses", "mild,0")
    ben.did("join", never)
    lines = ben.lines("play", never, "--plain")
    lines.type("again")
    lines.hear("Waiting for ana")
    screen = Terminal(ben, 80, 24, "play", never)
    screen.shows(r"(4|5):\d\d")
    clocks.passes(daemon, lambda peer: peer.call(
        "table.get", table=never)["table"]["state"] == "abandoned")
    opened = lines.hear(r"Table (\S+): Tic-tac-toe.* You are ben\.\n"
                        rf"It was played before at table {never}\.").group(1)
    ok(opened != never, "`again` waits for the end, and leads to the table in its place")
    lines.end()
    screen.shows("played again: m a")
    screen.keys("m")
    screen.shows("a again")
    screen.keys("a")
    screen.shows(f"before at table {never}")
    ok(True, "the screen says so as it happens, and leads there")
    screen.close()
    like(cai.did("watch", never, "--plain"),
         rf"It is played again at table {opened}\.$", "who looks on is told")
    result = json.loads(cai.did("watch", never, "--json").splitlines()[-1])
    is_((result["type"], result["again_at"]), ("result", opened), "programs, too")
    screen = Terminal(ben, 80, 24, "play", never, "--language", "fr")
    screen.shows("rejouée : m a")
    screen.keys("m")
    screen.shows("a rejouer")
    ok(True, "in French, too")
    screen.close()
    lines = ana.lines("play", never, "--json")
    lines.type("again")
    lines.hear(rf'"table":"{opened}".*"you":\d.*"again_of":"{never}"')
    lines.hear('"your_turn":true|"acting":\\[')
    ok(True, "who was not there sits down there by it")
    lines.end()
    clocks.go()  # or it would not come to its end

done_testing()
