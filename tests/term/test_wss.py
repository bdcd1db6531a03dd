"""The terminal client over wss://, before a real daemon behind haproxy's sample
and behind a TLS of our own that can be cut: whom it trusts, what it refuses and
how it says so, and that it goes on where it was."""

import contextlib
import functools
import os
import re
import socket
import ssl
import subprocess
import tempfile
import warnings

import daemon as d
from front import Certificates, Front, Scripted
from person import Person
from tap import diag, done_testing, is_, ok

ROOM = tempfile.TemporaryDirectory()
CERTS = Certificates(os.path.join(ROOM.name, "certs"))
CA = CERTS.path("ca.pem")


def certificates():
    CERTS.authority("ca")
    CERTS.authority("stranger")
    here = "DNS:localhost,IP:127.0.0.1,IP:::1"
    CERTS.issue("good", "ca", here)
    CERTS.issue("name", "ca", "DNS:localhost")
    CERTS.issue("elsewhere", "ca", "DNS:games.example,DNS:*.games.example")
    CERTS.issue("foreign", "stranger", here)
    CERTS.issue("expired", "ca", here, "20200101", "20200201")
    CERTS.issue("early", "ca", here, "20480101", "20480201")
    CERTS.alone("self", here)


def like(text, pattern, what):
    if not ok(re.search(pattern, text, re.M), what):
        diag(text[-2000:])


def person(name, server, ca_file=CA):
    somebody = Person(ROOM.name, name, server)
    for word in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        somebody.env.pop(word, None)
    if ca_file:
        somebody.env["SOBREMESA_CA_FILE"] = ca_file
    return somebody


def refused(somebody, pattern, what, *arguments, wants=69, **more):
    status, out, err = somebody.run(*(arguments or ("guest",)), **more)
    is_(status, wants, f"{what}: status {wants}")
    like(err, pattern, f"{what}: why")
    is_((out, err.count("\n")), ("", 1), f"{what}: and nothing else")


# ---- haproxy, as its sample says -------------------------------------------------


@contextlib.contextmanager
def haproxy(back, sample="haproxy.cfg"):
    """The ports for http and https; it is given sockets, on which whoever comes
    too early waits."""
    plain, tls = socks = [socket.create_server(("127.0.0.1", 0), backlog=128)
                          for _ in range(2)]
    with open("deploy/proxy/" + sample, encoding="ascii") as sample:
        text = sample.read()
    for pattern, to in (
            (r"bind :80\b", f"bind fd@{plain.fileno()}"),
            (r"bind :443 ", f"bind fd@{tls.fileno()} "),
            (r"(?m)^ *bind :::(80|443) v6only.*\n", ""),
            (r"/etc/haproxy/\w+.example.pem", CERTS.whole("good")),
            (r"log /dev/log local0", "log stderr local0"),
            (r"127\.0\.0\.1:8080 check", f"{back} check inter 500")):
        text, count = re.subn(pattern, to, text)
        assert count > 0, f"no {pattern} in the sample"
    path = os.path.join(ROOM.name, "haproxy.cfg")
    with open(path, "w", encoding="ascii") as f:
        f.write(text)
    with open(path + ".said", "wb") as said:
        child = subprocess.Popen(["/usr/sbin/haproxy", "-db", "-f", path],
                                 stdin=subprocess.DEVNULL, stdout=said,
                                 stderr=said,
                                 pass_fds=[s.fileno() for s in socks])
    ports = [s.getsockname()[1] for s in socks]
    for s in socks:
        s.close()
    try:
        yield ports
    finally:
        child.terminate()
        child.wait(d.WAIT)


