"""How the daemon starts and ends: its command line, its sockets, signals, and
what the system manager wants of it."""

import json
import os
import signal
import socket
import stat
import subprocess
import threading

import sobremesa as s
from sobremesa import Daemon, Lines, Ws
from tap import diag, done_testing, is_, ok


def run(*args, cwd=None):
    done = subprocess.run([os.path.abspath(s.PROGRAM), *args],
                          stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=s.WAIT, text=True, cwd=cwd, check=False)
    return done.returncode, done.stdout, done.stderr


def says(args, status, words, what):
    got, out, err = run(*args)
    fits = got == status and out == "" and words in err
    if not ok(fits, what):
        diag(f"{got}, stdout {out!r}, stderr {err!r}")


# What is wrong with a command line is said in words, with status 64; what is
# wrong with a file with its line, and status 1.
def test_command_line():
    here = s.room()
    conf = os.path.join(here, "conf")

    def file(text):
        with open(conf, "w", encoding="ascii") as f:
            f.write(text)
        return ["-c", conf, "--check-config"]

    for args, words in [
            (["--nonsense"], "unrecognized option"),
            (["stray"], "what is stray?"),
            (["--data"], "requires an argument"),
            (["--set", "http.echo"], "--set takes section.key=value"),
            (["--set", "http.nothing=1"], "there is no setting http.nothing"),
            (["--set", "http.echo=maybe"], "http.echo must be on or off"),
            (["--set", "limits.connections=0"], "a number from 1"),
            (["--set", "limits.connections=1x"], "a number from 1"),
            (["--set", "store.sync=half"], "one of: full normal off"),
            (["--set", "accounts.invitation_code=short"], "8 to 64 letters"),
            (["--set", "accounts.invitation_code=" + "x" * 65],
             "a shorter text"),
            (["--set", "accounts.invitation_code=not this one"],
             "8 to 64 letters"),
            (["--http", "nowhere", "--check-config"], "ADDR:PORT"),
            (["--lines", "1.2.3.4:99999", "--check-config"], "ADDR:PORT")]:
        says(args, 64, words, f"{' '.join(args)}: {words}")
    says(["-c", here + "/none"], 1, "No such file", "no such file")
    says(["-c", here], 1, "it is a directory", "a directory")
    os.mkfifo(here + "/fifo")
    says(["-c", here + "/fifo"], 1, "it is a pipe", "a pipe, for which nobody "
         "waits")
    says(["-c", "/dev/null"], 1, "it is a device", "a device")
    says(file("[http]\necho = perhaps\n"), 1, conf + ":2: http.echo must be",
         "a bad value in a file, with its line")
    says(file("[http]\n\nehco = on\n"), 1, ":3: there is no setting http.ehco",
         "an unknown key in a file")
    for text, at, words, what in [
            ("[http]\necho = on\nnonsense\n[http]\necho = perhaps\n", 3,
             "neither [section] nor key", "the first of two mistakes"),
            ("[http]\necho = perhaps\nehco = on\n", 2, "http.echo must be",
             "and what is wrong with it, not with the second"),
            ("[http]\necho = on\n\n; why\necho = off\n", 5,
             "http.echo was set in line 2", "a key twice"),
            ("echo = on\n", 1, "below its [section]", "no section"),
            ("[http]\nehco = on\n", 2, "did you mean http.echo?", "a slip"),
            ("[server]\nproxies = ::1\n", 2, "did you mean http.proxies?",
             "another section"),
            ("[server]\nname = " + "x" * 300 + "\nname = y\n", 2,
             "longer than", "a line that is cut"),
            ("[accounts]\ninvitation_code = x y\n", 2, "8 to 64 letters",
             "a bad code"),
            ("[server]\nname = a\x1b[31m\n", 2, "printable text",
             "a terminal's commands"),
            ("[http]\nehco\x1b[31m = on\n", 2, "\\x1b[31m",
             "which are not shown as they are"),
            ("[server]\nname = a\0b\n", 2, "a byte 0", "a text that is cut"),
            ("[server]\nname = a\0", 2, "a byte 0", "in the last line, too"),
            ("[http]\nproxies = 10.0.0.0/8 10.1.2.3/8\n", 2,
             "10.1.2.3/8 is no network; 10.0.0.0/8 is", "a network"),
            ("[http]\nproxies = 10.0.0.0/8,\n  2001:db8::/200\n", 3,
             "0 to 128", "in a value that goes on"),
            ("[http]\norigins = https://a.example/\n", 2,
             "nothing behind the host", "an origin with a path"),
            ("[http]\norigins = a.example\n", 2, "origins as browsers",
             "an origin without a scheme"),
            ("[server]\ncontact = javascript:alert(1)\n", 2, "a link",
             "a script as link"),
            ("[server]\nurl = mailto:ops@a.example\n", 2, "an address",
             "a server that is no page"),
            ("[server]\nrules_url = https://a.example/\"onclick=x\n", 2,
             "a link", "a quote in a link")]:
        says(file(text), 1, f"{conf}:{at}: ", what + ": its line")
        says(file(text), 1, words, what + ": " + words.replace("\\", ""))
    says(file("[http]\n  echo = on\n  proxies = 10.0.0.0/8\n"
              "     ::ffff:192.0.2.0/120\n  metrics = on\n"
              "[server]\ncontact = mailto:ops@a.example\n"
              "privacy_url = https://a.example:8443/p?q#r\n"), 0, "good",
         "settings behind spaces, and a value in two lines")
    os.chmod(conf, 0o644)
    says(file("[accounts]\ninvitation_code = secret-code\n"), 0, "chmod 640",
         "a secret that everybody may read")
    os.chmod(conf, 0o640)
    said = run("-c", conf, "--check-config")[2]
    is_(said, "The configuration is good.\n", "and one that they may not")
    says(file("[http\n"), 1, ":1:", "no INI at all")
    says(file("[http]\nlisten = 127.0.0.1:0\n"), 0, "good", "a good file")
    for key, words in [("http.proxies", "say to come from anywhere"),
                       ("accounts.proxy_from", "say to be anybody")]:
        for network in "0.0.0.0/0", "10.0.0.0/8 ::/0":
            says(["--set", f"{key}={network}", "--set",
                  "accounts.proxy_header=Remote-User", "--set",
                  "accounts.proxy_from=127.0.0.1", "--set",
                  f"{key}={network}", "--check-config"], 0, words,
                 f"{key}: {network} is everybody")
    status, out, _ = run("--help")
    ok(status == 0 and all(word in out for word in
                           ["--data", "--http", "--lines", "--lines-unix",
                            "--admin", "--set", "--check-config", "-c,"]),
       "--help names every option")
    ok(not os.path.exists("sobremesa-data"), "none of them makes anything")
    status, _, err = run("--data", "/proc/none/data")
    ok(status == 1 and "/proc/none/data" in err,
       "data where nothing can be: status 1 and its name")


