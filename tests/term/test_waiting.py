"""`sobremesa waiting`: how many tables wait, once and as it changes, in a line
and as JSON; and that it never says what it cannot know."""

import json
import signal
import tempfile

import daemon as d
from liar import Deaf, Liar, harmless
from person import Lines, Person
from tap import done_testing, is_, ok

ROOM = tempfile.TemporaryDirectory()


def heard(lines):
    """The next line of JSON."""
    return json.loads(lines.hear(r"(?<![^\n])\{.*\}$").group())


def begin(daemon, ana):
    """ana, and a peer who is ben, at a table."""
    ana.did("register", "ana", typed="password of hers\n")
    ben = daemon.peer()
    ben.call("account.register", name="ben", password="password of his")
    table = ana.did("create", "-q", "tictactoe").split()[0]
    ben.call("table.join", table=table)
    return ben, table


def move(peer, table, cell):
    view = peer.call("table.watch", table=table)["view"]
    peer.call("table.move", table=table, decision=view["decision"],
              move={"verb": "place", "cell": cell})


def once(ana, ben, table):
    is_(ana.did("waiting"), "1\n", "one table waits: that is the line")
    told = json.loads(ana.did("waiting", "--json"))
    is_({k: told[k] for k in ("text", "tooltip", "class", "waiting")},
        {"text": "1", "tooltip": "Tic-tac-toe: ana*, ben", "class": "waiting",
         "waiting": 1}, "--json: what status bars show")
    is_([(t["table"], t["game"], t["since"] > 0) for t in told["tables"]],
        [(table, "tictactoe", True)], "and which they are")
    ana_too = Person(ROOM.name, "nobody", ana.server)
    is_(ana_too.run("waiting")[0], 77, "who is not logged in has status 77")


def follow(daemon, ana, ben, table):
    plain = ana.lines("waiting", "--follow")
    lines = ana.lines("waiting", "--follow", "--json")
    plain.hear(r"^1$")
    is_(heard(lines)["waiting"], 1, "--follow: how many wait now")
    me = daemon.peer()
    me.call("session.login", name="ana", password="password of hers")
    move(me, table, "a1")
    plain.hear(r"^0$")
    told = heard(lines)
    is_([told["class"], told["waiting"], told["tables"]], ["idle", 0, []],
        "one's own move, made elsewhere, is heard of")
    move(ben, table, "b2")
    is_(heard(lines)["waiting"], 1, "and an opponent's")
    plain.hear(r"^1$")  # before it is taken back, or there is nothing to say
    ben.call("table.undo", table=table,
             ply=ben.call("table.watch", table=table)["view"]["undo"])
    is_(heard(lines)["waiting"], 0, "and that it is taken back")
    plain.hear(r"^0$")
    ben.call("table.chat", table=table, text="Well")
    daemon.kill()
    told = heard(lines)
    is_([told["class"], told["waiting"], told["text"]], ["offline", None, "?"],
        "without a connection it says that it does not know")
    ok(told["tooltip"].strip(), "and why")
    plain.hear(r"^\?$")
    daemon.start(same=True)
    told = heard(lines)
    while told["class"] == "offline":  # for another reason, while it tries
        told = heard(lines)
    is_(told["waiting"], 0, "and comes again")
    plain.hear(r"^0$")
    for one in plain, lines:
        one.process.send_signal(signal.SIGTERM)
        one.end()
    is_(plain.out.split(), ["1", "0", "1", "0", "?", "0"],
        "what did not change is not said again")


def refused(daemon, ana, ben, table):
    """A list, or to hear of news, that was refused is asked for again."""
    for method in "me.tables", "me.watch":
        with Deaf(daemon.ready["lines"], method) as server:
            there = Person(ROOM.name, "ana",
                           f"127.0.0.1:{server.port}")
            there.did("login", "ana", typed="password of hers\n")
            lines = Lines(there, "waiting", "--follow")
            lines.hear(r"^0$")
            ok(server.left == 0, f"{method} was refused")
            view = ben.call("table.watch", table=table)["view"]
            if view["decision"] is not None:
                move(ben, table, "c3")
            lines.hear(r"^1$")
            ok(True, f"{method}: and it knows all the same")
            ben.call("table.undo", table=table, ply=ben.call(
                "table.watch", table=table)["view"]["undo"])
            lines.hear(r"^0$")
            lines.process.send_signal(signal.SIGTERM)
            lines.end()


def hostile(daemon, ben, table):
    with Liar(daemon.ready["lines"]) as liar:
        there = Person(ROOM.name, "eve", f"127.0.0.1:{liar.port}")
        there.did("register", "eve", typed="password of hers\n")
        peer = daemon.peer()
        peer.call("session.login", name="eve", password="password of hers")
        mine = peer.call("table.create", game="tictactoe", seats=2)["table"]
        ben.call("table.join", table=mine)
        for arguments in ("waiting",), ("waiting", "--json"):
            text = there.did(*arguments)
            is_(harmless(text), "", "nothing that a terminal obeys")
            is_(text.count("\n"), 1, "and one line")


with d.Daemon() as server:
    ANA = Person(ROOM.name, "ana", server.ready["lines"])
    BEN, TABLE = begin(server, ANA)
    once(ANA, BEN, TABLE)
    follow(server, ANA, BEN, TABLE)
    BEN = server.peer()
    BEN.call("session.login", name="ben", password="password of his")
    refused(server, ANA, BEN, TABLE)
    hostile(server, BEN, TABLE)
done_testing()
