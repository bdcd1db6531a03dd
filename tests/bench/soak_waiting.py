"""What many tables that wait take of a start, by the clock: all deadlines are known
within seconds (tests/bench/waiting.py)."""

import os
import subprocess
import sys

from tap import diag, done_testing, is_

run = subprocess.run([sys.executable, "tests/bench/waiting.py", "25000", "6"],
                     env=dict(os.environ), stdout=subprocess.PIPE,
                     stderr=subprocess.STDOUT, text=True)
is_(run.returncode, 0, "25 000 deadlines are known soon after the start")
if run.returncode:
    diag(run.stdout)
done_testing()
