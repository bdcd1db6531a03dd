"""Damage to the store's file, planted as a disk does it: pages of a tree, of an
index, of the list of free ones, the header, the end.  Nothing calls such a file
whole; a server that comes upon it writes no more, says so everywhere, and reads
what can be read; one that was killed looks by itself."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import urllib.error
import urllib.request

import daemon as d
from ctl import ctl, fails, says, told
from liar import Liar
from tap import diag, done_testing, is_, ok

PAGE = 4096


def pages_of(path, name):
    """The pages of the tree NAME: all below its root."""
    store = sqlite3.connect(path)
    root = store.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?",
                         (name,)).fetchone()[0]
    store.close()
    found = [root]
    with open(path, "rb") as file:
        for page in found:
            file.seek((page - 1) * PAGE)
            head = file.read(PAGE)
            if head[0] in (2, 5):  # an inner one: its children
                cells = int.from_bytes(head[3:5], "big")
                found.append(int.from_bytes(head[8:12], "big"))
                for cell in range(cells):
                    at = int.from_bytes(head[12 + 2 * cell:14 + 2 * cell],
                                        "big")
                    found.append(int.from_bytes(head[at:at + 4], "big"))
    return found


def overwrite(path, at, what=b"\x55" * 512):
    with open(path, "r+b") as file:
        file.seek(at)
        file.write(what)


def a_store(data):
    """A store with finished and running tables, holes, and no WAL."""
    with d.Daemon(data=data) as server:
        tables = []
        for number in range(3):
            table, peers = d.sit(server, "hacienda", 2)
            d.play(table, peers, random.Random(number), 40)
            tables.append(table)
            for peer in peers:
                peer.close()
    path = os.path.join(data, "sobremesa.db")
    store = sqlite3.connect(path)  # some pages that are free
    store.execute("CREATE TABLE holes (text TEXT)")
    store.executemany("INSERT INTO holes VALUES (?)", [("x" * 3000,)] * 40)
    store.commit()
    store.execute("DROP TABLE holes")
    store.commit()
    store.close()
    return path, tables


def free_page(path):
    with open(path, "rb") as file:
        file.seek(32)
        return int.from_bytes(file.read(4), "big")


def spoil(path, where):
    """Plants one kind of damage."""
    size = os.path.getsize(path)
    if where == "the log":
        overwrite(path, (pages_of(path, "log")[-1] - 1) * PAGE)
    elif where == "an index":
        store = sqlite3.connect(path)  # an entry that its row does not know
        page = pages_of(path, "accounts_name")[-1]
        store.close()
        overwrite(path, page * PAGE - 24, b"\x41" * 12)
    elif where == "the free list":
        overwrite(path, (free_page(path) - 1) * PAGE)
    elif where == "the header":
        overwrite(path, 0)
    elif where == "the schema":
        overwrite(path, 100)
    elif where == "the end":
        with open(path, "r+b") as file:
            file.truncate(size // 2 // PAGE * PAGE)
    elif where == "a link":
        store = sqlite3.connect(path)
        store.execute("UPDATE log SET before = before + 1 WHERE ply = 5")
        store.commit()
        store.close()
    elif where == "a reference":
        store = sqlite3.connect(path)
        store.execute("INSERT INTO notes VALUES (77, 1, 'of no table')")
        store.commit()
        store.close()


def get(server, path):
    """Status and body."""
    try:
        with urllib.request.urlopen(
                f"http://{server.ready['http']}{path}",
                timeout=d.WAIT) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as why:
        return why.code, why.read().decode()


def ready(server):
    return get(server, "/readyz")[0]


def health(server):
    return told(server, "status")["store"]


def files(room, whole):
    """Each kind of damage in a file by itself."""
    says(ctl(None, "verify", whole), "the file is whole; of 3 tables 0 are",
         "verify FILE: a whole store")
    before = os.stat(whole)
    is_(sorted(os.listdir(os.path.dirname(whole)))[-1], "sobremesa.db",
        "verify FILE: leaves nothing beside it")
    is_((os.stat(whole).st_mtime_ns, os.stat(whole).st_size),
        (before.st_mtime_ns, before.st_size), "verify FILE: changes nothing")
    for where in ("the log", "an index", "the free list", "the header",
                  "the schema", "the end", "a link", "a reference"):
        path = os.path.join(room, "spoilt.db")
        shutil.copy(whole, path)
        spoil(path, where)
        got = ctl(None, "verify", path)
        if not ok(got[0] == 1 and "damaged" in got[1],
                  f"verify FILE: {where}"):
            diag(got)
        got = ctl(os.path.join(room, "none"), "restore", path)
        if not ok(got[0] == 1 and "damaged" in got[2],
                  f"restore: {where}"):
            diag(got)
    ok(not os.path.exists(os.path.join(room, "none", "sobremesa.db")),
       "restore: nothing of it is in place")
    # A move that somebody has changed: SQLite cannot know.
    path = os.path.join(room, "changed.db")
    shutil.copy(whole, path)
    store = sqlite3.connect(path)
    store.execute("UPDATE log SET line = replace(line, '\"seat\":0', "
                  "'\"seat\":1') WHERE id = (SELECT max(id) FROM log "
                  "WHERE line LIKE '%\"seat\":0%' AND ply > 9)")
    store.commit()
    store.close()
    got = ctl(None, "verify", path)
    ok(got[0] == 1 and "the file is whole; of 3 tables 1 are wrong" in got[1]
       and "/chain" in got[1], "verify FILE: a line that was changed")
    path = os.path.join(room, "nobody.db")
    shutil.copy(whole, path)
    store = sqlite3.connect(path)
    store.execute("INSERT INTO tokens VALUES (1, 77, zeroblob(32), '', 0, 0, 0)")
    store.commit()
    store.close()
    is_(ctl(None, "verify", path)[0], 0,
        "verify FILE: an account that is gone is no damage")
    is_(told(None, "verify", whole), {
        "ok": True, "file": None, "checked": 3, "newer": 0, "wrong": []},
        "verify FILE: --json")
    got = ctl(None, "verify", room + "/nothing.db")
    ok(got[0] == 1 and "No such file" in got[1], "verify FILE: no such file")


def backups(room, whole):
    """A server on a damaged file backs up nothing, and says so."""
    data = os.path.join(room, "backups")
    os.mkdir(data)
    path = os.path.join(data, "sobremesa.db")
    shutil.copy(whole, path)
    with d.Daemon(data=data) as server:
        is_(health(server)["backup"], None, "status: no backup yet")
        says(ctl(server, "status"), "backup       there is none", "status")
        good = os.path.join(room, "good.db")
        told(server, "backup", good)
        is_(health(server)["backup"]["bytes"], os.path.getsize(good),
            "status: the last good backup")
        told(server, "backup", os.path.join(room, "gone.db"))
        at = health(server)["backup"]["at"]
    is_(ctl(None, "verify", good)[0], 0, "backup: verify says it is whole")
    spoil(path, "the log")
    with d.Daemon(data=data) as server:
        is_(ready(server), 200, "damaged: not noticed at the start")
        is_(health(server)["backup"]["at"], at,
            "status: the last backup is known after a start")
        bad = os.path.join(room, "bad.db")
        fails(ctl(server, "backup", bad), 1, "damaged",
              "backup: of a damaged store is refused")
        is_([f for f in os.listdir(room) if "bad.db" in f], [],
            "backup: nothing of it is left")
        old = os.path.join(room, "old")
        os.mkdir(old)
        for day in range(9):
            shutil.copy(good, f"{old}/sobremesa-2020010{day + 1}T000000Z.db")
        ok(ctl(server, "backup", "--rotate", old)[0] == 1 and
           len(os.listdir(old)) == 9, "backup: and no older one goes")
        is_(health(server)["backup"]["at"], at,
            "backup: and the last good one is the last good one")
        d.comes(lambda: ready(server) == 503,
                "backup: then the store itself is looked at, and /readyz turns")
        ok("damaged" in get(server, "/readyz")[1], "/readyz says why")
    os.symlink(os.path.join(room, "elsewhere"), os.path.join(room, "link.db"))
    with d.Daemon(data=os.path.join(room, "fresh")) as server:
        fails(ctl(server, "backup", os.path.join(room, "link.db")), 1,
              "File exists", "backup: follows no link")
        ok(not os.path.exists(os.path.join(room, "elsewhere")),
           "backup: and makes nothing where it leads")
        shutil.copy(good, os.path.join(room, "x.db.sobremesa-part"))
        told(server, "backup", os.path.join(room, "x.db"))
        is_(told(None, "verify", os.path.join(room, "x.db"))["checked"], 0,
            "backup: a part that a dead one left is not taken for it")


class Held(Liar):
    """Honest, but keeps the answer of number COUNT until SIGNALLED."""

    def __init__(self, back, folder, count):
        self.left = count
        self.held, self.signalled = threading.Event(), threading.Event()
        super().__init__(back, folder)

    def _lie(self, message):
        self.left -= 1
        if self.left == 0:
            self.held.set()
            self.signalled.wait(d.WAIT)
        return json.dumps(message).encode() + b"\n"


def stopped(server, room):
    """Ctrl-C, whichever answer is waited for, is an end that is told."""
    for count in range(1, 7):
        folder = os.path.join(room, f"held{count}")
        os.mkdir(folder)
        with Held(server.ready["admin"], folder, count) as between:
            verify = subprocess.Popen(
                [os.path.join(d.BIN, "sobremesactl"), "--data", folder,
                 "verify", "--all"], stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True)
            ok(between.held.wait(d.WAIT),
               f"verify --all: answer {count} is waited for")
            verify.send_signal(signal.SIGINT)
            between.signalled.set()
            out, err = verify.communicate(timeout=d.WAIT)
            # Before the check has begun there is nothing to stop.
            if not ok(verify.returncode == -signal.SIGINT if count == 1 else
                      verify.returncode == 1 and "stopped before the end" in err
                      and "closed" not in err,
                      f"verify --all: Ctrl-C at answer {count}"):
                diag((verify.returncode, out, err))


def running(room, whole, tables):
    """What a server does that comes upon damage."""
    data = os.path.join(room, "running")
    os.mkdir(data)
    path = os.path.join(data, "sobremesa.db")
    shutil.copy(whole, path)
    spoil(path, "the log")
    with d.Daemon(data=data) as server:
        got = ctl(server, "verify", "--all")
        ok(got[0] == 1 and "the file is damaged" in got[1],
           "verify --all: looks at the file")
        is_(ready(server), 503, "/readyz has turned")
        store = health(server)
        ok(store["damage"] and not store["writable"] and
           store["check"]["state"] == "damaged", "status tells of it")
        says(ctl(server, "status"), "DAMAGED", "and to people")
        ok("sobremesa_store_damaged 1" in
           get(server, "/metrics")[1],
           "/metrics tell of it")
        peer = server.peer()
        try:
            peer.call("account.guest")
            ok(False, "nothing is written")
        except d.Refused as why:
            is_(why.reason, "storage_unavailable", "nothing is written")
        ok(peer.call("table.list")["tables"] is not None,
           "what can be read is read")
        size = os.path.getsize(path + "-wal")
        fails(ctl(server, "vacuum"), 1, "storage_unavailable",
              "vacuum is refused")
        is_(ready(server), 503, "it stays so")
        is_(os.path.getsize(path + "-wal"), size, "the WAL is left alone")
    ok(os.path.exists(path + "-wal"),
       "and at the end, too: nothing is copied over what is damaged")
    # Any question that comes upon it is enough.
    shutil.copy(whole, path)
    os.remove(path + "-wal")
    spoil(path, "the log")
    with d.Daemon(data=data) as server:
        for table in tables:
            ctl(server, "export", table)
        is_(ready(server), 503, "a question that comes upon it")
    # After a kill nobody needs to ask.
    shutil.copy(whole, path)
    for end in ("-wal", "-shm"):
        if os.path.exists(path + end):
            os.remove(path + end)
    with d.Daemon(data=data) as server:
        is_(health(server)["check"]["state"], "never",
            "an orderly end: nobody looks")
        server.stop(9)
    with d.Daemon(data=data) as server:
        d.comes(lambda: health(server)["check"]["state"] == "whole",
                "killed: all of the file is looked at by itself")
        is_(ready(server), 200, "and is whole")
        server.stop(9)
    spoil(path, "the log")
    with d.Daemon(data=data) as server:
        d.comes(lambda: ready(server) == 503,
                "killed and damaged: /readyz turns by itself")
    got = ctl(data, "restore", os.path.join(room, "good.db"))
    is_(got[0], 0, "a backup in its place")
    with d.Daemon(data=data) as server:
        is_(ready(server), 200, "and all is well")
        stopped(server, room)
        got = ctl(server, "verify", "--all")
        is_(got[:2], (0, "The file is whole.\nok: 3 tables\n"),
            "verify --all says so")
        is_(told(server, "verify", "--all")["file"], None,
            "verify --all: --json")


def starts(room, whole):
    """Damage that keeps it from starting is told with what to do."""
    for where in ("the header", "the schema"):
        data = os.path.join(room, where.replace(" ", "-"))
        os.mkdir(data)
        path = os.path.join(data, "sobremesa.db")
        shutil.copy(whole, path)
        spoil(path, where)
        try:
            d.Daemon(data=data)
            ok(False, f"no start: {where}")
        except ChildProcessError as why:
            ok(str(why).startswith("1: "), f"no start: {where}")


with tempfile.TemporaryDirectory() as room:
    os.mkdir(room + "/whole")
    whole, tables = a_store(room + "/whole")
    files(room, whole)
    backups(room, whole)
    running(room, whole, tables)
    starts(room, whole)
done_testing()
