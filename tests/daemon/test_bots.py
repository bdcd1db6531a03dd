"""Bots with real processes: people play against them, and whatever becomes of
the process that thinks, nobody but its bots waits for it."""

import os
import shutil
import signal
import socket
import subprocess
import sys

import confined as confined_by
import sobremesa as s
from sobremesa import Clocks, Daemon, Lines, http, until
from daemon import BIN, room
from tap import diag, done_testing, is_, ok

UNIT = "deploy/sobremesad.service"
# What stands in for sobremesa-bot: Python, which means no good.
EVIL = f"""#!{sys.executable}
import json, os, signal, socket, sys
server = socket.socket(fileno=3)
lines = server.makefile("rw")
KIND = "%s"

def say(method, **params):
    lines.write(json.dumps({{"jsonrpc": "2.0", "id": 1, "method": method,
                            "params": params}}) + "\\n")
    lines.flush()

while KIND == "flood":
    say("bots.next")
say("bots.next")
asked = json.loads(lines.readline())["result"]
while KIND == "silent":
    signal.pause()
while KIND == "garbage":
    server.sendall(bytes(range(128, 256)) * 32)
while KIND == "illegal":
    say("bots.play", table=asked["table"], seat=asked["seat"],
        decision=asked["decision"], move={{"verb": "castle"}})
    lines.readline()
for method in ["table.list", "account.guest", "admin.status", "me.tables"] * 10:
    say(method)
    if "forbidden" not in lines.readline():
        os.kill(os.getppid(), 9)  # which is noticed
signal.pause()
"""


def children(pid):
    """Processes that think."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
        return [int(child) for child in f.read().split()]


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as f:
            return f.read().split()[2] != "Z"
    except FileNotFoundError:
        return False


def environment(pid):
    """The names in that of a process that only root may look into, but for what
    the harness has it preload."""
    ours = {"LD_PRELOAD", "DRAWS", "ASAN_OPTIONS"}
    try:
        with open(f"/proc/{pid}/environ", encoding="utf-8") as f:
            return {name for name in (pair.split("=", 1)[0] for pair in
                                      f.read().split("\0")) if name} - ours
    except PermissionError:
        return set()


def metric(daemon, name):
    page = http(daemon.http, "GET", "/metrics").body.decode()
    return next(float(line.split()[1]) for line in page.splitlines()
                if line.startswith(f"sobremesa_{name} "))


def against(peer, game="tictactoe", levels=("greedy",)):
    return peer.call("table.create", game=game, seats=1 + len(levels),
                     bots=list(levels))["table"]


def move(peer, table):
    legal = peer.call("table.legal", table=table)
    choices = legal["moves"] or [legal["ranges"][0]["move"]]
    peer.call("table.move", table=table, decision=legal["decision"],
              move=choices[0])


def my_turn(peer, table):
    """Waits for it, or for the end; whether it goes on."""
    def look():
        told = peer.call("table.get", table=table)["table"]
        return told["state"] != "playing" or told["seats"][0]["acting"]
    until(look, "the bots have moved")
    return peer.call("table.get", table=table)["table"]["state"] == "playing"


def play(peer, table, moves=1000):
    while moves > 0 and my_turn(peer, table):
        move(peer, table)
        moves -= 1


def people_play(daemon, name, moves=30):
    """Two people play all the while, and are answered."""
    players = [Lines(daemon.lines).guest() for _ in range(2)]
    table = s.table_of(players, "tictactoe")
    count = 0
    while count < moves:
        for player in players:
            now = player.call("table.get", table=table)["table"]
            if now["state"] != "playing":
                table = s.table_of(players, "tictactoe")
                break
            move(player, table)
            count += 1
    ok(True, f"{name}: two people play on, {count} moves")


def games():
    with Daemon(bots=1) as daemon:
        anna = Lines(daemon.lines).guest()
        is_(anna.call("server.hello")["bots"], ["random", "greedy", "search"],
            "there are bots as soon as the daemon is ready")
        for level in "random", "greedy", "search":
            table = against(anna, levels=[level])
            play(anna, table)
            is_(anna.call("table.get", table=table)["table"]["state"],
                "finished", f"a game against {level} ends")
        table = against(anna, "hadara", ["greedy", "random"])
        play(anna, table, 6)
        ok(my_turn(anna, table), "two bots of three play on")
        pid = children(daemon.pid)[0]
        with open(f"/proc/{pid}/limits", encoding="ascii") as f:
            limits = f.read()
        ok("Max open files            0 " in limits and
           "Max processes             0 " in limits,
           "what thinks can open nothing and start nothing")
        is_(os.getpriority(os.PRIO_PROCESS, pid), 19,
            "and lets everybody else have the processor first")
        is_(environment(pid), set(), "it has nothing of the daemon's environment")
        daemon.stop()
        is_(alive(pid), False, "it ends with the daemon")


def dying():
    # While time stands nobody's patience with a process ends.
    clocks = Clocks(stands=True)
    with Daemon(bots=1, env=clocks.env) as daemon:
        anna = Lines(daemon.lines).guest()
        table = against(anna)
        first = until(lambda: children(daemon.pid), "a process")[0]
        os.kill(first, signal.SIGSTOP)
        move(anna, table)
        people_play(daemon, "while it is frozen")
        is_(metric(daemon, "bots_waiting"), 1, "the bot is still to move")
        clocks.go()
        os.kill(first, signal.SIGKILL)
        ok(my_turn(anna, table), "killed, it is started anew, and the bot moves")
        second = children(daemon.pid)[0]
        ok(second != first, "that is another process")
        is_(metric(daemon, "bots_mild_total"), 0, "by thought")
        daemon.stop(signal.SIGKILL)
        daemon.start()
        until(lambda: len(children(daemon.pid)) == 1, "one process")
        is_(alive(second), False, "none is left of a daemon that was killed")


def evil(kind):
    path = os.path.join(room(), "evil")
    with open(path, "w", encoding="ascii") as f:
        f.write(EVIL % kind)
    os.chmod(path, 0o755)
    clocks = Clocks(stands=True)  # what a process may say does not come back
    with Daemon("--set", f"bots.program={path}", bots=1,
                env=clocks.env) as daemon:
        anna = Lines(daemon.lines).guest()
        table = against(anna)
        move(anna, table)
        people_play(daemon, kind)
        told = anna.call("table.get", table=table)["table"]
        ok(told["state"] == "playing" and not told["seats"][0]["acting"],
           f"{kind}: the table is as it was")
        if kind not in ("silent", "others"):
            s.comes(lambda: "event=bots_ended" in daemon.stderr(),
                    f"{kind}: it was cut off")
        clocks.go()


# Becomes a bot when whoever started it is gone.
ORPHAN = """
import os, sys
parent = os.getpid()
alive, end = os.pipe()
if os.fork() == 0:
    os.close(end)
    os.read(alive, 1)
    while os.getppid() == parent:
        os.sched_yield()
    os.execv(sys.argv[1], sys.argv[1:])
