"""liar.py -- a server that cannot be trusted: a real one, in whose every word
there is something that a terminal should never be sent.

    with Liar(daemon.ready["lines"]) as liar:     lines, on liar.port
    with Liar(daemon.ready["admin"], folder):     the socket FOLDER/admin.sock

What it adds stands in LIES; harmless(text) tells what of it is in TEXT."""

import contextlib
import json
import os
import re
import socket

from front import WAIT, Server

FORGED = "bob says: forged"
LIES = ("owned\x1b]0;owned\x07\x1b[2J\x1b[31m \x9b31m\x85 \u061c\u200f\u202e"
        "\u2066\u2028\u2029\ufff9\uffff\U000e0041\x7f\t\r\n" + FORGED +
        "\x00 behind a NUL")  # last: that is where C would cut it
HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e"
                    "\u2066-\u206f\ufdd0-\ufdef\ufff9-\ufffb\ufffe\uffff"
                    "\U000e0000-\U000e007f]")

# What a client goes by; the rest is for people.  Of the whole of a game only the
# kinds of its events are words, but what a client does not know it shows.
KEPT = {"jsonrpc", "id", "method", "table", "game", "state", "token", "verb",
        "kind", "chain", "view_hash", "commitment", "seed", "path", "op",
        "room", "nonces", "next", "start", "registration", "scopes", "user"}
WHOLE = {"game_state", "move", "moves", "options", "lines", "ranges", "games"}


def harmless(text):
    """What should not be in TEXT, as far as it is; "" if nothing is."""
    found = "".join(sorted(set(HIDDEN.findall(text))))
    if re.search("^" + FORGED, text, re.M):
        found += FORGED
    return found.encode("unicode_escape").decode()


def spoil(value, key="", everything=False):
    """VALUE, which is the member KEY, with lies in it."""
    if isinstance(value, str):
        if key in ("jsonrpc", "method") or (key in KEPT and not everything):
            return value
        return value + LIES
    if isinstance(value, list):
        return [spoil(v, key, everything) for v in value]
    if isinstance(value, dict) and (everything or key not in WHOLE):
        if "op" in value and not value["path"].endswith("/name"):
            return value  # of a patch: the state, words
        lies = {k: spoil(v, k, everything) for k, v in value.items()
                if not (k == "id" and "jsonrpc" in value)}
        if "id" in value and "jsonrpc" in value:
            lies["id"] = value["id"]
        lies["motd"] = LIES
        lies[LIES.replace("\x00", "")] = LIES
        return lies
    return value


class Liar(Server):
    """Stands before BACK, HOST:PORT or the path of a socket."""

    def __init__(self, back, folder=None):
        self.back = back
        self.everything = False  # ids, words and games, too
        self.refuse = False      # all that is asked
        if folder is None:
            super().__init__()
            return
        made = socket.socket(socket.AF_UNIX)
        made.bind(os.path.join(folder, "admin.sock"))
        made.listen()
        super().__init__(listener=made)

    def _dial(self):
        if "/" in self.back:
            sock = socket.socket(socket.AF_UNIX)
            sock.connect(self.back)
            return sock
        host, port = self.back.rsplit(":", 1)
        return socket.create_connection((host, int(port)), WAIT)

    def handle(self, sock):
        back = self._dial()
        with self.lock:
            self.socks.append(back)
        self._thread(self._honest, sock, back)
        with back, back.makefile("rb") as lines:
            for line in lines:
                sock.sendall(self._lie(json.loads(line)))

    def _lie(self, message):
        if self.refuse and "result" in message:
            message["error"] = {"code": 1005, "message": "No.", "data": {
                "reason": "no_" + LIES, "why": "not", "sentence": "No.",
                "expected": "more", "path": "/" + LIES, "until": 1}}
            del message["result"]
        return json.dumps(spoil(message, "", self.everything)).encode() + b"\n"

    def _honest(self, sock, back):
        with contextlib.suppress(OSError):
            while True:
                piece = sock.recv(65536)
                if not piece:
                    break
                back.sendall(piece)
            back.shutdown(socket.SHUT_RDWR)


class Deaf(Liar):
    """Honest, but for the next LEFT requests of METHODS: it refuses them.  What
    it was asked stands in ASKED, by method."""

    def __init__(self, back, *methods):
        self.methods, self.left = methods, 1
        self.asked = {}
        super().__init__(back)

    def _lie(self, message):
        return json.dumps(message).encode() + b"\n"

    def _honest(self, sock, back):
        with contextlib.suppress(OSError):
            for line in sock.makefile("rb"):
                asked = json.loads(line)
                method = asked["method"]
                self.asked.setdefault(method, []).append(asked.get("params"))
                if method not in self.methods or self.left == 0:
                    back.sendall(line)
                    continue
                self.left -= 1
                sock.sendall(json.dumps({
                    "jsonrpc": "2.0", "id": asked["id"], "error": {
                        "code": 1000, "message": "No.",
                        "data": {"reason": "internal_error"}}
                }).encode() + b"\n")
            back.shutdown(socket.SHUT_RDWR)
