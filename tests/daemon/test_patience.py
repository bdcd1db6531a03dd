"""Who says nothing for long: whom the daemon asks, whom it lets go, and when, by a
clock that passes as it is set.  All of them wait at the same time."""

import select

import sobremesa as s
from sobremesa import Clocks, Daemon, Lines, Ws
from tap import done_testing, is_, ok

IDLE = 5000  # ms; a WebSocket is asked after two fifths
STEP = 500
LATE = 1500  # it looks every second, and we after each step

clocks = Clocks(stands=True)
d = Daemon("--set", f"limits.idle_seconds={IDLE // 1000}", env=clocks.env)

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
pings = []
other = Lines(d.lines)


def look():
    """What came up to now: all of it is there when somebody who asks later has
    an answer."""
    for _ in range(2):
        other.call("server.hello")
    open_ones = [sock for name, sock in socks.items() if name not in ended]
    for sock in select.select(open_ones, [], [], 0)[0]:
        name = next(n for n, x in socks.items() if x is sock)
        try:
            piece = sock.recv(4096)
        except ConnectionError:
            piece = b""
        heard[name] += piece
        if not piece:
            ended[name] = clocks.monotonic
        if name == "answers" and piece[:1] == b"\x89":
            pings.append(clocks.monotonic)
            sock.sendall(s.frame(10, piece[2:2 + piece[1]]))


look()
while clocks.monotonic < 4 * IDLE:
    clocks.set(STEP, STEP)
    if clocks.monotonic % 1000 == 0:
        player.ask("server.hello")
    look()


def at_the_end(name):
    return IDLE <= ended.get(name, 0) <= IDLE + LATE


ok(at_the_end("kept"), f"HTTP is kept for {IDLE} ms ({ended.get('kept')})")
ok(at_the_end("fresh"), f"also before the first ({ended.get('fresh')})")
ok(at_the_end("silent"), f"a WebSocket that answers no ping ends after {IDLE} ms"
   f" ({ended.get('silent')})")
ok(heard["silent"].startswith(b"\x89"), "it was asked")
ok(len(pings) >= 3 and all(2 * IDLE / 5 <= later - then <= 2 * IDLE / 5 + LATE
                           for then, later in zip([0, *pings], pings)),
   f"who answers is asked again ({pings})")
is_(sorted(set(socks) - set(ended)), ["answers", "lines", "player"],
    "who answers, who speaks, and idle lines stay")
is_(lines.call("server.hello")["protocol"], 1, "lines are served as ever")
clocks.go()
is_(d.stop()[0], 0, "end")
done_testing()
