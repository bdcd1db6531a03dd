"""silence.py -- what those who play wait while ten thousand notices meet receivers
that take every connection and never say a word.

usage: silence.py [--smoke] [mail|webhook] [due|waits]

    PAIRS=n  of measurements with them and without (12)

Two daemons have the same ten thousand people, who can be told things by mail, or
at webhooks of eight hosts; in one of them something waits for each, as after an
outage.  Two more play there, 200 requests a second (harm.py), a few seconds here
and a few there, and who is not measured is stopped (SIGSTOP) meanwhile:

    due    notices, of which is being decided who is told of them
    waits  messages, and those under way are answered by nobody

All that was waited on each side is one sample, of some 7000 waits, and what is
judged is the ratio of their p99: it must not be above 1.2.  Beside it stands
between which the middle nine of ten are of what other choices of the same pairs
would have come to: how much the figure means.  What is printed is in ../README.md.
--smoke is a tiny run whose ratios say nothing: only whether notices do wait and
the receivers are called.
"""

import collections
import contextlib
import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import sys
import threading
import time

import harm
from harm import s

SMOKE = "--smoke" in sys.argv
PEOPLE = 60 if SMOKE else 10000
PAIRS = 1 if SMOKE else int(os.environ.get("PAIRS", "12"))
SECONDS = 0.5 if SMOKE else 3
PACE = 200
MOST = 1.2
CHOICES = 300
BEGUN = 4  # seconds from a daemon's start until it decides
HOSTS = 8  # for webhooks; four calls at once to each are all there may be
# As the store has them.
USER, MAIL, WEBHOOK, GENERIC, ON = 0, 0, 2, 0, 1
UNSEATED, EVERYTHING = 7, 0x7fff


class Invalid(Exception):
    """It was not measured what was to be."""