# With its standard files closed, nothing that it opens gets what it prints.
def test_closed():
    here = s.room()
    command = [s.PROGRAM, "--data", os.path.join(here, "data"), "--http", "off",
               "--lines", "off", "--admin", os.path.join(here, "a")]
    child = subprocess.Popen(
        ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *command])
    peer = s.until(lambda: os.path.exists(command[-1]) and Lines(command[-1]))
    is_(peer.call("server.hello")["protocol"], 1, "it is there all the same")
    is_({os.readlink(f"/proc/{child.pid}/fd/{fd}") for fd in range(3)},
        {"/dev/null"}, "and prints nowhere")
    child.terminate()
    is_(child.wait(s.WAIT), 0, "and ends")


# The defaults, and one line on stdout.
def test_ready():
    here = s.room()
    d = Daemon("--admin", os.path.join(here, "a"), "--lines-unix",
               os.path.join(here, "l"), "--set", "http.echo=on",
               data=os.path.join(here, "data"))
    is_(sorted(d.ready), ["admin", "http", "lines", "lines_unix", "ready"],
        "the ready line says where everything is")
    ok(d.http[1] > 0 and d.lines[1] > 0, "port 0 is the system's choice")
    is_(stat.S_IMODE(os.stat(d.admin).st_mode), 0o600,
        "the admin socket is its owner's alone")
    ok(stat.S_IMODE(os.stat(d.data).st_mode) & 0o077 == 0,
       "and so is the data directory, which was made")
    is_(Lines(d.admin).call("server.hello")["protocol"], 1, "admin socket")
    is_(Lines(d.ready["lines_unix"]).call("server.hello")["protocol"], 1,
        "lines over a Unix socket")
    is_(s.http(d.http, "GET", "/healthz").status, 200, "alive")
    is_(s.http(d.http, "GET", "/readyz").status, 200, "ready")
    is_(d.stop()[0], 0, "SIGTERM: status 0, which is not given after 10 s")
    is_(d.out.count(b"\n"), 1, "one line on stdout is all")
    ok(not os.path.exists(d.admin), "its sockets are gone")

    d = Daemon(http="off", lines="off")
    is_(sorted(d.ready), ["admin", "ready"], "off is off")
    is_(d.admin, os.path.join(d.data, "admin.sock"), "the admin socket's place")
    is_(d.stop(signal.SIGINT)[0], 0, "SIGINT: status 0")
    d = Daemon("--admin", "off")
    ok(d.admin is None, "no admin socket")
    d.stop()

    # The command line beats the file.
    conf = os.path.join(here, "conf")
    with open(conf, "w", encoding="ascii") as f:
        f.write("[server]\nname = From the file\n[accounts]\nguests = off\n"
                "[http]\nlisten = 127.0.0.1:1\n")
    d = Daemon("-c", conf, "--set", "accounts.guests=on")
    hello = Lines(d.lines).call("server.hello")
    is_((hello["name"], hello["guests"]), ("From the file", True),
        "the command line beats the file")
    d.stop()


