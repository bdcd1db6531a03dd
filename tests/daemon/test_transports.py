"""The same messages over every transport, and what each of them adds: who may
come in, from where, as whom."""

import contextlib
import json
import os
import re

import sobremesa as s
from sobremesa import (Clocks, Closed, Daemon, Lines, Posting, Ws, http, place,
                       rpc)
from tap import diag, done_testing, is_, ok

JSON = {"Content-Type": "application/json"}
d = Daemon("--lines-unix", os.path.join(s.room(), "l"),
           "--set", "http.origins=https://other.example",
           "--set", "limits.connections_address=1000")


s.Peer.judge = s.Judge(d.lines)


def own():
    return "http://%s:%d" % d.http


# A short game over each transport, the loser on another one.
def test_games():
    ways = {"lines": lambda: Lines(d.lines),
            "lines over a Unix socket": lambda: Lines(d.ready["lines_unix"]),
            "the admin socket": lambda: Lines(d.admin),
            "WebSocket": lambda: Ws(d.http),
            "POST /rpc": lambda: Posting(d.http)}
    for name, way in ways.items():
        one, two = way().guest(), Lines(d.lines).guest()
        watcher = Ws(d.http)
        table = s.table_of([one, two])
        seen = watcher.watch(table)
        for i, cell in enumerate(["a1", "b1", "a2", "b2", "a3"]):
            mover = (one, two)[i % 2]
            legal = mover.call("table.legal", table=table)
            ok({"verb": "place", "cell": cell} in legal["moves"],
               f"{name}: {cell} is legal")
            ply = place(mover, table, legal["decision"], cell)
        watcher.settle(table, ply)
        is_(seen.view, Lines(d.lines).call("table.watch", table=table)["view"],
            f"{name}: the watcher's patched view is a fresh one")
        is_(seen.view["result"]["places"], [1, 2], f"{name}: and who won")
        is_(one.refusal("table.move", table=table, decision=ply,
                        move={"verb": "place", "cell": "c3"}).reason,
            "game_over", f"{name}: it is over")
        answer = http(d.http, "GET", f"/api/v1/tables/{table}/record")
        lines = [json.loads(line) for line in answer.body.splitlines()]
        ok(answer.status == 200 and lines[0]["format"] == "sobremesa-record/1"
           and "result" in lines[-1], f"{name}: its record over HTTP")
        for peer in (one, two, watcher):
            peer.close()


# What is pipelined is answered, and what concerns one table in order; the
# update of a move comes before its answer.
def test_order():
    one, two = Lines(d.lines).guest(), Lines(d.lines).guest()
    table = s.table_of([one, two])
    one.watch(table)
    decision = one.call("table.legal", table=table)["decision"]
    first = one.last + 1
    one.ask("table.move", table=table, decision=decision,
            move={"verb": "place", "cell": "b2"})
    for _ in range(10):
        one.ask("table.legal", table=table)
    order = []
    while len(order) < 12:
        message = one.recv()
        order.append(message.get("id", "update"))
    is_(order, ["update", *range(first, first + 11)], "order at one table")

    # Barriers: what follows a log-in waits for it.
    peer = Lines(d.lines)
    peer.write(b'{"jsonrpc":"2.0","id":1,"method":"account.guest"}\n'
               b'{"jsonrpc":"2.0","id":2,"method":"me.tables"}\n')
    is_([peer.recv()["id"], peer.recv()["id"]], [1, 2], "guest is a barrier")
    peer.write(b'{"jsonrpc":"2.0","id":3,"method":"session.logout"}\n'
               b'{"jsonrpc":"2.0","id":4,"method":"me.tables"}\n')
    is_((peer.recv()["id"], peer.recv()["error"]["data"]["reason"]),
        (3, "not_authenticated"), "and so is logout")
    # A half-closed connection is answered before it is closed: `nc -N`.
    peer = Lines(d.lines)
    peer.write(b'{"jsonrpc":"2.0","id":1,"method":"account.guest"}\n'
               b'{"jsonrpc":"2.0","id":2,"method":"me.tables"}\n')
    peer.socket.shutdown(1)
    got = s.rest_of(peer.socket)
    is_(got.count(b'"result"'), 2, "who has said all is answered yet")


