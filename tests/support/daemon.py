"""daemon.py -- the one harness: a daemon of one's own, and peers that talk to it.

    with Daemon() as daemon:
        ana = daemon.peer()
        ana.call("account.guest")
        table = ana.call("table.create", game="tictactoe", seats=2)["table"]

Every message in either direction can be looked at: a peer's SEEN is called with
("out" or "in", message, method), and a JUDGE of all peers with the request and
what answers it.  Every wait has an end, and only what was started here is ended
here.  What a daemon writes to stderr is the test's stderr when it has ended.

A seed is a whole run: what tests choose and what the daemon draws, its ids,
secrets and tokens, follow from SEED (tests/daemon/draws.c).

tests/daemon/sobremesa.py adds WebSocket and HTTP.
"""

import atexit
import datetime
import hashlib
import itertools
import json
import os
import random
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

import jsons
from tap import ok

BIN = os.environ.get("BIN", "build/bin")
PROGRAM = os.path.join(BIN, "sobremesad")
ASAN = "ASAN" in os.environ
WAIT = 300  # seconds: only what will never come takes so long
SEED = int(os.environ.get("SEED", "1"))
PRELOADS = os.path.join(os.path.abspath(os.path.dirname(BIN)), "test")

# Peers answer no ping and read only when they are to: on a machine that is busy
# for long nobody is cut for that but where a test says so.
PATIENT = ("--set", "limits.slow_seconds=3600",
           "--set", "limits.idle_seconds=3600")

STEP_MS = 5000  # that clocks go on at once: more could be an outage

running = []  # processes that end with the script at the latest
seeds = itertools.count()  # of daemons: each start has draws of its own


class Refused(Exception):
    """An error of JSON-RPC."""

    def __init__(self, error):
        super().__init__(json.dumps(error))
        self.code = error["code"]
        self.data = error.get("data", {})
        self.reason = self.data.get("reason")


class Closed(EOFError):
    """The other side is gone; CODE is what a WebSocket said, or None."""

    def __init__(self, code=None):
        super().__init__(f"closed with {code}")
        self.code = code


# ---- time ----------------------------------------------------------------------


class InVain(AssertionError):
    """What was waited for did not come."""


def until(condition, what="what should come", timeout=WAIT, pause=0.1):
    """Calls CONDITION until it gives something true: that.  All tests wait here,
    and sleep nowhere else.  It is asked less and less often, but not longer than
    PAUSE seconds apart."""
    end = time.monotonic() + timeout
    wait = min(0.005, pause)
    while not (given := condition()):
        if time.monotonic() > end:
            raise InVain(f"waited in vain: {what}")
        time.sleep(wait)
        wait = min(1.5 * wait, pause)
    return given


def comes(condition, what):
    """Says whether CONDITION comes to hold."""
    try:
        return ok(until(condition, what), what)
    except InVain:
        return ok(False, what)


def time_left(timeout=WAIT):
    """What gives the seconds that are left of TIMEOUT, as long as there are any."""
    end = time.monotonic() + timeout

    def left():
        seconds = end - time.monotonic()
        if seconds <= 0:
            raise TimeoutError("waited in vain")
        return seconds

    return left


def in_ms(**span):
    """The time so far from now, as in in_ms(days=1), in ms since 1970."""
    return int(1000 * (time.time() +
                       datetime.timedelta(**span).total_seconds()))


def day(after=0):
    """The date so many days AFTER today."""
    return datetime.date.today() + datetime.timedelta(days=after)


def room():
    """A directory of its own, short enough for a socket in it."""
    path = tempfile.mkdtemp(prefix="d.")
    atexit.register(shutil.rmtree, path, True)
    return path


# ---- the daemon --------------------------------------------------------------


def chance(name=""):
    """What a test chooses by: the same for a SEED and a NAME."""
    return random.Random(f"{SEED} {name}")


def preloaded(*names, **env):
    """The environment of a program into which these are loaded first."""
    return {
        "LD_PRELOAD": ":".join(os.path.join(PRELOADS, f"{name}.so")
                               for name in names),
        "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") +
        ":verify_asan_link_order=0", **env}


