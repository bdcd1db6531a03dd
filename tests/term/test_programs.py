"""The terminal client as programs use it: lists as JSON, whole games of every kind
through lines of JSON, records, and an exit status for each kind of failure."""

import contextlib
import json
import os
import random
import tempfile

import daemon as d
from person import Person
from tap import done_testing, is_, ok

CHANCE = random.Random(11)
# What of a game is played in lines tests/core and tests/term/test_words.c play under
# the sanitizers, too: here the two that take least are enough there.
GAMES = (("hadara", "tictactoe") if "ASAN" in os.environ else
         ("hacienda", "hadara", "greement", "tictactoe"))
ROOM = tempfile.TemporaryDirectory()


def told(person, *arguments):
    return json.loads(person.did(*arguments))


def hear(lines, *types):
    """The next object of one of TYPES."""
    while True:
        said = json.loads(lines.hear(r"^\{.*\}\n").group())
        if said["type"] in types:
            return said


def choose(legal):
    """One of the moves; a free amount is filled in.  None if somebody else has
    moved meanwhile and there is none any more."""
    ways = legal["moves"] + legal["ranges"]
    way = CHANCE.choice(ways) if ways else None
    if way is None or "move" not in way:
        return way
    return {**way["move"], way["argument"]:
            CHANCE.randint(way["min"], way["max"])}


# ---- lists ---------------------------------------------------------------------------


def lists(ana, ben, server):
    who = told(ana, "whoami", "--json")
    is_((who["name"], who["guest"], who["server"]), ("ana", False, server),
        "whoami --json")
    is_(told(ana, "lobby", "--json"),
        {"yours": [], "open": [], "playing": [], "offered": []},
        "lobby --json: empty lists")
    is_(ana.did("tables"), "", "tables: none is no line")
    is_(told(ana, "tables", "--json"), [], "tables --json: and no object")
    mine = ana.did("create", "tictactoe", "-q").strip()
    other = ben.did("create", "hacienda", "-q").strip()
    lobby = told(ana, "lobby", "--json")
    is_([[t["table"] for t in lobby[k]] for k in ("yours", "open")],
        [[mine], [other, mine]], "lobby --json: whose is whose")
    is_([t["table"] for t in told(ana, "lobby", "--json", "--game",
                                  "hacienda")["open"]], [other],
        "lobby --json: of one game")
    is_(ana.did("tables").split()[:3], [mine, "tictactoe", "open"],
        "tables: a line")
    is_(ana.did("tables", "--game", "hacienda"), "", "tables: of one game")
    is_(ana.did("tables", "--finished"), "", "tables: none is over")
    is_(ana.run("tables", "--game", "chess")[0], 1, "tables: no such game")
    return mine


# ---- a table -------------------------------------------------------------------------


def at_the_table(ana, ben, table):
    """What is said, and that whatever is typed is answered."""
    ben.did("join", table)
    one = ana.lines("play", table, "--json")
    two = ben.lines("play", table, "--json")
    three = Person(ROOM.name, "eva", ben.server).lines("watch", table, "--json")
    said = hear(one, "table")
    is_((said["table"], said["game"], said["seats"], said["you"]),
        (table, "tictactoe", ["ana", "ben"], 0), "the table")
    is_(hear(three, "table")["you"], None, "of one who looks on")
    said = hear(one, "position")
    is_((said["state"], said["acting"], said["your_turn"]),
        ("playing", [0], True), "the position")
    is_(said["view"]["viewer"], 0, "as one sees it")
    one.type("legal")
    legal = hear(one, "legal")
    is_((len(legal["moves"]), legal["ranges"]), (9, []), "legal moves")
    for typed, words in (('{"verb": "plase"}', "verb"), ("{", "JSON"),
                         ("plase a1", "did you mean place"),
                         ('{"verb": "place", "cell": "z9"}', "cell")):
        one.type(typed)
        said = hear(one, "said")
        ok(said["refused"] and words in said["text"], f"refused: {typed}")
    one.type('{"verb": "place", "cell": "b2"}')
    for lines in (one, two, three):
        said = hear(lines, "event")
        while said["event"]["kind"] != "placed":
            said = hear(lines, "event")
        is_((said["event"], said["text"]),
            ({"kind": "placed", "seat": 0, "cell": "b2"}, "ana takes b2."),
            "an event, and its sentence")
    one.type("undo")
    while hear(two, "event")["event"]["kind"] != "undone":
        pass
    one.type("place a1")
    two.type("say hello", "place a2")
    said = hear(one, "text")
    is_((said["from"], said["body"]), ("ben", "hello"), "talk")
    one.type("resign")
    for lines in (one, two, three):
        said = hear(lines, "result")
        is_((said["state"], said["places"]), ("finished", [2, 1]),
            "the result")
        is_(lines.end()[0], 0, "and status 0")
    is_([t["table"] for t in told(ana, "tables", "--json", "--finished")],
        [table], "tables --finished")


