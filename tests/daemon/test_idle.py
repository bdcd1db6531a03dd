"""Nine thousand WebSockets that say nothing, and a game that goes on.  What they
cost it is counted: reads while a move is made.  How long a move takes, and what
the system says of the daemon's memory, is for soak_idle.py."""

import re
import resource
import signal
import struct
import subprocess
import sys
import threading

import sobremesa as s
from tap import diag, done_testing, is_, ok, skip_all

# The clock of soak_idle.py, which judges by it; without it there is none.
CLOCK = globals().get("CLOCK")

COUNT = 2001 if s.ASAN else 9000
PROCESSES = 3
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)


# Holds COUNT sockets; does what it is told on stdin: `ping` each, wait for the
# `end` of each; says how many did as they should.
def hold(where, count):
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    peers = [s.Ws(where, receive=2304) for _ in range(count)]
    print(len(peers), flush=True)
    for line in sys.stdin:
        good = 0
        for peer in peers if line == "ping\n" else []:
            peer.write(s.frame(9, b"there?"))
        for peer in peers:
            try:
                first, payload = peer.frame()
                if line == "ping\n":
                    good += (first, payload) == (0x8a, b"there?")
                else:
                    good += (first == 0x88 and
                             struct.unpack(">H", payload)[0] == 1001)
                    peer.close()
            except (s.Closed, OSError):
                pass
        print(good, flush=True)


def reads(d):
    """How often the daemon has read anything."""
    with open(f"/proc/{d.pid}/io", encoding="ascii") as f:
        return int(re.search(r"^syscr: (\d+)$", f.read(), re.M)[1])


def held(d):
    """Bytes that wait in its memory for those who are connected."""
    text = s.http(d.http, "GET", "/metrics").body.decode()
    return float(re.search(r"^sobremesa_held_bytes (\S+)$", text, re.M)[1])


def moves(players, table, n, rng):
    """N random moves; by CLOCK the seconds that each took, sorted.  Nobody ends a
    turn that can go on; when the game is over all the same they begin another."""
    clock = CLOCK or (lambda: 0)
    took = []
    while len(took) < n:
        state = players[0].call("table.get", table=table)["table"]["state"]
        if state != "playing":
            table = s.table_of(players, "hacienda")
        for player in players:
            legal = player.call("table.legal", table=table)
            if not legal["moves"]:
                continue
            busy = [move for move in legal["moves"]
                    if move["verb"] != "end_turn"]
            began = clock()
            player.call("table.move", table=table, decision=legal["decision"],
                        move=rng.choice(busy or legal["moves"]))
            took.append(clock() - began)
    return sorted(took)


def main():
    if hard != resource.RLIM_INFINITY and hard < COUNT + 200:
        skip_all(f"at most {hard} files can be open")
    # Time stands at the end: all are told goodbye, however long that takes.
    clocks = s.Clocks()
    d = s.Daemon(env=clocks.env)
    rng = s.chance("idle")
    players = [s.Lines(d.lines).guest() for _ in range(2)]
    table = s.table_of(players, "hacienda")
    then = reads(d)
    alone = moves(players, table, 40, rng)
    alone_reads = reads(d) - then
    before = d.rss()
    holders = [subprocess.Popen(
        [sys.executable, __file__, "%s:%d" % d.http, str(COUNT // PROCESSES)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(PROCESSES)]
    s.running.extend(holders)

    def all_say(word=None):
        for holder in holders if word else []:
            holder.stdin.write(word + "\n")
            holder.stdin.flush()
        return sum(int(holder.stdout.readline() or 0) for holder in holders)

    is_(all_say(), COUNT, f"{COUNT} connections")
    each = (d.rss() - before) / COUNT
    # But for who asks.
    ok(held(d) < 4096, "nothing waits in memory for any of them")
    players[0].watch(table)
    then = reads(d)
    busy = moves(players, table, 40, rng)
    busy_reads = reads(d) - then
    ok(busy_reads < 2 * alone_reads,
       f"40 moves take {busy_reads} reads among them, {alone_reads} alone")
    if CLOCK:
        ok(each < (1 << 16 if s.ASAN else 4096),
           f"{each:.0f} bytes of memory for each")
        ok(busy[len(busy) // 2] < 0.5,
           f"a move took {1000 * alone[len(alone) // 2]:.1f} ms alone, "
           f"{1000 * busy[len(busy) // 2]:.1f} ms among them, "
           f"at most {1000 * busy[-1]:.0f} ms")
    diag(f"{each:.0f} bytes of memory for each")
    is_(all_say("ping"), COUNT, "all are there")
    clocks.stand()
    d.tell(signal.SIGTERM)
    # Some seconds, which are enough for ticks, and too few for a daemon that ends
    # to leave without a word.
    threading.Thread(target=clocks.go_on, args=(60, 100), daemon=True).start()
    is_(all_say("end"), COUNT, "all are told goodbye, with 1001")
    for player in players:
        player.close()
    clocks.go()
    is_(d.end()[0], 0, "an orderly end")
    for holder in holders:
        holder.stdin.close()
        is_(holder.wait(s.WAIT), 0, "client")
        s.running.remove(holder)
        holder.stdout.close()
    done_testing()


if len(sys.argv) > 1:
    hold(s.address(sys.argv[1]), int(sys.argv[2]))
else:
    main()
