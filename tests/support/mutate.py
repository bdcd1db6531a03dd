#!/usr/bin/env python3
"""Do the tests notice when the program is wrong?

usage: mutate.py [--count N] [--seed N] [--minutes N] [--only PATH ...] TEST ...

`make mutate` calls it with the tests of `make quick`.  Again and again one small
thing in the hub, the store or the core is made wrong -- a comparison, a sign, a
number, a statement left out -- and those tests are run that are linked with it,
until one fails.  A mutant that none of them notices has survived: it is listed
with its line, and is either a test that is missing or a line that makes no
difference.

It works on a copy of the tree in build/mutate/.  What does not compile and what
the compiler makes the same code of is no mutant; nor is what mutate.txt lists
as making no difference, with the reason.  A seed names its mutants: the same
seed and sources are the same mutants in the same order.
"""

import argparse
import concurrent.futures
import fnmatch
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import time

PLACES = ("server/hub/", "server/io/store", "core/")
HERE = os.path.dirname(os.path.abspath(__file__))

# ---- mutants -----------------------------------------------------------------

TOKEN = re.compile(r"""
    (?P<skip>/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'
        |^[ \t]*\#(?:\\\n|[^\n])*|\bASSERT\([^;]*;)
    |(?P<size>^\ +(?:(?:static|const|unsigned)\ )*(?:struct\ \w+|union\ \w+
        |\w+_t|char|int|id_num)\ [^=(;\n]*\[[^;=\n]*\])
    |(?P<number>\b(?:0x[0-9a-fA-F]+|\d+)[uUlL]*\b)
    |(?P<word>[A-Za-z_]\w*)
    |(?P<mark><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=
        |[-+*/%<>=!&|^~?:;,(){}\[\].])
    """, re.X | re.S | re.M)
SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
         "&&": "||", "||": "&&", "+": "-", "-": "+", "+=": "-=", "-=": "+=",
         "++": "--", "--": "++", "|": "&", "|=": "&=", "&=": "|=",
         "true": "false", "false": "true"}
UNARY = ("+", "-", "&", "*")
STATEMENT = re.compile(r"^ +(?!return\b|struct\b|const\b|static\b|enum\b|goto\b"
                       r"|break\b|continue\b|else\b|case\b|default\b)"
                       r"[*(]?[a-z_][\w>.\[\]()*-]*(?:\(| [-+|&]?= |\+\+|--)"
                       r"[^;{}\n]*;$", re.M)
CONDITION = re.compile(r"\b(?:if|while) \(([^;{}\n]+)\)(?=\n| \{)")


class Mutant:
    """TEXT of PATH with OTHER in the place of text[START:END]."""

    def __init__(self, path, text, start, end, other):
        self.path, self.text, self.other = path, text, other
        self.start, self.end = start, end

    def spoiled(self):
        return self.text[:self.start] + self.other + self.text[self.end:]

    def what(self):
        """The line, and what was made of it; the same wherever it stands."""
        first = self.text.rfind("\n", 0, self.start) + 1
        line = self.text[first:self.text.find("\n", self.end)]
        return "%s  [%s -> %s]" % (
            " ".join(line.split()),
            " ".join(self.text[self.start:self.end].split()),
            self.other.strip(" ;") or "nothing")

    def __str__(self):
        return "%s:%d: %s" % (self.path,
                              self.text.count("\n", 0, self.start) + 1,
                              self.what())


