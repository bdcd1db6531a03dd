"""A proxy says who somebody is: it is believed from where the operator says, and
from nowhere else, however the header is sent; such accounts are their own."""

import json
import signal

import sobremesa as s
from sobremesa import Answer, Daemon, Ws, rest_of
from tap import done_testing, is_, ok

PROXY, STRANGER = ("127.0.0.2", 0), ("127.0.0.1", 0)
JSON = {"Content-Type": "application/json"}


def http(source, method, path, headers, body=b"", raw=None):
    """One request from SOURCE; RAW goes between its headers."""
    data = s.request(method, path, {"Connection": "close", **headers}, body)
    if raw is not None:
        head, _, rest = data.partition(b"\r\n\r\n")
        data = head + b"\r\n" + raw + b"\r\n\r\n" + rest
    with s.connect(d.http, source=source) as c:
        c.sendall(data)
        return Answer(rest_of(c))


def rpc(source, method, headers, token=None, raw=None, **params):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method,
                       "params": params}).encode()
    bearer = {"Authorization": f"Bearer {token}"} if token else {}
    return http(source, "POST", "/rpc", {**JSON, **headers, **bearer}, body,
                raw)


def said(source, method, headers, **more):
    answer = rpc(source, method, headers, **more)
    if answer.status != 200:
        return answer.status
    told = answer.json()
    return told["result"] if "result" in told else \
        told["error"]["data"]["reason"]


def enters(user, source=PROXY, header="Remote-User", **more):
    told = said(source, "session.proxy", {header: user}, **more)
    return told["user"]["name"] if isinstance(told, dict) else told


conf = s.room() + "/conf"


def write(proxies):
    with open(conf, "w", encoding="ascii") as file:
        file.write("[accounts]\nproxy_header = Remote-User\n"
                   f"proxy_from = {proxies}\nregistration = closed\n")


