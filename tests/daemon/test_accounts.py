"""Addresses, passwords by mail and second factors in the running daemon, with a
mail server: over every transport, after an end that was not orderly and after a
restored backup; that one click unsubscribes; and that no address, link or code is
in the log, nor any that is good for something in the store."""

import glob
import json
import os
import re
import socket
import subprocess
import threading
from email import message_from_bytes, policy

from aiosmtpd.controller import Controller
from sobremesa import (BIN, WAIT, Clocks, Daemon, Lines, Posting, Refused, Ws,
                       http, place, room, table_of)
from tap import done_testing, is_, ok
from totp import totp

GOOD = "long enough"
CTL = os.path.join(BIN, "sobremesactl")
URL = "https://games.example/"


class Sink:
    """A mail server that keeps what it gets: after the end of a daemon a mail may
    come again, as the same message."""

    def __init__(self):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        self.mails, self.came = [], threading.Condition()
        self.controller = Controller(self, hostname="127.0.0.1",
                                     port=self.port)
        self.controller.start()

    async def handle_DATA(self, server, session, envelope):
        mail = message_from_bytes(envelope.content, policy=policy.default)
        with self.came:
            if mail["Message-ID"] not in {m["Message-ID"]
                                          for _, m in self.mails}:
                self.mails.append((envelope.rcpt_tos, mail))
            self.came.notify()
        return "250 OK"

    def news(self, count):
        """Mail number COUNT, from 1, of those that one can unsubscribe from."""
        def those():
            return [m for _, m in self.mails if m["List-Unsubscribe"]]

        with self.came:
            if not self.came.wait_for(lambda: len(those()) >= count, WAIT):
                raise TimeoutError(f"news {count} does not come")
        return those()[count - 1]

    def wait(self, count):
        """The text of mail number COUNT, from 1, and to whom it went."""
        with self.came:
            if not self.came.wait_for(lambda: len(self.mails) >= count, WAIT):
                raise TimeoutError(f"mail {count} does not come")
        to, mail = self.mails[count - 1]
        text = mail.get_body(("plain",)).get_content()
        return to, re.sub(r"\s+", " ", text)


def refused(call, *args, **more):
    try:
        call(*args, **more)
    except Refused as e:
        return e.reason
    return None


def code_in(text, purpose):
    found = re.search(re.escape(f"{URL}#{purpose}/") + r"([a-z2-7]+)", text)
    assert found, f"no {purpose} link in: {text}"
    secrets.append(found[1])
    return found[1]


def store_has(daemon, secret):
    """Whether the bytes of SECRET are in any file of the store."""
    for path in glob.glob(os.path.join(daemon.data, "sobremesa.db*")):
        with open(path, "rb") as f:
            if secret.encode() in f.read():
                return True
    return False


secrets = []
sink = Sink()
config = ("--set", f"mail.server=smtp://127.0.0.1:{sink.port}", "--set",
          "mail.from=games@example.org", "--set", f"server.url={URL}", "--set",
          "log.level=debug")
clocks = Clocks()
server = Daemon(*config, env=clocks.env)

# Somebody registers with an address, confirms it and forgets the password.
ana = server.peer()
is_(ana.call("server.hello")["mail"], True, "the server says that it sends mail")
device = ana.call("account.register", name="ana", password=GOOD,
                  email="ana@home.example")["device"]
to, text = sink.wait(1)
is_(to, ["ana@home.example"], "what asks for the address goes there")
ok("ana " not in text.replace("ana@", ""), "and does not say whose account")
never = code_in(text, "never")
code = code_in(text, "confirm")
ok(not store_has(server, code), "its link is in no file of the store")
eve = server.peer()
is_(eve.call("account.link", code=code)["purpose"], "confirm",
    "to look at it changes nothing")
is_(eve.call("account.email.confirm", code=code)["user"]["name"], "ana",
    "it is confirmed")
is_(refused(eve.call, "account.email.confirm", code=code), "link_used", "once")
is_(refused(eve.call, "account.get"), "not_authenticated",
    "which logs nobody in")
eve.call("account.reset.send", email="ana@home.example")
eve.call("account.reset.send", email="nobody@home.example")
_, text = sink.wait(2)
code = code_in(text, "reset")
ok(not store_has(server, code), "nor is the one for a password")

# A backup from now; the link is used; then the backup is put back.
copy = os.path.join(room(), "copy.db")
Lines(server.admin).call("admin.backup", path=copy)
eve.call("account.reset", code=code, password="quite another")
is_(refused(eve.call, "account.reset", code=code, password=GOOD), "link_used",
    "a new password, once")
is_(refused(server.peer().call, "session.login", name="ana", password=GOOD),
    "bad_credentials", "the old one is over")
server.stop()
status = subprocess.run([CTL, "--data", server.data, "restore", copy],
                        capture_output=True, text=True)
ok(status.returncode == 0, f"the backup is put back: {status.stderr}")
server = Daemon(*config, data=server.data)
eve = server.peer()
is_(refused(eve.call, "account.reset", code=code, password="quite another"),
    "no_such_link", "with it no one-time link is good any more")
server.peer().call("session.login", name="ana", password=GOOD, device=device)

