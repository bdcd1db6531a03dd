"""What many tables that wait take of a start: all deadlines are known at once, and
not one page of them after another, a second each.  Time stands, so that no second
passes; how long it takes is for soak_waiting.py (tests/bench/waiting.py)."""

import os
import sys

import daemon as d
from tap import done_testing, is_

sys.path.insert(0, "tests/bench")
TABLES = 25000
sys.argv[1:] = [str(TABLES)]
import waiting  # noqa: E402

data = os.path.join(d.room(), "data")
waiting.begin_game(data)
waiting.multiply(f"{data}/sobremesa.db", TABLES)
clocks = d.Clocks(stands=True)
many = d.Daemon(data=data, env=clocks.env)
operator = many.operator()
d.comes(lambda: operator.call("admin.status")["deadlines"] == TABLES + 1,
        "25 000 deadlines are known without a second passing")
clocks.go()
is_(many.stop()[0], 0, "and it ends as it should")
done_testing()
