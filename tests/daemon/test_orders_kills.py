"""Standing orders in a daemon that is killed: one that was acknowledged stands or
was played, once, and in the transaction that asked for it."""

import os
import random
import threading
import time

import sobremesa as s
from sobremesa import Closed, Daemon, Lines
from tap import diag, done_testing, is_, ok

KILLS = 6 if s.ASAN else 24
SEED = int(os.environ.get("SEED", random.randrange(1 << 32)))
print(f"# SEED={SEED}", flush=True)


def moves(peer, table):
    """The moves of the log, by seat."""
    plies = peer.call("table.replay", table=table)["plies"]
    return [(p["seat"], p["move"]["cell"]) for p in plies if p["kind"] == "move"]


def stands(peer, table):
    return peer.call("table.get", table=table)["table"].get("order")


def try_to(what):
    """Whether WHAT was acknowledged: the daemon may be gone before it is."""
    try:
        what()
        return True
    except (Closed, ConnectionError, TimeoutError):
        return False


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


def killed_amid(daemon, seconds, what):
    """Whether WHAT was acknowledged by DAEMON, which is killed in the midst of it."""
    killer = threading.Thread(target=lambda: (time.sleep(seconds), daemon.kill()))
    killer.start()
    done = try_to(what)
    killer.join()
    return done


rng = random.Random(SEED)
d = Daemon()
two = Two(d)
wrong, seen = [], set()
for kill in range(KILLS):
    table = two.table()
    ordering = kill % 3 == 0  # else the move that has it carried out is killed
    if not ordering:
        two.order(table)
    acknowledged = killed_amid(d, rng.uniform(0, 0.006),
                               lambda t=table, o=ordering: (two.order if o else two.move)(t))
    d = Daemon(data=d.data)
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
diag(f"after a kill (ordering, stands, played): {sorted(seen)}")
is_(d.stop()[0], 0, "an orderly end")
done_testing()
