"""sobremesactl tables texts: what was said at a table, and a text that is
removed: whoever is there sees that at once, whoever comes finds it so, and its
words are nowhere in the store."""

import glob
import os
import sys
import tempfile

sys.path.insert(0, "tests/term")

import daemon as d  # noqa: E402
from ctl import ctl, fails, refused, says, told  # noqa: E402
from person import Person  # noqa: E402
from tap import done_testing, is_, ok  # noqa: E402

BAD = "Xylophonic insults about everybody's grandmother"


def gone(peer, number):
    """The next text that PEER hears of again, without a body."""
    while True:
        note = peer.next_note()
        if note["method"] == "table.chat" and \
                note["params"]["text"] == number and \
                note["params"]["body"] is None:
            return note["params"]


def texts(peer, table, room="table"):
    return [(t["text"], t["from"], t["body"]) for t in peer.call(
        "table.texts", table=table, room=room)["texts"]]


def removed(server, room):
    table, peers = d.sit(server, "hacienda", 2)
    watcher = server.peer()
    watcher.call("account.guest")
    for peer in (*peers, watcher):
        peer.call("table.watch", table=table)
    name = peers[0].call("account.get")["user"]["name"]
    looker = watcher.call("account.get")["user"]["name"]
    terminal = Person(room, "tess", server.ready["lines"])
    terminal.did("guest")
    lines = terminal.lines("watch", table, "--plain")
    lines.hear("You are looking on")
    for text in ("Good luck", BAD, "You, too"):
        peers[0].call("table.chat", table=table, text=text)
    watcher.call("table.chat", table=table, room="spectators", text=BAD)
    lines.hear(f"{name} says: {BAD}")

    shown = told(server, "tables", "texts", table)["texts"]
    is_([(t["text"], t["room"], t["body"]) for t in shown],
        [(4, "spectators", BAD), (3, "table", "You, too"),
         (2, "table", BAD), (1, "table", "Good luck")],
        "texts: both rooms, the latest first")
    is_([t["text"] for t in told(server, "tables", "texts", table, "--limit",
                                 "3")["texts"]], [4, 3, 2], "texts: --limit")
    says(ctl(server, "tables", "texts", table), BAD, "texts: for people")
    says(ctl(server, "tables", "texts", table, "--remove", "2", "--why",
             "insults"), "Text 2 of table", "remove")
    is_([gone(peer, 2)["from"] for peer in (*peers, watcher)], [name] * 3,
        "remove: who watches is told at once")
    lines.type("chat")
    lines.hear(f"{name} says: \\(removed by the administrator\\)")
    ok(True, "remove: a terminal shows it")
    lines.type("quit")
    lines.end()
    told(server, "tables", "texts", table, "--remove", "4")
    is_(gone(watcher, 4)["from"], looker, "remove: spectators', too")
    is_(texts(watcher, table), [(1, name, "Good luck"), (2, name, None),
                                (3, name, "You, too")],
        "remove: who comes later finds a mark, and the others as they were")
    is_(texts(watcher, table, "spectators"), [(4, looker, None)],
        "remove: in its room")
    for number in ("2", "9", "0"):
        fails(ctl(server, "tables", "texts", table, "--remove", number), 1,
              "no_such_text", f"remove: text {number}")
    fails(ctl(server, "tables", "texts", "nobody"), 1, "no_such_table",
          "texts: no such table")
    fails(ctl(server, "tables", "texts", table, "--why", "x"), 64,
          "--why is for --remove", "texts: a reason without a removal")
    is_(refused(peers[0], "forbidden", "admin.texts.remove", table=table,
                text=1)["reason"], "forbidden", "remove: not by players")
    changes = [c for c in told(server, "audit")["changes"]
               if c["method"] == "admin.texts.remove"]
    is_([(c["table"], c["user"], c["params"]) for c in changes],
        [(table, looker, {"text": 4}),
         (table, name, {"text": 2, "why": "insults"})],
        "audit: which, whose and why, not what")
    for peer in (*peers, watcher):
        peer.close()
    return table


with tempfile.TemporaryDirectory() as room:
    data = os.path.join(room, "data")
    with d.Daemon(data=data) as server:
        table = removed(server, room)
    # The daemon has ended, so the log that it wrote ahead is in the file.
    ok(not any(BAD.encode() in open(path, "rb").read()
               for path in glob.glob(data + "/*") if os.path.isfile(path)),
       "remove: not a byte of it is left in the store")
    with d.Daemon(data=data) as server:
        is_(ctl(server, "verify", "--all")[0], 0, "the record is true")
        is_([t["body"] for t in told(server, "tables", "texts",
                                     table)["texts"]],
            [None, "You, too", None, "Good luck"], "after a start: as before")
done_testing()
