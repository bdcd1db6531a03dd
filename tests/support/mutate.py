#!/usr/bin/env python3
"""Do the tests notice when the program is wrong?

usage: mutate.py [--count N] [--seed N] [--minutes N] [--only PATH ...]
                 [--after LOG | --again LOG] TEST ...

`make mutate` calls it with the tests of `make quick`.  Again and again one small
thing in the hub, the store or the core is made wrong -- a comparison, a sign, a
number, a statement left out -- and those tests are run that come by that line,
until one fails.  What none of them notices the likeliest try once more under the
address and undefined behaviour sanitizers, as CI does all: so what only reads past
an end, or is not given back, is found, too.  A mutant that has survived both is
listed with its line, and is either a test that is missing or a line that makes no
difference.

It works on a copy of the tree in build/mutate/.  What does not compile and what
the compiler makes the same code of is no mutant; nor is what mutate.txt lists
as making no difference, with the reason.  A seed names its mutants: the same
seed and sources are the same mutants in the same order.

What is printed can be given back.  A run that was ended goes on with --after:
what LOG has judged counts and is not tried again.  --again tries those that
survived in LOG, and only them, on the sources as they are now: so it is seen
whether a new test notices them.
"""

import argparse
import concurrent.futures
import fnmatch
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
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

    def line(self):
        return self.text.count("\n", 0, self.start) + 1

    def __str__(self):
        return "%s:%d: %s" % (self.path, self.line(), self.what())


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
SANITIZED = 16  # tests that try a survivor once more: they take their time


def limited(seconds, sanitized):
    """For a child: no process of a test takes longer, whoever else is busy.
    Sanitizers want more addresses than there is memory."""
    def set_limits():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        if not sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILES, FILES))
    return set_limits


def under_sanitizers(test):
    return test.replace("build/", "build/asan/", 1)


def counting(test):
    return test.replace("build/", "build/cover/", 1)


def code_of(path):
    with open(path, "rb") as f:
        return f.read()


def counted_below(root):
    """What a program built to count lines has left below ROOT, each with the
    compiler's notes beside it: of the places, and of tests, which include one."""
    wanted = tuple(place.rpartition("/")[0] for place in PLACES) + ("tests",)
    found = []
    for folder, _, names in os.walk(root):
        notes = folder[len(root):]
        if not os.path.relpath(notes or "/",
                               "build/cover").startswith(wanted):
            continue
        for name in names:
            note = name[:-len(".gcda")] + ".gcno"
            os.symlink(os.path.join(notes, note), os.path.join(folder, note))
            found.append(os.path.join(folder, name))
    return found


class Reach:
    """Which tests come by which line, as gcov has it.  A line in which it counts
    nothing is that before it of the same function; outside functions, say in a
    table, nobody can tell.  What a process does that is killed is not counted."""

    def __init__(self):
        self.functions = {}  # by path: those of (first, last line)
        self.lines = {}      # by path: tests by line

    def take(self, test, root):
        """Adds what TEST has left below ROOT."""
        counts = counted_below(root)
        if not counts:
            return
        said = subprocess.run(["gcov", "--json-format", "--stdout", *counts],
                              check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True).stdout
        for line in said.splitlines():
            for file in json.loads(line)["files"]:
                self.add(test, file)

    def add(self, test, file):
        path = os.path.relpath(file["file"])
        if not path.startswith(PLACES) or not path.endswith(".c"):
            return
        functions = self.functions.setdefault(path, set())
        lines = self.lines.setdefault(path, {})
        for function in file["functions"]:
            functions.add((function["start_line"], function["end_line"]))
        for line in file["lines"]:
            tests = lines.setdefault(line["line_number"], set())
            if line["count"] > 0:
                tests.add(test)

    def of(self, path, line):
        """The tests that come by LINE of PATH, or None: nobody can tell."""
        lines = self.lines.get(path, {})
        for first, last in self.functions.get(path, ()):
            if first <= line <= last:
                while line > first and line not in lines:
                    line -= 1
                return lines.get(line)
        return None


