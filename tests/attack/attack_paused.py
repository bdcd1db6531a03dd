"""Who has sent too much is really not read, says the system itself, and nothing
of what they sent is lost; and who fills the memory with what they never end."""

import ctypes
import json
import os
import re
import select
import socket
import struct
import time

import harm
from harm import s
from tap import done_testing, is_, ok, skip_all

PIDFD_GETFD, SO_MEMINFO = 438, 55  # which Python has no names for
BURST, RATE, LONGEST = 256 * 1024, 64000, 65536


def reads(path):
    """(when, bytes) of each read, by file descriptor."""
    by_fd = {}
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            m = re.match(r"\d+ +([\d.]+) read\((\d+),.* = (\d+)$", line)
            if m:
                by_fd.setdefault(int(m[2]), []).append(
                    (float(m[1]), int(m[3])))
    return by_fd


def wait_for_end(path):
    """Until strace has written all."""
    end = time.monotonic() + s.WAIT
    while time.monotonic() < end:
        with open(path, encoding="utf-8", errors="replace") as f:
            if re.search(r"\+\+\+ exited with 0 \+\+\+\n\Z", f.read()):
                return
        time.sleep(0.05)


def test_paused():
    path = os.path.join(s.room(), "trace")
    d = s.Daemon("--set", "limits.local=on", wrap=[
        "strace", "-D", "-f", "-ttt", "-s0", "-e", "trace=read", "-o", path])
    count = 10
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "server.hello",
                       "params": {"x": "y" * 60000}}).encode() + b"\n"
    peer = s.Lines(d.lines)
    began = time.time()
    peer.write(line * count)
    other = s.Lines(d.lines)
    is_(other.call("server.hello")["protocol"], 1,
        "somebody else of that address is answered meanwhile")
    told = {peer.recv()["error"]["data"]["reason"] for _ in range(count)}
    took = time.time() - began
    is_(told, {"invalid_params"}, "all that was sent is answered in the end")
    is_(d.stop()[0], 0, "and it ends as it should")
    wait_for_end(path)
    mine = max(reads(path).values(), key=lambda r: sum(n for _, n in r))
    is_(sum(n for _, n in mine), len(line) * count, "and all of it was read")
    late, seen = [], 0
    for when, n in mine:
        seen += n
        if seen > BURST + RATE * max(0, when - began) + LONGEST:
            late.append((when - began, seen))
    is_(late, [], "at no time more than the allowance and a message")
    ok(took > (len(line) * count - BURST - LONGEST) / RATE,
       f"which took {took:.1f} s")
    ok(len(mine) < 3 * len(line) * count / 16384,
       f"in {len(mine)} reads: nobody looks for it in vain")


def other_end(pid, peer):
    """PID's socket of the connection that PEER is one end of."""
    folder = f"/proc/{pid}/fd"
    pidfd = os.pidfd_open(pid)
    for name in os.listdir(folder):
        if not os.readlink(os.path.join(folder, name)).startswith("socket:"):
            continue
        fd = ctypes.CDLL(None).syscall(PIDFD_GETFD, pidfd, int(name), 0)
        sock = socket.socket(fileno=fd)
        try:
            if sock.getpeername() == peer.getsockname():
                os.close(pidfd)
                return sock
        except OSError:
            pass  # it listens
        sock.close()
    raise LookupError(peer)


# What comes in single bytes takes the system hundreds of times as much memory,
# which it would find for it: megabytes for each connection that is not read.
def test_single_bytes():
    d = s.Daemon("--set", "limits.local=on")
    drip = socket.create_connection(d.lines)
    drip.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    drip.setblocking(False)
    line = s.Lines(d.lines)
    line.call("server.hello")  # so the one before has been let in, too
    there = other_end(d.pid, drip)
    most, room, said = 0, 0, 0
    end = time.monotonic() + 3
    while time.monotonic() < end:
        if not select.select([], [drip], [], 0.1)[1]:
            continue
        drip.send(b" ")
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
    is_(d.stop()[0], 0, "and it ends as it should")


# 128 MiB is the most that waits in memory, whoever sends half of something; and
# who sends a little is not asked to go for it.
def test_held():
    a = harm.Attacked(slow=600)  # so that nobody goes but for the memory
    small = s.Lines(a.daemon.lines)
    small.write(b'{"jsonrpc":"2.0","id":7,"method":')
    before = a.daemon.rss()
    # It says as much as it gets to; what matters is what is so a while later.
    process = a.attack("unfinished lines", 3000, 120, 90)
    highest = cut = 0
    end = None
    while process.poll() is None and (not cut or time.monotonic() < end):
        m = a.metrics()
        highest = max(highest, float(m["sobremesa_held_bytes"]))
        if not cut:
            end = time.monotonic() + 3
        cut = float(m["sobremesa_crowded_out_total"])
    grown = a.daemon.rss() - before
    process.terminate()
    process.communicate(timeout=harm.FOREVER)
    s.running.remove(process)
    ok(cut > 0, f"some have to go: {cut:.0f}")
    ok(highest <= 128 << 20, f"{highest / 1e6:.0f} MB wait at most")
    ok(grown < 200 << 20, f"the process grew by {grown / 1e6:.0f} MB")
    small.write(b'"server.hello"}\n')
    is_(small.recv()["id"], 7, "who had said little is still there")
    is_(a.daemon.stop()[0], 0, "and it ends as it should")


if s.ASAN:
    skip_all("the same reads and the same memory as without sanitizers")
test_paused()
test_single_bytes()
test_held()
done_testing()
