"""sobremesactl tables: listed, shown, given up, rewound, seats given to others,
while people play; what they see of it, and that every record stays true."""

import hashlib
import random

import daemon as d
import jsons
from ctl import ctl, fails, refused, says, told
from tap import done_testing, is_, ok

CHANCE = random.Random(5)


def register(server, name):
    peer = server.peer()
    peer.call("account.register", name=name, password="long enough")
    return peer


class Eyes:
    """A view that is kept up with updates alone."""

    def __init__(self, peer, table):
        self.peer, self.table = peer, table
        answer = peer.call("table.watch", table=table, check=True)
        self.view, self.ply = answer["view"], answer["ply"]
        self.events = []

    def catch_up(self, ply):
        """Takes updates until the view is that of PLY."""
        while self.ply < ply:
            note = self.peer.next_note()
            if note["method"] != "table.update":
                continue
            update = note["params"]
            assert update["from"] == self.ply, (update["from"], self.ply)
            self.view = jsons.patched(self.view, update["patch"])
            self.ply = update["ply"]
            self.events += [e["kind"] for e in update["events"]]
            assert update["view_hash"] == hashlib.sha256(
                jsons.canonical(self.view).encode()).hexdigest()
        return self.view


def watched(server, peers, table):
    """Everybody's eyes, and those of somebody who only looks on."""
    looker = server.peer()
    looker.call("account.guest")
    return [Eyes(p, table) for p in [*peers, looker]]


def shown(server, table):
    return told(server, "tables", "show", table)["table"]


def rewinding(server):
    table, peers = d.sit(server, "hacienda", 3)
    start = shown(server, table)["started"]
    d.play(table, peers, CHANCE, 12)
    middle = shown(server, table)["ply"]
    was = peers[0].call("table.at", table=table, ply=middle)["view"]
    d.play(table, peers, CHANCE, 25, undo=0.2)
    eyes = watched(server, peers, table)
    before = shown(server, table)
    answer = told(server, "tables", "rewind", table, str(middle), "--why",
                  "somebody pressed the wrong key")
    after = shown(server, table)
    is_(answer["ply"], after["ply"], "rewind: the ply it is at now")
    ok(after["draws"] >= before["draws"], "rewind: draws never go back")
    view = eyes[0].catch_up(answer["ply"])
    is_((view["game_state"], [s["score"] for s in view["seats"]]),
        (was["game_state"], [s["score"] for s in was["seats"]]),
        "rewind: the state is that of the ply")
    ok(view["decision"] in (None, answer["ply"]),
       "rewind: the question is put anew")
    for one in eyes[1:]:
        one.catch_up(answer["ply"])
    ok(all("rewound" in one.events for one in eyes),
       "rewind: all who watch are told, by updates that fit")
    plies = peers[1].call("table.replay", table=table)["plies"]
    ok(all(p.get("undone") for p in plies
           if middle < p["ply"] < answer["ply"] and p["kind"] == "move"),
       "rewind: what was played since is marked as undone")
    is_([p["to"] for p in plies if p["kind"] == "rewind"], [middle],
        "rewind: the replay tells")
    moves = [p for p in plies if p["ply"] > middle and p["kind"] == "move"
             and p.get("undone") and p["seat"] != "nature"]
    mover = peers[moves[0]["seat"]]
    again = mover.call("table.move", table=table,
                       decision=moves[0]["decision"], move=moves[0]["move"])
    ok(again.get("duplicate") and again.get("undone"),
       "rewind: an old move that comes again is known and not played")
    d.play(table, peers, CHANCE, 10)
    # Draws before and after are other streams: the first deals again.
    told(server, "tables", "rewind", table, str(start))
    deals = [p for p in peers[0].call("table.replay", table=table,
                                      **{"from": start})["plies"]
             if p.get("seat") == "nature"]
    first = [p["move"] for p in deals if p.get("undone")][:15]
    last = [p["move"] for p in deals if not p.get("undone")][:15]
    ok(last and first != last, "rewind to the start: other cards are dealt")
    ply = shown(server, table)["ply"]
    fails(ctl(server, "tables", "rewind", table, str(ply)), 1,
          "nothing_to_rewind", "rewind: to where it is")
    fails(ctl(server, "tables", "rewind", table, str(ply + 1)), 1,
          "no_such_ply", "rewind: to what is still to come")
    fails(ctl(server, "tables", "rewind", table, str(start - 1)), 1,
          "before_start", "rewind: to before the start")
    fails(ctl(server, "tables", "rewind", "nobody", "3"), 1, "no_such_table",
          "rewind: no such table")
    fails(ctl(server, "tables", "rewind", table, "x"), 64, "a number",
          "rewind: no number")
    fails(ctl(server, "tables", "rewind", table), 64, "which PLY",
          "rewind: no ply")
    d.play(table, peers, CHANCE, 15, undo=0.3)
    # Somebody gives up, and that is taken back, too.
    ply = shown(server, table)["ply"]
    peers[2].call("table.resign", table=table)
    is_(shown(server, table)["resigned"], [2], "show: who has resigned")
    told(server, "tables", "rewind", table, str(ply))
    is_(shown(server, table)["resigned"], [],
        "rewind: takes a resignation back")
    is_(refused(peers[2], "not_your_turn", "table.resign", table=table), None,
        "and it can be given again")
    return table, peers


