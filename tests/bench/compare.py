"""The daemon beside itself: that of another commit, or where nobody is told
anything, or no clock runs, or no bot thinks, in turns.

usage: compare.py DAEMON | notices | clocks | bots [--smoke]

    DAEMON         the other commit's program (`make bench BEFORE=COMMIT` has
                   built it)
    notices        the same program, where all who play are told of their turns,
                   and where they have nothing by which they could be told
    clocks         the same program, at tables with a pace and without
    bots           the same program, where 16 bots think all the while, and
                   where there are none: how long moves take that come at 1000
                   a second, of which one in a hundred takes longer
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


class Before(bench.Daemon):
    """The other commit's; main() says where its program is."""


class Comparison:
    """Who is judged beside whom, how they are called, what their ratio must be,
    and of what: FIGURE(what a run told), of which more is better."""

    figure_is = "moves a second"
    options = []

    def __init__(self, kind, beside, names, must):
        self.kinds, self.names, self.must = (kind, beside), names, must

    @staticmethod
    def figure(told):
        return told["per_second"]

    def in_turn(self, k):
        """Who runs in pair K, and in which order."""
        return self.kinds if k % 2 == 0 else self.kinds[::-1]


NOTICES = Comparison(bench.Notified, bench.Known, ("with", "without"), 0.95)
CLOCKS = Comparison(bench.Clocked, bench.Known, ("with", "without"), 0.95)
CHANGE = Comparison(bench.Daemon, Before, ("now", "before"), 0.97)


class Waits(Comparison):
    """By how long moves take that come at their time: p99 is to be 1.2 times as
    long at most."""

    figure_is = "1 / p99 of an acknowledgement, 1/s"
    options = ["--rate", str(bench.RATES[min(1, len(bench.RATES) - 1)])]

    @staticmethod
    def figure(told):
        return 1e6 / told["ack_p99"]


BOTS = Waits(bench.Thinking, bench.Daemon, ("with", "without"), 1 / 1.2)


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
    """What PAIRS of figures, (judged, beside), say; more is better."""

    def __init__(self, pairs, must):
        ratios = sorted(judged / beside for judged, beside in pairs)
        out = outside(len(ratios))
        self.median = statistics.median(ratios)
        self.sure = ratios[out], ratios[-1 - out]
        self.all = ratios[0], ratios[-1]
        self.passed = self.median >= must
        self.certain = (self.sure[0] >= must) == (self.sure[1] >= must)


def pairs_wanted(text):
    pairs = int(text)
    if pairs < PAIRS_LEAST:
        raise ValueError(f"{pairs} pairs say nothing: {PAIRS_LEAST} at least")
    return pairs


def measure(what, pairs, widths):
    """By number of tables, the pairs of what was told: (judged, beside)."""
    told = {lanes: [] for lanes in widths}
    for k in range(pairs):
        for lanes in widths:
            pair = {kind: bench.run(kind, lanes, *what.options)
                    for kind in what.in_turn(k)}
            told[lanes].append(tuple(pair[kind] for kind in what.kinds))
            print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return told


def line(lanes, told, what):
    """A line of the table for the pairs TOLD, and whether it is well."""
    rates = [[what.figure(t) for t in pair] for pair in told]
    v = Verdict(rates, what.must)
    cpu = Verdict([[t["server_us"] for t in pair] for pair in told],
                  what.must)
    judged, beside = (statistics.median(side) for side in zip(*rates))
    text = f"{lanes:>6}{beside:>10,.0f}{judged:>10,.0f}{v.median:>8.3f}" \
        f"{v.sure[0]:>8.3f} -{v.sure[1]:>6.3f}{v.all[0]:>8.3f} -" \
        f"{v.all[1]:>6.3f}{cpu.median:>8.3f}  " \
        f"{'pass' if v.passed else 'FAIL'}" \
        f"{'' if v.certain else ', not certain: take more pairs'}"
    return text, v.passed


def main():
    what = {"notices": NOTICES, "clocks": CLOCKS, "bots": BOTS}.get(
        sys.argv[1], CHANGE)
    Before.program = sys.argv[1]
    pairs = 1 if bench.SMOKE else pairs_wanted(
        os.environ.get("BENCH_PAIRS", str(PAIRS_LEAST)))
    bench.print_machine()
    try:
        told = measure(what, pairs, [n for n in bench.GAMES if n > 1])
    except bench.Invalid as e:
        sys.exit(f"INVALID: {e}")
    judged, beside = what.names
    print(f"\n{what.figure_is}, medians; {judged} to {beside}, pair by pair "
          f"({pairs}): median, where it is\nin 19 of 20 cases, lowest and "
          f"highest; processor time likewise; must be {what.must:.3g}")
    print(f"{'tables':>6}{beside:>10}{judged:>10}{'ratio':>8}"
          f"{'19 of 20':>16}{'all':>16}{'time':>8}")
    lines = [line(lanes, told[lanes], what) for lanes in told]
    print("\n".join(text for text, _ in lines))
    sys.exit(0 if all(well for _, well in lines) else 1)


if __name__ == "__main__":
    main()
