"""sobremesactl: status, verify, export and import over the administrator's
socket, while people play; and what it says when something is wrong."""

import json
import os
import random
import sqlite3
import subprocess
import tempfile

import daemon as d
from tap import diag, done_testing, is_, ok

CHANCE = random.Random(3)


def ctl(server, *arguments, text=None):
    """(status, stdout, stderr)"""
    where = ["--data", server.data] if server else []
    done = subprocess.run([os.path.join(d.BIN, "sobremesactl"), *where,
                           *arguments], input=text, capture_output=True,
                          text=True, check=False, timeout=d.WAIT)
    return done.returncode, done.stdout, done.stderr


def fails(got, status, words, what):
    if not ok(got[0] == status and got[1] == "" and words in got[2], what):
        diag(got)


with tempfile.TemporaryDirectory() as room:
    data = os.path.join(room, "data")
    with d.Daemon(data=data) as server:
        is_(ctl(server, "verify", "--all"),
            (0, "The file is whole.\nok: 0 tables\n", ""),
            "nothing is all right")
        running, players = d.sit(server, "hacienda", 2, private=True,
                                 password="sesame")
        d.play(running, players, CHANCE, 30, undo=0.2)
        finished, others = d.sit(server, "tictactoe", 2)
        d.play(finished, others, CHANCE)
        opened = others[0].call("table.create", game="hacienda",
                                seats=3)["table"]
        is_(ctl(server, "verify", "--all"),
            (0, "The file is whole.\nok: 3 tables\n", ""),
            "open, running, private and finished tables")
        is_(ctl(server, "verify", finished, opened),
            (0, "ok: 2 tables\n", ""), "tables by name")
        is_(json.loads(ctl(server, "--json", "verify", "--all")[1]),
            {"ok": True, "file": None, "checked": 3, "wrong": []}, "--json")
        status, out, _ = ctl(server, "--json", "status")
        is_((status, json.loads(out)["tables"]), (0, 3), "status, as JSON")
        ok("version" in ctl(server, "status")[1], "status")

        status, record, _ = ctl(server, "export", finished)
        is_(record.splitlines(), d.record(others[0], finished),
            "export: the record that is published")
        path = os.path.join(room, "record")
        with open(path, "w", encoding="utf-8") as file:
            file.write(record)
        verify = subprocess.run([os.path.join(d.BIN, "sobremesa"), "verify",
                                 path], capture_output=True, check=False)
        is_((status, verify.stdout), (0, b"ok\n"), "export: is true")
        status, out, _ = ctl(server, "import", path)
        copy = out.strip()
        ok(status == 0 and copy != finished, "import: another id")
        is_(ctl(server, "export", copy)[1], record,
            "import: exported again it is the same")
        watcher = server.peer()
        is_(watcher.call("table.watch", table=copy)["view"]["state"],
            "finished", "import: a finished table")
        is_(watcher.call("table.get", table=copy)["table"]["commitment"],
            json.loads(record.splitlines()[0])["commitment"],
            "import: its commitment is the one that was made")
        ok(watcher.call("table.replay", table=copy,
                        **{"as": "all"})["plies"], "import: can be replayed")
        is_(ctl(server, "verify", "--all"),
            (0, "The file is whole.\nok: 4 tables\n", ""),
            "import: is verified like the others")

        # A record of many messages.
        long, three = d.sit(server, "hacienda", 3)
        d.play(long, three, CHANCE, undo=0.3)
        status, record, _ = ctl(server, "export", long)
        status, out, _ = ctl(server, "import", "-", text=record)
        is_(ctl(server, "export", out.strip())[1], record,
            f"import: {len(record)} bytes in pieces")

        running_record = ctl(server, "export", running)[1]
        fails(ctl(server, "import", "-", text=running_record), 1,
              "not_finished", "import: only what is finished")
        wrong = record.replace('"kind":"undo"', '"kind":"resign"', 1)
        fails(ctl(server, "import", "-", text=wrong), 1, "bad_record",
              "import: only what is true")
        fails(ctl(server, "import", "-", text=""), 1, "bad_record",
              "import: nothing at all")
        cut = "\n".join(record.splitlines()[:-1])
        fails(ctl(server, "import", "-", text=cut), 1, "without a footer",
              "import: only what is whole")
        fails(ctl(server, "import", "-", text="x" * 66000), 1,
              "too long for a record", "import: a line without an end")
        fails(ctl(server, "import", "-", text=record.replace("1", "\0", 1)), 1,
              "has a byte 0", "import: a NUL")
        fails(ctl(server, "import", room + "/none"), 1, "No such file",
              "import: no such file")
        fails(ctl(server, "export", "nobody"), 1, "no_such_table",
              "export: no such table")
        is_(ctl(server, "verify", "nobody")[:2],
            (1, "nobody: no_such_table\n1 of 1 tables are wrong\n"),
            "verify: no such table")
        for peer in players + others + three + [watcher]:
            peer.close()

    # Somebody changed the file.
    store = sqlite3.connect(os.path.join(data, "sobremesa.db"))
    (row, line), = store.execute(
        "SELECT id, line FROM log WHERE line LIKE '%\"nature\"%' "
        "ORDER BY id LIMIT 1").fetchall()
    store.execute("UPDATE log SET line = ? WHERE id = ?",
                  (line.replace('"at":1', '"at":2'), row))
    store.execute("UPDATE log SET line = 'x' WHERE id = (SELECT max(id) FROM"
                  " log WHERE number = (SELECT number FROM tables WHERE"
                  " id <> 0 ORDER BY number DESC LIMIT 1))")
    store.commit()
    store.close()
    with d.Daemon(data=data) as server:
        status, out, _ = ctl(server, "verify", "--all")
        lines = out.splitlines()
        ok(status == 1 and lines[-1] == "2 of 6 tables are wrong",
           "verify --all finds the tables that were changed")
        ply = json.loads(line)["ply"]
        ok(any(x.startswith(f"{running}: ") and f"ply {ply}: /chain" in x
               for x in lines), "and the ply")
        ok(any("no JSON" in x for x in lines),
           "even of one that the server cannot read")
        if status != 1 or len(lines) != 3:
            diag(out)
        found = json.loads(ctl(server, "-j", "verify", "--all")[1])
        is_((found["ok"], len(found["wrong"])), (False, 2), "--json")

    fails(ctl(server, "status"), 1, "is the server running?", "no server")
for arguments, words in [
        ([], "what shall I do"), (["dance"], "no command"),
        (["verify"], "--all"), (["verify", "-x"], "invalid option"),
        (["verify", "--all", "x"], "--all"),
        (["export"], "TABLE"), (["import"], "FILE"),
        (["status", "x"], "what is"), (["--colour"], "")]:
    fails(ctl(None, *arguments), 64, words, f"wrong usage: {arguments}")
# A path may be of any bytes: what is said of it is JSON all the same.
for option in "--admin", "--data":
    status, out, err = ctl(None, "--json", option, b"/none/\xff", "status")
    ok(status == 1 and
       "/none/\ufffd" in json.loads(err)["error"]["message"],
       f"--json {option}: a path that is no UTF-8")
status, out, _ = ctl(None, "--help")
ok(status == 0 and all(w in out for w in
                       ["verify", "export", "import", "status", "--json"]),
   "--help")
done_testing()
