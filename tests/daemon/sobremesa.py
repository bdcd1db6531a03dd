"""sobremesa.py -- a daemon of its own for each test, and those who talk to it.

Nothing here is shared with the daemon's sources: framing, patches and hashes
are written a second time.  Every wait has an end, and only what was started
here is ended here.
"""

import atexit
import base64
import hashlib
import json
import os
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time

import jsonschema

BIN = os.environ.get("BIN", "build/bin")
PROGRAM = os.path.join(BIN, "sobremesad")
ASAN = "ASAN" in os.environ
PATIENCE = 60 if ASAN else 20  # seconds: longer than anything takes

_running = []


class Refused(Exception):
    """An error of JSON-RPC."""

    def __init__(self, error):
        super().__init__(json.dumps(error))
        self.code = error["code"]
        self.data = error.get("data", {})
        self.reason = self.data.get("reason")


class Closed(Exception):
    """The other side is gone; CODE is what a WebSocket said, or None."""

    def __init__(self, code=None):
        super().__init__(f"closed with {code}")
        self.code = code


def room():
    """A directory of its own, short enough for a socket in it."""
    path = tempfile.mkdtemp(prefix="d.")
    atexit.register(shutil.rmtree, path, True)
    return path


# ---- the daemon --------------------------------------------------------------


class Daemon:
    """A daemon that is ready.  Ends with the script at the latest."""

    def __init__(self, *args, data=None, http="127.0.0.1:0",
                 lines="127.0.0.1:0", wrap=(), env=None, **popen):
        self.room = room()
        self.data = data or os.path.join(self.room, "data")
        self.command = [*wrap, PROGRAM, "--data", self.data, "--http", http,
                        "--lines", lines, *args]
        self.errors = open(os.path.join(self.room, "stderr"), "w+b")
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=self.errors, env={**os.environ, **(env or {})}, **popen)
        _running.append(self.process)
        self.pid = self.process.pid
        self.out = b""
        self._wait_ready()

    def _wait_ready(self):
        end = time.monotonic() + PATIENCE
        while b"\n" not in self.out:
            left = max(0, end - time.monotonic())
            if not select.select([self.process.stdout], [], [], left)[0]:
                raise TimeoutError("the daemon was not ready in time")
            piece = os.read(self.process.stdout.fileno(), 4096)
            if not piece:
                raise ChildProcessError(
                    f"{self.process.wait(PATIENCE)}: {self.stderr()}")
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
        """The status and how long it took, for one that was told to end."""
        began = time.monotonic()
        self.out += self.process.stdout.read()
        status = self.process.wait(PATIENCE)
        _running.remove(self.process)
        self.process.stdout.close()
        self.errors.close()
        return status, time.monotonic() - began

    def stop(self, number=signal.SIGTERM):
        self.tell(number)
        return self.end()

    def kill(self):
        self.tell(signal.SIGKILL)
        return self.end()

    def rss(self):
        with open(f"/proc/{self.pid}/statm", encoding="ascii") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@atexit.register
def _end_all():
    for process in _running:
        process.kill()
        process.wait()


def address(text):
    if text is None or "/" in text:
        return text
    host, port = text.rsplit(":", 1)
    return host, int(port)


def connect(where, timeout=PATIENCE, receive=None):
    """A socket to an address or a path."""
    family = socket.AF_UNIX if isinstance(where, str) else socket.AF_INET
    s = socket.socket(family)
    s.settimeout(timeout)
    if receive:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
    s.connect(where)
    if family == socket.AF_INET:
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return s


def rest_of(s, seconds=PATIENCE):
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


