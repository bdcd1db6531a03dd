"""games.hadara_tables: an operator's own numbers.  They are checked before
anything is played with them, are in force for new tables, and stay with a
table for good, wherever the folder goes."""

import hashlib
import os
import shutil
import signal
import sqlite3
import subprocess

import sobremesa as s
from sobremesa import Daemon, Lines, view_hash
from tap import diag, done_testing, is_, ok

STANDARD = "core/games/hadara/data/1"
HERE = s.room()
chance = s.chance("tables")


def folder(name, *changes):
    """A copy of the standard tables with (file, old, new) changed."""
    path = os.path.join(HERE, name)
    shutil.rmtree(path, True)
    shutil.copytree(STANDARD, path)
    for file, old, new in changes:
        change(path, file, old, new)
    return path


def change(path, file, old, new):
    with open(os.path.join(path, file), encoding="utf-8") as f:
        text = f.read()
    assert old in text, old
    with open(os.path.join(path, file), "w", encoding="utf-8") as f:
        f.write(text.replace(old, new, 1))


def text_of(path):
    """What the files are as one text."""
    text = ""
    for name in sorted(os.listdir(path)):
        with open(os.path.join(path, name), encoding="utf-8") as f:
            text += f"[{name[:-4]}]\n" + f.read()
    return text


def hash_of(path):
    return hashlib.sha256(text_of(path).encode()).hexdigest()


def run(program, *args):
    done = subprocess.run([os.path.join(s.BIN, program), *args],
                          stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=s.WAIT, check=False)
    return done.returncode, done.stdout, done.stderr


def refused(path, words, what):
    for more in (["--check-config"],
                 ["--data", os.path.join(HERE, "none"), "--http", "off",
                  "--lines", "off"]):
        status, out, err = run("sobremesad", *more, "--set",
                               f"games.hadara_tables={path}")
        if not ok(status == 1 and out == "" and words in err,
                  f"{what}: {more[0]}"):
            diag(f"{status} {err}")


def choose(legal):
    ways = [(m, None) for m in legal["moves"]] + [(r["move"], r)
                                                  for r in legal["ranges"]]
    move, way = chance.choice(ways)
    if way:
        move = {**move, way["arg"]: chance.randint(way["min"], way["max"])}
    return move


def play(table, peers, moves=10 ** 6):
    for _ in range(moves):
        view = peers[0].call("table.watch", table=table)["view"]
        if view["state"] != "playing":
            return
        seat = chance.choice([i for i, x in enumerate(view["seats"])
                              if x["acting"]])
        legal = peers[seat].call("table.legal", table=table)
        peers[seat].call("table.move", table=table, move=choose(legal),
                         decision=legal["decision"])


def info(daemon):
    return Lines(daemon.lines).call("rules.info", game="hadara")


# What is wrong is said with its file and line, and nothing starts.
def test_refused():
    refused(os.path.join(HERE, "nowhere"), "nowhere: No such file",
            "no such folder")
    os.mkdir(os.path.join(HERE, "empty"))
    refused(os.path.join(HERE, "empty"), "empty: there are no .csv files",
            "an empty folder")
    card = "yellow-1-02,yellow,1,3,2"
    refused(folder("number", ("epoch_cards.csv", card,
                              "yellow-1-02,yellow,1,3,200")),
            "number/epoch_cards.csv, line 3: Numbers are from 0 to 99."
            " (bad_number)", "a number")
    refused(folder("effect", ("epoch_cards.csv", "sell_bonus", "sell_all")),
            "effect/epoch_cards.csv, line 50: There is no such effect."
            " (unknown_effect)", "an effect")
    path = folder("missing")
    os.remove(os.path.join(path, "medals.csv"))
    refused(path, "missing: All five sections must be given."
            " (missing_section)", "a file is missing")
    refused(folder("row", ("statues.csv", "4,30,22,6,published\n", "")),
            "row/statues.csv, line 1: A row of the standard tables is missing",
            "a row is missing")
    path = folder("latin")
    with open(os.path.join(path, "medals.csv"), "ab") as f:
        f.write(b"# caf\xe9\n")
    refused(path, "latin/medals.csv: The file is not UTF-8. (bad_text)",
            "not UTF-8")
    path = folder("long")
    with open(os.path.join(path, "medals.csv"), "a", encoding="ascii") as f:
        f.write("#\n" * 10000)
    refused(path, "(too_long)", "too long")
    status, _, err = run("sobremesad", "--check-config", "--set",
                         f"games.hadara_tables={folder('fine')}")
    ok(status == 0 and "good" in err, "the standard tables themselves are fine")
    ok(not os.path.exists(os.path.join(HERE, "none")), "nothing was made")


def says_tables(peer, table, path, what):
    told = peer.call("table.get", table=table)["table"]
    is_((told["board"], told["tables"], told.get("tables_csv")),
        (None, hash_of(path), text_of(path)),
        f"{what}: table.get tells its hash and numbers")
    listed = [t for t in peer.call("table.list")["tables"]
              if t["table"] == table]
    is_(listed[0]["tables"], hash_of(path), f"{what}: lists tell the hash")
    return told


def wait_for(daemon, words):
    if not s.comes(lambda: words in daemon.stderr(), f"the log says: {words}"):
        diag(daemon.stderr())


