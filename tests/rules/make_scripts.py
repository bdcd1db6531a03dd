#!/usr/bin/env python3
"""Writes the scripts in tests/rules/hacienda/: the worked examples of the
rules, as `sobremesa script` plays them.

usage: tests/rules/make_scripts.py        (at the root of the tree)

What is written is committed and stands for itself; this is where it is edited.
A script is written move by move: nothing here knows the rules of the game, but
for whose turn it is, how many actions they have left, and how many cards there
are.  What is expected is what the rules' text says.
"""

import json
import os
import random

FOLDER = os.path.join(os.path.dirname(__file__), "hacienda")
GROUND = {"-": 1, ".": 2, "e": 3, "f": 4, "s": 5, "r": 6, "m": 7, "?": 8,
          "$": 9, "~": 10}
LAND = ["mountain", "forest", "meadow", "rocks", "swamp", "pampas"]
ANIMALS = ["cattle", "horse", "pig", "sheep"]


def cards(text):
    """"forest*3 pig" as a list."""
    out = []
    for word in (text or "").split():
        card, _, n = word.partition("*")
        out += [card] * int(n or 1)
    return out


def haz(drawing):
    """The `.haz` text of a drawing; see hacienda_position.h."""
    lines = drawing.strip("\n").split("\n")
    at = {(x, y): GROUND[c] for y, line in enumerate(lines)
          for x, c in enumerate(line) if c != " "}
    odd = {(x + y) % 2 for x, y in at}
    assert len(odd) == 1, "rows are not shifted"
    rows = max(x for x, _ in at) + 1
    rows += (rows + odd.pop()) % 2
    text = f"[Control]\nVersion=GRHIG0101\nColCount={len(lines)}\n" \
           f"RowCount={rows}\n[Hex]\n"
    for col in range(len(lines)):
        for row in range(rows):
            if (col + row) % 2 == 1:
                code = at.get((rows - 1 - row, col), 1)
                text += f"{col * 100 + row}={code}\n"
    return text


class Script:
    """One table: what is played and expected, line by line."""

    def __init__(self, title, drawing=None, name=None, seats=2, options=None,
                 hands=(), display="", keep="", seed=None):
        self.lines = ["# " + line for line in title]
        self.seats, self.turn, self.actions = seats, 0, 0
        crucible = bool(options and options.get("crucible"))
        head = {"game": "hacienda", "seats": seats}
        if options:
            head["options"] = options
        if drawing:
            self.lines += ["#"] + ["#     " + line for line in
                                   drawing.strip("\n").split("\n")]
            head["board"] = {"haz": haz(drawing)}
        elif name:
            head["board"] = {"builtin": name}
        if seed is not None:
            head["seed"] = seed
        self.add(head)
        if seed is None:
            self.deal(crucible, [cards(h) for h in hands], cards(display),
                      cards(keep))

    def add(self, line):
        self.lines.append(json.dumps(line))

    def note(self, text):
        self.lines += ["", "# " + text]

    # ---- cards

    def deal(self, crucible, hands, display, keep):
        many = {c: 18 for c in ANIMALS} | {c: 14 for c in LAND}
        many["pampas"] = 10
        if crucible:
            many = {c: 8 for c in LAND + ANIMALS}
            many["pampas"] = 2
        for card in [c for h in hands for c in h] + display + keep:
            many[card] -= 1
        assert min(many.values()) >= 0, "more cards than there are"
        hands += [[]] * (self.seats - len(hands))
        land, animals, slots = (2, 2, 3) if crucible else (8, 4, 4)
        self.note("The cards, as chance happens to deal them.")
        self.nature(verb="start_player", seat=0)
        for seat, hand in enumerate(hands):
            for kind, n in (LAND, land), (ANIMALS, animals):
                for card in self.fill(hand, kind, n, many):
                    self.nature(verb="deal", seat=seat, card=card)
        for kind in LAND, ANIMALS:
            for card in self.fill(display, kind, slots, many):
                self.nature(verb="turn_up", card=card)

    @staticmethod
    def fill(wanted, kinds, n, many):
        chosen = [c for c in wanted if c in kinds]
        assert len(chosen) <= n, "too many cards"
        while len(chosen) < n:
            card = max(kinds, key=lambda c: many[c])
            many[card] -= 1
            chosen.append(card)
        return chosen

    # ---- plies

    def nature(self, **move):
        self.add({"seat": "nature", "move": move})

    def end_turn(self):
        self.add({"seat": self.turn, "move": {"verb": "end_turn"}})
        self.turn = (self.turn + 1) % self.seats
        self.actions = 0

    def to(self, seat):
        """Ends turns until it is SEAT's and they have an action left."""
        if self.turn == seat and self.actions == 3:
            self.end_turn()
        while self.turn != seat:
            self.end_turn()

    def go(self, seat, verb, **args):
        self.to(seat)
        self.add({"seat": seat, "move": {"verb": verb, **args}})
        self.actions += 1

    def buy(self, seat, card):
        """From the supply, where CARD happens to lie on top."""
        kind = "land" if card in LAND else "animal"
        self.go(seat, f"buy_{kind}_supply")
        self.nature(verb="deal", seat=seat, card=card)

    def take(self, seat, card, refill):
        """From the display."""
        kind = "land" if card in LAND else "animal"
        self.go(seat, f"buy_{kind}_display", card=card)
        self.nature(verb="turn_up", card=refill)

    def play(self, seat, plays):
        """"forest A1, pig B2"."""
        for play in plays.split(","):
            card, hex_ = play.split()
            kind = "land" if card in LAND else "animal"
            self.go(seat, f"play_{kind}", card=card, hex=hex_)

    # ---- expectations

    def expect(self, **wanted):
        self.add({"expect": wanted})

    def pesos(self, seat, pesos):
        self.expect(game_state={"players": {str(seat): {"money": pesos}}})

    def score(self, seat, **parts):
        self.expect(score={str(seat): parts})

    def state(self, **wanted):
        self.expect(game_state=wanted)

    def refuse(self, seat, rule, verb, **args):
        self.add({"refuse": {"seat": seat, "move": {"verb": verb, **args},
                             "rule": rule}})

    def write(self, name):
        with open(os.path.join(FOLDER, name + ".ndjson"), "w",
                  encoding="utf-8") as out:
            out.write("\n".join(self.lines) + "\n")


