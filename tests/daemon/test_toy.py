"""What a new game takes: a folder and a line in core/games.c.  The daemon and
the terminal client here are the product's with one game more (haggle, one of
the toys in tests/support/games), which nothing else in them knows.  It is
offered, told and set up with boards of its own format and its own making."""

import os
import re
import subprocess

REAL = os.environ.get("BIN", "build/bin")
os.environ["BIN"] = BIN = os.path.join(os.path.dirname(REAL), "toy")

# pylint: disable=wrong-import-position
from daemon import WAIT, Daemon, Lines, Refused, room  # noqa: E402
from tap import diag, done_testing, is_, ok  # noqa: E402

HOME = room()


def term(*words, wanted=0, **more):
    """What the terminal client says."""
    done = subprocess.run(
        [os.path.join(BIN, "sobremesa"), *words], capture_output=True,
        text=True, timeout=WAIT, check=False, stdin=subprocess.DEVNULL,
        env={**os.environ, "HOME": HOME, "LC_ALL": "C.UTF-8", **more})
    if done.returncode != wanted:
        ok(False, f"{' '.join(words)}: {done.returncode} {done.stderr}")
    return done.stdout if wanted == 0 else done.stderr


def like(got, pattern, what):
    """Whether PATTERN is in what was said."""
    if not ok(re.search(pattern, got) is not None, what):
        diag(got)


def refused(lines, what, path, **params):
    """A setup that is not taken, and where the fault is."""
    try:
        lines.call("table.create", game="haggle", seats=2, **params)
        ok(False, what)
    except Refused as why:
        is_(why.data.get("path"), path, what)


def setups(ana):
    """Boards by name, as text and made: each as the game says."""
    names = [g["name"] for g in ana.call("server.hello")["games"]]
    ok("haggle" in names and "hacienda" in names, "one more is offered")
    info = ana.call("rules.info", game="haggle")
    is_((info["asset_kind"], info["boards"]), ("board", ["plaza", "alley"]),
        "with its boards")
    for board, stalls in (({"builtin": "alley"}, ["left", "right"]),
                          ({"stalls": "in\nout\n"}, ["in", "out"])):
        table = ana.call("table.create", game="haggle", seats=2,
                         board=board)["table"]
        told = ana.call("table.get", table=table)["table"]
        is_(told.get("board_text") or told["board"],
            board.get("stalls") or board, f"a board: {stalls}")
    table = ana.call("table.create", game="haggle", seats=2, board={
        "generate": {"stalls": 3, "order": "reversed", "seed": 7}})["table"]
    made = ana.call("table.get", table=table)["table"]["board_text"].split()
    ok(len(made) == 3 and made == sorted(made, reverse=True),
       f"one that is made as was asked: {made}")
    refused(ana, "too much is asked", "/board/generate/stalls",
            board={"generate": {"stalls": 7}})
    refused(ana, "too little", "/board/generate/stalls",
            board={"generate": {"stalls": 1}})
    refused(ana, "what there is not", "/board/generate/order",
            board={"generate": {"order": "sideways"}})
    refused(ana, "nor that", "/board/generate/columns",
            board={"generate": {"columns": 3}})
    refused(ana, "a text that is no board", "/board/stalls",
            board={"stalls": "in\nin\n"})
    refused(ana, "in the format of another game", "/board",
            board={"haz": "in\nout\n"})


def offline():
    """Without a server."""
    like(term("games"), r"(?m)^haggle +Haggling", "the terminal offers it")
    like(term("games", "haggle"), r"(?m)^Alleys\n +plaza \(default\) alley",
         "says what it is made of")
    like(term("play", "--offline", "haggle", "--board", "nowhere", "--bots",
              "2", wanted=1), "built-in alleys are plaza, alley",
         "a board that there is not")


daemon = Daemon()
lines = Lines(daemon.lines)
lines.call("account.guest")
setups(lines)
offline()
done_testing()
