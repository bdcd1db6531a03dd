"""Who plays by mail alone is told of each turn, whenever the daemon dies.

Two people come to a table only when a mail has told them to, so a game of which
one notice is lost stands still.  The daemon is killed in the middle of moves, of
the mail server's dialogue and of nothing in particular, and goes on with the same
store.  No turn has two mails, but that one may come twice: as the same message.

KILLS=200 is the whole proof; SEED=n does what this printed again, as far as
threads and a disk do."""

import asyncio
import contextlib
import os
import random
import re
import signal
import socket
import threading
import traceback
from email import message_from_bytes, policy

import sobremesa as s
from aiosmtpd.controller import Controller
from sobremesa import Closed, Daemon, Lines
from tap import diag, done_testing, is_, ok

KILLS = int(os.environ.get("KILLS", 8 if s.ASAN else 16))
SEED = s.SEED
WORLDS = 4  # daemons at once, as most of the time is waiting
TABLES = 5  # in each
PATIENCE = 60  # seconds in which what a kill waits for usually comes
LATE = 60  # looks at most, of a twentieth of a second, until somebody comes
print(f"# KILLS={KILLS} SEED={SEED}", flush=True)

# Where a mail is when the daemon dies: what was said last, that all of it is
# there but not kept, kept but not answered, answered.
STAGES = ["MAIL", "RCPT", "DATA", "kept", "answered"]
DEATHS = ["act", "move", *STAGES]
KINDS = {"It is your turn": "turn", "The game has begun": "started",
         "The game is over": "finished"}
URL = "https://games.example/"


class Sink:
    """A mail server that is slow now and then, and springs a trap at a stage."""

    def __init__(self, rng):
        self.rng = rng
        self.mails = []  # (to, Message-ID, text)
        self.news = threading.Condition()
        self.trap = None  # (stage, what happens then)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.controller = Controller(self, hostname="127.0.0.1",
                                     port=self.port)
        self.controller.start()

    def spring(self, stage):
        with self.news:
            if self.trap is None or self.trap[0] != stage:
                return False
            act, self.trap = self.trap[1], None
        if stage == "answered":
            asyncio.get_running_loop().call_later(
                self.rng.uniform(0, 0.005), act)
        else:
            act()
        return True

    async def pause(self):
        if self.rng.random() < 0.15:
            await asyncio.sleep(self.rng.uniform(0, 0.5))

    async def handle_MAIL(self, _server, _session, envelope, address, _options):
        envelope.mail_from = address
        self.spring("MAIL")
        await self.pause()
        return "250 OK"

    async def handle_RCPT(self, _server, _session, envelope, address, _options):
        envelope.rcpt_tos.append(address)
        self.spring("RCPT")
        await self.pause()
        return "250 OK"

    async def handle_DATA(self, _server, _session, envelope):
        if self.spring("DATA"):
            return "451 too late"
        await self.pause()
        mail = message_from_bytes(envelope.content, policy=policy.default)
        text = mail.get_body(("plain",)).get_content().replace("\r\n", "\n")
        with self.news:
            self.mails.append((envelope.rcpt_tos[0], mail["Message-ID"], text))
            self.news.notify_all()
        self.spring("kept")
        await self.pause()
        self.spring("answered")
        return "250 OK"


class Table:
    """What is known of a table, and whom the server owes a mail about it."""

    def __init__(self, name, owner):
        self.name, self.owner = name, owner
        self.maker = owner  # of the last change
        self.sure = False  # what follows is so
        self.awaits = None  # (kind, person): who is to be told what
        self.told = None  # the Message-ID by which they were
        self.early = {}  # the same, told before we know that it is so
        self.comes = 0  # at which look they come, who were told
        self.seen = False
        self.asked = None  # (person, decision, move) without an answer