def timing(server):
    """Time that the operator gives, and pauses."""
    says(ctl(server, "tables", "late"), "Nobody's time runs.",
         "late: nobody is")
    table, peers = d.sit(server, "tictactoe", 2, pace={"free": 3600})
    later, others = d.sit(server, "tictactoe", 2, pace={"free": 7200})
    plain, more = d.sit(server, "tictactoe", 2)
    got = told(server, "tables", "late")
    is_(([t["table"] for t in got["tables"]], got["count"]),
        ([table, later], 2), "late: the next ones first")
    due = got["tables"][0]["due"]
    lines = ctl(server, "tables", "late", "--limit", "1")[1]
    ok(table in lines and later not in lines and "And 1 more." in lines,
       "late: for people")

    says(ctl(server, "tables", "extend", table, "0", "2h", "--why", "ill"),
         f"Table {table} has more time", "extend: for people")
    got = told(server, "tables", "late")["tables"]
    is_([t["table"] for t in got], [later, table], "extend: that is later")
    is_(got[1]["due"] - due, 7200000, "extend: by so much")
    says(ctl(server, "tables", "pause", table, "1d"),
         f"Table {table} is paused", "pause: for people")
    ok(told(server, "tables", "late")["tables"][1]["due"] > due + 86400000,
       "pause: no clock runs")
    fails(ctl(server, "tables", "pause", table, "31d"), 1, "invalid_params",
          "pause: not for ever")
    says(ctl(server, "tables", "resume", table), f"Table {table} goes on",
         "resume: for people")
    ok(told(server, "tables", "late")["tables"][1]["due"] >= due + 7200000,
       "resume: nobody has lost time")
    fails(ctl(server, "tables", "resume", table), 1, "invalid_params",
          "resume: what is not paused")
    fails(ctl(server, "tables", "extend", table, "2", "1h"), 1,
          "no_such_seat", "extend: no such seat")
    fails(ctl(server, "tables", "extend", plain, "0", "1h"), 1, "no_pace",
          "extend: where there is no pace")
    says(ctl(server, "audit", "--table", table), "why=ill",
         "extend: it is noted")
    return peers + others + more


