"""Who says nothing for long: whom the daemon asks, whom it lets go, and when.
All of them wait at the same time, as it takes more than a minute."""

import os
import select
import sys
import time

import sobremesa as s
from sobremesa import Daemon, Lines, Ws
from tap import done_testing, is_, ok

# Time passes as slowly under the sanitizers: once is enough.
if os.environ.get("ASAN"):
    print("1..0 # SKIP the same waits as without sanitizers")
    sys.exit(0)

d = Daemon()
began = time.monotonic()

answers = Ws(d.http)          # every ping
silent = Ws(d.http)           # none of them
player = Ws(d.http).guest()   # none, but says something itself
kept = s.connect(d.http)      # HTTP, between two requests
fresh = s.connect(d.http)     # HTTP, before the first
lines = Lines(d.lines).guest()
kept.sendall(s.request("GET", "/healthz"))

socks = {"answers": answers.socket, "silent": silent.socket,
         "player": player.socket, "kept": kept, "fresh": fresh,
         "lines": lines.socket}
heard = {name: b"" for name in socks}
ended = {}
pings = {"answers": 0}
spoke = 0
while time.monotonic() - began < 125 and not (
        {"silent", "kept", "fresh"} <= set(ended)
        and time.monotonic() - began > 100):
    open_ones = [sock for name, sock in socks.items() if name not in ended]
    for sock in select.select(open_ones, [], [], 0.5)[0]:
        name = next(n for n, x in socks.items() if x is sock)
        try:
            piece = sock.recv(4096)
        except ConnectionError:
            piece = b""
        heard[name] += piece
        if not piece:
            ended[name] = time.monotonic() - began
        if name == "answers" and piece[:1] == b"\x89":
            pings["answers"] += 1
            sock.sendall(s.frame(10, piece[2:2 + piece[1]]))
    if int((time.monotonic() - began) / 20) > spoke:
        spoke += 1
        player.ask("server.hello")


def at(name, first, last):
    """Ended between FIRST and LAST seconds; a loaded machine is late."""
    return first <= ended.get(name, 0) <= last


ok(at("kept", 70, 110), f"HTTP is kept for 75 s ({ended.get('kept')})")
ok(at("fresh", 70, 110), f"also before the first ({ended.get('fresh')})")
ok(at("silent", 70, 110),
   f"a WebSocket that answers no ping ends after 75 s ({ended.get('silent')})")
ok(heard["silent"].startswith(b"\x89"), "it was asked")
ok(pings["answers"] >= 2, f"who answers is asked again ({pings['answers']})")
is_(sorted(set(socks) - set(ended)), ["answers", "lines", "player"],
    "who answers, who speaks, and idle lines stay")
is_(lines.call("server.hello")["protocol"], 1, "lines are served as ever")
is_(d.stop()[0], 0, "end")
done_testing()
