"""ctl.py -- sobremesactl, for its tests.

    status, out, err = ctl(server, "tables", "list")
    value = told(server, "tables", "list")       what --json says, status 0
    fails(ctl(server, ...), 1, "game_over", "what this shows")
"""

import json
import os
import subprocess

import daemon as d
from tap import diag, ok


def ctl(server, *arguments, text=""):
    """(status, stdout, stderr); SERVER is a daemon, a directory or None."""
    data = getattr(server, "data", server)
    where = ["--data", data] if data else []
    done = subprocess.run([os.path.join(d.BIN, "sobremesactl"), *where,
                           *arguments], input=text, capture_output=True,
                          text=True, check=False, timeout=d.WAIT)
    return done.returncode, done.stdout, done.stderr


def told(server, *arguments, text=""):
    """The result as JSON."""
    status, out, err = ctl(server, "--json", *arguments, text=text)
    if status != 0:
        raise AssertionError(f"{arguments}: {status} {err}")
    return json.loads(out)


def fails(got, status, words, what):
    """It ended with STATUS, said WORDS, and printed nothing."""
    if not ok(got[0] == status and got[1] == "" and words in got[2], what):
        diag(got)


def says(got, words, what):
    """It was done, and WORDS are in what it printed."""
    if not ok(got[0] == 0 and words in got[1], what):
        diag(got)


def refused(peer, reason, method, **params):
    """The data of the refusal, whose reason is REASON."""
    try:
        peer.call(method, **params)
    except d.Refused as why:
        if why.reason != reason:
            diag(why)
        return why.data if why.reason == reason else None
    return None


def closed(peer):
    """What PEER was told before its connection was closed."""
    seen = list(peer.notes)
    try:
        while True:
            seen.append(peer.take())
    except (EOFError, ConnectionError):
        return seen
