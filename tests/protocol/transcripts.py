"""transcripts.py -- records the transcripts of protocol/README.md anew, by
talking to a daemon, and puts them between their marks:

    make && PYTHONPATH=tests/support python3 tests/protocol/transcripts.py

Names, ids, times and hashes differ each time, so no test compares them; but
test_schema.py holds every message in them against the schema."""

import json
import socket
import subprocess

import daemon as d

README = "protocol/README.md"
MARKS = ("<!-- transcripts: tests/protocol/transcripts.py -->\n",
         "<!-- end of the transcripts -->\n")
out = []


class Window:
    """Somebody with nc; what is typed and what comes is written down."""

    def __init__(self, address, name):
        if ":" in address:
            host, port = address.rsplit(":", 1)
            self.sock = socket.create_connection((host, int(port)), d.WAIT)
        else:
            self.sock = socket.socket(socket.AF_UNIX)
            self.sock.connect(address)
        self.file = self.sock.makefile("rb")
        self.name, self.last = name, 0

    def line(self):
        text = self.file.readline().decode().rstrip("\n")
        out.append(f"<-- {text}")
        return json.loads(text)

    def until(self, test):
        """Writes down what comes until it is that."""
        while True:
            message = self.line()
            if test(message):
                return message

    def type(self, method, params="", mark="-->"):
        """Types a request, waits for its answer."""
        self.last += 1
        text = f'{{"jsonrpc":"2.0","id":{self.last},"method":"{method}"'
        text += f',"params":{params}}}' if params else "}"
        out.append(f"{mark} {text}")
        self.sock.sendall(text.encode() + b"\n")
        answer = self.until(lambda m: m.get("id") == self.last
                            and "method" not in m)
        return answer.get("result")

    def __enter__(self):
        out.extend(["", f"{self.name}:", "", "```"])
        return self

    def __exit__(self, *_):
        out.append("```")


def say(text):
    out.extend(["", text.strip()])


def update(message):
    return message.get("method") == "table.update"


def game(ana, ben):
    say("""
### A whole game, typed by hand

Start the daemon (`make run`, or `sobremesad`) and open two terminals with
`nc 127.0.0.1 7070` in each. What is typed stands behind `-->`, what comes
behind `<--`; each is one line.""")
    with ana:
        ana.type("account.guest")
        table = ana.type("table.create",
                         '{"game":"tictactoe","seats":2}')["table"]
        ana.type("table.watch", f'{{"table":"{table}"}}')
    with ben:
        ben.type("account.guest")
        ben.type("table.join", f'{{"table":"{table}"}}')
        ben.type("table.watch", f'{{"table":"{table}"}}')
    say("""
With the second seat taken the game starts, and Ana is told. Her `decision` is
what her move has to answer.""")
    cells = ["b2", "a1", "c2", "a2", "c1", "c3", "a3"]
    with ana:
        decision = ana.until(update)["params"]["ply"]
        decision = find_decision(ana, table)
        ana.type("table.move", move(table, decision, cells[0]))
    who = [ana, ben]
    for n, cell in enumerate(cells[1:], 1):
        with who[n % 2] as window:
            decision = take_decision(window)
            window.type("table.move", move(table, decision, cell))
    with who[len(cells) % 2] as window:
        window.until(update)
    say("""
The last update had `state` become `finished` and told the `result`. What was
played can now be read by anybody, with the seed, and checked:

    sobremesactl export TABLE | sobremesa verify -""")
    return table


def find_decision(window, table):
    view = window.type("table.legal", f'{{"table":"{table}"}}')
    return view["decision"]


def take_decision(window):
    """The decision that the next update brings."""
    while True:
        for step in window.until(update)["params"]["patch"]:
            if step["path"] == "/decision" and step["value"] is not None:
                return step["value"]


def move(table, decision, cell):
    return (f'{{"table":"{table}","decision":{decision},'
            f'"move":{{"verb":"place","cell":"{cell}"}}}}')


