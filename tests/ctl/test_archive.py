"""sobremesactl tables archive: finished games go out into files and, verified
there, out of the store; killed at any step nothing is lost, and the next run goes
on; what went comes back as it was."""

import json
import os
import random
import shutil
import subprocess
import tempfile

import daemon as d
from ctl import ctl, fails, refused, says, told
from tap import diag, done_testing, is_, ok

CHANCE = random.Random(12)
STRACE = shutil.which("strace")
ASAN = "ASAN" in os.environ


def finished_game(server, game="tictactoe", **options):
    table, peers = d.sit(server, game, 2, **options)
    d.play(table, peers, CHANCE)
    return table, peers


def verify(path):
    return subprocess.run([os.path.join(d.BIN, "sobremesa"), "verify", path],
                          capture_output=True, check=False).stdout


def store_of(server):
    return told(server, "status")["store"]


def archived(server):
    return {t["table"] for t in told(server, "tables", "list", "--state",
                                     "archived", "--limit", "0")["tables"]}


def there_and_back(server, room):
    long, peers = finished_game(server, "hacienda", private=True,
                                password="sesame")
    peers[0].call("table.chat", table=long, text="well played")
    peers[0].call("table.note", table=long, text="next time wheat first")
    user = peers[0].call("table.get", table=long)["table"]["seats"][0]["name"]
    record = ctl(server, "tables", "export", long)[1]
    running, players = d.sit(server, "hacienda", 2)
    d.play(running, players, CHANCE, 10)
    short, _ = finished_game(server)
    later = str(d.day(2))

    fails(ctl(server, "tables", "archive", room), 64, "--before",
          "archive: of when?")
    fails(ctl(server, "tables", "archive", "--before", "soon", room), 64,
          "expected", "archive: no time")
    says(ctl(server, "tables", "archive", "--before", "1d", "--dry-run", room),
         "No finished game is that old", "archive: nothing is old enough")
    got = told(server, "tables", "archive", "--before", later, "--dry-run",
               room)
    is_({t["table"] for t in got["tables"]}, {long, short},
        "archive: --dry-run tells which")
    is_((os.listdir(room), archived(server)), ([], set()),
        "archive: and does nothing")
    fails(ctl(server, "tables", "archive", "--before", later,
              room + "/none"), 1, "No such file", "archive: no directory")
    before = store_of(server)["free"]
    got = told(server, "tables", "archive", "--before", later, room)
    is_((got["archived"], got["failed"]), (2, 0), "archive: done")
    is_(sorted(os.listdir(room)), sorted([f"{long}.record",
                                          f"{short}.record"]),
        "archive: a file for each")
    for table in (long, short):
        path = f"{room}/{table}.record"
        is_(verify(path), b"ok\n", "archive: sobremesa verify accepts it")
        is_(os.stat(path).st_mode & 0o777, 0o600, "archive: private")
    with open(f"{room}/{long}.record", encoding="utf-8") as file:
        is_(file.read(), record, "archive: the record as it was published")
    ok(store_of(server)["free"] > before, "archive: the store has more room")
    is_(archived(server), {long, short}, "archive: administrators see which")

    ok(refused(peers[0], "archived", "table.get", table=long) and
       refused(peers[0], "archived", "table.watch", table=long) and
       refused(peers[0], "archived", "table.note", table=long),
       "archive: its players hear so")
    stranger = server.peer()
    stranger.call("account.guest")
    ok(refused(stranger, "no_such_table", "table.get", table=long),
       "archive: a stranger hears nothing of a private table")
    fails(ctl(server, "tables", "export", long), 1, "archived",
          "archive: no export")
    for method in ("me.tables", "table.list"):
        ok(long not in json.dumps(peers[0].call(method)),
           f"archive: {method} does without")
    says(ctl(server, "users", "export", user), long,
         "archive: what is stored about its players names it")
    is_(ctl(server, "verify", "--all")[0], 0, "archive: verify --all")
    is_(ctl(server, "tables", "archive", "--before", later, room)[0], 0,
        "archive: again: nothing is left to do")
    is_(told(server, "audit", "--table", long)["changes"][0]["method"],
        "admin.archive", "archive: is noted")

    # The record of another game, and one that somebody has changed.
    with open(f"{room}/{long}.record", encoding="utf-8") as file:
        lines = file.read().splitlines()
    bad = f"{room}/bad"
    with open(bad, "w", encoding="utf-8") as file:
        file.write("\n".join(lines[:-2] + lines[-1:]) + "\n")
    ok(ctl(server, "tables", "import", bad)[0] == 1, "import: a spoilt record")
    os.remove(bad)
    is_(ctl(server, "tables", "import", f"{room}/{long}.record")[:2],
        (0, long + "\n"), "import: it has its own id again")
    is_(ctl(server, "tables", "export", long)[1], record,
        "import: and its record")
    table = peers[0].call("table.get", table=long)["table"]
    ok(table["private"] and table["state"] == "finished",
       "import: as private as it was")
    ok("well played" in json.dumps(peers[0].call("table.texts", table=long)),
       "import: what was said is there")
    is_(peers[0].call("table.note", table=long)["text"],
        "next time wheat first", "import: and the note")
    ok(refused(stranger, "no_such_table", "table.get", table=long),
       "import: still nothing for a stranger")
    copy = ctl(server, "tables", "import", f"{room}/{long}.record")
    ok(copy[0] == 0 and copy[1].strip() != long,
       "import: what is here already gets another id, as always")
    is_(ctl(server, "verify", "--all")[0], 0, "import: verify --all")


