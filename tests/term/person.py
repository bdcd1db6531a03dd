"""person.py -- somebody with a terminal client of their own, and a home for
what it remembers; in lines, or before a terminal of tmux.

Every wait is for something, at most WAIT seconds; what does not come in time
ends the test.  What their programs draw follows from SEED and NAME."""

import atexit
import codecs
import mmap
import os
import re
import select
import shutil
import struct
import subprocess
import tempfile

import daemon as d
from tap import diag, ok

PROGRAM = os.path.abspath(os.path.join(d.BIN, "sobremesa"))
WAIT = d.WAIT


class Person:
    """NAME has a home below FOLDER, and a server."""

    def __init__(self, folder, name, server):
        self.name = name
        self.server = server
        self.home = os.path.join(folder, name)
        os.makedirs(self.home, exist_ok=True)
        self.env = {k: v for k, v in os.environ.items()
                    if not k.startswith("SOBREMESA_")}
        self.env.pop("XDG_CONFIG_HOME", None)
        self.env.update(d.preloaded("daemon/draws"), HOME=self.home,
                        SOBREMESA_SERVER=server, LC_ALL="C.UTF-8")
        self.started = 0

    def begins(self, **more):
        """The environment of one more program of theirs."""
        self.started += 1
        return {"DRAWS": f"{d.SEED} {self.name} {self.started}", **self.env,
                **more}

    def run(self, *arguments, typed="", env=None):
        """(status, stdout, stderr) of a command."""
        done = subprocess.run([PROGRAM, *arguments], input=typed.encode(),
                              capture_output=True, check=False, timeout=WAIT,
                              env=self.begins(**(env or {})))
        return (done.returncode, done.stdout.decode(), done.stderr.decode())

    def did(self, *arguments, **more):
        """The output of a command that has to work."""
        status, out, err = self.run(*arguments, **more)
        assert status == 0, (arguments, status, out, err)
        return out

    def lines(self, *arguments):
        return Lines(self, *arguments)


class Lines:
    """A client in lines, at the other end of two pipes."""

    def __init__(self, person, *arguments):
        self.process = subprocess.Popen(
            [PROGRAM, *arguments], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=person.begins())
        self.heard = []  # what was looked at, piece by piece
        self.rest = ""   # and what was not yet
        self.decoder = codecs.getincrementaldecoder("utf-8")()

    @property
    def out(self):
        """All it has said."""
        return "".join(self.heard) + self.rest

    def type(self, *lines):
        for line in lines:
            self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def hear(self, pattern):
        """Waits for PATTERN behind what was looked at: the match."""
        left = d.time_left()
        while True:
            found = re.search(pattern, self.rest, re.M)
            if found:
                self.heard.append(self.rest[:found.end()])
                self.rest = self.rest[found.end():]
                return found
            if not select.select([self.process.stdout], [], [], left())[0]:
                never(f"never said: {pattern}", self.rest)
            piece = os.read(self.process.stdout.fileno(), 65536)
            if not piece:
                never(f"it has ended, and never said: {pattern}", self.rest)
            self.rest += self.decoder.decode(piece)

    def end(self):
        """Nothing more is typed: its status and what it said."""
        self.process.stdin.close()
        self.rest += self.decoder.decode(self.process.stdout.read())
        self.process.stdout.close()
        return self.process.wait(WAIT), self.out


def never(what, instead):
    """Ends the test: WHAT did not come, but INSTEAD."""
    diag(instead[-2000:].rstrip())
    ok(False, what)
    raise SystemExit(1)


def awaited(condition, what, instead, **how):
    """What CONDITION comes to give.  If it never does, what is there INSTEAD
    ends the test."""
    try:
        return d.until(condition, what, **how)
    except d.InVain:
        return never(what, instead())


class Terminal:
    """A terminal of tmux in which a command runs.  Whoever types here waits
    until the program has read the key, has done what it means and waits for the
    next one (resize.c)."""

    count = 0
    WHOLE = ("learn", "lobby", "play", "replay", "watch")  # screens

    def __init__(self, person, width, height, *arguments, term=None, **env):
        Terminal.count += 1
        self.folder = tempfile.mkdtemp(prefix="t.")
        atexit.register(self.close)
        self.socket = os.path.join(self.folder, "tmux")
        self.whole = arguments[0] in self.WHOLE and "--plain" not in arguments
        path = os.path.join(self.folder, "taken")
        with open(path, "w+b") as f:
            f.write(bytes(24))
            f.flush()
            self.taken = mmap.mmap(f.fileno(), 24)
        words = " ".join("'" + a.replace("'", "'\\''") + "'"
                         for a in (PROGRAM, *arguments))
        shims = d.preloaded("daemon/draws", "term/resize")
        env = {"TERM": term or "tmux-256color", "TAKEN": path,
               "LD_PRELOAD": shims["LD_PRELOAD"], **env}
        sets = " ".join(f"{k}={v}" for k, v in env.items())
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width),
                   "-y", str(height),
                   f"env {sets} {words}; echo END $?; sleep 10000",
                   env=person.begins())

    def _tmux(self, *arguments, env=None):
        return subprocess.run(["tmux", "-u", "-S", self.socket, *arguments],
                              check=True, capture_output=True, env=env,
                              timeout=WAIT).stdout.decode()

    def screen(self, colours=False):
        """What stands there now, drawn to its end: twice the same."""
        last = None
        while True:
            screen = self._tmux("capture-pane", "-p",
                                *(["-e"] if colours else []))
            if screen == last:
                return screen
            last = screen

    def title(self):
        """That of the window."""
        return self._tmux("display-message", "-p", "#{pane_title}").strip()

    def _type(self, count, *arguments):
        """COUNT bytes at least, by send-keys."""
        before = struct.unpack("=qqq", self.taken[:])[1]
        self._tmux("send-keys", *arguments)
        awaited(lambda: not self.whole or self._took(before + count),
                f"no key was waited for after {arguments}", self.screen)

    def _took(self, count):
        """Whether COUNT bytes were read, and another key is waited for; or the
        program has ended."""
        pid, read, waits = struct.unpack("=qqq", self.taken[:])
        if pid == 0 or (waits == 1 and read >= count) or waits == 2:
            return pid != 0
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        return False

    def keys(self, *keys):
        for key in keys:
            self._type(1, key)

    def text(self, text):
        self._type(len(text.encode()), "-l", text)

    def written(self, meanwhile, pattern):
        """What the program writes while something happens, up to PATTERN."""
        path = os.path.join(self.folder, "pipe")
        self._tmux("pipe-pane", "-O", f"cat >'{path}'")
        meanwhile()

        def written():
            if not os.path.exists(path):
                return ""
            with open(path, encoding="utf-8", errors="replace") as f:
                return f.read()

        def whole():
            text = written()
            return text if re.search(pattern, text) else None

        text = awaited(whole, f"never written: {pattern!r}",
                       lambda: repr(written()))
        self._tmux("pipe-pane")
        return text

    def size(self, width, height):
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    def shows(self, pattern):
        """Waits until PATTERN stands there: the screen."""
        return self.until(lambda s: re.search(pattern, s), pattern)

    def until(self, holds, what="what is waited for"):
        """Waits until a screen HOLDS: that.  If it never does, what is there
        instead ends the test.  It is looked at less and less often, as each look
        is a program of its own."""
        def looked():
            screen = self._tmux("capture-pane", "-p")
            return screen if holds(screen) else None

        return awaited(looked, f"never on the screen: {what}", self.screen,
                       pause=0.3)

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"],
                       check=False, capture_output=True)
        shutil.rmtree(self.folder, True)