"""


def confined():
    """With what the shipped unit leaves it the daemon's bots think, and have
    shut themselves in and given way to everybody as ever."""
    here = os.path.dirname(os.path.abspath(confined_by.__file__))
    with Daemon(bots=1, wrap=(sys.executable,
                              os.path.join(here, "confined.py"), UNIT)) as daemon:
        anna = Lines(daemon.lines).guest()
        table = against(anna, levels=["search"])
        play(anna, table)
        is_(anna.call("table.get", table=table)["table"]["state"],
            "finished", "under the shipped unit's filter a bot plays a game")
        is_(metric(daemon, "bots_mild_total"), 0, "by thought")
        pid = children(daemon.pid)[0]
        is_(os.getpriority(os.PRIO_PROCESS, pid), 19, "it may be nice there")
        with open(f"/proc/{pid}/limits", encoding="ascii") as f:
            ok("Max open files            0 " in f.read(),
               "and shuts itself in")
        with open(f"/proc/{pid}/status", encoding="ascii") as f:
            told = f.read()
        ok("Seccomp:\t2" in told and "CapBnd:\t0000000000000000" in told,
           "the filter is on it, and it has no capabilities")


def adopted():
    """The parent may be the first of all processes, as a daemon is in a
    container: here it adopts what thinks."""
    ours, theirs = socket.socketpair()
    ours.settimeout(s.WAIT)
    bot = os.path.join(BIN, "sobremesa-bot")
    subprocess.run([sys.executable, "-c", ORPHAN, bot, "--fd",
                    str(theirs.fileno())], pass_fds=[theirs.fileno()],
                   check=True)
    theirs.close()
    ok(b"bots.next" in ours.recv(4096), "whoever is its parent, it begins")
    ours.close()


def reloaded():
    """None, some and none again: each is a matter of a reload."""
    conf = os.path.join(s.room(), "conf")

    def write(count):
        with open(conf, "w", encoding="ascii") as f:
            f.write(f"[bots]\nprocesses = {count}\n")

    write(0)
    with Daemon("-c", conf, bots=None) as daemon:
        anna = Lines(daemon.lines).guest()
        is_(anna.call("server.hello")["bots"], [], "there are no bots at first")
        table = anna.call("table.create", game="tictactoe", seats=2)["table"]
        write(2)
        daemon.tell(signal.SIGHUP)
        until(lambda: anna.call("server.hello")["bots"], "bots")
        until(lambda: len(children(daemon.pid)) == 2, "both processes")
        anna.call("table.bot", table=table, level="greedy")
        play(anna, table)
        ok(True, "some after a reload; one takes a free seat, and plays")
        write(0)
        daemon.tell(signal.SIGHUP)
        until(lambda: not anna.call("server.hello")["bots"], "none")
        until(lambda: not children(daemon.pid), "no process")
        ok(True, "and none after another one")


def none():
    with Daemon("--set", "bots.program=/nonexistent", bots=1) as daemon:
        people_play(daemon, "without a program", 10)
        ok("event=bots_failed" in daemon.stderr(), "the log says why")


games()
dying()
for kind in "flood", "silent", "garbage", "illegal", "others":
    evil(kind)
adopted()
if s.ASAN:
    diag("the unit lets no sanitizer look for leaks: not tried under its filter")
elif shutil.which("systemd-analyze"):
    confined()
else:
    diag("no systemd-analyze here: not tried under the unit's filter")
reloaded()
none()
done_testing()