def mutants_of(path):
    """Every mutant that could be made of a source."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    found, depth, before = [], 0, ""

    def add(start, end, other):
        found.append(Mutant(path, text, start, end, other))

    for m in TOKEN.finditer(text):
        token, kind = m.group(), m.lastgroup
        if kind in ("skip", "size"):
            continue
        if token in ("{", "}"):
            depth += 1 if token == "{" else -1
        elif depth > 0:
            two_sided = re.match(r"[\w)\]]", before or " ")
            if token in SWAPS and (two_sided or token not in UNARY + ("|",)):
                add(m.start(), m.end(), SWAPS[token])
            elif kind == "number" and before != "case":
                add(m.start(), m.end(), "(%s + 1)" % token)
            elif token == "!":
                add(m.start(), m.end(), "")
        before = "0" if kind == "number" else token
    for m in STATEMENT.finditer(text):
        add(m.start(), m.end(), " ;")
    for m in CONDITION.finditer(text):
        if m.group(1).count("(") == m.group(1).count(")"):
            add(m.start(1), m.end(1), "!(%s)" % m.group(1))
    return found


def candidates(only):
    """Every mutant there could be, in order."""
    found = []
    for folder, _, names in sorted(os.walk(".")):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name))
            if name.endswith(".c") and path.startswith(only):
                found += mutants_of(path)
    return found


def harmless():
    """What makes no difference, as (pattern of paths, expression, reason)."""
    rows = []
    with open(os.path.join(HERE, "mutate.txt"), encoding="utf-8") as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                paths, expression = line.split(None, 1)
                rows.append((paths, re.compile(expression.strip())))
    return rows


# ---- building and testing ----------------------------------------------------

MEMORY = 4 << 30  # bytes: what is never freed must not take the machine's
FILES = 1 << 30


def limited(seconds):
    """For a child: no process of a test takes longer, whoever else is busy."""
    def set_limits():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILES, FILES))
    return set_limits


def code_of(path):
    with open(path, "rb") as f:
        return f.read()


class Tree:
    """A copy of the sources that may be spoiled, and the tests there."""

    def __init__(self, tests, jobs):
        self.tests, self.jobs = tests, jobs
        self.took = {}      # seconds of processor time, by test
        self.sources = {}   # names of those linked to a test
        self.kills = {}     # by (test, path) and by (test, folder)

    def make(self, *goals):
        """Whether it can be built, and what was said."""
        done = subprocess.run(
            ["make", "-s", "-j%d" % self.jobs, "DEPS=no", "CI=", "CFLAGS=-O1",
             *goals], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace",
            check=False)
        return done.returncode == 0, done.stdout

    def run(self, test, seconds, patience):
        """Whether TEST passes, within SECONDS of processor time; PATIENCE is
        for what waits for something that never comes."""
        env = dict(os.environ, TEST_TIMEOUT=str(patience))
        process = subprocess.Popen(["tests/support/run.sh", test], env=env,
                                   stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL,
                                   preexec_fn=limited(seconds))
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = status
        return status == 0, used.ru_utime + used.ru_stime

    def baseline(self):
        """What each test takes where nothing is wrong, and what it uses."""
        done, out = self.make(*self.tests)
        if not done:
            sys.exit("the tree does not build:\n" + out[-2000:])
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            results = list(pool.map(lambda t: self.run(t, 600, 1200),
                                    self.tests))
        for test, (good, took) in zip(self.tests, results):
            if not good:
                sys.exit("%s fails where nothing is wrong" % test)
            self.took[test] = took
            names = subprocess.run(["nm", "-a", test], check=True,
                                   capture_output=True, text=True).stdout
            self.sources[test] = set(re.findall(r" a (\w+\.c)$", names, re.M))

    def promising(self, path):
        """The tests that are linked with PATH, those first that have told most
        of it in the least time."""
        words = set(re.split(r"[/_.]", path))

        def cost(test):
            likeness = len(words & set(re.split(r"[/_.]", test)))
            kills = self.kills.get((test, path), 0)
            nearby = self.kills.get((test, os.path.dirname(path)), 0)
            return (0.2 + self.took[test]) / (1 + likeness + 4 * kills + nearby)
        return sorted((t for t in self.tests
                       if os.path.basename(path) in self.sources[t]), key=cost)

    def noticed(self, tests):
        """The test of these that fails first, or None; they are built."""
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            running = {pool.submit(self.run, t, int(10 + 5 * self.took[t]),
                                   int(120 + 20 * self.took[t])): t
                       for t in tests}
            for done in concurrent.futures.as_completed(running):
                if not done.result()[0]:
                    for other in running:
                        other.cancel()
                    return running[done]
        return None

    def judge(self, mutant):
        """"void" if it is none, the test that noticed it, or None."""
        target = "build/release/%s.o" % mutant.path[:-2]
        before = code_of(target)
        with open(mutant.path, "w", encoding="utf-8") as f:
            f.write(mutant.spoiled())
        try:
            if not self.make(target)[0] or code_of(target) == before:
                return "void"
            tests = self.promising(mutant.path)
            for some in (tests[:4], tests[4:16], tests[16:]):
                if some and not self.make(*some)[0]:
                    return "void"
                test = self.noticed(some)
                if test is not None:
                    self.credit(test, mutant.path)
                    return test
            return None
        finally:
            with open(mutant.path, "w", encoding="utf-8") as f:
                f.write(mutant.text)
            with open(target, "wb") as f:
                f.write(before)  # newer than the source: not made again

    def credit(self, test, path):
        for place in (path, os.path.dirname(path)):
            self.kills[test, place] = self.kills.get((test, place), 0) + 1


def copy_tree(to):
    files = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others",
         "--exclude-standard"], check=True, capture_output=True,
        text=True).stdout.split("\0")
    shutil.rmtree(to, ignore_errors=True)
    for file in filter(os.path.exists, filter(None, files)):
        target = os.path.join(to, file)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy2(file, target)
    shutil.copytree("build/llhttp", os.path.join(to, "build/llhttp"))


# ---- what comes of it --------------------------------------------------------

def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("--count", type=int, default=300)
    parse.add_argument("--seed", type=int, default=1)
    parse.add_argument("--minutes", type=float, default=180)
    parse.add_argument("--only", nargs="+", default=list(PLACES))
    parse.add_argument("--jobs", type=int, default=os.cpu_count())
    parse.add_argument("--wait-while", metavar="FILE", default="",
                       help="rest while FILE exists: somebody measures")
    parse.add_argument("tests", nargs="+")
    args = parse.parse_args()

    end = time.monotonic() + 60 * args.minutes
    known = harmless()
    copy_tree("build/mutate")
    os.chdir("build/mutate")
    os.environ.setdefault("RUNS", "10")
    for name in ("BUILD", "MAKEFLAGS", "MAKELEVEL"):
        os.environ.pop(name, None)
    tree = Tree(args.tests, args.jobs)
    tree.baseline()
    pool = candidates(tuple(args.only))
    random.Random(args.seed).shuffle(pool)
    print("# %d tests take %.0f s of a processor; %d candidates" % (
        len(args.tests), sum(tree.took.values()), len(pool)), flush=True)

    killed, survivors, passed_over = 0, [], 0
    for mutant in pool:
        while os.path.exists(args.wait_while):
            time.sleep(1)
        if killed + len(survivors) >= args.count or time.monotonic() > end:
            break
        if any(fnmatch.fnmatch(mutant.path, paths) and
               expression.search(mutant.what()) for paths, expression in known):
            passed_over += 1
            continue
        verdict = tree.judge(mutant)
        if verdict == "void":
            continue
        if verdict is None:
            survivors.append(mutant)
        else:
            killed += 1
        print("%4d %s: %s" % (killed + len(survivors), verdict or "SURVIVED",
                              mutant), flush=True)
    total = killed + len(survivors)
    print("\n# seed %d: %d of %d mutants were noticed: %.1f %%; %d more are known"
          " to make no difference" % (args.seed, killed, total,
                                      100 * killed / max(total, 1),
                                      passed_over))
    for survivor in survivors:
        print("survived %s" % survivor)


if __name__ == "__main__":
    main()
