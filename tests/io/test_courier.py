#!/usr/bin/python3
"""What becomes of deliveries: by mail to servers that take it, refuse it at each
command, are slow, close, or have no TLS; by calls to receivers that do all that
a receiver may; and that nothing is called which should not be.

The courier's clock stands still, and goes on when it is told to (carry.c): so how
fast this machine is makes no difference to who waits, and who has no time left."""

import asyncio
import base64
import hashlib
import hmac
import http.server
import json
import os
import select
import socket
import ssl
import subprocess
import tempfile
import threading
from email import message_from_bytes, policy

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from daemon import WAIT, until
from tap import done_testing, is_, ok

CARRY = os.path.join(os.environ["BIN"], "../test/io/carry")
ROOM = tempfile.mkdtemp(prefix="c.")
CERT = os.path.join(ROOM, "cert.pem")
KEY = os.path.join(ROOM, "key.pem")
# Every name below .localhost is this machine's for curl, and so a name that is
# not known to be near.
HOST = "hook.localhost"
# The keys of RFC 8291's browser.
SUBSCRIPTION = ("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7V"
                "d8pZGH6SRpkNtoIAiw4 BTBZMqHH6r4Tts7J_aSIgg")

subprocess.run(
    ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
     "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=test",
     "-addext", f"subjectAltName=DNS:{HOST},DNS:*.{HOST},DNS:mail.localhost", "-keyout",
     KEY, "-out", CERT], check=True, stderr=subprocess.DEVNULL)


def tls():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERT, KEY)
    return context


