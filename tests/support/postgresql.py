"""A PostgreSQL server of one's own, in a directory that goes with the script:
on a socket in there alone, as somebody who is not root."""

import atexit
import os
import shutil
import subprocess
import tempfile

PROGRAMS = "/usr/lib/postgresql/15/bin"


def why_not():
    """Why there can be none here, or None."""
    if os.access(os.path.join(PROGRAMS, "postgres"), os.X_OK):
        return None
    return f"no {PROGRAMS}/postgres: install postgresql-15"


class Postgresql:
    def __init__(self):
        self.dir = tempfile.mkdtemp(prefix="postgresql-")
        self.who = []
        if os.geteuid() == 0:
            shutil.chown(self.dir, "nobody", "nogroup")
            self.who = ["setpriv", "--reuid=nobody", "--regid=nogroup",
                        "--clear-groups"]
        atexit.register(self._remove)
        self._run("initdb", "-U", "test", "-A", "trust", "-E", "UTF8",
                  "--no-locale", "--no-sync", "--no-instructions")
        self.start()
        self.url = f"postgresql:///postgres?user=test&host={self.dir}"

    def _run(self, program, *args):
        subprocess.run([*self.who, os.path.join(PROGRAMS, program), "-D",
                        os.path.join(self.dir, "data"), *args], check=True,
                       cwd="/", stdout=subprocess.DEVNULL)

    def start(self):
        self._run("pg_ctl", "-s", "-w", "-l", os.path.join(self.dir, "log"),
                  "-o", f"-c listen_addresses= -c fsync=off "
                  f"-c unix_socket_directories={self.dir}", "start")

    def crash(self):
        """Ends it as it ends when somebody kills it."""
        self._run("pg_ctl", "-s", "-w", "-m", "immediate", "stop")

    def _remove(self):
        subprocess.run([*self.who, os.path.join(PROGRAMS, "pg_ctl"), "-D",
                        os.path.join(self.dir, "data"), "-s", "-w", "-m",
                        "immediate", "stop"], check=False, cwd="/",
                       stderr=subprocess.DEVNULL)
        shutil.rmtree(self.dir, True)
