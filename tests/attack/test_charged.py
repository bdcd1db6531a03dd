"""What the readers of the store did for somebody counts as used by them, by
HTTP, too, where they leave the hub with the answer: who asked for much is
behind who comes anew, though they were there first."""

import os
import re
import signal
import subprocess
import time

import harm
from harm import s
from tap import done_testing, is_, ok

TRIES = 5  # the machine may have been busy for as long as it is remembered
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


def first_of_two(data, table, shim):
    """Whose request is worked on first, if that one's comes first who had the
    store read something before, for some tenths of a second."""
    flag = os.path.join(s.room(), "slow")
    d = s.Daemon("--set", "http.proxies=127.0.0.1", "--set", "log.level=debug",
                 data=data, env={
                     "LD_PRELOAD": shim, "SLOW": flag, "ASAN_OPTIONS":
                     os.environ.get("ASAN_OPTIONS", "") +
                     ":verify_asan_link_order=0"})
    much, new = (s.connect(d.http) for _ in range(2))
    with open(flag, "w", encoding="ascii"):
        pass
    began = time.monotonic()
    much.sendall(posted(MUCH, "table.get", '{"table":"%s"}' % table))
    whole(much)
    took = time.monotonic() - began
    os.unlink(flag)
    # Of whom nothing is known is taken to have used more than the loop did.
    new.sendall(posted(NEW, "server.hello", "{}"))
    whole(new)
    d.tell(signal.SIGSTOP)
    much.sendall(posted(MUCH, "nothing.much", "{}"))
    new.sendall(posted(NEW, "nothing.new", "{}"))
    d.tell(signal.SIGCONT)
    whole(much)
    whole(new)
    refused = re.findall(r"event=refused address=(\S+)", d.stderr())
    is_(d.stop()[0], 0, f"a question that took {took:.2f} s is answered")
    return refused[0], took


def test_charged():
    shim = os.path.join(s.room(), "slow.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-D_GNU_SOURCE", "-o", shim,
                    os.path.join(harm.HERE, "slow.c")], check=True)
    d = s.Daemon()
    table = s.table_of([s.Lines(d.lines).guest() for _ in range(2)])
    d.stop()
    for _ in range(TRIES):
        first, took = first_of_two(d.data, table, shim)
        if first == NEW:
            break
    ok(took > 0.1, "the store had to read for it")
    is_(first, NEW, "who asked for much is behind who did not")


test_charged()
done_testing()
