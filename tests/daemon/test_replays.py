"""sobremesactl rules check: a change of rules that nobody raised the revision
for is planted in one of two programs; exactly the tables that it concerns are
named, with the first ply at which they differ, whether they run, are over or
were never begun, from a running server's directory or a backup, and nothing is
written to either."""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile

import daemon as d
from ctl import ctl, fails, told
from tap import diag, done_testing, is_, ok

REAL = os.path.join(d.BIN, "sobremesad")
PLANTED = os.path.join(d.BIN, "..", "test", "daemon", "planted")


def run(program, option, path, plant="", text=""):
    return subprocess.run([program, option, path], input=text, text=True,
                          capture_output=True, check=False, timeout=d.WAIT,
                          env={**os.environ, "PLANT": plant})


def check(path, plant, printed):
    """What the planted program finds, by table; and its last line."""
    done = run(PLANTED, "--check-replays", path, plant, printed)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if not lines:
        diag(done.stderr)
        return None, None
    found = {x["table"]: (x["ply"], x["what"]) for x in lines if "table" in x}
    return found, lines[-1]


def plies(admin, table):
    """The log, as JSON."""
    lines = d.record(admin, table, "admin.export")[1:]
    return [x for x in map(json.loads, lines) if "ply" in x]


def first(log, verb, **args):
    """The first ply with that move, or None."""
    for x in log:
        move = x.get("move", {})
        if move.get("verb") == verb and all(
                move.get(k) == v for k, v in args.items()):
            return x["ply"]
    return None


def made(server, chance):
    """Tables of all kinds."""
    tables = []
    for game, seats, moves in [
            ("tictactoe", 2, None)] * 5 + [("tictactoe", 2, 1)] * 3 + [
            ("hacienda", 2, 70), ("hacienda", 2, 40), ("hacienda", 3, 6),
            ("hacienda", 2, 0), ("hadara", 2, 100), ("hadara", 2, 60),
            ("hadara", 3, 5), ("greement", 2, 60), ("greement", 3, 30),
            ("greement", 2, 0)]:
        table, peers = d.sit(server, game, seats)
        d.play(table, peers, chance, moves, undo=0.1)
        tables.append(table)
    peers[0].call("table.resign", table=table)
    open_one = peers[0].call("table.create", game="hacienda",
                             seats=4)["table"]
    server.operator().call("admin.abandon", table=open_one)
    tables += [open_one, peers[0].call("table.create", game="greement",
                                       seats=2)["table"]]
    return tables


def whole(path):
    """A hash of a file."""
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


PLANTS = {
    "state": (["state"], lambda log: first(log, "harvest")),
    "points": (["points"], lambda log: first(log, "buy_silver")),
    "undo": (["undo"], lambda log: first(log, "buy_land")),
    "log": (["log"], lambda log: first(log, "place", cell="b2")),
    "turn": (["turn"], lambda log: first(log, "place")),
    "member": ([], lambda log: None),
    "": ([], lambda log: None),
}

