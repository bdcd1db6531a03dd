"""The terminal client on a server, in lines: accounts and what is remembered of
them, tables, whole games through pipes, bots, a server that goes away."""

import os
import random
import re
import signal
import stat
import tempfile

import daemon as d
from person import Person
from tap import diag, done_testing, is_, ok

CHANCE = random.Random(7)
ROOM = tempfile.TemporaryDirectory()


def like(text, pattern, what):
    if not ok(re.search(pattern, text, re.M), what):
        diag(text[-2000:])


def refused(person, pattern, what, *arguments, wants=1, **more):
    """It ends with status WANTS: 1 refused, 69 no server, 77 not logged in."""
    status, out, err = person.run(*arguments, **more)
    is_(status, wants, f"{what}: status {wants}")
    like(err, pattern, f"{what}: why")
    is_(out, "", f"{what}: nothing on stdout")


def legal(lines, verb=""):
    """The lines that `legal` prints, as (verb, rest); none when the game has
    ended meanwhile."""
    lines.type(f"legal {verb}", "nothing_of_that_name")
    told = lines.hear(r"(?s)(.*?)(There is no move 'nothing_of_that_name'|"
                      r"^The game is over:)")
    if "over" in told.group(2):
        return None
    return re.findall(r"^  (\w+)(.*)$", told.group(1), re.M)


def choose(lines, moves, ends=0.2):
    """Plays a legal move by what `legal` lists: seldom, in ENDS of all cases,
    of the last verb, which is the one that ends a turn.  False when the game
    has ended meanwhile."""
    verbs = legal(lines)
    if not verbs:
        return verbs is not None
    verb, rest = CHANCE.choice(verbs[:-1] or verbs)
    if CHANCE.random() < ends:
        verb, rest = verbs[-1]
    if "ways;" in rest:
        ways = legal(lines, verb)
        if not ways:
            return ways is not None
        verb, rest = CHANCE.choice(ways)
    found = re.match(r"(.*) \((\w+) from (-?\d+) to (-?\d+)\)$", rest)
    if found:
        low, high = int(found.group(3)), int(found.group(4))
        rest = re.sub(rf" {found.group(2)}=\S+", "", found.group(1))
        rest += f" {found.group(2)}={CHANCE.randint(low, high)}"
    lines.type(verb + rest)
    moves.append(verb + rest)
    return True


def play(lines, moves):
    """Plays whenever it is its turn, until the game is over."""
    while "over" not in lines.hear(
            r"^Your turn\.$|^The game is over:").group():
        if not choose(lines, moves):
            return


# ---- accounts --------------------------------------------------------------------


def accounts(server):
    ana = Person(ROOM.name, "ana", server)
    tokens = os.path.join(ana.home, ".config/sobremesa/tokens")
    refused(ana, "not logged in", "whoami before anything", "whoami",
            wants=77)
    refused(ana, "at least 8", "a short password", "register", "ana",
            typed="short\n")
    refused(ana, "Password", "no password", "register", "ana")
    is_(ana.did("register", "ana", typed="secret of ana\n"),
        f"You are ana on {server}.\n", "register")
    is_(stat.S_IMODE(os.stat(tokens).st_mode), 0o600,
        "the token is nobody else's to read")
    is_(stat.S_IMODE(os.stat(os.path.dirname(tokens)).st_mode), 0o700,
        "nor its folder's")
    ok("secret of ana" not in open(tokens, encoding="utf-8").read(),
       "the password is kept nowhere")
    is_(ana.did("whoami"), f"ana on {server}\n", "whoami")
    refused(ana, "taken", "a name that is taken", "register", "ANA",
            typed="another one\n")
    refused(ana, "wrong", "a wrong password", "login", "ana",
            typed="not of ana\n")
    is_(ana.run("login", "a", "b")[0], 64, "two names are wrong usage")
    ana.did("logout")
    refused(ana, "not logged in", "whoami when logged out", "whoami",
            wants=77)
    refused(ana, "wrong", "a password with a blank behind it", "login",
            typed="ana\nsecret of ana \n")
    ana.did("login", typed=" ana \nsecret of ana\n")
    is_(ana.did("whoami"), f"ana on {server}\n", "login, a name among blanks")

    guest = ana.did("guest")
    like(guest, "guest-.* a guest", "guest")
    like(ana.did("whoami"), "a guest", "the last to log in counts")
    like(ana.did("whoami", "--as", "ana"), "^ana on", "--as")
    refused(ana, "nobody is not logged in", "--as somebody unknown", "whoami",
            "--as", "nobody", wants=77)
    like(ana.did("register", "--keep", "Gerd", typed="secret of gerd\n"),
         "You are Gerd", "a guest becomes somebody")
    is_(ana.did("whoami"), f"Gerd on {server}\n", "and is known as that")
    token = re.search(r" ana (\S+)", open(tokens, encoding="utf-8").read())
    bare = Person(ROOM.name, "bare", server)
    like(bare.did("whoami", env={"SOBREMESA_TOKEN": token.group(1)}),
         "^ana on", "a token from the environment")
    refused(bare, "token", "a token that is none", "whoami",
            env={"SOBREMESA_TOKEN": "x" * 32}, wants=77)
    return ana


