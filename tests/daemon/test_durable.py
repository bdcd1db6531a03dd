"""What was acknowledged is kept: the daemon is killed at random moments while
games are played, and its disk fails."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import threading
import time

import sobremesa as s
from sobremesa import Closed, Daemon, Lines, Refused
from tap import diag, done_testing, is_, ok

KILLS = 8 if s.ASAN else 30
SEED = int(os.environ.get("SEED", random.randrange(1 << 32)))
print(f"# SEED={SEED}", flush=True)


class Seat:
    """Plays one seat, over as many daemons as it takes, and remembers what it
    was told is done."""

    def __init__(self, rng):
        self.rng = rng
        self.token = None
        self.tables = []
        self.acknowledged = {}  # (table, ply) -> (decision, move)
        self.open = None  # a request whose answer never came
        self.asked_again = self.retried = 0
        self.watching = {}

    def come(self, where):
        self.peer = Lines(where)
        if self.token is None:
            self.token = self.peer.guest().token
        else:
            self.peer.resume(self.token)
        self.peer.watching = self.watching
        for table in self.tables:
            self.peer.watch(table)

    def sit(self, table):
        self.tables.append(table)
        self.peer.watch(table)

    def note(self, request, told):
        table, decision, move = request
        if (table, told["ply"]) in self.acknowledged and \
                self.acknowledged[table, told["ply"]] != (decision, move):
            raise AssertionError("two moves with one ply")
        self.acknowledged[table, told["ply"]] = (decision, move)

    def try_again(self):
        """What was not acknowledged is asked once more, and counts once."""
        if self.open is None:
            return
        table, decision, move = self.open
        self.retried += 1
        try:
            told = self.peer.call("table.move", table=table,
                                  decision=decision, move=move)
            again = self.peer.call("table.move", table=table,
                                   decision=decision, move=move)
            if again.get("duplicate") is not True or \
                    again["ply"] != told["ply"]:
                raise AssertionError(f"{told} and again {again}")
            self.asked_again += told.get("duplicate", False)
            self.note(self.open, told)
        except Refused as e:
            if e.code not in (2002, 2003, 2004):
                raise
            raise AssertionError(f"{self.open}: {e}") from None
        self.open = None

    def step(self):
        """Makes a random move where it is waited for; whether it did."""
        for table in self.tables:
            view = self.watching[table].view
            if view["decision"] is None or view["state"] != "playing":
                continue
            legal = self.peer.call("table.legal", table=table)
            if not legal["moves"]:
                continue
            move = self.rng.choice(legal["moves"])
            self.open = (table, legal["decision"], move)
            told = self.peer.call("table.move", table=table,
                                  decision=legal["decision"], move=move)
            self.note(self.open, told)
            self.open = None
            return True
        return False

    def play(self, until):
        """Until the daemon is gone, or it is time."""
        try:
            while time.monotonic() < until:
                if not self.step():
                    try:
                        self.peer.take(0.02)
                    except TimeoutError:
                        pass
        except (Closed, ConnectionError):
            pass


def check(where, seats):
    """All that is remembered is in the log, and every view is what a fresh
    one is."""
    lost, fits = [], True
    for seat in seats:
        reader = Lines(where).resume(seat.token)
        for table in seat.tables:
            plies, at = {}, 0
            while at is not None:
                told = reader.call("table.replay", table=table,
                                   **{"from": at})
                plies.update({p["ply"]: p for p in told["plies"]})
                at = told.get("next")
            if sorted(plies) != list(range(len(plies))):
                diag(f"{table}: gaps in the log: {sorted(plies)}")
                fits = False
            for (name, ply), (_, move) in seat.acknowledged.items():
                if name == table and (ply not in plies or
                                      plies[ply].get("move") != move):
                    lost.append((table, ply, move, plies.get(ply)))
            fresh = reader.call("table.watch", table=table, check=True)
            known = seat.watching[table]
            if (fresh["ply"], fresh["chain"]) != (known.ply, known.chain) or \
                    fresh["view"] != known.view:
                diag(f"{table}: known {known.ply}, fresh {fresh['ply']}")
                fits = False
        reader.close()
    if lost:
        diag(lost[:5])
    return lost, fits


def settle(seats):
    """All have heard of the last ply of their tables."""
    for seat in seats:
        for table in seat.tables:
            ply = seat.peer.call("table.get", table=table)["table"]["ply"]
            seat.peer.settle(table, ply)


def new_tables(seats, rng):
    for game, size in [("tictactoe", 2), ("tictactoe", 2), ("hacienda", 2),
                       ("hacienda", 3)]:
        some = rng.sample(seats, size)
        table = some[0].peer.call("table.create", game=game,
                                  seats=size)["table"]
        for seat in some[1:]:
            seat.peer.call("table.join", table=table)
        for seat in some:
            seat.sit(table)


def all_do(seats, what):
    """WHAT of each seat, at the same time; what went wrong is raised here."""
    wrong = []

    def run(seat):
        try:
            what(seat)
        except Exception as e:  # told to whoever waits
            wrong.append(e)

    threads = [threading.Thread(target=run, args=(seat,)) for seat in seats]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(4 * s.WAIT)
    if wrong:
        raise wrong[0]


def kill_amid(d, seats, moves, seconds):
    """Kills D when so many more moves are made and a little time has gone."""
    def made():
        return sum(len(seat.acknowledged) for seat in seats)

    goal, end = made() + moves, time.monotonic() + 3
    while made() < goal and time.monotonic() < end:
        time.sleep(0.001)
    time.sleep(seconds)
    d.kill()


def begin_and_kill(data, seconds):
    """Kills a daemon that is about to recover what another one left."""
    with subprocess.Popen([s.PROGRAM, "--data", data, "--http", "off",
                           "--lines", "off"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as p:
        time.sleep(seconds)
        p.kill()


def verify(d, what):
    """All draws and hashes of all tables."""
    program = os.path.join(s.BIN, "sobremesactl")
    if not os.path.exists(program):
        ok(True, f"{what}: verify --all # SKIP no sobremesactl yet")
        return
    done = subprocess.run([program, "--admin", d.admin, "verify", "--all"],
                          capture_output=True, timeout=s.WAIT, text=True,
                          check=False)
    if not ok(done.returncode == 0, f"{what}: verify --all is clean"):
        diag(done.stdout + done.stderr)


# Killed at random moments under load, over and over: every acknowledged move
# is there, none is there twice, and those who come back miss nothing.
def test_kills():
    rng = random.Random(SEED)
    d = Daemon()
    seats = [Seat(random.Random(rng.random())) for _ in range(6)]
    for seat in seats:
        seat.come(d.lines)
    lost, fits = [], True
    for kill in range(KILLS):
        if kill % 5 == 0:
            new_tables(seats, rng)
        until = time.monotonic() + s.WAIT
        killer = threading.Thread(target=kill_amid, args=(
            d, seats, rng.randrange(80), rng.uniform(0, 0.005)))
        killer.start()
        all_do(seats, lambda seat, until=until: seat.play(until))
        killer.join()
        if rng.random() < 0.3:
            begin_and_kill(d.data, rng.uniform(0, 0.05))
        d = Daemon(data=d.data)
        for seat in seats:
            seat.come(d.lines)
        for seat in seats:
            seat.try_again()
        settle(seats)
        more, good = check(d.lines, seats)
        lost += more
        fits = fits and good
    moves = sum(len(seat.acknowledged) for seat in seats)
    is_(lost, [], f"none of {moves} acknowledged moves is lost in {KILLS} "
        "kills")
    updates = sum(table.updates for seat in seats
                  for table in seat.watching.values())
    ok(fits, "views patched across them are what fresh ones are, chain "
       f"and view_hash too ({updates} updates)")
    retried = sum(seat.retried for seat in seats)
    ok(moves > 10 * KILLS, f"and there was play ({moves} moves)")
    ok(True, f"{retried} unacknowledged moves asked again, "
       f"{sum(seat.asked_again for seat in seats)} of them had counted")
    verify(d, "after them")
    is_(d.stop()[0], 0, "an orderly end")
    db = sqlite3.connect(os.path.join(d.data, "sobremesa.db"))
    is_(db.execute("pragma integrity_check").fetchall(), [("ok",)],
        "the file is valid")
    db.close()


def can_trace():
    if shutil.which("strace") is None:
        return "no strace"
    done = subprocess.run(["strace", "-o", "/dev/null", "/bin/true"],
                          capture_output=True, check=False)
    return None if done.returncode == 0 else "strace may not trace here"


def traced(call, fault):
    """A daemon to whose CALL FAULT happens, in words of strace.  The data is
    there already, so that opening it makes few."""
    first = Daemon()
    first.stop()
    return Daemon(data=first.data, wrap=[
        "strace", "-D", "-f", "-qq", "-o", "/dev/null",
        "-e", f"trace={call}", "-e", f"inject={call}:{fault}",
    ], env={"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") +
            ":detect_leaks=0"})


# A disk that neither works nor fails holds the end up for 10 s, not longer;
# what was acknowledged is there afterwards.
def test_hanging_disk():
    shim, flag = (os.path.join(s.room(), name) for name in ("hang.so", "hang"))
    subprocess.run(["cc", "-shared", "-fPIC", "-o", shim,
                    os.path.join(os.path.dirname(s.__file__), "hang.c")],
                   check=True)
    d = Daemon(env={
        "LD_PRELOAD": shim, "HANG": flag,
        "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") +
        ":verify_asan_link_order=0"})
    tokens = [Lines(d.lines).guest().token for _ in range(5)]
    with open(flag, "w", encoding="ascii"):
        pass
    peer = Lines(d.lines)
    late = peer.ask("account.guest")
    try:
        peer.answer(late, 1)
        ok(False, "nothing is acknowledged while the disk hangs")
    except TimeoutError:
        ok(True, "nothing is acknowledged while the disk hangs")
    d.tell(signal.SIGTERM)
    status, took = d.end()
    is_(status, 1, "what does not end well says so")
    ok(8 < took < 12, f"within 10 s ({took:.1f} s)")
    with open(d.errors.name, encoding="utf-8") as f:
        ok("event=end_late" in f.read(), "and why")
    os.unlink(flag)
    d = Daemon(data=d.data)
    lost = [token for token in tokens
            if Lines(d.lines).refusal("session.resume", token=token)]
    is_(lost, [], "what was acknowledged is there")
    is_(d.stop()[0], 0, "and a disk that works lets it end")


# The disk fails for a while: whoever moves is told so, nothing is said to be
# done that is not, reading goes on, and it gets well by itself.
def test_faults(call, error):
    why = can_trace()
    if why:
        ok(True, f"{call} {error} # SKIP {why}")
        return
    what = f"{call} fails with {error}"
    when = "30..36" if call == "fdatasync" else "150..156"
    d = traced(call, f"error={error}:when={when}")
    seats = [Seat(random.Random(SEED + i)) for i in range(2)]
    for seat in seats:
        seat.come(d.lines)
    refused, states = 0, set()
    end = time.monotonic() + 3 * s.WAIT
    calm = 0

    def do(act):
        nonlocal refused, calm
        while time.monotonic() < end:
            try:
                told = act()
                calm += 1
                return told
            except Refused as e:
                if e.reason != "storage_unavailable":
                    raise
                refused += 1
                calm = 0
                states.add(s.http(d.http, "GET", "/readyz").status)
                if states_of(d.lines):
                    states.add("reads")
                time.sleep(0.05)
        raise TimeoutError(f"{what}: {refused} refused, {calm} since\n" +
                           d.stderr())

    def states_of(where):
        reader = Lines(where)
        told = reader.call("table.list")
        reader.close()
        return told["tables"]

    number = 0
    while not (refused and calm > 60) and time.monotonic() < end:
        number += 1
        table = do(lambda: seats[0].peer.call(
            "table.create", game="tictactoe", seats=2,
            key=f"create {number}"))["table"]
        do(lambda: seats[1].peer.call("table.join", table=table,
                                      key=f"join {number}"))
        for seat in seats:
            do(lambda: seat.sit(table) if table not in seat.tables
               else seat.peer.watch(table))
        for i in range(9):
            seat = seats[i % 2]
            legal = do(lambda: seat.peer.call("table.legal", table=table))
            if not legal["moves"]:
                break
            move = seat.rng.choice(legal["moves"])
            told = do(lambda: seat.peer.call(
                "table.move", table=table, decision=legal["decision"],
                move=move))
            seat.note((table, legal["decision"], move), told)
    ok(refused > 0, f"{what}: storage_unavailable ({refused} times)")
    ok(calm > 60, f"{what}: and then it goes on by itself")
    ok(503 in states, f"{what}: /readyz said so")
    ok("reads" in states, f"{what}: reading went on")
    is_(s.http(d.http, "GET", "/readyz").status, 200, f"{what}: ready again")
    for seat in seats:
        for table in seat.tables:
            seat.peer.watch(table)
    lost, fits = check(d.lines, seats)
    is_(lost, [], f"{what}: every acknowledged move is in the log")
    ok(fits, f"{what}: and the views are right")
    d.kill()
    d = Daemon(data=d.data)
    for seat in seats:
        seat.come(d.lines)
    lost, fits = check(d.lines, seats)
    is_(lost, [], f"{what}: also after SIGKILL")
    ok(fits, f"{what}: and the views")
    verify(d, what)
    is_(d.stop()[0], 0, f"{what}: an orderly end")


test_kills()
for fault in [("fdatasync", "EIO"), ("fdatasync", "ENOSPC"),
              ("pwrite64", "EIO"), ("pwrite64", "ENOSPC")]:
    test_faults(*fault)
test_hanging_disk()
done_testing()