class Clocks:
    """The wall's clock, and the one that never goes back, as daemons with this
    environment have them.  While time STANDS it passes only as it is set: then
    what a daemon does by the clock is the same however long all takes."""

    def __init__(self, stands=False):
        self.path = os.path.join(room(), "clocks")
        self.wall = self.monotonic = 0
        self.stands = (0, 0)
        self.write()
        self.env = preloaded("daemon/draws", "daemon/clocks",
                             CLOCKS=self.path)
        if stands:
            self.stand()

    def write(self):
        """Over what is there: daemons have it in memory."""
        if not os.path.exists(self.path):
            with open(self.path, "wb") as f:
                f.write(bytes(32))
        with open(self.path, "r+b") as f:
            f.write(struct.pack("=qqqq", self.wall, self.monotonic,
                                *self.stands))

    def set(self, wall, monotonic=0):
        self.wall += wall
        self.monotonic += monotonic
        self.write()

    def passed(self):
        """Milliseconds by which the one that never goes back was set forward,
        by whomever."""
        with open(self.path, "rb") as f:
            return struct.unpack("=qqqq", f.read())[1]

    def stand(self):
        """Time stands from now on."""
        self.stands = (in_ms() + 1, int(time.monotonic() * 1000) + 1)
        self.write()

    def go(self):
        """Time stands no longer."""
        with open(self.path, "rb") as f:
            self.wall, self.monotonic = struct.unpack("=qqqq", f.read())[:2]
        self.stands = (0, 0)
        self.write()

    def now(self):
        return (self.stands[0] or in_ms()) + self.wall

    def passes(self, daemon, holds):
        """Time goes by for DAEMON, who is there all the while, until what HOLDS
        says of a peer is so."""
        peer = daemon.peer()

        def held():
            if holds(peer):
                return True
            self.set(STEP_MS, STEP_MS)
            peer.call("server.hello")
            return False

        until(held, pause=0.02)  # or what is stored would take so long
        peer.close()

    def go_on(self, steps, ms):
        """So many STEPS of MS go by, each soon after the other: a daemon that is
        about to end cannot be asked whether it has seen them."""
        def step():
            nonlocal steps
            self.set(ms, ms)
            steps -= 1
            return steps == 0

        until(step)


class Daemon:
    """A daemon that is ready.  Ends with the script at the latest."""

    def __init__(self, *args, data=None, http="127.0.0.1:0",
                 lines="127.0.0.1:0", wrap=(), env=None, program=PROGRAM,
                 bots=0, stderr=None, **popen):
        """BOTS processes think for bots; None: as the daemon likes.  Its log goes
        to the file descriptor STDERR, or to a file that stderr() reads."""
        self.room = room()
        self.data = data or os.path.join(self.room, "data")
        self.args, self.wrap, self.popen = args, wrap, popen
        self.program = program
        self.bots = () if bots is None else \
            ("--set", f"bots.processes={bots}")
        self.env = {**os.environ,
                    **preloaded("daemon/draws", "daemon/patience"),
                    **(env or {})}
        self.log = stderr
        self.told = 0  # bytes of its stderr
        self._start(http, lines)

    def start(self, same=False):
        """Again, after it ended; where it was before if SAME."""
        before = self.ready if same else {}
        self._start(before.get("http", "127.0.0.1:0"),
                    before.get("lines", "127.0.0.1:0"))

    def _start(self, http, lines):
        self.command = [*self.wrap, self.program, "--data", self.data, "--http",
                        http, "--lines", lines, *PATIENT, *self.bots, *self.args]
        self.errors = open(os.path.join(self.room, "stderr"), "a+b")
        seed = f"{SEED} {next(seeds)}"
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=self.errors if self.log is None else self.log, env={**self.env, "DRAWS": seed}, **self.popen)
        running.append(self.process)
        self.pid = self.process.pid
        self.out = b""
        self._wait_ready()

    def _wait_ready(self):
        left = time_left()
        while b"\n" not in self.out:
            if not select.select([self.process.stdout], [], [], left())[0]:
                raise TimeoutError("the daemon was not ready in time")
            piece = os.read(self.process.stdout.fileno(), 4096)
            if not piece:
                raise ChildProcessError(
                    f"{self.process.wait(WAIT)}: {self.stderr()}")
            self.out += piece
        self.ready = json.loads(self.out)
        self.http = address(self.ready.get("http"))
        self.lines = address(self.ready.get("lines"))
        self.admin = self.ready.get("admin")

    def stderr(self):
        self.errors.flush()
        with open(self.errors.name, encoding="utf-8", errors="replace") as f:
            return f.read()

    def tell(self, number):
        os.kill(self.pid, number)

    def end(self):
        """The status, and what it said since it was started, of one that was told
        to end."""
        try:
            self.out += self.process.communicate(timeout=WAIT)[0]
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        status = self.process.returncode
        running.remove(self.process)
        self.process.stdout.close()
        whole = self.stderr()
        said = whole[self.told:]
        sys.stderr.write(said)
        self.told = len(whole)
        self.errors.close()
        return status, said

    def stop(self, number=signal.SIGTERM):
        self.tell(number)
        return self.end()

    def kill(self):
        return self.stop(signal.SIGKILL)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if self.process in running:
            # Of a test that failed nothing is left to be judged.
            self.stop(signal.SIGTERM if kind is None else signal.SIGKILL)
        shutil.rmtree(self.room, True)

    def peer(self, seen=None):
        return Lines(self.lines, seen)

    def operator(self, seen=None):
        """One on the administrator's socket."""
        return Lines(self.admin, seen)

    def rss(self):
        with open(f"/proc/{self.pid}/statm", encoding="ascii") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@atexit.register
