"""test_idle.py with what only a clock and the system can tell: how long a move
takes among nine thousand who say nothing, and how much memory each has."""

import os
import runpy

os.environ["IDLE_SOAK"] = "1"
runpy.run_path("tests/daemon/test_idle.py", run_name="__main__")