# What is not said is as PROTOCOL and the issue say; in a network of its own
# nobody else has those ports.
def test_defaults():
    here = s.room()
    alone = ["unshare", "-rn", "sh", "-c",
             'ip link set lo up 2>/dev/null; exec "$0"']
    tried = subprocess.run([*alone, "/bin/true"], capture_output=True,
                           check=False)
    if tried.returncode != 0:
        ok(True, "defaults # SKIP no network of one's own can be had")
        return
    p = subprocess.Popen([*alone, os.path.abspath(s.PROGRAM)], cwd=here,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL)
    s.running.append(p)
    is_(json.loads(p.stdout.readline()),
        {"ready": True, "http": "127.0.0.1:8080", "lines": "127.0.0.1:7070",
         "admin": "./sobremesa-data/admin.sock"}, "the defaults")
    p.terminate()
    is_(p.wait(s.WAIT), 0, "and their end")
    s.running.remove(p)
    p.stdout.close()


# One daemon per data directory, and none is kept out by a dead one.
def test_second():
    d = Daemon("--lines-unix", os.path.join(s.room(), "l"))
    status, out, err = run("--data", d.data, "--http", "off", "--lines", "off")
    ok(status == 1 and out == "" and d.data in err,
       "a second daemon on live data is refused")
    diag(err)
    is_(Lines(d.admin).call("server.hello")["protocol"], 1,
        "and the first still has its sockets")
    os.unlink(os.path.join(d.data, "lock"))
    status, out, err = run("--data", d.data, "--http", "off", "--lines", "off")
    ok(status == 1 and out == "" and d.data in err,
       "nor is one let in when the lock's file is removed")
    for option in "--admin", "--lines-unix":
        where = d.admin if option == "--admin" else d.ready["lines_unix"]
        status, out, err = run("--data", s.room(), "--http", "off", "--lines",
                               "off", option, where)
        ok(status == 1 and out == "" and where in err and
           "another server" in err, f"one with other data takes no {option}")
        is_(Lines(where).call("server.hello")["protocol"], 1,
            "which the first still has")
    token = Lines(d.lines).guest().token
    d.kill()
    ok(os.path.exists(d.admin), "killed, it leaves its sockets")
    again = Daemon("--lines-unix", d.ready["lines_unix"], data=d.data)
    is_(Lines(again.ready["lines_unix"]).call("server.hello")["protocol"], 1,
        "which are replaced at once")
    Lines(again.admin).resume(token)
    ok(True, "and an account that was told is there")
    again.stop()

    # A daemon's end removes its own sockets, not those that came in their place.
    first = Daemon()
    os.unlink(first.admin)
    second = Daemon("--admin", first.admin)
    is_(first.stop()[0], 0, "one whose socket's name another has ends")
    is_(Lines(first.admin).call("server.hello")["protocol"], 1,
        "and leaves it that")
    second.stop()
    ok(not os.path.exists(first.admin), "who removes it")

    # What is no socket is nobody's to remove.
    path = os.path.join(s.room(), "precious")
    with open(path, "w", encoding="ascii") as f:
        f.write("precious")
    status, _, err = run("--data", s.room(), "--http", "off", "--lines", "off",
                         "--admin", path)
    ok(status == 1 and "precious" in err and os.path.getsize(path) == 8,
       "a file in a socket's place is left alone")
    taken = socket.create_server(("127.0.0.1", 0))
    where = "127.0.0.1:%d" % taken.getsockname()[1]
    for one, other in ("http", "lines"), ("lines", "http"):
        status, _, err = run("--data", s.room(), "--" + one, where,
                             "--" + other, "off")
        ok(status == 1 and where in err and "--" + one in err and
           one + ".listen" in err,
           f"a port that is taken, and what to type: {one}")