def whole_game(ana, ben, game):
    """Against a bot, by what `legal` says."""
    table = ana.did("create", game, "-q").strip()
    bot = ben.lines("bot", table, "-q")
    lines = ana.lines("play", table, "--json")
    moves, mine, asked = 0, False, False
    while True:
        said = hear(lines, "position", "legal", "said", "result")
        if said["type"] == "result":
            break
        move = None
        if said["type"] == "legal":
            asked = False
            move = choose(said) if mine else None
        elif said["type"] == "position":
            mine = said["your_turn"]
        with contextlib.suppress(BrokenPipeError):  # over meanwhile: hear how
            if move is not None:
                lines.type(json.dumps(move))
                moves += 1
            # Also after a refusal: somebody else has moved meanwhile.
            elif mine and not asked and said["type"] != "legal":
                lines.type("legal")
                asked = True
    is_(lines.end()[0], 0, f"{game}: a whole game, {moves} moves as JSON")
    is_(bot.end()[0], 0, f"{game}: against a bot")
    return table


def records(ana, server, table):
    """`record` gives the bytes that the server gives."""
    daemon = d.Lines(d.address(server))
    text = "".join(line + "\n" for line in d.record(daemon, table))
    daemon.close()
    is_(ana.did("record", table), text, "record: as the server tells it")
    is_(ana.did("verify", "-", typed=text), "ok\n", "record: it is true")
    nobody = Person(ROOM.name, "nobody", server)
    is_(nobody.did("record", table), text, "record: for anybody")


# ---- how it ends -----------------------------------------------------------------------


def statuses(ana, server, running):
    nobody = Person(ROOM.name, "stranger", server)
    token = {"SOBREMESA_TOKEN": "x" * 32}
    for status, person, words, env in (
            (1, ana, ["join", "nosuchtable"], {}),
            (1, ana, ["play", "nosuchtable", "--json"], {}),
            (1, ana, ["record", running], {}),
            (64, ana, ["join"], {}),
            (64, ana, ["play", "--offline", "hadara", "--json"], {}),
            (69, ana, ["lobby", "--server", "127.0.0.1:1"], token),
            (69, ana, ["watch", running, "--server", "/no/socket"], {}),
            (77, nobody, ["tables"], {}),
            (77, nobody, ["play", running], {}),
            (77, nobody, ["whoami"], token),
            (77, nobody, ["bot"], token)):
        got = person.run(*words, env=env)
        is_((got[0], got[1]), (status, ""),
            f"`{' '.join(words)}` ends with {status} and says nothing else")


def main():
    with d.Daemon() as daemon:
        server = daemon.ready["lines"]
        ana, ben = (Person(ROOM.name, n, server) for n in ("ana", "ben"))
        for one in (ana, ben):
            one.did("register", one.name, typed=f"secret of {one.name}\n")
        at_the_table(ana, ben, lists(ana, ben, server))
        for game in GAMES:
            table = whole_game(ana, ben, game)
            records(ana, server, table)
        running = ana.did("create", "tictactoe", "-q").strip()
        statuses(ana, server, running)


main()
done_testing()
