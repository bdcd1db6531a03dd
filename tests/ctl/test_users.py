"""sobremesactl users and sessions: people added, barred, deleted, handed what is
stored about them, their sessions ended, while they play; what they are told."""

import datetime
import json
import random
import sqlite3
import threading

import daemon as d
from ctl import closed, ctl, fails, refused, says, told
from tap import done_testing, is_, ok

CHANCE = random.Random(8)
GOOD = "long enough"


def login(server, name, password=GOOD):
    peer = server.peer()
    peer.token = peer.call("session.login", name=name,
                           password=password)["token"]
    return peer


def log_in_refused(server, name, password=GOOD):
    return refused(server.peer(), "banned", "session.login", name=name,
                   password=password)


def adding(server):
    user = told(server, "users", "add", "Anna", "--email", "a@example.org",
                text=GOOD + "\n")["user"]
    is_(user["name"], "Anna", "add: an account, where nobody may register")
    is_(refused(server.peer(), "registration_closed", "account.register",
                name="Xaver", password=GOOD)["reason"],
        "registration_closed", "add: nobody may")
    ok(login(server, "anna"), "add: with its password")
    says(ctl(server, "users", "add", "ben", text=GOOD), "ben is there",
         "add: a password without a newline")
    fails(ctl(server, "users", "add", "ANNA", text=GOOD), 1, "name_taken",
          "add: a name that is taken")
    fails(ctl(server, "users", "add", "carl", text="short\n"), 1,
          "invalid_params", "add: too short a password")
    fails(ctl(server, "users", "add", "carl", text="x" * 257), 1,
          "too long", "a password that is too long")
    fails(ctl(server, "users", "add", "carl", text="long enough\0but\n"), 1,
          "a character of number 0", "one that would be cut")
    fails(ctl(server, "users", "add", "a name", text=GOOD), 1,
          "invalid_params", "add: no name")
    fails(ctl(server, "users", "add", "carl"), 1, "no password",
          "add: no password")
    fails(ctl(server, "users", "add", "carl", GOOD), 64, "what is",
          "add: never a password as an argument")
    with open("/proc/self/cmdline", encoding="utf-8") as file:
        ok(GOOD not in file.read(), "add: nor anywhere in a command line")


def passwords(server):
    anna = login(server, "anna")
    bot = anna.call("account.tokens.create", label="bot",
                    scopes=["read"])["token"]
    ok(told(server, "users", "password", "anna",
            text="quite another\n")["ended"] >= 1,
       "password: sessions are ended")
    is_(closed(anna)[-1]["params"]["kind"], "session_ended",
        "password: who was there is told why")
    peer = server.peer()
    for token in (anna.token, bot):
        is_(refused(peer, "token_expired", "session.resume",
                    token=token)["reason"], "token_expired",
            "password: no token is good any more")
    is_(refused(peer, "bad_credentials", "session.login", name="anna",
                password=GOOD)["reason"], "bad_credentials",
        "password: the old one is over")
    login(server, "anna", "quite another").close()
    guest = server.peer().call("account.guest")["user"]["name"]
    fails(ctl(server, "users", "password", guest, text=GOOD), 1,
          "is_a_guest", "password: guests have none")
    fails(ctl(server, "users", "password", "nobody", text=GOOD), 1,
          "no_such_user", "password: no such user")
    fails(ctl(server, "users", "password", "anna", text="short"), 1,
          "invalid_params", "password: too short")


