#!/usr/bin/env python3
"""test_names.py -- a guest who stays, on the real programs: their new name
reaches their tables by a ply, whatever kills the daemon in between, and the
record of such a game is true to `sobremesa verify`."""

import os
import subprocess

import sobremesa as s
from sobremesa import Daemon, Lines
from tap import done_testing, is_, ok

VERIFY = os.path.join(os.path.dirname(s.PROGRAM), "sobremesa")


def name_of(peer, table, seat):
    told = peer.call("table.watch", table=table)
    return told["view"]["seats"][seat]["name"]


def renames(peer, table):
    plies = peer.call("table.replay", table=table)["plies"]
    return [ply["seat"] for ply in plies if ply["kind"] == "rename"]


def record(peer, table):
    lines, page = [], {"next": 0}
    while "next" in page:
        page = peer.call("table.record", table=table, **{"from": page["next"]})
        lines += page["lines"]
    return "".join(line + "\n" for line in lines)


def verify(text):
    path = os.path.join(s.room(), "record")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return subprocess.run([VERIFY, "verify", path], capture_output=True,
                          text=True, check=False)


# The name is changed, and the daemon killed at once, some times; each time it
# starts again with every table that has the name saying so.
def test_kills():
    d = Daemon()
    anna = Lines(d.lines)
    token = anna.call("account.register", name="anna",
                      password="password")["token"]
    games = []
    for i in range(8):
        guest = Lines(d.lines).guest()
        old = guest.call("account.get")["user"]["name"]
        tables = []
        for _ in range(3):
            made = anna.call("table.create", game="tictactoe", seats=2)
            guest.call("table.join", table=made["table"])
            tables.append(made["table"])
        asked = guest.ask("account.keep", name=f"gina{i}",
                          password="password")
        if i % 2 == 0:
            guest.answer(asked)
        d.kill()
        d = Daemon(data=d.data)
        anna = Lines(d.lines).resume(token)
        names = {name_of(anna, table, 1) for table in tables}
        plies = [renames(anna, table) for table in tables]
        if i % 2 == 0 or f"gina{i}" in names:
            is_(names, {f"gina{i}"}, "the new name everywhere")
            is_(plies, [[1]] * 3, "by a ply each")
        else:
            is_(names, {old}, "the old name everywhere")
            is_(plies, [[]] * 3, "and no ply")
        games += tables
    for table in games:
        anna.call("table.resign", table=table)
    told = [verify(record(anna, table)) for table in games]
    is_({t.returncode for t in told}, {0}, "all records are true")
    ok(all(t.stdout.startswith("ok") for t in told), "and said to be")
    text = record(anna, games[0])
    ok('"name":"gina0"' in text, "the header has the new name")
    changed = text.replace('"kind":"rename"', '"kind":"resign"')
    is_(verify(changed).returncode, 1, "another kind is noticed")
    is_(d.stop()[0], 0, "an orderly end")


test_kills()
done_testing()
