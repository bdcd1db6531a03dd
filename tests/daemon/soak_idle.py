"""test_idle.py with what only a clock and the system can tell: how long a move
takes among nine thousand who say nothing, and how much memory each has."""

import runpy
import time

runpy.run_path("tests/daemon/test_idle.py", {"CLOCK": time.monotonic},
               run_name="__main__")
