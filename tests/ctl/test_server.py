"""sobremesactl and the server itself: status, broadcast, vacuum, prune, config
show, log level, shutdown with a countdown; with people there who are told."""

import os
import random
import sqlite3
import tempfile
import threading

import daemon as d
from ctl import closed, ctl, fails, refused, says, told
from tap import done_testing, is_, ok

CHANCE = random.Random(9)


def notice(peer, kind):
    """The next server.notice of that kind."""
    while True:
        note = peer.next_note()
        if note["method"] == "server.notice" and \
                note["params"]["kind"] == kind:
            return note["params"]


def settings(server):
    return {s["key"]: (s["value"], s["from"])
            for s in told(server, "config", "show")["settings"]}


def configured(server, file):
    shown = settings(server)
    is_((shown["server.name"], shown["http.echo"], shown["server.data"],
         shown["store.readers"]),
        (("Chez nous", file), ("on", "command line"),
         (server.data, "command line"), ("2", "default")),
        "config show: what is set, and where")
    says(ctl(server, "config", "show"), "Chez nous", "config show: a table")
    is_(ctl(server, "log", "level"), (0, "warning\n", ""), "log level: asked")
    is_(ctl(server, "log", "level", "debug")[1], "debug\n", "log level: set")
    is_(settings(server)["log.level"], ("debug", "run time"),
        "log level: config show tells")
    fails(ctl(server, "log", "level", "loud"), 1, "invalid_params",
          "log level: no such word")
    waiting(server, file)


def next_of(server):
    return {s["key"]: (s["value"], s["next"]["value"], s["next"]["when"])
            for s in told(server, "config", "show")["settings"]
            if "next" in s}


# What the file says and what is in force are two things.
def waiting(server, file):
    with open(file, encoding="utf-8") as f:
        before = f.read()
    said = ("debug", "warning", "restart")
    is_(next_of(server), {"log.level": said},
        "config show: the file's level waits behind what was said at run time")
    with open(file, "a", encoding="utf-8") as f:
        f.write("\n[accounts]\nguests = off\n"
                "invitation_code = secret-code\n[store]\nreaders = 3\n")
    is_(next_of(server), {
        "accounts.guests": ("on", "off", "reload"),
        "accounts.invitation_code": ("", "***", "reload"),
        "log.level": said,
        "store.readers": ("2", "3", "restart")}, "config show: what waits")
    says(ctl(server, "config", "show"), "off after a reload",
         "config show: in words")
    server.process.send_signal(1)
    d.until(lambda: len(next_of(server)) == 2, "it is reloaded")
    is_(next_of(server), {"log.level": said,
                          "store.readers": ("2", "3", "restart")},
        "config show: after a reload what needs a restart waits")
    is_(settings(server)["log.level"], ("debug", "run time"),
        "log level: a reload leaves what was said, until the next start")
    ctl(server, "log", "level", "warning")
    with open(file, "a", encoding="utf-8") as f:
        f.write("[http]\nehco = on\n")
    shown = told(server, "config", "show")
    lines = before.count("\n") + 8
    is_(shown["problem"], f"{file}:{lines}: there is no setting http.ehco; "
        "did you mean http.echo?", "config show: a file that is not good")
    with open(file, "w", encoding="utf-8") as f:
        f.write(before)
    server.process.send_signal(1)
    d.until(lambda: not next_of(server), "it is reloaded")
    is_(settings(server)["accounts.guests"], ("on", "default"),
        "config show: back again")


def cleaned(server, table, peers):
    held = threading.Event()
    seen = []

    def play():
        while not held.is_set():
            if d.play(table, peers, CHANCE, 3):
                break
            seen.append(1)

    thread = threading.Thread(target=play)
    thread.start()
    while len(seen) < 3 and thread.is_alive():
        thread.join(0.01)
    result = told(server, "vacuum")
    held.set()
    thread.join(d.WAIT)
    ok(result["before"] > 0 and result["after"] > 0 and
       not thread.is_alive(), "vacuum: while people play")
    is_(ctl(server, "verify", "--all")[0], 0, "vacuum: all is still true")
    says(ctl(server, "vacuum"), "bytes before", "vacuum: for people")
    fails(ctl(server, "vacuum", "x"), 64, "what is", "vacuum: no arguments")

    peer = server.peer()
    peer.call("account.register", name="Old", password="long enough")
    store = sqlite3.connect(os.path.join(server.data, "sobremesa.db"),
                            timeout=d.WAIT)
    with store:
        store.execute("UPDATE tokens SET expires = 5 WHERE account ="
                      " (SELECT id FROM accounts WHERE name = 'Old')")
        store.execute("INSERT INTO keys VALUES (1, 'table.join', 'k', 5, '')")
    store.close()
    is_(told(server, "prune", "--dry-run"), {"tokens": 1, "keys": 1},
        "prune --dry-run: counts")
    is_(told(server, "prune"), {"tokens": 1, "keys": 1}, "prune")
    is_(told(server, "prune"), {"tokens": 0, "keys": 0},
        "prune: then there is nothing")
    says(ctl(server, "prune", "--dry-run"), "There are 0", "prune: in words")
    peer.close()