# A table's numbers are those it was made with, through reloads, restarts and
# without the folder; its record brings them along.
def test_stay():
    own = folder("own", ("epoch_cards.csv", "purple-1-01,purple,1,2,1,0,0,0,2,,"
                         "0,estimate",
                         "purple-1-01,purple,1,7,1,0,0,0,9,,0,published"),
                 ("medals.csv", "1,5,7,5,7,estimate",
                  "1,6,8,5,7,\"of our copy, 2nd \"\"printing\"\"\""))
    d = Daemon("--set", f"games.hadara_tables={own}")
    told = info(d)
    first = hash_of(own)
    is_((told["tables"]["name"], told["tables"]["hash"],
         told["tables"]["csv"]), (None, first, text_of(own)),
        "rules.info: whose tables are in force, and which numbers they are")
    notes = "\n".join(told["notes"])
    ok("purple-1-02" in notes and "purple-1-01" not in notes
       and "medals.csv: estimate: 2, 3." in notes and "2nd" in notes,
       "rules.info: what of these is not certain")
    peers = [Lines(d.lines).guest() for _ in range(2)]
    is_(peers[0].refusal("table.create", game="hadara", seats=2,
                         board={"haz": text_of(own)}).reason,
        "invalid_params", "players cannot bring numbers of their own")
    table = s.table_of(peers, "hadara")
    is_(says_tables(peers[0], table, own, "a new table")["notes"],
        told["notes"], "a new table: and what is not certain")
    view = peers[0].call("table.watch", table=table)["view"]
    is_(view["game_state"]["tables"]["cards"]["purple-1-01"]["cost"], 7,
        "its view has the numbers")
    play(table, peers, 15)

    # Another version, then one that is no good, then none.
    change(own, "epoch_cards.csv", "purple-1-01,purple,1,7",
           "purple-1-01,purple,1,8")
    d.tell(signal.SIGHUP)
    wait_for(d, "event=reloaded")
    second = hash_of(own)
    second_text = text_of(own)
    is_(info(d)["tables"]["hash"], second, "SIGHUP: the new version is in force")
    newer = s.table_of(peers, "hadara", options={"advanced": True})
    says_tables(peers[0], newer, own, "SIGHUP: a new table")
    is_(peers[0].call("table.get", table=table)["table"]["tables"], first,
        "SIGHUP: the old table keeps its own")
    change(own, "statues.csv", "1,6,4,2", "1,6,4,x")
    d.tell(signal.SIGHUP)
    wait_for(d, f"{own}/statues.csv, line 2: Numbers are from 0 to 99.")
    is_(info(d)["tables"]["hash"], second,
        "SIGHUP with bad tables: what was in force stays")
    play(table, peers, 5)
    before = {t: peers[0].call("table.watch", table=t) for t in (table, newer)}
    shutil.rmtree(own)
    d.kill()
    status, _, err = run("sobremesad", "--check-config", "--set",
                         f"games.hadara_tables={own}")
    ok(status == 1 and "No such file" in err, "the folder is gone")

    d = Daemon(data=d.data)
    is_(info(d)["tables"]["name"], "standard", "restarted without: the standard")
    ok("purple-1-01" in "\n".join(info(d)["notes"]), "and its estimates")
    peers = [Lines(d.lines).resume(p.token) for p in peers]
    for t, was in before.items():
        now = peers[0].call("table.watch", table=t)
        is_((now["chain"], view_hash(now["view"])),
            (was["chain"], view_hash(was["view"])),
            "without the folder a table is what it was")
    is_(peers[0].call("table.get", table=newer)["table"]["tables_csv"],
        second_text, "with the numbers it was made with")
    play(table, peers)
    is_(peers[0].call("table.watch", table=table)["view"]["state"], "finished",
        "it can be played to its end")
    record, at = [], 0
    while at is not None:
        page = peers[0].call("table.record", table=table, **{"from": at})
        record += page["lines"]
        at = page.get("next")
    path = os.path.join(HERE, "record")
    with open(path, "w", encoding="utf-8") as f:
        f.write("".join(line + "\n" for line in record))
    is_(run("sobremesa", "verify", path)[:2], (0, "ok\n"),
        "its record is verified by itself")
    ctl = ["--data", d.data]
    status, copy, err = run("sobremesactl", *ctl, "import", path)
    if not ok(status == 0, "and imported"):
        diag(err)
    copy = copy.strip()
    is_(peers[0].call("table.get", table=copy)["table"]["tables"], first,
        "the copy has the same numbers")
    is_(run("sobremesactl", *ctl, "export", copy)[1],
        "".join(line + "\n" for line in record), "and the same record")
    with open(path, encoding="utf-8") as f:
        text = f.read()
    with open(path, "w", encoding="utf-8") as f:
        f.write(text.replace("purple-1-01,purple,1,7", "purple-1-01,purple,1,6",
                             1))
    is_(run("sobremesa", "verify", path)[0], 1,
        "a number changed in a record is found")
    plain = s.table_of(peers, "hadara")
    is_(peers[0].call("table.get", table=plain)["table"]["tables"], None,
        "a new table has the standard numbers")
    play(newer, peers, 10)
    is_(run("sobremesactl", *ctl, "verify", "--all")[1],
        "The file is whole.\nok: 4 tables\n",
        "all of them are verified")
    is_(d.stop()[0], 0, "and the daemon ends well")
    store = sqlite3.connect(os.path.join(d.data, "sobremesa.db"))
    is_(store.execute("PRAGMA integrity_check").fetchone(), ("ok",),
        "the store is whole")
    store.close()


test_refused()
test_stay()
done_testing()