# Whoever lingers, the end comes within 10 s by a clock that is set, and those who
# can hear it are told first.
def test_lingering():
    clocks = s.Clocks(stands=True)
    d = Daemon(env=clocks.env)
    idle, lines, stranger = (Ws(d.http).guest(), Lines(d.lines).guest(),
                             Ws(d.http))
    half = [s.connect(d.http), s.connect(d.lines), s.connect(d.http)]
    half[0].sendall(b"POST /rpc HTTP/1.1\r\nHost: local")
    half[1].sendall(b'{"jsonrpc":"2.0",')
    half[2].sendall(s.request("POST", "/rpc", {
        "Content-Length": 100, "Content-Type": "application/json"}, b"{"))
    deaf = Lines(d.lines, receive=4096)
    deaf.guest()
    for _ in range(40):
        deaf.ask("rpc.discover")
    deaf_ws = Ws(d.http, receive=4096)
    for _ in range(40):
        deaf_ws.ask("rpc.discover")
    for _ in range(20):  # until they have as much as they take
        lines.call("server.hello")
    d.tell(signal.SIGTERM)

    # Nine seconds, and then no more.
    threading.Thread(target=clocks.go_on, args=(18, 500), daemon=True).start()
    is_(idle.note("server.notice")["kind"], "shutdown", "WebSocket is told")
    is_(lines.note("server.notice")["kind"], "shutdown", "lines are told")
    for peer, what in [(idle, "idle"), (stranger, "unknown")]:
        try:
            peer.recv()
            ok(False, "nothing more")
        except s.Closed as e:
            is_(e.code, 1001, f"an {what} WebSocket is closed with 1001")
    is_(d.end()[0], 0, "within 10 s, and status 0 all the same")