class World:
    """A daemon that dies, its mail server, and Ana and Ben."""

    def __init__(self, seed, deaths):
        self.rng = random.Random(seed)
        self.deaths = deaths
        self.sink = Sink(random.Random(self.rng.random()))
        self.daemon = None
        self.alive = False
        self.timer = self.moves_left = self.acts_left = None
        self.tables = []  # at which there is something to do
        self.all = {}
        self.letters = {}  # by Message-ID: to whom, and what it tells
        self.started = set()
        self.heard = self.looks = 0
        self.wrong = []
        self.untold = []
        self.moves = self.told = self.repeated = self.retried = 0
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self):
        try:
            self.begin()
            for death in self.deaths:
                self.round(death)
            self.end()
        except Exception:  # told to whoever waits
            self.wrong.append(traceback.format_exc())
        finally:
            self.sink.controller.stop()

    # ---- beginning and death ------------------------------------------------

    def begin(self):
        self.daemon = Daemon(
            "--set", f"mail.server=smtp://127.0.0.1:{self.sink.port}",
            "--set", "mail.from=games@example.org", "--set", "mail.rate=1000",
            "--set", f"server.url={URL}")
        self.alive = True
        self.tokens = []
        for name in ("ana", "ben"):
            peer = Lines(self.daemon.lines)
            self.tokens.append(peer.call(
                "account.register", name=name, password="long enough",
                email=f"{name}@home.example")["token"])
            with self.sink.news:
                count = len(self.tokens)
                assert self.sink.news.wait_for(
                    lambda: len(self.sink.mails) >= count, s.WAIT)
                text = self.sink.mails[-1][2]
            code = re.search(r"#confirm/([a-z2-7]+)", text)[1]
            peer.call("account.email.confirm", code=code)
            peer.call("notices.set", wait=0)
        self.heard = len(self.sink.mails)

    def come(self):
        self.people = [Lines(self.daemon.lines).resume(token)
                       for token in self.tokens]
        for person in self.people:
            if self.rng.random() < 0.5:  # what is due is decided sooner
                person.call("notices.set", wait=0)

    def strike(self):
        with self.sink.news:
            if self.alive:
                self.alive = False
                self.daemon.tell(signal.SIGKILL)
                self.sink.news.notify_all()

    def after(self, seconds):
        timer = threading.Timer(seconds, self.strike)
        timer.daemon = True
        timer.start()
        return timer

    def arm(self, death):
        self.moves_left = self.acts_left = None
        if death == "act":
            self.acts_left = self.rng.randrange(1, 12)
        if death == "move":
            self.moves_left = self.rng.randrange(1, 6)
        with self.sink.news:
            self.sink.trap = (death, self.strike) if death in STAGES else None
        return self.after(PATIENCE)

    def round(self, death):
        """Plays until the daemon is killed as DEATH says; starts it again."""
        timer = self.arm(death)
        try:
            self.come()
            while True:
                self.hear()
                if not self.act():
                    self.wait()
                elif self.acts_left is not None:
                    self.acts_left -= 1
                    if self.acts_left == 0:
                        self.strike()
        except (Closed, ConnectionError):
            if self.alive:
                raise
        timer.cancel()
        with self.sink.news:
            self.sink.trap = None
        self.daemon.end()
        self.daemon.start()
        self.alive = True

    def wait(self):
        with self.sink.news:
            if self.alive and len(self.sink.mails) == self.heard:
                self.sink.news.wait(0.05)
            if not self.alive:
                raise Closed()

    # ---- what comes -----------------------------------------------------------

    def hear(self):
        """Reads the mails that have come."""
        with self.sink.news:
            mails = self.sink.mails[self.heard:]
            self.heard += len(mails)
        for to, number, text in mails:
            items = {(KINDS[kind], table) for kind, table in re.findall(
                r"^(.+)\.\n\S+#table/(\w+)$", text, re.M)}
            person = ("ana@home.example", "ben@home.example").index(to)
            if number not in self.letters:
                self.letters[number] = person, items
                for kind, table in items:
                    self.tell(self.all[table], kind, person, number)
                if not items:
                    self.wrong.append(f"a mail that tells nothing: {text}")
                continue
            self.repeated += 1
            if self.letters[number][0] != person or \
                    not items <= self.letters[number][1]:
                self.wrong.append(f"{number}, which told {person} {items}, "
                                  f"told {self.letters[number]} before")

    def tell(self, table, kind, person, number):
        if kind == "started":
            if (table, person) in self.started:
                self.wrong.append(f"{table.name} has begun twice: {number}")
            self.started.add((table, person))
        elif not table.sure:
            if (kind, person) in table.early:
                self.wrong.append(f"{number}: {table.name} has a mail already")
            table.early[kind, person] = number
        elif table.awaits != (kind, person) or table.told:
            self.wrong.append(
                f"{number} tells {person} of {kind} at {table.name}, where "
                f"{table.awaits} is awaited and told by {table.told}")
        else:
            self.is_told(table, number)

    def is_told(self, table, number):
        self.told += number != "there"
        table.told = number
        table.comes = self.looks + self.rng.choice(
            [0, 0, self.rng.randrange(LATE)])

    # ---- play -------------------------------------------------------------------

    def act(self):
        """One thing that somebody does; whether there was any."""
        for table in self.tables:
            if table.asked:
                self.ask_again(table)
                return True
            if not table.sure:
                self.look_up(table)
                return True
        if len(self.tables) < TABLES:
            owner = self.rng.randrange(2)
            name = self.people[owner].call("table.create", game="tictactoe",
                                           seats=2)["table"]
            self.all[name] = table = Table(name, owner)
            self.tables.append(table)
            return True
        self.looks += 1
        ready = [t for t in self.tables if t.told and t.comes <= self.looks]
        if ready:
            self.visit(self.rng.choice(ready))
        return bool(ready)

    def look_up(self, table):
        """Finds out who is to be told what, which is no look of theirs."""
        state = self.people[0].call("table.get",
                                    table=table.name)["table"]["state"]
        if state == "open":
            if table.early:
                self.wrong.append(f"{table.name} has not begun: {table.early}")
            table.maker = 1 - table.owner
            self.people[table.maker].call("table.join", table=table.name)
            return
        if state == "playing":
            table.awaits = "turn", next(
                i for i, person in enumerate(self.people) if person.call(
                    "table.legal", table=table.name)["decision"] is not None)
        else:
            table.awaits = "finished", 1 - table.maker
        for key, number in table.early.items():
            if key != table.awaits:
                self.wrong.append(f"{number} tells {key} at {table.name}, "
                                  f"where it is {table.awaits}")
        table.sure, table.told, table.seen = True, None, False
        if table.awaits in table.early:
            self.is_told(table, table.early[table.awaits])
        elif table.awaits == ("turn", table.maker):
            self.is_told(table, "there")
        table.early = {}

    def visit(self, table):
        """Whoever was told comes: to look, or to play."""
        kind, person = table.awaits
        if kind == "finished" or (not table.seen and self.rng.random() < 0.3):
            self.people[person].call("table.seen", table=table.name)
            table.seen = True
            if kind == "finished":
                self.tables.remove(table)
            return
        legal = self.people[person].call("table.legal", table=table.name)
        table.asked = (person, legal["decision"],
                       self.rng.choice(legal["moves"]))
        table.sure = False
        if self.moves_left is not None:
            self.moves_left -= 1
            if self.moves_left == 0:  # in the midst of it
                self.after(0)
        self.ask(table)

    def ask(self, table):
        person, decision, move = table.asked
        answer = self.people[person].call("table.move", table=table.name,
                                          decision=decision, move=move)
        table.asked, table.maker = None, person
        self.moves += 1
        return answer

    def ask_again(self, table):
        """A move that was not answered counts once; who was told of it was told
        of what is so."""
        early = dict(table.early)
        self.retried += 1
        answer = self.ask(table)
        if early and not answer.get("duplicate"):
            self.wrong.append(f"{early} told of what was not stored")

    # ---- the end ------------------------------------------------------------------

    def end(self):
        """All who are to be told something are, and then nothing waits."""
        self.come()
        operator = self.daemon.operator()

        def all_told():
            self.hear()
            if any(t.asked or not t.sure for t in self.tables):
                self.act()
                return False
            if all(t.told for t in self.tables) and not self.waiting(operator):
                return True
            self.wait()
            return False

        with contextlib.suppress(s.InVain):  # which is judged below
            s.until(all_told, pause=0.01)
        self.untold = [(t.name, t.awaits) for t in self.tables if not t.told]
        if self.waiting(operator):
            self.wrong.append("something waits for ever")
        status, _ = self.daemon.stop()
        if status != 0:
            self.wrong.append(f"the end was not orderly: {status}")
        self.hear()

    def waiting(self, operator):
        told = operator.call("admin.notices")
        return told["waiting"] + sum(way["waiting"] for way in told["ways"])


def deal(rng):
    """Each death as often as any other."""
    deaths = (DEATHS * (KILLS // len(DEATHS) + 1))[:KILLS]
    rng.shuffle(deaths)
    return [deaths[i::WORLDS] for i in range(WORLDS)]


chance = random.Random(SEED)
worlds = [World(chance.random(), deaths) for deaths in deal(chance)]
for world in worlds:
    world.thread.join()


def total(name):
    return sum(getattr(world, name) for world in worlds)


def every(name):
    return [it for world in worlds for it in getattr(world, name)]


is_(every("untold"), [], f"in {KILLS} kills every one of {total('told')} turns "
    "and ends is told")
for what in every("wrong")[:20]:
    diag(what)
is_(len(every("wrong")), 0, "nothing that is not so, nothing in two mails")
ok(total("told") > KILLS, f"and there was play: {total('moves')} moves, "
   f"{len(every('letters'))} mails")
ok(KILLS < 100 or total("repeated") > 0,
   f"{total('repeated')} came twice, as the same message; {total('retried')} "
   "moves were asked again")
done_testing()
