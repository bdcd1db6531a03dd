"""test_memory.py by what the system says: how much the process grows, and how long
the turns of its loop take."""

import os
import runpy

os.environ["MEMORY_SOAK"] = "1"
runpy.run_path("tests/daemon/test_memory.py", run_name="__main__")
