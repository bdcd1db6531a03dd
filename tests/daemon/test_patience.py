"""Who says nothing for long: whom the daemon asks, whom it lets go, and when.
All of them wait at the same time."""

import select
import time

import sobremesa as s
from sobremesa import Daemon, Lines, Ws
from tap import done_testing, is_, ok

IDLE = 5  # seconds; a WebSocket is asked after two

d = Daemon("--set", f"limits.idle_seconds={IDLE}")
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
while time.monotonic() - began < s.WAIT + IDLE and not (
        {"silent", "kept", "fresh"} <= set(ended) and pings["answers"] >= 3):
    open_ones = [sock for name, sock in socks.items() if name not in ended]
    for sock in select.select(open_ones, [], [], 0.2)[0]:
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
    if time.monotonic() - began > spoke + 1:
        spoke = time.monotonic() - began
        player.ask("server.hello")


def at_the_end(name):
    """Not before its time; a loaded machine is late."""
    return IDLE <= ended.get(name, 0)


ok(at_the_end("kept"), f"HTTP is kept for {IDLE} s ({ended.get('kept')})")
ok(at_the_end("fresh"), f"also before the first ({ended.get('fresh')})")
ok(at_the_end("silent"), f"a WebSocket that answers no ping ends after {IDLE} s"
   f" ({ended.get('silent')})")
ok(heard["silent"].startswith(b"\x89"), "it was asked")
ok(pings["answers"] >= 3, f"who answers is asked again ({pings['answers']})")
is_(sorted(set(socks) - set(ended)), ["answers", "lines", "player"],
    "who answers, who speaks, and idle lines stay")
is_(lines.call("server.hello")["protocol"], 1, "lines are served as ever")
is_(d.stop()[0], 0, "end")
done_testing()