def by_the_sample(daemon):
    with haproxy(daemon.ready["http"]) as (plain, tls):
        server = f"wss://localhost:{tls}"
        ana, ben = person("ana", server), person("ben", server)
        is_(ana.did("register", "ana", typed="secret of ana\n"),
            f"You are ana on {server}.\n", "haproxy: an account")
        ben.did("register", "ben", typed="secret of ben\n")
        table = ana.did("create", "hacienda", "-q").strip()
        ben.did("join", table)
        bots = [ana.lines("bot", table), ben.lines("bot", table, "-q")]
        for bot in bots:
            is_(bot.end()[0], 0, "haproxy: a whole game")
        like(ana.did("replay", table, "--all"), "The game is over",
             "haproxy: and all of it again")
        is_(ana.did("whoami", "--server", f"wss://127.0.0.1:{tls}/ws",
                    env={"SOBREMESA_TOKEN": token(ana)}),
            f"ana on wss://127.0.0.1:{tls}/ws\n",
            "haproxy: by its address, which is in the certificate")
        refused(ana, r"301.*wss://", "haproxy: ws:// leads to wss://",
                "guest", "--server", f"ws://localhost:{plain}")
        lines = ana.lines("lobby", "--plain")
        is_(lines.end()[0], 0, "haproxy: the lobby")
        daemon.stop()

        def refused_by_it():
            status, _, err = ana.run("whoami")
            return "503" in err and (status, err)

        status, err = d.until(refused_by_it, "haproxy has noticed it")
        is_(status, 69, "haproxy: nobody behind it")
        like(err, "cannot just now: it answers 503",
             "haproxy: and that is what is said")
        daemon.start(same=True)


def below_a_path(daemon):
    """As a page's address is, which is what people have at hand."""
    with haproxy(daemon.ready["http"], "haproxy-path.cfg") as (_, tls):
        server = f"wss://localhost:{tls}/games/"
        zoe = person("zoe", f"https://localhost:{tls}/games", None)
        is_(zoe.did("register", "zoe", "--ca-file", os.path.relpath(CA),
                    typed="secret of zoe\n"),
            f"You are zoe on {server}.\n",
            "below a path: the page's address is the server's")
        is_(zoe.did("whoami"), f"zoe on {server}\n",
            "below a path: whom to trust was remembered, with the server")
        is_(zoe.did("whoami", "--server", server), f"zoe on {server}\n",
            "below a path: both are the same server")
        table = zoe.did("create", "tictactoe", "-q", "--seats", "2").strip()
        bots = [zoe.lines("bot", table)]
        zoe.did("guest")
        bots.append(zoe.lines("bot", table, "-q"))
        for bot in bots:
            is_(bot.end()[0], 0, "below a path: a whole game")
        # A link that the operator makes says the server, too.
        link = subprocess.run(
            [os.path.join(d.BIN, "sobremesactl"), "--data", daemon.data,
             "users", "reset-link", "zoe"], capture_output=True, check=True,
            text=True).stdout.splitlines()[0].replace(
                "(your server)/", f"https://localhost:{tls}/games/")
        del zoe.env["SOBREMESA_SERVER"]
        is_(zoe.did("reset", link, typed="another of zoe\n"),
            f"The password is set.\nYou are zoe on {server}.\n",
            "reset: by the whole link")
        refused(zoe, "has been used already", "reset: once", "reset", link,
                wants=1, typed="another of zoe\n")
        is_(zoe.did("login", "zoe", typed="another of zoe\n"),
            f"You are zoe on {server}.\n", "reset: the password is that")


def token(somebody):
    with open(os.path.join(somebody.home, ".config/sobremesa/tokens"),
              encoding="utf-8") as f:
        return f.readline().split()[2]


# ---- whom it trusts -----------------------------------------------------------------


