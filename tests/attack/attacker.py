"""attacker.py -- those who want others to wait.

Run as a program it is one attack on one daemon, told on the command line as
JSON: what, from how many connections and of how many addresses, how long.  It
says "ready" when it has begun and at its end what it reached.  Bytes are made
beforehand and sockets never block, so that it costs the machine little and
the daemon as much as the daemon lets it.

Loopback only, and bounded in time and in what it sends.
"""

import base64
import json
import os
import selectors
import socket
import struct
import sys
import time
import zlib

BYTES_MAX = 2_000_000_000  # sent in all, whoever takes it
CHUNK = 131072


# ---- what is said --------------------------------------------------------------


def call(method, number=1, **params):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method,
                       "params": params}, separators=(",", ":")).encode()


def line(text):
    return text + b"\n"


def frame(payload, opcode=1, fin=True, rsv=0):
    """Masked with zeros: the daemon has the work of it all the same."""
    n = len(payload)
    head = bytes([fin << 7 | rsv << 4 | opcode])
    head += bytes([0x80 | n]) if n < 126 else \
        bytes([0x80 | 126]) + struct.pack(">H", n) if n < 65536 else \
        bytes([0x80 | 127]) + struct.pack(">Q", n)
    return head + bytes(4) + payload


def squeezed(text):
    z = zlib.compressobj(9, zlib.DEFLATED, -15)
    return (z.compress(text) + z.flush(zlib.Z_SYNC_FLUSH))[:-4]


def in_fragments(payload, size, rsv):
    parts = [payload[i:i + size] for i in range(0, len(payload), size)]
    return b"".join(frame(part, 1 if i == 0 else 0, i == len(parts) - 1,
                          rsv if i == 0 else 0)
                    for i, part in enumerate(parts))


def lists(size):
    """JSON that costs a parser most: one list in the other's place."""
    return b'{"x":[' + b",".join([b"[]"] * (size // 3)) + b"]}"


def keys(count):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "server.hello",
                       "params": {f"k{i}": i for i in range(count)}},
                      separators=(",", ":")).encode()