# ---- setup

def setup():
    rows = {2: (30, 5, 60, 15), 3: (20, 7, 52, 18), 4: (10, 8, 44, 21),
            5: (0, 9, 36, 24)}
    for seats, (removed, haciendas, land, animals) in rows.items():
        s = Script([f"Worked examples, setup; Setup, the table: {seats} "
                    "players.", "Singles for sale: 5, as 4 are printed."],
                   seats=seats, seed=seats)
        s.state(animals_removed=removed, animals_aside=animals,
                supply={"land": land, "animals": animals}, half=1,
                left={"haciendas": haciendas, "chips": 8,
                      "waters": {"single": 5, "double": 4, "triangle": 3,
                                 "line": 2}})
        for seat in range(seats):
            s.state(players={str(seat): {
                "money": 20, "hidden_cards": {"land": 8, "animals": 4}}})
        s.write(f"setup_{seats}")

    s = Script(["Worked examples, setup: Five Lagoons has 4 singles for sale."],
               name="five_lagoons", seed=1)
    s.state(left={"waters": {"single": 4}}, water_tiles=5)
    s.write("setup_five_lagoons")

    s = Script(["Worked examples, setup: Crucible has 35 land cards, 13 + 12",
                "animals, hands of 4 land (2 pampas known to all) and 2 "
                "animals,", "no single for sale."],
               name="crucible", options={"crucible": True}, seed=1)
    s.state(supply={"land": 35, "animals": 13}, animals_aside=12,
            animals_removed=0,
            left={"haciendas": 3, "chips": 3,
                  "waters": {"single": 0, "double": 1, "triangle": 1,
                             "line": 1}})
    for seat in "01":
        s.state(players={seat: {"money": 20, "known": {"pampas": 2},
                                "hidden_cards": {"land": 2, "animals": 2}}})
    s.write("setup_crucible")


# ---- markets and harvest