def _end_all():
    for process in running:
        process.kill()
        process.wait()


def address(text):
    if text is None or "/" in text:
        return text
    host, port = text.rsplit(":", 1)
    return host, int(port)


def connect(where, timeout=WAIT, receive=None, source=None):
    """A socket to an address or a path."""
    family = socket.AF_UNIX if isinstance(where, str) else socket.AF_INET
    s = socket.socket(family)
    s.settimeout(timeout)
    if receive:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
    if source:
        s.bind(source)
    s.connect(where)
    if family == socket.AF_INET:
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return s


def rest_of(s, seconds=WAIT):
    """All that comes until the other side closes; b"" also for a reset."""
    got = b""
    s.settimeout(seconds)
    try:
        while True:
            piece = s.recv(65536)
            if not piece:
                return got
            got += piece
    except ConnectionError:
        return got


# ---- peers --------------------------------------------------------------------


def view_hash(view):
    """RFC 8785, quickly: for what has integers and plain names only."""
    text = json.dumps(view, sort_keys=True, ensure_ascii=False,
                      separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class Watched:
    """A view that updates are applied to; complains of any that do not fit."""

    def __init__(self, told):
        self.view, self.ply, self.chain = told["view"], told["ply"], \
            told["chain"]
        self.updates = 0

    def update(self, u):
        if u["from"] != self.ply:
            raise AssertionError(f"at {self.ply} came {u['from']}")
        self.view = jsons.patched(self.view, u["patch"])
        self.ply = u["ply"]
        self.updates += 1
        if "chain" in u:
            self.chain = u["chain"]
        if "view_hash" in u and u["view_hash"] != view_hash(self.view):
            raise AssertionError(f"view_hash at {self.ply}")
        if self.view["ply"] != self.ply:
            raise AssertionError(f"view says {self.view['ply']}")


class Peer:
    """One connection that speaks JSON-RPC."""

    judge = None  # of all that is said, if there is one

    def __init__(self, seen=None):
        self.seen = seen
        self.last = 0
        self.asked = {}  # requests that are not answered yet
        self.notes = []  # notifications that have come
        self.answers = {}  # and answers nobody has asked for yet
        self.watching = {}

    def ask(self, method, **params):
        """Sends a request; its id."""
        self.last += 1
        request = {"jsonrpc": "2.0", "id": self.last, "method": method,
                   "params": params}
        self.asked[self.last] = request
        if self.seen:
            self.seen("out", request, method)
        self.send(request)
        return self.last

    def take(self, timeout=WAIT):
        """Waits for one message and puts it in its place."""
        message = self.recv(timeout)
        request = self.asked.pop(message.get("id"), None)
        if self.seen:
            self.seen("in", message, request and request["method"])
        if self.judge:
            self.judge.hear(request, message)
        if "method" in message:
            self.notes.append(message)
            self.noted(message)
        else:
            self.answers[message["id"]] = message
        return message

    def noted(self, message):
        table = self.watching.get(message["params"].get("table"))
        if message["method"] == "table.update" and table is not None:
            table.update(message["params"])

    def whole_answer(self, number, timeout=WAIT):
        left = time_left(timeout)
        while number not in self.answers:
            self.take(left())
        return self.answers.pop(number)

    def answer(self, number, timeout=WAIT):
        message = self.whole_answer(number, timeout)
        if "error" in message:
            raise Refused(message["error"])
        return message["result"]

    def whole(self, method, **params):
        """The whole answer to a request, a result or an error."""
        return self.whole_answer(self.ask(method, **params))

    def call(self, method, **params):
        return self.answer(self.ask(method, **params))

    def refusal(self, method, **params):
        """The error that a request gets, or None."""
        try:
            self.call(method, **params)
        except Refused as e:
            return e
        return None

    def note(self, method, timeout=WAIT):
        """The first notification of that name, which is taken."""
        left = time_left(timeout)
        while True:
            for n in self.notes:
                if n["method"] == method:
                    self.notes.remove(n)
                    return n["params"]
            self.take(left())

    def next_note(self):
        """The next notification, which may have come already."""
        while not self.notes:
            self.take()
        return self.notes.pop(0)

    def guest(self):
        self.token = self.call("account.guest")["token"]
        return self

    def resume(self, token):
        self.token = token
        self.call("session.resume", token=token)
        return self

    def watch(self, table, check=True):
        """Watches, going on from what is known of the table."""
        known = self.watching.get(table)
        since = {} if known is None else {"since": known.ply,
                                          "chain": known.chain}
        told = self.call("table.watch", table=table, check=check, **since)
        if known is None or "view" in told:
            self.watching[table] = known = Watched(told)
        else:
            for update in told["updates"]:
                known.update(update)
        if known.ply != told["ply"]:
            raise AssertionError(f"watched to {known.ply}: {told['ply']}")
        known.chain = told["chain"]
        return known

    def settle(self, table, ply):
        """Waits until what is watched is at PLY."""
        left = time_left()
        while self.watching[table].ply < ply:
            self.take(left())

    def close(self):
        self.socket.close()


class Lines(Peer):
    def __init__(self, where, seen=None, **options):
        super().__init__(seen)
        self.socket = connect(where, **options)
        self.buffer = b""

    def send(self, message):
        self.write(json.dumps(message).encode() + b"\n")

    def write(self, data):
        try:
            self.socket.sendall(data)
        except ConnectionError:
            raise Closed() from None

    def recv(self, timeout=WAIT):
        self.socket.settimeout(timeout)
        while b"\n" not in self.buffer:
            try:
                piece = self.socket.recv(65536)
            except ConnectionError:
                piece = b""
            if not piece:
                raise Closed()
            self.buffer += piece
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)