class Carry:
    """The courier, with what it said of each delivery."""

    def __init__(self, **config):
        env = {**os.environ, "https_proxy": "http://127.0.0.1:9",
               "HTTPS_PROXY": "http://127.0.0.1:9",
               "all_proxy": "http://127.0.0.1:9"}
        self.process = subprocess.Popen(
            [CARRY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env,
            bufsize=0)
        self.last, self.last_settled = 0, 1000
        self.passed = 0
        self.said, self.added = {}, {}
        self.tell(config={"authorities": CERT, "contact": "mailto:op@x.y",
                          **config})

    def tell(self, **what):
        line = json.dumps(what) + "\n"
        self.process.stdin.write(line.encode())
        self.process.stdin.flush()

    def add(self, channel, target, **more):
        self.last += 1
        self.added[self.last] = {"id": self.last, "channel": channel,
                                 "target": target, **more}
        self.tell(**self.added[self.last])
        return self.last

    def heard(self):
        if not select.select([self.process.stdout], [], [], WAIT)[0]:
            raise TimeoutError("the courier says nothing")
        line = self.process.stdout.readline()
        assert line, "the courier is gone"
        return json.loads(line)

    def first_outcome(self, number):
        while number not in self.said:
            o = self.heard()
            self.said[o["id"]] = o
        return self.said[number]

    def outcome(self, number):
        """What becomes of it in the end: as the hub does, what is to come later is
        added again."""
        while self.first_outcome(number)["result"] == "later":
            self.time_passes(200)
            del self.said[number]
            self.tell(**self.added[number])
        return self.said[number]

    def result(self, *args, **more):
        return self.outcome(self.add(*args, **more))

    def settle(self):
        """What was told before has been taken up, as what comes after it has."""
        self.last_settled += 1
        self.tell(id=self.last_settled, channel="push", target="nothing",
                  secret="no keys")
        self.first_outcome(self.last_settled)

    def time_passes(self, ms):
        self.settle()
        self.passed += ms
        self.tell(**{"pass": ms})
        self.settle()

    def nothing_of(self, *numbers):
        """None of these has an outcome, of what the courier has said so far."""
        self.settle()
        return not any(number in self.said for number in numbers)

    def opened(self, body):
        text = base64.urlsafe_b64encode(body).rstrip(b"=").decode()
        self.tell(open=text)
        return self.heard()

    def close(self):
        self.process.stdin.close()
        return self.process.wait(WAIT)


# ---- mail ------------------------------------------------------------------------


class Sink:
    """A mail server that answers by the first letters of the address."""

    def __init__(self):
        self.mails = []
        self.froms = []
        self.refuse_from = None
        self.released = threading.Event()  # who is slow

    async def handle_MAIL(self, server, session, envelope, address, options):
        self.froms.append(address)
        if self.refuse_from:
            return self.refuse_from
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        word = address.split("@")[0]
        if word == "close":
            server.transport.abort()
            return "421 gone"
        if word == "slow":
            await asyncio.to_thread(self.released.wait)
        answer = {
            "r450": "450 4.2.1 later",
            "r550": f"550 5.1.1 <{address}> is not known here",
            "policy": "550 5.7.1 you may not relay",
        }.get(word)
        if answer:
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        word = envelope.rcpt_tos[0].split("@")[0]
        answer = {
            "d451": "451 4.3.0 disk full",
            "d554": "554 5.6.0 I do not like it",
            "d571": "554 5.7.1 spam",
        }.get(word)
        if answer:
            return answer
        self.mails.append((envelope.rcpt_tos, envelope.content))
        return "250 OK"


class Free(Controller):
    """On a port that is free, and stays its own."""

    def __init__(self, *args, **options):
        self.socket = socket.create_server(("127.0.0.1", 0))
        super().__init__(*args, port=self.socket.getsockname()[1], **options)

    def _create_server(self):
        return self.loop.create_server(self._factory_invoker, sock=self.socket,
                                       ssl=self.ssl_context)


def sink(**options):
    handler = Sink()
    server = Free(handler, hostname="127.0.0.1", enable_SMTPUTF8=False,
                  ready_timeout=WAIT, timeout=WAIT, **options)
    server.start()
    return handler, server, server.port


def check_mail():
    near, server, port = sink()
    carry = Carry(mail_server=f"smtp://localhost:{port}",
                  mail_from="games@club.example",
                  mail_bounces="bounces@club.example")
    slow = carry.add("mail", "slow@x.example")
    until(lambda: near.froms)
    o = carry.result("mail", "ok@x.example")
    is_(o["result"], "done", "a mail is taken")
    ok(carry.nothing_of(slow), "a slow receiver delays nobody")
    check_message(near.mails[0])
    is_(near.froms[-1], "bounces@club.example",
        "and goes back to the address for that")
    for word, result, why in (
            ("r450", "retry", "RCPT: 450"),
            ("r550", "gone", "RCPT: 550"),
            ("policy", "ours", "RCPT: 550 5.7.1"),
            ("d451", "retry", "DATA: 451"),
            ("d554", "retry", "DATA: 554 is not of the receiver"),
            ("d571", "ours", "DATA: 554 5.7.1"),
            ("close", "retry", "the end in the midst of it")):
        o = carry.result("mail", f"{word}@x.example")
        is_(o["result"], result, why)
        ok("@" not in o["said"], f"and no address is told: {o['said']}")
    ok(carry.nothing_of(slow), "who is slow may be")
    near.released.set()
    is_(carry.outcome(slow)["result"], "done", "and has theirs, too")
    for bad in ("a@b.c\r\nRCPT TO:<x@y.z>", "no address", "a@b.c>",
                "-oops@x.example"):
        is_(carry.result("mail", bad)["result"], "gone",
            f"{bad!r} is no address")
    near.refuse_from = "550 5.1.8 sender unknown"
    is_(carry.result("mail", "r550@x.example")["result"], "ours",
        "MAIL FROM: 550")
    near.refuse_from = "451 4.7.1 greylisted"
    is_(carry.result("mail", "ok@x.example")["result"], "ours",
        "MAIL FROM: 451")
    server.stop()
    is_(carry.result("mail", "ok@x.example")["result"], "ours",
        "no server at all")
    carry.tell(config={"mail_from": "games@club.example"})
    is_(carry.result("mail", "ok@x.example")["result"], "ours",
        "no server that is configured")
    is_(carry.close(), 0, "the courier ends")


def check_message(mail):
    receivers, content = mail
    is_(receivers, ["ok@x.example"], "it goes to one receiver")
    m = message_from_bytes(content, policy=policy.default)
    is_(m.defects, [], "it is whole")
    is_(m["From"], "The club <games@club.example>", "it is from the server")
    is_(m["Subject"], "Hacienda with Zoé <b> and @everyone – It is your turn",
        "its subject can be read")
    is_(m["Message-ID"], "<maaaaaaaaaaaac@club.example>",
        "its id is that of the delivery")
    is_(m["References"], "<taaaaaaaaaaaah@club.example>",
        "it is of the table's thread")
    is_(m["List-Unsubscribe"], "<https://club.example/unsubscribe/token>",
        "it can be unsubscribed from")
    is_(m["List-Unsubscribe-Post"], "List-Unsubscribe=One-Click",
        "with one click")
    is_(m["Auto-Submitted"], "auto-generated", "no machine is to answer")
    plain = m.get_body(("plain",)).get_content().replace("\r\n", "\n")
    html = m.get_body(("html",)).get_content().replace("\r\n", "\n")
    ok("Hacienda with Zoé <b> and @everyone\nIt is your turn." in plain,
       "the text says what happened")
    ok("Zoé &lt;b&gt;" in html and "<b>" not in html, "so does the HTML")
    ok("https://club.example/#table/aaaaaaaaaaaah" in plain and
       "https://club.example/#table/aaaaaaaaaaaah" in html, "and where")


def check_mail_tls():
    def login(server, session, envelope, mechanism, data):
        good = data.login == b"me" and data.password == b"right"
        return AuthResult(success=good, handled=False)

    far, server, port = sink(tls_context=tls(), require_starttls=True,
                             authenticator=login, auth_required=True)
    where = {"mail_server": f"smtp://mail.localhost:{port}",
             "mail_from": "games@club.example", "mail_user": "me"}
    carry = Carry(mail_password="right", **where)
    is_(carry.result("mail", "ok@x.example")["result"], "done",
        "with TLS and the password it goes")
    is_(len(far.mails), 1, "once")
    carry.close()
    carry = Carry(mail_password="wrong", **where)
    o = carry.result("mail", "r550@x.example")
    is_(o["result"], "ours", f"with another password not: {o['said']}")
    carry.close()
    carry = Carry(mail_password="right", **where, authorities="")
    o = carry.result("mail", "ok@x.example")
    is_(o["result"], "ours", f"nor to whom nobody vouches for: {o['said']}")
    carry.close()
    server.stop()

    bare, server, port = sink()
    carry = Carry(mail_server=f"smtp://mail.localhost:{port}",
                  mail_from="games@club.example")
    o = carry.result("mail", "ok@x.example")
    is_(o["result"], "ours", f"nor without TLS: {o['said']}")
    is_(bare.froms, [], "nothing was said there")
    carry.close()
    server.stop()


def check_rate():
    near, server, port = sink()
    carry = Carry(mail_server=f"smtp://localhost:{port}",
                  mail_from="games@club.example", mail_rate=5)
    for _ in range(6):
        carry.add("mail", "ok@x.example")
    came = []  # when the mails were there, in the courier's time
    for number in range(1, 7):
        carry.outcome(number)
        came += [carry.passed] * (len(near.mails) - len(came))
        carry.time_passes(199)
        ok(carry.nothing_of(number + 1), "the next one waits")
        came += [carry.passed] * (len(near.mails) - len(came))
        carry.time_passes(1)
    is_(came, [0, 200, 400, 600, 800, 1000],
        "six mails at five a second take one")
    carry.close()
    server.stop()


SENDMAIL = """#!/bin/sh
printf '%s\\n' "$@" >>{room}/args
cat >>{room}/mail
echo "nobody is <$6>" >&2
case $5 in (*) ;; esac
case $6 in
r67@*) exit 67;;
r75@*) exit 75;;
r78@*) exit 78;;
killed@*) kill -9 $$;;
esac
"""


def check_sendmail():
    program = os.path.join(ROOM, "sendmail")
    with open(program, "w", encoding="utf-8") as f:
        f.write(SENDMAIL.format(room=ROOM).replace("$6", "${5:-$4}"))
    os.chmod(program, 0o755)
    carry = Carry(mail_server=f"sendmail:{program}",
                  mail_from="games@club.example",
                  mail_bounces="bounces@club.example")
    is_(carry.result("mail", "ok;x|y@x.example")["result"], "gone",
        "what a shell would read is no address")
    is_(carry.result("mail", "o'k@x.example")["result"], "done",
        "sendmail takes a mail")
    with open(os.path.join(ROOM, "args"), encoding="utf-8") as f:
        is_(f.read().split("\n"),
            ["-i", "-f", "bounces@club.example", "--", "o'k@x.example", ""],
            "called without a shell")
    with open(os.path.join(ROOM, "mail"), "rb") as f:
        m = message_from_bytes(f.read(), policy=policy.default)
    is_(m["To"], "o'k@x.example", "the mail is whole")
    for word, result in (("r67", "gone"), ("r75", "retry"), ("r78", "ours"),
                         ("killed", "ours")):
        o = carry.result("mail", f"{word}@x.example")
        is_(o["result"], result, f"sendmail: {o['said']}")
        ok("@" not in o["said"], "and no address is told")
    carry.tell(config={"mail_server": "sendmail:/nowhere/sendmail",
                       "mail_from": "games@club.example"})
    is_(carry.result("mail", "ok@x.example")["result"], "ours",
        "no such program")
    carry.close()


# ---- calls -----------------------------------------------------------------------


class Receiver(http.server.BaseHTTPRequestHandler):
    """What it does stands in the path."""

    protocol_version = "HTTP/1.1"
    calls = []
    lock = threading.Lock()
    released = threading.Event()  # who is silent

    def log_message(self, *args):
        pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.lock:
            self.calls.append((self.command, self.path, self.headers, body))
        what = self.path.strip("/").split("/")[0]
        if what.isdigit():
            self.answer(int(what), Retry_After="7")
        elif what == "redirect":
            self.answer(307, Location="/stolen")
        elif what == "huge":
            self.answer(200, b"x" * 5_000_000)
        elif what == "headers":
            self.answer(200, **{f"X-{i}": "x" * 1000 for i in range(40)})
        elif what == "silent":
            self.released.wait()
        elif what == "drip":
            try:
                self.wfile.write(b"HTTP/1.1 200 OK\r\n")
                while not self.released.wait(0.1):
                    self.wfile.write(b"X: x\r\n")
                    self.wfile.flush()
            except OSError:
                pass
        elif what == "close":
            self.close_connection = True
        elif what == "challenge":
            said = json.loads(body)["challenge"]
            self.answer(200, json.dumps({"challenge": said}).encode())
        else:
            self.answer(200, b"{}")

    do_PUT = do_GET = do_POST


class Listener(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


def receiver():
    server = Listener(("127.0.0.1", 0), Receiver)
    server.socket = tls().wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, server.server_address[1]


def calls(path):
    return [c for c in Receiver.calls if c[1] == path]


def check_signature(call):
    _, _, headers, body = call
    mac = hmac.new(b"our secret", b"%s.%s.%s" % (
        headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(),
        body), hashlib.sha256).digest()
    is_(headers["webhook-signature"], "v1," + base64.b64encode(mac).decode(),
        "a call is signed")
    told = json.loads(body)
    is_((told["type"], told["items"][0]["kind"], told["items"][0]["table"]),
        ("notices", "turn", "aaaaaaaaaaaah"), "and says what happened")


def check_forms(carry, hosts):
    made = {
        "ntfy": (f"{hosts.pop()}/topic", "/", "POST"),
        "gotify": (f"{hosts.pop()}/gotify/", "/gotify/message", "POST"),
        "discord": (f"{hosts.pop()}/discord", "/discord", "POST"),
        "slack": (f"{hosts.pop()}/slack", "/slack", "POST"),
        "matrix": (f"{hosts.pop()}/!room:club.example",
                   "/_matrix/client/v3/rooms/%21room%3Aclub.example/send/"
                   "m.room.message/", "PUT"),
    }
    numbers = {form: carry.add("webhook", url, form=form,
                               secret="tok\r\nX-Evil: 1")
               for form, (url, _, _) in made.items()}
    bodies = {}
    for form, (_, path, verb) in made.items():
        is_(carry.outcome(numbers[form])["result"], "done", form)
        call = [c for c in Receiver.calls if c[1].startswith(path) and
                c[0] == verb and (form != "ntfy" or c[1] == "/")][-1]
        ok("X-Evil" not in call[2], "no token is another header")
        bodies[form] = json.loads(call[3]), call[2]
    is_(bodies["ntfy"][0]["topic"], "topic", "ntfy: its topic")
    is_(bodies["ntfy"][0]["title"], "Hacienda with Zoé <b> and @everyone",
        "ntfy: its title")
    ok(bodies["gotify"][1]["X-Gotify-Key"].startswith("tok"),
       "Gotify: its token")
    discord = bodies["discord"][0]
    is_(discord["allowed_mentions"], {"parse": []}, "Discord: nobody is called")
    ok("\\@everyone" in discord["embeds"][0]["title"], "by no name")
    ok("Zoé &lt;b&gt;" in bodies["slack"][0]["text"], "Slack: nothing is its own")
    is_(bodies["matrix"][0]["msgtype"], "m.text", "Matrix: a text")
    ok(bodies["matrix"][1]["Authorization"].startswith("Bearer tok"),
       "Matrix: its token")


def check_push(carry, hosts):
    base = hosts.pop()
    numbers = [carry.add("push", f"{base if what == 'pushed' else hosts.pop()}/{what}",
                         secret=SUBSCRIPTION,
                         deadline=1795545060000)
               for what in ("pushed", "410", "404", "429", "403", "500")]
    results = [carry.outcome(number) for number in numbers]
    is_([r["result"] for r in results],
        ["done", "gone", "gone", "retry", "gone", "retry"],
        "what a push service says of a subscription")
    is_(results[3]["after"], 7000, "and when to come again")
    _, _, headers, body = calls("/pushed")[0]
    is_((headers["TTL"], headers["Topic"], headers["Content-Encoding"]),
        ("60", "aaaaaaaaaaaah", "aes128gcm"), "its headers")
    claims = headers["Authorization"].split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(claims + "=="))
    is_(claims["aud"], base, "signed for that service")
    said = carry.opened(body)
    is_((said["table"], said["kind"], said["title"], said["lang"]),
        ("aaaaaaaaaaaah", "turn", "Hacienda with Zoé <b> and @everyone", "en"),
        "only the browser reads it")
    ok(said["body"].startswith("It is your turn. Until "), "and what happened")
    is_(carry.result("push", f"{base}/x", secret="no keys")["result"], "gone",
        "a subscription without keys is none")


def check_calls():
    server, port = receiver()
    base = f"https://{HOST}:{port}"
    # One host is called once a second: so each is another one.
    hosts = [f"https://h{i}.{HOST}:{port}" for i in range(40)]
    carry = Carry(allow=" ".join([base] + hosts))
    for what, result in (("200", "done"), ("404", "gone"), ("410", "gone"),
                         ("408", "retry"), ("425", "retry"), ("429", "retry"),
                         ("503", "retry"), ("301", "retry"), ("huge", "done"),
                         ("headers", "retry"), ("close", "retry")):
        o = carry.result("webhook", f"{hosts.pop()}/{what}")
        is_(o["result"], result, f"{what}: {o['said']}")
        if what in ("429", "503"):
            is_(o["after"], 7000, "and when to come again")
        ok(HOST not in o["said"], "no address is told")
    numbers = [carry.add("webhook", f"{base}/often") for _ in range(3)]
    is_(carry.outcome(numbers[0])["result"], "done", "a host is called")
    is_(carry.first_outcome(numbers[2])["result"], "later",
        "and is not called three times within a second")
    carry.time_passes(999)
    ok(carry.nothing_of(numbers[1]), "nor twice")
    is_(len(calls("/often")), 1, "but once")
    carry.time_passes(1)
    is_(carry.outcome(numbers[1])["result"], "done", "and then again")
    is_(len(calls("/often")), 2, "which is two")
    o = carry.result("webhook", f"{hosts.pop()}/redirect/")
    is_(o["result"], "retry", f"a redirect: {o['said']}")
    is_(calls("/stolen"), [], "is not followed")
    carry.result("webhook", f"{hosts.pop()}/signed", secret="our secret")
    check_signature(calls("/signed")[0])
    o = carry.result("webhook", f"{hosts.pop()}/challenge", challenge="abc")
    is_(o["result"], "done", "a challenge that is answered")
    o = carry.result("webhook", f"{hosts.pop()}/200", challenge="abc")
    is_(o["result"], "gone", "one that is not")
    check_forms(carry, hosts)
    check_push(carry, hosts)
    carry.close()
    server.shutdown()


def check_later():
    """A host takes no more than it can, and the rest comes back at once; others are
    called as soon as ever."""
    server, port = receiver()
    slow, quick = (f"https://{name}.{HOST}:{port}" for name in ("slow", "quick"))
    carry = Carry(allow=f"{slow} {quick}")
    there = f"{slow}/silent/later"
    numbers = [carry.add("webhook", there) for _ in range(5)]
    is_([carry.first_outcome(n)["result"] for n in numbers[2:]], ["later"] * 3,
        "what would wait for more than a second comes back")
    is_(carry.result("webhook", f"{quick}/200")["result"], "done",
        "another host is called")
    under_way = numbers[:2]
    ok(carry.nothing_of(*under_way), "none of it waits for the slow one")
    # Four are under way, one a second; then there is no room for a fifth.
    for count in range(1, 5):
        until(lambda: len(calls("/silent/later")) >= count)
        carry.time_passes(1000)
        if len(under_way) < 4:
            under_way.append(carry.add("webhook", there))
    is_(len(calls("/silent/later")), 4, "four at once")
    number = carry.add("webhook", there)
    is_(carry.first_outcome(number)["result"], "later", "are all")
    ok(carry.nothing_of(*under_way), "and have no outcome")
    carry.tell(end=True)
    carry.time_passes(3000)
    results = {carry.first_outcome(n)["result"] for n in under_way}
    is_(results, {"retry"}, "who waits for an answer has another end")
    carry.close()
    server.shutdown()


def check_strangers():
    """Nobody keeps others' calls of a host waiting by what is not sent there, nor
    by another way."""
    server, port = receiver()
    base = f"https://shared.{HOST}:{port}"
    carry = Carry(allow=base)
    numbers = [carry.add("push", f"{base}/200", secret="no keys")
               for _ in range(30)]
    is_({carry.first_outcome(n)["result"] for n in numbers}, {"gone"},
        "what is no subscription")
    numbers = [carry.add("push", f"{base}/200", secret=SUBSCRIPTION)
               for _ in range(10)]
    is_([carry.first_outcome(n)["result"] for n in numbers[2:]], ["later"] * 8,
        "more pushes than a host takes")
    is_(carry.first_outcome(carry.add("webhook", f"{base}/200"))["result"], "done",
        "and a webhook there")
    carry.close()
    server.shutdown()


def check_slow():
    """A call takes ten seconds at most."""
    server, port = receiver()
    hosts = [f"https://slow{i}.{HOST}:{port}" for i in range(3)]
    carry = Carry(allow=" ".join(hosts))
    whats = ("silent", "drip")
    numbers = [carry.add("webhook", f"{host}/{what}/")
               for host, what in zip(hosts, whats)]
    for what in whats:
        until(lambda: calls(f"/{what}/"))
    carry.time_passes(9990)
    is_(carry.result("webhook", f"{hosts[2]}/200")["result"], "done",
        "all else goes on")
    ok(carry.nothing_of(*numbers), "who is slow is waited for")
    carry.time_passes(20)
    for number in numbers:
        o = carry.outcome(number)
        is_((o["result"], o["said"]), ("retry", "Timeout was reached"),
            "but for ten seconds at most")
    carry.close()
    server.shutdown()


def check_guard():
    server, port = receiver()
    before = len(Receiver.calls)
    carry = Carry(allow="https://elsewhere.lan")
    for url in (f"https://{HOST}:{port}/200", f"http://{HOST}/200",
                f"https://127.0.0.1:{port}/200", "file:///etc/passwd",
                "https://a@b.example/"):
        for channel in ("webhook", "push"):
            o = carry.result(channel, url, secret="x y")
            is_(o["result"], "gone", f"{channel}: {url}: {o['said']}")
    # A name may be anything's at any moment: it is the address that counts.
    # The proxies of the environment are not asked either.
    for url in (f"https://{HOST}/", "https://localhost/", "https://127.0.0.1/",
                "https://[::1]/", "https://[::ffff:127.0.0.1]/",
                "https://2130706433/", "https://0x7f.1/", "https://10.0.0.1/",
                "https://169.254.169.254/latest/"):
        carry.time_passes(1000)  # some are the same host
        o = carry.result("webhook", url)
        ok(o["result"] == "retry" and "not called" in o["said"],
           f"{url}: {o['said']}")
    is_(len(Receiver.calls), before, "nothing was called")
    carry.close()
    server.shutdown()


def check_end():
    server, port = receiver()
    base = f"https://{HOST}:{port}"
    carry = Carry(allow=base)
    numbers = [carry.add("webhook", f"{base}/silent/end") for _ in range(3)]
    until(lambda: calls("/silent/end"))
    is_(carry.first_outcome(numbers[2])["result"], "later", "one comes back")
    carry.tell(end=True)
    is_(carry.outcome(numbers[1])["result"], "retry",
        "at the end what waits has an outcome")
    is_(carry.result("webhook", f"{base}/silent/end")["result"], "retry",
        "and what comes again")
    is_(carry.result("webhook", f"{base}/200")["result"], "retry",
        "nothing begins any more")
    carry.time_passes(2999)
    ok(carry.nothing_of(numbers[0]), "what is under way has its time")
    carry.time_passes(1)
    is_(carry.outcome(numbers[0])["result"], "retry", "which is three seconds")
    is_(len(calls("/silent/end")), 1, "nothing else was called")
    is_(carry.close(), 0, "it ends")
    server.shutdown()


check_mail()
check_mail_tls()
check_rate()
check_sendmail()
check_calls()
check_later()
check_strangers()
check_guard()
check_slow()
check_end()
Receiver.released.set()
done_testing()
