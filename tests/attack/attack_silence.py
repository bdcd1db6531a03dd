"""A tiny run of `make silence`: the notices that it plants do wait, and the
receivers that are to say nothing are called."""

import os
import subprocess
import sys

from tap import diag, done_testing, is_, ok

HERE = os.path.dirname(os.path.realpath(__file__))
run = subprocess.run([sys.executable, os.path.join(HERE, "silence.py"),
                      "--smoke"], stdout=subprocess.PIPE,
                     stderr=subprocess.PIPE, text=True)
is_(run.returncode, 0, "a tiny run is valid")
for way in ("mail", "webhook"):
    ok(any(line.split()[:2] == [way, "waits"]
           for line in run.stdout.splitlines()), f"{way} is measured")
if run.returncode != 0:
    diag(run.stdout + run.stderr)
done_testing()