# ---- games --------------------------------------------------------------------


def record(peer, table, method="table.record"):
    """All lines of a record."""
    lines, at = [], 0
    while at is not None:
        page = peer.call(method, table=table, **{"from": at})
        lines += page["lines"]
        at = page.get("next")
    return lines


def choose(legal, chance):
    """One of the moves that table.legal told, with some amount in range."""
    n = chance.randrange(len(legal["moves"]) + len(legal["ranges"]))
    if n < len(legal["moves"]):
        return legal["moves"][n]
    choice = legal["ranges"][n - len(legal["moves"])]
    return dict(choice["move"],
                **{choice["arg"]: chance.randint(choice["min"],
                                                 choice["max"])})


def sit(daemon, game, seats, seen=None, **more):
    """A running table with a guest in each seat: (table, peers)."""
    peers = [daemon.peer(seen).guest() for _ in range(seats)]
    table = peers[0].call("table.create", game=game, seats=seats,
                          **more)["table"]
    word = {"password": more["password"]} if "password" in more else {}
    for peer in peers[1:]:
        peer.call("table.join", table=table, **word)
    return table, peers


def kept_busy(view, legal):
    """LEGAL without what ends a turn in which nothing was done: if nobody does
    anything Hacienda is over."""
    others = [m for m in legal["moves"] if m["verb"] != "end_turn"]
    if view["game_state"].get("actions") == 0 and others + legal["ranges"]:
        return {**legal, "moves": others}
    return legal


def play(table, peers, chance, plies=None, undo=0.0, after=None):
    """Plays at random until it is over, or for so many moves, after which
    Hacienda goes on if it is not at the end of its cards; True if over.  AFTER
    is called with the seat after each move or undo."""
    for _ in itertools.count() if plies is None else range(plies):
        view = peers[0].call("table.at", table=table,
                             ply=peers[0].call("table.get", table=table)
                             ["table"]["ply"])["view"]
        if view["state"] != "playing":
            return True
        acting = [i for i, s in enumerate(view["seats"]) if s["acting"]]
        seat = chance.choice(acting)
        legal = peers[seat].call("table.legal", table=table)
        peers[seat].call("table.move", table=table,
                         decision=legal["decision"],
                         move=choose(legal if plies is None
                                     else kept_busy(view, legal), chance))
        if after:
            after(seat)
        if chance.random() < undo:
            ply = peers[seat].call("table.get", table=table)["table"]["ply"]
            mine = peers[seat].call("table.at", table=table,
                                    ply=ply)["view"]["undo"]
            if mine is not None:
                peers[seat].call("table.undo", table=table, ply=mine)
                if after:
                    after(seat)
    return False
