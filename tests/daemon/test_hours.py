"""The system's time zones as the daemon has them: all there are, or UTC alone
where there are none; read anew when the operator says so; and a name never opens
a file."""

import os
import shutil
import signal

import sobremesa as s
from sobremesa import Daemon
from tap import done_testing, is_, ok

ZONEINFO = "/usr/share/zoneinfo"


def hours(zone):
    return {"opens": 540, "closes": 1320, "days": [1, 2, 3, 4, 5],
            "zone": zone}


def reason(peer, zone):
    try:
        peer.call("account.hours.set", hours=hours(zone))
    except s.Refused as why:
        return why.reason
    return "set"


def guest(daemon):
    peer = daemon.peer()
    peer.call("account.guest")
    return peer


# What the system has is known, by each of its names; a restart keeps it.
with Daemon() as daemon:
    ana = daemon.peer()
    token = ana.call("account.guest")["token"]
    for name in ["../../etc/passwd", "/etc/localtime", "posixrules",
                 "right/Europe/Paris", "Europe", "zone.tab"]:
        is_(reason(ana, name), "no_such_zone", name)
    is_(reason(ana, "Asia/Calcutta"), "set", "another name of Asia/Kolkata")
    ana.close()
    daemon.stop()
    daemon.start()
    ana = daemon.peer()
    ana.call("session.resume", token=token)
    is_(ana.call("account.hours.get")["hours"], hours("Asia/Calcutta"),
        "kept over a restart")
    ok("zones" not in daemon.stderr(), "nothing is said of zones")

# Where there is none the log says so; when tzdata comes a reload is enough.
room = s.room()
with Daemon(env={"TZDIR": room}) as daemon:
    ok("event=no_zones" in daemon.stderr(), "that there are none is said")
    is_(reason(guest(daemon), "Europe/Paris"), "no_such_zone", "none")
    is_(reason(guest(daemon), "Etc/UTC"), "set", "but UTC")
    os.mkdir(os.path.join(room, "Europe"))
    shutil.copy(f"{ZONEINFO}/Europe/Paris", f"{room}/Europe/Paris")
    with open(f"{room}/zone1970.tab", "w", encoding="ascii") as file:
        file.write("FR,MC\t+4852+00220\tEurope/Paris\n"
                   "XX\t+0+0\tEurope/Lost\n")
    daemon.tell(signal.SIGHUP)
    s.until(lambda: "event=bad_zones" in daemon.stderr(),
            "that one of them is none is said")
    is_(reason(guest(daemon), "Europe/Lost"), "no_such_zone", "that one")
    is_(reason(guest(daemon), "Europe/Paris"), "set", "the other one")

done_testing()
