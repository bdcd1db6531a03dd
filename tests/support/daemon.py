"""daemon.py -- a daemon of one's own, and peers that talk to it in lines.

    with Daemon() as daemon:
        ana = daemon.peer()
        ana.call("account.guest")
        table = ana.call("table.create", game="tictactoe", seats=2)["table"]

Every message in either direction can be looked at: Peer.seen is called with
("out" or "in", message).  Linger on nothing: what waits longer than WAIT
seconds has failed.
"""

import itertools
import json
import os
import signal
import socket
import subprocess
import tempfile

BIN = os.environ.get("BIN", "build/bin")
WAIT = 60


class Refused(Exception):
    """The answer was an error."""

    def __init__(self, error):
        super().__init__(f"{error['code']} {error['data']}")
        self.code = error["code"]
        self.reason = error["data"]["reason"]
        self.data = error["data"]


class Peer:
    """A connection that speaks lines; answers and notifications in order."""

    def __init__(self, sock, seen=None):
        self.sock = sock
        self.sock.settimeout(WAIT)
        self.file = sock.makefile("rb")
        self.seen = seen
        self.last = 0
        self.told = []  # notifications not taken yet
        self.methods = {}  # by id of a request

    def close(self):
        self.file.close()
        self.sock.close()

    def raw(self, line):
        """Sends a line of whatever."""
        self.sock.sendall(line.encode() + b"\n")

    def send(self, method, params):
        """Sends a request; gives back its id."""
        self.last += 1
        message = {"jsonrpc": "2.0", "id": self.last, "method": method}
        if params:
            message["params"] = params
        self.methods[self.last] = method
        if self.seen:
            self.seen("out", message, method)
        self.raw(json.dumps(message))
        return self.last

    def read(self):
        """The next message."""
        line = self.file.readline()
        if not line:
            raise EOFError("the daemon closed the connection")
        message = json.loads(line)
        if self.seen:
            self.seen("in", message, self.methods.get(message.get("id")))
        return message

    def whole(self, method, **params):
        """The whole answer to a request."""
        number = self.send(method, params)
        while True:
            message = self.read()
            if "method" in message:
                self.told.append(message)
            elif message["id"] == number:
                return message

    def call(self, method, **params):
        """The result of a request."""
        answer = self.whole(method, **params)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]

    def next_told(self):
        """The next notification, which may have come already."""
        while not self.told:
            message = self.read()
            assert "method" in message, message
            self.told.append(message)
        return self.told.pop(0)


class Daemon:
    """sobremesad on a directory of its own."""

    def __init__(self, data=None, *arguments):
        self.room = None
        if data is None:
            self.room = tempfile.TemporaryDirectory()
            data = os.path.join(self.room.name, "data")
        self.data = data
        self.arguments = arguments
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            [os.path.join(BIN, "sobremesad"), "--data", self.data,
             "--http", "127.0.0.1:0", "--lines", "127.0.0.1:0",
             *self.arguments],
            stdout=subprocess.PIPE)
        self.ready = json.loads(self.process.stdout.readline())
        return self

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        status = self.process.wait(WAIT)
        self.process.stdout.close()
        return status

    def __enter__(self):
        return self.start()

    def __exit__(self, kind, value, trace):
        if self.process.poll() is None:
            self.stop()
        if self.room:
            self.room.cleanup()

    def peer(self, seen=None):
        host, port = self.ready["lines"].rsplit(":", 1)
        return Peer(socket.create_connection((host, int(port)), WAIT), seen)

    def admin(self, seen=None):
        sock = socket.socket(socket.AF_UNIX)
        sock.connect(self.ready["admin"])
        return Peer(sock, seen)


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
    peers = [daemon.peer(seen) for _ in range(seats)]
    for peer in peers:
        peer.call("account.guest")
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