# Who pipelines for megabytes and reads late, but reads, gets all of it.
def test_much():
    for peer in (Lines(d.lines), Ws(d.http)):
        ids = [peer.ask("rpc.discover") for _ in range(300)]
        for _ in range(20):  # it is late, and others are answered meanwhile
            d.peer().call("server.hello")
        is_([peer.take()["id"] for _ in ids], ids, "300 long answers")


# Errors by their codes; the connection stays.
def test_errors():
    deep = "[" * 40 + "]" * 40
    cases = [
        ('{"jsonrpc":"2.0","id":1,', -32700, None),
        ("nonsense", -32700, None),
        ('{"jsonrpc":"2.0","id":1,"id":2,"method":"server.hello"}', -32700,
         None),
        ('{"jsonrpc":"2.0","id":1,"method":"server.hello","params":{"a":%s}}'
         % deep, -32700, None),
        ('[{"jsonrpc":"2.0","id":1,"method":"server.hello"}]', -32600, None),
        ("[]", -32600, None),
        ("17", -32700, None),
        ('{"jsonrpc":"2.0","method":"server.hello"}', -32600, None),
        ('{"jsonrpc":"2.0","id":null,"method":"server.hello"}', -32600, None),
        ('{"jsonrpc":"2.0","id":1.5,"method":"server.hello"}', -32600, None),
        ('{"jsonrpc":"2.0","id":"%s","method":"server.hello"}' % ("x" * 65),
         -32600, None),
        ('{"jsonrpc":"1.0","id":5,"method":"server.hello"}', -32600, 5),
        ('{"jsonrpc":"2.0","id":6,"method":"no.such"}', -32601, 6),
        ('{"jsonrpc":"2.0","id":7,"method":"server.hello","params":[]}',
         -32600, 7),
        ('{"jsonrpc":"2.0","id":"x","method":"server.hello","params":{"a":1}}',
         -32602, "x")]
    for kind in (Lines(d.lines), Ws(d.http)):
        for text, code, number in cases:
            if isinstance(kind, Ws):
                kind.write(s.frame(1, text.encode()))
            else:
                kind.write(text.encode() + b"\n")
            got = kind.recv()
            if not ok((got["error"]["code"], got["id"]) in
                      [(code, number)], f"{text[:60]}: {code}"):
                diag(got)
        ok(kind.call("server.hello")["protocol"] == 1, "and it lives on")
    for text, code, number in cases:
        a = http(d.http, "POST", "/rpc", JSON, text.encode())
        if not ok(a.status == 200 and a.json()["error"]["code"] == code and
                  a.json()["id"] == number, f"/rpc {text[:60]}: {code}"):
            diag(f"{a.status} {a.body!r}")
    lines = Lines(d.lines)
    lines.write(b'{"jsonrpc":"2.0","id":1,"method":"\xff"}\n')
    is_(lines.recv()["error"]["code"], -32700, "no UTF-8 in a line")
    e = lines.refusal("server.hello", stray=1)
    ok("path" in e.data and "expected" in e.data,
       "unknown parameters: where, and what was expected")


# Sizes, and speaking HTTP where lines are spoken.
def test_sizes():
    most = 65536
    text = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "server.hello"})
    lines = Lines(d.lines)
    lines.write(text.encode().ljust(most) + b"\n")
    is_(lines.recv()["id"], 1, "65 536 bytes in a line")
    # Who sends more than is passed over may be cut in the midst of it.
    with contextlib.suppress(Closed):
        lines.write(text.encode().ljust(most + 1) + b"\n" + b"x" * 300000)
    is_(lines.recv()["error"]["code"], -32600, "one more is too many")
    is_(s.rest_of(lines.socket), b"", "and the end")
    ws = Ws(d.http)
    ws.write(s.frame(1, text.encode().ljust(most)))
    is_(ws.recv()["id"], 1, "65 536 bytes over WebSocket")
    with contextlib.suppress(Closed):
        ws.write(s.frame(1, text.encode().ljust(most + 1)) + b"x" * 300000)
    try:
        ws.recv()
        ok(False, "one more is too many")
    except Closed as e:
        is_(e.code, 1009, "one more is too many")
    a = http(d.http, "POST", "/rpc", JSON, text.encode().ljust(most))
    is_(a.status, 200, "65 536 bytes by POST")
    a = http(d.http, "POST", "/rpc", JSON,
             text.encode().ljust(most + 1) + b" " * 1000000)
    is_(a.status, 413, "a bigger one: 413, and it arrives")
    for start in [b"GET / HTTP/1.1\r\n", b"POST /x HTTP/1.1\r\n",
                  b"Host: localhost\r\n"]:
        lines = Lines(d.lines)
        lines.write(start + text.encode() + b"\n")
        is_(s.rest_of(lines.socket), b"", f"{start[:5]} in a line: the end")
    lines = Lines(d.lines)
    lines.write(text.encode() + b"\nPOST / HTTP/1.1\r\n")
    ok(s.rest_of(lines.socket).count(b"\n") <= 1, "in a later line as well")


