#!/usr/bin/python3
"""Tables that wait: what 100 000 of them with a pace take of a start and of memory.

usage: waiting.py [TABLES [SECONDS]]

A game of Hacienda is begun, and its rows are copied, so that all of them wait for
somebody with three days' time.  Then the daemon starts with none of them, and
with all: how long until it is ready, until it knows every deadline, and how much
more memory it has then.  Exits with 1 if all is known later than SECONDS (1)
after the start.
"""

import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

BIN = os.environ.get("BIN", "build/bin")
TABLES = int(sys.argv[1]) if len(sys.argv) > 1 else 100000
MUST_S = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0


class Daemon:
    def __init__(self, data):
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [f"{BIN}/sobremesad", "--data", data, "--http",
             "127.0.0.1:0", "--lines", "127.0.0.1:0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        ready = json.loads(self.process.stdout.readline())
        self.ready = time.monotonic() - self.began
        self.address = ready["lines"]
        self.lines = self.connect(self.address)
        self.admin = self.connect(ready["admin"])

    @staticmethod
    def connect(to):
        unix = "/" in to
        s = socket.socket(socket.AF_UNIX if unix else socket.AF_INET)
        host, _, port = to.rpartition(":")
        s.connect(to if unix else (host, int(port)))
        return s.makefile("rw")

    @staticmethod
    def ask(where, method, **params):
        where.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method,
                                "params": params}) + "\n")
        where.flush()
        while True:
            said = json.loads(where.readline())
            if said.get("id") == 1:
                if "error" in said:
                    sys.exit(f"{method}: {said}")
                return said["result"]

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as f:
            return next(int(line.split()[1]) * 1024 for line in f
                        if line.startswith("VmRSS"))

    def deadlines(self):
        return self.ask(self.admin, "admin.status")["deadlines"]

    def known(self, count):
        """When it has heard of so many deadlines, since it began."""
        while self.deadlines() < count:
            time.sleep(0.005)
        return time.monotonic() - self.began

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


def begin_game(data):
    """A daemon, and a table there that waits."""
    d = Daemon(data)
    people = [d.lines, Daemon.connect(d.address)]
    for who in people:
        Daemon.ask(who, "account.guest")
    table = Daemon.ask(people[0], "table.create", game="hacienda", seats=2,
                       start="full", pace={"free": 259200})["table"]
    Daemon.ask(people[1], "table.join", table=table)
    d.end()


def copy_rows(db, table, changes, count):
    """COUNT times what there is in TABLE, with CHANGES, by column."""
    columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    values = ", ".join(changes.get(c, f"t.{c}") for c in columns)
    db.execute(f"WITH RECURSIVE k (n) AS (SELECT 1 UNION ALL SELECT n + 1 "
               f"FROM k WHERE n < {count}) INSERT INTO {table} "
               f"SELECT {values} FROM k CROSS JOIN (SELECT * FROM {table}) t")


def multiply(path, count):
    db = sqlite3.connect(path)
    rows, = db.execute("SELECT max(id) FROM log").fetchone()
    copy_rows(db, "log", {"id": f"t.id + n * {rows}", "number": "t.number + n",
                          "before": f"iif(t.before = 0, 0, t.before + n * {rows})"},
              count)
    copy_rows(db, "tables", {"number": "t.number + n", "id": "t.id + n * 1000003",
                             "head": f"t.head + n * {rows}"}, count)
    for table in "setups", "players":
        copy_rows(db, table, {"number": "t.number + n"}, count)
    db.execute("UPDATE state SET flushed = (SELECT max(id) FROM log)")
    db.commit()
    db.close()


def main():
    room = tempfile.mkdtemp(prefix="waiting.")
    try:
        data = os.path.join(room, "data")
        begin_game(data)
        few = Daemon(data)
        few.known(1)
        before, first = few.memory(), few.ready
        few.end()
        multiply(f"{data}/sobremesa.db", TABLES)
        many = Daemon(data)
        known = many.known(TABLES + 1)
        after = many.memory()
        print(f"{TABLES:,} tables that wait: ready after {many.ready:.2f} s "
              f"({first:.2f} s with one), every deadline known after "
              f"{known:.2f} s (must {MUST_S:g} s); "
              f"{(after - before) / TABLES:,.0f} bytes each")
        many.end()
        sys.exit(0 if known <= MUST_S else 1)
    finally:
        shutil.rmtree(room)


if __name__ == "__main__":
    main()
