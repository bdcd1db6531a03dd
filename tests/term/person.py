"""person.py -- somebody with a terminal client of their own, and a home for
what it remembers; in lines, or before a terminal of tmux.

Every wait is for something, at most WAIT seconds."""

import codecs
import os
import re
import select
import shutil
import subprocess
import tempfile
import time

import daemon as d

PROGRAM = os.path.abspath(os.path.join(d.BIN, "sobremesa"))
WAIT = 120 if os.environ.get("ASAN") else 60


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
        self.env.update(HOME=self.home, SOBREMESA_SERVER=server,
                        LC_ALL="C.UTF-8")

    def run(self, *arguments, typed="", env=None):
        """(status, stdout, stderr) of a command."""
        done = subprocess.run([PROGRAM, *arguments], input=typed.encode(),
                              capture_output=True, check=False, timeout=WAIT,
                              env={**self.env, **(env or {})})
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
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=person.env)
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
        end = time.monotonic() + WAIT
        while True:
            found = re.search(pattern, self.rest, re.M)
            if found:
                self.heard.append(self.rest[:found.end()])
                self.rest = self.rest[found.end():]
                return found
            left = end - time.monotonic()
            assert left > 0, (pattern, self.rest)
            if not select.select([self.process.stdout], [], [], left)[0]:
                continue
            piece = os.read(self.process.stdout.fileno(), 65536)
            assert piece, (pattern, self.rest, "it has ended")
            self.rest += self.decoder.decode(piece)

    def end(self):
        """Nothing more is typed: its status and what it said."""
        self.process.stdin.close()
        self.rest += self.decoder.decode(self.process.stdout.read())
        self.process.stdout.close()
        return self.process.wait(WAIT), self.out


class Terminal:
    """A terminal of tmux in which a command runs."""

    count = 0

    def __init__(self, person, width, height, *arguments, term=None, **env):
        Terminal.count += 1
        self.folder = tempfile.mkdtemp(prefix="t.")
        self.socket = os.path.join(self.folder, "tmux")
        words = " ".join("'" + a.replace("'", "'\\''") + "'"
                         for a in (PROGRAM, *arguments))
        env = {"TERM": term or "tmux-256color", **env}
        sets = " ".join(f"{k}={v}" for k, v in env.items())
        self._tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width),
                   "-y", str(height),
                   f"env {sets} {words}; echo END $?; sleep 10000",
                   env=person.env)

    def _tmux(self, *arguments, env=None):
        return subprocess.run(["tmux", "-u", "-S", self.socket, *arguments],
                              check=True, capture_output=True, env=env,
                              timeout=WAIT).stdout.decode()

    def screen(self, colours=False):
        return self._tmux("capture-pane", "-p", *(["-e"] if colours else []))

    def title(self):
        """That of the window."""
        return self._tmux("display-message", "-p", "#{pane_title}").strip()

    def keys(self, *keys):
        for key in keys:
            self._tmux("send-keys", key)

    def text(self, text):
        self._tmux("send-keys", "-l", text)

    def bells(self, meanwhile):
        """What the program writes while something happens."""
        path = os.path.join(self.folder, "pipe")
        self._tmux("pipe-pane", "-O", f"cat >'{path}'")
        meanwhile()
        end = time.monotonic() + WAIT
        written = ""
        while "\a" not in written and time.monotonic() < end:
            time.sleep(0.03)
            if os.path.exists(path):
                with open(path, encoding="utf-8", errors="replace") as f:
                    written = f.read()
            # The title ends with the same character.
            written = re.sub("\033\\]2;[^\a]*\a", "", written)
        self._tmux("pipe-pane")
        return written

    def size(self, width, height):
        self._tmux("resize-window", "-x", str(width), "-y", str(height))

    def shows(self, pattern):
        """Waits until PATTERN stands there: the screen.  If it never does, what
        is there instead ends the test: else each such line would take its whole
        patience, and nobody would know."""
        screen = self.until(lambda s: re.search(pattern, s))
        assert screen is not None, (pattern, self.screen())
        return screen

    def until(self, holds):
        """Waits until a screen HOLDS: that, or None.  It is looked at less and
        less often, as each look is a program of its own."""
        end = time.monotonic() + WAIT
        pause = 0.02
        while time.monotonic() < end:
            screen = self.screen()
            if holds(screen):
                return screen
            time.sleep(pause)
            pause = min(1.5 * pause, 0.3)
        return None

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"],
                       check=False, capture_output=True)
        shutil.rmtree(self.folder, True)
