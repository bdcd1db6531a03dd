"""sobremesactl backup --rotate: a new copy, then old ones go that are its own, and
only then; whatever else lies in the directory stays."""

import json
import os
import tempfile

import daemon as d
from ctl import ctl, fails, says, told
from tap import done_testing, is_, ok

OTHERS = ["2026-11-01.db", "sobremesa.db", "sobremesa-20200101T000000Z.db.old",
          "sobremesa-20200101T000000Z.db-wal", "notes"]


def touch(path, text="a copy of long ago"):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def names(room):
    return sorted(os.listdir(room))


# Where renames that replace nothing are not known a backup gets its name, and takes
# none that is taken.
for links in "1", "0":
    env = d.preloaded("daemon/draws", "daemon/renames", LINKS=links)
    with tempfile.TemporaryDirectory() as room, d.Daemon(env=env) as server:
        path = os.path.join(room, "copy.db")
        told(server, "backup", path)
        is_(ctl(None, "verify", path)[0], 0,
            f"another file system has backups, LINKS={links}")
        touch(os.path.join(room, "other.db"))
        fails(ctl(server, "backup", os.path.join(room, "other.db")), 1,
              "File exists", "a name that is taken")
        is_(names(room), ["copy.db", "other.db"], "and leave nothing else")

with tempfile.TemporaryDirectory() as room, d.Daemon() as server:
    old = [f"sobremesa-201{year}{month:02}{day:02}T030000Z.db"
           for year in (5, 6) for month in (3, 4, 5) for day in (7, 14)]
    for name in old + OTHERS:
        touch(os.path.join(room, name))
    # Of such a name, but not ours.
    os.mkdir(os.path.join(room, "sobremesa-20150101T000000Z.db"))
    os.symlink("notes", os.path.join(room, "sobremesa-20150102T000000Z.db"))
    before = names(room)

    # One that fails takes nothing away.
    at = os.path.join(room, "none")
    fails(ctl(server, "backup", "--rotate", at), 1, "No such file",
          "no such directory")
    is_(names(room), before, "takes nothing away")

    result = told(server, "backup", "--rotate", room)
    made = os.path.basename(result["path"])
    is_(ctl(None, "verify", result["path"])[0], 0, "a new one is there, whole")
    is_(os.stat(result["path"]).st_size, result["bytes"], "and its size")
    is_(os.stat(result["path"]).st_mode & 0o777, 0o600, "and private")
    stay = set(before) - set(result["removed"]) | {made}
    is_(set(names(room)), stay, "what is said to be removed is, and no more")
    ok(result["removed"] and set(result["removed"]) < set(old),
       "only its own are")
    # Of the last days six of the old ones, of the months all six.
    is_(sorted(set(old) - set(result["removed"])),
        sorted(set(old[-6:]) | {n for n in old if "14T" in n}),
        "the newest of days and months stay")
    while True:  # another second, another name
        got = ctl(server, "backup", "--rotate", room)
        if got[0] == 0:
            break
        ok("File exists" in got[2], "two in a second: the second is refused")
    says(got, " bytes.", "again")
    last = max(set(names(room)) - set(before))
    same = made[:18] == last[:18]  # day; it may have become midnight meanwhile
    ok((made in got[1]) == same, "the earlier one of today goes")
    ok((made not in names(room)) == same, "and is gone")
    is_(json.loads(ctl(server, "--json", "status")[1])["store"]["backup"]
        ["bytes"], os.stat(os.path.join(room, last)).st_size,
        "status tells of it")
done_testing()