def ending(server, room):
    peers = [server.peer() for _ in range(2)]
    for peer in peers:
        peer.call("account.guest")
    silent = server.peer()
    count = told(server, "broadcast", "Supper is ready")["told"]
    is_(count, 2, "broadcast: to all who have said something, but for who "
        "says it")
    is_([notice(p, "broadcast")["text"] for p in peers],
        ["Supper is ready"] * 2, "broadcast: they hear it")
    fails(ctl(server, "broadcast"), 64, "which TEXT", "broadcast: what?")
    says(ctl(server, "motd", "say", "Cake!"), "who comes", "motd say")
    says(ctl(server, "maintenance", "on", "--say", "The disk."), "who comes",
         "maintenance on")
    says(ctl(server, "status"), "read only    The disk.", "status: read only")
    says(ctl(server, "status"), "says         Cake!", "status: and says")
    says(ctl(server, "maintenance", "off"), "who comes", "maintenance off")
    says(ctl(server, "motd", "off"), "who comes", "motd off")
    is_({k: v for k, v in told(server, "status").items()
         if k in ("motd", "maintenance")},
        {"motd": None, "maintenance": None}, "status: nothing of that")
    fails(ctl(server, "broadcast", ""), 1, "invalid_params",
          "broadcast: nothing")
    fails(ctl(server, "broadcast", "x" * 501), 1, "invalid_params",
          "broadcast: too much")
    fails(ctl(server, "shutdown", "--cancel"), 1, "no_shutdown",
          "shutdown --cancel: nothing to cancel")
    first = d.in_ms(minutes=10)
    ends = told(server, "shutdown", "--in", "10m", "--say",
                "A new version")["ends"]
    ok(first - 1000 <= ends <= d.in_ms(minutes=10) + 1000,
       "shutdown: in ten minutes")
    is_([notice(p, "shutdown") for p in peers],
        [{"kind": "shutdown", "at": ends, "text": "A new version"}] * 2,
        "shutdown: people are told when, and why")
    says(ctl(server, "status"), "ends", "shutdown: status tells")
    is_(told(server, "status")["ends"], ends, "shutdown: status, as JSON")
    ok(peers[0].call("account.get"),
       "shutdown: play goes on meanwhile")
    says(ctl(server, "shutdown", "--cancel"), "stays", "shutdown --cancel")
    is_([notice(p, "shutdown_cancelled")["kind"] for p in peers],
        ["shutdown_cancelled"] * 2, "shutdown --cancel: people are told")
    is_(told(server, "status")["ends"], None, "shutdown --cancel: it is off")
    for words in ("soon", "-5", "1y"):
        fails(ctl(server, "shutdown", f"--in={words}"), 64, "seconds",
              f"shutdown: in {words}")
    fails(ctl(server, "shutdown", "--in", "8d"), 1, "invalid_params",
          "shutdown: in more than a week")
    methods = [c["method"] for c in told(server, "audit", "--limit",
                                         "0")["changes"]]
    is_([m for m in methods if m == "admin.shutdown"],
        ["admin.shutdown"] * 2, "shutdown: both are noted")
    ok({"admin.broadcast", "admin.vacuum", "admin.prune", "admin.log"}
       <= set(methods), "audit: each kind of change")
    ok("admin.status" not in methods and "admin.config" not in methods,
       "audit: looking is no change")
    told(server, "shutdown", "--in", "2", "--say", "Good night")
    is_(notice(peers[0], "shutdown")["text"], "Good night",
        "shutdown: once more")
    is_(server.end()[0], 0, "shutdown: it ends, cleanly")
    last = closed(peers[1])
    is_(last[-1]["params"]["kind"], "shutdown",
        "shutdown: said once more at the end")
    fails(ctl(server, "status"), 1, "is the server running?",
          "afterwards there is none")
    silent.close()
    server.start()
    is_(ctl(server, "verify", "--all")[0], 0, "after that: all is true")
    pid = server.process.pid
    says(ctl(server, "shutdown"), "It has ended", "shutdown: at once")
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        is_(stat.read().split()[2], "Z",
            "shutdown: comes back when the process has ended, not before")
    is_(server.end()[0], 0, "shutdown: at once, cleanly")
    ok(os.path.exists(os.path.join(room, "data", "sobremesa.db")), "and the"
       " store is closed")


with tempfile.TemporaryDirectory() as room:
    path = os.path.join(room, "sobremesa.conf")
    with open(path, "w", encoding="utf-8") as conf:
        conf.write("[server]\nname = Chez nous\n[http]\necho = off\n"
                   "[log]\nlevel = warning\n")
    with d.Daemon("--config", path, "--set", "http.echo=on",
                  data=os.path.join(room, "data")) as server:
        table, players = d.sit(server, "hacienda", 2)
        status = told(server, "status")
        ok(status["started"] <= status["now"] and status["ends"] is None and
           status["peers"] == 2, "status, as JSON: who looks is not counted")
        says(ctl(server, "status"), "connections", "status: for people")
        ok(all(len(line) <= 80 for line in
               ctl(server, "status")[1].splitlines()), "status: 80 columns")
        configured(server, path)
        cleaned(server, table, players)
        is_(refused(players[0], "forbidden", "admin.config")["reason"],
            "forbidden", "players may not ask")
        for player in players:
            player.close()
        ending(server, room)
done_testing()
