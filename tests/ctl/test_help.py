"""sobremesactl before it speaks to a server: --help of each command, what is
said of slips and wrong usage, questions on a terminal, refusals as JSON, and
which socket it looks for.  What the table of commands has is in the manual page
and in the README, too."""

import json
import os
import pty
import re
import select
import socket
import subprocess
import tempfile

import daemon as d
from ctl import ctl, fails, says, told
from tap import diag, done_testing, is_, ok

CTL = os.path.abspath(os.path.join(d.BIN, "sobremesactl"))


def helps():
    """Each command says what it takes, in 80 columns, from one table."""
    commands = told(None, "commands")["commands"]
    names = [c["name"] for c in commands]
    overview = ctl(None, "--help")[1]
    is_(ctl(None, "help"), (0, overview, ""), "help: as --help")
    is_(sorted(re.findall(r"^  ([a-z][a-z-]*(?: [a-z-]+)?)  ", overview,
                          re.M)), sorted(names), "--help: every command")
    is_(ctl(None, "commands")[1].splitlines(),
        [c["usage"] for c in commands], "commands: a line each")
    for c in commands:
        words = c["name"].split()
        status, out, _ = ctl(None, *words, "--help")
        wide = [x for x in out.splitlines() + overview.splitlines()
                if len(x) > 80]
        options = [f["option"] for f in c["fields"] if f["option"]]
        values = [f["value"] for f in c["fields"] if f["value"]]
        if status != 0 or wide or c["text"] not in out or \
                not out.startswith(f"Usage: sobremesactl {c['name']} ") or \
                not all("--" + o in out for o in options) or \
                not all(v in out for v in values) or \
                ctl(None, "help", *words)[1] != out:
            ok(False, f"{c['name']} --help")
            diag(out)
        got = ctl(None, *words, "--no-such-option")
        if got[0] != 64 or got[1] != "":
            ok(False, f"{c['name']}: an option that there is not")
    ok(len(names) >= 29, f"{len(names)} commands")
    group = ctl(None, "tables", "--help")
    is_((group, group), (ctl(None, "help", "tables"), (0, group[1], "")),
        "a group's --help")
    ok("tables rewind" in group[1] and "users" not in group[1],
       "a group's --help: its commands")
    return commands


def written(commands):
    """Every command and option is in the manual page and in the README."""
    with open("deploy/man/sobremesactl.8.scd", encoding="utf-8") as file:
        manual = re.sub(r"[*_]", "", file.read())
    with open("clients/ctl/README.md", encoding="utf-8") as file:
        readme = file.read().replace("\\|", "|")
    for c in commands:
        for name, text in ("the manual page", manual), ("README", readme):
            lines = [x for x in text.splitlines() if c["name"] in x]
            missing = [f["option"] for f in c["fields"] if f["option"] and
                       not any("--" + f["option"] in x for x in lines)]
            if not lines or missing:
                ok(False, f"{name}: {c['name']}, {missing}")
    ok(True, "all is in the manual page and in the README")


def slips():
    for words, meant in [
            ("stauts", "'status'"), ("shutdwon", "'shutdown'"),
            ("tabels list", "'tables list'"), ("table list", "'tables list'"),
            ("list tables", "'tables list'"), ("users remvoe eve", None),
            ("ban eve", "'users ban'"), ("tables shwo", "'tables show'"),
            ("usres ban", "'users ban'"), ("dance", None),
            ("tables dance", None), ("x", None), ("bac", None),
            ("bacup", "'backup'"), ("a" * 500 + " " + "b" * 500, None)]:
        got = ctl(None, *words.split())
        said = re.search("did you mean (.*)\\?", got[2])
        is_((got[0], got[1], said and said[1]), (64, "", meant),
            f"a slip: {words[:40]}")
    fails(ctl(None, "tables", "dance"), 64, "tables rewind",
          "a group's commands are told")
    fails(ctl(None, "tables"), 64, "tables rewind", "a group alone: too")
    fails(ctl(None, "tables", "rewind", "x"), 64,
          "which PLY?\nUsage: sobremesactl tables rewind [--why TEXT] [--yes]"
          " TABLE PLY\n", "wrong usage tells the right one")
    fails(ctl(None, "shutdown", "--in", "soon"), 64, "--in: expected seconds",
          "a wrong value: which, and what was expected")