def banning(server):
    table, peers = d.sit(server, "hacienda", 2)
    noisy = peers[0]
    name = noisy.call("account.get")["user"]["name"]
    told(server, "users", "add", "eve", text=GOOD)
    eve, again = login(server, "eve"), login(server, "eve")
    first = d.in_ms(days=2)
    is_(told(server, "users", "ban", "eve", "--until", "2d", "--why",
             "noise in the chat")["ended"], 2, "ban: both connections")
    last = d.in_ms(days=2)
    for peer in (eve, again):
        note = closed(peer)[-1]["params"]
        ok(note["kind"] == "banned" and note["why"] == "noise in the chat"
           and first - 1000 <= note["until"] <= last + 1000,
           "ban: is told why and until when, and cut off")
    data = log_in_refused(server, "eve")
    is_(data and (data["why"], data["until"]),
        ("noise in the chat", note["until"]),
        "ban: a log-in is refused with reason and end")
    is_(refused(server.peer(), "bad_credentials", "session.login",
                name="eve", password="not the password")["reason"],
        "bad_credentials", "ban: strangers do not learn of it")
    is_([u["name"] for u in told(server, "users", "list",
                                 "--banned")["users"]], ["eve"],
        "list --banned")
    says(ctl(server, "users", "list", "--banned"), "noise in the chat",
         "list: says why")
    told(server, "users", "ban", "eve")
    data = log_in_refused(server, "eve")
    is_((data["until"], data["why"]), (None, None),
        "ban: once more, now for good")
    says(ctl(server, "users", "unban", "eve"), "may log in again", "unban")
    login(server, "eve").close()
    fails(ctl(server, "users", "unban", "eve"), 1, "not_banned",
          "unban: who is not barred")
    tomorrow = d.day(1)
    is_(told(server, "users", "ban", "eve", "--until",
             f"{tomorrow}T12:30")["ended"], 0, "ban: to a day and an hour")
    is_(log_in_refused(server, "eve")["until"],
        int(datetime.datetime.combine(
            tomorrow, datetime.time(12, 30)).timestamp() * 1000),
        "ban: in local time")
    for zone, hours in ("Z", 0), ("+02:00", 2), ("-0530", -5.5):
        told(server, "users", "ban", "eve", "--until",
             f"{tomorrow}T12:30{zone}")
        is_(log_in_refused(server, "eve")["until"],
            int((datetime.datetime.combine(
                tomorrow, datetime.time(12, 30), datetime.timezone.utc) -
                datetime.timedelta(hours=hours)).timestamp() * 1000),
            f"ban: with its zone, {zone}")
    told(server, "users", "unban", "eve")
    # A guest, in the middle of a game; the table stays as it is.
    told(server, "users", "ban", name)
    is_(refused(server.peer(), "token_expired", "session.resume",
                token=noisy.token)["reason"] if hasattr(noisy, "token")
        else "token_expired", "token_expired", "ban: a guest")
    view = peers[1].call("table.watch", table=table)["view"]
    is_((view["state"], view["seats"][0]["name"]), ("playing", name),
        "ban: their tables stay")
    for words, why in (("yesterday", "expected 30m"), ("-1", "-1"),
                       ("5", "expected 30m")):
        fails(ctl(server, "users", "ban", "eve", f"--until={words}"), 64,
              why, f"ban: until {words}")
    fails(ctl(server, "users", "ban", "eve", "--until", "2020-01-01"), 1,
          "still to come", "ban: until a day that is over")
    fails(ctl(server, "users", "ban", "nobody"), 1, "no_such_user",
          "ban: no such user")
    fails(ctl(server, "users", "unban", "nobody"), 1, "no_such_user",
          "unban: no such user")


def over():
    """A ban is over by itself."""
    clocks = d.Clocks()
    with d.Daemon(env=clocks.env) as server:
        told(server, "users", "add", "eve", text=GOOD)
        told(server, "users", "ban", "eve", "--until", "10m")
        ok(log_in_refused(server, "eve"), "ban: for a while")
        clocks.set(600000, 600000)
        ok(login(server, "eve"), "ban: is over when its time is")
        is_(told(server, "users", "list", "--banned")["users"], [],
            "ban: and nobody is listed any more")


def racing(server):
    """Log-ins while somebody is barred: none gets past it."""
    told(server, "users", "add", "racer", text=GOOD)
    inside, stop = [], threading.Event()

    def knock():
        while not stop.is_set():
            try:
                inside.append(login(server, "racer"))
            except (d.Refused, OSError, EOFError):
                pass

    threads = [threading.Thread(target=knock) for _ in range(4)]
    for thread in threads:
        thread.start()
    d.until(lambda: len(inside) >= 4 or not any(t.is_alive() for t in threads),
            "some are inside")
    told(server, "users", "ban", "racer")
    stop.set()
    for thread in threads:
        thread.join(d.WAIT)
    alive = 0
    for peer in inside:
        try:
            peer.call("account.get")
            alive += 1
        except (d.Refused, OSError, EOFError):
            pass
        peer.close()
    is_(alive, 0, f"ban: of {len(inside)} log-ins at that time none lasts")
    is_(told(server, "sessions", "list", "racer")["sessions"], [],
        "ban: nor a session")