def trusted(back):
    with Front(CERTS.context("good"), back) as front:
        server = f"wss://localhost:{front.port}"
        eva = person("eva", server, None)
        like(eva.did("guest", "--ca-file", CA), "a guest", "--ca-file")
        is_(front.names, ["localhost"], "the server is told its name")
        like(front.heads[0].decode(), "GET /ws HTTP/1.1",
             "the usual path")
        like(front.heads[0].decode(), f"^Host: localhost:{front.port}\r",
             "and the host with its port")
        d.comes(lambda: front.ends == ["close_notify"], "it ends with a word")
        like(eva.did("guest", env={"SOBREMESA_CA_FILE": CA}), "a guest",
             "SOBREMESA_CA_FILE")
        like(eva.did("guest", env={"SSL_CERT_FILE": CA}), "a guest",
             "whom the system trusts, without a setting")
        folder = os.path.join(eva.home, ".config/sobremesa")
        config = os.path.join(folder, "config")
        for path in (CA, os.path.relpath(CA, folder)):
            with open(config, "w", encoding="utf-8") as f:
                f.write(f"ca_file = {path}\n")
            like(eva.did("guest"), "a guest", f"ca_file = {path}")
        with open(config, "w", encoding="utf-8") as f:
            f.write("ca_file = nowhere.pem\n")
        refused(eva, f"^sobremesa: {folder}/nowhere.pem: No such file",
                "a config that names no file")
        like(eva.did("guest", env={"SOBREMESA_CA_FILE": CA}), "a guest",
             "the environment comes before the config")
        like(eva.did("guest", "--ca-file", CA, env={"SOBREMESA_CA_FILE": "x"}),
             "a guest", "the command line before the environment")
        like(eva.did("guest", "--server", front_lines(), env={}), "a guest",
             "without TLS nobody looks at it")
        os.unlink(config)
        both = CERTS.path("two.pem")
        with open(both, "w", encoding="ascii") as f:
            for name in ("stranger", "ca"):
                with open(CERTS.path(name + ".pem"), encoding="ascii") as part:
                    f.write(f"# {name}\n" + part.read())
        like(eva.did("guest", "--ca-file", both), "a guest",
             "several in one file")
        eva.did("guest", "--ca-file", CERTS.path("good.pem"))
        ok(True, "the server's own certificate will do as well")
        at = len(front.names)
        eva.did("guest", "--ca-file", CA, "--server",
                f"wss://127.0.0.1:{front.port}")
        is_(front.names[at:], [None], "an address is no name to be told")

        # Somebody who is behind a path of their own.
        refused(eva, "answers 404", "another path", "guest", "--ca-file", CA,
                "--server", f"{server}/games/ws")
        like(front.heads[-1].decode(), "GET /games/ws HTTP/1.1",
             "it is asked for")
    with Front(CERTS.context("self"), back) as front:
        eva = person("eva", f"wss://localhost:{front.port}",
                     CERTS.path("self.pem"))
        like(eva.did("guest"), "a guest", "one signed by itself, if it is said")
    old = CERTS.context("good")
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    with Front(old, back, piece=7) as front:
        eva = person("eva", f"wss://localhost:{front.port}")
        like(eva.did("guest"), "a guest", "TLS 1.2, in small records")
        table = eva.did("create", "hacienda", "-q").strip()
        like(eva.did("lobby", "--plain"), table, "and more of them")
    if socket.has_ipv6:
        with contextlib.suppress(OSError), \
                Front(CERTS.context("good"), back, host="::1") as front:
            eva = person("eva", f"wss://[::1]:{front.port}")
            like(eva.did("guest"), "a guest", "IPv6")
            like(front.heads[0].decode(), rf"^Host: \[::1\]:{front.port}\r",
                 "IPv6: the host in brackets")


def front_lines():
    return DAEMON.ready["lines"]


# ---- what it refuses --------------------------------------------------------------