# Methods, types, paths.
def test_http():
    for method, path, body, status in [
            ("GET", "/rpc", b"", 405), ("PUT", "/rpc", b"", 405),
            ("GET", "/session", b"", 405), ("POST", "/ws", b"", 405),
            ("POST", "/", b"", 405), ("DELETE", "/healthz", b"", 405),
            ("GET", "/none", b"", 404), ("GET", "/echo", b"", 404),
            ("GET", "/ws", b"", 426), ("HEAD", "/", b"", 200),
            ("GET", "/", b"", 200), ("GET", "/%2e%2e/x", b"", 400),
            ("GET", "/api/v1/tables/none/record", b"", 404),
            ("GET", "/api/v1/tables/..%2f/record", b"", 400)]:
        a = http(d.http, method, path, JSON, body)
        is_(a.status, status, f"{method} {path}: {status}")
        ok("x-content-type-options" in a.headers, "with its safe headers")
        if status == 405:
            ok("allow" in a.headers, "and what is allowed")
        if method == "HEAD":
            ok(a.body == b"" and int(a.headers["content-length"]) > 0, "HEAD")
    for kind in ["text/plain", "application/x-www-form-urlencoded", None]:
        for path in ["/rpc", "/session"]:
            a = http(d.http, "POST", path, {"Content-Type": kind}, b"{}")
            is_(a.status, 415, f"POST {path} of {kind}: 415")
    a = http(d.http, "POST", "/rpc",
             {"Content-Type": "application/json; charset=utf-8"}, b"{}")
    is_(a.status, 200, "a charset does no harm")

    # Pipelined requests are answered in their order on one connection.
    with s.connect(d.http) as c:
        one = json.dumps({"jsonrpc": "2.0", "id": 1,
                          "method": "account.guest"}).encode()
        c.sendall(s.request("POST", "/rpc", JSON, one) +
                  s.request("GET", "/healthz") +
                  s.request("GET", "/readyz", {"Connection": "close"}))
        got = s.rest_of(c)
    is_(re.findall(rb"HTTP/1.1 (\d+)", got), [b"200"] * 3, "pipelined HTTP")
    ok(got.index(b'"token"') < got.index(b"ok\n"), "in order")