# SIGHUP takes up what can be changed, and refuses nonsense.
def test_reload():
    conf = os.path.join(s.room(), "conf")

    def write(text):
        with open(conf, "w", encoding="ascii") as f:
            f.write(text)

    def hears(word, what):
        s.comes(lambda: word in d.stderr(), what)

    write("[accounts]\nguests = off\n")
    d = Daemon("-c", conf)
    peer = Lines(d.lines)
    is_(peer.refusal("account.guest").reason, "registration_closed",
        "no guests")
    write("[accounts]\nguests = on\n[server]\nname = Anew\n")
    d.tell(signal.SIGHUP)
    hears("event=reloaded", "SIGHUP is heard")
    peer.guest()
    is_(peer.call("server.hello")["name"], "Anew", "and taken up")
    write("[accounts]\nguests = sometimes\n")
    d.tell(signal.SIGHUP)
    hears("event=reload_failed", "a bad file is said")
    ok(":2: accounts.guests must be on or off" in d.stderr(), "and where")
    Lines(d.lines).guest()
    ok(True, "it goes on as before")
    os.rename(conf, conf + ".away")
    for make, words in (os.mkdir, "it is a directory"), (os.mkfifo, "a pipe"):
        make(conf)
        d.tell(signal.SIGHUP)
        hears(words, f"no file is said: {words}")
        is_(peer.call("server.hello")["name"], "Anew", "and changes nothing")
        (os.rmdir if make is os.mkdir else os.unlink)(conf)
    is_(d.stop()[0], 0, "and ends well")


# Who has the operator's code comes in; it is shown to nobody.
def test_invitation():
    code = "come-and-play"
    d = Daemon("--set", "accounts.registration=invite",
               "--set", "accounts.invitation_code=" + code)
    peer = Lines(d.lines)
    is_(peer.call("server.hello")["registration"], "invite", "it is told")
    wanted = {"name": "dora", "password": "password"}
    is_(peer.refusal("account.register", **wanted).reason, "not_invited",
        "without the code nobody registers")
    is_(peer.refusal("account.register", invite="x" + code, **wanted).reason,
        "not_invited", "nor with another")
    is_(peer.call("account.register", invite=code, **wanted)["user"]["name"],
        "dora", "with it, they do")
    shown = subprocess.run(
        [os.path.join(s.BIN, "sobremesactl"), "--data", d.data, "config",
         "show"], capture_output=True, text=True, check=True)
    ok("invitation_code" in shown.stdout and code not in shown.stdout,
       "the code is not shown")
    is_(d.stop()[0], 0, "end")


# systemd: READY=1, STOPPING=1, RELOADING=1, and sockets that were opened for
# us.
def test_system_manager():
    for name in ["\0sobremesa-test-%d" % os.getpid(),
                 os.path.join(s.room(), "notify")]:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        listener.bind(name)
        listener.settimeout(s.WAIT)
        d = Daemon(env={"NOTIFY_SOCKET": name.replace("\0", "@")})
        is_(listener.recv(100), b"READY=1", "it is ready")
        d.tell(signal.SIGHUP)
        got = listener.recv(100)
        ok(got.startswith(b"RELOADING=1\nMONOTONIC_USEC="), "it reloads")
        is_(listener.recv(100), b"READY=1", "and is ready again")
        d.stop()
        is_(listener.recv(100), b"STOPPING=1", "it stops")
        listener.close()

    socks = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]

    def hand_over():
        for i, sock in enumerate(socks):
            os.dup2(sock.fileno(), 40 + i)
        for i in range(2):
            os.dup2(40 + i, 3 + i)
        os.environ["LISTEN_PID"] = str(os.getpid())

    # exec of a shell keeps the process, and so its number.
    d = Daemon(http="127.0.0.1:1", lines="127.0.0.1:1",
               env={"LISTEN_FDS": "2"}, close_fds=False,
               wrap=["/bin/sh", "-c", 'LISTEN_PID=$$ exec "$0" "$@"'],
               preexec_fn=hand_over)
    is_((d.http, d.lines), tuple(x.getsockname() for x in socks),
        "sockets that were handed over are taken: http, lines")
    Lines(d.lines).guest()
    is_(s.http(d.http, "GET", "/healthz").status, 200, "and served")
    is_(d.stop()[0], 0, "and left")


