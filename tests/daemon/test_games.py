"""Whole games of every kind through the real daemon, by clients that know no
rules: each asks what it may do and does something of it.  What they were shown
on the way is what there is in the end, and it can be replayed, recorded,
verified, exported and imported."""

import json
import os
import subprocess

import sobremesa as s
from sobremesa import Daemon, Lines, Ws, http, view_hash
from tap import diag, done_testing, is_, ok

chance = s.chance("games")

d = Daemon("--lines-unix", os.path.join(s.room(), "l"))
s.Peer.judge = s.Judge(d.lines)

WAYS = [lambda: Ws(d.http), lambda: Lines(d.lines),
        lambda: Lines(d.ready["lines_unix"]), lambda: Ws(d.http),
        lambda: Lines(d.lines), lambda: Ws(d.http)]


def choose(legal):
    """One of a verb's moves, with some amount where one is to be named: of all
    verbs each is as likely, so that turns end and money is spent."""
    ways = {}
    for move in legal["moves"]:
        ways.setdefault(move["verb"], []).append((move, None))
    for way in legal["ranges"]:
        ways.setdefault(way["move"]["verb"], []).append((way["move"], way))
    move, way = chance.choice(ways[chance.choice(sorted(ways))])
    if way:
        move = {**move, way["arg"]: chance.randint(way["min"], way["max"])}
    return move


def mover(view):
    """Whose move is next: somebody waited for, now and then one who may."""
    acting = [i for i, x in enumerate(view["seats"]) if x["acting"]]
    may = [i for i, x in enumerate(view["seats"]) if x["may"]]
    return chance.choice(may if may and chance.random() < 0.2 else acting)


def play(table, peers, everybody):
    """To its end; what seat 0 was shown at some plies, and how many moves."""
    shown, moves = {}, 0
    while True:
        view = everybody[-1].watching[table].view  # the watcher's
        if view["state"] != "playing":
            return shown, moves
        seat = mover(view)
        legal = peers[seat].call("table.legal", table=table)
        if not legal["moves"] + legal["ranges"]:
            if view["seats"][seat]["acting"]:
                raise AssertionError(f"{seat} can do nothing: {view}")
            continue  # may pay, but has no money
        ply = peers[seat].call("table.move", table=table, move=choose(legal),
                               decision=legal["decision"])["ply"]
        moves += 1
        for peer in everybody:
            peer.settle(table, ply)
        first = peers[0].watching[table]
        if chance.random() < 0.05:
            shown[first.ply] = view_hash(first.view)


def run(program, *args, text=None):
    done = subprocess.run([os.path.join(s.BIN, program), *args], input=text,
                          capture_output=True, text=True, check=False,
                          timeout=s.WAIT)
    return done.returncode, done.stdout, done.stderr


def ctl(*args, text=None):
    return run("sobremesactl", "--data", d.data, *args, text=text)


def paged(peer, table):
    lines, at = [], 0
    while at is not None:
        page = peer.call("table.record", table=table, **{"from": at})
        lines += page["lines"]
        at = page.get("next")
    return lines


def replayed(peer, table, first=0, **last):
    """All plies from FIRST on, or to the LAST one, however many pages."""
    plies, at = [], first
    while at is not None:
        page = peer.call("table.replay", table=table, **{
            "as": "all", "from": at, **last})
        plies += page["plies"]
        at = page.get("next")
    return plies


def check_replay(name, table, peers, shown, moves):
    ply = peers[0].watching[table].ply
    plies = replayed(peers[0], table)
    is_([p["ply"] for p in plies], list(range(ply + 1)),
        f"{name}: the replay has every ply")
    made = [p for p in plies if p["kind"] == "move" and p["seat"] != "nature"]
    is_(len(made), moves, f"{name}: and every move")
    ok(all(p["move"] and None not in p["move"].values() for p in plies
           if p["kind"] == "move"), f"{name}: nothing is hidden of it any more")
    pieces = []
    while len(pieces) <= ply:
        pieces += replayed(peers[0], table, len(pieces), to=len(pieces) + 99)
    is_(pieces, plies, f"{name}: in pieces it is the same")
    wrong = [n for n, was in shown.items() if view_hash(
        peers[0].call("table.at", table=table, ply=n)["view"]) != was]
    is_(wrong, [], f"{name}: {len(shown)} views on the way are what they were")


