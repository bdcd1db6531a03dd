"""sobremesactl users show, rename, reset-link and invites: what the operator
sees, what the people have of it, and what is written down."""

import json
import os
import random
import re
import sqlite3

import daemon as d
from ctl import closed, ctl, fails, refused, says, told
from tap import done_testing, is_, ok

CHANCE = random.Random(12)
GOOD = "long enough"


def shown(server):
    table, peers = d.sit(server, "tictactoe", 2)
    d.play(table, peers, CHANCE, 1)
    name = peers[0].call("account.get")["user"]["name"]
    person = told(server, "users", "show", name)
    is_((person["user"]["name"], person["sessions"],
         [t["table"] for t in person["tables"]]), (name, 1, [table]),
        "users show: who, sessions, tables")
    says(ctl(server, "users", "show", name), table, "users show: for people")
    told(server, "users", "ban", name, "--until", "2d", "--why", "noise")
    says(ctl(server, "users", "show", name), "barred    until 20",
         "users show: a ban")
    told(server, "users", "unban", name)
    fails(ctl(server, "users", "show", "nobody"), 1, "no_such_user",
          "users show: nobody")
    for peer in peers:
        peer.close()


def renamed(server):
    table, peers = d.sit(server, "tictactoe", 2)
    over, others = d.sit(server, "tictactoe", 2)
    d.play(over, others, CHANCE)
    told(server, "users", "add", "ana", text=GOOD)
    was = peers[0].call("account.get")["user"]["name"]
    gone = others[0].call("account.get")["user"]["name"]
    seats = peers[1].call("table.watch", table=table)["view"]["seats"]
    seat = [s["name"] for s in seats].index(was)
    says(ctl(server, "users", "rename", was, "Anna-Maria"),
         f"{was} is called Anna-Maria now.", "users rename")
    told(server, "users", "rename", gone, "Berta")
    change = told(server, "audit", "--limit", "1")["changes"][0]
    ok(gone not in str(change) and change["params"] == {},
       "rename: no names are kept in the audit")
    ply = peers[1].next_note()
    while ply["method"] != "table.update" or not any(
            p["path"] == f"/seats/{seat}/name" for p in
            ply["params"]["patch"]):
        ply = peers[1].next_note()
    is_([p["value"] for p in ply["params"]["patch"] if
         p["path"].endswith("/name")], ["Anna-Maria"],
        "rename: who watches is told")
    is_(peers[0].call("account.get")["user"]["name"], "Anna-Maria",
        "rename: the session goes on")
    watcher = server.peer()
    ok("Berta" in [s["name"] for s in watcher.call(
        "table.watch", table=over)["view"]["seats"]],
       "rename: a finished game, which is in memory, knows")
    fails(ctl(server, "users", "rename", "Anna-Maria", "ANA"), 1,
          "name_taken", "rename: another's name")
    told(server, "users", "rename", "ana", "Ana")
    fails(ctl(server, "users", "rename", "ana", "a b"), 1, "invalid_params",
          "rename: no name")
    d.play(table, peers, CHANCE)
    is_(ctl(server, "verify", table, over)[:2], (0, "ok: 2 tables\n"),
        "rename: records are true")
    for peer in (*peers, *others, watcher):
        peer.close()


def linked(server):
    peer = server.peer()
    token = peer.call("session.login", name="ana", password=GOOD)["token"]
    status, out, err = ctl(server, "users", "reset-link", "ana")
    code = re.search("#reset/([a-z2-7]{32})\n", out)[1]
    ok(status == 0 and out.startswith("https://x.example/games/#reset/") and
       f"sobremesa reset {code}\n" in out and err == "",
       "reset-link: the page's address and the terminal's command")
    made = told(server, "users", "reset-link", "ana", "--until", "30m")
    ok(made["link"]["expires"] - made["link"]["made"] < 31 * 60000 and
       made["address"] == "#reset/" + made["code"], "reset-link: --json")
    far = server.peer()
    ok(refused(far, "no_such_link", "account.reset", code=code,
               password="drowssap"), "reset-link: the one before is over")
    is_(far.call("account.reset", code=made["code"],
                 password="drowssap")["user"]["name"], "Ana",
        "reset: by the code")
    closed(peer)
    ok(refused(far, "token_expired", "session.resume", token=token),
       "reset: sessions are ended")
    far.call("session.login", name="ana", password="drowssap")
    fails(ctl(server, "users", "reset-link", "nobody"), 1, "no_such_user",
          "reset-link: for nobody")
    return made["code"]


def invited(server):
    status, out, _ = ctl(server, "invites", "create", "--uses", "2",
                         "--until", "7d")
    code = re.search("#register/([a-z2-7]{32})\n", out)[1]
    ok(status == 0 and "Good 2 times" in out, "invites create")
    for name in ("dora", "emil"):
        server.peer().call("account.register", name=name, password=GOOD,
                           invite=code)
    ok(refused(server.peer(), "link_used", "account.register", name="fritz",
               password=GOOD, invite=code), "invites: used up")
    other = told(server, "invites", "create")
    links = told(server, "invites", "list")["links"]
    is_(sorted(x["uses"] for x in links), [0, 1], "invites list")
    says(ctl(server, "invites", "list"), other["link"]["id"],
         "invites list: for people")
    ok(code not in ctl(server, "--json", "invites", "list")[1],
       "invites list: no codes")
    says(ctl(server, "invites", "revoke", other["link"]["id"]),
         "good for nothing", "invites revoke")
    ok(refused(server.peer(), "not_invited", "account.register",
               name="fritz", password=GOOD, invite=other["code"]),
       "invites revoke: it is")
    fails(ctl(server, "invites", "revoke", other["link"]["id"]), 1,
          "no_such_link", "invites revoke: once more")
    return code


def noted(server, codes):
    changes = told(server, "audit", "--limit", "0")["changes"]
    methods = {c["method"] for c in changes}
    ok({"admin.links.create", "admin.links.revoke", "admin.users.rename"} <=
       methods, "audit: all of that")
    ok("admin.user" not in methods, "audit: looking is no change")
    ok(not any(code in str(changes) for code in codes), "audit: no codes")
    with sqlite3.connect(os.path.join(server.data, "sobremesa.db")) as store:
        everything = "\n".join(store.iterdump())
    ok("links" in everything and not any(c in everything for c in codes),
       "the store has no codes")


with d.Daemon("--set", "accounts.registration=invite", "--set",
              "server.url=https://x.example/games/", "--set",
              "limits.local=off") as server:
    shown(server)
    renamed(server)
    codes = [linked(server), invited(server)]
    noted(server, codes)
    told(server, "users", "reset-link", "ana")
    is_([(x["purpose"], x["uses"]) for x in json.loads(ctl(
        server, "users", "export", "ana")[1])["links"]],
        [("reset", 1)], "export: links for somebody")
    told(server, "users", "delete", "ana")
    with sqlite3.connect(os.path.join(server.data, "sobremesa.db")) as store:
        is_(store.execute("SELECT count(*) FROM links WHERE account IS NOT "
                          "NULL").fetchall(), [(0,)],
            "delete: links for somebody go, too")
done_testing()
