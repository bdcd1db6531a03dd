"""The samples for nginx and haproxy, in front of a daemon, with TLS: pages,
WebSocket, who is direct and who is not, and the cookie that https deserves."""

import contextlib
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time

sys.path.insert(0, "tests/daemon")

import sobremesa as s  # noqa: E402
from sobremesa import Daemon  # noqa: E402
from tap import diag, done_testing, is_, ok  # noqa: E402

HERE = s.room()
NAME = "games.example"


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as sock:
        return sock.getsockname()[1]


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


def nginx(plain, tls, to):
    with open("deploy/proxy/nginx.conf", encoding="ascii") as sample:
        site = replaced(
            sample.read(), (r"listen \[::\].*\n", ""),
            (r"listen 80;", f"listen 127.0.0.1:{plain};"),
            (r"listen 443 ", f"listen 127.0.0.1:{tls} "),
            (r"/etc/ssl/games.example/fullchain.pem", HERE + "/cert.pem"),
            (r"/etc/ssl/games.example/privkey.pem", HERE + "/key.pem"),
            (r"127\.0\.0\.1:8080", "%s:%d" % to))
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


def haproxy(plain, tls, to):
    with open("deploy/proxy/haproxy.cfg", encoding="ascii") as sample:
        conf = replaced(
            sample.read(), (r"bind :80\b", f"bind 127.0.0.1:{plain}"),
            (r"bind :443 ", f"bind 127.0.0.1:{tls} "),
            (r"/etc/haproxy/games.example.pem", HERE + "/both.pem"),
            (r"log /dev/log local0", "log stderr local0"),
            (r"127\.0\.0\.1:8080", "%s:%d" % to))
    with open(HERE + "/haproxy.cfg", "w", encoding="ascii") as file:
        file.write(conf)
    return ["/usr/sbin/haproxy", "-db", "-f", HERE + "/haproxy.cfg"], ["-c"]


@contextlib.contextmanager
def running(command, port):
    with open(HERE + "/said", "w+b") as said:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                 stdout=said, stderr=said)
        try:
            for _ in range(int(s.PATIENCE * 20)):
                try:
                    socket.create_connection(("127.0.0.1", port),
                                             timeout=1).close()
                    break
                except OSError:
                    time.sleep(0.05)
            yield
        finally:
            child.terminate()
            child.wait(s.PATIENCE)


def dial(port, tls=True, source="127.0.0.1"):
    sock = socket.create_connection(("127.0.0.1", port), timeout=s.PATIENCE,
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


def through(name, make):
    plain, tls = free_port(), free_port()
    daemon = Daemon("--set", "limits.connections_address=3")
    command, check = make(plain, tls, daemon.http)
    checked = subprocess.run(command + check, capture_output=True, check=False)
    if not ok(checked.returncode == 0, f"{name} likes its configuration"):
        diag((checked.stdout + checked.stderr).decode())
    with running(command, tls):
        status, head, _ = ask(dial(plain, False), "GET", "/healthz")
        ok(status == 301 and "ocation: https://" in head,
           f"{name}: http leads to https")
        status, head, _ = ask(dial(tls), "GET", "/healthz")
        is_(status, 200, f"{name}: https is served")
        ok("trict-transport-security: max-age" in head.lower().replace(
            "strict", "trict", 1), f"{name}: and stays https")
        is_(ask(dial(tls), "GET", "/metrics")[0], 404,
            f"{name}: figures are not for the world")

        login = json.dumps({"method": "account.guest", "params": {}}).encode()
        status, head, _ = ask(dial(tls), "POST", "/session",
                              [f"Origin: https://{NAME}"], login)
        cookie = re.search(r"(?i)^set-cookie: *([^;]*)(;.*)$", head, re.M)
        ok(status == 200 and cookie and "Secure" in cookie[2],
           f"{name}: our own page logs in, with a cookie for https only")
        status, _, _ = ask(dial(tls), "POST", "/session",
                           ["Origin: https://elsewhere.example"], login)
        is_(status, 403, f"{name}: another's page does not")

        # A WebSocket by that cookie, and all the way a game's move would go.
        class Secure(s.Ws):
            def __init__(self, source):
                connect = s.connect
                s.connect = lambda where: dial(tls, True, source)
                try:
                    super().__init__(None, headers={
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
    daemon.stop()


certificate()
through("nginx", nginx)
through("haproxy", haproxy)
done_testing()