def on_terminal(server, typed, *arguments):
    """(status, all that was on the terminal) of somebody who types."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([CTL, "--data", server.data, *arguments],
                               stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    out, typed = "", typed.encode()
    while select.select([ours], [], [], d.WAIT)[0]:
        try:
            piece = os.read(ours, 4096)
        except OSError:
            break  # it has ended
        out += piece.decode()
        if typed and out.endswith("? [y/N] "):
            os.write(ours, typed)
            typed = b""
    os.close(ours)
    return process.wait(d.WAIT), out


def questions(server):
    """Asked on a terminal only, before what cannot be undone."""
    def there():
        return [u["name"] for u in told(server, "users", "list")["users"]]

    for name in ("ana", "ben", "cleo", "dora"):
        told(server, "users", "add", name, text="long enough\n")
    for typed in ("n\n", "\n", "\x04"):
        status, out = on_terminal(server, typed, "users", "delete", "ana")
        ok(status == 1 and "the account of ana, who" in out and
           "nothing was changed" in out, f"asked, and not done: {typed!r}")
    ok("ana" in there(), "no: nothing was done")
    status, out = on_terminal(server, "y\n", "users", "delete", "ana")
    ok(status == 0 and "ana" not in there(), "yes: it is done")
    for at, name in (0, "ben"), (2, "cleo"):
        words = ["users", "delete", name]
        words.insert(at, "--yes")
        status, out = on_terminal(server, "", *words)
        ok(status == 0 and "[y/N]" not in out and name not in there(),
           "--yes: not asked")
    says(ctl(server, "users", "delete", "dora"), "dora is deleted",
         "a script is not asked")
    status, out = on_terminal(server, "n\n", "shutdown")
    ok(status == 1 and "End the server now?" in out, "shutdown: asks")
    status, out = on_terminal(server, "", "shutdown", "--in", "10m")
    ok(status == 0 and "[y/N]" not in out,
       "shutdown --in: does not, and does not wait")
    on_terminal(server, "", "shutdown", "--cancel")


def in_json(server):
    """With --json a refusal is one line on stderr, and stdout is empty."""
    for words, reason in [
            (["--json", "users", "delete", "nobody"], "no_such_user"),
            (["users", "delete", "nobody", "--json"], "no_such_user"),
            (["--json", "tables", "list", "--state", "odd"],
             "invalid_params"),
            (["--json", "import", "/none"], "failed")]:
        status, out, err = ctl(server, *words)
        error = json.loads(err)["error"]
        is_((status, out, err.count("\n"), error["reason"]),
            (1, "", 1, reason), f"--json: a refusal: {words}")
        ok(error["message"], "--json: in words, too")
    is_(json.loads(ctl(server, "status", "--json")[1])["ends"], None,
        "--json may stand behind the command")
    status, out, err = ctl("/none", "--json", "status")
    is_((status, out, json.loads(err)["error"]["reason"]), (1, "", "failed"),
        "--json: no server")


def in_words(room):
    """A refusal is said as it is everywhere, and what only administrators hear
    of behind it."""
    path = os.path.join(room, "refuses.sock")
    data = {"reason": "bad_board", "sentence": "There is no sea.", "line": 7,
            "path": "/board", "expected": "a board", "retry_after_ms": 1500,
            "why": "so it is", "started": 3}
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        process = subprocess.Popen([CTL, "--admin", path, "status"],
                                   stderr=subprocess.PIPE, text=True)
        peer = listener.accept()[0]
        with peer, peer.makefile() as asked:
            answer = {"jsonrpc": "2.0", "id": json.loads(
                asked.readline())["id"], "error": {
                    "code": 1, "message": "Not heard.", "data": data}}
            peer.sendall(json.dumps(answer).encode() + b"\n")
            err = process.communicate(timeout=d.WAIT)[1]
    is_((process.returncode, err), (
        1, "sobremesactl: refused: bad_board: Line 7: There is no sea. /board: "
        "expected a board. Try again in 2 s. so it is. It started at ply 3.\n"),
        "a refusal: in the words that players read, and more")


def whereabouts(server, room):
    """What is said of a socket that is not there, or not for us."""
    def run(*arguments, **more):
        # By its descriptor: others may not come to where the clone is.
        with open(CTL, "rb") as program:
            return subprocess.run(
                [CTL, *arguments], executable=f"/proc/self/fd/{program.fileno()}",
                pass_fds=[program.fileno()], capture_output=True, text=True,
                check=False, timeout=d.WAIT, **more)

    env = {k: v for k, v in os.environ.items() if k != "SOBREMESA_ADMIN"}
    if not os.path.exists("/run/sobremesa"):
        done = run("status", cwd=room, env=env)
        ok(done.returncode == 1 and "./sobremesa-data/admin.sock" in
           done.stderr and "/run/sobremesa/admin.sock" in done.stderr,
           "no server: both places that were looked at are told")
    if os.geteuid() == 0:
        os.chmod(room, 0o755)
        os.chmod(server.data, 0o755)
        sock = os.path.join(server.data, "admin.sock")
        done = run("--admin", sock, "status", user=65534, cwd="/")
        ok(done.returncode == 1 and "use sudo" in done.stderr,
           "a socket for others only: use sudo")


COMMANDS = helps()
written(COMMANDS)
slips()
with tempfile.TemporaryDirectory() as room:
    in_words(room)
    with d.Daemon(data=os.path.join(room, "data")) as server:
        questions(server)
        in_json(server)
        whereabouts(server, room)
done_testing()
