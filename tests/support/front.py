"""front.py -- certificates, and what stands before a daemon and speaks TLS.

    room = Certificates(folder)
    room.authority("ca")
    room.issue("good", "ca", "DNS:localhost,IP:127.0.0.1")
    with Front(room.context("good"), daemon.ready["http"]) as front:
        ... "wss://localhost:%d" % front.port

A Front is a proxy that can be cut, changed and looked at: what no real one
does when it is asked to.  Its threads end with it, and every wait of theirs
with WAIT seconds.
"""

import contextlib
import os
import queue
import select
import socket
import ssl
import struct
import subprocess
import threading

WAIT = 300
EXTENSIONS = """basicConstraints=CA:FALSE
extendedKeyUsage=serverAuth
subjectAltName=%s
"""
DAYS = """[ca]
default_ca=it
[it]
new_certs_dir={folder}
database={folder}/index
serial={folder}/serial
default_md=sha256
policy=any
unique_subject=no
[any]
commonName=optional
"""


class Certificates:
    """Keys and certificates as files NAME.key, NAME.pem in FOLDER."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder)
        self._write("ca.conf", DAYS.format(folder=folder))
        self._write("index", "")
        self._write("serial", "01\n")

    def path(self, name):
        return os.path.join(self.folder, name)

    def _write(self, name, text):
        with open(self.path(name), "w", encoding="ascii") as f:
            f.write(text)

    def _openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], check=True, timeout=WAIT,
                       capture_output=True, cwd=self.folder)

    def _key(self, name):
        return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                "-nodes", "-keyout", name + ".key", "-subj", "/CN=" + name]

    def authority(self, name):
        """Somebody who issues certificates."""
        self._openssl("req", "-x509", *self._key(name), "-days", "2", "-out",
                      name + ".pem")

    def alone(self, name, hosts):
        """A certificate that nobody issued but itself."""
        self._openssl("req", "-x509", *self._key(name), "-days", "2", "-out",
                      name + ".pem", "-addext", "subjectAltName=" + hosts)

    def issue(self, name, issuer, hosts, since=None, until=None):
        """A certificate for HOSTS; SINCE and UNTIL are YYYYMMDD."""
        self._openssl("req", "-new", *self._key(name), "-out", name + ".csr")
        self._write(name + ".ext", EXTENSIONS % hosts)
        days = ["-days", "2"]
        if since:
            days = ["-startdate", since + "000000Z", "-enddate",
                    until + "000000Z"]
        self._openssl("ca", "-batch", "-notext", "-config", "ca.conf", "-in",
                      name + ".csr", "-cert", issuer + ".pem", "-keyfile",
                      issuer + ".key", "-extfile", name + ".ext", "-out",
                      name + ".pem", *days)

    def whole(self, name):
        """The path of a file with certificate and key, as haproxy wants it."""
        with open(self.path(name + ".both"), "w", encoding="ascii") as both:
            for part in (".pem", ".key"):
                with open(self.path(name + part), encoding="ascii") as f:
                    both.write(f.read())
        return self.path(name + ".both")

    def context(self, name):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.path(name + ".pem"),
                                self.path(name + ".key"))
        return context


class Server:
    """Accepts on 127.0.0.1 (or HOST, or LISTENER); handle() has a thread for
    each."""

    def __init__(self, host="127.0.0.1", listener=None):
        if listener is None:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            listener = socket.create_server((host, 0), family=family)
            self.port = listener.getsockname()[1]
        self.listener = listener
        self.threads = []
        self.socks = []
        self.lock = threading.Lock()
        self._thread(self._accept)

    def _thread(self, run, *arguments):
        thread = threading.Thread(target=run, args=arguments, daemon=True)
        self.threads.append(thread)
        thread.start()

    def _accept(self):
        while True:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            sock.settimeout(WAIT)
            with self.lock:
                self.socks.append(sock)
            self._thread(self._one, sock)

    def _one(self, sock):
        with sock, contextlib.suppress(OSError, ssl.SSLError):
            self.handle(sock)

    def handle(self, sock):
        raise NotImplementedError

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        # Closing alone would not wake accept().
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        with self.lock:
            for sock in self.socks:
                with contextlib.suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join(WAIT)


class Scripted(Server):
    """Does DO with each connection."""

    def __init__(self, do):
        self.handle = do
        super().__init__()


class Front(Server):
    """TLS by CONTEXT before BACK, "HOST:PORT"; PIECE bytes make a record."""

    def __init__(self, context, back, piece=65536, host="127.0.0.1"):
        self.context = context
        self.back = back
        self.piece = piece
        self.names = []  # that clients asked for
        self.errors = []  # of handshakes that failed
        self.heads = []  # first bytes of what clients said
        self.ends = []  # how they ended: "close_notify" or "torn"
        self.cuts = []
        super().__init__(host)

    def _named(self, sock, name, context):
        self.names.append(name)

    def handle(self, sock):
        context = self.context
        context.sni_callback = self._named
        try:
            sock = context.wrap_socket(sock, server_side=True,
                                       suppress_ragged_eofs=False)
        except (OSError, ssl.SSLError) as error:
            self.errors.append(str(error))
            raise
        host, port = self.back.rsplit(":", 1)
        back = socket.create_connection((host, int(port)), WAIT)
        cuts = queue.SimpleQueue()
        with self.lock:
            self.socks += [sock, back]
            self.cuts.append(cuts)
        with sock, back:
            self._through(sock, back, cuts)

    def _through(self, sock, back, cuts):
        """One thread for both ways: TLS is not for two."""
        first = True
        while True:
            with contextlib.suppress(queue.Empty):
                cut = cuts.get_nowait()
                cut(sock)
                return
            ready = select.select([sock, back], [], [], 0.02)[0]
            if back in ready:
                data = back.recv(65536)
                for at in range(0, len(data), self.piece):
                    sock.sendall(data[at:at + self.piece])
                if not data:
                    return
            if sock not in ready and not sock.pending():
                continue
            sock.settimeout(0)
            try:
                data = sock.recv(65536)
            except ssl.SSLWantReadError:
                continue
            except (OSError, ssl.SSLError):
                self.ends.append("torn")
                return
            finally:
                sock.settimeout(WAIT)
            if not data:
                self.ends.append("close_notify")
                return
            if first:
                self.heads.append(data)
            first = False
            back.sendall(data)

    def cut(self, how):
        """Ends all connections: "reset", "close" (without a word of TLS) or
        "orderly"."""
        with self.lock:
            all_of_them, self.cuts = self.cuts, []
        for cuts in all_of_them:
            cuts.put(CUTS[how])


def reset(sock):
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                    struct.pack("ii", 1, 0))


CUTS = {"reset": reset, "close": lambda sock: None,
        "orderly": ssl.SSLSocket.unwrap}