def market():
    s = Script(["Worked examples, market: a chain of 3; a pig next to it, no "
                "market: 0;", "a second pig at a market: +5; a third at "
                "another side of it: +6;", "still one market."],
               "f f f . $ .\n . . . . . .", hands=["forest*3 pig*3"])
    s.note("The chain of 3.")
    s.play(0, "forest A1, forest A2, forest A3")
    s.note("The three pigs.")
    s.play(0, "pig B3")
    s.pesos(0, 20)
    s.score(0, markets=0)
    s.play(0, "pig B4")
    s.pesos(0, 25)
    s.score(0, markets=1)
    s.play(0, "pig B5")
    s.pesos(0, 31)
    s.score(0, markets=1)
    s.write("market")


def merge():
    s = Script(["Worked examples, merge: one pig at one market side joins "
                "herds to 6,", "touching chains of 2 and 3: +11."],
               "f f . . . . f f f\n . . . . . . . . .\n. . . . $ . . . .",
               hands=["forest*5 pig*4"])
    s.play(0, "forest A1, forest A2, forest A7, forest A8, forest A9")
    s.note("A herd of 2 beside the chain of 2, one of 3 beside the chain of "
           "3.")
    s.play(0, "pig A3, pig B3, pig A6, pig A5")
    s.buy(0, "pig")
    s.play(0, "pig B6")
    s.buy(0, "pig")
    s.pesos(0, 16)
    s.note("B4 touches both, and the market C5.")
    s.play(0, "pig B4")
    s.pesos(0, 27)
    s.write("merge")


def harvest():
    s = Script(["Worked examples, harvest: a chain of 7: +21; harvesting it "
                "again:", "chain_has_chip."],
               "f f f f f f f . $", hands=["forest*7"])
    s.play(0, ", ".join(f"forest A{i}" for i in range(1, 8)))
    s.pesos(0, 20)
    s.go(0, "harvest", hex="A4")
    s.pesos(0, 41)
    s.to(1)
    s.to(0)
    for i in range(1, 8):
        s.refuse(0, "chain_has_chip", "harvest", hex=f"A{i}")
    s.write("harvest")


MARKETS = """
- $ $ $ $ $ $ $ $ $ $ $ $
 . . . . . . . . . . . .
f . . . . . . . . . . .
"""


def markets():
    points = [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66]
    s = Script(["Worked examples, markets: n = 1 ... 11: 1 3 6 10 15 21 28 36 "
                "45 55 66.", "Each pig in row B comes to one market more."],
               MARKETS, hands=["forest pig*4"], keep="pig*7")
    s.play(0, "forest C1")
    for i, n in enumerate(points):
        if i >= 4:
            s.buy(0, "pig")
        s.play(0, f"pig B{i + 1}")
        s.score(0, markets=n)
    s.write("markets")


def around(columns, rows, name):
    """The names of the hexes next to a hex, on a board of that size."""
    def number(x):
        return x // 2 + 1
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    y = letters.index(name[0])
    x = 2 * (int(name[1:]) - 1) + (rows + y) % 2
    for dx, dy in (-2, 0), (2, 0), (-1, -1), (1, -1), (-1, 1), (1, 1):
        if 0 <= y + dy < columns and 0 <= x + dx < rows:
            yield letters[y + dy] + str(number(x + dx))


