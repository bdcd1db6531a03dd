"""The terminal client on a server, on the full screen: an account, a table and
a whole game of Hacienda by keys, a server that goes away, undo, talk, looking
back; in a small window and a large one, with colour and without."""

import os
import re
import shutil
import signal
import tempfile

import daemon as d
from liar import Deaf
from person import Person, Terminal
from tap import done_testing, is_, ok, skip_all

if not shutil.which("tmux"):
    skip_all("tmux is not installed")

ROOM = tempfile.TemporaryDirectory()
KEEP = os.environ.get("PANES")  # a folder where captured panes are kept


def shows(terminal, pattern, what):
    screen = terminal.shows(pattern)
    ok(screen, what)
    return screen


def press(terminal, keys, pattern, what):
    terminal.keys(*keys.split())
    return shows(terminal, pattern, what)


def keep(terminal, name):
    if KEEP:
        for ending, colours in (("txt", False), ("ansi", True)):
            with open(os.path.join(KEEP, f"{name}.{ending}"), "w",
                      encoding="utf-8") as f:
                f.write(terminal.screen(colours))


# ---- an account, the lobby, a table -----------------------------------------------


def begin(ana, ben):
    """Registers ana by prompts, makes a table in the lobby's form, and has ben
    sit down in a terminal of their own: (table, ana's, ben's)."""
    one = Terminal(ana, 80, 24, "register")
    shows(one, "Name:", "register asks for a name")
    one.text("ana")
    press(one, "Enter", "Password", "and a password")
    one.text("secret of ana")
    press(one, "Enter", "same again", "twice")
    one.text("secret of ana")
    screen = press(one, "Enter", "END 0", "register")
    ok("secret" not in screen, "the password is not echoed")
    one.close()
    ben.did("register", "ben", typed="secret of ben\n")

    one = Terminal(ana, 80, 24, "lobby")
    shows(one, "Your tables.*none yet", "an empty lobby")
    press(one, "c", "A new table.*\n.*\n.*> Game", "the form")
    press(one, "Right", "Game +< Hadara >", "another game")
    press(one, "Left", "Game +< Hacienda >", "back")
    press(one, "Down Right", "Seats +< 3 >", "more seats")
    press(one, "Left", "Seats +< 2 >", "fewer")
    press(one, "Down Down Right", "variant1 +< on >", "an option")
    press(one, "Up Left", "crucible +< on >(.*\n)+.*With it: variant1: off, crucible: on",
          "the Crucible's board brings its option")
    press(one, "Down Right", "Board +< sym(.*\n)+ +crucible +< off >",
          "and a variant takes both away")
    press(one, "Right", "variant1 +< off >", "off again")
    keep(one, "form")
    one.size(60, 9)
    press(one, "Down Down", "variant2.*\n.*> crucible.*\n *\n", "a low form scrolls")
    press(one, "Up Up", "> variant1", "and back")
    one.size(80, 24)
    shows(one, "A new table(.*\n)+.*Make the table", "the whole form again")
    click(one, 10, 3)
    shows(one, "> Seats +< 2 >", "a click goes to a field")
    click(one, 10, 3)
    shows(one, "Seats +< 3 >", "and one more changes it")
    press(one, "Left", "Seats +< 2 >", "back")
    screen = press(one, "Enter", "begins when all seats", "a table is made")
    table = re.search(r"table (\w+)", screen).group(1)
    keep(one, "waiting")

    two = Terminal(ben, 80, 24, "lobby")
    screen = shows(two, "Open tables.*\n.*ana, 1 free", "ben sees it")
    keep(two, "lobby")
    press(two, "Enter", "first half", "ben takes the seat")
    shows(one, "first half", "ana sees the game begin")
    return table, one, two


# ---- playing by keys ------------------------------------------------------------------


def title(screen):
    return screen.split("\n", 1)[0]


def turn_of(one, two):
    """Whose turn it is, and the other one."""
    while True:
        for mine, other in ((one, two), (two, one)):
            if "your turn" in title(mine.screen()):
                return mine, other


def playable(terminal, most):
    """Takes one of the first MOST cards that can be played, and goes to where
    it can be: whether there is one."""
    hand = re.search(r"Hand(.*)\n(.*)\n", terminal.screen())
    cards = re.findall(r"(\d) [a-z]+ ([1-9]\d*)",
                       hand.group(1) + hand.group(2))
    for key, _ in cards[:most]:
        terminal.keys("Escape", key, "n")
        if "Enter: play" in terminal.screen():
            return True
    return False