# Somebody from elsewhere is told of.
server.peer().call("session.login", name="ana", password=GOOD)
to, text = sink.wait(3)
is_(to, ["ana@home.example"], "a log-in from a new device is told")

# A second factor, over every transport; while time stands codes stay good.
clocks.stand()
ana = server.peer()
ana.call("session.login", name="ana", password=GOOD, device=device)
key = ana.call("account.totp.begin", password=GOOD)["key"]
secrets.append(key)
recovery = ana.call("account.totp.confirm", code=totp(key, clocks.now()))["recovery"]
secrets.extend(recovery)
who = {"name": "ana", "password": GOOD, "device": device}
is_(refused(Lines(server.lines).call, "session.login", **who), "code_required",
    "lines: a code is asked for")
is_(refused(Ws(server.http).call, "session.login", **who), "code_required",
    "WebSocket: too")
is_(refused(Posting(server.http).call, "session.login", **who),
    "code_required", "POST /rpc: too")


def session(**params):
    """What a page gets that logs in."""
    body = json.dumps({"method": "session.login", "params": params})
    return http(server.http, "POST", "/session",
                {"Content-Type": "application/json"}, body.encode()).json()


is_(session(**who)["error"]["data"]["reason"], "code_required",
    "POST /session: too")
used = totp(key, clocks.now(), 1)  # the one before has confirmed it
Lines(server.lines).call("session.login", code=used, **who)
told = session(name="ana", password=GOOD, code=recovery[1])
clocks.go()
is_((told["user"]["name"], len(told["device"]), "token" in told),
    ("ana", 32, False), "POST /session: who it is, and what to keep")
is_(sink.wait(4)[0], ["ana@home.example"], "of a device not known it is told")
server.kill()
server.start()
is_(refused(server.peer().call, "session.login", code=used, **who), "bad_code",
    "a code that was used is used after an end that was not orderly")
Ws(server.http).call("session.login", code=recovery[0], **who)
server.kill()
server.start()
is_(refused(server.peer().call, "session.login", code=recovery[0], **who),
    "bad_code", "and so is one for recovery")
for code in recovery[1:]:
    ok(not store_has(server, code.replace("-", "")),
       "a recovery code is in no file of the store")

# The operator takes it away; it is told.
done = subprocess.run([CTL, "--yes", "--data", server.data, "users", "totp-remove",
                       "ana"], capture_output=True, text=True)
ok(done.returncode == 0, f"sobremesactl users totp-remove: {done.stderr}")
to, text = sink.wait(5)
ok("second factor" in text, "its owner is told by mail")
server.peer().call("session.login", **who)

# One-click unsubscribing (RFC 8058), by who has the mail and nothing else.  Ana is
# told of her turn; to open the address changes nothing; to post to it does.
ben = server.peer().guest()
ana = server.peer()
ana.call("session.login", name="ana", password=GOOD, device=device)
ana.call("notices.set", wait=0)
table = table_of([ana, ben])


def kinds():
    """Of what Ana is told by mail."""
    return ana.call("notices.get")["channels"][0]["kinds"]


def unsubscribe(method, **options):
    return http(server.http, method, path, **options)


mail = sink.news(1)
path = mail["List-Unsubscribe"][1:-1].replace(URL, "/", 1)
ok(re.fullmatch(r"/unsubscribe/[a-z2-7]{45}", path),
   "a mail says where one unsubscribes")
is_(mail["List-Unsubscribe-Post"], "List-Unsubscribe=One-Click",
    "and that one click does it")
secrets.append(path.split("/")[-1])
before = kinds()
ok("turn" in before, "of turns she is told")
is_([unsubscribe(method).status for method in ("GET", "HEAD")], [303, 303],
    "to open it leads to a page")
is_(kinds(), before, "and changes nothing")
place(ana, table, 3, "a1")
place(ben, table, 4, "b1")
text = sink.news(2).get_body(("plain",)).get_content()
ok("your turn" in text, "she is told of the next turn, too")
is_(unsubscribe("POST", headers={"Content-Type":
                                 "application/x-www-form-urlencoded"},
                body=b"List-Unsubscribe=One-Click").status, 200,
    "one click is taken")
ok("turn" not in kinds() and "finished" in kinds(),
   "it is about what the mail was about, and nothing else")
place(ana, table, 5, "a2")
place(ben, table, 6, "b2")
other = table_of([ana, ben])
ben.call("table.resign", table=other)
text = sink.news(3).get_body(("plain",)).get_content()
ok(other in text and table not in text, "after it she is told of a game's end, "
   "and of no turn")

# Never again, until the operator allows it.
eve = server.peer()
eve.call("account.email.never", code=never)
is_(server.peer().call("server.hello")["mail"], True, "mail goes on for others")
for wanted in (0, 1):
    done = subprocess.run([CTL, "--data", server.data, "users", "allow-mail",
                           "ANA@home.example"], capture_output=True, text=True)
    is_(done.returncode, wanted, f"sobremesactl users allow-mail: {done.stderr}")
server.stop()

with open(server.errors.name, encoding="utf-8") as f:
    log = f.read()
ok("event=email_confirmed" in log or "event=login " in log, "there is a log")
ok("home.example" not in log, "no mail address is in it")
is_([s for s in secrets if s in log and not s.isdigit()], [],
    "no link, key or code")
sink.controller.stop()
done_testing()
