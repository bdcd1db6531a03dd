"""Many at one table: where there are many to write to, a thread does it
(sender.c).  Everybody gets everything in its order, who goes in the middle of
it goes, and who reads late reads it all."""

import glob
import os
import socket
import struct

import sobremesa as s
from sobremesa import Daemon, Lines, Ws
from tap import diag, done_testing, is_, ok

CROWD = 220  # more than what the loop writes to itself (daemon.c)
GAMES = 2 if os.environ.get("ASAN") else 8
chance = s.chance("crowd")


def told(pid, thread):
    """How often a thread has told the loop that it has done something: that is
    all it calls write() for."""
    for task in glob.glob(f"/proc/{pid}/task/*"):
        with open(f"{task}/comm", encoding="ascii") as f:
            if f.read().strip() != thread:
                continue
        with open(f"{task}/io", encoding="ascii") as f:
            return next(int(line.split()[1]) for line in f
                        if line.startswith("syscw:"))
    return 0


d = Daemon()
one, two = Lines(d.lines).guest(), Ws(d.http).guest()


def arrive():
    """Somebody who watches, in one of three ways."""
    how = chance.randrange(3)
    peer = Lines(d.lines) if how == 0 else Ws(d.http) if how == 1 \
        else Ws(d.http, receive=4096)
    peer.watch(table)
    return peer


def cut(peer):
    """Goes without a word, with what was sent to it unread."""
    peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                           struct.pack("ii", 1, 0))
    peer.close()


crowd, seen, wrong = [], 0, []
for game in range(GAMES):
    table = s.table_of([one, two])
    for peer in (one, two):
        peer.watch(table)
    crowd = [arrive() for _ in range(CROWD)]
    for cell in ("a1", "a2", "b1", "b2", "c1"):
        mover = next(p for p in (one, two)
                     if p.watching[table].view["seats"][
                         p.watching[table].view["you"]]["acting"])
        asked = mover.ask("table.move", table=table,
                          decision=mover.watching[table].view["decision"],
                          move={"verb": "place", "cell": cell})
        # Some leave while it is being told.
        for peer in chance.sample(crowd, 3):
            crowd.remove(peer)
            cut(peer)
        ply = mover.answer(asked)["ply"]
        for peer in (one, two):
            peer.settle(table, ply)
    last = one.watching[table].ply
    for peer in crowd:  # only now they read
        peer.settle(table, last)
        view = peer.watching[table].view
        seen += 1
        if view != crowd[0].watching[table].view or \
                view["state"] != "finished":
            wrong.append(view)
    for peer in crowd:
        peer.close()

if not is_(len(wrong), 0, f"{seen} watchers have seen the same games"):
    diag(str(wrong[0])[:500])
is_(seen, GAMES * (CROWD - 15), "all who stayed")
# Once a move at least: before the next one both players have heard of it.
times = told(d.process.pid, "sender")
ok(times >= 5 * GAMES, f"the thread had its part in it, {times} times")
is_(one.call("server.hello")["protocol"], 1, "it goes on")
# Some are being written to when it ends.
table = s.table_of([one, two])
crowd = [arrive() for _ in range(CROWD)]
one.ask("table.resign", table=table)
is_(d.stop()[0], 0, "end")
done_testing()