def untrusted(back):
    for name, host, pattern, what in (
            ("foreign", "localhost",
             r"issuer of the certificate of localhost is not trusted here",
             "an unknown issuer"),
            ("self", "localhost", "is not trusted here", "signed by itself"),
            ("expired", "localhost", r"has expired, on 2020-02-01\.",
             "expired"),
            ("early", "localhost", r"good only from 2048-01-01 on.*clock",
             "not yet good"),
            ("elsewhere", "localhost", r"not for localhost, but for "
             r"games\.example, \*\.games\.example\.$", "another name"),
            ("name", "127.0.0.1", r"not for 127\.0\.0\.1, but for localhost",
             "a name, but not the address")):
        with Front(CERTS.context(name), back) as front:
            eva = person("eva", f"wss://{host}:{front.port}")
            refused(eva, pattern, what, "whoami",
                    env={"SOBREMESA_TOKEN": "x" * 32})
            d.comes(functools.partial(len, front.errors),
                    f"{what}: the server is told")
            is_(front.heads, [], f"{what}: and nothing else")
    with Front(CERTS.context("good"), back) as front:
        eva = person("eva", f"wss://localhost:{front.port}", None)
        refused(eva, "is not trusted here.*--ca-file",
                "an issuer of one's own that nobody told of")
    old = CERTS.context("good")
    old.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # old, indeed
        old.minimum_version = ssl.TLSVersion.TLSv1
        old.maximum_version = ssl.TLSVersion.TLSv1_1
    with Front(old, back) as front:
        eva = person("eva", f"wss://localhost:{front.port}")
        refused(eva, r"TLS with localhost fails: .*(version|protocol)",
                "TLS 1.1")


def no_tls(back):
    eva = person("eva", f"wss://{back}")
    refused(eva, r"^sobremesa: 127\.0\.0\.1 speaks no TLS at this port\.$",
            "a server of http")

    def at_once(sock):
        sock.close()

    def after_hello(sock):
        sock.recv(65536)

    def half_an_answer(sock):
        sock.recv(65536)
        sock.sendall(b"\x16\x03\x03\x10\x00\x02\x00")

    def garbage(sock):
        sock.recv(65536)
        sock.sendall(b"\x16\x03\x03\x00\x40" + b"\xff" * 64)
        sock.recv(65536)

    def talk(sock):
        sock.sendall(b"* OK IMAP4rev1 ready\r\n")
        sock.recv(65536)

    def reset(sock):
        sock.recv(1)  # the rest of it lies there
        sock.close()

    gone = "closed the connection before TLS came about|connection reset"
    for do, pattern, what in (
            (at_once, gone, "closed at once"),
            (after_hello, gone, "closed after the first word"),
            (half_an_answer, gone, "closed in the middle of an answer"),
            (reset, gone, "closed with a reset"),
            (garbage, "TLS with 127.0.0.1 fails: ", "nonsense"),
            (talk, "speaks no TLS", "another protocol")):
        with Scripted(do) as server:
            eva.env["SOBREMESA_SERVER"] = f"wss://127.0.0.1:{server.port}"
            # Who waits in vain says that nobody answers.
            refused(eva, pattern, what)
            is_(len(server.socks), 1, f"{what}: it is tried once")

    # What is behind TLS need not be a WebSocket.
    plain = Scripted(lambda sock: sock.recv(65536) and sock.sendall(
        b"220 mail ready\r\n\r\n"))
    with plain, Front(CERTS.context("good"),
                      f"127.0.0.1:{plain.port}") as front:
        eva.env["SOBREMESA_SERVER"] = f"wss://127.0.0.1:{front.port}"
        refused(eva, "speaks no WebSocket|closed the connection",
                "TLS, but no WebSocket")


@contextlib.contextmanager
def silent():
    """A server that says nothing, for whose word somebody waits meanwhile."""
    with Scripted(lambda sock: sock.recv(65536) and sock.recv(1)) as server:
        waits = person("patient",
                       f"wss://127.0.0.1:{server.port}").lines("guest")
        yield
        status, said = waits.end()
        is_(status, 69, "a server that says nothing: status 69")
        like(said, r"\A.*does not answer.*\n\Z",
             "a server that says nothing: why, and nothing else")


