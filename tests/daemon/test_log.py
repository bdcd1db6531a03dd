"""What the log says, as text and as JSON, and which numbers /metrics gives to
the same."""

import fcntl
import json
import os
import pty
import re
import signal

import sobremesa as s
from sobremesa import Daemon, Lines, Refused
from tap import done_testing, is_, ok

FIELD = re.compile(r' ?([a-z_]+)=("(?:[^"\\]|\\.)*"|[A-Za-z0-9_./:+@%,-]+)')
F_SETPIPE_SZ = 1031
REFUSALS = 4000  # more than a queue of lines holds
SHIELD = 'a" event=login_failed address=1.2.3.4'


def as_text(line):
    """The fields of a line, or None if it is no such line."""
    head = re.match(r"<([3-7])>", line)
    at, fields = len(head.group(0)) if head else 0, {}
    while head and at < len(line):
        field = FIELD.match(line, at)
        if not field or field[1] in fields:
            return None
        fields[field[1]] = json.loads(field[2]) if field[2][0] == '"' \
            else field[2]
        at = field.end()
    return fields if head else None


def as_json(line):
    value = json.loads(line)
    ok(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$", value["time"]) and
       value["level"] in ("error", "warning", "notice", "info", "debug"),
       f"{value['event']}: time and level")
    return {k: str(v) for k, v in value.items()}


def refused(call, *args, **more):
    try:
        call(*args, **more)
    except Refused as e:
        return e.reason
    return None


def evening(d):
    """Somebody comes, somebody else fails, the administrator intervenes."""
    ana, eve, admin = Lines(d.lines), Lines(d.lines), Lines(d.admin)
    ana.call("account.register", name="ana", password="correct horse")
    ana.call("account.tokens.create", label=SHIELD[:32], scopes=["read"])
    is_(refused(eve.call, "session.login", name="ana", password="wrong one"),
        "bad_credentials", "a wrong password")
    is_(refused(eve.call, "session.login", name="Nobody", password="wrong one"),
        "bad_credentials", "nobody of that name")
    eve.call("session.login", name="ana", password="correct horse")
    admin.call("admin.users.ban", user="ana", why=SHIELD)
    bob = Lines(d.lines)
    is_(refused(bob.call, "session.login", name="ana",
                password="correct horse"), "banned", "somebody banned")
    bob.call("account.guest")
    admin.call("admin.users.rename", user="ana", name="Berta")


def samples(d):
    text = s.http(d.http, "GET", "/metrics").body.decode()
    return dict(line.rsplit(" ", 1) for line in text.splitlines()
                if line[0] != "#")


# Log-ins, accounts and what the administrator changes are in the log, each with
# where it came from; nobody's words make a field of their own.
def test_events(form, parse):
    d = Daemon("--set", f"log.format={form}")
    evening(d)
    numbers = samples(d)
    d.tell(1)  # SIGHUP
    status, _ = d.stop()
    is_(status, 0, f"{form}: ended")
    with open(d.errors.name, encoding="utf-8") as f:
        text = f.read()
    ok(not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text),
       f"{form}: nothing that a terminal obeys")
    lines = [parse(line) for line in text.splitlines()]
    ok(None not in lines, f"{form}: every line is read back")
    is_([line["event"] for line in lines if line["event"] != "reloaded"],
        ["ready", "registered", "token_created", "login_failed",
         "login_failed", "login", "admin", "login_failed", "guest",
         "admin", "shutdown", "ended"], f"{form}: what happened, in order")
    failed = [line for line in lines if line["event"] == "login_failed"]
    is_([(line["address"], line["user"], line["reason"]) for line in failed],
        [("127.0.0.1", "ana", "bad_credentials"),
         ("127.0.0.1", "Nobody", "bad_credentials"),
         ("127.0.0.1", "ana", "banned")], f"{form}: who failed, and from where")
    is_([line["conn"] for line in failed],
        ["2", "2", "4"], f"{form}: on which connection")
    is_(len({line["request"] for line in failed}), 3,
        f"{form}: each request has its number")
    change, name = [line for line in lines if line["event"] == "admin"]
    is_((change["method"], change["user"]), ("admin.users.ban", "ana"),
        f"{form}: what the administrator did")
    is_(json.loads(change["params"])["why"], SHIELD, f"{form}: and why")
    is_((name["method"], name["user"], name["name"]),
        ("admin.users.rename", "ana", "Berta"),
        f"{form}: who has another name, the old one and the new one")
    is_([numbers[name] for name in (
        'sobremesa_logins_total{result="good"}',
        'sobremesa_logins_total{result="failed"}',
        'sobremesa_logins_total{result="banned"}',
        'sobremesa_accounts_made_total{kind="user"}',
        'sobremesa_accounts_made_total{kind="guest"}',
        'sobremesa_refusals_total{reason="bad_credentials"}',
        'sobremesa_refusals_total{reason="banned"}',
        'sobremesa_refusals_total{reason="no_such_table"}')],
        ["1", "2", "1", "1", "1", "2", "1", "0"], f"{form}: and the numbers")