def act(terminal, most):
    """One action by keys, or the end of the turn; at MOST so many cards are
    tried."""
    before = terminal.until(lambda s: " ... " not in title(s))
    if not playable(terminal, most):
        terminal.keys("Escape", "e")
        terminal.shows("Enter: the end of your turn")
    terminal.keys("Enter")
    terminal.until(lambda s: title(s) != title(before) and
                   " ... " not in title(s) or "is over" in s)


def game_by_keys(ana, bot, table, one):
    """ana plays by keys, a bot plays for ben; the result.  In the end, which
    may be far away, she ends her turns alone."""
    player = bot.lines("bot", table, "-q")
    turns = 0
    while True:
        screen = one.until(lambda s: "your turn" in title(s) or
                           re.search("over, after|game is over", s))
        if re.search("over, after|game is over", screen):
            break
        act(one, 2 if turns < 150 else 0)
        turns += 1
    ok(turns > 10, f"a whole game by keys: {turns} actions and ends of turns")
    shows(one, "over, after", "the game is over")
    ok(player.end()[0] == 0, "the bot has left")


def away(daemon, one, two):
    """The server goes away while a move is made, and comes again."""
    mine, other = turn_of(one, two)
    daemon.stop(signal.SIGKILL)
    shows(one, "Connection lost .* Trying again in", "ana is told so")
    keep(one, "lost")
    shows(two, "Connection lost .* Trying again in", "ben is, too")
    mine.keys("Escape", "e")
    mine.keys("Enter")
    shows(mine, "move is kept", "a move made meanwhile is kept")
    daemon.start(same=True)
    shows(other, "your turn", "and made as soon as the server is there")
    gone = mine.until(lambda s: "Connection" not in s and "kept" not in s)
    ok(gone, "all is well again")


def undo(one, two):
    mine, other = turn_of(one, two)
    mine.keys("Escape")
    before = title(mine.screen())
    ok(playable(mine, 9), "something can be played")
    mine.keys("Enter")
    shows(mine, "●", "an action")
    shows(other, "●", "the other sees it")
    press(mine, "u", "takes back the last move", "undo")
    ok(mine.until(lambda s: title(s).split("  ")[:4] ==
                  before.split("  ")[:4]), "all is as before")
    ok(other.until(lambda s: "●" not in s), "for the other, too")


def signals(one, two):
    """The window's title says whose turn it is, and the bell rings."""
    mine, other = turn_of(one, two)
    ok(mine.until(lambda s: mine.title() == "Your turn: Hacienda - Sobremesa"),
       "the title says that it is your turn")
    ok(other.until(lambda s: other.title() == "Hacienda - Sobremesa"),
       "or that it is not")
    press(mine, "Escape d Enter", "●", "a card is bought")  # or all had passed
    # What rings comes before the title.
    written = other.written(lambda: (mine.keys("Escape", "e", "Enter"),
                                     shows(other, "your turn", "a turn ends")),
                            "\033]2;Your turn[^\a]*\a")
    ok("\a" in re.sub("\033(P.*?\033\\\\|]2;[^\a]*\a)", "", written),
       "the bell rings when it is")
    ok(("\033Ptmux;\033\033]9;Your turn: Hacienda\a\033\\" in written) ==
       (other is two), "and a notice is on the desktop of who wants one")
    ok(other.until(lambda s: other.title().startswith("Your turn")),
       "and the title says so")


def in_hand(one, two):
    """What is said meanwhile leaves alone what somebody is about to do."""
    mine, other = turn_of(one, two)
    mine.keys("Escape", "e")
    shows(mine, "Enter: the end of your turn", "the end of a turn is in hand")
    press(other, "t", "Say:", "somebody talks meanwhile")
    other.text("wait")
    other.keys("Enter")
    shows(mine, r" t:1\b", "which is heard")
    ok("Enter: the end of your turn" in mine.screen(), "and it is in hand still")
    press(mine, "t", "Say:", "it is read")
    mine.keys("Escape", "Escape")