room = tempfile.TemporaryDirectory()
with d.Daemon() as server:
    chance = d.chance("replays")
    tables = made(server, chance)
    logs = {t: plies(server.operator(), t) for t in tables}
    # Chance may not have played what somebody's plant is about.
    for game, plant in [("hacienda", "state"), ("hadara", "points"),
                        ("greement", "undo"), ("tictactoe", "log")]:
        while not any(map(PLANTS[plant][1], logs.values())):
            table, peers = d.sit(server, game, 2)
            d.play(table, peers, chance, 60)
            tables.append(table)
            logs[table] = plies(server.operator(), table)
    printed = run(REAL, "--print-replays", server.data).stdout

    for plant, (what, concerned) in PLANTS.items():
        wanted = {t: (concerned(log), what) for t, log in logs.items()
                  if concerned(log) is not None}
        found, end = check(server.data, plant, printed)
        if plant == "state":  # a peso may be worth a point
            found = {t: (ply, [w for w in what if w != "points"])
                     for t, (ply, what) in found.items()}
        is_(found, wanted, f"planted {plant or 'nothing'}: "
                           f"{len(wanted)} of {len(tables)} tables differ")
        is_((end["compared"], end["different"], end["tables"]),
            (True, len(wanted), len(tables)), "and they are counted")
        if plant not in ("", "member"):
            ok(wanted, "some do")

    # sobremesactl, with the older program being the odd one.
    os.environ["PLANT"] = "state"
    status, out, _ = ctl(server, "rules", "check", "--old", PLANTED)
    named = [line.split()[0] for line in out.splitlines()[1:-1]]
    is_((status, sorted(named)),
        (1, sorted(t for t, log in logs.items() if first(log, "harvest"))),
        "sobremesactl rules check names them, and says so by its status")
    os.mkdir(os.path.join(room.name, "bin"))
    os.symlink(os.path.abspath(PLANTED),
               os.path.join(room.name, "bin", "sobremesad"))
    path = os.environ["PATH"]
    os.environ["PATH"] = os.path.join(room.name, "bin") + ":" + path
    is_(ctl(server, "rules", "check"), (status, out, ""),
        "the older program is the one in PATH")
    os.environ["PATH"] = path
    os.environ["PLANT"] = ""
    is_(told(server, "rules", "check", "--old", PLANTED),
        {"compared": True, "different": 0, "found": [],
         "plies": sum(map(len, logs.values())), "tables": len(tables)},
        "and nothing where nothing differs")
    status, out, err = ctl(server, "rules", "check", "--old", "/bin/true")
    ok(status == 0 and "not states and points" in out,
       "with a program that cannot tell it compares the logs only, and says so")
    fails(ctl(server, "rules", "check", "--old", "/bin/false"), 1, "failed",
          "an older program that fails is no good result")

    # What was played since the older program looked is no difference.
    table, peers = d.sit(server, "hacienda", 2)
    d.play(table, peers, d.chance("few"), 5)
    found, end = check(server.data, "", printed)
    is_((found, end["tables"]), ({}, len(tables) + 1),
        "plies and tables that came later do not count")

    copy = os.path.join(room.name, "copy.db")
    ctl(server, "backup", copy)
    found, end = check(copy, "state", printed)
    is_(len(found), len(named), "a backup does as well")

# A file of an older schema, without a server.
store = sqlite3.connect(copy)
store.executescript("DROP TABLE audit; PRAGMA user_version = 2")
store.close()
was = whole(copy)
found, end = check(copy, "state", run(REAL, "--print-replays", copy).stdout)
is_(len(found), len(named), "a file of an older version is read as it is")
is_((whole(copy), os.path.exists(copy + "-wal")), (was, False),
    "and not changed")

# What the older program says must be whole.
cut = "".join(printed.splitlines(True)[:-2])
done = run(PLANTED, "--check-replays", copy, text=cut)
ok(done.returncode == 1 and "did not say all" in done.stderr,
   "an older program that was cut short is no good result")
done = run(PLANTED, "--check-replays", copy, text="nonsense\n")
ok(done.returncode == 1 and "understood" in done.stderr, "nor is nonsense")

# Nobody to compare with: the log has to fit its rules and the store's row.
found, end = check(copy, "log", "")
is_((end["compared"], set(found)),
    (False, {t for t, log in logs.items() if first(log, "place", cell="b2")}),
    "alone, what cannot be replayed is named")
found, end = check(copy, "turn", "")
is_(found, {t: (first(log, "place"), ["turn"]) for t, log in logs.items()
            if first(log, "place")},
    "and where somebody else is waited for than lists showed")
store = sqlite3.connect(copy)
store.execute("UPDATE tables SET state = 1 WHERE number = 1")
store.commit()
store.close()
found, end = check(copy, "", "")
is_(list(found), tables[:1], "and a table that is not over in the store only")

shutil.copy(__file__, copy)
done = run(PLANTED, "--check-replays", copy)
ok(done.returncode == 1 and "Sobremesa's" in done.stderr,
   "what is no store is refused")
done_testing()
