"""Whole games at a real daemon by people who leave orders, over SIGKILLs in the
middle of moves and of orders: every move of the log was asked for by its seat or is
what it had ordered, which is played once; what was acknowledged is not lost; nobody
is asked who has an answer; and the record is true."""

import os
import subprocess

import sobremesa as s
from daemon import choose, kept_busy, record
from sobremesa import Daemon, Disk, Lines, Refused, killed_amid
from tap import diag, done_testing, is_, ok

KILLS = 2 if s.ASAN else 6  # of each game
GAMES = [("hacienda", 3, {}), ("hadara", 2, {}), ("greement", 3, {"turns": 2})]
if s.ASAN:
    GAMES = GAMES[:1]
rng = s.chance("orders")


class Wrong(Exception):
    """What must not be."""


class Table:
    """People at a table, over as many daemons as it takes, and what they know."""

    def __init__(self, daemon, game, seats, options):
        self.peers = [Lines(daemon.lines) for _ in range(seats)]
        self.tokens = [p.guest().token for p in self.peers]
        self.table = self.peers[0].call("table.create", game=game, seats=seats,
                                        options=options)["table"]
        for peer in self.peers[1:]:
            peer.call("table.join", table=self.table)
        self.sit()
        self.view = self.look()
        self.read = self.view["ply"]  # plies that were accounted for
        self.judged = [self.read] * seats  # as far as an order was looked at
        self.made = {}  # ply -> (seat, move or None for a pass)
        self.told = {}  # ply -> (seat, move) that was acknowledged
        self.stands = {}  # seat -> order
        self.known = {}  # seat -> moves it had last
        self.doubt = None  # (seat, move) or (seat, order): nobody said whether it is
        self.count = dict.fromkeys(("given", "answers", "passes", "dropped", "kills"), 0)

    def sit(self):
        """Who sits where; seats are drawn."""
        peers = {}
        for peer, token in zip(self.peers, self.tokens):
            view = peer.call("table.watch", table=self.table)["view"]
            peer.call("table.unwatch", table=self.table)
            peers[view["you"]] = peer, token
        self.peers = [peers[seat][0] for seat in sorted(peers)]
        self.tokens = [peers[seat][1] for seat in sorted(peers)]

    def come_back(self, daemon):
        self.peers = [Lines(daemon.lines) for _ in self.tokens]
        for peer, token in zip(self.peers, self.tokens):
            peer.resume(token)
        self.count["kills"] += 1

    def look(self):
        ply = self.peers[0].call("table.get", table=self.table)["table"]["ply"]
        return self.peers[0].call("table.at", table=self.table, ply=ply)["view"]

    def acting(self):
        return [i for i, seat in enumerate(self.view["seats"]) if seat["acting"]]

    # ---- what came of it

    def replay(self, **params):
        """Plies of the log from a ply on, all pages."""
        plies, at = [], params.pop("start", 0)
        while at is not None:
            page = self.peers[0].call("table.replay", table=self.table,
                                      **{"from": at}, **params)
            plies += page["plies"]
            at = page.get("next")
        return plies

    def account(self, ply, seat, asked):
        """SEAT moved at PLY: it had ASKED for that, or ordered it."""
        if asked is not None and asked[0] == seat:
            self.made[ply] = asked
            return
        order = self.stands.get(seat)
        if order is None:
            raise Wrong(f"ply {ply}: seat {seat} neither asked nor had an order")
        self.made[ply] = seat, order.get("move")
        self.count["answers" if "move" in order else "passes"] += 1
        if "move" in order:
            del self.stands[seat]

    def judge(self, asked=None):
        """Reads what is new; ASKED is the (seat, move) of who moved by hand."""
        self.view = self.look()
        new = []
        if self.view["ply"] > self.read:
            new = self.replay(start=self.read + 1)
        for ply in new:
            if ply["kind"] == "move" and ply["seat"] != "nature":
                self.account(ply["ply"], ply["seat"], asked)
                asked = None
        self.read = self.view["ply"]
        for seat, peer in enumerate(self.peers):
            self.judge_order(seat, peer)

    def judge_order(self, seat, peer):
        told = peer.call("table.get", table=self.table)["table"].get("order")
        wanted = self.stands.get(seat)
        new = self.read > self.judged[seat]
        self.judged[seat] = self.read
        if told is None and wanted is not None and new:
            del self.stands[seat]
            self.count["dropped"] += 1
        elif told != wanted:
            raise Wrong(f"seat {seat} is told {told}, and had {wanted}")
        elif told and "move" in told and seat in self.acting():
            raise Wrong(f"seat {seat} is asked, and has {told}")

    # ---- what people do

    def move(self):
        seat = rng.choice(self.acting())
        legal = self.peers[seat].call("table.legal", table=self.table)
        self.known[seat] = legal
        move = choose(kept_busy(self.view, legal), rng)
        self.doubt = seat, move
        ply = self.peers[seat].call("table.move", table=self.table,
                                    decision=legal["decision"], move=move)["ply"]
        self.told[ply] = seat, move
        self.judge((seat, move))

    def order(self):
        waiting = [i for i in range(len(self.peers)) if i not in self.acting()]
        if not waiting:
            return
        seat = rng.choice(waiting)
        order = {"after": self.read}
        if rng.random() < 0.15:
            order["pass"] = "round"
        elif seat in self.known:
            order["move"] = choose(self.known[seat], rng)
        else:
            return
        self.doubt = seat, order
        try:
            told = self.peers[seat].call("table.order", table=self.table, order=order)
        except Refused as e:
            # What was legal when they were last asked may name what is gone.
            if e.reason not in ("illegal_move", "no_pass"):
                raise
            self.judge()
            return
        self.stands[seat] = told["order"]
        self.count["given"] += 1
        self.judge()

    def after_kill(self):
        """What was in doubt is, or is not; either way all else holds."""
        seat, what = self.doubt
        asked = (seat, what) if "verb" in what else None
        if asked is None:
            told = self.peers[seat].call("table.get", table=self.table)["table"]
            if told.get("order") not in (None, self.stands.get(seat)):
                self.stands[seat] = told["order"]
                if told["order"] != what:
                    raise Wrong(f"{told['order']} stands, and {what} was given")
        self.judge(asked)


