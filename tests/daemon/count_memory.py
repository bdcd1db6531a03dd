"""test_memory.py by programs that count what they do (count.c): nobody waits for a
long turn of the loop while a guest walks through the finished games."""

import os
import runpy

os.environ.setdefault("TABLES", "600")
runpy.run_path("tests/daemon/test_memory.py", run_name="__main__")