def replacing(server):
    table, peers = d.sit(server, "hadara", 3, spectators=False)
    d.play(table, peers, CHANCE, 15)
    new = register(server, "Newcomer")
    eyes = [Eyes(p, table) for p in peers]
    is_(refused(new, "spectators_not_allowed", "table.watch",
                table=table)["reason"], "spectators_not_allowed",
        "replace: before it the newcomer may not look")
    for peer in (new, peers[1]):
        peer.call("me.watch")
    ply = told(server, "tables", "replace", table, "1", "newcomer")["ply"]
    view = Eyes(new, table).view
    is_((view["you"], view["seats"][1]["name"]), (1, "Newcomer"),
        "replace: has the seat and its view")
    for seat in (0, 2):
        is_(eyes[seat].catch_up(ply)["seats"][1]["name"], "Newcomer",
            f"replace: seat {seat} is told, by a ply")
    left = eyes[1].catch_up(ply)
    ok(left["you"] is None and left["decision"] is None,
       "replace: who had it is told that they have no seat")
    is_(refused(peers[1], "spectators_not_allowed", "table.watch",
                table=table)["reason"], "spectators_not_allowed",
        "replace: and may not look on where nobody may")
    is_(refused(peers[1], "not_seated", "table.legal", table=table)["reason"],
        "not_seated", "replace: nor move")
    kinds = []
    while "unseated" not in kinds:
        note = peers[1].next_note()
        kinds += [note["params"].get("kind")]
    note = {}
    while note.get("kind") != "seated":
        note = new.next_note()["params"]
    is_(note["table"], table, "replace: the newcomer hears of it")
    peers[1] = new
    d.play(table, peers, CHANCE, 20)
    fails(ctl(server, "tables", "replace", table, "0", "newcomer"), 1,
          "already_seated", "replace: by somebody who sits there")
    fails(ctl(server, "tables", "replace", table, "0", "nobody"), 1,
          "no_such_user", "replace: no such user")
    fails(ctl(server, "tables", "replace", table, "3", "newcomer"), 1,
          "no_such_seat", "replace: no such seat")
    fails(ctl(server, "tables", "replace", table, "99", "newcomer"), 1,
          "invalid_params", "replace: no seat at all")
    register(server, "Noisy")
    told(server, "users", "ban", "noisy")
    fails(ctl(server, "tables", "replace", table, "0", "noisy"), 1, "banned",
          "replace: by somebody who is barred")
    # A seat that was given up plays again.
    peers[2].call("table.resign", table=table)
    other = register(server, "Other")
    ply = told(server, "tables", "replace", table, "2", "other")["ply"]
    is_(shown(server, table)["resigned"], [],
        "replace: a seat that was given up plays again")
    peers[2] = other
    d.play(table, peers, CHANCE, 12)
    told(server, "tables", "rewind", table, str(ply))
    is_([s["name"] for s in shown(server, table)["seats"]][1:],
        ["Newcomer", "Other"], "rewind: the players stay")
    ok(d.play(table, peers, CHANCE), "replace: the game is played to its end")
    fails(ctl(server, "tables", "replace", table, "0", "noisy"), 1,
          "game_over", "replace: when it is over")
    fails(ctl(server, "tables", "rewind", table, str(ply)), 1, "game_over",
          "rewind: a finished table's log is closed")
    fails(ctl(server, "tables", "abandon", table), 1, "game_over",
          "abandon: when it is over")
    record = peers[1].call("table.record", table=table)["lines"]
    is_(len(record) > 0, True, "replace: its record is published")
    return table, peers


def secrets(server):
    """Who lost their seat where people may look on sees what they see."""
    for game in ("hacienda", "hadara", "greement"):
        table, peers = d.sit(server, game, 2)
        d.play(table, peers, CHANCE, 10)
        old, _, looker = watched(server, peers, table)
        new = server.peer()
        name = new.call("account.guest")["user"]["name"]
        mine = old.view
        ply = told(server, "tables", "replace", table, "0", name)["ply"]
        ok(old.catch_up(ply) == looker.catch_up(ply) != mine,
           f"replace: {game}: the old player sees what a watcher sees")
        seen = Eyes(new, table).view
        is_(seen["game_state"], mine["game_state"],
            f"replace: {game}: the new one what the seat sees")
        for peer in (*peers, new, looker.peer):
            peer.close()


def abandoning(server):
    table, peers = d.sit(server, "hacienda", 2)
    d.play(table, peers, CHANCE, 10)
    eyes = watched(server, peers, table)
    ply = told(server, "tables", "abandon", table, "--why", "nobody came"
               )["ply"]
    views = [one.catch_up(ply) for one in eyes]
    is_([(v["state"], v["result"], v["decision"], v["undo"]) for v in views],
        [("abandoned", {"reason": "abandoned", "places": []}, None, None)] * 3,
        "abandon: all who watch see it, with its reason")
    is_(refused(peers[0], "game_over", "table.move", table=table,
                decision=ply, move={"verb": "end_turn"})["reason"],
        "game_over", "abandon: nobody moves there")
    open_table = peers[0].call("table.create", game="hacienda",
                               seats=2)["table"]
    fails(ctl(server, "tables", "rewind", open_table, "1"), 1, "not_started",
          "rewind: before the game")
    fails(ctl(server, "tables", "replace", open_table, "0", "newcomer"), 1,
          "not_started", "replace: before the game")
    says(ctl(server, "tables", "abandon", open_table), "is abandoned",
         "abandon: an open table")
    fails(ctl(server, "tables", "abandon", "nobody"), 1, "no_such_table",
          "abandon: no such table")
    return table, peers


