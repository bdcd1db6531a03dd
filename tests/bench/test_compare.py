"""What `make bench BEFORE=COMMIT` makes of its figures, and tiny pairs of
this daemon with itself, with people who are told of their turns, with bots."""

import os
import subprocess
import sys

from tap import diag, done_testing, is_, ok

sys.path.insert(0, "tests/bench")
import compare  # noqa: E402

BIN = os.environ.get("BIN", "build/bin")

# A minute that slows both parts of a pair moves no ratio, though here it would
# move the ratio of the medians to 2.
slowed = [(98, 100)] * 4 + [(49, 50)] * 4 + [(98, 50)]
verdict = compare.Verdict(slowed, 0.97)
is_(round(verdict.median, 6), 0.98, "a ratio is a pair's, whatever the hour")
ok(verdict.passed and verdict.certain, "0.98 is enough, and sure")

# What must be reached is reached at 0.97 and not below.
ok(compare.Verdict([(97, 100)] * 9, 0.97).passed, "0.97 is enough")
ok(not compare.Verdict([(96.9, 100)] * 9, 0.97).passed, "0.969 is not")

# Of nine values the second and the last but one hold the median in 96 of 100
# cases, of five only all of them do, in 94: that is not enough to be told.
is_([compare.outside(n) for n in (5, 6, 8, 9, 12, 15)], [0, 0, 0, 1, 2, 3],
    "as many are left out as the binomial distribution allows")
wide = compare.Verdict([(r, 100) for r in
                        (99, 91, 98, 97, 99, 90, 98, 99, 200)], 0.97)
is_((wide.median, wide.sure, wide.all),
    (0.98, (0.91, 0.99), (0.90, 2.0)), "median, where it is, all")
ok(wide.passed and not wide.certain, "such a median is not certain")

# Fewer than nine pairs are no measurement.
try:
    compare.pairs_wanted("8")
    ok(False, "eight pairs are refused")
except ValueError:
    ok(True, "eight pairs are refused")
is_(compare.pairs_wanted("9"), 9, "nine are not")
ok(compare.CHANGE.in_turn(0) == compare.CHANGE.in_turn(1)[::-1],
   "who begins takes turns")

for judged in f"{BIN}/sobremesad", "notices", "clocks", "bots":
    run = subprocess.run(
        [sys.executable, "tests/bench/compare.py", judged, "--smoke"],
        env=dict(os.environ, TOOLS=os.path.join(os.path.dirname(BIN),
                                                "bench")),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    rows = [row.split() for row in run.stdout.splitlines()]
    row = next((r for r in rows if r[:1] == ["10"]), [])
    ok(len(row) >= 10 and float(row[1].replace(",", "")) > 0 and
       float(row[3]) > 0, "a pair of real runs has a ratio")
    is_(run.returncode, 0 if "pass" in row else 1,
        "the verdict is the status")
    if not row:
        diag(run.stdout + run.stderr)
done_testing()
