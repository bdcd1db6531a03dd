"""The load program and what goes around it: a tiny run of `make bench`, with
its gate: what is stored is what was acknowledged, also after a SIGKILL."""

import os
import subprocess
import sys

from tap import diag, done_testing, is_, ok

BIN = os.environ.get("BIN", "build/bin")
parts = ["closed", "paced", "disk", "idle", "tables", "kill"]
if os.environ.get("ASAN"):
    parts.remove("disk")  # the sanitizer must be loaded first
run = subprocess.run(
    [sys.executable, "tests/bench/bench.py", "--smoke"],
    env=dict(os.environ, BENCH_ONLY=",".join(parts),
             TOOLS=os.path.join(os.path.dirname(BIN), "bench")),
    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
is_(run.returncode, 0, "a tiny run is valid")
ok("valid: after every run" in run.stdout, "and says so")
ok("none lost, none made up" in run.stdout, "also after a SIGKILL")
ok("MISSING" not in run.stdout, "nothing of ours is missing")
if run.returncode != 0:
    diag(run.stdout + run.stderr)
done_testing()