with d.Daemon() as server:
    says(ctl(server, "tables", "list"), "There are no such tables.",
         "list: there are none")
    played, people = rewinding(server)
    clocked = timing(server)
    replaced, others = replacing(server)
    secrets(server)
    dropped, more = abandoning(server)
    private, four = d.sit(server, "hacienda", 4, private=True,
                          password="sesame")

    tables = told(server, "tables", "list")["tables"]
    is_([t["table"] for t in tables][0], private,
        "list: private tables, too, the newest first")
    is_({t["state"] for t in told(server, "tables", "list", "--state",
                                  "abandoned")["tables"]}, {"abandoned"},
        "list: of a state")
    is_({t["game"] for t in told(server, "tables", "list", "--game",
                                 "hadara")["tables"]}, {"hadara"},
        "list: of a game")
    is_(len(told(server, "tables", "list", "--limit", "2")["tables"]), 2,
        "list: so many")
    for _ in range(230):
        four[0].call("table.leave", table=four[0].call(
            "table.create", game="tictactoe", seats=2)["table"])
    everything = told(server, "tables", "list", "--limit", "0")
    is_((len({t["table"] for t in everything["tables"]}),
         everything.get("next")), (230 + len(tables), None),
        "list: all, page by page")
    status, out, err = ctl(server, "tables", "list")
    ok(status == 0 and len(out.splitlines()) == 101 and "--limit 0" in err,
       "list: a hundred, and that there are more")
    fails(ctl(server, "tables", "list", "--state", "lost"), 1,
          "invalid_params", "list: no such state")
    fails(ctl(server, "tables", "list", "--game", "chess"), 1,
          "no_such_game", "list: no such game")
    fails(ctl(server, "tables", "list", "x"), 64, "what is",
          "list: too many arguments")
    says(ctl(server, "tables", "show", replaced), "Newcomer",
         "show: who sits there")
    says(ctl(server, "tables", "show", played, "--plies", "400"),
         "(taken back)", "show: what was taken back")
    ok("hex=" not in ctl(server, "tables", "show", played)[1] and
       all(set(p) <= {"ply", "kind", "seat", "verb", "at", "undone"}
           for p in shown(server, played)["plies"]),
       "show: nothing of a move but its verb")
    fails(ctl(server, "tables", "show", "nobody"), 1, "no_such_table",
          "show: no such table")
    fails(ctl(server, "tables", "dance"), 64, "no command 'tables dance'",
          "no such command")
    fails(ctl(server, "tables"), 64, "do what", "no command at all")
    ok("tables rewind" in ctl(server, "tables", "--help")[1],
       "a group's --help lists the commands")

    changes = told(server, "audit", "--table", replaced)["changes"]
    is_([c["method"] for c in changes][-1], "admin.replace",
        "audit: of one table")
    ok(all(c["table"] == replaced and c["uid"] == 0 or c["uid"] > 0
           for c in changes), "audit: who did it")
    is_(told(server, "audit", "--table", dropped)["changes"][0]["params"],
        {"why": "nobody came"}, "audit: with its reason")
    refusals = len(told(server, "audit", "--limit", "0")["changes"])
    ctl(server, "tables", "rewind", replaced, "5")
    is_(len(told(server, "audit", "--limit", "0")["changes"]), refusals,
        "audit: what was refused is no change")
    is_(ctl(server, "verify", played, replaced, dropped, private)[:2],
        (0, "ok: 4 tables\n"), "records with all of that are true")
    for number, table in enumerate((played, replaced, dropped)):
        record = ctl(server, "tables", "export", table)[1]
        lines = record.splitlines()
        kinds = [line for line in lines if '"kind":"re' in line]
        bad = record.replace('"kind":"rewind"', '"kind":"restored"', 1)
        if number == 0:
            fails(ctl(server, "tables", "import", "-", text=bad), 1,
                  "bad_record", "a rewind that is none is found out")
        if number == 1:
            ok(any('"replaced"' in k for k in kinds), "a record of it")
            says(ctl(server, "tables", "import", "-", text=record), "",
                 "and it can be imported")
    for peer in people + others + more + four + clocked:
        peer.close()
    # All of it is there after a start.
    server.stop()
    server.start()
    is_(ctl(server, "verify", "--all")[0], 0, "verify --all after a start")
    is_([s["name"] for s in shown(server, replaced)["seats"]][1:],
        ["Newcomer", "Other"], "after a start: the seats")
done_testing()
