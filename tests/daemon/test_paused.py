"""Who has sent too much is really not read, and nothing of what they sent is lost;
what single bytes take of the system's memory has an end; and who fills the
daemon's with what they never end goes before who has said little.

Time stands (clocks.c): what may be read is a count of bytes.  Whether it holds in
real time, and at the usual size, is for `make attack` (attack_paused.py)."""

import contextlib
import json
import re
import select
import socket
import struct
import threading

import sobremesa as s
from sobremesa import Clocks, Daemon, Lines, Ws
from tap import done_testing, is_, ok

SO_MEMINFO = 55  # which Python has no name for
# limits.h: LIMIT_INPUT_BURST, LIMIT_INPUT_BYTES_MS in a second, and the longest
# message.
BURST, RATE, LONGEST = 256 * 1024, 64000, 65536


def metrics(d, *names):
    """Their values at one moment."""
    text = s.http(d.http, "GET", "/metrics").body.decode()
    return [int(float(re.search(rf"^sobremesa_{name} (\S+)$", text, re.M)[1]))
            for name in names]


def reads(d):
    """How often the daemon has read anything."""
    with open(f"/proc/{d.pid}/io", encoding="ascii") as f:
        return int(re.search(r"^syscr: (\d+)$", f.read(), re.M)[1])


# Ten messages of 60 kB at once: four of them and a piece are allowed.  Each second
# of the clock is worth one more.
def test_paused():
    clocks = Clocks(stands=True)
    d = Daemon(env=clocks.env)
    address = {"X-Forwarded-For": "198.51.100.7"}
    peer, other = (Ws(d.http, headers=address) for _ in range(2))
    there = s.other_end(d.pid, peer.socket)
    count, at_once = 10, 4
    message = s.frame(1, json.dumps({
        "jsonrpc": "2.0", "id": 1, "method": "server.hello",
        "params": {"x": "y" * 60000}}).encode())
    before = s.taken(there)
    sender = threading.Thread(target=peer.write, args=(message * count,))
    sender.start()
    reasons = [peer.recv()["error"]["data"]["reason"] for _ in range(at_once)]
    while metrics(d, "rests_total")[0] < 1:
        pass  # each look is a round trip
    wrong = []
    for second in range(1 + count - at_once):
        is_(other.call("server.hello")["protocol"], 1,
            "somebody else of that address is answered meanwhile")
        n = s.taken(there) - before
        if n > BURST + RATE * second + LONGEST:
            wrong.append((second, n))
        if second < count - at_once:
            ok(not select.select([peer.socket], [], [], 0)[0],
               f"after {second} s no more than {len(reasons)} are answered")
            then = reads(d)
            for _ in range(20):
                other.call("server.hello")
            ok(reads(d) - then <= 60, "nobody looks for more in vain")
            clocks.set(1000, 1000)
            reasons.append(peer.recv()["error"]["data"]["reason"])
    sender.join(s.WAIT)
    is_(reasons, ["invalid_params"] * count,
        "all that was sent is answered in the end")
    is_(wrong, [], "at no time is more read than the allowance and a message")
    is_(s.taken(there) - before, len(message) * count, "and all of it was read")
    there.close()
    clocks.go()
    is_(d.stop()[0], 0, "and it ends as it should")


# What comes in single bytes takes the system hundreds of times as much memory,
# which it would find for it: megabytes for each connection that is not read.
def test_single_bytes():
    clocks = Clocks(stands=True)
    d = Daemon("--set", "limits.local=on", env=clocks.env)
    drip = s.connect(d.lines)
    line = Lines(d.lines)
    line.call("server.hello")  # so the one before has been let in, too
    there = s.other_end(d.pid, drip)
    # A read counts 128 bytes at least, so that it is not read after so many.
    drip.setblocking(False)
    most, room, said = 0, 0, 0
    while said < 200000:
        try:
            drip.send(b" ")
        except BlockingIOError:  # as much as there is room for
            break
        said += 1
        if said % 100 == 0:
            taken, room = struct.unpack(
                "2I", there.getsockopt(socket.SOL_SOCKET, SO_MEMINFO, 8))
            most = max(most, taken)
    there.close()
    ok(said > 1000, f"{said} single bytes")
    ok(room <= 128 << 10, f"the system has room for {room} bytes of them")
    ok(most <= 256 << 10, f"and kept {most}")
    is_(line.call("server.hello")["protocol"], 1, "others are answered")
    drip.close()
    clocks.go()
    is_(d.stop()[0], 0, "and it ends as it should")


# limits.held_memory is the most that waits in memory, whoever sends half of
# something; and who sends a little is not asked to go for it.
def test_held():
    most = 1 << 20
    d = Daemon("--set", "limits.held_memory=1",
               "--set", "limits.connections_address=400")
    small = Lines(d.lines)
    small.write(b'{"jsonrpc":"2.0","id":7,"method":')
    half = b'{"x":[' + b"[]," * 20000
    hoarders, highest = [], 0
    for number in range(40):
        held, cut = metrics(d, "held_bytes", "crowded_out_total")
        wanted, had = held + len(half), cut
        hoarders.append(s.connect(d.lines,
                                  source=(f"127.0.0.{2 + number % 20}", 0)))
        with contextlib.suppress(ConnectionError):
            hoarders[-1].sendall(half)
        # Until it waits in memory, or somebody has gone for it.
        while held < wanted and cut == had:
            held, cut = metrics(d, "held_bytes", "crowded_out_total")
            highest = max(highest, held)
    ok(cut > 0, f"some have to go: {cut}")
    ok(most / 2 < highest <= most, f"{highest} bytes wait at most")
    small.write(b'"server.hello"}\n')
    is_(small.recv()["id"], 7, "who had said little is still there")
    is_(d.stop()[0], 0, "and it ends as it should")


test_paused()
test_single_bytes()
test_held()
done_testing()
