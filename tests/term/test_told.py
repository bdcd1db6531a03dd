"""How the terminal's people are told things when they are away, and what a
server knows of who they are: `sobremesa notices`, `email`, `hours`, `factor`,
and a log-in with a second factor."""

import base64
import email
import hashlib
import hmac
import os
import queue
import re
import struct
import tempfile
from email.header import decode_header, make_header

import daemon as d
from person import Person
from smtp import Mailserver
from tap import diag, done_testing, is_, ok

ROOM = tempfile.TemporaryDirectory()


class Sink:
    """Takes all mails."""

    def __init__(self):
        self.mails = queue.Queue()
        self.subjects = []

    async def handle_DATA(self, _server, _session, envelope):
        mail = email.message_from_bytes(envelope.content)
        self.subjects.append(mail["Subject"])
        self.mails.put(mail)
        return "250 taken"

    def link(self, word):
        """The code behind #WORD in the next mail that has one."""
        while True:
            mail = self.mails.get(timeout=d.WAIT)
            for part in mail.walk():
                if part.get_content_type() == "text/plain":
                    text = part.get_payload(decode=True).decode()
                    found = re.search(rf"#{word}/([\w-]+)", text)
                    if found:
                        return found.group(1)


def like(text, pattern, what):
    if not ok(re.search(pattern, text, re.M), what):
        diag(text[-2000:])


def refused(person, pattern, what, *arguments, **more):
    status, out, err = person.run(*arguments, **more)
    is_(status, 1, f"{what}: status 1")
    like(err, pattern, f"{what}: why")
    return out


