"""sobremesa.py -- the harness (support/daemon.py) with WebSocket and HTTP, and a
judge that holds all that is said against what the daemon publishes.

Nothing here is shared with the daemon's sources: framing, patches and hashes
are written a second time.
"""

import base64
import contextlib
import ctypes
import fcntl
import hashlib
import json
import os
import re
import socket
import struct
import termios

import jsonschema
from daemon import (ASAN, BIN, PRELOADS, PROGRAM, SEED, WAIT, Clocks, Closed,
                    Daemon, InVain, Lines, Peer, Refused, Watched, address,
                    chance, comes, connect, in_ms, preloaded, rest_of, room,
                    running, until, view_hash)

__all__ = ["ASAN", "BIN", "PRELOADS", "PROGRAM", "SEED", "WAIT", "Clocks",
           "Closed", "Daemon", "Disk", "InVain", "Lines", "Peer", "Refused",
           "Watched", "address", "chance", "comes", "connect", "in_ms",
           "killed_amid", "preloaded", "rest_of", "room", "running", "until",
           "view_hash"]

keys = chance("keys of WebSockets")
PIDFD_GETFD = 438  # which Python has no name for
RECEIVED_AT = 128  # tcpi_bytes_received in struct tcp_info


class Judge:
    """Holds what is said against what a daemon publishes about it."""

    # What any request can be answered with.
    ALWAYS = {"parse_error", "invalid_request", "unknown_method",
              "invalid_params", "internal_error", "not_authenticated",
              "token_expired", "out_of_scope", "rate_limited",
              "too_many_requests", "storage_unavailable", "shutting_down",
              "forbidden", "maintenance"}

    def __init__(self, where):
        document = Lines(where).call("rpc.discover")
        schemas = {"components": document["components"]}
        self.results, self.reasons, self.params = {}, {}, {}
        for method in document["methods"]:
            name = method["name"]
            self.results[name] = jsonschema.Draft7Validator(
                {**schemas, **method["result"]["schema"]})
            self.reasons[name] = {e["data"]["reason"]
                                  for e in method["errors"]}
            self.params[name] = jsonschema.Draft7Validator({
                **schemas, "type": "object", "additionalProperties": False,
                "properties": {p["name"]: p["schema"]
                               for p in method["params"]},
                "required": [p["name"] for p in method["params"]
                             if p.get("required")]})
        self.update = jsonschema.Draft7Validator(
            {**schemas, "$ref": "#/components/schemas/update"})
        self.count = 0

    def hear(self, request, message):
        """MESSAGE is the answer to REQUEST, or a notification."""
        self.count += 1
        if "method" in message:
            if message["method"] == "table.update":
                self.update.validate(message["params"])
        elif request is not None and "result" in message:
            self.params[request["method"]].validate(request["params"])
            self.results[request["method"]].validate(message["result"])
        elif request is not None and request["method"] in self.reasons:
            reason = message["error"]["data"]["reason"]
            if reason not in self.reasons[request["method"]] | self.ALWAYS:
                raise AssertionError(f"{request['method']}: {reason}")


def frame(opcode, payload, fin=True, rsv=0, mask=b"\x12\x34\x56\x78",
          length=None):
    """A frame as clients send them; LENGTH forces a form of it."""
    n = len(payload)
    head = bytes([fin << 7 | rsv << 4 | opcode])
    form = length or (7 if n < 126 else 16 if n < 65536 else 64)
    bit = 0x80 if mask is not None else 0
    if form == 7:
        head += bytes([bit | n])
    elif form == 16:
        head += bytes([bit | 126]) + struct.pack(">H", n)
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", n)
    if mask is None:
        return head + payload
    return head + mask + bytes(b ^ mask[i & 3] for i, b in enumerate(payload))


class Ws(Peer):
    """A WebSocket; says what it is told to and judges nothing."""

    def __init__(self, where, path="/ws", headers=None, **options):
        super().__init__()
        self.socket = connect(where, **options)
        key = base64.b64encode(keys.randbytes(16)).decode()
        lines = {"Host": "localhost", "Connection": "Upgrade",
                 "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                 "Sec-WebSocket-Key": key, **(headers or {})}
        self.socket.sendall(request("GET", path, lines))
        head = b""
        while b"\r\n\r\n" not in head:
            piece = self.socket.recv(65536)
            if not piece:
                raise Closed()
            head += piece
        head, self.buffer = head.split(b"\r\n\r\n", 1)
        self.status = int(head.split()[1])
        self.head = head.decode()
        if self.status == 101:
            wanted = base64.b64encode(hashlib.sha1(
                key.encode() + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
            ).digest()).decode()
            if not re.search("(?i)^sec-websocket-accept: " + re.escape(wanted)
                             + "\r?$", self.head, re.M):
                raise AssertionError(self.head)

    def send(self, message):
        self.write(frame(1, json.dumps(message).encode()))

    def write(self, data):
        try:
            self.socket.sendall(data)
        except ConnectionError:
            raise Closed() from None

    def _need(self, n):
        while len(self.buffer) < n:
            try:
                piece = self.socket.recv(65536)
            except ConnectionError:
                piece = b""
            if not piece:
                raise Closed(1006)
            self.buffer += piece
        data, self.buffer = self.buffer[:n], self.buffer[n:]
        return data

    def frame(self, timeout=WAIT):
        """(first byte, payload) of the next frame."""
        self.socket.settimeout(timeout)
        first, n = self._need(2)
        if n == 126:
            n = struct.unpack(">H", self._need(2))[0]
        elif n == 127:
            n = struct.unpack(">Q", self._need(8))[0]
        return first, self._need(n)

    def recv(self, timeout=WAIT):
        while True:
            first, payload = self.frame(timeout)
            if first & 15 == 8:
                raise Closed(struct.unpack(">H", payload[:2])[0]
                             if payload else 1005)
            if first & 15 == 9:
                self.write(frame(10, payload))
            elif first & 15 == 1:
                return json.loads(payload)


# ---- HTTP ----------------------------------------------------------------------


def request(method, path, headers=None, body=b""):
    lines = {"Host": "localhost", **(headers or {})}
    if body and "Content-Length" not in lines:
        lines["Content-Length"] = len(body)
    text = f"{method} {path} HTTP/1.1\r\n" + "".join(
        f"{name}: {value}\r\n" for name, value in lines.items()
        if value is not None)
    return text.encode() + b"\r\n" + body


def unchunked(data):
    body, n = b"", None
    while n != 0:
        size, _, data = data.partition(b"\r\n")
        n = int(size, 16)
        body += data[:n]
        if data[n:n + 2] != b"\r\n":
            raise ValueError("a chunk without its end")
        data = data[n + 2:]
    if data:
        raise ValueError("more after the last chunk")
    return body


class Answer:
    def __init__(self, data):
        head, _, self.body = data.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split()[1]) if data else 0
        self.headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(": ")
            self.headers[name.lower()] = value
        if self.headers.get("transfer-encoding") == "chunked" and self.body:
            self.body = unchunked(self.body)

    def json(self):
        return json.loads(self.body)


