"""What the daemon knows of when it was not there: killed, ended, by a clock that
is set, standing still, from a backup; and that it says so.  Its clocks are those
of tests/daemon/clocks.c, so hours take no time."""

import os

import sobremesa as s
from daemon import Clocks
from sobremesa import Daemon
from tap import diag, done_testing, is_, ok

MINUTE = 60000
HOUR = 60 * MINUTE


def outages(daemon):
    return daemon.peer().call("server.outages")["outages"]


def is_last(daemon, begins, ends, what):
    """That there was an outage from BEGINS, up to half a minute earlier, to
    ENDS, some seconds more or less, and none ends later."""
    settle(daemon)
    found = outages(daemon)
    good = any(from_ - begins < 3000 and to - ends > -5000
               for from_, to in found) and \
        all(to - ends < 30000 for _, to in found)
    if not ok(good, what):
        diag(f"{found}, not {begins:.0f} to {ends:.0f}")


def settle(daemon):
    """Waits until what is known by now is stored."""
    daemon.peer().guest()


clocks = Clocks()
with Daemon(env=clocks.env) as daemon:
    is_(outages(daemon), [], "a new server was never away")

    # Killed: from the last sign, which is of the start.
    settle(daemon)
    at = clocks.now()
    daemon.kill()
    clocks.set(HOUR)
    daemon.start()
    is_last(daemon, at, clocks.now() + 6 * MINUTE, "killed")

    # Told to end: from then on.
    daemon.stop()
    at = clocks.now()
    clocks.set(4 * HOUR)
    daemon.start()
    is_last(daemon, at, clocks.now() + 24 * MINUTE, "ended in order")
    is_(len(outages(daemon)), 2, "and nothing else is one")

    # The wall's clock leaps; who is there is told.
    peer = daemon.peer()
    peer.call("server.hello")
    at = clocks.now()
    clocks.set(3 * HOUR)
    notice = peer.note("server.notice")
    is_(notice["kind"], "outage", "that a clock leaps is told")
    ok([notice["from"], notice["to"]] in outages(daemon), "as it is known")
    is_last(daemon, at, clocks.now() + 18 * MINUTE, "and kept")

    # The process stands still, so that both clocks go on.
    at = clocks.now()
    clocks.set(2 * HOUR, 2 * HOUR)
    s.until(lambda: outages(daemon)[-1][1] >= clocks.now(), "it is known")
    is_last(daemon, at, clocks.now() + 12 * MINUTE, "standing still")

    # By a clock that is behind nothing is an outage, and the log says so.
    daemon.stop()
    daemon.start()
    settle(daemon)
    before = outages(daemon)
    daemon.stop()
    clocks.set(-2 * HOUR)
    daemon.start()
    s.until(lambda: "event=clock_behind" in daemon.stderr(), "the log says so")
    is_(outages(daemon), before, "nobody knows by a clock that is behind")
    clocks.set(3 * HOUR)
    s.until(lambda: len(outages(daemon)) > len(before), "one more is known")

    # What a restored backup lacks is one.
    settle(daemon)
    copy = os.path.join(daemon.room, "copy.db")
    at = clocks.now()
    daemon.operator().call("admin.backup", path=os.path.abspath(copy))
    daemon.stop()
    room = s.room()
    os.rename(copy, os.path.join(room, "sobremesa.db"))
    clocks.set(10 * HOUR)
    with Daemon(data=room, env=clocks.env) as other:
        is_last(other, at, clocks.now() + HOUR, "a backup that is restored")

done_testing()
