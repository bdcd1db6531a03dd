"""`sobremesa verify`: records that the daemon made, of every game, are true;
and whatever is changed in one is found, at the first ply that is wrong."""

import copy
import hashlib
import json
import os
import random
import subprocess

import daemon as d
from tap import done_testing, is_, ok

CHANCE = random.Random(20)
MOVES = 60 if os.environ.get("ASAN") else 100000


def verify(lines, *options):
    """(status, stdout, stderr) of the record."""
    text = "".join(line + "\n" for line in lines)
    done = subprocess.run([os.path.join(d.BIN, "sobremesa"), "verify",
                           *options, "-"], input=text.encode(),
                          capture_output=True, check=False)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def canonical(value):
    """RFC 8785, of values without fractions."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"),
                      ensure_ascii=False)


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def chained(lines):
    """The same record with the commitment and all hashes computed anew: what
    a cheat would do who has the seed."""
    values = [json.loads(line) for line in lines]
    head = values[0]
    head["commitment"] = sha(f"sobremesa-commit {head['table']} "
                             f"{head['game']} {head['revision']} "
                             f"{head['seed']}")
    bare = {k: v for k, v in head.items() if k != "players"}
    chain = sha(canonical(bare))
    for n, value in enumerate(values[1:]):
        value.pop("chain", None)
        if "result" not in value and n > 0:
            salt = sha(f"sobremesa-salt {head['seed']} {value['ply']}")
            chain = sha(f"{chain} {salt} {canonical(value)}")
        value["chain"] = chain
    return [json.dumps(value) for value in values]


def changed(lines, at, **members):
    """The record with members of one line changed, hashed anew."""
    value = json.loads(lines[at])
    for name, member in members.items():
        if member is None:
            value.pop(name, None)
        else:
            value[name] = member
    return chained(lines[:at] + [json.dumps(value)] + lines[at + 1:])


def finds(lines, ply, why, what):
    status, out, err = verify(lines)
    place = (f"ply {ply}: " if isinstance(ply, int) else
             f"the {ply}: " if ply else "ply ")
    if not ok(status == 1 and out == "" and place in err and why in err,
              what):
        print("#", status, out, err)


def where(lines, **wanted):
    """The index of the first line with these members."""
    for at, line in enumerate(lines):
        value = json.loads(line)
        if at and all(value.get(k) == v for k, v in wanted.items()):
            return at
    raise KeyError(wanted)


# ---- what the daemon makes is true -------------------------------------------

records = {}
with d.Daemon() as daemon:
    games = daemon.peer().call("server.hello")["games"]
    for game in games:
        for seats in sorted({game["seats_min"], min(game["seats_max"], 3)}):
            name = f"{game['name']}, {seats} players"
            table, peers = d.sit(daemon, game["name"], seats)
            over = d.play(table, peers, CHANCE, MOVES, undo=0.2)
            with_admin = d.record(daemon.operator(), table, "admin.export")
            is_(verify(with_admin), (0, "ok\n", ""), f"{name}: is true")
            if over:
                records[game["name"]] = d.record(peers[0], table)
                is_(with_admin, records[game["name"]],
                    f"{name}: the administrator's is the published one")
            for peer in peers:
                peer.close()

    # Seats that stay empty, nonces, leaving, resigning of more than two.
    peers = [daemon.peer() for _ in range(3)]
    for peer in peers:
        peer.call("account.guest")
    table = peers[0].call("table.create", game="hacienda", seats=4,
                          start="manual")["table"]
    is_(verify(d.record(daemon.operator(), table, "admin.export"))[0], 0,
        "an open table's")
    peers[1].call("table.join", table=table, seat=1, nonce="0" * 32)
    peers[1].call("table.leave", table=table)
    peers[1].call("table.join", table=table, seat=2)
    peers[2].call("table.join", table=table, seat=3, nonce="Ab" * 32)
    peers[0].call("table.nonce", table=table, nonce="7" * 64)
    peers[0].call("table.start", table=table)
    d.play(table, peers, CHANCE, 20, undo=0.2)
    peers[1].call("table.resign", table=table)
    manual = d.record(daemon.operator(), table, "admin.export")
    is_(verify(manual), (0, "ok\n", ""), "a running one's")
    d.play(table, peers, CHANCE, 5)
    peers[2].call("table.resign", table=table)
    manual = d.record(peers[0], table)
    is_(verify(manual), (0, "ok\n", ""),
        "seats left empty, nonces, leaving, two who give up")
    is_(json.loads(manual[-1])["result"]["reason"], "resigned",
        "that is how it ended")
    board = "".join(open("core/games/hacienda/boards/crucible.haz",
                         encoding="utf-8"))
    table, peers = d.sit(daemon, "hacienda", 2,
                         board={"haz": board.replace("project", "Señora ♣")})
    peers[0].call("table.resign", table=table)
    is_(verify(d.record(peers[0], table)), (0, "ok\n", ""),
        "an uploaded board's")
    table, peers = d.sit(daemon, "hacienda", 2,
                         board={"generate": {"seed": 4}},
                         options={"variant1": True})
    d.play(table, peers, CHANCE, 5)
    peers[1].call("table.resign", table=table)
    is_(verify(d.record(peers[0], table)), (0, "ok\n", ""),
        "a generated board's, with options")

with d.Daemon() as daemon:
    table, peers = d.sit(daemon, "tictactoe", 2)
    d.play(table, peers, CHANCE)
    small = d.record(peers[0], table)
big = manual
is_(json.loads(chained(small)[-1]), json.loads(small[-1]),
    "hashed by somebody else it is the same")
is_(verify(small, "--quiet"), (0, "", ""), "--quiet")

# ---- every byte matters --------------------------------------------------------

for at in range(len(small)):
    for name, value in json.loads(small[at]).items():
        if name == "players":
            continue
        other = copy.deepcopy(json.loads(small[at]))
        other[name] = {"x": 1} if not isinstance(value, int) else value + 1
        lines = small[:at] + [json.dumps(other)] + small[at + 1:]
        if verify(lines)[0] != 1:
            ok(False, f"line {at + 1}: another {name} is found")
            break
    else:
        ok(True, f"line {at + 1}: every member's change is found")
for at in range(len(small)):
    ok(verify(small[:at] + small[at + 1:])[0] == 1,
       f"line {at + 1} missing is found")
    ok(verify(small[:at + 1] + small[at:])[0] == 1,
       f"line {at + 1} twice is found")

# ---- what a cheat would change, all hashes made to fit ----------------------------

at = where(big, kind="move", seat="nature")
ply = json.loads(big[at])["ply"]
# Another draw of the same kind, from somewhere else in the log.
for line in big[at:]:
    value = json.loads(line)
    if value.get("seat") == "nature" and \
            value["move"]["verb"] == json.loads(big[at])["move"]["verb"] and \
            value["move"] != json.loads(big[at])["move"]:
        finds(changed(big, at, move=value["move"]), ply, "draws",
              "another draw")
        break
finds(changed(big, 0, seed="00" * 32), None, "draws", "another seed")
nonce = where(big, kind="nonce", seat=3)
finds(changed(big, nonce, nonce="1" * 32), None, "draws", "another nonce")
finds(changed(big, nonce, nonce="x" * 32), nonce - 1, "nonce", "no nonce")
finds(changed(big, nonce, seat=1), nonce - 1, "nobody sat there",
      "a nonce of nobody")
finds(chained(big[:at] + big[at + 1:]), ply, "expected", "a ply left out")

move = where(small, kind="move", seat=0)
ply = json.loads(small[move])["ply"]
finds(changed(small, move, decision=0), ply, "another question",
      "an answer to another question")
finds(changed(small, move, decision=None), ply, "/decision", "to none")
finds(changed(small, move, seat=1), ply, "not that seat's turn",
      "out of turn")
finds(changed(small, move, seat="nature"), ply, "nothing to draw",
      "nature where there is none")
finds(changed(small, move, move={"verb": "place", "cell": "z9"}), ply,
      "/move/cell", "no such cell")
finds(changed(small, move, kind="castle"), ply, "/kind", "no such kind")
second = where(small, kind="move", seat=1)
finds(changed(small, second, move=json.loads(small[move])["move"]),
      json.loads(small[second])["ply"], "cell_taken", "an illegal move")
footer = json.loads(small[-1])
footer["result"]["places"].reverse()
if footer["result"]["places"][0] == footer["result"]["places"][1]:
    footer["result"]["places"][0] += 1
finds(small[:-1] + [json.dumps(footer)], "footer", "/result",
      "another result")
footer["result"] = None
finds(small[:-1] + [json.dumps(footer)], "footer", "/result", "no result")
finds(small[:-1], json.loads(small[-2])["ply"] + 1, "without a footer", "no footer")
finds(small + [small[-1]], "footer", "more", "more than a footer")
finds([], "header", "none", "nothing at all")
finds(changed(small, 0, game="chess"), "header", "/game", "no such game")
finds(changed(small, 0, revision=99), "header", "/revision", "a newer one")
finds(changed(small, 0, seats=3), "header", "set up", "too many seats")
finds(changed(small, 0, format="x"), "header", "/format", "no record")
finds(["{"] + small[1:], "header", "no JSON", "no JSON")
finds(["[]"] + small[1:], "header", "object", "no object")
header = json.loads(small[0])
header["players"][0]["account"] = "somebody"
finds([json.dumps(header)] + small[1:], "footer", "/players/0",
      "another account")

# An undo of nothing, an undo of somebody else's, moves after the end.
undo = {"kind": "undo", "seat": 0, "undoes": ply, "at": 1}
tail = [json.dumps(dict(undo, ply=ply))]
finds(chained(small[:move] + tail), ply, "nothing back", "an undo of nothing")
end = json.loads(small[-2])["ply"] + 1
more = [json.dumps(dict(undo, ply=end))]
finds(chained(small[:-1] + more + small[-1:]), end, "over",
      "an undo after the end")

status, out, err = verify(["x" * 10] * 3)
is_((status, out), (1, ""), "rubbish")
done = subprocess.run([os.path.join(d.BIN, "sobremesa"), "verify"],
                      capture_output=True, check=False)
is_(done.returncode, 64, "no file: wrong usage")
done = subprocess.run([os.path.join(d.BIN, "sobremesa"), "verify", "/none"],
                      capture_output=True, check=False)
is_(done.returncode, 1, "no such file")
done_testing()
