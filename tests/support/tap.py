"""tap.py -- for tests that are Python scripts.

    from tap import done_testing, is_, ok

Say what holds with ok() and is_(), and end with done_testing().  A script that
ends before that counts as failed.
"""

import sys

_count = 0
_failed = 0


def diag(text):
    """Shows text to whoever looks for the cause of a failure."""
    for line in str(text).splitlines():
        print("    " + line, file=sys.stderr, flush=True)


def ok(holds, what):
    """What holds; gives back whether it does."""
    global _count, _failed
    _count += 1
    line = f"{'ok' if holds else 'not ok'} {_count} - {what}"
    print(line, flush=True)
    if not holds:
        _failed += 1
        print(line, file=sys.stderr, flush=True)
    return bool(holds)


def excerpt(text, at):
    """At most a few lines of TEXT, about the place AT."""
    begin = max(0, at - 60)
    return ("..." if begin else "") + text[begin:begin + 240] + \
        ("..." if len(text) > begin + 240 else "")


def is_(got, wanted, what):
    """Two values are the same."""
    if not ok(got == wanted, what):
        a, b = repr(got), repr(wanted)
        at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y),
                  min(len(a), len(b)))
        diag(f"got    {excerpt(a, at)}\nwanted {excerpt(b, at)}")
    return got == wanted


def skip_all(why):
    """None of this can be tried here."""
    print(f"1..0 # SKIP {why}")
    sys.exit(0)


def done_testing():
    print(f"1..{_count}", flush=True)
    sys.exit(1 if _failed else 0)
