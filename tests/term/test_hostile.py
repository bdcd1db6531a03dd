"""The terminal client before a server that puts escape sequences, forged lines
and text that runs backwards into all it says, and before files of such: nothing
of that reaches the terminal, in lines or on the full screen."""

import json
import os
import re
import shutil
import tempfile

import daemon as d
from liar import FORGED, LIES, Liar, harmless
from person import Person, Terminal
from tap import diag, done_testing, is_, ok

ROOM = tempfile.TemporaryDirectory()


def shows_nothing_of_it(text, what):
    if not is_(harmless(text), "", what):
        diag(text[-1500:])


def tried(person, *arguments, typed="", told=None, env=None):
    """Runs a command, and looks at all it says."""
    status, out, err = person.run(*arguments, typed=typed, env=env)
    what = ascii(" ".join(arguments)).replace("#", "")
    shows_nothing_of_it(out + err, f"{what}: nothing of it is shown")
    if told:
        if not ok(re.search(told, out + err), f"{what}: what is shown of it"):
            diag(f"{status} {out[-1500:]} {err[-1500:]}")
    return status, out


# ---- in lines -----------------------------------------------------------------


def start(daemon, liar):
    """ana and ben, whose server lies, at a table where something was said."""
    server = f"127.0.0.1:{liar.port}"
    ana = Person(ROOM.name, "ana", server)
    ben = Person(ROOM.name, "ben", server)
    for person in ana, ben:
        tried(person, "register", person.name, typed="password of theirs\n" * 2,
              told="owned|registered|You are|is logged in")
    peers = [daemon.peer(), daemon.peer()]
    for peer, person in zip(peers, (ana, ben)):
        peer.call("session.login", name=person.name,
                  password="password of theirs")
    table = peers[0].call("table.create", game="tictactoe", seats=2)["table"]
    peers[0].call("table.chat", table=table, text="Hello there\nben")
    return ana, ben, peers, table


def lines(ana, ben, peers, table):
    tried(ana, "whoami", told="owned")
    tried(ana, "lobby", told="owned")
    tried(ana, "create", "tictactoe", "--private")
    status, _ = tried(ben, "join", table)
    is_(status, 0, "they could join, whatever was said")
    peers[1].call("table.chat", table=table, text="What?")
    status, out = tried(ana, "play", table, "--plain",
                        typed="look\nlegal\nboard\nscore\nlog\nstate\nsince\n"
                              "chat\nchat Oh\nnote mine\nnote\ntables\n"
                              "move a1\nplace cell=a1\nundo\nquit\n",
                        told="owned")
    is_(status, 0, "a game goes on")
    ok(re.search("^ana[^\n]* says: Hello there[^\n]*\n    ben", out, re.M),
       "further lines of a text stand in")
    tried(ben, "watch", table, "--plain", typed="chat\nquit\n")
    peers[0].call("table.resign", table=table)
    tried(ben, "replay", table, "--plain", typed="next\nall\nboard\nquit\n",
          told="owned")
    tried(ana, "play", table, "--plain", typed="chat\nquit\n")


def refusals(liar, ana, table):
    """Whatever is asked is refused, or answered by nothing but lies."""
    asked = (("lobby",), ("create", "tictactoe"), ("join", table),
             ("play", table, "--plain"), ("watch", table, "--plain"),
             ("replay", table, "--plain"), ("whoami",), ("guest",),
             ("bot", table), ("login", "ana"))
    liar.refuse = True
    for arguments in asked:
        status, _ = tried(ana, *arguments, typed="password\n", told="owned")
        is_(status, 1, "which is a failure")
    liar.refuse = False
    liar.everything = True
    for arguments in asked:
        tried(ana, *arguments, typed="password\nquit\n")
    liar.everything = False


def ascii_terminal(ana, table):
    """Where the terminal takes no UTF-8, a byte beyond ASCII may be a
    command."""
    one = Terminal(ana, 80, 24, "watch", table, "--plain", LC_ALL="C")
    if not ok(one.shows("ana[?a-z0-9]*owned"), "in an old terminal it is told"):
        diag(one.screen())
    is_(re.findall("[^\x00-\x7f]", one.screen()), [], "with ASCII alone")
    one.close()