def check_record(name, table, peers):
    lines = paged(peers[1], table)
    record = "".join(line + "\n" for line in lines)
    path = os.path.join(s.room(), "record")
    with open(path, "w", encoding="utf-8") as f:
        f.write(record)
    got = http(d.http, "GET", f"/api/v1/tables/{table}/record")
    is_(got.body.decode(), record, f"{name}: its record over HTTP, and in pages")
    is_(run("sobremesa", "verify", path)[:2], (0, "ok\n"),
        f"{name}: sobremesa verify")
    is_(ctl("verify", table)[:2], (0, "ok: 1 table\n"),
        f"{name}: sobremesactl verify")
    is_(ctl("export", table)[1], record, f"{name}: sobremesactl export")
    status, out, err = ctl("import", path)
    if not ok(status == 0, f"{name}: sobremesactl import"):
        diag(err)
        return
    copy = out.strip()
    other = Lines(d.lines)
    seen = other.watch(copy)
    mine = other.call("table.watch", table=table)
    is_(seen.chain, mine["chain"], f"{name}: the copy's chain is the same")
    is_({**seen.view, "table": 0, "seats": 0},
        {**mine["view"], "table": 0, "seats": 0},
        f"{name}: and so is its last view")
    is_(ctl("export", copy)[1], record, f"{name}: and its export")
    other.close()


def whole(game, seats, board=None, **options):
    name = " ".join([game, str(seats),
                     *(f"{k}={v}" for k, v in options.items())])
    peers = [WAYS[i % len(WAYS)]().guest() for i in range(seats)]
    watcher = Lines(d.lines)
    more = {"board": {"builtin": board}} if board else {}
    table = s.table_of(peers, game, options=options, **more)
    everybody = peers + [watcher]
    for peer in everybody:
        peer.watch(table)
    shown, moves = play(table, peers, everybody)
    ply = watcher.watching[table].ply
    for i, peer in enumerate(everybody):
        who = "the watcher" if peer is watcher else f"seat {i}"
        fresh = type(peer)(d.http if isinstance(peer, Ws) else d.lines)
        if peer is not watcher:
            fresh.resume(peer.token)
        told = fresh.call("table.watch", table=table)
        mine = peer.watching[table]
        is_((mine.view, mine.chain), (told["view"], told["chain"]),
            f"{name}: what {who} patched together is a fresh view")
        fresh.close()
    result = watcher.watching[table].view["result"]
    ok(1 in result["places"] and len(result["places"]) == seats,
       f"{name}: somebody won, after {moves} moves and {ply} plies")
    check_replay(name, table, peers, shown, moves)
    check_record(name, table, peers)
    for peer in everybody:
        peer.close()


GAMES = [("hacienda", 3, None, {}),
         ("hacienda", 2, "five_lagoons", {"variant1": True}),
         ("hacienda", 2, "asymmetric", {"variant2": True}),
         ("hacienda", 4, None, {"variant1": True, "variant2": True}),
         ("hacienda", 2, "crucible", {"crucible": True}),
         ("hadara", 3, None, {"advanced": False}),
         ("hadara", 2, None, {"advanced": True}),
         ("hadara", 5, None, {"advanced": True}),
         ("greement", 2, None, {"turns": 4}),
         ("greement", 3, None, {"turns": 2, "tax_distance": "full",
                                "loans": True}),
         ("greement", 6, None, {"turns": 1}),
         ("tictactoe", 2, None, {})]
if s.ASAN:
    GAMES = [g for g in GAMES if g[1] < 4]

for game, seats, board, options in GAMES:
    whole(game, seats, board, **options)
checked = json.loads(ctl("--json", "verify", "--all")[1])
is_((checked["ok"], checked["checked"]), (True, 2 * len(GAMES)),
    "all tables and their copies are verified")
is_(d.stop()[0], 0, "and the daemon ends well")
done_testing()
