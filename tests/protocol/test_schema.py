"""The published documents: protocol/schema.json, openrpc.json and the reference
in README.md are what the table of methods says; and every message that crosses
the wire, in either direction, is as they say.

With GOLDEN=write (`make protocol-docs`) they are written first."""

import hashlib
import json
import os
import random
import re
import subprocess

import daemon as d
import jsons
from jsonschema import Draft7Validator, RefResolver
from tap import diag, done_testing, is_, ok
from totp import totp

CHANCE = random.Random(6902)
PRINT = os.path.join(d.BIN, "..", "test", "protocol", "print")
MARKS = ("<!-- generated: make protocol-docs -->\n",
         "<!-- end of what is generated -->\n")
README = "protocol/README.md"
HOURS = {"opens": 540, "closes": 60, "days": [1, 2, 3, 4, 5],
         "zone": "Europe/Paris"}
MOVES = 15 if os.environ.get("ASAN") else 60


def printed(what):
    """What the table of methods makes of it."""
    return subprocess.run([PRINT, what], capture_output=True, check=True,
                          text=True).stdout


def kept(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def current(path, wanted):
    """The file is as it would be written now."""
    if os.environ.get("GOLDEN") == "write":
        with open(path, "w", encoding="utf-8") as file:
            file.write(wanted)
    ok(kept(path) == wanted, f"{path} is current (make protocol-docs)")


# ---- the documents -----------------------------------------------------------

current("protocol/schema.json", printed("schema"))
current("protocol/openrpc.json", printed("openrpc"))
before, _, rest = kept(README).partition(MARKS[0])
_, mark, after = rest.partition(MARKS[1])
ok(mark == MARKS[1], "README.md has a place for the reference")
current(README, before + MARKS[0] + "\n" + printed("reference") + "\n"
        + MARKS[1] + after)

schema = json.loads(kept("protocol/schema.json"))
openrpc = json.loads(kept("protocol/openrpc.json"))
definitions = schema["definitions"]
resolver = RefResolver.from_schema(schema)


def validator(part):
    """Of a part of the schema."""
    return Draft7Validator(part, resolver=resolver)


def references(value):
    """All $refs within."""
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"]
        for member in value.values():
            yield from references(member)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


Draft7Validator.check_schema(schema)
for name, part in definitions.items():
    Draft7Validator.check_schema(part)
ok(True, "schema.json is a JSON Schema, draft-07, and so is each part")
is_([ref for ref in references(schema)
     if ref.removeprefix("#/definitions/") not in definitions], [],
    "all references lead somewhere")
components = openrpc["components"]["schemas"]
is_([ref for ref in references(openrpc)
     if ref.removeprefix("#/components/schemas/") not in components], [],
    "in openrpc.json, too")
is_((openrpc["openrpc"], sorted(openrpc)),
    ("1.2.6", ["components", "info", "methods", "openrpc"]),
    "openrpc.json is an OpenRPC document")
for method in openrpc["methods"]:
    for descriptor in method["params"] + [method["result"]]:
        Draft7Validator.check_schema(descriptor["schema"])
    assert set(method) <= {"name", "description", "params", "result",
                           "errors", "paramStructure"}, method
    assert all(set(e) == {"code", "message", "data"}
               for e in method["errors"])
names = [method["name"] for method in openrpc["methods"]]
is_(len(names), len(set(names)), "every method once")

# ---- every message -----------------------------------------------------------

requests = {part["properties"]["method"]["const"]: validator(part)
            for part in definitions["request"]["anyOf"]}
notices = {part["properties"]["method"]["const"]: validator(part)
           for part in definitions["notification"]["anyOf"]}
response = validator(definitions["response"])
refusal = validator(definitions["refusal"])
results = {name.removesuffix(".result"): validator(part)
           for name, part in definitions.items() if name.endswith(".result")}
games = {}  # validators of game_state
used, reasons, faults = set(), set(), []
counts = {"out": 0, "in": 0}


def conform(check, message, what):
    for error in check.iter_errors(message):
        faults.append(f"{what}: {list(error.absolute_path)}: "
                      f"{error.message[:300]}")


def conform_view(view):
    if view["game_state"] is not None and view["game"] in games:
        conform(games[view["game"]], view["game_state"], "game_state")


def seen(direction, message, method):
    """Each message, on its way."""
    counts[direction] += 1
    if direction == "out":
        used.add(method)
        conform(requests[method], message, f"request {method}")
    elif "method" in message:
        conform(notices[message["method"]], message, message["method"])
    elif "error" in message:
        reasons.add(message["error"]["data"]["reason"])
        conform(refusal, message, f"error of {method}")
    else:
        conform(response, message, f"answer to {method}")
        conform(results[method], message["result"], f"result of {method}")
        if "view" in message["result"]:
            conform_view(message["result"]["view"])


def flush(what):
    if not ok(not faults, what):
        diag("\n".join(faults[:10]))
    faults.clear()


class Mirror:
    """A watcher's view, kept by patches alone."""

    def __init__(self, peer, table):
        self.peer, self.table = peer, table
        self.updates = 0
        watched = peer.call("table.watch", table=table, check=True)
        self.view, self.chain = watched["view"], watched["chain"]

    def take(self, update):
        assert update["from"] == self.view["ply"], "an update is missing"
        self.view = jsons.patched(self.view, update["patch"])
        assert self.view["ply"] == update["ply"]
        self.chain = update["chain"]
        self.updates += 1
        digest = hashlib.sha256(jsons.canonical(self.view).encode())
        if digest.hexdigest() != update["view_hash"]:
            faults.append(f"view_hash at ply {update['ply']}")
        conform_view(self.view)

    def compare(self):
        """With a fresh view."""
        fresh = self.peer.call("table.watch", table=self.table, check=True)
        for message in self.peer.notes:
            if message["method"] == "table.update":
                self.take(message["params"])
        self.peer.notes = [m for m in self.peer.notes
                          if m["method"] != "table.update"]
        if jsons.canonical(self.view) != jsons.canonical(fresh["view"]):
            faults.append(f"patched view at ply {fresh['ply']}: "
                          f"{jsons.canonical(self.view)[:600]} is not "
                          f"{jsons.canonical(fresh['view'])[:600]}")
            self.view = fresh["view"]
        if self.chain != fresh["chain"]:
            faults.append(f"chain at ply {fresh['ply']}")


def mirrored(daemon, game, seats, **more):
    """A short game that everybody watches."""
    table, peers = d.sit(daemon, game, seats, seen, **more)
    watcher = daemon.peer(seen)
    mirrors = [Mirror(peer, table) for peer in peers + [watcher]]

    def compare(_seat):
        for mirror in mirrors:
            mirror.compare()

    if not d.play(table, peers, CHANCE, MOVES, undo=0.25, after=compare):
        peers[0].call("table.resign", table=table)
        if seats > 2:
            d.play(table, peers, CHANCE, 10, after=compare)
            peers[1].call("table.resign", table=table)
        compare(None)
    for viewer in ["watcher", "all", 0]:
        ply = peers[0].call("table.replay", table=table,
                            **{"as": viewer})["plies"][-1]["ply"]
        peers[0].call("table.at", table=table, ply=ply // 2,
                      **{"as": viewer})
    flush(f"{game}, {seats} seats: every message, view, patch and hash")
    ok(all(m.updates > 0 for m in mirrors), f"{game}, {seats}: was watched")
    for peer in peers + [watcher]:
        peer.close()


def refused(peer, reason, method, **params):
    try:
        peer.call(method, **params)
        faults.append(f"{method} was not refused: {reason}")
    except d.Refused as why:
        if why.reason != reason:
            faults.append(f"{method}: {why.reason}, not {reason}")


def told(daemon, ana):
    """How somebody is told things."""
    ana.call("notices.set", wait=120, at_once=False, digest="weekly",
             language="fr")
    made = ana.call("notices.channels.add", way="webhook",
                    target="https://127.0.0.1/hook", label="mine")
    channel = made["channel"]
    ana.call("notices.channels.add", way="push", p256dh="BAAA", auth="AAAA",
             target="https://push.example.org/1")
    ana.call("notices.get")
    ana.call("notices.channels.set", channel=channel, kinds=["turn", "chat"])
    ana.call("notices.channels.test", channel=channel)
    ana.call("notices.channels.remove", channel=channel)
    refused(ana, "no_such_channel", "notices.channels.set", channel=channel)
    ana.call("notices.history", limit=5)
    table = ana.call("table.create", game="tictactoe", seats=2)["table"]
    ana.call("notices.mute", table=table, muted=True)
    ana.call("table.seen", table=table)
    ana.call("table.leave", table=table)
    admin = daemon.operator(seen)
    admin.call("admin.notices")
    refused(admin, "no_such_message", "admin.notices.bounce",
            message="aaaaaaaaaaaab", said="550 no such user")
    refused(admin, "no_such_user", "admin.notices.test", user="Nobody")
    refused(ana, "no_such_link", "notices.unsubscribe", code="a" * 45)
    admin.close()


def people(daemon):
    """Accounts, sessions, tokens."""
    ana = daemon.peer(seen)
    hello = ana.call("server.hello")
    ana.call("server.outages")
    for game in hello["games"]:
        ana.call("rules.info", game=game["name"])
        for detail in ["summary", "detailed"]:
            try:
                ana.call("rules.text", game=game["name"], detail=detail)
            except d.Refused as why:
                assert why.reason == "no_such_text"
    refused(ana, "no_such_game", "rules.info", game="chess")
    refused(ana, "not_authenticated", "me.tables")
    refused(ana, "forbidden", "admin.status")
    ana.call("account.register", name="Ana", password="long enough",
             email="ana@example.org")
    refused(ana, "already_logged_in", "account.guest")
    refused(daemon.peer(seen), "not_proxied", "session.proxy")
    ana.call("account.get")
    ana.call("account.get", name="ana")
    refused(ana, "no_such_user", "account.get", name="nobody")
    ana.call("results.list")
    ana.call("results.statistics", game="tictactoe")
    ana.call("ratings.get")
    ana.call("ratings.list", game="tictactoe", seats="two")
    ana.call("account.hours.get")
    for part in [None, "seats", "devices", "second_factor", "links",
                 "absences", "away", "studies", "ratings", "notices", "sent"]:
        ana.call("account.export", **({"part": part} if part else {}))
    refused(ana, "bad_credentials", "account.delete", password="not this one")
    ana.call("account.hours.set", hours=HOURS)
    refused(ana, "hours_too_soon", "account.hours.set", hours=None)
    refused(ana, "no_such_zone", "account.hours.set",
            hours=dict(HOURS, zone="../../etc/passwd"))
    now, day = hello["now"], 24 * 3600 * 1000
    ana.call("account.absence.add", until=now + day)
    ana.call("account.absence.add", until=now + 12 * day,
             **{"from": now + 10 * day})
    refused(ana, "absent_then", "account.absence.add", until=now + 11 * day)
    refused(ana, "no_absence_left", "account.absence.add",
            until=now + 300 * day, **{"from": now + 20 * day})
    ana.call("account.absence.auto", auto=True)
    ana.call("account.absence.get")
    ana.call("account.absence.end")
    refused(ana, "no_such_absence", "account.absence.end")
    told(daemon, ana)
    token = ana.call("account.tokens.create", label="a bot",
                     scopes=["read", "play"])
    ana.call("account.tokens.list")
    bot = daemon.peer(seen)
    bot.call("session.resume", token=token["token"])
    refused(bot, "out_of_scope", "account.tokens.list")
    ana.call("account.tokens.revoke", id=token["id"])
    ana.call("account.password", old="long enough", new="longer still")
    ana.call("session.logout")
    refused(ana, "bad_credentials", "session.login", name="Ana",
            password="long enough")
    ana.call("session.login", name="Ana", password="longer still")
    refused(daemon.peer(seen), "token_expired", "session.resume",
            token="x" * 40)
    ben = daemon.peer(seen)
    ben.call("account.guest")
    refused(ben, "name_taken", "account.keep", name="ANA",
            password="long enough")
    ben.call("account.keep", name="Ben", password="long enough")
    ana.call("account.blocks.add", name="Ben")
    refused(ana, "no_such_user", "account.blocks.add", name="nobody")
    ana.call("account.blocks.list")
    ana.call("account.export", part="blocks")
    ana.call("account.blocks.remove", name="Ben")
    proven(daemon, ana)
    flush("accounts, sessions, tokens: every message")
    return ana, ben


def proven(daemon, ana):
    """Addresses, and second factors."""
    word = {"password": "longer still"}
    ana.call("account.email.set", email="ana@example.org", **word)
    refused(ana, "no_mail", "account.email.send")
    refused(ana, "no_mail", "account.reset.send", email="ana@example.org")
    for method in ["account.email.confirm", "account.email.never",
                   "account.link"]:
        refused(ana, "no_such_link", method, code="guessed")
    ana.call("account.get")
    ana.call("account.email.set", email=None, **word)
    key = ana.call("account.totp.begin", **word)["key"]
    refused(ana, "bad_code", "account.totp.confirm", code="nonsense")
    codes = ana.call("account.totp.confirm", code=totp(key, d.in_ms()))["recovery"]
    ana.call("account.get")
    eve = daemon.peer(seen)
    refused(eve, "code_required", "session.login", name="Ana", **word)
    refused(eve, "bad_code", "session.login", name="Ana", code="nonsense",
            **word)
    device = eve.call("session.login", name="Ana", code=codes[0],
                      **word)["device"]
    eve.call("session.logout")
    eve.call("session.login", name="Ana", code=codes[1], device=device, **word)
    codes = eve.call("account.totp.recovery", code=codes[2],
                     **word)["recovery"]
    eve.call("account.totp.remove", code=codes[0], **word)
    refused(eve, "totp_off", "account.totp.remove", code=codes[1], **word)


def tables(daemon, ana, ben):
    """The lobby, talk, what is refused in play."""
    ana.call("me.watch")
    ben.call("me.watch")
    made = ana.call("table.create", game="tictactoe", seats=2, private=True,
                    password="sesame", invite=["Ben"], key="once")
    table = made["table"]
    again = ana.call("table.create", game="tictactoe", seats=2, private=True,
                     password="sesame", invite=["Ben"], key="once")
    assert again == dict(made, duplicate=True)
    refused(ana, "already_invited", "table.invite", table=table, name="Ben")
    eva = daemon.peer(seen)
    eva.call("account.register", name="Eva", password="long enough")
    refused(eva, "no_such_table", "table.get", table=table)
    ana.call("table.invite", table=table, name="Eva")
    eva.call("table.decline", table=table)
    refused(ana, "no_invitation", "table.decline",
            table=ben.call("table.create", game="tictactoe", seats=2)["table"])
    made = ana.call("table.links.create", table=table, uses=2)
    told = eva.call("account.link", code=made["code"])
    assert told["by"] == "Ana" and told["table"]["table"] == table
    ana.call("table.links.list", table=table)
    ana.call("table.links.revoke", table=table, link=made["link"]["id"])
    refused(ana, "no_such_link", "table.links.revoke", table=table,
            link=made["link"]["id"])
    refused(eva, "no_such_table", "table.join", table=table,
            link=made["code"])
    ana.call("table.invite", table=table, name="Eva",
             until=d.in_ms(days=1))
    refused(ana, "not_started", "table.resign", table=table)
    refused(ana, "not_finished", "table.record", table=table)
    ana.call("table.nonce", table=table, nonce="ab" * 16)
    refused(ana, "nonce_given", "table.nonce", table=table, nonce="cd" * 16)
    eva.call("table.join", table=table, password="sesame", nonce="0" * 64)
    ana.call("table.get", table=table)
    refused(ana, "bad_setup", "table.create", game="tictactoe", seats=3)
    refused(ana, "invalid_params", "table.legal", table=table, verb=5) \
        if False else None
    move = {"verb": "place", "cell": "b2"}
    legal = ana.call("table.legal", table=table, verb="place")
    refused(eva, "not_your_turn", "table.move", table=table, decision=0,
            move=move)
    refused(ana, "stale_decision", "table.move", table=table, decision=0,
            move=move)
    refused(ana, "illegal_move", "table.move", table=table,
            decision=legal["decision"], move={"verb": "place", "cell": "d9"})
    ana.call("table.preview", table=table, moves=[move])
    done = ana.call("table.move", table=table, decision=legal["decision"],
                    move=move)
    assert ana.call("table.move", table=table, decision=legal["decision"],
                    move=move) == dict(done, duplicate=True)
    answer = {"after": done["ply"], "move": {"verb": "place", "cell": "c3"}}
    ana.call("table.order", table=table, order=answer)
    ana.call("table.get", table=table)
    ana.call("table.order", table=table, order=None)
    refused(eva, "your_turn", "table.order", table=table, order=answer)
    refused(ana, "no_pass", "table.order", table=table,
            order={"after": done["ply"], "pass": "round"})
    refused(ana, "stale_ply", "table.order", table=table,
            order={"after": 0, "pass": "round"})
    refused(eva, "no_such_ply", "table.undo", table=table, ply=done["ply"])
    ana.call("table.undo", table=table, ply=done["ply"])
    ana.call("table.undo", table=table, ply=done["ply"])
    ana.call("me.next")
    for peer in [ana, eva]:
        peer.call("table.watch", table=table)
        peer.call("table.chat", table=table, text="Hola ♣", key="hola")
    texts = eva.call("table.texts", table=table)
    eva.call("table.read", table=table, text=texts["texts"][-1]["text"])
    eva.call("table.note", table=table, text="she opens in the middle")
    eva.call("table.note", table=table)
    eva.call("table.study", table=table, text="from 1 watcher 0")
    eva.call("table.study", table=table)
    eva.call("table.fork", table=table, invite=["Ana"], key="fork")
    refused(eva, "before_start", "table.fork", table=table, ply=1)
    refused(ana, "already_started", "table.bot", table=table, level="greedy")
    for peer in [ana, ben, eva]:
        peer.call("me.tables")
        peer.call("table.list", mine=True)
    ana.call("table.list", state="playing", game="tictactoe", limit=1)
    ana.call("table.resign", table=table)
    again = ana.call("table.rematch", table=table)["table"]
    eva.call("table.rematch", table=table)
    eva.call("table.join", table=again)
    refused(ana, "game_over", "table.move", table=table, decision=0,
            move=move)
    refused(eva, "no_such_seat", "table.replay", table=table, **{"as": 7})
    d.record(eva, table)
    ana.call("table.unwatch", table=table)
    manual = ana.call("table.create", game="hacienda", seats=4,
                      start="manual", spectators=False,
                      options={"variant1": True},
                      board={"builtin": "symmetric"})["table"]
    refused(ana, "too_few_seated", "table.start", table=manual)
    ben.call("table.join", table=manual, seat=3)
    refused(ben, "forbidden", "table.start", table=manual)
    refused(eva, "spectators_not_allowed", "table.watch", table=manual)
    ana.call("table.start", table=manual)
    left = ana.call("table.create", game="tictactoe", seats=2)["table"]
    ana.call("table.leave", table=left)
    paced(daemon, ana, ben, eva)
    for text in ["{", "[]", "{}", '{"jsonrpc":"2.0","method":"x"}',
                 '{"jsonrpc":"2.0","id":1,"method":"x"}']:
        ana.write(text.encode() + b"\n")
        message = ana.take()
        while "method" in message:
            message = ana.take()
        conform(refusal, message, f"answer to {text}")
    flush("tables, talk, refusals: every message")


def paced(daemon, ana, ben, eva):
    """A table with a pace: what it tells of clocks."""
    refused(ana, "no_bots", "table.create", game="tictactoe", seats=2,
            pace={"free": 60}, misses={"then": "bot"})
    refused(ana, "no_bots", "table.create", game="tictactoe", seats=2,
            bots=["greedy"])
    table = ana.call("table.create", game="tictactoe", seats=2,
                     pace={"free": 86400, "bank": 3600, "add": 60,
                           "cap": 7200},
                     misses={"excused": 2, "then": "open"})["table"]
    ana.call("table.watch", table=table, check=True)
    ben.call("table.join", table=table)
    legal = ana.call("table.legal", table=table)
    ana.call("table.move", table=table, decision=legal["decision"],
             move=legal["moves"][0])
    ben.call("me.tables")
    refused(eva, "not_offered", "table.take", table=table, seat=1)
    refused(ben, "not_gone", "table.return", table=table)
    ana.call("table.give", table=table, seconds=3600)
    refused(ana, "given_enough", "table.give", table=table, seconds=7776000)
    vote = ben.call("table.propose", table=table, about="take_back")["ply"]
    refused(ana, "vote_open", "table.propose", table=table, about="cancel")
    ana.call("table.watch", table=table, check=True)
    ben.call("table.vote", table=table, vote=vote, yes=False)
    refused(ana, "no_such_vote", "table.vote", table=table, vote=vote,
            yes=True)
    refused(ana, "not_votable", "table.propose", table=table, about="resume")
    vote = ana.call("table.propose", table=table, about="pause",
                    until=d.in_ms(hours=1))["ply"]
    ben.call("table.vote", table=table, vote=vote, yes=True)
    operator = daemon.operator(seen)
    operator.call("admin.late")
    operator.call("admin.extend", table=table, seat=1, seconds=60)
    operator.call("admin.pause", table=table,
                  until=d.in_ms(hours=1))
    operator.call("admin.pause", table=table, until=None)
    eva.call("table.list", offered=True)
    ben.call("table.resign", table=table)
    d.record(ana, table)


def administrator(daemon):
    admin = daemon.operator(seen)
    admin.call("admin.status")
    finished = admin.call("admin.tables", state="finished",
                          limit=1)["tables"][0]["table"]
    lines = d.record(admin, finished, "admin.export")
    admin.call("admin.import", lines=lines[:3], first=True)
    copy = admin.call("admin.import", lines=lines[3:], last=True)["table"]
    is_(d.record(admin, copy, "admin.export"), lines,
        "what was imported is exported as it was")
    admin.call("table.get", table=copy)
    admin.call("table.watch", table=copy)
    refused(admin, "bad_record", "admin.import", lines=["{}"], first=True)
    refused(admin, "bad_record", "admin.archive", table=copy, chain="0" * 64)
    admin.call("admin.archive", table=copy,
               chain=json.loads(lines[-1])["chain"])
    refused(admin, "archived", "table.get", table=copy)
    admin.call("admin.tables", state="archived")
    admin.call("admin.archive", table=finished,
               chain=json.loads(lines[-1])["chain"])
    admin.call("admin.import", lines=lines[:3], first=True)
    is_(admin.call("admin.import", lines=lines[3:], last=True)["table"],
        finished, "what was archived comes back as it was")
    people_of(admin)
    mended(daemon, admin, finished)
    admin.call("admin.sessions", limit=2)
    refused(admin, "no_such_token", "admin.sessions.end", id="a")
    admin.call("admin.broadcast", text="Good evening")
    admin.call("admin.motd", text="Cake!")
    admin.call("admin.maintenance", text="The disk is changed.")
    admin.call("server.hello")
    admin.call("admin.maintenance.end")
    admin.call("admin.motd.end")
    path = os.path.join(daemon.data, "copy.db")
    admin.call("admin.backup", path=path)
    refused(admin, "operation_failed", "admin.backup", path=path)
    admin.call("admin.check", start=True)
    admin.call("admin.check", stop=True)
    admin.call("admin.status")
    admin.call("admin.vacuum")
    admin.call("admin.prune", dry_run=True)
    admin.call("admin.prune")
    admin.call("admin.ratings.rebuild")
    admin.call("admin.config")
    admin.call("admin.log", level="notice")
    refused(admin, "no_shutdown", "admin.shutdown", cancel=True)
    admin.call("admin.shutdown", seconds=3600, text="New chairs")
    admin.call("admin.shutdown", cancel=True)
    admin.call("admin.audit", limit=5)
    admin.call("admin.audit", table=finished)
    flush("the administrator's: every message")


def people_of(admin):
    admin.call("admin.users", limit=3)
    admin.call("admin.users.add", name="Tess", password="long enough")
    refused(admin, "name_taken", "admin.users.add", name="tess",
            password="long enough")
    admin.call("admin.users.password", user="Tess", password="longer still")
    admin.call("admin.users.ban", user="Tess", why="noise")
    refused(admin, "bad_credentials", "session.login", name="Tess",
            password="long enough")
    refused(admin, "banned", "session.login", name="Tess",
            password="longer still")
    admin.call("admin.users", banned=True)
    admin.call("admin.users.unban", user="Tess")
    refused(admin, "not_banned", "admin.users.unban", user="Tess")
    for part in [None, "seats", "made", "invited", "texts", "notes", "marks",
                 "studies", "keys", "links"]:
        more = {"part": part} if part else {}
        admin.call("admin.users.export", user="Ana", **more)
    admin.call("admin.user", user="Ana")
    admin.call("admin.users.rename", user="Tess", name="Theresa")
    admin.call("admin.users.bind", user="Theresa", proxied="tess@x.example")
    admin.call("admin.users.bind", user="Theresa")
    refused(admin, "name_taken", "admin.users.rename", user="Theresa",
            name="Ana")
    admin.call("admin.users.rename", user="Theresa", name="Tess")
    linked(admin)
    admin.call("admin.users.delete", user="Tess")
    refused(admin, "no_such_user", "admin.users.delete", user="Tess")


def linked(admin):
    """One-time links, made, used, revoked."""
    code = admin.call("admin.links.create", purpose="reset",
                      user="Tess")["code"]
    admin.call("account.link", code=code)
    refused(admin, "totp_off", "admin.users.totp.remove", user="Tess")
    refused(admin, "mail_allowed", "admin.mail.allow", email="tess@b.example")
    admin.call("account.reset", code=code, password="quite another")
    refused(admin, "link_used", "account.reset", code=code,
            password="quite another")
    refused(admin, "no_such_link", "account.reset", code="guessed",
            password="quite another")
    link = admin.call("admin.links.create", purpose="register",
                      uses=2)["link"]["id"]
    admin.call("admin.links", purpose="register")
    admin.call("admin.links.revoke", purpose="register", link=link)
    refused(admin, "no_such_link", "admin.links.revoke", purpose="register",
            link=link)


def mended(daemon, admin, finished):
    """Tables that are taken back, handed over, given up."""
    table, peers = d.sit(daemon, "tictactoe", 2, seen)
    for peer in peers:
        peer.call("table.watch", table=table, check=True)
    d.play(table, peers, random.Random(1), 2)
    started = admin.call("admin.table", table=table)["table"]["started"]
    refused(admin, "before_start", "admin.rewind", table=table,
            ply=started - 1)
    refused(admin, "game_over", "admin.rewind", table=finished, ply=started)
    admin.call("admin.rewind", table=table, ply=started)
    refused(admin, "nothing_to_rewind", "admin.rewind", table=table,
            ply=started)
    admin.call("admin.users.add", name="Uma", password="long enough")
    admin.call("admin.replace", table=table, seat=1, user="Uma")
    refused(admin, "already_seated", "admin.replace", table=table, seat=0,
            user="Uma")
    peers[0].call("table.chat", table=table, text="noise")
    admin.call("admin.texts", table=table)
    admin.call("admin.texts.remove", table=table, text=1, why="noise")
    refused(admin, "no_such_text", "admin.texts.remove", table=table, text=1)
    peers[0].call("table.texts", table=table)
    admin.call("admin.abandon", table=table, why="nobody came")
    refused(admin, "game_over", "admin.abandon", table=table)
    for peer in peers:
        while peer.take()["params"].get("events", [{}])[-1].get(
                "kind") != "abandoned":
            pass
        peer.call("table.replay", table=table)


# Browsers may be told only where the page has its own address.
with d.Daemon("--set", "server.url=https://games.example/") as server:
    first = server.peer(seen)
    is_(first.call("rpc.discover"), openrpc,
        "rpc.discover answers with openrpc.json")
    offered = first.call("server.hello")["games"]
    for offer in offered:
        state = first.call("rules.schema", game=offer["name"])
        Draft7Validator.check_schema(state)
        games[offer["name"]] = Draft7Validator(state)
    for offer in offered:
        for number in sorted({max(offer["seats_min"], 2),
                              min(offer["seats_max"], 3)}):
            mirrored(server, offer["name"], number)
    mirrored(server, "hacienda", 2, board={"builtin": "crucible"})
    tables(server, *people(server))
    administrator(server)
    # Those of bots only a process that the daemon started may use:
    # tests/daemon/test_bots.py.
    is_(sorted(set(names) - used), ["bots.next", "bots.play"],
        "every other method was used")
    ok(counts["in"] > 500, f"{counts['out']} messages out, {counts['in']} in")

# ---- the transcripts ---------------------------------------------------------

lines = [line[4:] for line in kept(README).splitlines()
         if re.match(r"^(-->|<--) ", line)]
ok(len(lines) > 30, "README.md has transcripts")
whole = validator(schema)
for line in lines:
    conform(whole, json.loads(line), line[:60])
flush("every message of the transcripts is as the schema says")
done_testing()