class Silent:
    """Takes every connection and says nothing, ever."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        self.count = 0
        # Those that were given up long ago need not stay open.
        self.taken = collections.deque(maxlen=300)
        threading.Thread(target=self.take, daemon=True).start()

    def take(self):
        while True:
            self.taken.append(self.listener.accept()[0])
            self.count += 1


# ---- the store ----------------------------------------------------------------


def put_people(db, hosts):
    """People with an address that is confirmed, or with a webhook."""
    now = int(time.time() * 1000)
    drawn = random.Random(1)
    people = [drawn.getrandbits(62) for _ in range(PEOPLE)]
    for i, account in enumerate(people):
        mail = None if hosts else f"p{i}@home.example"
        db.execute(
            "INSERT INTO accounts (id, kind, name, email, created, seen, "
            "banned_until, email_confirmed) VALUES (?, ?, ?, ?, ?, ?, 0, ?)",
            (account, USER, f"p{i}", mail, now, now, now if mail else 0))
        if hosts:
            db.execute(
                "INSERT INTO channels (id, account, way, form, state, kinds, "
                "made, changed, label, target, secret) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', ?, 'secret')",
                (account, account, WEBHOOK, GENERIC, ON, EVERYTHING, now, now,
                 f"{hosts[i % len(hosts)]}/{i}"))
    return people


def table_in(db):
    """The one table that there is, and how it is called."""
    number, = db.execute("SELECT id FROM tables").fetchone()
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    return number, "".join(letters[number >> 5 * i & 31]
                           for i in range(12, -1, -1))


def put_notices(db, people):
    """To each that they lost their seat at the table."""
    due = int(time.time() * 1000) - 600000
    table, _ = table_in(db)
    db.executemany(
        "INSERT INTO notices (number, account, kind, table_id, ply, maker, at) "
        "VALUES (?, ?, ?, ?, 0, 0, ?)",
        ((due << 20 | i, account, UNSEATED, table, due)
         for i, account in enumerate(people)))


def put_messages(db, people, way):
    """The same as messages."""
    due = int(time.time() * 1000) - 600000
    _, table = table_in(db)
    body = json.dumps({"form": "notices", "items": [
        {"kind": "unseated", "table": table, "ply": 0, "maker": "a" * 13}]})
    db.executemany(
        "INSERT INTO messages (id, account, channel, way, made, due, failing, "
        "tries, body) VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?)",
        ((i + 1, account, account, way, due, due, body)
         for i, account in enumerate(people)))


def prepare(hosts):
    """Directories of data: with nothing that waits, with notices, with
    messages."""
    calm, due, waits = (os.path.join(s.room(), "data") for _ in range(3))
    with s.Daemon(data=calm) as daemon:
        daemon.peer().guest().call("table.create", game="tictactoe", seats=2)

    def store(data):
        return contextlib.closing(
            sqlite3.connect(os.path.join(data, "sobremesa.db")))

    with store(calm) as db, db:
        people = put_people(db, hosts)
    for data in (due, waits):
        shutil.copytree(calm, data)
    with store(due) as db, db:
        put_notices(db, people)
    with store(waits) as db, db:
        put_messages(db, people, WEBHOOK if hosts else MAIL)
    return calm, due, waits


# ---- measuring ----------------------------------------------------------------


class Side:
    """A daemon on a copy of DATA."""

    def __init__(self, data, way, args):
        copy = os.path.join(s.room(), "data")
        shutil.copytree(data, copy)
        self.began = time.monotonic()
        self.daemon = s.Daemon(*args, data=copy)
        self.operator = self.daemon.operator()
        self.way = way

    def notices(self):
        """How many nothing is decided of; what is known of their way."""
        told = self.operator.call("admin.notices")
        return told["waiting"], next(w for w in told["ways"]
                                     if w["way"] == self.way)

    def measure(self):
        """How long somebody waits who plays there from now on."""
        self.daemon.tell(signal.SIGCONT)
        innocent = harm.Innocent(self.daemon, False)
        innocent.pace = PACE
        waits = innocent.measure(SECONDS)
        for player in innocent.players:
            player.close()
        self.daemon.tell(signal.SIGSTOP)
        return waits

    def settle(self):
        """Waits until all messages that there are are known."""
        end = time.monotonic() + s.WAIT
        while self.notices()[1]["waiting"] < PEOPLE:
            if time.monotonic() > end:
                raise Invalid(f"{self.notices()} are all that waits")
            time.sleep(0.1)


def measure(part, way, calm, full, args, silent):
    """Pairs of what is waited in both; who is first takes turns."""
    sides = [Side(data, way, args) for data in (calm, full)]
    if part == "waits":
        sides[1].settle()
    time.sleep(max(0, sides[1].began + BEGUN - time.monotonic()))
    for side in sides:
        side.daemon.tell(signal.SIGSTOP)
    pairs = []
    for i in range(PAIRS):
        told = {side: side.measure() for side in sides[::-1 if i % 2 else 1]}
        pairs.append([told[side] for side in sides])
    sides[1].daemon.tell(signal.SIGCONT)
    waiting, state = sides[1].notices()
    for side in sides:
        side.daemon.tell(signal.SIGCONT)
        side.daemon.kill()
    told = f"{waiting} notices, {silent.count} connections, {state}"
    if state["delivered"] or silent.count == 0 and part == "waits":
        raise Invalid(f"nobody was to be told: {told}")
    if not SMOKE and (state["waiting"] != PEOPLE if part == "waits"
                      else 0 in (waiting, state["waiting"])):
        raise Invalid(f"not while it {part}: {told}")
    print(f"# {told}", flush=True)
    return pairs


# ---- what came of it ------------------------------------------------------------


def pooled(pairs):
    """p50 and p99 of both sides, in ms, and the ratio of each."""
    calm, full = (harm.shares([wait for pair in pairs for wait in pair[side]])[:2]
                  for side in (0, 1))
    return *calm, *full, full[0] / calm[0], full[1] / calm[1]


def judge(way, part, pairs):
    """Prints a row; whether it is good enough."""
    drawn = random.Random(1)
    others = sorted(pooled(drawn.choices(pairs, k=len(pairs)))[-1]
                    for _ in range(CHOICES))
    told = pooled(pairs)
    print(f"{way:8} {part:6}" + "".join(f" {figure:7.2f}" for figure in told)
          + f"   {others[CHOICES // 20]:.2f} to {others[-CHOICES // 20]:.2f}",
          flush=True)
    return told[-1] <= MOST


def try_way(way, parts):
    silent = Silent()
    hosts = [f"https://h{i}.localhost:{silent.port}"
             for i in range(HOSTS)] if way == "webhook" else []
    args = ["--set", "server.url=https://games.example",
            "--set", "mail.from=games@games.example",
            "--set", f"mail.server=smtp://127.0.0.1:{silent.port}"]
    if hosts:
        args += ["--set", f"notices.allow={' '.join(hosts)}"]
    calm, due, waits = prepare(hosts)
    good = True
    for part, data in (("due", due), ("waits", waits)):
        if part in parts:
            pairs = measure(part, way, calm, data, args, silent)
            good = judge(way, part, pairs) and good
    return good


def main():
    def named(*words):
        return [a for a in sys.argv[1:] if a in words] or words

    print(f"{PEOPLE} notices, {PAIRS} pairs, {SECONDS} s and {PACE} requests a "
          f"second each; ms\n{'':15} {'without':>15} {'with':>15} {'ratio':>15}\n"
          f"{'':15}" + 3 * f" {'p50':>7} {'p99':>7}" + "   p99's, nine of ten")
    try:
        good = [try_way(way, named("due", "waits"))
                for way in named("mail", "webhook")]
    except Invalid as e:
        print(f"INVALID: {e}")
        sys.exit(1)
    print("valid: nobody was told, and all of it still waits")
    sys.exit(0 if SMOKE or all(good) else 1)


main()