# The same by the system manager's own tool, where sockets have names; one that
# is of no use is an error, not a socket that nobody answers at.
def test_socket_activation():
    def free_port():
        with socket.create_server(("127.0.0.1", 0)) as sock:
            return sock.getsockname()[1]

    def activated(names, *places):
        listen = [word for place in places for word in ("-l", str(place))]
        return ["systemd-socket-activate", "--fdname=" + names, *listen]

    # What activates waits for the first connection.
    def knock(host, port):
        def let_in():
            try:
                socket.create_connection((host, port), timeout=s.WAIT).close()
            except OSError:
                return False
            return True

        s.until(let_in, "somebody listens")

    def knocked(place, **kwargs):
        thread = threading.Thread(target=knock, args=place)
        thread.start()
        try:
            return Daemon(**kwargs)
        finally:
            thread.join()

    path = os.path.join(s.room(), "lines")
    ports = [free_port(), free_port()]
    at = [("127.0.0.1", port) for port in ports]
    d = knocked(at[0], http="off", lines="off",
                wrap=activated("lines:lines-unix:http",
                               "127.0.0.1:%d" % ports[0], path,
                               "127.0.0.1:%d" % ports[1]))
    is_((d.lines, d.ready["lines_unix"], d.http), (at[0], path, at[1]),
        "named sockets are what their names say")
    Lines(d.lines).guest()
    Lines(path).guest()
    is_(s.http(d.http, "GET", "/healthz").status, 200, "and served")
    is_(d.stop()[0], 0, "and left")
    ok(os.path.exists(path), "a socket that is not ours stays")

    for names, words in [("http:http", "one too many for http"),
                         ("lines-unix:http", "does not listen as lines-unix")]:
        places = ["127.0.0.1:%d" % free_port() for _ in range(2)]
        child = subprocess.Popen(
            [*activated(names, *places), os.path.abspath(s.PROGRAM), "--data",
             s.room(), "--http", "off", "--lines", "off"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        host, port = places[0].split(":")
        knock(host, int(port))
        out, err = child.communicate(timeout=s.WAIT)
        ok(child.returncode == 1 and out == "" and words in err,
           f"{names}: {words}")


# Whoever watches over it hears that it lives.
def test_watchdog():
    name = os.path.join(s.room(), "notify")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    listener.bind(name)
    listener.settimeout(s.WAIT)
    d = Daemon(env={"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "3000000"})
    heard = [listener.recv(100) for _ in range(3)]
    is_(heard, [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"], "it lives")
    d.stop()
    clocks = s.Clocks()
    d = Daemon(env={**clocks.env, "NOTIFY_SOCKET": name,
                    "WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"})
    while listener.recv(100) != b"READY=1":
        pass
    end = clocks.monotonic + 10000
    clocks.passes(d, lambda peer: clocks.monotonic >= end)
    d.tell(signal.SIGHUP)
    ok(listener.recv(100).startswith(b"RELOADING=1"),
       "another's watchdog is not told, however long that takes")
    d.stop()


# A client that asks again while it ends is told to come back.
def test_late():
    d = Daemon()
    peer = Lines(d.lines).guest()
    peer.write(b'{"jsonrpc":"2.0","id":"x","method":"server.hello"}\n' * 40)
    d.tell(signal.SIGTERM)
    seen = 0
    try:
        while True:
            seen += peer.recv().get("id") == "x"
    except s.Closed:
        pass
    is_(d.end()[0], 0, "the end")
    ok(seen <= 40, f"{seen} of 40 answered")


for test in [test_command_line, test_closed, test_ready, test_defaults, test_second,
             test_lingering, test_reload, test_invitation, test_system_manager,
             test_socket_activation, test_watchdog, test_late]:
    test()
done_testing()
