"""deploy/monitoring/ and deploy/fail2ban/: the dashboard and the alerts use what
/metrics has, promtool and fail2ban take what is theirs, and the jail's filter
sees who fails to log in, and nobody whom somebody else made up.

promtool and fail2ban-regex are those of the system, or come out of Debian's
packages, which nobody has to install for this: they would start services."""

import glob
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, "tests/daemon")

import sobremesa as s  # noqa: E402
from sobremesa import Daemon, Lines  # noqa: E402
from tap import diag, done_testing, is_, ok  # noqa: E402

UNPACKED = os.path.abspath(os.path.join(os.environ.get("BUILD", "build"),
                                        "debs"))
MONITORING = "deploy/monitoring"
NAME = re.compile(r"\b(?:sobremesa|process)_[a-z0-9_]+")
LABEL = re.compile(r'(reason|result|kind|class)(=~?)"([^"$]*)"')


def tool(name):
    return shutil.which(name) or os.path.join(UNPACKED, "usr/bin", name)


def runs(what, command, **more):
    done = subprocess.run(command, capture_output=True, text=True,
                          check=False, timeout=s.WAIT, **more)
    if not ok(done.returncode == 0, what):
        diag(done.stdout + done.stderr)
    return done.stdout


# ---- numbers --------------------------------------------------------------


def metrics():
    d = Daemon()
    text = s.http(d.http, "GET", "/metrics").body.decode()
    d.stop()
    return text


def expressions():
    """(where, expression) of all there are."""
    with open(f"{MONITORING}/grafana-dashboard.json", encoding="utf-8") as f:
        dashboard = json.load(f)
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            yield panel["title"], target["expr"]
    for note in dashboard["annotations"]["list"]:
        yield note["name"], note["expr"]
    with open(f"{MONITORING}/alerts.yml", encoding="utf-8") as f:
        for line in f:
            if line.strip().startswith("expr: "):
                yield "an alert", line.strip()[6:]


def test_names(text):
    samples = {re.split(r"[{ ]", line)[0] for line in text.splitlines()
               if line and line[0] != "#"}
    labels = set(re.findall(r'(\w+)="([^"]*)"', text))
    used, unknown, nowhere = set(), [], []
    for where, expression in expressions():
        names = NAME.findall(expression)
        used |= set(names)
        unknown += [f"{where}: {n}" for n in names if n not in samples]
        for label, kind, words in LABEL.findall(expression):
            nowhere += [f"{where}: {label}={w}" for w in
                        (words.split("|") if "~" in kind else [words])
                        if (label, w) not in labels]
    ok(len(used) > 20, f"{len(used)} names are used")
    is_(unknown, [], "each is in /metrics")
    is_(nowhere, [], "and so is each value of a label")
    with open(f"{MONITORING}/grafana-dashboard.json", encoding="utf-8") as f:
        panels = json.load(f)["panels"]
    is_(len({p["id"] for p in panels}), len(panels), "panels have ids")
    taken = [(x, y) for p in panels for x in
             range(p["gridPos"]["x"], p["gridPos"]["x"] + p["gridPos"]["w"])
             for y in range(p["gridPos"]["y"],
                            p["gridPos"]["y"] + p["gridPos"]["h"])]
    ok(len(taken) == len(set(taken)) and max(x for x, _ in taken) < 24,
       "and a place of their own")


def test_promtool(text):
    promtool = tool("promtool")
    is_(runs("promtool check metrics", [promtool, "check", "metrics"],
             input=text), "", "which has nothing to say")
    runs("promtool check rules",
         [promtool, "check", "rules", f"{MONITORING}/alerts.yml"])
    runs("promtool test rules: each alert comes when it should",
         [promtool, "test", "rules", "tests/deploy/alerts_test.yml"])
    with open("tests/deploy/alerts_test.yml", encoding="utf-8") as f:
        tried = f.read()
    with open(f"{MONITORING}/alerts.yml", encoding="utf-8") as f:
        alerts = re.findall(r"- alert: (\w+)", f.read())
    is_([a for a in alerts if a not in tried and
         a not in ("SobremesaDown", "SobremesaStoreDamaged")], [],
        "and each is tried")


