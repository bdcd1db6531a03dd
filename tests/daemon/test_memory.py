"""A guest walks through the finished games: what the process keeps of them has
an end, and nobody waits longer for it.

TABLES=20000 is what a site has after years; the usual is 2 000 with a tenth of
the memory.  count_memory.py runs this with programs whose turns are counted, and
wants none of them long; soak_memory.py also looks at what the system says of the
process, and at turns in milliseconds."""

import json
import os
import subprocess

import sobremesa as s
from sobremesa import Daemon, Lines, Ws, http
from tap import diag, done_testing, ok

TABLES = int(os.environ.get("TABLES", 200 if s.ASAN else 2000))
BUDGET = max(1, 64 * TABLES // 20000) << 20
SLACK = 12 << 20  # what reading takes for itself, and the allocator's holes
LONG = os.path.join(os.environ.get("BUILD", "build"), "test", "daemon", "long")
COUNTED = os.path.basename(os.path.dirname(os.path.realpath(s.BIN))) == "count"
SOAK = "MEMORY_SOAK" in os.environ


def figures(daemon):
    page = http(daemon.http, "GET", "/metrics").body.decode()
    return {line.split()[0]: float(line.split()[1])
            for line in page.splitlines() if line.startswith("sobremesa")}


def turns(before, after, up_to):
    name = f'sobremesa_loop_turn_seconds_bucket{{le="{up_to}"}}'
    return after[name] - before[name]


def imported(admin, record, count):
    """COUNT tables with that record, which is short."""
    asked = []
    tables = []
    for i in range(count):
        asked.append(admin.ask("admin.import", lines=record, first=True,
                               last=True))
        if len(asked) == 8 or i + 1 == count:
            tables += [admin.answer(n)["table"] for n in asked]
            asked = []
    return tables


def read_all(peer, tables):
    """Asks for all of them, some at a time."""
    for i in range(0, len(tables), 8):
        asked = [peer.ask("table.get", table=t) for t in tables[i:i + 8]]
        for n in asked:
            assert peer.answer(n)["table"]["state"] == "finished"


daemon = Daemon("--set", f"limits.tables_memory={BUDGET >> 20}",
                "--set", "http.proxies=127.0.0.1")
# While a stranger is there all are served in short turns.
stranger = Ws(daemon.http, headers={"X-Forwarded-For": "203.0.113.9"})
stranger.call("server.hello")
record = subprocess.run([LONG, "hacienda", "2", "0", "400"], check=True,
                        capture_output=True, text=True).stdout.splitlines()
assert len(json.dumps(record)) < 60000
admin = Lines(daemon.admin)
guest = Lines(daemon.lines)
tables = imported(admin, record, TABLES)
read_all(guest, tables[:50])
before, rss_before = figures(daemon), daemon.rss()
one = before["sobremesa_tables_memory_bytes"] / 50
read_all(guest, tables)
after, rss = figures(daemon), daemon.rss()
kept = after["sobremesa_tables_memory_bytes"]
diag(f"{TABLES} tables of {one / 1000:.1f} kB: {kept / 1e6:.1f} MB kept of"
     f" {BUDGET / 1e6:.1f}")
ok(5000 < one < 20000, "a table of Hacienda takes less than 20 kB")
ok(one * TABLES > BUDGET or s.ASAN, "all of them would not have room")
ok(kept <= BUDGET, "those that are kept take no more than they may")
ok(kept > BUDGET / 2 or s.ASAN, "and not much less")
all_turns = turns(before, after, "+Inf")
long_turns = all_turns - turns(before, after, "0.004096")
if COUNTED:
    ok(long_turns == 0, f"none of {all_turns:.0f} turns of the loop was long")
if SOAK:
    ok(rss - rss_before < BUDGET + SLACK, "nor has the process grown beyond "
       f"that: from {rss_before / 1e6:.1f} to {rss / 1e6:.1f} MB")
    # A virtual machine's processor is now and then somebody else's.
    ok(long_turns <= all_turns / 500,
       f"{long_turns:.0f} of {all_turns:.0f} turns of the loop took 4 ms")
# Whoever asks for one that has gone gets it.
ok(guest.call("table.at", table=tables[0], ply=50)["view"]["ply"] == 50,
   "the first of them is there again when it is asked for")
daemon.stop()
done_testing()
