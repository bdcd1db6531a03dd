"""harm.py -- what an attack does to an innocent player, in figures.

A daemon, somebody who plays and asks at a steady pace, and attackers
(attacker.py) who come and go: the same person is measured without them and
with them, in turns, so that what else slows the machine down is in both.

How long somebody waits counts from when they wanted to ask, not from when they
got round to it: who is kept waiting is late for the next question, too.
"""

import json
import math
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "daemon"))

import sobremesa as s  # noqa: E402

PACE = 40  # a second: moves and questions in turns
FOREVER = 30
LARGEST = {"columns": 22, "rows": 40, "markets": 64, "land_percent": 53}
LONG = os.path.join(os.path.dirname(s.BIN), "test", "daemon", "long")


def shares(waits):
    """p50, p99 and the longest, in ms."""
    waits = sorted(waits)
    return tuple(1000 * waits[min(len(waits) - 1, math.ceil(q * len(waits)) - 1)]
                 for q in (0.5, 0.99, 1))


class Innocent:
    """Two guests at their tables.  The one whose turn it is moves, and then the
    other one asks something."""

    pace = PACE

    def __init__(self, daemon, proxy):
        headers = {"X-Forwarded-For": "198.51.100.250"} if proxy else None
        self.players = [s.Ws(daemon.http, headers=headers).guest()
                        for _ in range(2)]
        self.tables = []
        self.at = 0
        for peer in self.players:
            peer.sent = {}

    def prepare(self, moves):
        """Tables enough for so many moves."""
        while 5 * (len(self.tables) - self.at) < moves:
            host = self.players[len(self.tables) % 2]
            try:
                table = s.table_of([host] + [p for p in self.players
                                             if p is not host])
            except s.Refused as e:
                if e.reason != "rate_limited":
                    raise
                time.sleep(e.data["retry_after_ms"] / 1000)
                continue
            self.tables.append([table, host, 0])

    def next_request(self, number):
        table, host, cell = self.tables[self.at]
        first = self.players.index(host)
        if number % 2:
            return self.players[(first + cell) % 2], "table.get", \
                {"table": table}
        if cell == 5:
            self.at += 1
            return self.next_request(number)
        self.tables[self.at][2] += 1
        # Nobody has three in a row by then.
        name = ("a1", "b1", "c1", "b2", "a2")[cell]
        return self.players[(first + cell) % 2], "table.move", \
            {"table": table, "decision": 3 + cell,
             "move": {"verb": "place", "cell": name}}

    def measure(self, seconds):
        """How long each question took, in seconds."""
        self.prepare(seconds * self.pace / 2 + 20)
        waits, due = [], time.monotonic()
        end = due + seconds
        number = 0
        while due < end:
            time.sleep(max(0, due - time.monotonic()))
            peer, method, params = self.next_request(number)
            peer.answer(peer.ask(method, **params), FOREVER)
            waits.append(time.monotonic() - due)
            number += 1
            due += 1 / self.pace
        return waits


class Attacked:
    """A daemon to be attacked, and the innocent one there."""

    def __init__(self, proxy=False, each=400, plies=2000, slow=15):
        self.proxy = proxy
        args = ["--set", f"limits.connections_address={each}",
                "--set", f"limits.slow_seconds={slow}"]
        args += ["--set", "http.proxies=127.0.0.1"] if proxy else \
            ["--set", "limits.local=on"]
        self.daemon = s.Daemon(*args)
        self.innocent = Innocent(self.daemon, proxy)
        self.admin = s.Lines(self.daemon.admin)
        self.prepare_tables(plies)

    def prepare_tables(self, plies):
        """One on the largest board, whose first player the attackers are, and a
        long game that is over."""
        pair = [s.Lines(self.daemon.lines).guest() for _ in range(2)]
        self.token = pair[0].token
        self.wide = s.table_of(pair, "hacienda", board={"generate": LARGEST})
        told = subprocess.run([LONG, "greement", "5", "99", str(plies)],
                              check=True, capture_output=True, text=True)
        lines = told.stdout.splitlines()
        for at in range(0, len(lines), 100):
            told = self.admin.call("admin.import", lines=lines[at:at + 100],
                                   first=at == 0,
                                   last=at + 100 >= len(lines))
        self.long, self.plies = told["table"], len(lines) - 2

    def metrics(self):
        text = s.http(self.daemon.http, "GET", "/metrics").body.decode()
        return dict(re.findall(r"^(sobremesa_\S+) (\S+)$", text, re.M))

    def turns(self):
        return {float(le): float(n) for le, n in re.findall(
            r'loop_turn_seconds_bucket\{le="([0-9.e+-]+)"\} (\d+)',
            s.http(self.daemon.http, "GET", "/metrics").body.decode())}

    def attack(self, name, count, addresses, seconds):
        job = {"attack": name, "count": count, "seconds": seconds,
               "addresses": min(count, addresses), "proxy": self.proxy,
               "lines": self.daemon.lines, "http": self.daemon.http,
               "table": self.wide, "token": self.token, "long": self.long,
               "ply": self.plies // 2, "largest": LARGEST}
        process = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "attacker.py"),
             json.dumps(job)], stdout=subprocess.PIPE, text=True)
        s.running.append(process)
        process.stdout.readline()
        return process

    def try_one(self, name, count, seconds=2, addresses=30):
        """What it is without and with the attack."""
        calm = self.innocent.measure(seconds)
        self.innocent.prepare(seconds * PACE / 2 + 20)
        before, used = self.turns(), self.used()
        process = self.attack(name, count, addresses, seconds + 1)
        waits = self.innocent.measure(seconds)
        used = self.used() - used
        said = json.loads(process.communicate(timeout=FOREVER)[0])
        s.running.remove(process)
        after = self.turns()
        longest, last = 0, 0
        for le in sorted(after):
            n = after[le] - before[le]
            if n > last:
                longest = le
            last = n
        return Harm(name, count, calm, waits, 1000 * longest,
                    100 * used / seconds, said)

    def used(self):
        """Seconds of the processor that the daemon has had."""
        with open(f"/proc/{self.daemon.pid}/stat", encoding="ascii") as f:
            user, system = f.read().rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


class Harm:
    def __init__(self, name, count, calm, waits, turn_ms, used, said):
        self.name, self.count, self.turn_ms, self.used, self.said = \
            name, count, turn_ms, used, said
        self.calm, self.waits = shares(calm), shares(waits)
        self.raw = calm, waits

    def __str__(self):
        return (f"{self.name:20} {self.count:4} "
                + " ".join(f"{ms:8.2f}" for ms in self.calm + self.waits)
                + f" {self.turn_ms:8.2f} {self.used:5.0f}"
                f" {self.said['said']:12,}")


HEAD = (f"{'attack':20} {'from':>4} {'p50':>8} {'p99':>8} {'worst':>8} "
        f"{'p50':>8} {'p99':>8} {'worst':>8} {'turn ms':>8} {'cpu %':>5} "
        f"{'bytes':>12}")
