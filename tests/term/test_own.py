"""What a server keeps of somebody, in a file of theirs, and the end of it, in
the terminal."""

import json
import os
import random
import stat
import tempfile

import daemon as d
from person import Person
from tap import done_testing, is_, ok

ROOM = tempfile.TemporaryDirectory()

with d.Daemon() as server:
    def where(name):
        return Person(ROOM.name, name, server.ready["lines"])

    ana, ben = where("ana"), where("ben")
    is_(ana.run("register", "ana", typed="long enough\n")[0], 0, "ana")
    is_(ben.run("guest")[0], 0, "ben, a guest")
    other = server.peer()
    other.call("account.guest")
    me = server.peer()
    me.call("session.login", name="ana", password="long enough")
    over, now = (me.call("table.create", game="tictactoe", seats=2)["table"]
                 for _ in range(2))
    for table in (over, now):
        other.call("table.join", table=table)
    d.play(over, [me, other], random.Random(7))
    me.call("table.chat", table=now, text="A good one, is it not?")

    # One file, which nobody else can read and nothing is written over by.
    path = os.path.join(ROOM.name, "ana.json")
    is_(ana.run("export", path)[:2], (0, ""), "export")
    is_(stat.S_IMODE(os.stat(path).st_mode), 0o600, "export: for her alone")
    with open(path, encoding="utf-8") as file:
        whole = json.load(file)
    is_((whole["name"], whole["email"], len(whole["seats"])),
        ("ana", None, 2), "export: who she is, where she sits")
    is_([t["text"] for t in whole["texts"]], ["A good one, is it not?"],
        "export: what she said")
    is_(json.loads(whole["games"][over]["lines"][0])["table"], over,
        "export: the record of a game that is over")
    ok(whole["games"][now]["plies"] and "lines" not in whole["games"][now],
       "export: of one that goes on what she may know")
    ok("argon2" not in json.dumps(whole), "export: no hash")
    record = os.path.join(ROOM.name, "record")
    with open(record, "w", encoding="utf-8") as file:
        file.write("".join(f"{line}\n" for line in
                           whole["games"][over]["lines"]))
    is_(ana.run("verify", record)[:2], (0, "ok\n"), "export: it is true")
    status, _, why = ana.run("export", path)
    ok(status == 1 and "exists" in why, "export: a file that is there stays")
    is_(json.loads(ana.run("export", "-")[1]), whole, "export: to stdout")
    is_(ana.run("export")[0], 64, "export: where to?")
    is_(ana.run("export", "/nowhere/x")[0], 1, "export: no such place")

    # Her name and her password are asked for.
    for typed, says in [("", "there is none"),
                        ("anna\nlong enough\n", "not your name"),
                        ("ana\nnot this one\n", "password is wrong")]:
        status, out, why = ana.run("delete", typed=typed)
        ok(status == 1 and says in why and out == "", f"delete: {says}")
    is_(ana.run("whoami")[0], 0, "delete: she is there")
    is_(ana.run("delete", typed="ana\nlong enough\n")[0], 0, "delete: gone")
    status, _, why = ana.run("whoami")
    is_(status, 77, "delete: nobody is remembered")
    status, _, why = ana.run("login", "ana", typed="long enough\n")
    is_(status, 1, "delete: nobody can log in")
    is_(other.call("table.get", table=now)["table"]["state"], "finished",
        "delete: her game was resigned")

    # A guest has no password to say.
    name = ben.run("whoami")[1].split()[0]
    is_(ben.run("delete", typed=f"{name}\n")[0], 0, "delete: a guest")
    is_(ben.run("whoami")[0], 77, "delete: is forgotten")

done_testing()
