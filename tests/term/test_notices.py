"""What the operator says, in a terminal: in lines, in the lobby's lines, and on
the full screen; to who is there and to who comes later."""

import os
import re
import subprocess
import tempfile

import daemon as d
from person import Person, Terminal
from tap import diag, done_testing, ok

ROOM = tempfile.TemporaryDirectory()
PANES = os.environ.get("PANES")


def like(text, pattern, what):
    if not ok(re.search(pattern, text, re.M), what):
        diag(text[-2000:])


def ctl(server, *words):
    subprocess.run([os.path.join(d.BIN, "sobremesactl"), "--admin",
                    server.ready["admin"], *words], check=True,
                   stdout=subprocess.DEVNULL, timeout=d.WAIT)


def shown(terminal, pattern, what):
    """Waits until it is on the screen."""
    ok(terminal.shows(pattern), what)
    if PANES:
        name = re.sub(r"\W+", "-", what)
        with open(os.path.join(PANES, name), "w", encoding="utf-8") as f:
            f.write(terminal.screen())


def lines(server, ana, bob):
    table = ana.did("create", "-q", "tictactoe", "-n", "2").split()[0]
    bob.did("join", table)
    here = ana.lines("play", table)
    here.hear("turn|waits|Table")
    ctl(server, "shutdown", "--in", "80m", "--say", "A new version.")
    down = r"The server goes down at \d\d:\d\d, in [78]\d minutes\. " \
        r"A new version\."
    here.hear(down)
    ok(True, "who plays in lines is told when, in how long, and why")
    later = bob.lines("play", table)
    later.hear(down)
    ok(True, "and so is who comes later")
    like(bob.did("lobby"), r"\A" + down, "the lobby in lines says it first")
    ctl(server, "shutdown", "--cancel")
    here.hear(r"The server does not go down after all\.")
    ok("goes down" not in bob.did("lobby"), "nothing of it stays after all")
    ctl(server, "maintenance", "on", "--say", "Till five.")
    here.hear(r"Read only for now; you can look\. Till five\.")
    here.type("place cell=c1")
    here.hear(r"read only for now")
    ok(True, "a move is refused in words")
    ctl(server, "maintenance", "off")
    here.hear(r"You can play again\.")
    for one in (here, later):
        one.end()
    return table


def screen(server, ana, table):
    t = Terminal(ana, 80, 24, "lobby")
    shown(t, r"Tournament on Sunday\.", "the day's message in the lobby")
    ctl(server, "shutdown", "--in", "9h", "--say", "A new version.")
    shown(t, r"The server goes down at \d\d:\d\d, in 9 hours\. A new ver",
          "an end in the lobby")
    ctl(server, "maintenance", "on", "--say", "Till five.")
    shown(t, r"Read only for now; you can look\. Till five\.",
          "maintenance in the lobby")
    t.keys("i")
    shown(t, r"House rules: https://club\.example/rules",
          "i: all of it, and the links")
    t.keys("q")
    there = Terminal(ana, 80, 24, "watch", table)
    shown(there, r"Read only for now; you can look\. Till five\.",
          "who comes to a table is told there")
    ctl(server, "shutdown", "--cancel")
    shown(there, r"The server does not go down after all\.",
          "and who is there")
    there.keys("g")
    there.keys("q")
    there.keys("Left")
    shown(there, r"The server does not go down after all\..*Esc: read",
          "whatever is typed it stands there")
    there.keys("Escape")
    shown(there, r"Read only for now; you can look\. Till five\.\n.*not go down",
          "Esc: all that was said meanwhile, on a page")
    there.keys("q")
    shown(there, r"(?s)\A(?!.*not go down)(?!.*Esc: read)",
          "and it is read")
    ctl(server, "users", "rename", "ana", "alma")
    shown(there, r"You are alma from now on\.", "another name is told")
    there.keys("Escape")
    shown(there, r"(?s)\A(?!.*You are alma)", "and a short one needs no page")
    there.close()
    shown(t, r"alma on ", "the lobby has it in its first line")
    t.keys("Escape")
    shown(t, r"not go down after all\.\n.*You are alma",
          "and what was said there")
    ctl(server, "maintenance", "off")
    t.keys("q")
    shown(t, r"You can play again\..*Esc: read",
          "what comes while one reads is not lost")
    t.keys("Escape")
    shown(t, r"(?s)\A(?!.*goes down)(?!.*Read only).*Tournament",
          "and nothing of it stays")
    t.close()


with d.Daemon("--set", "server.motd=Tournament on Sunday.",
              "--set", "server.rules_url=https://club.example/rules",
              "--set", "server.contact=mailto:ops@club.example") as daemon:
    people = [Person(ROOM.name, name, daemon.ready["lines"])
              for name in ("ana", "bob")]
    for one in people:
        one.did("register", one.name, typed="correct horse\n")
    like(people[0].did("lobby"),
         r"\ATournament on Sunday\.\nHouse rules: https://club.example/rules\n"
         r"Contact: mailto:ops@club.example\n\nYour tables:",
         "the lobby in lines says what the operator says")
    screen(daemon, people[0], lines(daemon, *people))
done_testing()