class Peer:
    """One connection that speaks JSON-RPC."""

    judge = None  # of all that is said, if there is one

    def __init__(self):
        self.last = 0
        self.asked = {}
        self.notes = []  # notifications that have come
        self.answers = {}  # and answers nobody has asked for yet
        self.watching = {}

    def ask(self, method, **params):
        """Sends a request; its id."""
        self.last += 1
        request = {"jsonrpc": "2.0", "id": self.last, "method": method,
                   "params": params}
        if self.judge:
            self.asked[self.last] = request
        self.send(request)
        return self.last

    def take(self, timeout=PATIENCE):
        """Waits for one message and puts it in its place."""
        message = self.recv(timeout)
        if self.judge:
            self.judge.hear(self.asked.pop(message.get("id"), None), message)
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

    def answer(self, number, timeout=PATIENCE):
        end = time.monotonic() + timeout
        while number not in self.answers:
            self.take(max(0.01, end - time.monotonic()))
        message = self.answers.pop(number)
        if "error" in message:
            raise Refused(message["error"])
        return message["result"]

    def call(self, method, **params):
        return self.answer(self.ask(method, **params))

    def refusal(self, method, **params):
        """The error that a request gets, or None."""
        try:
            self.call(method, **params)
        except Refused as e:
            return e
        return None

    def note(self, method, timeout=PATIENCE):
        """The first notification of that name, which is taken."""
        end = time.monotonic() + timeout
        while True:
            for n in self.notes:
                if n["method"] == method:
                    self.notes.remove(n)
                    return n["params"]
            self.take(max(0.01, end - time.monotonic()))

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
        end = time.monotonic() + PATIENCE
        while self.watching[table].ply < ply:
            self.take(max(0.01, end - time.monotonic()))

    def close(self):
        self.socket.close()


class Lines(Peer):
    def __init__(self, where, **options):
        super().__init__()
        self.socket = connect(where, **options)
        self.buffer = b""

    def send(self, message):
        self.write(json.dumps(message).encode() + b"\n")

    def write(self, data):
        try:
            self.socket.sendall(data)
        except ConnectionError:
            raise Closed() from None

    def recv(self, timeout=PATIENCE):
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
        key = base64.b64encode(os.urandom(16)).decode()
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

    def frame(self, timeout=PATIENCE):
        """(first byte, payload) of the next frame."""
        self.socket.settimeout(timeout)
        first, n = self._need(2)
        if n == 126:
            n = struct.unpack(">H", self._need(2))[0]
        elif n == 127:
            n = struct.unpack(">Q", self._need(8))[0]
        return first, self._need(n)

    def recv(self, timeout=PATIENCE):
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
    """One request on a connection of its own."""
    with connect(where) as s:
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
        if self.judge:
            self.judge.hear(self.asked.pop(message["id"]), told)
        self.answers[message["id"]] = told

    def guest(self):
        self.token = rpc(self.where, "account.guest").json()["result"]["token"]
        return self

    def close(self):
        pass


# ---- views ----------------------------------------------------------------------


def view_hash(view):
    """RFC 8785, for integers, strings, booleans and null."""
    text = json.dumps(view, sort_keys=True, ensure_ascii=False,
                      separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _walk(document, pointer):
    keys = [k.replace("~1", "/").replace("~0", "~")
            for k in pointer.split("/")[1:]]
    for key in keys[:-1]:
        document = document[int(key) if isinstance(document, list) else key]
    last = keys[-1]
    if isinstance(document, list):
        return document, len(document) if last == "-" else int(last)
    return document, last


def patched(document, patch):
    """RFC 6902, on a copy."""
    box = [json.loads(json.dumps(document))]
    for step in patch:
        at, key = _walk(box, "/0" + step["path"])
        if step["op"] != "add" and not (key in at if isinstance(at, dict)
                                        else key < len(at)):
            raise KeyError(step["path"])
        if step["op"] == "replace":
            at[key] = step["value"]
        elif step["op"] == "remove":
            del at[key]
        elif step["op"] == "add" and isinstance(at, list):
            at.insert(key, step["value"])
        elif step["op"] == "add":
            at[key] = step["value"]
        elif step["op"] != "test" or at[key] != step["value"]:
            raise ValueError(step)
    return box[0]


class Watched:
    """A view that updates are applied to; complains of any that do not fit."""

    def __init__(self, told):
        self.view, self.ply, self.chain = told["view"], told["ply"], \
            told["chain"]
        self.updates = 0

    def update(self, u):
        if u["from"] != self.ply:
            raise AssertionError(f"at {self.ply} came {u['from']}")
        self.view = patched(self.view, u["patch"])
        self.ply = u["ply"]
        self.updates += 1
        if "chain" in u:
            self.chain = u["chain"]
        if "view_hash" in u and u["view_hash"] != view_hash(self.view):
            raise AssertionError(f"view_hash at {self.ply}")
        if self.view["ply"] != self.ply:
            raise AssertionError(f"view says {self.view['ply']}")


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