def http(where, method, path, headers=None, body=b""):
    """One request on a connection of its own.  Who is refused before all of it
    was sent has an answer all the same."""
    with connect(where) as s:
        with contextlib.suppress(ConnectionError):
            s.sendall(request(method, path, {"Connection": "close",
                                             **(headers or {})}, body))
        return Answer(rest_of(s))


def rpc(where, method, params=None, token=None, headers=None):
    body = {"jsonrpc": "2.0", "id": 1, "method": method,
            "params": params or {}}
    lines = {"Content-Type": "application/json", **(headers or {})}
    if token:
        lines["Authorization"] = f"Bearer {token}"
    return http(where, "POST", "/rpc", lines, json.dumps(body).encode())


class Posting(Peer):
    """Speaks through POST /rpc, a connection per request."""

    def __init__(self, where):
        super().__init__()
        self.where = where
        self.token = None

    def send(self, message):
        a = rpc(self.where, message["method"], message["params"], self.token)
        if a.status != 200:
            raise AssertionError(a.status)
        told = {**a.json(), "id": message["id"]}
        request = self.asked.pop(message["id"])
        if self.judge:
            self.judge.hear(request, told)
        self.answers[message["id"]] = told

    def guest(self):
        self.token = rpc(self.where, "account.guest").json()["result"]["token"]
        return self

    def close(self):
        pass


# ---- what the system knows of a connection --------------------------------------


def other_end(pid, peer):
    """PID's socket of the connection that PEER is one end of."""
    folder = f"/proc/{pid}/fd"
    pidfd = os.pidfd_open(pid)
    for name in os.listdir(folder):
        try:
            what = os.readlink(os.path.join(folder, name))
        except FileNotFoundError:
            continue  # it was closed just now
        if not what.startswith("socket:"):
            continue
        fd = ctypes.CDLL(None).syscall(PIDFD_GETFD, pidfd, int(name), 0)
        if fd < 0:
            continue  # so was this
        sock = socket.socket(fileno=fd)
        try:
            if sock.getpeername() == peer.getsockname():
                os.close(pidfd)
                return sock
        except OSError:
            pass  # it listens
        sock.close()
    raise LookupError(peer)


def taken(there):
    """Bytes that have been read of what came to THERE."""
    told = there.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 136)
    waiting = fcntl.ioctl(there, termios.FIONREAD, bytes(4))
    return struct.unpack_from("=Q", told, RECEIVED_AT)[0] - \
        struct.unpack("=i", waiting)[0]


# ---- what fails ------------------------------------------------------------------


class Disk:
    """What a daemon with this ENV writes to: it fails when it is told to
    (disk.c)."""

    def __init__(self):
        self.path = os.path.join(room(), "disk")
        self.env = {**preloaded("daemon/draws", "daemon/patience",
                              "daemon/disk"),
                    "DISK": self.path}

    def fails(self, call, error, after=0):
        """From now on, after so many, each CALL (fdatasync or pwrite64)."""
        with open(self.path + ".new", "w", encoding="ascii") as f:
            f.write(f"{call} {error} {after}\n")
        os.rename(self.path + ".new", self.path)

    def kills(self, after):
        """The daemon dies instead of what it would write after so many more."""
        self.fails("pwrite64", 0, after)

    def is_told(self):
        return os.path.exists(self.path)

    def works(self):
        if self.is_told():
            os.unlink(self.path)


def killed_amid(daemon, disk, writes, what):
    """Does WHAT, in the midst of which DAEMON dies, after so many WRITES; whether
    it was acknowledged."""
    disk.kills(writes)
    try:
        what()
        done = True
    except (Closed, ConnectionError, TimeoutError):
        done = False
    daemon.kill()
    disk.works()
    return done


# ---- tables ---------------------------------------------------------------------


def table_of(peers, game="tictactoe", **options):
    """A table at which PEERS sit and play."""
    table = peers[0].call("table.create", game=game, seats=len(peers),
                          **options)["table"]
    for peer in peers[1:]:
        peer.call("table.join", table=table)
    return table


def place(peer, table, decision, cell):
    return peer.call("table.move", table=table, decision=decision,
                     move={"verb": "place", "cell": cell})["ply"]