def code(key, ahead=0):
    """RFC 6238."""
    secret = base64.b32decode(key)
    count = struct.pack(">Q", int(CLOCKS.now()) // 30000 + ahead)
    made = hmac.new(secret, count, hashlib.sha1).digest()
    at = made[19] & 15
    return f"{(struct.unpack('>I', made[at:at + 4])[0] & 0x7fffffff) % 10**6:06}"


def address(daemon, sink, ana):
    ana.did("register", "ana", "--email", "ana@home.example",
            typed="correct horse\n")
    like(ana.did("email"), r"^ana@home\.example, not confirmed$",
         "an address that is not confirmed")
    daemon.peer().call("account.email.confirm", code=sink.link("confirm"))
    like(ana.did("email"), r"^ana@home\.example, confirmed$", "one that is")
    devices(sink, ana)
    refused(ana, "wrong", "another's password", "email", "x@home.example",
            typed="something else\n")
    out = ana.did("email", "ana@work.example", typed="correct horse\n")
    like(out, r"^ana@work\.example takes its place once it is confirmed",
         "another address")
    sink.link("confirm")  # by now any other mail of a log-in has come, too
    is_(sum("log" in subject for subject in sink.subjects), 1,
        "of log-ins there was one mail")
    like(ana.did("email", "none", typed="correct horse\n"), "given no address",
         "none")


def language(server, sink):
    """Who is spoken to in French is sent French, from the first mail on."""
    for name, keep in (("eve", False), ("fay", True)):
        who = Person(ROOM.name, name, server)
        if keep:
            who.did("guest")
        who.did("register", name, "--email", f"{name}@home.example",
                *(["--keep"] if keep else []), typed="correct horse\n",
                env={"LC_ALL": "fr_FR.UTF-8"})
        like(who.did("notices"), "; in French$", f"{name}: in French")
        subject = sink.mails.get(timeout=d.WAIT)["Subject"]
        like(str(make_header(decode_header(subject))), "votre adresse",
             f"{name}: the first mail, too")


def told(ana):
    out = ana.did("notices")
    like(out, r"^Ways here: .*webhook", "what there is")
    like(out, r"^When: after 60 s, unless you have looked; in English$", "when")
    like(out, "none: you are told nothing", "where: nowhere")
    ana.did("notices", "set", "wait=300", "digest=weekly", "language=fr")
    like(ana.did("notices"),
         r"^When: after 300 s, unless you have looked; all together "
         r"once a week, next \d{4}-\d\d-\d\d \d\d:\d\d; in French$", "changed")
    ana.did("notices", "set", "at_once=on", "digest=never")
    like(ana.did("notices"), "^When: always at once; in French$", "at once")
    refused(ana, "expected wait=SECONDS", "what is no setting", "notices",
            "set", "colour=red")
    out = refused(ana, "did not arrive", "nobody there", "notices", "add",
                  "ntfy", "https://ntfy.invalid/ana", "--label", "Telephone")
    channel = re.search(r"^Channel (\w+)\.$", out, re.M).group(1)
    like(ana.did("notices"), rf"{channel}  ntfy +Telephone +not tried yet",
         "what was not tried with success is not used")
    ana.did("notices", "kinds", channel, "turn,chat")
    like(ana.did("notices"),
         r"^      my turn, somebody writes(, my account)?$", "two kinds alone")
    ana.did("notices", "kinds", channel, "invited,started", "--also")
    ana.did("notices", "kinds", channel, "chat", "--without")
    like(ana.did("notices"),
         r"^      my turn, I am invited, a game begins(, my account)?$",
         "some more, one less")
    refused(ana, "no such kind", "what is no kind", "notices", "kinds",
            channel, "dance")
    ana.did("notices", "remove", channel)
    like(ana.did("notices"), "none: you are told nothing", "removed")
    table = ana.did("create", "-q", "tictactoe").split()[0]
    ana.did("notices", "mute", table)
    like(ana.did("notices"), f"^Nothing of these tables: {table}$", "muted")
    ana.did("notices", "unmute", table)
    ok(table not in ana.did("notices"), "and not")
    like(ana.did("notices", "sent"), "account", "what was sent")
    is_(ana.run("notices", "dance")[0], 64, "wrong usage")
    is_(ana.run("notices", "kinds", channel)[0], 64, "too few words")


def hours(ana):
    like(ana.did("hours"), "always there", "no hours")
    like(ana.did("hours", "18:30-23:15", "--days", "mon,tue,wed,thu,fri",
                 "--zone", "Europe/Paris"),
         r"^18:30-23:15 on mon,tue,wed,thu,fri by the clocks of Europe/Paris$",
         "hours are set")
    like(ana.did("hours"), "^18:30-23:15 on mon", "and kept")
    refused(ana, "seven days", "too soon", "hours", "always")
    refused(ana, "expected HH:MM", "what is no time", "hours", "25:00-3")


def blocks(ana):
    like(ana.did("block"), "nobody", "nobody is blocked")
    ben = Person(ROOM.name, "ben", ana.server)
    ben.did("register", "ben", typed="correct horse\n" * 2)
    ana.did("block", "BEN")
    is_(ana.did("block"), "ben\n", "whom she blocks")
    table = ben.did("create", "-q", "tictactoe").split()[0]
    refused(ana, "block them, or somebody there", "where ben sits", "join", table)
    ana.did("unblock", "ben")
    like(ana.did("block"), "nobody", "nobody is any more")
    ana.did("join", table)
    refused(ana, "no such user", "who is not there", "block", "nobody")
    is_(ana.run("unblock")[0], 64, "nobody is named")


def invitations(ana):
    ben = Person(ROOM.name, "ben", ana.server)
    table = ben.did("create", "-q", "hadara", "--seats", "3", "--invite",
                    "ana", "--private").split()[0]
    like(ana.did("tables"), table, "she is invited")
    ana.did("decline", table)
    ok(table not in ana.did("tables"), "she has declined")
    refused(ana, "no such table", "what is none of hers", "decline", table)
    is_(ana.run("decline")[0], 64, "no table is named")
    link = ben.did("link", table, "--uses", "2").strip()
    like(link, r"#join/\w{32}$", "a personal link")
    number = ben.did("link", table, "--list").split()[0]
    ana.did("join", "#" + link.split("#")[1])
    ben.did("link", table, "--revoke", number)
    refused(ana, "no such link", "a link that is over", "join",
            "#" + link.split("#")[1])


def copied(ana, page):
    ben = Person(ROOM.name, "ben", ana.server)
    ben.started = 100  # or their keys would be those of before
    table = ben.did("create", "-q", "tictactoe").split()[0]
    like(ana.did("join", f"#table/{table}/0"), f"seat 1 at table {table}",
         "join takes a link as the page copies it")
    stranger = Person(ROOM.name, "stranger", "127.0.0.1:1")
    like(stranger.did("replay", "--all", f"{page}/#table/{table}/1"),
         "tic-tac-toe|Tic-tac-toe", "replay, too, and goes to its server")


def factor(ana):
    like(ana.did("factor"), "is off", "no second factor")
    lines = ana.lines("factor", "on")
    lines.type("correct horse")
    key = lines.hear(r"^ {4}([A-Z2-7]{32})$").group(1)
    lines.hear("otpauth://totp/")
    lines.type(code(key))
    recovery = lines.hear(r"(?s)told\s+only now:\n((    \S+\n)+)").group(1)
    is_(lines.end()[0], 0, "a second factor is set up")
    recovery = recovery.split()
    like(ana.did("factor"), f"is on; {len(recovery)} recovery", "it is on")
    ana.did("logout")
    refused(ana, "wrong", "a wrong code", "login", "ana",
            typed="correct horse\n000000\n")
    like(ana.did("login", "ana", typed=f"correct horse\n{recovery[0]}\n"),
         "^You are ana", "a recovery code lets in")
    like(ana.did("login", "ana", typed=f"correct horse\n{code(key, 1)}\n"),
         "^You are ana", "and one of the app")
    ana.did("factor", "off", typed=f"{recovery[1]}\ncorrect horse\n")
    like(ana.did("factor"), "is off", "it is off again")


def devices(sink, ana):
    """A log-in from where they were before is told to nobody."""
    config = os.path.join(ana.home, ".config/sobremesa/devices")
    is_(os.stat(config).st_mode & 0o777, 0o600,
        "where they were before is nobody else's to read")
    ana.did("logout")
    ana.did("login", "ana", typed="correct horse\n")
    elsewhere = Person(ROOM.name, "elsewhere", ana.server)
    elsewhere.did("login", "ana", typed="correct horse\n")
    while "log" not in sink.mails.get(timeout=d.WAIT)["Subject"]:
        pass
    ok(True, "one from elsewhere is")


CLOCKS = d.Clocks()
SINK = Sink()
SMTP = Mailserver(SINK)
SMTP.start()
with d.Daemon("--set", f"mail.server=smtp://127.0.0.1:{SMTP.port}",
              "--set", "mail.from=games@club.example",
              "--set", "mail.rate=1000",
              "--set", "server.url=https://club.example",
              env=CLOCKS.env) as server:
    ANA = Person(ROOM.name, "ana", server.ready["lines"])
    language(server.ready["lines"], SINK)
    address(server, SINK, ANA)
    told(ANA)
    hours(ANA)
    blocks(ANA)
    invitations(ANA)
    copied(ANA, f"http://{server.ready['http']}")
    CLOCKS.stand()  # a code is good for half a minute
    factor(ANA)
    CLOCKS.go()
SMTP.stop()
done_testing()