def settings(ana):
    ben = Person(ROOM.name, "ben", ana.server)
    config = os.path.join(ben.home, ".config/sobremesa/config")
    ben.did("register", "ben", typed="secret of ben\n")
    del ben.env["SOBREMESA_SERVER"]
    like(ben.did("whoami"), "^ben on", "the server logged in to last")
    with open(config, "w", encoding="utf-8") as f:
        f.write("# mine\nserver = 127.0.0.1:1\nbell = off\n")
    refused(ben, "127.0.0.1:1: connection refused", "the config's server",
            "login", "ben", typed="secret of ben\n", wants=69)
    like(ben.did("whoami", "--server", ana.server), "^ben on",
         "the command line comes first")
    with open(config, "w", encoding="utf-8") as f:
        f.write("colour = perhaps\n")
    refused(ben, "config.*perhaps", "a config that will not do", "whoami")
    with open(config, "w", encoding="utf-8") as f:
        f.write("sever = x\n")
    refused(ben, "no setting 'sever'", "a setting that is none", "whoami")
    os.unlink(config)
    ben.env["SOBREMESA_SERVER"] = ana.server
    for server in ("nowhere", "ftp://x:1", "127.0.0.1:", ":7070", ""):
        if server:
            refused(ben, "no server", f"'{server}' is no server", "whoami",
                    "--server", server, env={"SOBREMESA_TOKEN": "x"},
                    wants=69)
    refused(ben, "/no/socket", "a socket that is not there", "whoami",
            "--server", "/no/socket", env={"SOBREMESA_TOKEN": "x"}, wants=69)
    return ben


# ---- tables ----------------------------------------------------------------------


def tables(ana, ben, web):
    like(ana.did("lobby"), "Your tables:\n  none", "an empty lobby")
    refused(ana, "no game 'chess'", "no such game", "create", "chess")
    refused(ana, "no option", "no such option", "create", "hacienda", "-o",
            "moon")
    refused(ana, "1 to 8|2 to 5", "too many seats", "create", "hacienda",
            "-n", "9")
    refused(ana, "no such user", "nobody of that name", "create", "hacienda",
            "--invite", "nobody")
    told = ana.did("create", "hacienda", "-n", "2", "-o", "variant1", "-b",
                   "asymmetric")
    like(told, r"^Table \w+: Hacienda", "create")
    table = told.split()[1].rstrip(":")
    like(ben.did("lobby", "--server", web),
         rf"Open tables:\n  {table} .*ana, 1 free.*variant1.*asymmetric",
         "the lobby, over WebSocket")
    is_(ben.did("join", table, "-q"), "1\n", "join")
    refused(ben, "seat at this table", "twice", "join", table)
    refused(ana, "no such table", "no such table", "join", "x")
    like(ana.did("lobby"), rf"{table}  hacienda  playing", "it has begun")

    table = ana.did("create", "tictactoe", "--private", "-q").strip()
    ok(table not in ben.did("lobby"), "a private table is in no list")
    table = ana.did("create", "tictactoe", "--password", "-q",
                    typed="open sesame\n").strip()
    like(ben.did("lobby"), f"{table}.*password", "one with a password is")
    refused(ben, "password is another", "without its password", "join", table)
    refused(ben, "password is another", "a wrong one", "join", table,
            "--password", typed="sesame\n")
    is_(ben.did("join", table, "--password", "-q", typed="open sesame\n"),
        "1\n", "with its password")

    table = ana.did("create", "tictactoe", "--manual", "-q").strip()
    ben.did("join", table)
    lines = ana.lines("play", table, "--plain")
    lines.hear("begins when you say `start`")
    lines.type("board")
    lines.hear("has not begun")
    lines.type("start")
    lines.hear("The game begins")
    lines.type("resign")
    lines.hear("The game is over: ben has won")
    is_(lines.end()[0], 0, "a game that was given up ends with 0")
    like(ana.did("fork", table, "--ply", "3", "--seat", "1"),
         r"^Table \w+: Tic-tac-toe", "fork: a game goes on where one was")
    refused(ana, "had not started", "fork: before the start", "fork", table,
            "--ply", "1")
    refused(ana, "no such table", "fork: no such table", "fork", "nothere")
    again = ana.did("rematch", table, "--quiet").strip()
    like(ben.did("rematch", table), rf"^Table {again}: Tic-tac-toe",
         "rematch: both come to one table")
    is_(ana.did("rematch", table, "--quiet").strip(), again,
        "rematch: who sits there is told which it is")
    refused(ana, "no such table", "play: no such table", "play", "x",
            "--plain")
    is_(ana.run("play", "hacienda")[0], 64, "a game is no table")
    status, _, said = ana.run("watch")
    is_(status, 64, "watch what?")
    ok("`sobremesa watch --help` says" in said, "and where one reads of it")