class Tree:
    """A copy of the sources that may be spoiled, and the tests there."""

    def __init__(self, tests, jobs):
        self.tests, self.jobs = tests, jobs
        self.took = {}      # seconds of processor time, by test
        self.sources = {}   # names of those linked to a test
        self.reach = Reach()
        self.kills = {}     # by (test, path) and by (test, folder)

    def make(self, goals, mode="release"):
        """Whether it can be built, and what was said."""
        done = subprocess.run(
            ["make", "-s", "-j%d" % self.jobs, "DEPS=no", "CI=", "CFLAGS=-O1",
             "MODE=" + mode, *goals],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace",
            check=False)
        return done.returncode == 0, done.stdout

    def run(self, test, seconds, patience, sanitized=False):
        """Whether TEST passes, within SECONDS of processor time; PATIENCE is
        for what waits for something that never comes."""
        env = dict(os.environ, TEST_TIMEOUT=str(patience))
        if sanitized:
            test = under_sanitizers(test)
        process = subprocess.Popen(["tests/support/run.sh", test], env=env,
                                   stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL,
                                   preexec_fn=limited(seconds,
                                                      sanitized))
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = status
        return status == 0, used.ru_utime + used.ru_stime

    def baseline(self):
        """What each test takes where nothing is wrong, and what it uses."""
        done, out = self.make(self.tests)
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

    def measure_reach(self):
        """Which lines each test comes by, in programs built to count that."""
        if not self.make(map(counting, self.tests), "cover")[0]:
            sys.exit("what counts lines does not build")

        def count(test):
            root = tempfile.mkdtemp()
            subprocess.run(["tests/support/run.sh", counting(test)],
                           env=dict(os.environ, GCOV_PREFIX=root), check=False,
                           stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            return test, root
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for test, root in pool.map(count, self.tests):
                self.reach.take(test, root)
                shutil.rmtree(root)

    def promising(self, mutant):
        """The tests that come by the mutant, or, if nobody can tell, are linked
        with it; those first that have told most of its file in the least time."""
        path = mutant.path
        near = self.reach.of(path, mutant.line())
        words = set(re.split(r"[/_.]", path))

        def cost(test):
            likeness = len(words & set(re.split(r"[/_.]", test)))
            kills = self.kills.get((test, path), 0)
            nearby = self.kills.get((test, os.path.dirname(path)), 0)
            return (0.2 + self.took[test]) / (1 + likeness + 4 * kills + nearby)
        if near is None:
            near = {t for t in self.tests
                    if os.path.basename(path) in self.sources[t]}
        return sorted(near, key=lambda test: (cost(test), test))

    def failing(self, tests, sanitized=False):
        """The test of these that fails first, or None; they are built."""
        slower = 5 if sanitized else 1
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            running = {pool.submit(self.run, t,
                                   int(10 + slower * 5 * self.took[t]),
                                   int(120 + slower * 20 * self.took[t]),
                                   sanitized): t
                       for t in tests}
            for done in concurrent.futures.as_completed(running):
                if not done.result()[0]:
                    for other in running:
                        other.cancel()
                    return running[done]
        return None

    def noticed(self, mutant):
        """What the tests say of the mutant that is among the sources."""
        tests = self.promising(mutant)
        for some in (tests[:2], tests[2:8], tests[8:24], tests[24:]):
            if some and not self.make(some)[0]:
                return "void"
            test = self.failing(some)
            if test is not None:
                self.credit(test, mutant.path)
                return test
        return None

    def sanitizers_noticed(self, mutant):
        """The test that fails under the sanitizers, or None."""
        tests = self.promising(mutant)[:SANITIZED]
        for some in (tests[:4], tests[4:]):
            if some and self.make(map(under_sanitizers, some), "asan")[0]:
                test = self.failing(some, sanitized=True)
                if test is not None:
                    return test
        return None

    def tried(self, mutant):
        """What is said while the mutant is among the sources: the verdict, and
        the test that noticed it under the sanitizers."""
        target = "build/release/%s.o" % mutant.path[:-2]
        before = code_of(target)
        with open(mutant.path, "w", encoding="utf-8") as f:
            f.write(mutant.spoiled())
        try:
            if not self.make([target])[0] or code_of(target) == before:
                return "void", None
            verdict = self.noticed(mutant)
            if verdict is not None:
                return verdict, None
            return None, self.sanitizers_noticed(mutant)
        finally:
            with open(mutant.path, "w", encoding="utf-8") as f:
                f.write(mutant.text)
            with open(target, "wb") as f:
                f.write(before)  # newer than the source: not made again

    def judge(self, mutant):
        """"void" if it is none, the test that noticed it, or "SURVIVED".  A test
        that fails under the sanitizers has to pass without the mutant."""
        verdict, test = self.tried(mutant)
        if verdict is None and test is not None and \
                self.make([under_sanitizers(test)], "asan")[0] and \
                self.failing([test], sanitized=True) is None:
            verdict = under_sanitizers(test)
        return verdict or "SURVIVED"

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


# ---- what was printed before -------------------------------------------------

VERDICT = re.compile(r"^ *\d+ (\S+): ((\S+):(\d+): (.*))$")


def verdicts_of(log):
    """What a log tells, as matches of VERDICT."""
    if log is None:
        return []
    with open(log, encoding="utf-8") as f:
        return [m for m in map(VERDICT.match, f) if m]


def survivors_of(verdicts, pool):
    """Those of POOL that survived then; their lines may have moved since."""
    found = []
    for verdict, name, path, line, what in (m.groups() for m in verdicts):
        alike = [m for m in pool if m.path == path and m.what() == what]
        if verdict == "SURVIVED" and alike:
            found.append(min(alike, key=lambda m: abs(m.line() - int(line))))
        elif verdict == "SURVIVED":
            print("# no longer there: " + name)
    return found


# ---- what comes of it --------------------------------------------------------

class Score:
    """What was noticed, and what was not."""

    def __init__(self):
        self.killed, self.survivors, self.harmless = 0, [], 0

    def total(self):
        return self.killed + len(self.survivors)

    def count(self, name, verdict):
        if verdict == "SURVIVED":
            self.survivors.append(name)
        else:
            self.killed += 1

    def tell(self, of_what):
        print("\n# %s: %d of %d mutants were noticed: %.1f %%; %d more are known"
              " to make no difference" % (
                  of_what, self.killed, self.total(),
                  100 * self.killed / max(self.total(), 1), self.harmless))
        for name in self.survivors:
            print("survived " + name)


def try_all(tree, pool, args, before, score):
    """Judges one mutant of POOL after the other; BEFORE are known verdicts."""
    end = time.monotonic() + 60 * args.minutes
    known = harmless()
    for mutant in pool:
        while os.path.exists(args.wait_while):
            time.sleep(1)
        if score.total() >= args.count or time.monotonic() > end:
            break
        if any(fnmatch.fnmatch(mutant.path, paths) and
               expression.search(mutant.what()) for paths, expression in known):
            score.harmless += 1
            continue
        name = str(mutant)
        verdict = before.get(name)
        if verdict is None:
            verdict = tree.judge(mutant)
            if verdict == "void":
                continue
            print("%4d %s: %s" % (score.total() + 1, verdict, name), flush=True)
        score.count(name, verdict)


def arguments():
    parse = argparse.ArgumentParser()
    parse.add_argument("--count", type=int, default=300)
    parse.add_argument("--seed", type=int, default=1)
    parse.add_argument("--minutes", type=float, default=180)
    parse.add_argument("--only", nargs="+", default=list(PLACES))
    parse.add_argument("--jobs", type=int, default=os.cpu_count())
    parse.add_argument("--after", metavar="LOG", help="go on where it ends")
    parse.add_argument("--again", metavar="LOG",
                       help="only those that survived in it")
    parse.add_argument("--wait-while", metavar="FILE", default="",
                       help="rest while FILE exists: somebody measures")
    parse.add_argument("tests", nargs="+")
    return parse.parse_args()


def main():
    args = arguments()
    before = verdicts_of(args.after)
    again = verdicts_of(args.again)
    copy_tree("build/mutate")
    os.chdir("build/mutate")
    os.environ.setdefault("RUNS", "10")
    for name in ("BUILD", "MAKEFLAGS", "MAKELEVEL"):
        os.environ.pop(name, None)
    tree = Tree(args.tests, args.jobs)
    tree.baseline()
    tree.measure_reach()
    pool = candidates(tuple(args.only))
    print("# %d tests take %.0f s of a processor; %d candidates" % (
        len(args.tests), sum(tree.took.values()), len(pool)), flush=True)
    if args.again:
        pool = survivors_of(again, pool)
    else:
        random.Random(args.seed).shuffle(pool)
    score = Score()
    try_all(tree, pool, args, {m.group(2): m.group(1) for m in before}, score)
    score.tell("again" if args.again else "seed %d" % args.seed)


if __name__ == "__main__":
    main()