def verified(table):
    """Whether the record is true; its moves are those that were accounted for."""
    lines = record(table.peers[0], table.table)
    path = os.path.join(s.room(), "record")
    with open(path, "w", encoding="utf-8") as f:
        f.write("".join(line + "\n" for line in lines))
    done = subprocess.run([os.path.join(s.BIN, "sobremesa"), "verify", path],
                          capture_output=True, text=True, check=False,
                          timeout=s.WAIT)
    return done.stdout + done.stderr


def differing(table):
    """Moves of the log, all of which may be seen now, that nobody wanted."""
    made = {p["ply"]: (p["seat"], p["move"])
            for p in table.replay(**{"as": "all"})
            if p["kind"] == "move" and p["seat"] != "nature"}
    passes = {ply for ply, (_, move) in table.made.items() if move is None}
    wrong = [ply for ply in made if ply not in table.made or
             (ply not in passes and made[ply] != table.made[ply])]
    lost = [ply for ply, move in table.told.items() if made.get(ply) != move]
    return wrong + lost + sorted(set(table.made) - set(made))


def play(table, name):
    """Plays until it is over, over KILLS."""
    global daemon
    due = sorted(rng.randrange(10, 70) for _ in range(KILLS))
    step = 0
    while table.view["state"] == "playing":
        step += 1
        what = table.move if rng.random() < 0.6 else table.order
        if not due or step < due[0]:
            what()
            continue
        due.pop(0)
        table.doubt = None
        killed_amid(daemon, disk, rng.randrange(9), what)
        daemon = Daemon(data=daemon.data, env=disk.env)
        table.come_back(daemon)
        if table.doubt is None:
            table.judge()
        else:
            table.after_kill()
    is_(verified(table), "ok\n", f"{name}: the record is true")
    is_(differing(table), [],
        f"{name}: {len(table.made)} moves, each asked for or ordered, none lost")


disk = Disk()
daemon = Daemon(env=disk.env)
seen = {}
for game, seats, options in GAMES:
    at = Table(daemon, game, seats, options)
    seen[game] = at.count
    try:
        play(at, game)
    except Wrong as e:
        ok(False, f"{game}: {e}")
diag(f"{seen}")
ok(all(count["given"] > 0 and count["kills"] > 0 for count in seen.values()),
   "people ordered in each, among kills")
ok(any(count["answers"] > 0 for count in seen.values()), "and orders were carried out")
is_(daemon.stop()[0], 0, "an orderly end")
done_testing()
