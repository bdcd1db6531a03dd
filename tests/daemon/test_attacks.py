"""Strangers who want everybody to wait, each attack of tests/attack/attacker.py in
turn, from several connections of one address, while time stands: what is read of
them is no more than an address may say, what waits for them in memory has its
limit, what they ask is answered as often as it may be, and two who play meanwhile
are answered as ever.

How long those two wait, and how long the loop's turns are, is for `make attack`
(attack_waits.py); that no request makes a long turn, for count_turns.py."""

import contextlib
import itertools
import os
import re
import subprocess
import sys

import sobremesa as s
from sobremesa import Clocks, Daemon, Lines
from tap import diag, done_testing, is_, ok

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)),
                                "..", "attack"))
import attacker  # noqa: E402

CONNS = 3
SAID_MAX = 1500000  # by each of them
# limits.h: LIMIT_INPUT_BURST, three times for an address, and the longest message.
BURST, LONGEST = 256 * 1024, 65536
READ = 16384  # at once, of each, before it is known by a header whose it is
HELD = 16 << 20
LARGEST = {"columns": 22, "rows": 40, "markets": 64, "land_percent": 53}
LONG = os.path.join(os.environ.get("BUILD", "build"), "test", "daemon", "long")


class Attacked:
    def __init__(self, proxy):
        self.proxy = proxy
        self.clocks = Clocks(stands=True)
        args = ["--set", "http.proxies=127.0.0.1"] if proxy else \
            ["--set", "limits.local=on"]
        self.daemon = Daemon(*args, "--set",
                             f"limits.held_memory={HELD >> 20}",
                             env=self.clocks.env)
        self.players = [Lines(self.daemon.lines).guest() for _ in range(2)]
        pair = [Lines(self.daemon.lines).guest() for _ in range(2)]
        wide = s.table_of(pair, "hacienda", board={"generate": LARGEST})
        record = subprocess.run([LONG, "greement", "5", "99", "300"],
                                check=True, capture_output=True,
                                text=True).stdout.splitlines()
        admin = self.daemon.operator()
        for at in range(0, len(record), 100):
            told = admin.call("admin.import", lines=record[at:at + 100],
                              first=at == 0, last=at + 100 >= len(record))
        self.job = {"proxy": proxy, "addresses": 1, "lines": self.daemon.lines,
                    "http": self.daemon.http, "table": wide,
                    "token": pair[0].token, "long": told["table"],
                    "ply": (len(record) - 2) // 2, "largest": LARGEST}

    def metrics(self, *names):
        text = s.http(self.daemon.http, "GET", "/metrics").body.decode()
        return [float(re.search(rf"^sobremesa_{name} (\S+)$", text, re.M)[1])
                for name in names]

    def read(self, conns):
        """Bytes that were read of those who are still connected."""
        total = 0
        for conn in conns:
            try:
                there = s.other_end(self.daemon.pid, conn.socket)
            except (LookupError, OSError):
                continue  # it was cut
            total += s.taken(there)
            there.close()
        return total

    def play(self):
        """A game of those two; the moves that were answered."""
        table = s.table_of(self.players)
        for i, cell in enumerate(["a1", "b1", "a2", "b2", "a3"]):
            mover = self.players[i % 2]
            legal = mover.call("table.legal", table=table)
            s.place(mover, table, legal["decision"], cell)
        return self.players[0].call("table.get", table=table)["table"]["state"]

    def try_one(self, name, attack):
        self.clocks.set(20000, 20000)  # everybody may say all they may again
        for _ in range(3):  # so it has looked at its clock
            self.players[0].call("server.hello")
        requests, rests = self.metrics("requests_total", "rests_total")
        conns = [attacker.Conn(self.job, attack, i) for i in range(CONNS)]
        said = [0] * CONNS
        rounds = itertools.count(1)

        def is_said():
            """All they can say by now; until somebody rests, or it is enough."""
            for i, conn in enumerate(conns):
                with contextlib.suppress(OSError):  # full, or cut
                    while said[i] < SAID_MAX and conn.wants_to_write():
                        said[i] += conn.write()
                if not attack.deaf:
                    with contextlib.suppress(OSError):
                        while conn.socket.recv(attacker.CHUNK):
                            pass
            return self.metrics("rests_total") != [rests] or next(rounds) == 40

        s.until(is_said, pause=0.01)
        over = self.play()
        after, held = self.metrics("requests_total", "held_bytes")
        read = self.read(conns)
        asked = after - requests
        for conn in conns:
            conn.socket.close()
        where = " by a proxy" if self.proxy else ""
        is_(over, "finished", f"{name}{where}: two play on")
        # A request that a proxy hands on is whole before it is known whose it is:
        # bodies count by their number.
        most = SAID_MAX * CONNS + attacker.CHUNK * CONNS \
            if attack.way == "http" else 3 * BURST + LONGEST + READ * CONNS
        ok(read <= most and held <= HELD,
           f"{name}{where}: of {sum(said)} bytes {read} are read; {held:.0f} "
           f"wait; {asked:.0f} requests")

    def end(self):
        for peer in self.players:
            peer.close()
        self.clocks.go()
        is_(self.daemon.stop()[0], 0, "and it ends as it should")


for proxy in (False, True):
    a = Attacked(proxy)
    for attack_name, each in attacker.attacks(a.job).items():
        if (each.way == "lines") != proxy:
            a.try_one(attack_name, each)
    a.end()
diag("all were tried")
done_testing()
