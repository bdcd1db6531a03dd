"""What a new game takes: a folder and a line in core/games.c.  The daemon and
the terminal client here are the product's with one game more (haggle, one of
the toys in tests/support/games), which nothing else in them knows.  It is
offered, told, set up with boards of its own format and its own making, and
played to the end by bots; the record of that is replayed and verified."""

import os
import re
import subprocess

REAL = os.environ.get("BIN", "build/bin")
os.environ["BIN"] = BIN = os.path.join(os.path.dirname(REAL), "toy")

# pylint: disable=wrong-import-position
from daemon import (WAIT, Daemon, Lines, Refused, record, room,  # noqa: E402
                    running, sit)
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
    like(term("play", "--offline", "haggle", "--bots", "2", "--plain",
              "--names", "Ana", wanted=1), "input ended",
         "a bot in seat 2 leaves two seats to people")
    told = term("play", "--offline", "haggle", "--bots", "all", "--plain")
    like(told, r"\AHaggling, 2 players \(Bot 0, Bot 1\), seed \d+\.\n",
         "who sits there is said")
    like(told, r"(?m)^The game is over", "bots play it to its end")


def bot(peer, table):
    """Plays at TABLE for whom PEER is."""
    process = subprocess.Popen(
        [os.path.join(BIN, "sobremesa"), "bot", table], text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        env={**os.environ, "HOME": HOME, "LC_ALL": "C.UTF-8",
             "SOBREMESA_SERVER": "http://" + daemon.ready["http"],
             "SOBREMESA_TOKEN": peer.token})
    running.append(process)
    return process


def ended(process, what):
    said = process.communicate(timeout=WAIT)[0]
    running.remove(process)
    is_(process.returncode, 0, what)
    return said


def may_then_must(ana, ben):
    """A bot moves when it is waited for although it could move before and did
    not: its question is the same one still.  Ana's turns are long, so that it
    sees the offer in them, which is for more than it has."""
    table = ana.call("table.create", game="haggle", seats=2,
                     options={"rounds": 3})["table"]
    player = bot(ben, table)
    shown = ana.watch(table)
    for _ in range(3):
        while not shown.view["seats"][0]["acting"]:
            ana.take()
        for move in ({"verb": "offer", "amount": 30},
                     *[{"verb": "tune", "by": 1}] * 3, {"verb": "end_turn"}):
            ana.settle(table, ana.call(
                "table.move", table=table, move=move,
                decision=shown.view["decision"])["ply"])
        ana.settle(table, shown.ply + 1)
        ok(True, "it could move, is waited for, and moves")
    ended(player, "and plays to the end")


def whole_game():
    """Bots play a game through the daemon; its record is true, and shown."""
    table, peers = sit(daemon, "haggle", 2)
    for player in [bot(peer, table) for peer in peers]:
        like(ended(player, "a bot plays to the end"), "The game is over",
             "and says who won")
    path = os.path.join(HOME, "game.ndjson")
    written = record(peers[0], table)
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(written) + "\n")
    is_(term("verify", path), "ok\n", "the record is true")
    like(term("replay", path, "--all"), "The game is over", "and is shown")
    end = [i for i, line in enumerate(written) if "end_turn" in line][0]
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(written[:end] + written[end + 1:]) + "\n")
    like(term("verify", path, wanted=1), "line", "without a move it is not")


daemon = Daemon()
lines = Lines(daemon.lines).guest()
setups(lines)
offline()
may_then_must(lines, Lines(daemon.lines).guest())
whole_game()
done_testing()