def refused_file(server, room):
    """A file of that name that is not the record keeps the game in the store."""
    table, _ = finished_game(server)
    path = f"{room}/{table}.record"
    with open(path, "w", encoding="utf-8") as file:
        file.write("{}\n")
    got = ctl(server, "--json", "tables", "archive", "--before", "2099-01-01",
              room)
    ok(got[0] == 1 and table not in archived(server),
       "archive: a file that is no record is not taken for one")
    os.remove(path)
    os.symlink("/dev/null", path)
    got = ctl(server, "tables", "archive", "--before", "2099-01-01", room)
    ok(got[0] == 1 and table not in archived(server),
       "archive: nor is a link followed")
    os.remove(path)
    is_(ctl(server, "tables", "archive", "--before", "2099-01-01", room)[0], 0,
        "archive: then it goes")


def killed(server, room):
    """Killed before each write, sync, rename and request."""
    steps = 0
    for call in ("write", "fsync", "renameat2", "sendto", "openat"):
        for when in range(1, 60):
            if call == "openat" and when < 8:
                continue  # the loader's
            table, _ = finished_game(server)
            done = subprocess.run(
                [STRACE, "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e",
                 f"inject={call}:signal=SIGKILL:when={when}",
                 os.path.join(d.BIN, "sobremesactl"), "--data", server.data,
                 "tables", "archive", "--before", "2099-01-01", room],
                capture_output=True, check=False)
            path = f"{room}/{table}.record"
            gone = table in archived(server)
            if (gone or os.path.exists(path)) and verify(path) != b"ok\n":
                ok(False, f"killed at {call} {when}: the file is whole")
            if not gone and ctl(server, "verify", table)[0] != 0:
                ok(False, f"killed at {call} {when}: the game is here")
            again = ctl(server, "tables", "archive", "--before", "2099-01-01",
                        room)
            if again[0] != 0 or table not in archived(server) or \
                    verify(path) != b"ok\n":
                diag(again)
                ok(False, f"killed at {call} {when}: the next run goes on")
            if done.returncode == 0:
                break
            steps += 1
    ok(steps > 10, f"killed at {steps} steps")
    is_([f for f in os.listdir(room) if not f.endswith(".record")], [],
        "killed: nothing half is left")
    is_(ctl(server, "verify", "--all")[0], 0, "killed: verify --all")


with tempfile.TemporaryDirectory() as room:
    for name in ("a", "b", "c"):
        os.mkdir(f"{room}/{name}")
    with d.Daemon(data=room + "/data") as server:
        there_and_back(server, room + "/a")
        refused_file(server, room + "/b")
        if STRACE and not ASAN:  # the leak sanitizer and strace are at odds
            killed(server, room + "/c")
        left = archived(server)
    with d.Daemon(data=room + "/data") as server:
        is_(archived(server), left, "after a start all is as it was")
        is_(ctl(server, "verify", "--all")[0], 0, "and true")
        told(server, "vacuum")
        is_(ctl(server, "verify", "--all")[0], 0, "also without its holes")
    is_(ctl(None, "verify", room + "/data/sobremesa.db")[0], 0,
        "verify FILE knows of archived ones")
done_testing()
