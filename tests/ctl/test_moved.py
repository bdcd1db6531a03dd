"""Somebody moves, replaces or removes files of the store while the server has them
open: it notices, writes nothing more, says so everywhere, and keeps what was
stored until then, which is restored."""

import glob
import os
import random
import shutil
import tempfile
import urllib.error
import urllib.request

import daemon as d
from ctl import ctl, fails, refused, says, told
from tap import diag, done_testing, is_, ok


def replace(path):
    """By a copy of an hour ago, as people restore who do not read how."""
    os.replace(path + ".old", path)


def replace_by_itself(path):
    """By a copy of itself, as rsync and some editors do."""
    shutil.copy(path, path + ".new")
    os.replace(path + ".new", path)


HARMS = {
    "the file is replaced": replace,
    "the file is replaced by a copy of itself": replace_by_itself,
    "the file is removed": os.unlink,
    "the file is renamed": lambda path: os.rename(path, path + ".away"),
    "the log is removed": lambda path: os.unlink(path + "-wal"),
    "the index is removed": lambda path: os.unlink(path + "-shm"),
}


def ready(server):
    """Status and body of /readyz."""
    try:
        with urllib.request.urlopen(f"http://{server.ready['http']}/readyz",
                                    timeout=d.WAIT) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as why:
        return why.code, why.read().decode()


def harmed(what, harm, room):
    """What it is that cannot be seen: moves after the harm are told as stored."""
    clocks = d.Clocks(stands=True)
    server = d.Daemon(env=clocks.env, data=os.path.join(room, "data"))
    path = os.path.join(server.data, "sobremesa.db")
    table, peers = d.sit(server, "hacienda", 2)
    chance = random.Random(1)
    d.play(table, peers, chance, 10)
    told(server, "backup", os.path.join(room, "old.db"))
    shutil.copy(os.path.join(room, "old.db"), path + ".old")
    harm(path)
    d.play(table, peers, chance, 10)
    before = peers[0].call("table.replay", table=table)["plies"]

    clocks.passes(server, lambda peer: ready(server)[0] == 503)
    status, words = ready(server)
    is_(status, 503, f"{what}: it is noticed")
    ok("place" in words, f"{what}: /readyz says what it is")
    says(ctl(server, "status"), "moved, replaced or removed",
         f"{what}: status, too")
    fails(ctl(server, "backup", os.path.join(room, "new.db")), 1,
          "another file is in the place", f"{what}: no backup is made of it")
    verified = ctl(server, "verify", "--all")
    if not ok(verified[0] == 1 and "moved, replaced or removed" in verified[1],
              f"{what}: nor is it called whole"):
        diag(verified)
    ok(refused(peers[0], "storage_unavailable", "table.create", game="hacienda",
               seats=2) is not None, f"{what}: nothing is told as stored")
    is_(peers[0].call("table.replay", table=table)["plies"], before,
        f"{what}: but it can be read")

    d.until(lambda: "could not be copied" in server.stderr() or
            "all that was stored until now is in" in server.stderr())
    kept = glob.glob(os.path.join(server.data, "rescued-*.db"))
    is_(len(kept), 1, f"{what}: a copy is made")
    clocks.go()
    is_(server.stop()[0], 0, f"{what}: it ends in order")
    got = ctl(server.data, "restore", *kept)
    if not ok(got[0] == 0, f"{what}: the copy is restored"):
        diag(got)
    server = d.Daemon(data=server.data)
    peer = server.peer()
    peer.call("session.resume", token=peers[0].token)
    after = [p for p in peer.call("table.replay", table=table)["plies"]
             if p.get("kind") != "restored"]
    is_(after[:len(before)], before, f"{what}: with every move")
    is_(server.stop()[0], 0, f"{what}: end")


for words, harm in HARMS.items():
    with tempfile.TemporaryDirectory() as where:
        harmed(words, harm, where)

# Time alone proves nothing.
clock = d.Clocks(stands=True)
with d.Daemon(env=clock.env) as calm:
    clock.go_on(10, 5000)
    is_(ready(calm)[0], 200, "where nothing is moved nothing is noticed")
    clock.go()
done_testing()
