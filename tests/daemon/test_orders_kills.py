"""Standing orders in a daemon that is killed: one that was acknowledged stands or
was played, once, and in the transaction that asked for it."""

import os

import sobremesa as s
from sobremesa import Daemon, Disk, Lines, killed_amid
from tap import diag, done_testing, is_, ok

KILLS = int(os.environ.get("KILLS", 6 if s.ASAN else 24))
# After how many writes it dies: none, one ..., and more than there are.
WRITES = [*range((KILLS - 1) // 3), 1000]


def moves(peer, table):
    """The moves of the log, by seat."""
    plies = peer.call("table.replay", table=table)["plies"]
    return [(p["seat"], p["move"]["cell"]) for p in plies if p["kind"] == "move"]


def stands(peer, table):
    return peer.call("table.get", table=table)["table"].get("order")


class Two:
    """Ana and Ben, over as many daemons as it takes."""

    def __init__(self, daemon):
        self.tokens = None
        self.come(daemon)

    def come(self, daemon):
        self.ana, self.ben = Lines(daemon.lines), Lines(daemon.lines)
        if self.tokens is None:
            self.tokens = self.ana.guest().token, self.ben.guest().token
        else:
            self.ana.resume(self.tokens[0])
            self.ben.resume(self.tokens[1])

    def table(self):
        table = self.ana.call("table.create", game="tictactoe", seats=2)["table"]
        self.ben.call("table.join", table=table)
        self.ply = self.ana.call("table.get", table=table)["table"]["ply"]
        return table

    def order(self, table):
        self.ben.call("table.order", table=table, order={
            "after": self.ply, "move": {"verb": "place", "cell": "b2"}})

    def move(self, table):
        decision = self.ana.call("table.legal", table=table)["decision"]
        self.ana.call("table.move", table=table, decision=decision,
                      move={"verb": "place", "cell": "a1"})


disk = Disk()
d = Daemon(env=disk.env)
two = Two(d)
wrong, seen, acks = [], set(), set()
for kill in range(KILLS):
    table = two.table()
    ordering = kill % 3 == 0  # else the move that has it carried out is killed
    if not ordering:
        two.order(table)
    what = two.order if ordering else two.move
    acknowledged = killed_amid(d, disk, WRITES[kill // 3],
                               lambda w=what, t=table: w(t))
    acks.add(acknowledged)
    d = Daemon(data=d.data, env=disk.env)
    two.come(d)
    played, order = moves(two.ana, table), stands(two.ben, table)
    seen.add((ordering, bool(order), bool(played)))
    if ordering:
        good = played == [] and (order is not None or not acknowledged)
        if order is None:
            two.order(table)
    else:
        good = (played, order is None) in (([], False), ([(0, "a1"), (1, "b2")], True)) \
            and (played != [] or not acknowledged)
    if good and played == []:
        two.move(table)
        played = moves(two.ana, table)
        good = played == [(0, "a1"), (1, "b2")] and stands(two.ben, table) is None
    if not good:
        wrong.append((kill, ordering, acknowledged, played, order))
is_(wrong, [], f"in {KILLS} kills no order is lost, played twice, or played without "
    "what it answers")
ok(any(ordering for ordering, _, _ in seen) and
   any(not ordering for ordering, _, _ in seen), "of both kinds")
is_(acks, {True, False}, "some before it was acknowledged, some after")
diag(f"after a kill (ordering, stands, played): {sorted(seen)}")
is_(d.stop()[0], 0, "an orderly end")
done_testing()
