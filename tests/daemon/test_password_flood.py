"""Passwords under a flood: thirty addresses register, fail to log in and knock at
a table, as many at once as they may; and who knows the password comes in, each
time, from an address of one's own."""

import contextlib
import json
import os
import threading

import daemon as d
from tap import diag, done_testing, is_, ok

ADDRESSES = 10 if os.environ.get("ASAN") else 30
COMERS = 4 if os.environ.get("ASAN") else 6


def peer_from(daemon, address):
    return d.Lines(daemon.lines, source=(address, 0))


class Flood:
    """Asks for the same thing again and again, on connections anew where it
    took, from ADDRESSES."""

    def __init__(self, daemon, first, method, make):
        self.daemon, self.method, self.make = daemon, method, make
        self.over = threading.Event()
        self.counts = {}
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self._run, args=(first + i, k))
                        for i in range(ADDRESSES) for k in range(4)]
        for thread in self.threads:
            thread.start()

    def _run(self, address, which):
        number = 0
        while not self.over.is_set():
            with contextlib.suppress(OSError, EOFError):
                peer = peer_from(self.daemon, f"127.0.0.{address}")
                while not self.over.is_set():
                    number += 1
                    answer = peer.whole(self.method,
                                        **self.make(address, which, number))
                    reason = answer.get("error", {}).get("data", {}) \
                        .get("reason", "done")
                    with self.lock:
                        self.counts[reason] = self.counts.get(reason, 0) + 1
                    if reason == "done":
                        break
                    self.over.wait(0.02)  # a core is left to others
                peer.close()

    def is_one(self):
        """Until so much is asked that some of it is refused."""
        d.until(lambda: self.counts.get("rate_limited"), "some are refused")

    def end(self):
        self.over.set()
        for thread in self.threads:
            thread.join(d.WAIT)
        return self.counts


def come_in(daemon):
    """How the log-ins went."""
    reasons = []
    for i in range(COMERS):
        peer = peer_from(daemon, f"127.0.0.{200 + i}")
        answer = peer.whole("session.login", name="ana", password="password")
        reasons.append(answer.get("error", {}).get("data", {})
                       .get("reason", "in"))
        peer.close()
    return reasons


def main():
    with d.Daemon() as daemon:
        ana = daemon.peer()
        ana.call("account.register", name="ana", password="password")
        flood = Flood(daemon, 2, "account.register", lambda a, k, n: {
            "name": f"n{a}-{k}-{n}", "password": "whatever it is"})
        flood.is_one()
        reasons = come_in(daemon)
        counts = flood.end()
        is_(reasons, ["in"] * COMERS, "log-ins under a flood of registrations")
        ok(counts.get("rate_limited", 0) > 0, "which was one")
        diag(f"registrations: {json.dumps(counts)}")

        flood = Flood(daemon, 2, "session.login", lambda a, k, n: {
            "name": f"nobody{a}", "password": "whatever it is"})
        flood.is_one()
        reasons = come_in(daemon)
        counts = flood.end()
        is_(reasons, ["in"] * COMERS, "and of log-ins that fail")
        ok(counts.get("rate_limited", 0) > 0, "which was one")
        diag(f"failed log-ins: {json.dumps(counts)}")
    done_testing()


main()
