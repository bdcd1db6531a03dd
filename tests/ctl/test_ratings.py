"""sobremesactl ratings rebuild: after random games it changes nothing; what was
damaged in the file is put right, and said."""

import os
import random
import sqlite3

import daemon as d
from ctl import ctl, says, told
from tap import done_testing, is_, ok

CHANCE = random.Random(17)
PACE = {"rated": True, "pace": {"free": 86400}, "start": "full"}
TABLES = {
    "ratings": "SELECT * FROM ratings ORDER BY account, game, many",
    "pairs": "SELECT * FROM pairs ORDER BY low, high, game, many",
    "players": "SELECT number, account, place, points, mean, variance "
               "FROM players ORDER BY number, account",
    "rated": "SELECT number FROM rated ORDER BY turn",
}


def game(people, seats, name, plies=None):
    """A rated one, played at random or given up."""
    peers = CHANCE.sample(people, seats)
    table = peers[0].call("table.create", game=name, seats=seats,
                          **PACE)["table"]
    for peer in peers[1:]:
        peer.call("table.join", table=table)
    d.play(table, peers, CHANCE, plies)
    if plies is not None:
        for peer in peers[1:]:
            peer.call("table.resign", table=table)


def stored(data):
    store = sqlite3.connect(os.path.join(data, "sobremesa.db"))
    rows = {name: store.execute(text).fetchall()
            for name, text in TABLES.items()}
    store.close()
    return rows


def damage(data):
    """A rating, one that is gone, a pair, a place, and what came of a game."""
    store = sqlite3.connect(os.path.join(data, "sobremesa.db"))
    for text in (
            "UPDATE ratings SET mean = mean + 77000, games = 99 WHERE account "
            "= (SELECT min(account) FROM ratings) AND many = 0",
            "DELETE FROM ratings WHERE account = "
            "(SELECT max(account) FROM ratings)",
            "UPDATE pairs SET met = met / 2",
            "UPDATE players SET place = 2 WHERE number = 1",
            "UPDATE players SET mean = 1 WHERE number = 3"):
        store.execute(text)
    store.commit()
    store.close()


with d.Daemon("--set", "limits.local=off") as server:
    people = []
    for name in ("ana", "ben", "cleo", "dora"):
        people.append(server.peer())
        people[-1].call("account.register", name=name, password="long enough")
    for at in range(12):
        game(people, 2, "tictactoe", None if at % 3 else 2)
    for at in range(3):
        game(people, 3, "hacienda", 4)
    says(ctl(server, "ratings", "rebuild"),
         "15 games; ratings that are others now: 0",
         "rebuild: nothing is another")
    people.pop().call("account.delete", password="long enough")
    game(people, 2, "tictactoe", 2)
    is_(told(server, "ratings", "rebuild")["changed"], 0,
        "rebuild: somebody is gone")
    server.stop()
    before = stored(server.data)
    damage(server.data)
    ok(stored(server.data) != before, "the file is damaged")
    server.start()
    result = told(server, "ratings", "rebuild")
    ok(result["changed"] >= 2 and result["misplaced"] >= 1 and
       any(change["before"] is None for change in result["changes"]),
       "rebuild: what was wrong is told")
    server.stop()
    is_(stored(server.data), before, "and all is as it was, bit for bit")
    server.start()
    changes = told(server, "audit", "--limit", "0")["changes"]
    is_([c["method"] for c in changes], ["admin.ratings.rebuild"] * 3,
        "audit: each time")
done_testing()
