"""sobremesactl backup and restore: a copy made while people play is whole and
true, is put in place elsewhere, and play goes on with draws that nobody has
seen; what cannot be restored is refused and changes nothing."""

import json
import os
import random
import shutil
import sqlite3
import tempfile
import threading

import daemon as d
from ctl import ctl, fails, refused, says, told
from tap import done_testing, is_, ok

APART = 2 ** 32


class Players(threading.Thread):
    """A table that is played at, one game after the other, until stop()."""

    def __init__(self, server, seed):
        super().__init__()
        self.chance = random.Random(seed)
        self.table, self.peers = d.sit(server, "hacienda", 2)
        self.tokens = []
        self.ended = threading.Event()
        self.count, self.error = 0, None

    def run(self):
        try:
            while not self.ended.is_set():
                if d.play(self.table, self.peers, self.chance, 5, undo=0.1):
                    break
                self.count += 1
        except Exception as why:  # said in the test's own thread
            self.error = why

    def stop(self):
        self.ended.set()
        self.join(d.WAIT)


def tree(data):
    """What is in a directory, but for what a server leaves there itself."""
    return sorted(f for f in os.listdir(data)
                  if f not in ("lock", "admin.sock"))


def sql(path, text):
    store = sqlite3.connect(path)
    rows = store.execute(text).fetchall()
    store.commit()
    store.close()
    return rows


def drawn(peer, table):
    """Nature's moves so far, those that were taken back among them."""
    return [json.dumps(p["move"]) for p in peer.call(
        "table.replay", table=table)["plies"] if p.get("seat") == "nature"]


def back_up(server, room):
    """A backup while six tables are played at: its path, and a table that ran
    on, with those who sit there and their tokens."""
    tokens = []
    for name in ("Anna", "Ben"):
        peer = server.peer()
        tokens.append(peer.call("account.register", name=name,
                                password="long enough")["token"])
        tokens.append(peer)
    peers = tokens[1::2]
    table = peers[0].call("table.create", game="hacienda", seats=2)["table"]
    opened = peers[0].call("table.create", game="hacienda", seats=2)["table"]
    peers[1].call("table.join", table=table)
    d.play(table, peers, random.Random(3), 10)
    finished, others = d.sit(server, "tictactoe", 2)
    d.play(finished, others, random.Random(4))
    players = [Players(server, seed) for seed in range(4)]
    for one in players:
        one.start()
    copies = []
    for number in range(3):
        while (any(p.is_alive() and p.count < 3 * number for p in players)
               and not any(p.error for p in players)):
            players[0].join(0.01)
        path = os.path.join(room, f"copy{number}.db")
        copies.append((path, told(server, "backup", path)["bytes"]))
    for one in players:
        one.stop()
    is_([p.error for p in players], [None] * 4,
        "backup: nobody who plays notices")
    ok(min(p.count for p in players) > 0,
       f"backup: while {sum(p.count for p in players) * 5} moves were made")
    for path, size in copies:
        ok(os.path.getsize(path) == size and
           sql(path, "PRAGMA integrity_check") == [("ok",)],
           f"backup: {os.path.basename(path)} is whole")
        is_(os.stat(path).st_mode & 0o777, 0o600, "backup: and private")
    fails(ctl(server, "backup", copies[0][0]), 1, "File exists",
          "backup: never over another file")
    fails(ctl(server, "backup", room + "/none/x.db"), 1, "No such file",
          "backup: no such directory")
    fails(ctl(server, "backup"), 64, "which FILE", "backup: to which file?")
    is_(sorted(f for f in os.listdir(room) if "part" in f), [],
        "backup: nothing half is left")
    near = os.path.relpath(os.path.join(room, "near.db"))
    ok(ctl(server, "backup", near)[0] == 0 and os.path.exists(near),
       "backup: a path from here")
    return copies[-1][0], table, opened, finished, peers, tokens[0::2]