def sessions(server):
    told(server, "users", "add", "sven", text=GOOD)
    first, second = login(server, "sven"), login(server, "sven")
    first.call("account.tokens.create", label="my bot", scopes=["play"])
    rows = told(server, "sessions", "list", "sven")["sessions"]
    is_(sorted((r["label"], r["connections"]) for r in rows),
        [("my bot", 0), ("session", 1), ("session", 1)],
        "sessions: of one user")
    ok(len(told(server, "sessions", "list")["sessions"]) > len(rows),
       "sessions: of all")
    ok("my bot" in ctl(server, "sessions", "list", "sven")[1],
       "sessions: for people")
    one = [r for r in rows if r["label"] == "session"][0]["id"]
    is_(told(server, "sessions", "end", one), {"ended": 1},
        "sessions: one is ended")
    gone, left = [], []
    for peer in (first, second):
        try:
            peer.call("account.get")
            left.append(peer)
        except EOFError:
            gone.append(peer)
    is_((len(gone), len(left)), (1, 1), "sessions: only that one")
    is_(gone[0].notes[-1]["params"]["kind"], "session_ended",
        "sessions: and is told")
    is_(told(server, "sessions", "end", "--user", "sven"), {"ended": 1},
        "sessions: all of a user's")
    is_(told(server, "sessions", "list", "sven")["sessions"], [],
        "sessions: then there are none")
    fails(ctl(server, "sessions", "end", one), 1, "no_such_token",
          "sessions: no such session")
    fails(ctl(server, "sessions", "end", "!"), 1, "invalid_params",
          "sessions: no id")
    fails(ctl(server, "sessions", "end"), 1, "invalid_params",
          "sessions: end which?")
    fails(ctl(server, "sessions", "end", "--user", "nobody"), 1,
          "no_such_user", "sessions: no such user")
    fails(ctl(server, "sessions", "list", "nobody"), 1, "no_such_user",
          "sessions: list of nobody")
    for peer in (first, second):
        peer.close()


def deleting(server):
    told(server, "users", "add", "dora", "--email", "d@example.org",
         text=GOOD)
    dora = login(server, "dora")
    two = [server.peer() for _ in range(3)]
    for peer in two:
        peer.call("account.guest")
    tables = {}
    for name, seats in (("duel", 2), ("three", 3), ("ended", 2),
                        ("open", 3), ("alone", 2)):
        tables[name] = dora.call("table.create", game="tictactoe"
                                 if seats == 2 else "hacienda",
                                 seats=seats)["table"]
    for name in ("duel", "ended"):
        two[0].call("table.join", table=tables[name])
    for peer in two[:2]:
        peer.call("table.join", table=tables["three"])
    two[0].call("table.join", table=tables["open"])
    d.play(tables["ended"], [dora, two[0]], CHANCE)
    d.play(tables["three"], [dora, *two[:2]], CHANCE, 10)
    dora.call("table.chat", table=tables["three"], text="Good luck, all")
    dora.call("table.note", table=tables["three"], text="Mind the river")
    dora.call("table.read", table=tables["three"], text=1)
    two[2].call("table.invite", table=two[2].call(
        "table.create", game="hacienda", seats=2, private=True)["table"],
        name="dora")
    two[0].call("table.watch", table=tables["three"])

    whole = json.loads(ctl(server, "users", "export", "dora")[1])
    is_((whole["name"], whole["email"], whole["password"]),
        ("dora", "d@example.org", True), "export: the account")
    is_(sorted(s["table"] for s in whole["seats"]),
        sorted(tables.values()), "export: where she sits")
    is_([t["text"] for t in whole["texts"]], ["Good luck, all"],
        "export: what she said")
    is_([n["text"] for n in whole["notes"]], ["Mind the river"],
        "export: her notes")
    is_((len(whole["made"]), len(whole["invited"]), len(whole["marks"]),
         len(whole["tokens"])), (5, 1, 1, 1), "export: all else")
    ok("argon2" not in json.dumps(whole), "export: no hash")
    store = sqlite3.connect(f"file:{server.data}/sobremesa.db?mode=ro",
                            uri=True)
    columns = {(t, c[1]) for t, in store.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table'")
        for c in store.execute(f"PRAGMA table_info({t})")
        if c[1] in ("account", "author", "owner", "low")}
    is_(columns, {("accounts", "account")} & columns | {
        ("tokens", "account"), ("tables", "owner"), ("players", "account"),
        ("invites", "account"), ("keys", "account"), ("texts", "author"),
        ("marks", "account"), ("notes", "account"), ("studies", "account"),
        ("ratings", "account"), ("pairs", "low"), ("reminders", "account"),
        ("orders", "account"), ("blocks", "account"),
        ("renames", "account"),
        ("links", "account"), ("hours", "account"), ("devices", "account"),
        ("totp", "account"), ("recovery", "account"),
        ("proxied", "account"), ("notices", "account"),
        ("messages", "account"), ("told", "account"), ("sent", "account"),
        ("wishes", "account"), ("channels", "account"),
        ("muted", "account"), ("away", "account"),
        ("absences", "account"), ("untold", "account"),
        ("audit", "account")},
        "export: there is no further place that speaks of people")
    fails(ctl(server, "users", "export", "nobody"), 1, "no_such_user",
          "export: no such user")

    is_(told(server, "users", "delete", "dora"),
        {"ended": 1, "resigned": 2, "left": 2},
        "delete: resigned at running tables, left open ones")
    is_(closed(dora)[-1]["params"]["kind"], "account_deleted",
        "delete: is told and cut off")
    is_(refused(server.peer(), "bad_credentials", "session.login",
                name="dora", password=GOOD)["reason"], "bad_credentials",
        "delete: nobody can log in")
    shown = {n: told(server, "tables", "show", t)["table"]
             for n, t in tables.items()}
    is_({n: s["state"] for n, s in shown.items()},
        {"duel": "finished", "three": "playing", "ended": "finished",
         "open": "open", "alone": "abandoned"}, "delete: what became of them")
    is_((shown["duel"]["reason"], shown["three"]["resigned"]),
        ("resigned", [0]), "delete: by resigning")
    d.until(lambda: told(server, "tables", "show", tables["three"])
            ["table"]["seats"][0]["name"] is None, "the seat loses its name")
    view = two[1].call("table.watch", table=tables["three"])["view"]
    is_((view["seats"][0]["name"], view["seats"][0]["resigned"]),
        (None, True), "delete: the seat has no name any more")
    kinds = []
    while "renamed" not in kinds:
        note = two[0].next_note()
        kinds += [e["kind"] for e in note["params"].get("events", [])]
    ok("resigned" in kinds, "delete: those who play are told, by plies")
    texts = two[0].call("table.texts", table=tables["three"])["texts"]
    is_([(t["body"], t["from"]) for t in texts], [("Good luck, all", None)],
        "delete: what was said stays")
    is_(refused(two[0], "no_such_user", "account.get",
                name="dora")["reason"], "no_such_user", "delete: no profile")
    # Seat 0 is nobody's: she is there to look at the table only.
    d.play(tables["three"], [two[0], *two[:2]], CHANCE, 5)
    is_(ctl(server, "verify", *tables.values())[:2],
        (0, "ok: 5 tables\n"), "delete: records stay true")
    copy = ctl(server, "tables", "export", tables["ended"])[1]
    ok('"name":null' in copy.splitlines()[0] and "dora" not in copy,
       "delete: and say nothing of her")
    left = store.execute("SELECT kind, name, password, email FROM accounts"
                         " WHERE kind = 2 AND name = ''").fetchall()
    ok((2, "", None, None) in left, "delete: nothing is left in the store")
    is_([c["user"] for c in told(server, "audit")["changes"]][0], None,
        "delete: nor in the list of changes")
    store.close()
    told(server, "users", "add", "dora", text=GOOD)
    is_(json.loads(ctl(server, "users", "export", "dora")[1])["seats"], [],
        "delete: the name is free, and somebody else's")
    fails(ctl(server, "users", "delete", "nobody"), 1, "no_such_user",
          "delete: no such user")
    for peer in two:
        peer.close()