# ---- on the full screen -------------------------------------------------------


def full_screen(ana, table):
    one = Terminal(ana, 100, 30, "lobby")
    ok(one.shows("owned"), "the lobby shows what is left of it")
    path = os.path.join(one.folder, "raw")
    one._tmux("pipe-pane", "-O", f"cat >'{path}'")
    one.size(120, 36)  # all is drawn anew
    ok(one.shows("Sobremesa"), "the lobby is there")
    looked_at(path, "the lobby")
    one.close()

    one = Terminal(ana, 120, 36, "watch", table)
    ok(one.shows("owned"), "a table shows what is left of it")
    path = os.path.join(one.folder, "raw")
    one._tmux("pipe-pane", "-O", f"cat >'{path}'")
    one.size(100, 30)
    one.keys("t")
    ok(one.shows("Say:"), "the talk is there")
    screen = one.screen()
    is_([row for row in screen.split("\n") if row.startswith(FORGED)], [],
        "no line is forged")
    ok("owned" not in one.title(), "and the title is the program's")
    looked_at(path, "a table")
    one.close()


def looked_at(path, what):
    """The program's own sequences are ESC ones; of the liar's there are a
    title, and what is none of ESC's."""
    def caught():
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8", errors="surrogateescape") as f:
            raw = f.read()
        return raw if len(raw) > 500 else None

    raw = d.until(caught, f"{what}: what is written was caught")
    ok("\x1b]0;" not in raw, f"{what}: no title of the liar's is written")
    raw = re.sub("\x1b(\\][^\x07]*\x07|\\[[0-9;?>]*[ -/]*[@-~]|[()][0-9A-B]|.)",
                 "", raw)
    raw = re.sub("[\r\n\b\x0e\x0f\x07]", "", raw)
    shows_nothing_of_it(raw, f"{what}: nor anything else of it")


# ---- files --------------------------------------------------------------------


def files(ana, peers):
    """Records and boards from somewhere else."""
    table = peers[0].call("table.create", game="tictactoe", seats=2)["table"]
    peers[1].call("table.join", table=table)
    peers[1].call("table.resign", table=table)
    record = d.record(peers[0], table)
    path = os.path.join(ROOM.name, "record")

    def written(change, what, status):
        copy = [json.loads(line) for line in record]
        change(copy)
        with open(path, "w", encoding="utf-8") as f:
            f.writelines(json.dumps(line, ensure_ascii=False) + "\n"
                         for line in copy)
        is_(tried(ana, "verify", path)[0], status, what)
        tried(ana, "replay", path, "--plain", typed="all\nquit\n")

    written(lambda r: None, "a record as it is", 0)
    written(lambda r: r[0]["players"][0].update(name="ana" + LIES),
            "a record with a name that is none", 1)
    for member in "game", "table", "format", "seed", "commitment":
        written(lambda r, m=member: r[0].update({m: LIES}),
                f"a record whose {member} is a lie", 1)
    written(lambda r: r[1].update(kind=LIES), "a line of a kind of lies", 1)
    written(lambda r: r[-1].update(chain=LIES), "a chain of lies", 1)
    with open(path, "w", encoding="utf-8") as f:
        f.write("[Control]\nBoardName=x" + LIES + "\n")
    tried(ana, "board", "show", path)
    with open(path, "w", encoding="utf-8") as f:
        f.write('{"game": "' + "x\x9b\u202e" + '"}\n')
    tried(ana, "script", path)
    word = "x" + re.sub("[\x00\n].*", "", LIES)
    tried(ana, "games", word)
    tried(ana, word)


def main():
    with d.Daemon() as daemon, Liar(daemon.ready["lines"]) as liar:
        ana, ben, peers, table = start(daemon, liar)
        lines(ana, ben, peers, table)
        if shutil.which("tmux"):
            full_screen(ana, table)
            ascii_terminal(ana, table)
        refusals(liar, ana, table)
        files(ana, peers)
    done_testing()


main()
