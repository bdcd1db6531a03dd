"""What was acknowledged is kept: the daemon is killed while games are played,
after a count of acknowledgements, or of writes, and its disk fails."""

import errno
import os
import signal
import sqlite3
import subprocess
import threading

import sobremesa as s
from daemon import choose
from sobremesa import Clocks, Closed, Daemon, Disk, Lines, Refused
from tap import diag, done_testing, is_, ok

KILLS = 8 if s.ASAN else 30


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
            if not legal["moves"] + legal["ranges"]:
                continue
            move = choose(legal, self.rng)
            self.open = (table, legal["decision"], move)
            told = self.peer.call("table.move", table=table,
                                  decision=legal["decision"], move=move)
            self.note(self.open, told)
            self.open = None
            return True
        return False

    def play(self):
        """Until the daemon is gone."""
        try:
            while True:
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


def kill_amid(d, seats, moves):
    """Kills D when so many more moves are acknowledged, while others are under
    way, or when there is nothing left to play."""
    def made():
        return sum(len(seat.acknowledged) for seat in seats)

    def plays():
        return any(seat.watching[table].view["state"] == "playing"
                   for seat in seats for table in seat.tables)

    goal = made() + moves
    try:
        s.until(lambda: made() >= goal or not plays(), "so many moves",
                pause=0.001)
    finally:
        d.kill()


def begin_and_kill(data, writes):
    """Kills a daemon that is about to recover what another one left, at its
    WRITES-th write; whether it came to that."""
    disk = Disk()
    disk.kills(writes)
    with subprocess.Popen([s.PROGRAM, "--data", data, "--http", "off",
                           "--lines", "off"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          env={**os.environ, **disk.env}) as p:
        ready = p.stdout.readline()
        p.kill()
    return not ready


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


# Killed under load, over and over: every acknowledged move is there, none is there
# twice, and those who come back miss nothing.
def test_kills():
    rng = s.chance("kills")
    d = Daemon()
    seats = [Seat(s.chance(f"seat {i}")) for i in range(6)]
    for seat in seats:
        seat.come(d.lines)
    lost, fits, early = [], True, 0
    for kill in range(KILLS):
        if kill % 5 == 0:
            new_tables(seats, rng)
        killer = threading.Thread(target=kill_amid, args=(
            d, seats, rng.randrange(80)))
        killer.start()
        all_do(seats, Seat.play)
        killer.join()
        if kill % 3 == 0:
            early += begin_and_kill(d.data, kill // 3)
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
    ok(early > 0, f"{early} kills were at the start of a daemon")
    verify(d, "after them")
    is_(d.stop()[0], 0, "an orderly end")
    db = sqlite3.connect(os.path.join(d.data, "sobremesa.db"))
    is_(db.execute("pragma integrity_check").fetchall(), [("ok",)],
        "the file is valid")
    db.close()


# A disk that neither works nor fails does not hold the end up for ever, by a clock
# that is set; what was acknowledged is there afterwards.
def test_hanging_disk():
    clocks = Clocks(stands=True)
    flag = os.path.join(s.room(), "hang")
    d = Daemon(env={**clocks.env, **s.preloaded(
        "daemon/draws", "daemon/clocks", "daemon/hang"), "HANG": flag})
    tokens = [Lines(d.lines).guest().token for _ in range(5)]
    with open(flag, "w", encoding="ascii"):
        pass
    peer, other = Lines(d.lines), Lines(d.lines)
    late = peer.ask("account.guest")
    for _ in range(20):
        other.call("server.hello")
    d.tell(signal.SIGTERM)
    other.note("server.notice")  # it has begun to end
    ok(d.process.poll() is None, "it waits for the disk")

    def has_ended():
        clocks.set(1000, 1000)
        return d.process.poll() is not None

    s.until(has_ended, "it ends")
    status, _ = d.end()
    is_(status, 1, "what does not end well says so")
    with open(d.errors.name, encoding="utf-8") as f:
        ok("event=end_late" in f.read(), "and why")
    try:
        while True:
            peer.take()
    except Closed:
        pass
    ok("result" not in peer.answers.get(late, {}),
       "nothing is acknowledged while the disk hangs")
    os.unlink(flag)
    d = Daemon(data=d.data)
    lost = [token for token in tokens
            if Lines(d.lines).refusal("session.resume", token=token)]
    is_(lost, [], "what was acknowledged is there")
    is_(d.stop()[0], 0, "and a disk that works lets it end")


# The disk fails for a while: whoever moves is told so, nothing is said to be
# done that is not, reading goes on, and it gets well by itself.
def test_faults(call, error, after):
    what = f"{call} fails with {os.strerror(error)}, after {after}"
    disk = Disk()
    d = Daemon(env=disk.env)
    seats = [Seat(s.chance(f"{what}, seat {i}")) for i in range(2)]
    for seat in seats:
        seat.come(d.lines)
    number = refused = 0
    states = set()

    def do(act):
        """Until it is done; a disk that failed three of these gets well."""
        def done():
            nonlocal refused
            try:
                return [act()]
            except Refused as e:
                if e.reason != "storage_unavailable":
                    raise
            if disk.is_told():
                refused += 1
                states.add(s.http(d.http, "GET", "/readyz").status)
                if tables_read(d.lines):
                    states.add("reads")
                if refused == 3:
                    disk.works()
            return None

        return s.until(done, f"{what}: it gets well")[0]

    def tables_read(where):
        reader = Lines(where)
        told = reader.call("table.list")
        reader.close()
        return told["tables"]

    def play_one():
        """A game; so many things were done."""
        nonlocal number
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
                return
            move = seat.rng.choice(legal["moves"])
            told = do(lambda: seat.peer.call(
                "table.move", table=table, decision=legal["decision"],
                move=move))
            seat.note((table, legal["decision"], move), told)

    for _ in range(2):
        play_one()
    disk.fails(call, error, after)


    def played():
        play_one()
        return refused >= 3

    s.until(played, f"{what}: three are refused")
    is_(refused, 3, f"{what}: storage_unavailable")
    is_(states, {503, "reads"}, f"{what}: /readyz said so; reading went on")
    for _ in range(6):
        play_one()
    ok(True, f"{what}: and then it goes on by itself")
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
for fault in [("fdatasync", errno.EIO, 5), ("fdatasync", errno.ENOSPC, 6),
              ("pwrite64", errno.EIO, 20), ("pwrite64", errno.ENOSPC, 21),
              ("pwrite64", errno.ENOSPC, 22)]:
    test_faults(*fault)
test_hanging_disk()
done_testing()