# A log that nobody reads holds nobody: lines are dropped, and both the log and
# /metrics say how many.
def test_unread():
    reading, writing = os.pipe()
    fcntl.fcntl(writing, F_SETPIPE_SZ, 4096)
    d = Daemon("--set", "log.level=debug", stderr=writing)
    os.close(writing)
    p = Lines(d.lines)

    def refusals(count):
        return sum(refused(p.call, "table.watch", table="0" * 13) ==
                   "no_such_table" for _ in range(count))

    is_(refusals(REFUSALS), REFUSALS, "who asks is answered")
    dropped = int(samples(d)["sobremesa_log_dropped_total"])
    ok(0 < dropped < REFUSALS, "the log drops some of it")
    text = ""
    while "log_gap" not in text or not text.endswith("\n"):
        text += os.read(reading, 65536).decode()
    lines = [as_text(line) for line in text.splitlines()]
    ok(None not in lines, "whole lines are dropped")
    written = [line["event"] for line in lines].count("refused")
    is_(lines[-1]["event"], "log_gap", "it says where some are missing")
    gap = int(lines[-1]["lines"])
    is_(int(samples(d)["sobremesa_log_dropped_total"]), gap, "and how many")
    # With them, that somebody came and went.
    ok(REFUSALS - written <= gap <= REFUSALS - written + 4, "which is true")
    is_(refusals(1), 1, "then it goes on")
    text = ""
    while "event=refused" not in text:
        text += os.read(reading, 65536).decode()
    ok("log_gap" not in text, "with all that comes")
    is_(refusals(REFUSALS), REFUSALS, "nobody reads it again")
    is_(d.stop()[0], 0, "nor is its end held")


# Whoever closes the window in which it runs ends it.
def test_terminal():
    window, terminal = pty.openpty()
    d = Daemon(stderr=terminal)
    os.close(terminal)
    d.tell(signal.SIGHUP)
    text = b""
    while b"reloaded" not in text:
        text += os.read(window, 4096)
    ok(True, "in a terminal SIGHUP reads the configuration")
    os.close(window)
    is_(d.stop(signal.SIGHUP)[0], 0, "but not when the terminal is closed")


# How long answers take is counted by class, and moves by themselves, but only
# those that were made.  No time passes, so none takes any.
def test_latencies():
    clocks = s.Clocks(stands=True)
    d = Daemon(env=clocks.env)
    ana, bob = Lines(d.lines), Lines(d.lines)
    for p in (ana, bob):
        p.call("account.guest")
    table = ana.call("table.create", game="tictactoe", seats=2)["table"]
    bob.call("table.join", table=table)
    made = 0
    for p in (ana, bob, ana):
        try:
            legal = p.call("table.legal", table=table)
            p.call("table.move", table=table, decision=legal["decision"],
                   move=legal["moves"][0])
            made += 1
        except Refused:
            pass
        is_(refused(p.call, "table.move", table=table, decision=0,
                    move={"verb": "place", "cell": "zz"}) is None, False,
            "a move that is none")
    numbers = samples(d)
    is_(numbers["sobremesa_move_seconds_count"], str(made),
        f"{made} moves that were made")
    is_(numbers['sobremesa_request_seconds_count{class="move"}'],
        str(made + 3), "and those that were not")
    is_(numbers['sobremesa_request_seconds_count{class="login"}'], "2",
        "two guests")
    is_(float(numbers["sobremesa_move_seconds_sum"]), 0, "none took any time")
    clocks.go()
    d.stop()


# What there is in the store is counted soon after the start.
def test_sizes():
    d = Daemon()
    ana = Lines(d.lines)
    ana.call("account.register", name="ana", password="correct horse")
    Lines(d.lines).call("account.guest")
    for _ in range(2):
        table = ana.call("table.create", game="tictactoe", seats=2)["table"]
    ana.call("table.leave", table=table)
    d.stop()
    d = Daemon(data=d.data)
    s.until(lambda: samples(d)['sobremesa_store_accounts{kind="user"}'] != "0",
            "what is stored has been counted")
    numbers = samples(d)
    is_([numbers[f'sobremesa_store_{what}'] for what in (
        'accounts{kind="user"}', 'accounts{kind="guest"}',
        'tables{state="open"}', 'tables{state="playing"}',
        'tables{state="finished"}', 'tables{state="abandoned"}')],
        ["1", "1", "1", "0", "0", "1"], "tables and accounts in the store")
    d.stop()


# An operator who keeps no addresses has none, at any level.
def test_addresses():
    d = Daemon("--set", "log.addresses=off", "--set", "log.level=debug")
    evening(d)
    d.stop()
    with open(d.errors.name, encoding="utf-8") as f:
        text = f.read()
    # where the daemon itself listens is nobody's
    ok("127.0.0.1" not in re.sub("<5>event=ready .*", "", text),
       "no address is in the log")
    ok("event=connected conn=1\n" in text, "though connections are")


# What is refused can be followed from the connection on, at debug.
def test_refusal():
    d = Daemon("--set", "log.level=debug")
    p = Lines(d.lines)
    p.call("server.hello")
    is_(refused(p.call, "table.get", table="aaaaaaaaaaaaa"), "no_such_table",
        "refused")
    d.stop()
    with open(d.errors.name, encoding="utf-8") as f:
        text = f.read()
    ok("<7>event=connected conn=1 address=127.0.0.1\n" in text and
       "<7>event=refused address=127.0.0.1 conn=1 request=2 "
       "reason=no_such_table method=table.get\n" in text,
       "the connection, then its second request")


test_events("text", as_text)
test_events("json", as_json)
test_latencies()
test_unread()
test_terminal()
test_sizes()
test_addresses()
test_refusal()
done_testing()
