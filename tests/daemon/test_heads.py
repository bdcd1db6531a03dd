"""Whatever HTTP answers, browsers are kept from harm: every head has the safety
headers, once each, also where a request is refused before anybody looked at
it, where an answer comes in pieces and where WebSocket is spoken from then on."""

import sobremesa as s
from sobremesa import Daemon, Lines, rest_of
from tap import done_testing, is_, ok

SAFETY = {"content-security-policy", "x-content-type-options",
          "x-frame-options", "referrer-policy",
          "cross-origin-opener-policy", "cross-origin-resource-policy",
          "cache-control", "date"}
JSON = "Content-Type: application/json"
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
UPGRADE = ("Connection: Upgrade", "Upgrade: websocket",
           "Sec-WebSocket-Version: 13", KEY)

d = Daemon("--set", "http.echo=on", "--set", "limits.connections_address=2",
           "--set", "http.proxies=127.0.0.1")
anna, ben = Lines(d.lines).guest(), Lines(d.admin).guest()
table = s.table_of([anna, ben])
going = anna.call("table.create", game="tictactoe", seats=2)["table"]
ben.call("table.resign", table=table)
record = f"GET /api/v1/tables/{table}/record"


def asked(line, *headers, body=b"", version="1.1"):
    """All that comes back before the server closes."""
    lines = [f"{line} HTTP/{version}", "Host: %s:%d" % d.http,
             "Connection: close", *headers]
    if any(h.startswith("Connection: Up") for h in headers):
        lines.remove("Connection: close")
    if body and not any(h.startswith("Transfer") for h in headers):
        lines.append(f"Content-Length: {len(body)}")
    return sent("\r\n".join(lines).encode() + b"\r\n\r\n" + body)


def sent(data):
    with s.connect(d.http) as c:
        c.sendall(data)
        if b"websocket" not in data:
            return rest_of(c)
        got = b""  # which is not closed if it is agreed on
        while b"\r\n\r\n" not in got:
            got += c.recv(65536) or b"closed\r\n\r\n"
        return got


def safe(answer, status, what):
    head = answer.partition(b"\r\n\r\n")[0].decode().split("\r\n")
    names = [line.partition(":")[0].lower() for line in head[1:]]
    lacks = sorted(SAFETY - set(names))
    twice = sorted({n for n in names if names.count(n) > 1} - {"vary"})
    ok(head[0].startswith(f"HTTP/1.1 {status} ") and not lacks and not twice,
       f"{status}: {what}")
    if lacks or twice:
        print("# lacks", *lacks, "; twice:", *twice)


def post(path, body, *headers):
    return asked(f"POST {path}", JSON, *headers, body=body)


def call(method, **params):
    return s.json.dumps({"jsonrpc": "2.0", "id": 1, "method": method,
                         "params": params}).encode()


page = asked("GET /")
safe(page, 200, "the page")
tag = page.split(b'src="a/')[1].split(b"/")[0].decode() \
    if b'src="a/' in page else None
etag = page.lower().split(b"etag: ")[1].split(b"\r\n")[0].decode()
safe(asked("HEAD /"), 200, "the page's head")
safe(asked("GET /", f"If-None-Match: {etag}"), 304, "the page, as before")
safe(asked("GET /", "Accept-Encoding: gzip"), 200, "the page, compressed")
ok(tag is not None, "the page names its files")
safe(asked(f"GET /a/{tag}/app.js"), 200, "one of its files")
safe(asked("GET /healthz"), 200, "healthz")
safe(asked("GET /readyz"), 200, "readyz")
safe(asked("GET /metrics"), 200, "metrics")
safe(asked("GET /metrics", "X-Forwarded-For: 9.9.9.9"), 403,
     "metrics, from elsewhere")

safe(asked(record), 200, "a record, in pieces")
safe(asked(record, version="1.0"), 200, "a record, to the end")
safe(asked(record.replace("GET", "HEAD")), 200, "a record's head")
safe(asked(f"GET /api/v1/tables/{going}/record"), 409, "a record too early")
safe(asked("GET /api/v1/tables/none/record"), 404, "no such record")

safe(post("/rpc", call("server.hello")), 200, "a call")
safe(post("/rpc", call("me.tables")), 200, "a call that is refused")
safe(post("/rpc", call("me.tables"), "Authorization: Bearer nobody"), 200,
     "a call with a bad token")
safe(post("/rpc", b"nonsense"), 200, "a call that is none")
safe(asked("POST /rpc", body=b"{}"), 415, "a call in another type")
safe(post("/session", call("account.guest")), 200, "a session")
safe(post("/session", call("session.resume", token="nobody")), 200,
     "a session that is refused")
safe(post("/session", call("server.hello")), 200, "a session that is none")
safe(asked("DELETE /session"), 204, "no session")
safe(asked("DELETE /session", "Cookie: sobremesa=nobody"), 204,
     "a session that ends")

safe(asked("GET /nowhere"), 404, "nowhere")
for line, path in (("PUT", "/"), ("GET", "/rpc"), ("GET", "/session"),
                   ("POST", "/ws"), ("OPTIONS", "/healthz")):
    safe(asked(f"{line} {path}"), 405, f"{line} {path}")
safe(post("/rpc", b"{}", "Origin: https://else.example"), 403,
     "from another page")

safe(asked("GET /ws"), 426, "no WebSocket")
safe(asked("GET /ws", *UPGRADE[:2]), 400, "a WebSocket without its key")
safe(asked("GET /ws", *UPGRADE, "Sec-WebSocket-Protocol: else"), 400,
     "a WebSocket that speaks something else")
safe(asked("GET /ws", *UPGRADE, "Cookie: sobremesa=nobody"), 403,
     "a WebSocket with a cookie, from no page")
safe(asked("GET /ws", *UPGRADE, "Origin: https://else.example"), 403,
     "a WebSocket from another page")
safe(asked("GET /ws", *UPGRADE), 101, "a WebSocket")
safe(asked("GET /echo", *UPGRADE), 101, "one that echoes")

safe(sent(b"nonsense\r\n\r\n"), 400, "what is no request")
safe(sent(b"GET / HTTP/1.1\r\n\r\n"), 400, "a request without a host")
safe(sent(b"GET / HTTP/2.0\r\nHost: a\r\n\r\n"), 505, "another HTTP")
safe(asked("GET /" + "a" * 5000), 414, "a long path")
safe(asked("GET /", "A: " + "a" * 17000), 431, "long headers")
safe(asked("POST /rpc", JSON, "Content-Length: 99999999"), 413, "too much")
safe(asked("POST /rpc", JSON, "Expect: magic", body=b"{}"), 417,
     "an expectation")

# Who has as many connections as one may gets no further one.
wish = ("\r\n".join(["GET /ws HTTP/1.1", "Host: games.example",
                     "X-Forwarded-For: 9.9.9.9", *UPGRADE])
        + "\r\n\r\n").encode()
held = [s.connect(d.http) for _ in range(2)]
for one in held:
    one.sendall(wish)
    safe(one.recv(65536), 101, "a WebSocket through the proxy")
safe(sent(wish), 429, "and one too many")

is_(d.stop()[0], 0, "it ends")
done_testing()