# ---- talk, undo, and what else there is at a table ----------------------------------


def at_the_table(ana, ben, web):
    table = ana.did("create", "tictactoe", "-q").strip()
    ben.did("join", table)
    one = ana.lines("play", table, "--plain")
    two = ben.lines("play", table, "--plain", "--server", web)
    three = ben.lines("watch", table, "--plain")
    one.hear("You are ana")
    two.hear("You are ben")
    one.hear("Your turn")
    two.hear("Waiting for ana")
    one.type("place b5")
    one.hear("It is said so: place cell=")
    one.type("place b2")
    one.hear("ana takes b2")
    two.hear("ana takes b2")
    one.type("undo")
    one.hear("ana takes back the last move")
    two.hear("ana takes back the last move")
    one.hear("Your turn")
    one.type("undo")
    one.hear("nothing of yours")
    one.type("place a1")
    two.hear("ana takes a1")
    two.hear("Your turn")
    two.type("say grüß dich, \"Ana\"")
    one.hear("ben says: grüß dich, \"Ana\"")
    one.type("chat")
    one.hear("ben says: grüß dich")
    one.type("note his first game")
    one.hear("his first game")
    two.type("note")
    two.hear("You have no note")
    two.type("place b2", "since")
    two.hear("ben takes b2")
    two.hear("ben takes b2")
    two.type("place a1")  # not his turn: from a pipe it waits
    one.hear("Your turn")
    one.type("place a2")
    two.hear("ana takes a2")
    two.hear("taken|occupied")
    two.type("place b1")
    one.type("wait", "place a3")
    one.hear("The game is over: ana has won")
    three.hear("The game is over: ana has won")
    two.hear("The game is over: ana has won")
    for lines in (one, two, three):
        is_(lines.end()[0], 0, "the game is over: 0")
    ok("his first game" not in two.out, "a note is one's own")

    told = ben.did("replay", table, "--all")
    like(told, r"ben takes b2\.\n", "replay: what happened")
    like(told, "takes back the last move", "replay: what was taken back, too")
    like(told, "ana has won", "replay: the end")
    told = ben.did("replay", table, "--plain", typed="next 2\nwhere\nback\n"
                   "board\nas 0\nend\nplace a1\n")
    like(told, "At step 2 of", "replay: steps")
    like(told, "as ana sees it", "replay: as somebody else")
    like(told, "only looked at", "replay: no moves")
    told = ben.did("replay", table, "--plain",
                   typed="next\nanalyse\nmachine\nnote mine\nquit\nquit\n")
    like(told, "not the table", "replay: moves are tried apart")
    like(ben.did("replay", table, "--plain", typed="next\nanalyse\ntree\n"),
         '"mine"', "replay: the server keeps what was tried")
    record = os.path.join(ROOM.name, "game.ndjson")
    daemon = d.Lines(d.address(ana.server))
    with open(record, "w", encoding="utf-8") as f:
        f.write("\n".join(d.record(daemon, table)) + "\n")
    daemon.close()
    like(ben.did("replay", record, "--all"), "ana has won",
         "replay: a file, without a server")
    with open(record, encoding="utf-8") as f:
        text = f.read().replace('"b2"', '"b3"', 1)
    with open(record, "w", encoding="utf-8") as f:
        f.write(text)
    refused(ben, "line .*ply", "replay: a record that is not true", "replay",
            record, "--all")


# ---- whole games ---------------------------------------------------------------------