write("127.0.0.2/32")
with Daemon("-c", conf) as d:
    # Each name has an account of its own, made when it first comes.
    is_(enters("ana"), "ana", "who comes has an account")
    is_(enters("ana"), "ana", "and the same again")
    is_(enters("remo", header="rEMOTE-uSER"), "remo", "a name of a header")
    is_(enters("Ana"), "Ana-2", "another name, another account")
    is_(enters("ana@example.org"), "ana-3", "an address")
    is_(enters("J\u00f6rg M\u00fcller"),
        "J-rg-M-ller", "letters that no name has")
    is_(enters("!"), "player", "nothing that a name has")
    hello = said(PROXY, "server.hello", {"Remote-User": "ana"})
    is_(hello["proxied"], "ana", "server.hello tells who it says one is")

    # Nobody else says who they are.
    for source, headers, more, what in [
            (STRANGER, {"Remote-User": "ana"}, {}, "from elsewhere"),
            (STRANGER, {"Remote-User": "ana", "X-Forwarded-For": PROXY[0]}, {},
             "from elsewhere, forwarded from there"),
            (STRANGER, {"Remote-User": "ana", "Forwarded": f"for={PROXY[0]}"}, {},
             "from elsewhere, by another header"),
            (PROXY, {}, {}, "without the header"),
            (PROXY, {"Remote-User": ""}, {}, "an empty one"),
            (PROXY, {"Remote-User": "  "}, {}, "of spaces"),
            (PROXY, {"Remote_User": "ana"}, {}, "with a low line"),
            (PROXY, {"X-Remote-User": "ana"}, {}, "with something before"),
            (PROXY, {"Remote-User2": "ana"}, {}, "with something behind"),
            (PROXY, {"Remote-User": "x" * 65}, {}, "too long a name"),
            (PROXY, {"Remote-User": "a\tb"}, {}, "a tab in it"),
            (PROXY, {}, {"raw": b"Remote-User: ana\xe2\x80\xae"},
             "one that turns the line"),
            (PROXY, {}, {"raw": b"Remote-User: \xff\xfe"}, "no UTF-8")]:
        is_(said(source, "session.proxy", headers, **more), "not_proxied",
            what)
        ok("proxied" not in said(source, "server.hello", headers, **more),
           f"{what}: nor does server.hello")
    is_(said(PROXY, "session.proxy", {"Remote-User": "ana"},
             raw=b"remote-user: ben"), 400, "twice: refused, not guessed at")
    is_(said(STRANGER, "session.login", {}, name="ana", password="12345678"),
        "bad_credentials", "nobody logs in by a password")
    is_(said(PROXY, "session.proxy", {"Remote-User": "ana"}, token="nobody"),
        "token_expired", "a bad token is one all the same")

    # The page's way: a cookie, and WebSocket, for who the proxy says.
    body = b'{"method": "session.proxy"}'
    answer = http(PROXY, "POST", "/session", {**JSON, "Remote-User": "ana"},
                  body)
    is_(answer.json().get("user", {}).get("name"), "ana", "POST /session")
    cookie = {"Cookie": answer.headers["set-cookie"].split(";")[0]}
    is_(http(STRANGER, "POST", "/session", {**JSON, "Remote-User": "ana"},
             body).json()["error"]["data"]["reason"], "not_proxied",
        "POST /session: not from elsewhere")

    def who(source, headers):
        peer = Ws(d.http, source=source, headers={
            "Host": "localhost", "Origin": "http://localhost", **headers})
        try:
            return peer.call("account.get")["user"]["name"]
        except s.Refused as why:
            return why.reason
        finally:
            peer.close()

    is_(who(PROXY, {**cookie, "Remote-User": "ana"}), "ana", "GET /ws")
    is_(who(PROXY, {**cookie, "Remote-User": "remo"}), "not_authenticated",
        "GET /ws: who logs in there after somebody is not taken for them")
    is_(who(STRANGER, {**cookie, "Remote-User": "remo"}), "ana",
        "GET /ws: a stranger's header is not looked at")

    # Only the operator binds an account that has a password.
    operator = d.operator()
    operator.call("admin.users.add", name="old", password="long enough")
    is_(enters("old"), "old-2", "an own account is not had by its name")
    operator.call("admin.users.bind", user="old", proxied="old")
    is_(enters("old"), "old", "but by the operator's word")
    is_(said(STRANGER, "session.login", {}, name="old",
             password="long enough")["user"]["name"], "old",
        "and its password is as good as before")
    is_(operator.refusal("admin.users.bind", user="nobody",
                         proxied="x").reason, "no_such_user", "bind: whom?")
    operator.call("admin.users.bind", user="old")
    is_(enters("old"), "old-3", "bound to nobody, a new one")
    operator.call("admin.users.ban", user="remo", why="noise")
    is_(enters("remo"), "banned", "who is barred stays out")
    me = said(PROXY, "session.proxy", {"Remote-User": "ana"})["token"]
    is_(said(PROXY, "account.export", {"Remote-User": "ana"}, token=me,
             part="proxied")["rows"], [{"user": "ana"}], "it is in the export")
    # They have no password: what else asks for one goes without.
    def own(method, **params):
        return said(PROXY, method, {"Remote-User": "ana"}, token=me, **params)

    is_(own("account.get")["has_password"], False, "no password")
    is_(own("account.email.set", email="ana@a.example",
            password="made up by me"), "bad_credentials", "none is right")
    is_(own("account.email.set", email="ana@a.example"), {}, "none is needed")
    is_(own("account.get")["email"], "ana@a.example", "and it is kept")
    gone = said(PROXY, "session.proxy", {"Remote-User": "gone"})["token"]
    is_(said(PROXY, "account.delete", {"Remote-User": "gone"},
             token=gone)["ended"], 0, "nor to be deleted")
    is_(said(PROXY, "account.get", {"Remote-User": "gone"}, token=gone),
        "token_expired", "who is gone then")
    # Kept over a restart; and another reload, another proxy.
    d.stop()
    d.start()
    is_(enters("Ana"), "Ana-2", "after a restart the same")
    write("10.0.0.0/8")
    d.tell(signal.SIGHUP)
    s.until(lambda: "event=reloaded" in d.stderr(), "it is reloaded")
    is_(enters("Ana"), "not_proxied", "a reload takes it away")

done_testing()
