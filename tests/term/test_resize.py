"""A window that gets another size the moment before the client waits for a key
is drawn anew without one; and a terminal that is gone ends it."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios

import daemon as d
from tap import done_testing, ok

LONG = os.path.join(os.path.dirname(d.BIN), "test", "daemon", "long")
class Terminal:
    """A client before a terminal of 80 by 24, with resize.c preloaded."""

    def __init__(self, *arguments):
        self.flag = os.path.join(d.room(), "resize")
        self.shown = ""
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ,
                    struct.pack("4H", 24, 80, 0, 0))
        self.process = subprocess.Popen(
            [os.path.join(d.BIN, "sobremesa"), *arguments],
            stdin=slave, stdout=slave, stderr=slave,
            preexec_fn=lambda: self.own(slave),
            env={**os.environ, **d.preloaded("term/resize"), "TERM": "xterm",
                 "RESIZE": self.flag})
        d.running.append(self.process)
        os.close(slave)

    @staticmethod
    def own(slave):
        """It is theirs, and tells them when it changes, but not of its end."""
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def shows(self, pattern):
        left = d.time_left()
        while not re.search(pattern, self.shown):
            if not select.select([self.master], [], [], left())[0]:
                return False
            self.shown += os.read(self.master, 65536).decode()
        self.shown = ""
        return True

    def resize(self):
        """The next time that it waits for a key; a key has it wait anew."""
        with open(self.flag, "w", encoding="ascii"):
            pass
        os.write(self.master, b"z")

    def ends(self):
        os.close(self.master)
        status = self.process.wait(d.WAIT)
        d.running.remove(self.process)
        return status


def tried(what, began, *arguments):
    t = Terminal(*arguments)
    ok(t.shows(began), f"{what} is on the screen")
    t.resize()
    ok(t.shows("The window is too"), f"{what}: another size is noticed without a key")
    ok(t.ends() != 0, f"{what}: a terminal that is gone ends it")


record = os.path.join(d.room(), "record")
with open(record, "wb") as f:
    subprocess.run([LONG, "greement", "2", "1", "40"], stdout=f, check=True)
tried("a game", "actions left", "play", "--offline", "hacienda",
      "--bots", "1", "--level", "random", "--names", "Ana")
tried("a replay", "0/", "replay", record)
done_testing()
