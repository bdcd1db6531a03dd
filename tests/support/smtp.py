"""smtp.py -- a mail server for tests: aiosmtpd's, but on a socket that is its own
from the first moment, and with as much time to begin as it takes."""

import socket

from aiosmtpd.controller import Controller

WAIT = 300


class Mailserver(Controller):
    """HANDLER takes the mails; it listens on self.port."""

    def __init__(self, handler, **more):
        self.socket = socket.create_server(("127.0.0.1", 0))
        super().__init__(handler, hostname="127.0.0.1",
                         port=self.socket.getsockname()[1],
                         ready_timeout=WAIT, **more)

    def _create_server(self):
        return self.loop.create_server(self._factory_invoker,
                                       sock=self.socket, ssl=self.ssl_context)

    def _trigger_server(self):
        with socket.create_connection((self.hostname, self.port), WAIT) as one:
            one.recv(1024)