def post(body, address, path="/rpc"):
    return (f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
            f"application/json\r\nX-Forwarded-For: {address}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body


def get(path, address):
    return (f"GET {path} HTTP/1.1\r\nHost: localhost\r\n"
            f"X-Forwarded-For: {address}\r\n\r\n").encode()


def upgrade(address):
    key = base64.b64encode(os.urandom(16)).decode()
    return (f"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
            f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\nX-Forwarded-For: {address}\r\n"
            "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n").encode()


GUEST = line(call("account.guest"))
BOMB = frame(squeezed(lists(65000)), rsv=4)
BIG = squeezed(json.dumps({"x": "y" * 65000}).encode())


class Attack:
    """WAY is how it comes: lines, ws or http.  TEXT is said again and again,
    after FIRST once."""

    def __init__(self, way, text, first=b"", deaf=False, churn=False,
                 once=False, drip=False):
        self.way, self.text, self.first = way, text, first
        self.deaf, self.churn, self.once = deaf, churn, once
        self.chunk = 1 if drip else CHUNK


def logged_in(job, text):
    return Attack("lines", text,
                  line(call("session.resume", token=job.get("token", ""))))


def attacks(job):
    """All there are; JOB names tables for those that want one."""
    table, long = job.get("table", ""), job.get("long", "")
    many = b"".join
    boards = many(line(call("table.create", n, game="hacienda", seats=2,
                            board={"generate": job.get("largest", {})}))
                  for n in range(4))
    return {
        "frames": Attack("ws", BOMB * 50),
        "fragments": Attack("ws", in_fragments(BIG, 1, 4) * 20),
        "unfinished frames": Attack("ws", frame(lists(65000))[:-9000],
                                    once=True),
        "pings": Attack("ws", frame(b"p" * 100, 9) * 200),
        "lines": Attack("lines", line(lists(60000))),
        "keys": Attack("lines", line(keys(5000))),
        "text": Attack("lines", line(b'"' + b"\xc3\xa4" * 30000 + b'"')),
        "unfinished lines": Attack("lines", lists(60000), once=True),
        "nonsense": Attack("lines", b"{\n" * 500),
        "hello": Attack("lines", line(call("server.hello")) * 100),
        "drip": Attack("lines", line(call("server.hello")), drip=True),
        "empty lines": Attack("lines", b"\n" * 30000),
        "bodies": Attack("http", lambda a: post(lists(65000), a)),
        "requests": Attack("http", lambda a: get("/healthz", a) * 100),
        "page": Attack("http", lambda a: get("/", a) * 20),
        "log-in": Attack("lines", line(call("session.login", name="nobody",
                                            password="12345678")) * 10),
        "registration": Attack("lines", many(
            line(call("account.register", n, name=f"n{os.getpid()}x{n}",
                      password="12345678")) for n in range(10))),
        "guests": Attack("lines", GUEST * 20),
        "lists": Attack("lines", line(call("table.list", limit=100)) * 50),
        "discover": Attack("ws", frame(call("rpc.discover")) * 20),
        "schema": Attack("lines", line(call("rules.schema")) * 20),
        "chat": logged_in(job, line(call("table.chat", table=table,
                                         body="x" * 1900)) * 20),
        "legal": logged_in(job, line(call("table.legal", table=table)) * 20),
        "boards": logged_in(job, boards),
        "replay": Attack("lines", line(call("table.replay", table=long)) * 20),
        "record": Attack("lines", line(call("table.record", table=long)) * 20),
        "at": Attack("lines", many(line(call(
            "table.at", n, table=long, ply=job.get("ply", 1) + n))
            for n in range(100))),
        "since": Attack("lines", line(call("table.watch", table=long,
                                           since=job.get("ply", 1))) * 20),
        "churn": Attack("lines", line(call("server.hello")), churn=True),
        "deaf": Attack("lines", line(call("rpc.discover")) * 30, deaf=True),
    }


# ---- saying it -----------------------------------------------------------------


class Conn:
    def __init__(self, job, attack, number):
        self.job, self.attack = job, attack
        self.number = number % job["addresses"]
        self.open()

    def open(self):
        proxy = self.job["proxy"]
        address = f"198.51.100.{2 + self.number}" if proxy \
            else f"127.0.0.{2 + self.number}"
        where = self.job["lines" if self.attack.way == "lines" else "http"]
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # What is not taken waits on the attackers' side, whose system is ours
        # here: 300 times three megabytes otherwise, all in the first moment.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, CHUNK)
        if not proxy:
            self.socket.bind((address, 0))
        self.socket.connect_ex(tuple(where))
        text = self.attack.text
        if callable(text):
            text = text(address)
        first = self.attack.first
        if self.attack.way == "ws":
            first = upgrade(address) + first
        self.again = b"" if self.attack.once or self.attack.churn else \
            text * max(1, CHUNK // len(text))
        self.left = memoryview(first + text)

    def write(self):
        """Bytes that were taken."""
        if not self.left:
            self.left = memoryview(self.again)
        n = self.socket.send(self.left[:self.attack.chunk])
        self.left = self.left[n:]
        return n

    def wants_to_write(self):
        return bool(self.left) or bool(self.again)


def run(job):
    attack = attacks(job)[job["attack"]]
    poll = selectors.EpollSelector()
    said = heard = opened = 0
    end = time.monotonic() + job["seconds"]

    def register(conn):
        nonlocal opened
        opened += 1
        poll.register(conn.socket, conn.events, conn)

    def begin(conn):
        conn.events = selectors.EVENT_WRITE if attack.deaf else \
            selectors.EVENT_WRITE | selectors.EVENT_READ
        register(conn)

    def again(conn):
        poll.unregister(conn.socket)
        conn.socket.close()
        conn.open()
        begin(conn)

    for number in range(job["count"]):
        begin(Conn(job, attack, number))
    print("ready", flush=True)
    while time.monotonic() < end and said < BYTES_MAX:
        for key, events in poll.select(0.1):
            conn = key.data
            try:
                if events & selectors.EVENT_READ:
                    got = len(conn.socket.recv(CHUNK))
                    heard += got
                    if got == 0 or attack.churn:
                        again(conn)
                        continue
                if events & selectors.EVENT_WRITE:
                    said += conn.write()
                    if not conn.wants_to_write():
                        conn.events = selectors.EVENT_READ
                        poll.modify(conn.socket, conn.events, conn)
            except BlockingIOError:
                pass
            except OSError:
                again(conn)
    print(json.dumps({"said": said, "heard": heard, "opened": opened}))


if __name__ == "__main__":
    os.nice(19)
    run(json.loads(sys.argv[1]))
