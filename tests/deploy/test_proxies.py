"""The samples for nginx and haproxy, in front of a daemon, with TLS: pages,
WebSocket, who is direct and who is not, and the cookie that https deserves; at
the top of a site and below a path, over IPv4 and IPv6."""

import contextlib
import itertools
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys

sys.path.insert(0, "tests/daemon")

import sobremesa as s  # noqa: E402
from sobremesa import Daemon  # noqa: E402
from tap import diag, done_testing, is_, ok  # noqa: E402

HERE = s.room()
NAME = "games.example"


def free_ports():
    """Two that nobody has, below those that the system gives out: so nobody is
    given one of them before the proxy has it."""
    found = []
    for n in itertools.count(os.getpid() * 16):
        port = 12000 + n % 16000
        try:
            for family, here in HERE_AT:
                with socket.create_server((here, port), family=family):
                    pass
            found.append(port)
        except OSError:
            continue
        if len(found) == 2:
            return found


def certificate():
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days",
         "1", "-subj", "/CN=" + NAME, "-keyout", HERE + "/key.pem", "-out",
         HERE + "/cert.pem"], check=True, capture_output=True)
    with open(HERE + "/both.pem", "wb") as both:
        for name in ("cert.pem", "key.pem"):
            with open(os.path.join(HERE, name), "rb") as part:
                shutil.copyfileobj(part, both)


def replaced(text, *pairs):
    """Each pattern is there, or the sample is not what we think it is."""
    for pattern, to in pairs:
        text, count = re.subn(pattern, to, text)
        if count == 0:
            raise AssertionError(f"no {pattern} in the sample")
    return text


V6 = os.path.exists("/proc/net/if_inet6")
HERE_AT = [(socket.AF_INET, "127.0.0.1")] + \
    ([(socket.AF_INET6, "::1")] if V6 else [])


def sample_of(name):
    with open("deploy/proxy/" + name, encoding="ascii") as sample:
        return sample.read()


def v6(pattern, line):
    """How a line of a sample with an address of IPv6 is tried here."""
    return (pattern, line if V6 else "")


def nginx_below(plain, tls, to):
    """The snippet, in a site whose other pages are not ours."""
    site = replaced(sample_of("nginx-path.conf"),
                    (r"127\.0\.0\.1:8080", "%s:%d" % to))
    return nginx(plain, tls, to, below=site)


def nginx(plain, tls, to, below=None):
    site = replaced(
        sample_of("nginx.conf"),
        v6(r"listen \[::\]:80;", f"listen [::1]:{plain};"),
        v6(r"listen \[::\]:443 ", f"listen [::1]:{tls} "),
        (r"listen 80;", f"listen 127.0.0.1:{plain};"),
        (r"listen 443 ", f"listen 127.0.0.1:{tls} "),
        (r"/etc/ssl/games.example/fullchain.pem", HERE + "/cert.pem"),
        (r"/etc/ssl/games.example/privkey.pem", HERE + "/key.pem"),
        (r"127\.0\.0\.1:8080", "%s:%d" % to))
    if below:
        site = replaced(site, (r"(?s)    location / \{.*?\n    \}\n",
                               below.replace("\\", "\\\\")))
    with open(HERE + "/nginx.conf", "w", encoding="ascii") as conf:
        conf.write(f"""daemon off;
worker_processes 1;
pid {HERE}/nginx.pid;
error_log stderr;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {HERE}/body;
    proxy_temp_path {HERE}/proxy;
    fastcgi_temp_path {HERE}/fastcgi;
    uwsgi_temp_path {HERE}/uwsgi;
    scgi_temp_path {HERE}/scgi;
{site}
}}
""")
    return ["/usr/sbin/nginx", "-p", HERE, "-c", HERE + "/nginx.conf"], ["-t"]


def haproxy_below(plain, tls, to):
    return haproxy(plain, tls, to, "haproxy-path.cfg")


def haproxy(plain, tls, to, sample="haproxy.cfg"):
    conf = replaced(
        sample_of(sample), (r"bind :80\b", f"bind 127.0.0.1:{plain}"),
        (r"bind :443 ", f"bind 127.0.0.1:{tls} "),
        v6(r"bind :::80 ", f"bind ::1:{plain} "),
        v6(r"bind :::443 ", f"bind ::1:{tls} "),
        (r"/etc/haproxy/\w+.example.pem", HERE + "/both.pem"),
        (r"log /dev/log local0", "log stderr local0"),
        (r"127\.0\.0\.1:8080", "%s:%d" % to))
    with open(HERE + "/haproxy.cfg", "w", encoding="ascii") as file:
        file.write(conf)
    return ["/usr/sbin/haproxy", "-db", "-f", HERE + "/haproxy.cfg"], ["-c"]


def accepts(here, port):
    try:
        socket.create_connection((here, port), timeout=s.WAIT).close()
    except OSError:
        return False
    return True


@contextlib.contextmanager
def running(command, ports):
    """The proxy, which listens on all of them."""
    with open(HERE + "/said", "w+b") as said:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                 stdout=said, stderr=said)
        try:
            for (_, here), port in itertools.product(HERE_AT, ports):
                what = f"it listens on {here} {port}"
                if s.until(lambda here=here, port=port: accepts(here, port) or
                           child.poll() is not None and "ended", what) == "ended":
                    raise ChildProcessError(f"it has ended before {what}")
            yield
        except Exception:
            said.seek(0)
            diag(said.read()[-1000:].decode(errors="replace"))
            raise
        finally:
            child.terminate()
            child.wait(s.WAIT)


