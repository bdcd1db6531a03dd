"""What the readers of the store did for somebody counts as used by them, by
HTTP, too, where they leave the hub with the answer: who asked for much is
behind who comes anew, though they were there first.

Time stands (clocks.c) but for what the disk takes (slow.c), so nobody else uses
any."""

import os
import re
import signal

import sobremesa as s
from sobremesa import Clocks, Daemon, Lines
from tap import done_testing, is_, ok

MUCH, NEW = "198.51.100.2", "198.51.100.3"


def posted(address, method, params):
    body = ('{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}'
            % (method, params)).encode()
    return s.request("POST", "/rpc", {"Content-Type": "application/json",
                                      "X-Forwarded-For": address}, body)


def whole(peer):
    """An answer with a length, from PEER's socket."""
    told = b""
    while b"\r\n\r\n" not in told:
        told += peer.recv(4096)
    head, body = told.split(b"\r\n\r\n", 1)
    length = int(re.search(rb"(?i)content-length: (\d+)", head)[1])
    while len(body) < length:
        body += peer.recv(65536)


def stop_for_a_while(daemon):
    """Until it is told to go on, it looks at nothing."""
    daemon.tell(signal.SIGSTOP)

    def stands():
        with open(f"/proc/{daemon.pid}/stat", encoding="ascii") as f:
            return f.read().rsplit(")", 1)[1].split()[0] == "T"

    s.until(stands, "it stops")


def test_charged():
    d = Daemon()
    table = s.table_of([Lines(d.lines).guest() for _ in range(2)])
    d.stop()
    clocks = Clocks(stands=True)
    flag = os.path.join(s.room(), "slow")
    d = Daemon("--set", "http.proxies=127.0.0.1", "--set", "log.level=debug",
               data=d.data, env={
                   **clocks.env,
                   **s.preloaded("daemon/draws", "daemon/clocks",
                                 "daemon/slow"), "SLOW": flag})
    much, new = (s.connect(d.http) for _ in range(2))
    with open(flag, "w", encoding="ascii"):
        pass
    began = clocks.passed()
    much.sendall(posted(MUCH, "table.get", '{"table":"%s"}' % table))
    whole(much)
    took = clocks.passed() - began
    os.unlink(flag)
    ok(took > 100, f"the store had to read for it: {took} ms")
    # Of whom nothing is known is taken to have used more than the loop did.
    new.sendall(posted(NEW, "server.hello", "{}"))
    whole(new)
    stop_for_a_while(d)
    much.sendall(posted(MUCH, "nothing.much", "{}"))
    new.sendall(posted(NEW, "nothing.new", "{}"))
    d.tell(signal.SIGCONT)
    whole(much)
    whole(new)
    refused = re.findall(r"event=refused address=(\S+)", d.stderr())
    is_(refused, [NEW, MUCH], "who asked for much is behind who did not")
    clocks.go()
    is_(d.stop()[0], 0, "and it ends as it should")


test_charged()
done_testing()