def games(ana, ben, web):
    for game in ("hacienda", "hadara", "greement"):
        moves = []
        table = ana.did("create", game, "-q").strip()
        bot = ben.lines("bot", table, "--server", web, "-q")
        lines = ana.lines("play", table, "--plain")
        play(lines, moves)
        lines.hear(r"^ana +.*\d\.$")
        is_(lines.end()[0], 0, f"{game}: a whole game in lines")
        is_(bot.end()[0], 0, f"{game}: against a bot")
        ok(len(moves) > 5, f"{game}: {len(moves)} moves were typed")
        like(ana.did("replay", table, "--all"), "The game is over",
             f"{game}: and is looked at again")
    if "ASAN" in os.environ:
        return  # the same again, slowly
    for game in ("hacienda", "hadara", "greement", "tictactoe"):
        table = ana.did("create", game, "-q").strip()
        bots = [ana.lines("bot", table), ben.lines("bot", table)]
        for bot in bots:
            status, out = bot.end()
            is_(status, 0, f"{game}: two bots by themselves")
            like(out, "The game is over", f"{game}: and its result")


def invited(ana, ben):
    """A bot without a table: comes when invited, sits down where told to."""
    early = ana.did("create", "tictactoe", "-q", "--invite", "ben",
                    "--private").strip()
    like(ben.did("lobby"), f"{early} .*invited", "the lobby tells of it")
    bot = ben.lines("bot", "--count", "3", "--open", "--games", "tictactoe")
    bot.hear("ben waits for tables")
    two = [early, ana.did("create", "tictactoe", "-q", "--invite", "ben",
                          "--private").strip(),
           ana.did("create", "tictactoe", "-q").strip()]
    for table in two:
        is_(ana.lines("bot", table, "-q").end()[0], 0, "ana's side of it")
    status, out = bot.end()
    is_(status, 0, "a bot leaves after --count games")
    is_(set(re.findall(r"^Table (\w+)", out, re.M)) >= set(two), True,
        "where it was invited and where a seat was free")


def left_out(ana, ben, cai):
    """A bot that is told to play where others do says so and ends, at once and
    when the game is over."""
    cai.did("guest")
    table = ana.did("create", "tictactoe", "-q").strip()
    cai.did("join", table)
    status, out, err = ben.run("bot", table)
    is_((status, out), (1, ""), "a bot without a seat does not wait")
    like(err, f"{table}: the game has begun, and ben has no seat", "and says why")
    bots = [who.lines("bot", table, "-q") for who in (ana, cai)]
    is_([bot.end()[0] for bot in bots], [0, 0], "who has a seat plays on")
    is_(ben.run("bot", table)[0], 1, "nor has it one when the game is over")


# ---- a server that goes away ------------------------------------------------------------


def away(daemon, ana, ben, web):
    """The daemon is killed again and again while two play; a move may be on
    its way."""
    table = ana.did("create", "hacienda", "-q").strip()
    ben.did("join", table)
    people = [ana.lines("play", table, "--plain"),
              ben.lines("play", table, "--plain", "--server", web)]
    moves = []
    for person in people:
        person.hear("You are")  # a server never reached is not waited for
    for n in range(4):
        seat = acting(daemon, table)
        if seat is None:
            break
        # Two turns that are ended without an action would end the game.
        ok(choose(people[seat], moves, ends=0), f"lost {n}: a move is made")
        daemon.stop(signal.SIGKILL)
        for person in people:
            person.hear("Connection lost .* Trying again in")
        people[0].type(f"say nobody listens {n}")
        daemon.start(same=True)
        for person in people:
            person.hear("Connected again")
            person.hear(f"ana says: nobody listens {n}")
            ok(True, f"lost {n}: it is there again, and what was said")
    told = ana.did("replay", table, "--all")
    is_(len(re.findall("^ana says", people[1].out, re.M)),
        len(set(re.findall("^ana says.*", people[1].out, re.M))),
        "nothing was said twice")
    ok(len(told.splitlines()) > 10, "the moves are there")
    for person in people:
        person.type("resign", "quit")
    is_([p.end()[0] for p in people], [0, 0], "and leave")


def acting(daemon, table):
    """The seat that is waited for, or None."""
    peer = daemon.peer()
    seats = peer.call("table.get", table=table)["table"]["seats"]
    peer.close()
    return next((i for i, s in enumerate(seats) if s["acting"]), None)


with d.Daemon() as DAEMON:
    SERVER = DAEMON.ready["lines"]
    WEB = "ws://" + DAEMON.ready["http"]
    ANA = accounts(SERVER)
    ANA.did("login", "ana", typed="secret of ana\n")
    BEN = settings(ANA)
    BEN.did("login", "ben", typed="secret of ben\n")
    BEN.did("login", "ben", "--server", WEB, typed="secret of ben\n")
    tables(ANA, BEN, WEB)
    at_the_table(ANA, BEN, WEB)
    invited(ANA, BEN)
    left_out(ANA, BEN, Person(ROOM.name, "cai", SERVER))
    games(ANA, BEN, WEB)
    away(DAEMON, ANA, BEN, WEB)
done_testing()