# One for each connection that is not about this: the daemon lets three of one
# address in, and may not know yet that one through the proxy is gone.
fresh = (f"127.0.{n // 200}.{n % 200 + 1}" for n in itertools.count(200))


def dial(port, tls=True, source=None):
    source = source or next(fresh)
    here = "::1" if ":" in source else "127.0.0.1"
    sock = socket.create_connection((here, port), timeout=s.WAIT,
                                    source_address=(source, 0))
    if not tls:
        return sock
    context = ssl.create_default_context(cafile=HERE + "/cert.pem")
    context.check_hostname = False
    return context.wrap_socket(sock, server_hostname=NAME)


def ask(sock, method, path, headers=(), body=b""):
    """One request; status, head and body of the answer."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {NAME}",
             "Connection: close", *headers]
    if body:
        lines += ["Content-Type: application/json",
                  f"Content-Length: {len(body)}"]
    sock.sendall("\r\n".join(lines + ["", ""]).encode() + body)
    data = b""
    while piece := sock.recv(65536):
        data += piece
    sock.close()
    head, _, rest = data.partition(b"\r\n\r\n")
    return int(head.split()[1]), head.decode("latin-1"), rest


def through(name, make, below=""):
    """What a proxy does; the daemon is BELOW a path of its site."""
    plain, tls = free_ports()
    daemon = Daemon("--set", "limits.connections_address=3")
    command, check = make(plain, tls, daemon.http)
    checked = subprocess.run(command + check, capture_output=True, check=False)
    if not ok(checked.returncode == 0, f"{name} likes its configuration"):
        diag((checked.stdout + checked.stderr).decode())
    with running(command, (plain, tls)):
        status, head, _ = ask(dial(plain, False), "GET", "/healthz")
        ok(status == 301 and "ocation: https://" in head,
           f"{name}: http leads to https")
        status, head, _ = ask(dial(tls), "GET", below + "/healthz")
        is_(status, 200, f"{name}: https is served")
        ok("trict-transport-security: max-age" in head.lower().replace(
            "strict", "trict", 1), f"{name}: and stays https")
        is_(ask(dial(tls), "GET", below + "/metrics")[0], 404,
            f"{name}: figures are not for the world")
        status, _, page = ask(dial(tls), "GET", below + "/")
        script = re.search(rb'src="([^"/][^"]*early.js)"', page)
        is_(ask(dial(tls), "GET", below + "/" + script[1].decode())[0], 200,
            f"{name}: the page, and what it names")
        if below:
            status, head, _ = ask(dial(tls), "GET", below)
            ok(status == 301 and re.search(
                rf"(?im)^location: .*{below}/\r?$", head),
               f"{name}: a slash that was forgotten is led to")
            ok(ask(dial(tls), "GET", "/healthz")[0] in (403, 404),
               f"{name}: what is not below it is not the daemon's")

        login = json.dumps({"method": "account.guest", "params": {}}).encode()
        status, head, _ = ask(dial(tls), "POST", below + "/session",
                              [f"Origin: https://{NAME}",
                               "X-Forwarded-Prefix: /elsewhere"], login)
        cookie = re.search(r"(?i)^set-cookie: *([^;]*)(;.*)$", head, re.M)
        ok(status == 200 and cookie and "Secure" in cookie[2],
           f"{name}: our own page logs in, with a cookie for https only")
        ok(f"; Path={below}/;" in cookie[2],
           f"{name}: which is for this path and no other")
        status, _, _ = ask(dial(tls), "POST", below + "/session",
                           ["Origin: https://elsewhere.example"], login)
        is_(status, 403, f"{name}: another's page does not")

        # A WebSocket by that cookie, and all the way a game's move would go.
        class Secure(s.Ws):
            def __init__(self, source):
                connect = s.connect
                s.connect = lambda where: dial(tls, True, source)
                try:
                    super().__init__(None, path=below + "/ws", headers={
                        "Host": NAME, "Origin": f"https://{NAME}",
                        "Cookie": cookie[1]})
                finally:
                    s.connect = connect

        peer = Secure("127.0.0.1")
        is_(peer.status, 101, f"{name}: a WebSocket is let through")
        table = peer.call("table.create", game="tictactoe", seats=2)["table"]
        peer.call("table.watch", table=table)
        ok(True, f"{name}: and logged in by the cookie")

        # They count as coming from where they come from, not from the proxy.
        others = [Secure("127.0.0.2") for _ in range(4)]
        is_([other.status for other in others], [101, 101, 101, 429],
            f"{name}: the fourth of one address is one too many")
        others.append(Secure("127.0.0.3"))
        is_(others[-1].status, 101, f"{name}: another may come")
        if V6:
            others = [Secure("::1") for _ in range(4)]
            is_([other.status for other in others], [101, 101, 101, 429],
                f"{name}: so it is over IPv6, whose addresses are others")
    daemon.stop()


certificate()
through("nginx", nginx)
through("haproxy", haproxy)
through("nginx below a path", nginx_below, "/games")
through("haproxy below a path", haproxy_below, "/games")
done_testing()
