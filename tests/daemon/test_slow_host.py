"""A host that takes connections and says nothing keeps nobody waiting but who is
told there: of a hundred messages to it a few are under way, and somebody else's
receiver is called while most of them wait."""

import contextlib
import http.server
import os
import socket
import sqlite3
import threading

import sobremesa as s
from sobremesa import Daemon
from tap import diag, done_testing, is_, ok

PEOPLE, EACH = 34, 3
USER, WEBHOOK, NTFY, ON, UNSEATED, EVERYTHING = 0, 2, 1, 1, 7, 0x7fff
came = threading.Condition()
calls = []


class Silent:
    """Takes every connection and says nothing, ever."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.taken = []
        threading.Thread(target=self.take, daemon=True).start()

    def take(self):
        while True:
            self.taken.append(self.listener.accept()[0])


class Quick(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()
        with came:
            calls.append(self.path)
            came.notify_all()


def called(count):
    with came:
        return came.wait_for(lambda: len(calls) >= count, s.WAIT)


def put_people(data, target, table):
    """Who is told at TARGET alone, each of something that was due long ago."""
    due = s.in_ms(minutes=-10)
    drawn = s.chance("people")
    with contextlib.closing(
            sqlite3.connect(os.path.join(data, "sobremesa.db"))) as db, db:
        number = db.execute("SELECT id FROM tables").fetchone()[0]
        for i in range(PEOPLE):
            account = drawn.getrandbits(62)
            db.execute(
                "INSERT INTO accounts (id, kind, name, created, seen, "
                "banned_until, email_confirmed) VALUES (?, ?, ?, ?, ?, 0, 0)",
                (account, USER, f"p{i}", due, due))
            db.executemany(
                "INSERT INTO channels (id, account, way, form, state, kinds, "
                "made, changed, label, target) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', ?)",
                ((drawn.getrandbits(62), account, WEBHOOK, NTFY, ON, EVERYTHING,
                  due, due, f"{target}/{i}-{k}") for k in range(EACH)))
            db.execute(
                "INSERT INTO notices (number, account, kind, table_id, ply, "
                "maker, at) VALUES (?, ?, ?, ?, 0, 0, ?)",
                (due << 20 | i, account, UNSEATED, number, due))


silent = Silent()
receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quick)
threading.Thread(target=receiver.serve_forever, daemon=True).start()
slow = f"http://slow.localhost:{silent.port}"
quick = f"http://quick.localhost:{receiver.server_address[1]}"
server = Daemon("--set", "server.url=https://games.example", "--set",
                f"notices.allow={slow} {quick}")
ana, ben = server.peer(), server.peer()
for peer, name in ((ana, "ana"), (ben, "ben")):
    peer.call("account.register", name=name, password="long enough")
table = s.table_of([ana, ben])
channel = ben.call("notices.channels.add", way="webhook", form="ntfy",
                   target=f"{quick}/ben")["channel"]
is_(ben.call("notices.channels.test", channel=channel)["state"], "on",
    "Ben is told at a host that answers")
server.stop()
put_people(server.data, slow, table)
server.start()

ana, ben = server.peer(), server.peer()
for peer, name in ((ana, "ana"), (ben, "ben")):
    peer.call("session.login", name=name, password="long enough")
ben.call("notices.set", wait=0)
operator = server.operator()


def state():
    return next(w for w in operator.call("admin.notices")["ways"]
                if w["way"] == "webhook")


s.until(lambda: state()["waiting"] >= PEOPLE * EACH, "all of them wait")
is_(state()["waiting"], PEOPLE * EACH, "a hundred messages wait for one that "
    "does not")
s.until(lambda: len(silent.taken) >= 2, "it is called twice")
before = len(calls)
s.place(ana, table, 3, "a1")
ok(called(before + 1), "Ben is told of his turn")
told = state()
ok(told["waiting"] >= PEOPLE * EACH / 2,
   f"while most of those still wait: {told['waiting']}")
s.until(lambda: state()["delivered"] >= 1, "Ben's own is no longer under way")
waiting = state()
ok(waiting["under_way"] <= 4, "of which four are under way at most")
ok(waiting["retried"] < PEOPLE * EACH / 2, "and most were not tried")
diag(f"{waiting}")
server.stop()
receiver.shutdown()
done_testing()