def refusals(room, good, data, before):
    """What is not restored into DATA, where a valid store is."""
    def not_restored(path, words, what):
        got = ctl(data, "restore", path)
        fails(got, 1, words, f"restore: {what}")
        is_(tree(data), before, f"restore: {what}: all is as it was")

    not_restored(room + "/none", "cannot read", "no such file")
    not_restored(room, "it is a directory", "a directory")
    os.mkfifo(room + "/fifo")
    not_restored(room + "/fifo", "it is a pipe", "a pipe")
    got = ctl(None, "verify", room + "/fifo")
    ok(got[0] == 1 and "it is a pipe" in got[1] + got[2],
       "verify: a pipe, for which nobody waits")
    text = os.path.join(room, "text")
    with open(text, "w", encoding="utf-8") as file:
        file.write("certainly no database, but long enough\n" * 300)
    not_restored(text, "not one of Sobremesa's", "no database")
    empty = os.path.join(room, "empty")
    with open(empty, "wb"):
        pass
    not_restored(empty, "not one of Sobremesa's", "an empty file")
    foreign = os.path.join(room, "foreign.db")
    sql(foreign, "CREATE TABLE accounts (id INTEGER)")
    not_restored(foreign, "not one of Sobremesa's", "somebody else's")
    newer = os.path.join(room, "newer.db")
    shutil.copy(good, newer)
    sql(newer, "PRAGMA user_version = 999")
    not_restored(newer, "newer Sobremesa", "of a newer version")
    damaged = os.path.join(room, "damaged.db")
    shutil.copy(good, damaged)
    with open(damaged, "r+b") as file:
        for page in range(8, os.path.getsize(damaged) // 4096, 7):
            file.seek(page * 4096)
            file.write(b"\x55" * 512)
    not_restored(damaged, "damaged", "a damaged file")
    cut = os.path.join(room, "cut.db")
    shutil.copy(good, cut)
    with open(cut, "r+b") as file:
        file.truncate(os.path.getsize(good) // 2)
    not_restored(cut, "", "half a file")
    not_restored(os.path.join(data, "sobremesa.db"), "is the store itself",
                 "the store itself")
    fails(ctl(data, "restore"), 64, "which FILE", "restore: which file?")


def going_on(server, table, opened, finished, tokens, after):
    """Play after the restore; AFTER are the draws that the lost plies made."""
    peers = []
    for token in tokens:
        peer = server.peer()
        peer.call("session.resume", token=token)
        peers.append(peer)
    kinds = [p["kind"] for p in peers[0].call("table.replay",
                                              table=table)["plies"]]
    is_(kinds.count("restored"), 1, "restore: a running table is told, once")
    is_([p["kind"] for p in peers[0].call(
        "table.replay", table=opened)["plies"]].count("restored"), 1,
        "restore: and an open one")
    ok("restored" not in ctl(server, "tables", "export", finished)[1],
       "restore: a finished one is not")
    shown = told(server, "tables", "show", table)["table"]
    ok(shown["draws"] >= APART, "restore: draws go on 2^32 further")
    known = len(drawn(peers[0], table))
    chance = random.Random(6)
    while len(drawn(peers[0], table)) < known + 12:
        if d.play(table, peers, chance, 1):
            break
    ok(drawn(peers[0], table)[known:known + 8] != after[:8],
       "restore: what is drawn now is not what the lost plies drew")
    is_(ctl(server, "verify", "--all")[0], 0,
        "restore: verify --all is clean, after further play")
    ok(d.play(table, peers, chance), "restore: the game is played to its end")
    third = server.peer()
    third.call("account.guest")
    third.call("table.join", table=opened)
    is_(third.call("table.watch", table=opened)["view"]["state"], "playing",
        "restore: the open table starts")
    is_(ctl(server, "verify", table, opened)[:2], (0, "ok: 2 tables\n"),
        "restore: records with it are true")
    for peer in (*peers, third):
        peer.close()


with tempfile.TemporaryDirectory() as room:
    data, elsewhere = os.path.join(room, "data"), os.path.join(room, "else")
    with d.Daemon(data=data) as server:
        path, table, opened, finished, peers, tokens = back_up(server, room)
        ply = peers[0].call("table.get", table=table)["table"]["ply"]
        seen = len(drawn(peers[0], table))
        d.play(table, peers, random.Random(6), 40)
        lost = drawn(peers[0], table)[seen:]
        fails(ctl(server, "restore", path), 1, "in use by another process",
              "restore: not under a running server")
        is_(peers[0].call("table.get", table=table)["table"]["table"], table,
            "restore: which goes on")
        is_(ctl(server, "verify", "--all")[0], 0,
            "verify --all where it was made")

    # Elsewhere: a new machine.
    status, out, err = ctl(elsewhere, "restore", path)
    ok(status == 0 and "is in place" in out and "kept" not in out,
       "restore: into a new directory")
    is_(tree(elsewhere), ["sobremesa.db"], "restore: it is all there is")
    with d.Daemon(data=elsewhere) as server:
        is_(ctl(server, "verify", "--all")[0], 0,
            "restore: verify --all is clean")
        going_on(server, table, opened, finished, tokens, lost)
        first = told(server, "tables", "show", finished)["table"]["ply"]
    with d.Daemon(data=elsewhere) as server:
        plies = ctl(server, "tables", "export", opened)[1]
        is_(plies.count('"kind":"restored"'), 1,
            "restore: a later start tells nobody again")

    # In place of what there is.
    before = tree(data)
    refusals(room, path, data, before)
    result = told(data, "restore", path)
    is_(result["restored"], path, "restore: --json")
    kept = result["kept"]
    ok(os.path.dirname(kept) == data and
       "sobremesa.db" in os.listdir(kept), "restore: what was there is kept")
    is_(sql(os.path.join(kept, "sobremesa.db"),
            "PRAGMA integrity_check"), [("ok",)], "restore: and whole")
    with d.Daemon(data=data) as server:
        is_(told(server, "tables", "show", table)["table"]["ply"], ply + 1,
            "restore: the table is where it was, and told")
        is_(ctl(server, "verify", "--all")[0], 0,
            "restore: in place of another, clean")
    # Back again: what was kept is a store like any other.
    told(data, "restore", os.path.join(kept, "sobremesa.db"))
    with d.Daemon(data=data) as server:
        ok(told(server, "tables", "show", table)["table"]["ply"] > ply + 40,
           "restore: and can be taken back")
        is_(len([f for f in os.listdir(data) if "before-restore" in f]), 2,
            "restore: each keeps what it found")
        is_(ctl(server, "verify", "--all")[0], 0, "restore: clean again")

    # Root does it for a server that is another user, which can come to its own
    # directory, but not to where the backup is.
    if os.geteuid() == 0:
        with tempfile.TemporaryDirectory(dir="/tmp") as other:
            shutil.copytree(data, other, dirs_exist_ok=True)
            for name in (other, *(os.path.join(other, f)
                                  for f in os.listdir(other))):
                os.chown(name, 4242, 4243)
            kept = told(other, "restore", path)["kept"]
            is_({(s.st_uid, s.st_gid) for s in map(os.stat, (
                kept, os.path.join(other, "lock"),
                os.path.join(other, "sobremesa.db"),
                os.path.join(kept, "sobremesa.db")))}, {(4242, 4243)},
                "restore: by root, all is the server's")

    # After a crash of the server, with its WAL.
    server = d.Daemon(data=data)
    peer = server.peer()
    peer.call("account.guest")
    late = peer.call("table.create", game="tictactoe", seats=2)["table"]
    server.stop(9)
    kept = told(data, "restore", path)["kept"]
    ok("sobremesa.db-wal" in os.listdir(kept) and
       tree(data).count("sobremesa.db-wal") == 0,
       "restore: the WAL goes with the store it belongs to")
    with d.Daemon(data=kept) as server:
        is_(told(server, "tables", "show", late)["table"]["state"], "open",
            "restore: so what was kept has all that was acknowledged")

    # It was broken off in the last moment.
    with open(os.path.join(data, "restoring"), "wb"):
        pass
    try:
        d.Daemon(data=data)
        ok(False, "restore: broken off: nobody opens the store")
    except ChildProcessError as why:
        ok(str(why).startswith("1: "),
           "restore: broken off: nobody opens the store")
    told(data, "restore", path)
    with d.Daemon(data=data) as server:
        is_(ctl(server, "verify", "--all")[0], 0,
            "restore: done again, all is well")
        ok(refused(server.peer(), "no_such_table", "table.get", table=late),
           "restore: and what came after the backup is not there")
        says(ctl(server, "status"), "version", "status")
done_testing()
