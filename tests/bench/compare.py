"""The daemon of this tree and that of another commit, in turns.

usage: compare.py DAEMON [--smoke]

    DAEMON         the other commit's program (`make bench BEFORE=COMMIT` has
                   built it)
    BENCH_PAIRS    of runs, nine at least (9)
    BENCH_SECONDS  of each run (2)

Both are driven by this tree's load, tables and games alike, and pass the gate
of bench.py after every run.  A pair runs at once, the first of it by turns, and
has one ratio: what slows the machine down for a while is in both of its parts.
Exits with 1 if a median is below what it must be.  --smoke is one tiny pair.
"""

import math
import os
import statistics
import sys

import bench

PAIRS_LEAST = 9
MUST = 0.97


class Before(bench.Daemon):
    """The other commit's; main() says where its program is."""


def outside(n):
    """How many of N sorted values may be left out at either end so that the
    rest still has the true median in at least 19 of 20 cases."""
    out, missed = -1, 0.0
    while True:
        missed += 2 * math.comb(n, out + 1) / 2**n
        if missed > 0.05:
            return max(out, 0)
        out += 1


class Verdict:
    """What PAIRS of figures, (now, before), say; more is better."""

    def __init__(self, pairs):
        ratios = sorted(now / before for now, before in pairs)
        out = outside(len(ratios))
        self.median = statistics.median(ratios)
        self.sure = ratios[out], ratios[-1 - out]
        self.all = ratios[0], ratios[-1]
        self.passed = self.median >= MUST
        self.certain = (self.sure[0] >= MUST) == (self.sure[1] >= MUST)


def pairs_wanted(text):
    pairs = int(text)
    if pairs < PAIRS_LEAST:
        raise ValueError(f"{pairs} pairs say nothing: {PAIRS_LEAST} at least")
    return pairs


def in_turn(k):
    """Who runs in pair K, and in which order."""
    return (bench.Daemon, Before) if k % 2 == 0 else (Before, bench.Daemon)


def measure(pairs, widths):
    """By number of tables, the pairs of what was told: (now, before)."""
    told = {lanes: [] for lanes in widths}
    for k in range(pairs):
        for lanes in widths:
            pair = {kind: bench.run(kind, lanes) for kind in in_turn(k)}
            told[lanes].append((pair[bench.Daemon], pair[Before]))
            print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return told


def line(lanes, told):
    """A line of the table for the pairs TOLD, and whether it is well."""
    rates = [[t["per_second"] for t in pair] for pair in told]
    v = Verdict(rates)
    cpu = Verdict([[t["server_us"] for t in pair] for pair in told])
    now, before = (statistics.median(side) for side in zip(*rates))
    text = f"{lanes:>6}{before:>10,.0f}{now:>10,.0f}{v.median:>8.3f}" \
        f"{v.sure[0]:>8.3f} -{v.sure[1]:>6.3f}{v.all[0]:>8.3f} -" \
        f"{v.all[1]:>6.3f}{cpu.median:>8.3f}  " \
        f"{'pass' if v.passed else 'FAIL'}" \
        f"{'' if v.certain else ', not certain: take more pairs'}"
    return text, v.passed


def main():
    Before.program = sys.argv[1]
    pairs = 1 if bench.SMOKE else pairs_wanted(
        os.environ.get("BENCH_PAIRS", str(PAIRS_LEAST)))
    bench.print_machine()
    try:
        told = measure(pairs, [n for n in bench.GAMES if n > 1])
    except bench.Invalid as e:
        sys.exit(f"INVALID: {e}")
    print(f"\nmoves a second, medians; now to before, pair by pair ({pairs}): "
          "median, where it is\nin 19 of 20 cases, lowest and highest; "
          f"processor time likewise; must be {MUST}")
    print(f"{'tables':>6}{'before':>10}{'now':>10}{'ratio':>8}"
          f"{'19 of 20':>16}{'all':>16}{'time':>8}")
    lines = [line(lanes, told[lanes]) for lanes in told]
    print("\n".join(text for text, _ in lines))
    sys.exit(0 if all(well for _, well in lines) else 1)


if __name__ == "__main__":
    main()