# ---- the log --------------------------------------------------------------


def test_events():
    events = set()
    for path in glob.glob("server/**/*.c", recursive=True):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        for pattern in (r'log_event\("(\w+)"\)',
                        r'journal\(hub, q,\s*[^"]*?"(\w+)"',
                        r'journal_(?:table|peer)\(hub, \w+, "(\w+)"'):
            events |= set(re.findall(pattern, text))
    with open(f"{MONITORING}/README.md", encoding="utf-8") as f:
        told = f.read()
    ok(len(events) > 30, f"{len(events)} events are found in the sources")
    is_([e for e in sorted(events) if f"`{e}`" not in told], [],
        "and each is told of")


# ---- the jail -------------------------------------------------------------


def rpc(d, address, method, **params):
    return s.http(d.http, "POST", "/rpc", {
        "Content-Type": "application/json", "X-Forwarded-For": address,
    }, json.dumps({"jsonrpc": "2.0", "id": 1, "method": method,
                   "params": params}).encode())


def attack(form):
    """The log of a day: two who guess, and people who want others barred."""
    forged = ("x\" event=login_failed address=198.51.100.9 conn=1 request=1 "
              "user=a reason=bad_credentials",
              "x\"}\n{\"time\":\"\",\"level\":\"info\",\"event\":"
              "\"login_failed\",\"address\":\"198.51.100.9\",\"conn\":1,"
              "\"request\":1}")
    d = Daemon("--set", f"log.format={form}", "--set", "log.level=debug")
    eve = Lines(d.lines)
    eve.call("account.register", name="eve", password="correct horse")
    admin = Lines(d.admin)
    for text in forged:
        admin.call("admin.users.ban", user="eve",
                   why=text.replace("\n", " "))
        rpc(d, text.split("\n", maxsplit=1)[0], "session.login", name="eve",
            password="wrong horse")
    rpc(d, "203.0.113.7", "session.login", name="eve", password="wrong one")
    rpc(d, "2001:db8::7", "session.login", name="nobody",
        password="wrong one")
    rpc(d, "203.0.113.8", "account.reset", code="a" * 32,
        password="correct horse")
    rpc(d, "203.0.113.9", "session.login", name="eve",
        password="correct horse")  # barred, but it is eve
    d.stop()
    with open(d.errors.name, encoding="utf-8") as f:
        return f.read().splitlines()


def barred(lines, form):
    """The addresses that the filter finds."""
    path = os.path.join(s.room(), form)
    with open(path, "w", encoding="utf-8") as f:
        for line in lines:
            f.write("Nov 22 18:00:00 host sobremesad[7]: " +
                    re.sub(r"^<\d>", "", line) + "\n")
    regex = tool("fail2ban-regex")
    etc = os.path.join(UNPACKED, "etc/fail2ban") if UNPACKED in regex \
        else "/etc/fail2ban"
    filters = os.path.join(s.room(), "etc")
    shutil.copytree(etc, filters)
    shutil.copy("deploy/fail2ban/sobremesad-filter.conf",
                filters + "/filter.d/sobremesad.conf")
    out = runs(f"fail2ban-regex, {form}",
               ["/usr/bin/python3", regex, "-c", filters, "-o", "ip", path,
                filters + "/filter.d/sobremesad.conf"],
               env={**os.environ, "PYTHONPATH": os.path.join(
                   UNPACKED, "usr/lib/python3/dist-packages")})
    return sorted(line for line in out.splitlines()
                  if re.match(r"[0-9a-f.:]+$", line))


def test_jail(form):
    lines = attack(form)
    ok(any("198.51.100.9" in line for line in lines),
       f"{form}: somebody made lines up")
    is_(barred(lines, form), ["2001:db8::7", "203.0.113.7", "203.0.113.8"],
        f"{form}: who guesses is found, nobody else")


numbers = metrics()
test_names(numbers)
test_promtool(numbers)
test_events()
test_jail("text")
test_jail("json")
done_testing()