def read_board(name):
    """Ground by hex of a built-in board, and its size."""
    path = os.path.join("core/games/hacienda/boards", name + ".haz")
    keys = dict(line.strip().split("=") for line in open(path)
                if "=" in line)
    columns, rows = int(keys["ColCount"]), int(keys["RowCount"])
    letters = {v: k for k, v in GROUND.items()}
    ground = {}
    for key, value in keys.items():
        if key.isdigit():
            y, x = int(key) // 100, rows - 1 - int(key) % 100
            ground[chr(ord("A") + y) + str(x // 2 + 1)] = letters[int(value)]
    return ground, columns, rows


TERRAIN = {"m": "mountain", "f": "forest", "e": "meadow", "r": "rocks",
           "s": "swamp"}


def crucible_pairs(wanted):
    """For so many markets a land space and a pampas between it and that
    market and no other, none of them next to another pair."""
    ground, columns, rows = read_board("crucible")
    near = {h: list(around(columns, rows, h)) for h in ground}
    pairs, used = [], set()
    for market in [h for h in ground if ground[h] == "$"]:
        found = [(land, pampas) for pampas in near[market]
                 if ground[pampas] == "." and
                 sum(ground[n] == "$" for n in near[pampas]) == 1
                 for land in near[pampas]
                 if ground[land] in TERRAIN and land not in used and
                 pampas not in used and not used & set(near[pampas])]
        if found and len(pairs) < wanted:
            pairs.append(found[0] + (TERRAIN[ground[found[0][0]]],))
            used |= set(found[0][:2])
    assert len(pairs) == wanted, "no such places on the Crucible"
    return pairs


def markets_crucible():
    points = [2, 5, 9, 14, 20]
    animals = ["pig", "pig", "pig", "sheep", "horse"]
    pairs = crucible_pairs(5)
    s = Script(["Worked examples, markets: Crucible n = 1 ... 5: 2 5 9 14 20.",
                "Each lone animal lies between a lone land tile and a market: "
                "it is paid", "1 x 1 (market pay as variant1)."],
               name="crucible", options={"crucible": True},
               hands=["", ""], keep="mountain forest meadow rocks swamp")
    pesos = 20
    for (land, pampas, terrain), animal, n in zip(pairs, animals, points):
        s.buy(0, terrain)
        s.buy(0, animal)
        s.play(0, f"{terrain} {land}, {animal} {pampas}")
        pesos += -2 - 2 + 1
        s.pesos(0, pesos)
        s.score(0, markets=n)
    s.write("markets_crucible")


# ---- land, haciendas, money

def land():
    s = Script(["Worked examples, land: chains 7, 3, 3, 2 and three singles: "
                "26."],
               "m m m m m m m - f f f\n - - - - - - - - - - -\n"
               "e e e - r r - s - s - s\n - - - - - - - - - - -\n"
               ". $ - -",
               hands=["mountain*7 forest"],
               keep="forest*2 meadow*3 rocks*2 swamp*3")
    s.play(0, ", ".join(f"mountain A{i}" for i in range(1, 8)))
    s.score(0, land=14)
    s.play(0, "forest A9")
    s.note("A harvest, to pay for the other cards.")
    s.go(0, "harvest", hex="A1")
    for card, hex_ in [("forest", "A10"), ("forest", "A11"),
                       ("meadow", "C1"), ("meadow", "C2"), ("meadow", "C3"),
                       ("rocks", "C5"), ("rocks", "C6"), ("swamp", "C8"),
                       ("swamp", "C10"), ("swamp", "C12")]:
        s.buy(0, card)
        s.play(0, f"{card} {hex_}")
    s.score(0, land=26)
    s.write("land")


def pieces(hexes, near):
    """The connected pieces of a set of hexes."""
    left, out = set(hexes), []
    while left:
        piece = [min(left)]
        left.discard(piece[0])
        for hex_ in piece:
            found = sorted(n for n in near[hex_] if n in left)
            left -= set(found)
            piece += found
        out.append(piece)
    return sorted(out, key=len, reverse=True)


def crucible_chains():
    """Land spaces of the Crucible that make chains of 7, 3, 3, 2, 1, 1, 1."""
    ground, columns, rows = read_board("crucible")
    near = {h: list(around(columns, rows, h)) for h in ground}
    lands = pieces([h for h in ground if ground[h] in TERRAIN], near)
    seven = [p for p in lands if len(p) == 7][0]
    rest = sorted(h for p in lands if p is not seven for h in p)
    dice = random.Random(1)
    while True:
        chains = pieces(dice.sample(rest, 11), near)
        if [len(c) for c in chains] == [3, 3, 2, 1, 1, 1]:
            return [[(TERRAIN[ground[h]], h) for h in c]
                    for c in [seven] + chains]


def land_crucible():
    chains = crucible_chains()
    kinds = [card for chain in chains for card, _ in chain]
    s = Script(["Worked examples, land: chains 7, 3, 3, 2 and three singles: "
                "on Crucible 13."],
               name="crucible", options={"crucible": True},
               hands=[" ".join(kinds[:2])], keep=" ".join(kinds[2:]))
    for i, chain in enumerate(chains):
        s.note("A chain of " + str(len(chain)) + ".")
        for j, (card, hex_) in enumerate(chain):
            if i > 0 or j > 1:
                s.buy(0, card)
            s.play(0, f"{card} {hex_}")
        if i == 0:
            s.score(0, land=7)
            s.go(0, "harvest", hex=chain[0][1])
            s.pesos(0, 20 - 5 * 2 + 7 * 3)
    s.score(0, land=13)
    s.write("land_crucible")


def hacienda():
    s = Script(["Worked examples, hacienda: on a chain of 7 and on a herd of "
                "6: 13;", "a second one on the chain [H3]: still 13."],
               "f f f f f f f . $\n . . . . . . . . . .",
               hands=["forest*7 pig*4"], keep="pig*2")
    s.play(0, ", ".join(f"forest A{i}" for i in range(1, 8)))
    s.go(0, "harvest", hex="A1")
    s.pesos(0, 41)
    s.buy(0, "pig")
    s.buy(0, "pig")
    s.play(0, "pig B1, pig B2, pig B3, pig B4, pig B5, pig B6")
    s.note("37 pesos: three haciendas, one a turn.")
    s.end_turn()
    s.go(0, "buy_hacienda", hex="A7")
    s.score(0, haciendas=7)
    s.end_turn()
    s.go(0, "buy_hacienda", hex="B1")
    s.score(0, haciendas=13)
    s.end_turn()
    s.go(0, "buy_hacienda", hex="A2")
    s.score(0, haciendas=13)
    s.pesos(0, 1)
    s.write("hacienda")


def money():
    for variant1 in False, True:
        s = Script(["Worked examples, money: 28 pesos: 2 (variant1: 1); 12: "
                    "1; 8: 0.", "Under variant1 1 point per 20 pesos, 12 "
                    "bring nothing."],
                   "f f f f f f f . $\n . . . . . . . . . .",
                   options={"variant1": True} if variant1 else None,
                   hands=["forest*7"])
        s.note("8 is 20 less 6 cards; 12 less 4.")
        for i in range(6):
            s.buy(1, "swamp")
            if i == 3:
                s.pesos(1, 12)
                s.score(1, money=0 if variant1 else 1)
        s.pesos(1, 8)
        s.score(1, money=0)
        s.note("28 is 20 and a harvest of 4 tiles, less 2 cards.")
        s.play(0, "forest A1, forest A2, forest A3, forest A4")
        s.go(0, "harvest", hex="A1")
        s.buy(0, "swamp")
        s.buy(0, "swamp")
        s.pesos(0, 28)
        s.score(0, money=1 if variant1 else 2)
        s.write("money_variant1" if variant1 else "money")


# ---- the scoring of red and blue

SCORING = """
$ f f - - - - m m m
 . ~ f - - - m . . m
- . f - - - - - m m
 - $ - - - - - - - -
f f . . . - - - - -
 - - - - - - - - - -
$ . ~ . $ - - - $ $ $
 - . . . - - - - . .
- f . . . $ - $ . ~ . m m m
 f f - - - - - - - - - - -
"""


def scoring():
    s = Script(["Worked examples, scoring: red (seat 0) 53, blue (seat 1) 52.",
                "",
                "Red: B2, G3 and the bought I3 I4 and E3 E4 E5 are the waters "
                "of sizes", "1 (6 points), 1 (4), 2 (6) and 3 (1); the pigs H2 "
                "and H3 lie between", "two of them.  Blue: the bought B8 B9 "
                "(7) and I10 (4)."],
               SCORING, hands=["forest*8 pig*4", "mountain*8 horse*4"],
               display="forest mountain pig sheep", keep="pig*2 sheep*2")
    s.note("Red's chains of 4 and 3, his herd of 6 pigs at three markets.")
    s.play(0, "forest A2, forest A3, forest B3, forest C3, forest I2, "
              "forest J1, forest J2, pig H2, pig H3, pig G2, pig G4")
    s.pesos(0, 20 + 6 + 7)
    s.take(0, "pig", "cattle")
    s.play(0, "pig H4")
    s.buy(0, "pig")
    s.play(0, "pig I5")
    s.pesos(0, 33 - 3 + 8 - 2 + 9)
    s.note("Two sheep at two markets, the chain of 2.")
    s.take(0, "sheep", "cattle")
    s.play(0, "sheep B1")
    s.buy(0, "sheep")
    s.play(0, "sheep C2")
    s.pesos(0, 45 - 3 + 5 - 2 + 6)
    s.play(0, "forest E1")
    s.take(0, "forest", "swamp")
    s.play(0, "forest E2")
    s.note("Two waters and the hacienda on the pigs.")
    s.go(0, "buy_water", shape="double", hex1="I3", hex2="I4")
    s.go(0, "buy_hacienda", hex="H3")
    s.end_turn()
    s.go(0, "buy_water", shape="line", hex1="E3", hex2="E4", hex3="E5")
    s.pesos(0, 12)

    s.note("Blue's chains of 7 and 3, his herd of 4 horses at four markets.")
    s.play(1, "mountain B7, mountain A8, mountain A9, mountain A10, "
              "mountain B10, mountain C10, mountain C9, mountain I12")
    s.buy(1, "mountain")
    s.take(1, "mountain", "swamp")
    s.play(1, "mountain I13, mountain I14, horse I11")
    s.pesos(1, 20 - 2 - 3)
    s.play(1, "horse H10")
    s.pesos(1, 15 + 2 * (2 + 3))
    s.play(1, "horse H9")
    s.pesos(1, 25 + 2 * (3 + 3))
    s.play(1, "horse I9")
    s.pesos(1, 37 + 4 + 3)
    s.go(1, "buy_water", shape="double", hex1="B8", hex2="B9")
    s.end_turn()
    s.go(1, "buy_hacienda", hex="A8")
    s.end_turn()
    s.go(1, "buy_hacienda", hex="H9")
    s.pesos(1, 8)

    s.note("What a scoring gives now.")
    s.score(0, markets=15, land=14, haciendas=6, water=4 + 6 + 1 + 6, money=1,
            total=53)
    s.score(1, markets=10, land=20, haciendas=7 + 4, water=7 + 4, money=0,
            total=52)
    s.write("scoring")


# ---- variants

def variant1_pay():
    title = "Worked examples, variant1 pay: "
    options = {"variant1": True}
    s = Script([title + "2 animals x 1 adjacent land: 2."],
               "f . . $\n . . . .", options=options, hands=["forest pig*2"])
    s.play(0, "forest A1, pig A2, pig A3")
    s.pesos(0, 22)
    s.write("variant1_two_by_one")

    s = Script([title + "chain of 4, 2 of it adjacent: 4."],
               "f f f f $\n . . . . .", options=options,
               hands=["forest*4 pig*2"])
    s.play(0, "forest A1, forest A2, forest A3, forest A4, pig B3")
    s.pesos(0, 20)
    s.play(0, "pig B4")
    s.pesos(0, 24)
    s.write("variant1_chain_of_4")

    s = Script([title + "chain of 6, 3 adjacent: 6,", "later merged 4 animals "
                "x 6: 24.  (B4 comes to the market, too: 1 x 3.)"],
               "- f f f f -\n f . . . f\n- . . $ . -", options=options,
               hands=["forest*6 pig*4"])
    s.play(0, "forest B1, forest A2, forest A3, forest A4, forest A5, "
              "forest B5, pig B2")
    s.pesos(0, 20)
    s.play(0, "pig C3")
    s.pesos(0, 26)
    s.play(0, "pig B4")
    s.pesos(0, 29)
    s.play(0, "pig B3")
    s.pesos(0, 53)
    s.write("variant1_merge")


def variant2_markets():
    s = Script(["Worked examples, variant2: one animal reaching the first two "
                "markets:", "+3; the 7th market: +7 [H23].  Each pig in row B "
                "comes to one more."],
               "$ $ $ $ $ $ $ $\n . . . . . . .\nf . . . . . . .",
               options={"variant2": True}, hands=["forest pig*4"],
               keep="pig*2")
    s.play(0, "forest C1")
    points = 0
    for i, more in enumerate([3, 3, 4, 5, 6, 7]):
        if i >= 4:
            s.buy(0, "pig")
        s.play(0, f"pig B{i + 1}")
        points += more
        s.state(players={"0": {"points": points}})
    s.write("variant2_markets")


TURNS = """
f f f f f . .
 . . . . . . .
. . . . . $ .
 . . . . . . .
. . . . . . .
 . f . . . . .
. . ~ . $ . .
 . . . . . . .
"""


def turns(variant1, variant2):
    """The example turns.  Each row: what, then pesos and the categories of
    points (markets, land, herds, haciendas, water) after it."""
    cost = 20 if variant1 else 12
    options = {}
    if variant1:
        options["variant1"] = True
    if variant2:
        options["variant2"] = True
    kind = "+".join(options) or "standard"
    s = Script([f"The example turns (French), {kind}, [H27].", "C6 is market "
                "1, G5 is market 2, G3 the water."],
               TURNS, options=options, hands=["forest*6 pig*4"], keep="pig")
    seen = dict(markets=0, land=0, haciendas=0, water=0)
    if variant1:
        seen["herds"] = 0
    pesos = 20
    total = 0

    def after(now, income=0, **grows):
        nonlocal pesos, total
        pesos += income
        for part, n in grows.items():
            if part in seen:
                seen[part] += n
                total += n
        assert total == now, (total, now)
        s.pesos(0, pesos)
        s.score(0, **seen)
        if variant2:
            s.state(players={"0": {"points": total}})
        else:
            s.state(players={"0": {"points": 0}})

    s.note("1.1-3: three land cards, one chain: 6.")
    s.play(0, "forest A2")
    after(0)
    s.play(0, "forest A3")
    after(0)
    s.play(0, "forest A4")
    after(6, land=6)
    s.note("2.1: a land card extends it to 4: 2, 8 in all.")
    s.play(0, "forest A5")
    after(8, land=2)
    s.note("2.2-3: two animals beside it (bordering 2 land tiles), the second "
           "at market 1: +6 (+4), 1 point, 9 in all.")
    s.play(0, "pig B4")
    after(8)
    s.play(0, "pig C5")
    after(9, income=4 if variant1 else 6, markets=1)
    s.note("3.1: a lone land tile at a water tile: 1, 10 in all.")
    s.play(0, "forest F2")
    after(10, water=1)
    s.note("3.2-3: two animals beside it, both at the water, the second at "
           "market 2: +3 (+2), 2 + 2 points, 14 in all.")
    s.play(0, "pig F3")
    after(11, water=1)
    s.play(0, "pig G4")
    after(14, income=2 if variant1 else 3, water=1, markets=2)
    s.note(f"4.1: a hacienda on the chain of 4: -{cost}, 4, 18 in all.")
    s.go(0, "buy_hacienda", hex="A3")
    after(18, income=-cost, haciendas=4)
    s.note("4.2-3: buys a land card and an animal card: -2 -2.")
    s.buy(0, "swamp")
    after(18, income=-2)
    s.buy(0, "pig")
    after(18, income=-2)
    s.note("5.1: a land card extends the chain to 5 (not at the herd): 2 + 1, "
           "21 in all.")
    s.play(0, "forest A1")
    after(21, land=2, haciendas=1)
    s.note("5.2: a third animal in the first herd, at a new side of market 1, "
           "no further land: +8 (+6), under variant1 3 points, 24 in all.")
    s.play(0, "pig D5")
    after(24 if variant1 else 21, income=6 if variant1 else 8, herds=3)
    s.note("5.3: buys an animal card: -2.")
    s.buy(0, "sheep")
    after(24 if variant1 else 21, income=-2)
    assert pesos == (6 if variant1 else 19)
    s.note("At the end: markets 3, land 10, herds - (3), haciendas 5, water 3,"
           " money 1 (0); a scoring now gives 22 (24).")
    last = dict(markets=3, land=10, haciendas=5, water=3,
                money=0 if variant1 else 1, total=24 if variant1 else 22)
    if variant1:
        last["herds"] = 3
    s.score(0, **last)
    s.write("turns_" + kind.replace("+", "_"))


def main():
    setup()
    market()
    merge()
    harvest()
    markets()
    markets_crucible()
    land()
    land_crucible()
    hacienda()
    money()
    scoring()
    variant1_pay()
    variant2_markets()
    for variant1 in False, True:
        for variant2 in False, True:
            turns(variant1, variant2)


if __name__ == "__main__":
    main()
