"""sobremesactl before a server that puts escape sequences, forged lines and text
that runs backwards into all it says: nothing of that reaches the terminal, and
as JSON nothing is lost of it."""

import json
import os
import tempfile

import daemon as d
from ctl import ctl
from liar import LIES, Liar, harmless
from tap import diag, done_testing, is_, ok

BACKUP = "backup"

COMMANDS = [
    ("status",), ("config", "show"), ("log", "level"), ("audit",),
    ("tables", "list"), ("tables", "show", "TABLE"), ("users", "list"),
    ("sessions", "list"), ("sessions", "list", "ana"), ("users", "export", "ana"),
    ("tables", "export", "TABLE"), ("verify", "TABLE"), ("verify", "--all"),
    ("broadcast", "Hello"), ("prune",), ("vacuum",), ("backup", BACKUP),
    ("users", "ban", "ben", "--until", "1h", "--why", "noise"),
    ("users", "list", "--banned"), ("users", "unban", "ben"),
    ("sessions", "end", "--user", "ben"), ("tables", "abandon", "TABLE"),
    ("tables", "show", "none"), ("users", "ban", "nobody"),
]


def tried(folder, table, arguments, *options):
    words = [table if a == "TABLE" else
             os.path.join(folder, "".join(options) + a) if a == BACKUP else a
             for a in arguments]
    status, out, err = ctl(folder, *options, *words)
    what = " ".join((*options, *arguments))
    if not is_(harmless(out + err), "", f"{what}: nothing of it is shown"):
        diag(f"{status} {out[-1500:]} {err[-1500:]}")
    return status, out, err


def main():
    with d.Daemon() as daemon, tempfile.TemporaryDirectory() as folder, \
            Liar(daemon.ready["admin"], folder) as liar:
        for name in "ana", "ben":
            daemon.peer().call("account.register", name=name,
                               password="password")
        ana, ben = daemon.peer(), daemon.peer()
        for peer, name in (ana, "ana"), (ben, "ben"):
            peer.call("session.login", name=name, password="password")
        ana.call("account.tokens.create", label="a bot", scopes=["read"])
        table = ana.call("table.create", game="tictactoe", seats=2)["table"]
        ben.call("table.join", table=table)
        shown = 0
        for arguments in COMMANDS:
            _, out, err = tried(folder, table, arguments)
            shown += "owned" in out + err
        ok(shown > 8, "what can be shown of it is")

        # A list is asked for page by page: what leads from one to the next is
        # a lie here as all else.
        status, out, _ = tried(folder, table, ("users", "list"), "--json")
        users = json.loads(out)["users"]
        is_((status, users[0]["name"]), (0, "ana" + LIES),
            "as JSON all of it is there, escaped")
        for arguments in COMMANDS:
            tried(folder, table, arguments, "--json")

        for how in "refuse", "everything":
            setattr(liar, how, True)
            for arguments in COMMANDS:
                tried(folder, table, arguments)
            setattr(liar, how, False)
    done_testing()


main()