def talk(one, two):
    press(one, "t", "Nothing has been said.*|Say:", "talk")
    one.text("guten Abend, schöne Grüße")
    one.keys("Enter")
    shows(two, "ana: guten Abend, schöne Grüße", "the other hears it")
    shows(two, r" t:1\b", "and that there is something new")
    keep(two, "heard")
    press(two, "t", r"(\d\d:\d\d|\w+ \d\d) ana: guten Abend", "reads it")
    keep(two, "talk")
    two.text("selber")
    two.keys("Enter")
    shows(one, "ben: selber", "an answer")
    ok(two.until(lambda s: " t:1" not in s), "it has been read")


def other_windows(ana, table):
    large = Terminal(ana, 160, 50, "play", table)
    shows(large, "Talk   t: say something", "large: what was said has a pane")
    shows(large, "ben: selber", "large: with what was said before")
    shows(large, "What happened|Scored now", "large: and what has happened")
    keep(large, "large")
    large.size(80, 24)
    shows(large, r"\? help", "made smaller")
    large.size(24, 5)
    shows(large, "too small", "too small")
    large.size(100, 40)
    shows(large, "Talk   t: say", "large again")
    press(large, "q", "END 0", "leaves without a question: the game waits")
    large.close()
    for more, what in (({"term": "vt100"}, "vt100"),
                       ({"NO_COLOR": "1"}, "NO_COLOR")):
        plain = Terminal(ana, 80, 24, "play", table, **more)
        shows(plain, "first half", f"{what}: the board")
        ok(not re.search("\x1b\\[[0-9;]*[34][0-8][;m]", plain.screen(True)),
           f"{what}: no colours")
        keep(plain, what)
        plain.close()


def menu(ana, table, one):
    press(one, "m", "next .0.", "the menu")
    press(one, "w", "Since your last move", "since my last move")
    press(one, "x", "Hand", "back")
    press(one, "m", "m next", "the menu again")
    press(one, "o", "Note to yourself", "a note")
    one.text("ben likes haciendas")
    press(one, "Enter", "ben likes haciendas", "is kept")
    press(one, "?", "waits for you|Take something", "help")
    press(one, "q", "Hand", "back")
    # Each time the lists come anew while the key does.
    for n in range(12):
        press(one, "m", "m next", "the menu")
        press(one, "l", "Your tables.*\\n > Hacienda", "the lobby")
        if n == 0:
            keep(one, "lobby-with-tables")
        press(one, "Enter", "Hand", "and back at the table")


def looking_back(ana, table):
    back = Terminal(ana, 80, 24, "replay", table)
    screen = shows(back, "ana 0/", "replay")
    press(back, "Right Right", " 2/", "steps")
    press(back, "Left", " 1/", "and back")
    press(back, "v", "ben 1/", "as ben")
    press(back, "v", "all 1/", "as everybody")
    keep(back, "replay")
    press(back, "j", "To which ply", "jump")
    back.text("70")
    press(back, "Enter", r" ([2-9]|\d\d)/", "is there")
    press(back, "Home", " 0/", "the beginning")
    press(back, "+ + a", r" [1-9]\d*/\d+ ▶", "runs by itself")
    press(back, "- - - - a", " ■", "stops")  # long before the end
    screen = press(back, "End", "over, after", "the end")
    number = re.search(r" (\d+)/(\d+) ", screen)
    ok(number.group(1) == number.group(2), "all steps")
    press(back, "s", "ana.*\n.*ben|total", "points")
    press(back, "Space", "over, after", "back")
    press(back, "q", "END 0", "leaves")
    back.close()


def click(one, x, y):
    """As a terminal tells it: pressed and let go at column X of line Y."""
    at = chr(33 + x) + chr(33 + y)
    one.text(f"\033[M {at}\033[M#{at}")


def pages(terminal, *keys):
    """Looks at the page of each key."""
    for key in keys:
        terminal.keys(key)
        terminal.shows("key: back")
        terminal.keys("q")