def accounts(address):
    say("""
### Accounts, sessions, tokens

Registering and logging in log the connection in; the token does so for others,
at any time.""")
    with Window(address, "Eva") as eva:
        token = eva.type("account.register",
                         '{"name":"Eva","password":"correct horse"}')["token"]
        eva.type("account.get")
        eva.type("account.tokens.create",
                 '{"label":"my bot","scopes":["read","play"]}')
        eva.type("session.logout")
        eva.type("me.tables")
        eva.type("session.login", '{"name":"eva","password":"wrong one"}')
        token = eva.type("session.login",
                         '{"name":"eva","password":"correct horse"}')["token"]
    with Window(address, "Eva, on another connection") as eva:
        eva.type("session.resume", f'{{"token":"{token}"}}')
    return eva


def lobby(eva, ana, ben):
    say("""
### A private table

With nonces, so that nobody alone decides the draws, and started by hand with
one seat left empty.""")
    with eva:
        table = eva.type("table.create",
                         '{"game":"hacienda","seats":3,"start":"manual",'
                         '"private":true,"password":"sesame",'
                         '"options":{"variant1":true},"key":"k1"}')["table"]
        eva.type("table.nonce", f'{{"table":"{table}","nonce":'
                                '"00112233445566778899aabbccddeeff"}')
    with ben:
        ben.type("table.get", f'{{"table":"{table}"}}')
        ben.type("table.join",
                 f'{{"table":"{table}","password":"sesame","seat":2}}')
    with eva:
        eva.type("table.start", f'{{"table":"{table}"}}')
        eva.type("me.next")
    return table


def play(eva, ben, table):
    say("""
### Moves refused, repeated, taken back

The same move for the same decision is never played twice; an old decision is
refused with the present one; a preview stores nothing.""")
    with eva:
        legal = eva.type("table.legal",
                         f'{{"table":"{table}","verb":"end_turn"}}')
        eva.type("table.move", f'{{"table":"{table}","decision":0,'
                               '"move":{"verb":"end_turn"}}')
        eva.type("table.move",
                 f'{{"table":"{table}","decision":{legal["decision"]},'
                 '"move":{"verb":"play_land","card":"forest","hex":"A1"}}')
    with ben:
        ben.type("table.move", f'{{"table":"{table}","decision":1,'
                               '"move":{"verb":"end_turn"}}')
    tic = None
    with eva:
        tic = eva.type("table.create",
                       '{"game":"tictactoe","seats":2}')["table"]
    with ben:
        ben.type("table.join", f'{{"table":"{tic}"}}')
    with eva:
        decision = find_decision(eva, tic)
        eva.type("table.preview", f'{{"table":"{tic}","moves":'
                                  '[{"verb":"place","cell":"b2"}]}')
        ply = eva.type("table.move", move(tic, decision, "b2"))["ply"]
        eva.type("table.move", move(tic, decision, "b2"))
        eva.type("table.undo", f'{{"table":"{tic}","ply":{ply}}}')
        eva.type("table.move", move(tic, decision, "b2"))
        eva.type("table.move", move(tic, decision, "c3"))
    return tic


def back(eva, ben, tic, address):
    say("""
### Going away and coming back

Whoever names the ply and chain they have is told what they missed, if that is
not too long ago, and else everything anew. `check` adds a hash of the view that
the patch should have made.""")
    with ben:
        seen = ben.type("table.watch", f'{{"table":"{tic}","check":true}}')
        ben.type("table.unwatch", f'{{"table":"{tic}"}}')
    with eva:
        decision = find_decision(eva, tic)
        eva.type("table.move", move(tic, decision, "b1"))
    with ben:
        ben.type("table.watch",
                 f'{{"table":"{tic}","since":{seen["ply"]},'
                 f'"chain":"{seen["chain"]}","check":true}}')


def talk(eva, ben, tic):
    say("""
### Talk, and being told

`me.watch` tells one connection of everything that concerns its account.""")
    with eva:
        eva.type("me.watch")
        eva.type("table.watch", f'{{"table":"{tic}"}}')
    with ben:
        number = ben.type("table.chat",
                          f'{{"table":"{tic}","text":"well played"}}')["text"]
    with eva:
        eva.type("table.texts", f'{{"table":"{tic}"}}')
        eva.type("table.read", f'{{"table":"{tic}","text":{number}}}')
        eva.type("table.note",
                 f'{{"table":"{tic}","text":"Ben likes corners"}}')


