"""test_rating.py -- ratings beside the model they are said to follow, in 40 digits;
and what they make of a club whose true strengths are known."""

import math
import os
import random
import subprocess
import sys

from mpmath import diff, exp, log, mp, mpf, sqrt

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)),
                                "..", "support"))
from tap import diag, done_testing, ok  # noqa: E402

RATING = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rating")
NEW = (1500000, 250000 ** 2)
mp.dps = 40


class Rater:
    """The program that rates one game a line."""

    def __init__(self):
        self.process = subprocess.Popen([RATING], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def game(self, players, met=None):
        """PLAYERS are (rating, seat, place, substitute); their ratings
        after it."""
        n = len(players)
        words = [n]
        for rating, seat, place, substitute in players:
            words += [*rating, seat, place, int(substitute)]
        words += met or [0] * (n * n)
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        said = list(map(int, self.process.stdout.readline().split()))
        return list(zip(said[::2], said[1::2]))

    def end(self):
        self.process.stdin.close()
        self.process.wait(10)


def exact(players, met):
    """The model as it is written down: means and variances are moved along the
    first and second derivative of the logarithm of what was seen, which are
    taken numerically."""
    n = len(players)
    two_beta2 = (400 / log(10)) ** 2 * 1000000

    def weight(i, k):
        return mpf(8) / (8 + mpf(met[i * n + k]) / 256)

    rivals = [[k for k in range(n) if players[k][1] != players[i][1]
               and not players[k][3]] for i in range(n)]
    prior = []
    for i in range(n):
        mean, variance = map(mpf, players[i][0])
        if rivals[i]:
            mine = sum(weight(i, k) for k in rivals[i]) / len(rivals[i])
            variance = min(variance + 16000000 * mine, mpf(NEW[1]))
        prior.append((mean, variance))
    after = []
    for i, (mean, variance) in enumerate(prior):
        def spread(k, variance=variance):
            return sqrt(variance + prior[k][1] + two_beta2)

        def ahead(k, x):
            return 1 / (1 + exp((prior[k][0] - x) / spread(k)))

        def seen(x, i=i):
            total = mpf(0)
            for k in rivals[i]:
                tied = players[i][2] == players[k][2]
                won = mpf(1) / 2 if tied else mpf(players[i][2] <
                                                  players[k][2])
                total += weight(i, k) * (won * log(ahead(k, x)) +
                                         (1 - won) * log(1 - ahead(k, x)))
            return total

        def told(x, i=i, variance=variance):
            return sum((weight(i, k) * sqrt(variance) / spread(k) *
                        log(ahead(k, x)) for k in rivals[i]), mpf(0))

        step = variance * diff(seen, mean)
        if players[i][3]:
            step = max(step, mpf(0))
        left = max(1 + variance * diff(told, mean, 2), mpf(1) / 10000)
        after.append((mean + step, max(variance * left, mpf(10) ** 8)))
    return after


def some_game(dice):
    n = dice.randint(2, 6)
    players = [((dice.randint(600000, 2600000),
                 dice.randint(30000, 250000) ** 2),
                dice.randint(0, 3) if dice.random() < .3 else 10 + i,
                dice.randint(1, n), dice.random() < .15) for i in range(n)]
    met = [0] * (n * n)
    for i in range(n):
        for k in range(i):
            met[i * n + k] = met[k * n + i] = dice.choice([0, 256, 5000])
    return players, met


def rank_correlation(a, b):
    def ranks(values):
        order = sorted(range(len(values)), key=values.__getitem__)
        return {at: rank for rank, at in enumerate(order)}

    x, y, n = ranks(a), ranks(b), len(a)
    return 1 - 6 * sum((x[i] - y[i]) ** 2 for i in range(n)) / (n * (n * n - 1))


def club(rater, seats, games, people=200):
    """Rank correlation of ratings and true strengths when each has played so
    many games of so many."""
    dice = random.Random(7)
    true = [dice.gauss(0, 200) for _ in range(people)]
    ratings = [NEW] * people
    for _ in range(games):
        order = dice.sample(range(people), people)
        for at in range(0, people, seats):
            who = order[at:at + seats]
            form = {i: true[i] - 173.7 * math.log(-math.log(dice.random()))
                    for i in who}
            ranking = sorted(who, key=form.get, reverse=True)
            after = rater.game([(ratings[i], seat, ranking.index(i) + 1, False)
                                for seat, i in enumerate(who)])
            for i, rating in zip(who, after):
                ratings[i] = rating
    return rank_correlation([r[0] for r in ratings], true)


def farthest(rater, games):
    """How far ratings come out from the model: thousandths of a point, and a
    part of the variance."""
    dice = random.Random(1)
    worst = worst_variance = 0
    for _ in range(games):
        players, met = some_game(dice)
        for is_, wanted in zip(rater.game(players, met), exact(players, met)):
            worst = max(worst, abs(is_[0] - wanted[0]))
            worst_variance = max(worst_variance,
                                 abs(is_[1] / wanted[1] - 1))
    return float(worst), float(worst_variance)


def main():
    rater = Rater()
    worst, variance = farthest(rater,
                               int(os.environ.get("RATING_GAMES", "60")))
    ok(worst < 1 and variance < 1e-6,
       "within a thousandth of a point of the model, whatever the game")
    diag(f"farthest {worst:.2g} thousandths, variance {variance:.2g}")
    for seats, games, least in ((2, 20, .85), (4, 10, .82)):
        found = club(rater, seats, games)
        ok(found > least, f"{games} games of {seats} tell who is stronger")
        diag(f"rank correlation {found:.3f}")
    rater.end()
    done_testing()


if __name__ == "__main__":
    main()