def settings():
    eva = person("eva", "wss://localhost:1", None)
    garbage = CERTS.path("garbage.pem")
    with open(garbage, "wb") as f:
        f.write(bytes(range(256)) * 40)
    damaged = CERTS.path("damaged.pem")
    with open(CA, encoding="ascii") as f:
        text = f.read()
    with open(damaged, "w", encoding="ascii") as f:
        f.write(text + text.replace("MII", "!!!", 1))
    empty = CERTS.path("empty.pem")
    open(empty, "w", encoding="ascii").close()
    secret = CERTS.path("secret.pem")
    with open(secret, "w", encoding="ascii") as f:
        f.write(text)
    os.chmod(secret, 0)
    cases = [("/no/such.pem", "/no/such.pem: No such file", "missing"),
             (CERTS.folder, "Is a directory", "a folder"),
             (garbage, "there is no certificate in it", "garbage"),
             (empty, "there is no certificate in it", "empty"),
             (CERTS.path("ca.key"), "there is no certificate in it", "a key"),
             (damaged, "a certificate in it is damaged", "damaged")]
    if os.geteuid() != 0:
        cases.append((secret, "Permission denied", "unreadable"))
    for path, pattern, what in cases:
        refused(eva, pattern, f"a CA file: {what}", "guest", "--ca-file", path)
    refused(eva, "localhost:1: connection refused",
            "a good one, and nobody there", "guest", "--ca-file", CA)
    for server in ("wss://", "wss://:443", "wss://[]", "wss://[]:443",
                   "wss:///ws", "wss://localhost:", "wss://localhost:x",
                   "https://", "ftp://localhost"):
        refused(eva, "no server: expected .* or https://HOST", f"'{server}'",
                "guest", "--server", server)
    refused(eva, r"127\.9\.9\.9", "the usual port", "guest", "--server",
            "wss://127.9.9.9")


# ---- a connection that breaks --------------------------------------------------------


def cut(back):
    """Two play; one of them behind a proxy that is cut in every way."""
    with Front(CERTS.context("good"), back) as front:
        ana = person("ana2", f"wss://localhost:{front.port}")
        ben = person("ben2", front_lines())
        ana.did("guest")
        ben.did("guest")
        table = ana.did("create", "tictactoe", "-q").strip()
        ben.did("join", table)
        one = ana.lines("play", table, "--plain")
        two = ben.lines("play", table, "--plain")
        one.hear("Your turn")
        for how, move, answer in (("reset", "a1", "a2"),
                                  ("close", "b1", "b2"),
                                  ("orderly", "c2", "c1")):
            front.cut(how)
            one.hear("Connection lost .* Trying again in")
            one.type(f"place {move}", f"say after {how}")
            one.hear("Connected again")
            two.hear(f"says: after {how}")
            two.type(f"place {answer}")
            one.hear(f"takes {answer}")
            ok(True, f"{how}: it comes again, and the move with it")

        # While somebody else answers in its place, it waits.
        good, front.context = front.context, CERTS.context("foreign")
        said = len(front.heads)
        front.cut("close")
        one.hear(r"Connection lost .* Trying again in")
        one.type("place a3")
        d.comes(lambda: len(front.errors) >= 2, "another's certificate: it tries "
                "again")
        is_(len(front.heads), said, "and tells nothing")
        front.context = good
        one.hear("Connected again")
        two.hear("takes a3")
        ok(True, "until it is the right one again")
        two.type("resign")
        one.hear("The game is over")
        is_([one.end()[0], two.end()[0]], [0, 0], "and they end it")


certificates()
with d.Daemon() as DAEMON, silent():
    by_the_sample(DAEMON)
    below_a_path(DAEMON)
    trusted(DAEMON.ready["http"])
    untrusted(DAEMON.ready["http"])
    no_tls(DAEMON.ready["http"])
    settings()
    cut(DAEMON.ready["http"])
done_testing()