def looking_on(ana, ben):
    """Each game's screen before somebody without a seat, while it is played and
    when it is over."""
    nobody = Person(ROOM.name, "nobody", ana.server)
    for game, more in (("hacienda", "c"), ("hadara", "c"), ("greement", "c"),
                       ("tictactoe", "g")):
        table = ana.did("create", game, "-q").strip()
        ben.did("join", table)
        on = Terminal(nobody, 80, 24, "watch", table)
        shows(on, "You are looking on", f"{game}: watch")
        bots = [ana.lines("bot", table, "-q", "--delay", "1"),
                ben.lines("bot", table, "-q", "--delay", "1")]
        on.keys("n", "Enter", "Tab", "Right", "g")
        shows(on, "newest first", f"{game}: the log")
        on.keys("q")
        pages(on, more, "s")
        on.keys("z", "t")
        shows(on, "Say:", f"{game}: talk")
        on.keys("Escape")
        shows(on, "The game is over", f"{game}: to its end")
        ok(all(bot.end()[0] == 0 for bot in bots), f"{game}: bots play it")
        press(on, "q", "END 0", f"{game}: leaves")
        on.close()
        back = Terminal(nobody, 120, 40, "replay", table)
        shows(back, "all 0/", f"{game}: replay")
        press(back, "Right Right Right", "all 3/", f"{game}: steps")
        keep(back, f"replay-{game}")
        press(back, "v Down", "ana", f"{game}: as ana")
        if game in ("hacienda", "greement"):
            press(back, "e", "You are only looking on", f"{game}: no move")
        pages(back, "g", "s")
        back.keys("z")
        screen = press(back, "End", r"(\d+)/\1 ", f"{game}: the end")
        keep(back, f"end-{game}")
        ok("replay" not in screen, f"{game}: no error")
        back.keys("q")
        back.close()


def wants_notices(person):
    folder = os.path.join(person.home, ".config/sobremesa")
    os.makedirs(folder)
    with open(os.path.join(folder, "config"), "w", encoding="utf-8") as f:
        f.write("notify = osc9\n")


def looks(ana, table):
    """Who comes to a table, or types there, looks at it; an open window does
    not, and neither does a script."""
    with Deaf(DAEMON.ready["lines"]) as server:
        there = Person(ROOM.name, "looker", f"127.0.0.1:{server.port}")
        token = os.path.join(there.home, ".config/sobremesa/tokens")
        os.makedirs(os.path.dirname(token))
        with open(os.path.join(ana.home, ".config/sobremesa/tokens"),
                  encoding="utf-8") as f, open(token, "w", encoding="utf-8") as to:
            to.write(f.read().replace(ana.server, there.server))
        seen = server.asked.setdefault("table.seen", [])
        there.did("play", table, "--plain", typed="board\nquit\n")
        ok(not seen, "a script looks at nothing")
        one = Terminal(there, 80, 24, "lobby")
        shows(one, "Your tables", "a lobby")
        lists = server.asked.setdefault("table.list", [])
        before = len(lists)
        one.keys("j", "k", "r")
        one.until(lambda s: len(lists) > before)  # on the same connection
        ok(not seen, "nor does who is in the lobby")
        one.close()
        clocks = d.Clocks(stands=True)
        clocked = d.preloaded("daemon/draws", "term/resize", "daemon/clocks")
        one = Terminal(there, 80, 24, "play", table, CLOCKS=clocks.path,
                       LD_PRELOAD=clocked["LD_PRELOAD"])
        shows(one, "look|log|turn", "a table")
        ok(one.until(lambda s: seen == [{"table": table}]),
           "who comes to a table has looked at it")
        for _ in range(9):
            one.keys("g", "q", "s", "q")
            clocks.set(10000, 10000)
        one.keys("g", "q")
        shows(one, "look|log|turn", "keys")
        one.until(lambda s: len(seen) > 3)
        is_(len(seen), 4, "which is told every 30 seconds, of 90")
        one.close()


with d.Daemon() as DAEMON:
    ANA = Person(ROOM.name, "ana", DAEMON.ready["lines"])
    BEN = Person(ROOM.name, "ben", "ws://" + DAEMON.ready["http"])
    wants_notices(BEN)
    TABLE, ONE, TWO = begin(ANA, BEN)
    for mine in (ONE, TWO):
        mine.keys("Escape")
    undo(ONE, TWO)
    signals(ONE, TWO)
    in_hand(ONE, TWO)
    talk(ONE, TWO)
    other_windows(ANA, TABLE)
    menu(ANA, TABLE, ONE)
    away(DAEMON, ONE, TWO)
    press(TWO, "q", "Your tables", "ben is back in the lobby")
    press(TWO, "q", "END 0", "and leaves")
    TWO.close()
    game_by_keys(ANA, BEN, TABLE, ONE)
    keep(ONE, "over")
    press(ONE, "q", "Your tables", "ana is back in the lobby")
    press(ONE, "v", "Finished", "finished tables")
    press(ONE, "q", "END 0", "ana leaves")
    ONE.close()
    looks(ANA, TABLE)
    looking_back(ANA, TABLE)
    looking_on(ANA, BEN)
done_testing()