with d.Daemon("--set", "accounts.registration=closed") as server:
    adding(server)
    passwords(server)
    banning(server)
    racing(server)
    over()
    sessions(server)
    deleting(server)
    names = [u["name"] for u in told(server, "users", "list", "--limit",
                                     "0")["users"]]
    is_(names, sorted(names, key=str.lower), "list: by name")
    ok(all(u["guest"] for u in told(server, "users", "list",
                                    "--guests")["users"]), "list: guests")
    ok(not any(u["guest"] for u in told(server, "users", "list",
                                        "--no-guests")["users"]),
       "list: no guests")
    paged = told(server, "users", "list", "--limit", "3")
    is_((len(paged["users"]), bool(paged["next"])), (3, True), "list: three")
    ok(len(ctl(server, "users", "list")[1].splitlines()) == len(names) + 1,
       "list: for people")
    methods = {c["method"] for c in told(server, "audit", "--limit",
                                         "0")["changes"]}
    is_(methods, {f"admin.users.{m}" for m in ("add", "password", "ban",
                                               "unban", "delete")}
        | {"admin.sessions.end"}, "audit: a row for each kind of change")
    everything = json.dumps(told(server, "audit", "--limit", "0"))
    ok(GOOD not in everything and "quite another" not in everything and
       "example.org" not in everything, "audit: no secrets")
    says(ctl(server, "audit", "--user", "eve"), "users.ban", "audit: of eve")
    fails(ctl(server, "audit", "--user", "nobody"), 1, "no_such_user",
          "audit: no such user")
    fails(ctl(server, "audit", "--table", "!"), 1, "invalid_params",
          "audit: no such table")
    is_(ctl(server, "verify", "--all")[0], 0, "every record is true")
    # Nobody else may.
    peer = server.peer()
    for method in ("admin.users", "admin.users.ban", "admin.shutdown",
                   "admin.rewind"):
        is_(refused(peer, "forbidden", method)["reason"], "forbidden",
            f"{method}: only on the administrator's socket")
done_testing()