# Bytes that two programs could read differently are refused, and the
# connection with them.
def test_smuggling():
    post = b"POST /rpc HTTP/1.1\r\nHost: localhost\r\n" \
           b"Content-Type: application/json\r\n"
    hidden = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    cases = {
        "both lengths": post + b"Content-Length: 4\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "two lengths": post + b"Content-Length: 2\r\nContent-Length: 4\r\n"
        b"\r\n{}..",
        "a signed length": post + b"Content-Length: +2\r\n\r\n{}",
        "a list of lengths": post + b"Content-Length: 2, 2\r\n\r\n{}",
        "an odd coding": post + b"Transfer-Encoding: xchunked\r\n\r\n{}",
        "chunked not last": post +
        b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
        "a space before the colon": post + b"Content-Length : 2\r\n\r\n{}",
        "a folded header": post + b"X: a\r\n b\r\nContent-Length: 2\r\n\r\n{}",
        "bare LF": b"GET /healthz HTTP/1.1\nHost: localhost\n\n",
        "a bare CR": b"GET /healthz HTTP/1.1\r\nHost: localhost\rX: y\r\n\r\n",
        "no Host": b"GET /healthz HTTP/1.1\r\n\r\n",
        "two Hosts": b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "a NUL": b"GET /healthz HTTP/1.1\r\nHost: a\0b\r\n\r\n",
        "a bad chunk": post + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n",
        "HTTP/0.9": b"GET /healthz\r\n\r\n",
        "HTTP/2.0": b"GET /healthz HTTP/2.0\r\nHost: localhost\r\n\r\n",
        "no method": b"G=T /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    }
    for name, data in cases.items():
        with s.connect(d.http) as c:
            c.sendall(data + hidden)
            got = s.rest_of(c)
        statuses = re.findall(rb"HTTP/1.1 (\d+)", got)
        if not ok(len(statuses) == 1 and statuses[0] in
                  (b"400", b"505"), f"{name}: refused once"):
            diag(got)


# PROTOCOL, Browsers: whose pages may speak to us.
def test_origins():
    foreign = ["http://evil.example", "null", own() + ".evil.example",
               own().replace("http:", "https:"), "http://127.0.0.1"]
    for origin in foreign:
        for method, path in [("GET", "/"), ("POST", "/rpc"), ("GET", "/ws"),
                             ("POST", "/session"), ("GET", "/healthz")]:
            a = http(d.http, method, path, {**JSON, "Origin": origin,
                                            "Host": own()[7:]})
            is_(a.status, 403, f"{method} {path} from {origin}: 403")
        ws = Ws(d.http, headers={"Origin": origin, "Host": own()[7:]})
        is_(ws.status, 403, f"a WebSocket from {origin}: 403")
    for origin in [own(), "https://other.example", None]:
        a = rpc(d.http, "server.hello", headers={"Origin": origin,
                                                 "Host": own()[7:]})
        is_(a.status, 200, f"POST /rpc from {origin}")
        ws = Ws(d.http, headers={"Origin": origin, "Host": own()[7:]})
        is_(ws.status, 101, f"a WebSocket from {origin}")
    a = http(d.http, "GET", "/", {"Origin": "https://games.example",
                                  "Host": "x",
                                  "X-Forwarded-Host": "games.example",
                                  "X-Forwarded-Proto": "https"})
    is_(a.status, 200, "behind https, our own is what the client sees")
    ws = Ws(d.http, headers={"Sec-WebSocket-Protocol": "chat"})
    is_(ws.status, 400, "another subprotocol: refused")
    ws = Ws(d.http, headers={"Sec-WebSocket-Protocol": "a, sobremesa.v1"})
    ok(ws.status == 101 and "Sec-WebSocket-Protocol: sobremesa.v1" in ws.head,
       "ours is taken")


def session(method, params, headers=None):
    return http(d.http, "POST", "/session", {**JSON, **(headers or {})},
                json.dumps({"method": method, "params": params}).encode())


def cookie_of(answer):
    return answer.headers.get("set-cookie", "").split(";")[0]


# POST /session in all four ways, the cookie, and what it is good for.
def test_session():
    at = {"Origin": own(), "Host": own()[7:]}
    who = {"name": "Ana", "password": "a long password"}
    made = session("account.register", who)
    is_(made.status, 200, "register")
    is_(list(made.json()), ["user", "device"],
        "the body holds no token: a device is known by its, and it opens nothing")
    words = [w.strip() for w in made.headers["set-cookie"].split(";")]
    ok({"HttpOnly", "SameSite=Strict", "Path=/"} <= set(words),
       "HttpOnly, SameSite=Strict, Path=/")
    ok("Secure" not in words, "not Secure over http")
    token = cookie_of(made).split("=", 1)[1]
    again = session("session.login", who, {"X-Forwarded-Proto": "https"})
    ok("Secure" in again.headers["set-cookie"], "Secure behind https")
    resumed = session("session.resume", {"token": token})
    is_(cookie_of(resumed), cookie_of(made), "resume: the same token")
    guest = session("account.guest", {})
    ok(guest.json()["user"]["guest"], "guest")
    a = session("session.login", {**who, "password": "another one"})
    ok(a.json()["error"]["data"]["reason"] == "bad_credentials" and
       "set-cookie" not in a.headers, "a bad password: no cookie")
    odd = {"name": "Odd", "password": "a long\0password"}
    Ws(d.http).call("account.register", **odd)
    a = session("session.login", odd)
    is_(a.json().get("user", {}).get("name"), odd["name"],
        "a password with a NUL in it, set elsewhere")
    for body in [b"{}", b"[]", b"x", b'{"method":"table.list"}',
                 b'{"method":"account.guest\\u0000"}',
                 b'{"method":"account.guest","params":{"x":' +
                 b"[" * 900 + b"]" * 900 + b"}}",
                 b'{"method":"session.login","params":[]}']:
        a = http(d.http, "POST", "/session", JSON, body)
        ok(a.status in (200, 400) and "error" in a.json() and
           "set-cookie" not in a.headers, f"{body}: no way to log in")

    jar = {"Cookie": "other=1; " + cookie_of(made)}
    is_(Ws(d.http, headers={**jar, **at}).call("account.get")["user"]["name"],
        who["name"], "the cookie logs a WebSocket in")
    is_(Ws(d.http, headers=jar).status, 403, "but not without Origin")
    a = rpc(d.http, "me.tables", headers={**jar, **at})
    is_(a.json()["error"]["data"]["reason"], "not_authenticated",
        "POST /rpc does not look at it")
    a = rpc(d.http, "account.get", token=token)
    is_(a.json()["result"]["user"]["name"], who["name"], "a bearer does")
    ws = Ws(d.http, headers={"Authorization": f"Bearer {token}"})
    is_(ws.call("account.get")["user"]["name"], who["name"], "and at /ws")
    a = rpc(d.http, "account.get", token="nonsense")
    ok(a.json()["error"]["data"]["reason"] == "token_expired" and
       a.json()["id"] == 1, "a bad one is said, under the request's id")

    # A finished private table's record: to whom it may concern.
    one, two = Lines(d.lines).resume(token), Lines(d.lines).guest()
    table = one.call("table.create", game="tictactoe", seats=2, private=True,
                     password="sesame")["table"]
    two.call("table.join", table=table, password="sesame")
    two.call("table.resign", table=table)
    path = f"/api/v1/tables/{table}/record"
    is_(http(d.http, "GET", path).status, 404, "a private record: 404")
    is_(http(d.http, "GET", path, jar).status, 200, "by cookie")
    is_(http(d.http, "GET", path, {"Authorization": f"Bearer {token}"}).status,
        200, "by bearer")

    a = http(d.http, "DELETE", "/session", jar)
    ok(a.status == 204 and "Max-Age=0" in a.headers["set-cookie"],
       "DELETE takes the cookie")
    is_(rpc(d.http, "account.get", token=token).json()["error"]["data"]
        ["reason"], "token_expired", "and the token")
    a = http(d.http, "DELETE", "/session", jar)
    ok(a.status == 204 and "Max-Age=0" in a.headers["set-cookie"],
       "again: the cookie goes all the same")
    is_(http(d.http, "DELETE", "/session").status, 204, "without: nothing")


# A long record comes in pages, whole, also when it is read slowly, and the
# connection is good for more.
def test_long_record():
    seats = [Lines(d.lines).guest() for _ in range(2)]
    for seat in seats:
        seat.judge = None  # who takes their time
    table = s.table_of(seats, "hacienda")
    turn, plies = 0, 0
    undone = [0, 0]
    while min(undone) < 990 and plies < 9000:
        turn, did = undo_some(seats, table, turn, undone)
        plies += did
        if did == 0:
            break
    seats[0].call("table.resign", table=table)
    with s.connect(d.http, receive=4096) as c:
        c.sendall(s.request("GET", f"/api/v1/tables/{table}/record") +
                  s.request("GET", "/healthz", {"Connection": "close"}))
        for _ in range(20):
            d.peer().call("server.hello")
        got = s.rest_of(c)
    first, _, last = got.rpartition(b"HTTP/1.1 ")
    ok(last.startswith(b"200"), "what was pipelined behind is answered")
    lines = s.Answer(first).body.splitlines()
    head, foot = json.loads(lines[0]), json.loads(lines[-1])
    want = seats[0].call("table.get", table=table)["table"]["ply"]
    is_(len(lines), want + 3, f"a line per ply ({len(first)} bytes)")
    ok(head["format"] == "sobremesa-record/1" and "chain" in foot,
       "its head and its foot")
    a = http(d.http, "HEAD", f"/api/v1/tables/{table}/record")
    ok(a.status == 200 and a.body == b"", "HEAD of a record")
    with s.connect(d.http) as c:
        c.sendall(b"GET /api/v1/tables/%s/record HTTP/1.0\r\n"
                  b"Host: localhost\r\n\r\n" % table.encode())
        old = s.Answer(s.rest_of(c))
    is_(old.body.splitlines(), lines, "HTTP/1.0 gets it without chunks")


def undo_some(seats, table, turn, undone):
    """Moves and takes back as often as may be, then moves on: whose turn it
    is then, and how many plies that made."""
    did = 0
    for seat in (turn, 1 - turn):
        peer = seats[seat]
        legal = peer.call("table.legal", table=table)
        for move in legal["moves"]:
            peer.call("table.move", table=table, decision=legal["decision"],
                      move=move)
            did += 1
            while undone[seat] < 990:
                view = peer.call("table.watch", table=table)["view"]
                if view["undo"] is None:
                    break
                peer.call("table.undo", table=table, ply=view["undo"])
                undone[seat] += 1
                did += 2
                legal = peer.call("table.legal", table=table)
                peer.call("table.move", table=table,
                          decision=legal["decision"], move=move)
            return seat, did
    return turn, did


# A watch through POST /rpc answers without subscribing.
def test_rpc_watch():
    token = rpc(d.http, "account.guest").json()["result"]["token"]
    one = Posting(d.http)
    one.token = token
    table = one.call("table.create", game="tictactoe", seats=2)["table"]
    told = one.call("table.watch", table=table)
    ok("view" in told, "table.watch answers")
    ok("tables" in one.call("me.watch"), "and me.watch")


PROMETHEUS = re.compile(
    r'^[a-zA-Z_:][a-zA-Z0-9_:]*(\{[a-zA-Z_]\w*="[^"]*"(,\w+="[^"]*")*\})? '
    r'(NaN|[+-]Inf|-?[0-9.e+-]+)$')


# /metrics can be read, and by direct peers only.
def test_metrics():
    a = http(d.http, "GET", "/metrics")
    is_(a.status, 200, "a direct peer")
    types, bad, seen = {}, [], set()
    for line in a.body.decode().splitlines():
        if line.startswith("# TYPE "):
            name, kind = line[7:].split()
            types[name] = kind
        elif not line.startswith("# HELP "):
            if not PROMETHEUS.match(line):
                bad.append(line)
            seen.add(re.sub(r"(_bucket|_sum|_count)?[{ ].*", "", line))
    is_(bad, [], "every line parses")
    is_(seen, set(types), "every sample has a type, and the other way round")
    is_([n for n, k in types.items() if k == "counter" and
         not n.endswith("_total")], [], "counters end with _total")
    # The clocks of another daemon go on by an hour while it waits.
    clocks = Clocks()
    with Daemon(env=clocks.env) as other:
        peer = Lines(other.lines)
        for _ in range(3):
            peer.call("server.hello")
            clocks.set(3600000, 3600000)
        peer.call("server.hello")
        text = http(other.http, "GET", "/metrics").body.decode()
    turns = dict(line.split() for line in text.splitlines()
                 if line.startswith("sobremesa_loop_turn_"))
    used = float(turns["sobremesa_loop_turn_seconds_sum"])
    longest = float(turns["sobremesa_loop_turn_longest_seconds"])
    ok(0 < longest <= used, f"turns of the loop: {used} s, at most {longest}")
    ok(longest < 1800, "in which the waiting is not")
    for headers in [{"X-Forwarded-For": "127.0.0.1"}, {"Forwarded": "for=x"},
                    {"X-Real-IP": "127.0.0.1"}, {"X-Forwarded-Proto": "http"},
                    {"Host": "games.example"}]:
        is_(http(d.http, "GET", "/metrics", headers).status, 403,
            f"not with {headers}")
    is_(http(d.http, "GET", "/healthz", {"Host": "games.example"}).status, 200,
        "/healthz is for all")


# Limits: who is direct is free of them, unless limits.local is on.  Time stands:
# nothing that is used up comes back.
def test_limits():
    clocks = Clocks(stands=True)
    d = Daemon(env=clocks.env)
    peer = Lines(d.lines)
    ids = [peer.ask("server.hello") for _ in range(300)]
    reasons = set()
    for n in ids:
        try:
            peer.answer(n)
        except s.Refused as e:
            reasons.add(e.reason)
    ok(reasons <= {"too_many_requests"}, "no rate limit for direct peers")

    def flood(headers, n):
        """How many of N reads are answered, and the reasons of others."""
        seen, good = set(), 0
        with s.connect(d.http) as c:
            body = b'{"jsonrpc":"2.0","id":1,"method":"table.list"}'
            one = s.request("POST", "/rpc", {**JSON, **headers}, body)
            for first in range(0, n, 50):
                count = min(50, n - first)
                c.sendall(count * one)
                got = b""
                while (got.count(b'"jsonrpc"') < count
                       or not got.endswith(b"}}")):
                    got += c.recv(65536)
                good += got.count(b'"result"')
                seen |= set(re.findall(rb'"reason":"(\w+)"', got))
        return good, seen

    is_(flood({}, 400), (400, set()), "400 reads of a direct peer")
    is_(flood({"X-Forwarded-For": "198.51.100.7"}, 400),
        (300, {b"rate_limited"}), "behind a proxy an address has its rate")
    is_(flood({"X-Forwarded-For": "198.51.100.8"}, 50), (50, set()),
        "and the next one its own")
    is_(flood({"X-Forwarded-For": "198.51.100.9, 198.51.100.7"}, 30),
        (0, {b"rate_limited"}), "what the nearest proxy wrote is what counts")
    is_(flood({"X-Forwarded-For": "198.51.100.7:4711"}, 30),
        (0, {b"rate_limited"}), "whatever port it comes from")
    is_(flood({"X-Forwarded-For": "198.51.100.9, 198.51.100.7, 127.0.0.1"}, 30),
        (0, {b"rate_limited"}), "and through several proxies of ours")
    is_(flood({"X-Forwarded-For": "198.51.100.10, 127.0.0.1, ::1"}, 30),
        (30, set()), "where the next one has its own, too")
    clocks.set(1000, 1000)
    good, seen = flood({"X-Forwarded-For": "198.51.100.7"}, 100)
    ok(60 <= good <= 65 and seen == {b"rate_limited"},
       f"a second later some of it is there again ({good})")
    peer.close()
    clocks.go()
    is_(d.stop()[0], 0, "end")

    clocks = Clocks(stands=True)
    strict = Daemon("--set", "limits.local=on", "--set",
                    "limits.connections_address=5", env=clocks.env)
    peer = Lines(strict.lines)
    codes = []
    for _ in range(11):
        e = peer.refusal("session.login", name="nobody", password="12345678")
        codes.append(e.reason)
        if e.reason == "rate_limited":
            ok(e.data["retry_after_ms"] > 0, "and when to come again")
    is_(codes, ["bad_credentials"] * 10 + ["rate_limited"],
        "limits.local = on: log-ins are limited")
    more = [Lines(strict.lines) for _ in range(6)]
    refused = 0
    for p in more:
        try:
            p.call("server.hello")
        except Closed:
            refused += 1
    is_(refused, 2, "connections per address")
    admin = Lines(strict.admin)
    is_(admin.call("server.hello")["protocol"], 1,
        "the administrator gets in")
    for p in more:
        p.close()
    peer.close()
    for _ in range(5):  # it hears of that before it hears of these
        admin.call("server.hello")
    held = [Ws(strict.http, headers={"X-Forwarded-For": "198.51.100.7"})
            for _ in range(5)]
    is_([w.status for w in held], [101] * 5, "5 of an address by a proxy")
    is_(Ws(strict.http, headers={"X-Forwarded-For": "198.51.100.7"}).status,
        429, "the 6th not")
    is_(Ws(strict.http, headers={"X-Forwarded-For": "198.51.100.8"}).status,
        101, "another address")
    clocks.go()
    is_(strict.stop()[0], 0, "end")


# What 150 requests get that come with four log-ins, for which they wait.
def logged_in_and_more(peer, name):
    parts, reasons = [], []
    peer.write = parts.append
    asked = [peer.ask("session.login", name="nobody", password="12345678")
             for _ in range(4)]
    asked += [peer.ask("server.hello") for _ in range(150)]
    del peer.write
    peer.write(b"".join(parts))
    for number in asked:
        try:
            peer.answer(number)
            reasons.append("")
        except s.Refused as e:
            reasons.append(e.reason)
    is_(reasons[:4], ["bad_credentials"] * 4, f"{name}: log-ins")
    return reasons[4:]


# Who says too much at once stays connected: a connection has so many requests
# under way, of an address that is limited the others wait unread, and nonsense
# has a rate, too.
def test_floods():
    clocks = Clocks(stands=True)  # all that has come is one turn's work
    near = Daemon(env=clocks.env)
    for name, way in [("lines", lambda: Lines(near.lines)),
                      ("WebSocket", lambda: Ws(near.http))]:
        peer = way()
        reasons = logged_in_and_more(peer, name)
        is_(set(reasons), {"", "too_many_requests"},
            f"{name}: what waits is bounded")
        ok(reasons.count("") >= 60, f"{name}: and what waited is answered")
        peer.close()
    clocks.go()
    is_(near.stop()[0], 0, "end")
    clocks = Clocks(stands=True)
    strict = Daemon("--set", "limits.local=on", env=clocks.env)
    ways = {"lines": (lambda: Lines(strict.lines), b"{\n"),
            "WebSocket": (lambda: Ws(strict.http), s.frame(1, b"{"))}
    for name, (way, nonsense) in ways.items():
        is_(set(logged_in_and_more(way(), name)), {""},
            f"{name}: who is limited is not read meanwhile, and not refused")

        other = way()
        other.write(nonsense * 300)
        told = [other.recv()["error"]["data"] for _ in range(300)]
        is_([data["reason"] for data in told],
            ["parse_error"] * 200 + ["rate_limited"] * 100,
            f"{name}: nonsense has a rate")
        waits = [data["retry_after_ms"] for data in told
                 if data["reason"] == "rate_limited"]
        ok(min(waits) > 0, f"{name}: and when to come again is said")
        ok(other.refusal("server.hello"), f"{name}: not before")
        clocks.set(max(waits), max(waits))
        is_(other.refusal("server.hello"), None, f"{name}: then it goes on")
        clocks.set(20000, 20000)  # its address has all it may again
    clocks.go()
    is_(strict.stop()[0], 0, "end")


# Who is slow on purpose is cut: half a request, half a line, half a frame,
# and reading nothing.
def test_slow():
    slow, step = 3000, 500  # ms, by a clock that passes as it is set
    clocks = Clocks(stands=True)
    strict = Daemon("--set", f"limits.slow_seconds={slow // 1000}",
                    env=clocks.env)
    http_head, http_body, lines, frame = (
        s.connect(strict.http), s.connect(strict.http),
        s.connect(strict.lines), Ws(strict.http))
    http_head.sendall(b"GET / HTTP/1.1\r\n")
    http_body.sendall(s.request("POST", "/rpc", {**JSON,
                                                 "Content-Length": 50}, b"{"))
    lines.sendall(b'{"jsonrpc":')
    frame.write(s.frame(1, b"x" * 100)[:50])
    idle, busy = Lines(strict.lines), Lines(strict.lines)
    deaf = [Lines(strict.lines, receive=4096), Ws(strict.http, receive=4096)]
    for peer in deaf:
        for _ in range(60):
            peer.ask("rpc.discover")
    cut = {}
    socks = {"half a head": http_head, "half a body": http_body,
             "half a line": lines, "half a frame": frame.socket}
    for sock in socks.values():
        sock.setblocking(False)

    def is_cut(sock):
        try:
            data = sock.recv(4096)
            return not data or b"408" in data
        except BlockingIOError:
            return False
        except OSError:
            return True

    def passes():
        """Some time, at whose end one more byte comes, and one more."""
        busy.call("server.hello")  # so what came before has been worked on
        clocks.set(step, step)
        for name, more in (("half a head", b"X: y\r\n"), ("half a line", b" ")):
            with contextlib.suppress(ConnectionError):
                socks[name].send(more)
        for _ in range(2):  # so it has looked at its clock in between
            busy.call("server.hello")

    while len(cut) < len(socks) and clocks.monotonic < 10 * slow:
        passes()
        for name, sock in socks.items():
            if name not in cut and is_cut(sock):
                cut[name] = clocks.monotonic
    for name in socks:
        # It looks every second.
        ok(slow <= cut.get(name, 0) <= slow + 2000,
           f"{name}: cut ({cut.get(name)} ms)")

    def cut_slow():
        passes()
        a = http(strict.http, "GET", "/metrics").body.decode()
        return int(re.search(r"slow_consumers_cut_total (\d+)\n", a).group(1))

    s.comes(lambda: cut_slow() == len(deaf), "who does not read is cut")
    is_(idle.call("server.hello")["protocol"], 1, "who is only idle is not")
    clocks.go()
    is_(strict.stop()[0], 0, "end")


for test in [test_games, test_order, test_much, test_errors, test_sizes,
             test_http, test_smuggling, test_origins, test_session,
             test_long_record, test_rpc_watch, test_metrics, test_limits,
             test_floods, test_slow]:
    test()
ok(s.Peer.judge.count > 300,
   f"{s.Peer.judge.count} messages were as they are published")
is_(d.stop()[0], 0, "end")
done_testing()