def looking(eva, ben, tic):
    say("""
### Looking back

The log as one was told it, the view at any ply, and, of a finished game, the
record.""")
    with ben:
        ben.type("table.resign", f'{{"table":"{tic}"}}')
    with eva:
        eva.type("table.replay", f'{{"table":"{tic}","from":3,"to":5}}')
        eva.type("table.at", f'{{"table":"{tic}","ply":4,"as":"watcher"}}')
        eva.type("table.record", f'{{"table":"{tic}"}}')


def mistakes(address):
    say("""
### What is no request

The connection stays open. (What is typed stands behind `---`, as the schema does
not allow it.)""")
    with Window(address, "Anybody") as window:
        window.type("server.hello", '{"colour":"red"}', "---")
        window.type("tables.list", mark="---")
    with Window(address, "Anybody") as window:
        for text in ["hello", '{"jsonrpc":"2.0","method":"server.hello"}',
                     "[]"]:
            out.append(f"--- {text}")
            window.sock.sendall(text.encode() + b"\n")
            window.line()


def curl(*arguments):
    shown = " ".join(a if a.isalnum() or a[0] == "-" or a[0:4] == "http"
                     else f"'{a}'" for a in arguments)
    out.append(f"$ curl {shown}")
    done = subprocess.run(["curl", "-s", *arguments], capture_output=True,
                          text=True, check=True)
    out.append(done.stdout.replace("\r", "").rstrip("\n"))
    return done.stdout


def http(daemon, tic):
    say("""
### HTTP

The same messages, one per `POST /rpc`; a browser's token is a cookie that no
script sees.""")
    base = f"http://{daemon.ready['http']}"
    out.extend(["", "```"])
    kind = "Content-Type: application/json"
    curl("-H", kind, "-d",
         '{"jsonrpc":"2.0","id":1,"method":"table.list",'
         '"params":{"state":"finished","limit":1}}', f"{base}/rpc")
    curl("-i", "-H", kind, "-d",
         '{"method":"session.login",'
         '"params":{"name":"eva","password":"correct horse"}}',
         f"{base}/session")
    curl(f"{base}/healthz")
    curl(f"{base}/readyz")
    curl(f"{base}/api/v1/tables/{tic}/record")
    out.append("```")


def administrator(daemon, tic):
    say("""
### The administrator's socket

`nc -U DATA/admin.sock`; `sobremesactl` speaks it for you.""")
    with Window(daemon.ready["admin"], "The administrator") as admin:
        admin.type("admin.status")
        admin.type("admin.tables", '{"limit":2}')
        admin.type("admin.export", f'{{"table":"{tic}","from":4}}')
        admin.type("admin.users.add",
                   '{"name":"Fay","password":"long enough"}')
        admin.type("admin.users.ban", '{"user":"Fay","why":"noise"}')
        admin.type("admin.users.delete", '{"user":"Fay"}')
        admin.type("admin.audit")


with d.Daemon() as server:
    lines = server.ready["lines"]
    windows = Window(lines, "Ana"), Window(lines, "Ben")
    game(*windows)
    person = accounts(lines)
    hacienda = lobby(person, *windows)
    tictactoe = play(person, windows[1], hacienda)
    back(person, windows[1], tictactoe, lines)
    talk(person, windows[1], tictactoe)
    looking(person, windows[1], tictactoe)
    mistakes(lines)
    http(server, tictactoe)
    administrator(server, tictactoe)

with open(README, encoding="utf-8") as file:
    text = file.read()
before, _, rest = text.partition(MARKS[0])
_, _, after = rest.partition(MARKS[1])
with open(README, "w", encoding="utf-8") as file:
    file.write(before + MARKS[0] + "\n".join(out) + "\n\n" + MARKS[1] + after)
