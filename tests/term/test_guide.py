"""First games that are led, in the terminal: somebody who never saw a game, and has
no server, plays each one to its end by pressing nothing but the keys it names; leaves
in the middle and goes on; types what it says, in lines and in French."""

import os
import re
import shutil
import tempfile

from person import Person, Terminal
from tap import diag, done_testing, is_, ok, skip_all

if not shutil.which("tmux"):
    skip_all("tmux is not installed")

ROOM = tempfile.TemporaryDirectory()
KEEP = os.environ.get("PANES")  # a folder where panes are kept
ONLY = os.environ.get("GAME")
MOST = 3000  # keys
NAMES = {"Enter": "Enter", "Esc": "Escape"}
ana = Person(ROOM.name, "ana", "127.0.0.1:1")


def told(screen):
    """The keys that the guide names, or None."""
    found = re.search(r"^ Guide +(?:Press|Go on|Touche|Continuer) ?: (.+?) *$",
                      screen, re.M)
    return found and found.group(1)


def send(terminal, keys):
    if keys.startswith(": "):  # a move in words
        terminal.text(":")
        terminal.shows("Move:")
        terminal.text(keys[2:].removesuffix(" Enter"))
        terminal.keys("Enter")
        return
    for key in keys.split():
        if key in NAMES:
            terminal.keys(NAMES[key])
        else:
            terminal.text(key)


def led(terminal, most):
    """Presses what is named, until the game is over: how many keys."""
    pressed = same = 0
    terminal.until(told)
    screen = terminal.screen()
    while told(screen) and pressed < most:
        if KEEP and pressed % 10 < 3:
            with open(f"{KEEP}/{game}-{pressed}.txt", "w",
                      encoding="utf-8") as f:
                f.write(screen)
        send(terminal, told(screen))
        pressed += 1
        before, screen = screen, terminal.screen()
        same = same + 1 if screen == before else 0
        if same > 4:  # from one of two cards that look alike to the other
            diag(f"{told(screen)} does nothing:\n{screen}")
            return MOST
    return pressed


# Under the sanitizers those that take longest, which have boards, only begin:
# core/test_guide has led all to their end there.
for game in ("hacienda", "hadara", "greement", "tictactoe"):
    if ONLY not in (None, game):
        continue
    terminal = Terminal(ana, 80, 24, "learn", game)
    begins = "ASAN" in os.environ and game in ("hacienda", "greement")
    first = 20 if begins else 4
    pressed = led(terminal, first)
    if not is_(pressed, first, f"{game}: {first} keys as they are named"):
        diag(terminal.screen())
    terminal.keys("q")
    if not ok(terminal.shows(f"learn {game}` goes on(.|\n)*END 0"),
              f"{game}: left in the middle"):
        diag(terminal.screen())
    terminal.close()
    if begins:
        continue
    terminal = Terminal(ana, 80, 24, "learn", game)
    keys = led(terminal, MOST)
    if not ok(keys < MOST, f"and gone on with, to the end: {keys} keys"):
        diag(terminal.screen())
    terminal.keys("Enter")
    over = terminal.shows("The game is over")
    ok(over, "which it is")
    terminal.close()

    # In lines: what is to be typed is said, by whoever sees nothing of it.
    with open(os.path.join(ana.home, ".config", "sobremesa", f"first-{game}"),
              encoding="utf-8") as kept:
        steps = re.search(r'"told":\[(.*?)\]', kept.readline())
    ok(steps and steps.group(1).count('"') >= 6, "what was told is kept")
    lines = ana.lines("learn", game, "--plain", "--again", "--language", "fr")
    moves = 0
    while moves < 12:
        found = lines.hear(r"Tapez : (.+)$|^La partie est terminée")
        if not found.group(1):
            break
        lines.type(found.group(1))
        moves += 1
    status, out = lines.end()
    ok(moves >= 3, f"in lines and in French: {moves} moves")
    is_(re.findall(r".*\{.*|.*None.*", out), [], "in words")

# In a narrow window all of it is said, too; in a low one as far as there is room,
# and the help says the rest.
LOW = 16


def explained(terminal, height):
    terminal.until(told)
    lines = terminal.screen().split("\n")[:height - 1]
    at = next(i for i, line in enumerate(lines) if line.startswith(" Guide"))
    return " ".join(" ".join(lines[at + 1:]).split())


if ONLY in (None, "hadara"):
    wide, narrow, low = (
        Terminal(Person(ROOM.name, name, "127.0.0.1:1"), columns, lines, "learn",
                 "hadara", "--language", "fr")
        for name, columns, lines in (("ben", 120, 40), ("cara", 36, 40),
                                     ("dan", 36, LOW)))
    longest = 0
    for step in range(5):
        text = explained(wide, 40)
        longest = max(longest, len(text))
        if not is_(explained(narrow, 40), text, f"step {step}: all of it"):
            diag(narrow.screen())
        part = explained(low, LOW)
        ok(part == text or part.endswith(("…", "...")) and
           text.startswith(part.rstrip(" .…")[:40]), f"{len(part)} of it")
        for terminal in (wide, narrow, low):
            send(terminal, told(terminal.screen()))
    ok(longest > 4 * 34, f"which are more than four lines: {longest}")
    text = explained(wide, 40)
    low.text("?")
    low.text("j" * 99)  # to its end
    ok(low.until(lambda screen: text[-20:] in " ".join(screen.split())),
       "the help has it whole")
    for terminal in (wide, narrow, low):
        terminal.close()

status, out, err = ana.run("learn")
is_((status, "which game" in err), (64, True), "a game has to be named")
done_testing()
