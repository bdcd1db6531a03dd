"""The daemon on PostgreSQL: games are played while the daemon is killed and the
database crashes, and what was acknowledged is there."""

import os
import subprocess
import threading

import postgresql
import sobremesa as s
from sobremesa import Closed, Daemon, Lines, Refused
from tap import diag, done_testing, is_, ok

ROUNDS = 2 if s.ASAN else 4


class Pair:
    """Two people at tables of tic-tac-toe, by random moves, who remember what
    they were told is done."""

    def __init__(self, where, rng):
        self.rng = rng
        self.peers = [Lines(where).guest() for _ in range(2)]
        self.tokens = [peer.token for peer in self.peers]
        self.tables = []
        self.acknowledged = {}  # (table, ply) -> move
        self.refused = 0

    def sit(self, count):
        for _ in range(count):
            table = self.peers[0].call("table.create", game="tictactoe",
                                       seats=2)["table"]
            self.peers[1].call("table.join", table=table)
            self.tables.append(table)

    def come(self, where):
        self.peers = [Lines(where).resume(token) for token in self.tokens]

    def _move(self, table):
        for peer in self.peers:
            legal = peer.call("table.legal", table=table)
            if legal["moves"]:
                move = self.rng.choice(legal["moves"])
                told = peer.call("table.move", table=table, move=move,
                                 decision=legal["decision"])
                self.acknowledged[table, told["ply"]] = move
                return True
        return False

    def play(self, moves=None, then=None):
        """Until the daemon is gone or everything is over; after so many MOVES
        something happens THEN, in the midst of the next one, and somebody goes
        on until they are refused."""
        left = list(self.tables)
        goal = None if moves is None else len(self.acknowledged) + moves
        happens, refused = None, self.refused
        while left:
            if happens and self.refused >= refused + 3:
                break
            if not happens and goal is not None and \
                    len(self.acknowledged) >= goal:
                happens = threading.Thread(target=then)
                happens.start()
            table = self.rng.choice(left)
            try:
                if not self._move(table):
                    left.remove(table)
            except Refused:
                self.refused += 1
            except (Closed, ConnectionError):
                break
        if happens:
            happens.join()
        elif then:
            then()

    def lost(self):
        """What was acknowledged and is not in the log."""
        logs, gaps = {}, []
        for table in self.tables:
            told = self.peers[0].call("table.replay", table=table)
            logs[table] = {p["ply"]: p.get("move") for p in told["plies"]}
            if sorted(logs[table]) != list(range(len(logs[table]))):
                gaps.append(table)
        is_(gaps, [], "no log has a gap")
        return [key for key, move in self.acknowledged.items()
                if logs[key[0]].get(key[1]) != move]


def is_stored(pair):
    """Whether what is asked to be stored is."""
    try:
        pair.sit(1)
    except Refused:
        return False
    return True


# The daemon is killed, and the database crashes under it, again and again: no
# acknowledged move is lost, and what the database does needs no new start.
def test_kills(db):
    rng = s.chance("kills")
    d = Daemon("--set", f"store.url={db.url}")
    pair = Pair(d.lines, rng)
    for turn in range(ROUNDS):
        pair.sit(12)
        pair.play(rng.randrange(10, 50), db.crash if turn % 2 else d.kill)
        if turn % 2:
            refusal = pair.peers[0].refusal("table.create", game="tictactoe",
                                            seats=2)
            ok(refusal is not None, "nothing is done without the database")
            pair.peers[0].refusal("account.get")
            why = [line for line in d.stderr().splitlines()
                   if "cannot read" in line]
            ok(why and not any("disk I/O" in line for line in why),
               "why it cannot be read is not told in those of another one")
            db.start()
            s.comes(lambda: is_stored(pair), "it is found again by itself")
        else:
            d = Daemon("--set", f"store.url={db.url}", data=d.data)
            pair.come(d.lines)
        is_(pair.lost(), [], f"round {turn}: what was acknowledged is there")
    pair.play()
    is_(pair.lost(), [], "and at the end")
    diag(f"{len(pair.acknowledged)} moves, {pair.refused} refused")
    ok(len(pair.acknowledged) > 10 * ROUNDS, "there was play")
    return d, pair


def refused(db, data):
    """Whether a daemon in DATA is told that another one has the database, and
    ends."""
    done = subprocess.run([s.PROGRAM, "--data", data, "--http", "off",
                           "--lines", "off", "--set", f"store.url={db.url}"],
                          capture_output=True, timeout=s.WAIT, text=True,
                          check=False)
    return done.returncode != 0 and "another process has it" in done.stderr


# A second daemon on the same database is told so and ends, as often as it is
# started; when the first has gone without a word it has all that there was, and
# the first is told the same.
def test_spare(db, d, pair):
    spare = d.data + "2"
    ok(refused(db, spare) and refused(db, spare),
       "one daemon at a time has the database")
    pair.sit(12)
    pair.play(20, d.kill)
    other = Daemon("--set", f"store.url={db.url}", data=spare)
    pair.come(other.lines)
    is_(pair.lost(), [], "the spare has what was acknowledged")
    told = len(pair.acknowledged)
    pair.sit(4)
    pair.play()
    ok(len(pair.acknowledged) > told, "and games go on there")
    ok(refused(db, d.data), "who comes back is not let in beside it")
    return other


# What is for files says what to do instead.
def test_files(d):
    ctl = os.path.join(s.BIN, "sobremesactl")
    done = subprocess.run([ctl, "--admin", d.admin, "backup",
                           d.data + "/copy.db"], capture_output=True,
                          timeout=s.WAIT, text=True, check=False)
    ok(done.returncode != 0 and "pg_dump" in done.stderr + done.stdout,
       "a backup is PostgreSQL's own affair")


why = postgresql.why_not()
if why:
    ok(True, f"the daemon on PostgreSQL # SKIP {why}")
else:
    database = postgresql.Postgresql()
    first, two = test_kills(database)
    daemon = test_spare(database, first, two)
    test_files(daemon)
    is_(daemon.stop()[0], 0, "an orderly end")
done_testing()
