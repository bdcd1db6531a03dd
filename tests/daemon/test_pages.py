"""The browser client as the daemon serves it: what it says of each file, to
whom it gives what, and what it does not give."""

import gzip
import re

from sobremesa import Daemon, http
from tap import done_testing, is_, ok

d = Daemon()

page = http(d.http, "GET", "/")
text = page.body.decode()
base = "/" + re.search(r'src="(a/[0-9a-f]+/)early\.js"',
                       text).group(1)


def test_page():
    is_(page.status, 200, "the page is at /")
    is_(page.headers["content-type"], "text/html; charset=utf-8", "as HTML")
    is_(page.headers["cache-control"], "no-cache",
        "it is asked for each time")
    policy = dict(
        part.strip().split(" ", 1)
        for part in page.headers["content-security-policy"].split(";"))
    is_(policy["default-src"], "'none'", "nothing is allowed but")
    is_(policy["script-src"], "'self' 'wasm-unsafe-eval'",
        "scripts from here, and the core")
    is_(policy["style-src"], "'self'", "styles from here")
    is_(policy["connect-src"], "'self'", "talk with us")
    is_(policy["worker-src"], "'self'", "a service worker from here")
    is_(policy["frame-ancestors"], "'none'", "and it stands in no frame")
    ok("unsafe-inline" not in str(policy), "nothing inline")
    is_(page.headers["x-content-type-options"], "nosniff", "no guessing")
    is_(page.headers["referrer-policy"], "no-referrer", "nobody is told")
    is_("set-cookie" in page.headers, False, "looking sets no cookie")


def test_files():
    for name, kind in (("app.js", "text/javascript; charset=utf-8"),
                       ("manifest.webmanifest", "application/manifest+json"),
                       ("icon-192.png", "image/png"),
                       ("app.css", "text/css; charset=utf-8"),
                       ("icon.svg", "image/svg+xml"),
                       ("web.wasm", "application/wasm"),
                       ("tictactoe.js", "text/javascript; charset=utf-8")):
        plain = http(d.http, "GET", base + name)
        is_(plain.status, 200, f"{name} is there")
        is_(plain.headers["content-type"], kind, f"{name}: what it is")
        ok("immutable" in plain.headers["cache-control"],
           f"{name}: to be kept for ever")
        ok("content-encoding" not in plain.headers,
           f"{name}: plain where gzip is not asked for")
        small = http(d.http, "GET", base + name,
                     headers={"Accept-Encoding": "br, gzip"})
        is_(small.headers["content-encoding"], "gzip", f"{name}: gzip")
        is_(small.headers["vary"], "Accept-Encoding", f"{name}: it varies")
        is_(plain.headers["vary"], "Accept-Encoding",
            f"{name}: also when plain")
        ok(gzip.decompress(small.body) == plain.body,
           f"{name}: the same within")
        ok(small.headers["etag"] != plain.headers["etag"],
           f"{name}: each form has a tag of its own")
        no = http(d.http, "GET", base + name,
                  headers={"Accept-Encoding": "gzip;q=0"})
        ok(no.body == plain.body, f"{name}: gzip;q=0 is a no")
    is_(http(d.http, "GET", base + "web.wasm").body[:4], b"\0asm",
        "the core is wasm")


def test_worker():
    worker = http(d.http, "GET", "/sw.js")
    is_(worker.status, 200, "the service worker stands beside the page")
    is_(worker.headers["content-type"], "text/javascript; charset=utf-8",
        "as a script")
    is_(worker.headers["cache-control"], "no-cache", "asked for each time")
    is_(worker.headers["content-security-policy"],
        page.headers["content-security-policy"],
        "it may do what the page may: its head says so, not the page's")
    is_(worker.headers["vary"], "Accept-Encoding", "plain or packed")
    script = worker.body.decode()
    ok(base.split("/")[2] in script, "it knows which version it is")
    ok("@" not in script, "and nothing in it was left to be filled in")
    named = re.search(r'"([^"]*app\.js[^"]*)"', script).group(1).split(" ")
    is_([name for name in named
         if http(d.http, "GET", base + name).status != 200], [],
        "all the files that it keeps are there")
    ok({"app.css", "web.wasm"} <= set(named) and "index.html" not in named,
       "and they are those of the page")


def test_known_already():
    tag = page.headers["etag"]
    known = http(d.http, "GET", "/", headers={"If-None-Match": tag})
    is_(known.status, 304, "who has the page is told so")
    is_(known.body, b"", "in as few words")
    is_(known.headers["etag"], tag, "with its tag")
    other = http(d.http, "GET", "/", headers={"If-None-Match": '"old"'})
    is_(other.status, 200, "who has an older one gets it")


def test_head():
    head = http(d.http, "HEAD", "/")
    is_(head.status, 200, "HEAD")
    is_(head.headers["content-length"], str(len(page.body)),
        "tells the length that GET has")
    is_(head.body, b"", "and gives nothing")


def test_not_there():
    for path in ("/app.js", "/index.html", base, base + "index.html",
                 base + "sw.js",
                 base + "types.js", base + "README.md", base + "nothing.js",
                 base + "games/", base + "../app.js", "/a/", "/a/0/app.js",
                 "/a/%s/app.js" % ("0" * 16), base[:-1]):
        answer = http(d.http, "GET", path)
        ok(answer.status in (400, 404), f"{path} is not there",)
        ok(answer.headers["content-type"].startswith("text/plain"),
           f"{path}: said in plain text")
    is_(http(d.http, "POST", base + "app.js").status, 405,
        "nothing can be posted there")
    is_(http(d.http, "GET", "/", headers={
        "Origin": "https://evil.example"}).status, 403,
        "another site's script gets nothing")


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
d.stop()
done_testing()
