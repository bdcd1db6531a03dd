#!/usr/bin/env python3
"""confined.py UNIT PROGRAM [ARGUMENT...] -- runs PROGRAM with the system calls that
the service file UNIT leaves it, no capabilities, and no way to get any: as near
to systemd's doing as it gets where systemd is not the first process.

A call that is not allowed fails as the unit says.  What is in a set, @resources,
systemd itself is asked."""

import ctypes
import errno
import os
import re
import subprocess
import sys

ALLOW, ERRNO = 0x7fff0000, 0x00050000
PR_SET_NO_NEW_PRIVS, PR_CAPBSET_DROP, CAPABILITIES = 38, 24, 64


def calls_of(name):
    """The system calls in a set, or the one of that name."""
    if not name.startswith("@"):
        return {name}
    told = subprocess.run(["systemd-analyze", "syscall-filter", name],
                          check=True, capture_output=True, text=True).stdout
    inside = [line.strip() for line in told.splitlines()[1:]]
    return set().union(*(calls_of(one) for one in inside
                         if one and not one.startswith("#")))


def allowed(unit):
    """What the SystemCallFilter= lines of UNIT allow, one after the other."""
    calls = calls_of("@default")
    for line in re.findall(r"^SystemCallFilter=(.*)$", unit, re.M):
        names = set().union(*(calls_of(one)
                              for one in line.lstrip("~").split()))
        calls = calls - names if line.startswith("~") else calls | names
    return calls


def confine(calls, error):
    libc = ctypes.CDLL(None, use_errno=True)
    seccomp = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    seccomp.seccomp_init.restype = ctypes.c_void_p
    seccomp.seccomp_syscall_resolve_name.argtypes = [ctypes.c_char_p]
    seccomp.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint,
        ctypes.c_void_p]
    seccomp.seccomp_load.argtypes = [ctypes.c_void_p]
    rules = seccomp.seccomp_init(ERRNO | error)
    for call in sorted(calls):
        number = seccomp.seccomp_syscall_resolve_name(call.encode())
        if number >= 0:
            seccomp.seccomp_rule_add_array(rules, ALLOW, number, 0, None)
    for capability in range(CAPABILITIES):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if seccomp.seccomp_load(rules) != 0:
        sys.exit("the system lets nobody filter calls")


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        unit = f.read()
    word = re.search(r"^SystemCallErrorNumber=(\w+)$", unit, re.M).group(1)
    confine(allowed(unit), getattr(errno, word))
    os.execv(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
