"""WebSocket conformance of the real daemon, at /echo: two independent clients,
and raw frames after the categories of the Autobahn test suite."""

import asyncio
import random
import re
import struct
import zlib

import sobremesa as s
from autobahn.asyncio.websocket import (WebSocketClientFactory,
                                        WebSocketClientProtocol)
from autobahn.websocket.compress import (PerMessageDeflateOffer,
                                         PerMessageDeflateResponse,
                                         PerMessageDeflateResponseAccept)
from sobremesa import Closed, Daemon, Ws, frame
from tap import diag, done_testing, is_, ok
import websockets
from websockets.extensions.permessage_deflate import \
    ClientPerMessageDeflateFactory

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
d = Daemon("--set", "http.echo=on", "--set", "log.level=warning")
URL = "ws://%s:%d/echo" % d.http


def close(code, reason=b""):
    return frame(CLOSE, struct.pack(">H", code) + reason)


# ---- raw ------------------------------------------------------------------------


def raw(name, data, wanted, code, pieces=False, headers=None):
    """DATA brings the frames WANTED, then the end with CODE; one byte at a
    time if PIECES.  The connection ends with a close frame and without a
    reset."""
    ws = Ws(d.http, "/echo", headers)
    got, end = [], None
    try:
        if pieces:
            for i in range(len(data)):
                ws.write(data[i:i + 1])
        else:
            ws.write(data)
        while True:
            first, payload = ws.frame()
            if first & 15 == CLOSE:
                end = struct.unpack(">H", payload[:2])[0] if payload else 1005
                break
            got.append((first & 15, payload))
        ended = ws.socket.recv(10) == b""
    except (Closed, ConnectionError, TimeoutError) as e:
        ended = False
        diag(f"{e!r}")
    ws.close()
    if not ok((got, end, ended) == (wanted, code, True),
              f"{name}: {code}{', in pieces' if pieces else ''}"):
        diag(f"got    {str(got)[:200]} {end} {ended}\n"
             f"wanted {str(wanted)[:200]} {code}")


BYE = close(1000)
ping = [(PONG, b"hello")]
CASES = [
    # 1: framing; every form of length
    *[(f"1 {op}: {n} bytes", frame(op, b"*" * n) + BYE, [(op, b"*" * n)], 1000)
      for op in (TEXT, BINARY)
      for n in (0, 1, 125, 126, 127, 128, 65535, 65536)],
    # 2: pings
    ("2.1 empty ping", frame(PING, b"") + BYE, [(PONG, b"")], 1000),
    ("2.2 ping", frame(PING, b"hello") + BYE, ping, 1000),
    ("2.3 binary ping", frame(PING, b"\0\xff\xfe") + BYE,
     [(PONG, b"\0\xff\xfe")], 1000),
    ("2.4 ping of 125", frame(PING, b"x" * 125) + BYE, [(PONG, b"x" * 125)],
     1000),
    ("2.5 ping of 126", frame(PING, b"x" * 126), [], 1002),
    ("2.7 pong nobody asked for", frame(PONG, b"x") + BYE, [], 1000),
    ("2.10 ten pings", frame(PING, b"hello") * 10 + BYE, ping * 10, 1000),
    # 3: reserved bits
    *[(f"3 rsv {r}", frame(TEXT, b"x", rsv=r), [], 1002)
      for r in range(1, 8)],
    ("3 rsv on a ping", frame(PING, b"", rsv=4), [], 1002),
    ("3 after a good one", frame(TEXT, b"a") + frame(TEXT, b"b", rsv=2),
     [(TEXT, b"a")], 1002),
    # 4: opcodes
    *[(f"4 opcode {op}", frame(op, b""), [], 1002)
      for op in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)],
    # 5: fragments
    ("5.1 a ping in fragments", frame(PING, b"a", fin=False), [], 1002),
    ("5.2 a pong in fragments", frame(PONG, b"a", fin=False), [], 1002),
    ("5.3 two fragments", frame(TEXT, b"ab", fin=False) + frame(0, b"c") + BYE,
     [(TEXT, b"abc")], 1000),
    ("5.6 a ping between", frame(TEXT, b"ab", fin=False) +
     frame(PING, b"hello") + frame(0, b"c") + BYE,
     ping + [(TEXT, b"abc")], 1000),
    ("5.9 a continuation of nothing", frame(0, b"a"), [], 1002),
    ("5.10 the same, unfinished", frame(0, b"a", fin=False), [], 1002),
    ("5.15 after a whole one", frame(TEXT, b"a") + frame(0, b"b"),
     [(TEXT, b"a")], 1002),
    ("5.18 text within text", frame(TEXT, b"a", fin=False) +
     frame(TEXT, b"b"), [], 1002),
    ("5.20 empty fragments", frame(TEXT, b"", fin=False) +
     frame(0, b"", fin=False) + frame(0, b"") + BYE, [(TEXT, b"")], 1000),
    ("5.21 200 fragments", frame(BINARY, b"a", fin=False) +
     frame(0, b"b", fin=False) * 198 + frame(0, b"c") + BYE,
     [(BINARY, b"a" + b"b" * 198 + b"c")], 1000),
    # 6: UTF-8
    ("6.1 good", frame(TEXT, "κόσμε 🂡".encode()) + BYE,
     [(TEXT, "κόσμε 🂡".encode())], 1000),
    ("6.2 a character in two fragments", frame(TEXT, b"\xce", fin=False) +
     frame(0, b"\xba") + BYE, [(TEXT, b"\xce\xba")], 1000),
    *[(f"6 bad: {bad!r}", frame(TEXT, bad), [], 1007) for bad in
      [b"\xff", b"\xc0\xaf", b"\xe0\x80\x80", b"\xf0\x80\x80\x80",
       b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80", b"\x80",
       b"\xce", b"a\xce", b"\xf0\x9f\x82"]],
    ("6.4 bad in the first fragment", frame(TEXT, b"\xff", fin=False), [],
     1007),
    ("6 binary may be anything", frame(BINARY, b"\xff\xc0") + BYE,
     [(BINARY, b"\xff\xc0")], 1000),
    # 7: closing
    ("7.1 no code", frame(CLOSE, b""), [], 1005),
    ("7.3 one byte", frame(CLOSE, b"a"), [], 1002),
    ("7.3 a reason", close(1000, b"bye"), [], 1000),
    ("7.3 a reason of 123", close(1000, b"x" * 123), [], 1000),
    ("7.3 a reason of 124", close(1000, b"x" * 124), [], 1002),
    ("7.5 a reason that is not UTF-8", close(1000, b"\xce\xff"), [], 1007),
    ("7.1 text after it", close(1000) + frame(TEXT, b"x"), [], 1000),
    ("7.1 a ping after it", close(1000) + frame(PING, b"x"), [], 1000),
    *[(f"7.7 code {c}", close(c), [], c) for c in
      (1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000,
       4999)],
    *[(f"7.9 code {c}", close(c), [], 1002) for c in
      (0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535)],
    # 9: sizes
    ("9 a message over the limit", frame(TEXT, b"x" * 65537), [], 1009),
    ("9 the same in fragments", frame(TEXT, b"x" * 40000, fin=False) +
     frame(0, b"x" * 40000), [], 1009),
    ("9 a promise of a terabyte",
     b"\x82\xff" + struct.pack(">Q", 1 << 40) + b"1234" + b"x" * 1000, [],
     1009),
    # what clients must not do
    ("no mask", frame(TEXT, b"x", mask=None), [], 1002),
    ("a close without a mask", frame(CLOSE, b"", mask=None), [], 1002),
    ("a longer form than needed", frame(TEXT, b"x", length=16), [], 1002),
    ("the longest form", frame(TEXT, b"x" * 200, length=64), [], 1002),
    ("a length of 2^63", b"\x82\xff" + struct.pack(">Q", 1 << 63) + b"1234",
     [], 1002),
    ("a mask of zeros", frame(TEXT, b"x", mask=bytes(4)) + BYE,
     [(TEXT, b"x")], 1000),
]


# Each as a whole and, if it is short, byte by byte.
def test_raw():
    for case in CASES:
        raw(*case)
        if len(case[1]) < 600:
            raw(*case, pieces=True)
    # The same endings with much still on its way to us: no reset overtakes.
    raw("a refusal amid a flood", frame(TEXT, b"x", rsv=2) +
        frame(BINARY, b"y" * 60000) * 10, [], 1002)
    # 300 empty pings at once are no way to spend the time.
    ws = Ws(d.http, "/echo")
    ws.write(frame(PING, b"") * 400)
    try:
        while True:
            first, payload = ws.frame()
            if first & 15 == CLOSE:
                is_(struct.unpack(">H", payload[:2])[0], 1008, "a ping flood")
                break
    except Closed:
        ok(False, "a ping flood")


# ---- permessage-deflate, raw ------------------------------------------------------


def squeeze(data):
    c = zlib.compressobj(wbits=-15)
    return (c.compress(data) + c.flush(zlib.Z_SYNC_FLUSH))[:-4]


# RFC 7692: offers, compressed messages in every way of sending them, and what
# must not be done.
def test_deflate():
    def offer(text):
        return {"Sec-WebSocket-Extensions": text}

    for text, taken in [
            ("permessage-deflate", True),
            ("permessage-deflate; client_max_window_bits", True),
            ("permessage-deflate; client_no_context_takeover", True),
            ("permessage-deflate; server_no_context_takeover", True),
            ("permessage-deflate; nonsense", False),
            ("permessage-deflate; server_max_window_bits=99", False),
            ("permessage-deflate; nonsense, permessage-deflate", True),
            ("x-webkit-deflate-frame", False)]:
        ws = Ws(d.http, "/echo", offer(text))
        got = re.search(r"Sec-WebSocket-Extensions: (.*)", ws.head)
        ok((got is not None) == taken, f"{text}: {taken}")
        if taken:
            ok("server_no_context_takeover" in got.group(1) and
               "client_no_context_takeover" in got.group(1),
               "nothing is carried over")

    on = offer("permessage-deflate")
    body = b"sobremesa " * 200
    z = squeeze(body)

    def first(ws):
        head, payload = ws.frame()
        if head & 0x40:
            payload = zlib.decompressobj(-15).decompress(
                payload + b"\0\0\xff\xff")
        return head, payload

    ws = Ws(d.http, "/echo", on)
    ws.write(frame(TEXT, z, rsv=4))
    head, payload = first(ws)
    ok(payload == body and head & 0x40, "compressed both ways")
    ws.write(frame(TEXT, z[:5], rsv=4, fin=False) + frame(PING, b"") +
             frame(0, z[5:]))
    is_(ws.frame()[0], 0x80 | PONG, "a ping within")
    is_(first(ws)[1], body, "in fragments")
    ws.write(frame(TEXT, b"plain"))
    is_(first(ws), (0x80 | TEXT, b"plain"), "uncompressed is fine, too")
    ws.write(frame(TEXT, squeeze(b""), rsv=4))
    is_(first(ws)[1], b"", "an empty one")
    noise = s.chance("noise").randbytes(60000)
    ws.write(frame(BINARY, squeeze(noise), rsv=4))
    is_(len(first(ws)[1]), 60000, "what cannot be compressed")
    ws.close()

    bomb = squeeze(bytes(50 << 20))
    for name, data, code in [
            ("not deflate", frame(TEXT, b"\xff" * 20, rsv=4), 1007),
            ("bad UTF-8 within", frame(TEXT, squeeze(b"\xff"), rsv=4), 1007),
            ("the bit on a continuation", frame(TEXT, z, rsv=4, fin=False) +
             frame(0, b"", rsv=4), 1002),
            ("the bit on a ping", frame(PING, b"", rsv=4), 1002),
            ("a bomb", frame(BINARY, bomb, rsv=4), 1009),
            ("one byte too many", frame(TEXT, squeeze(b"x" * 65537), rsv=4),
             1009)]:
        before = d.rss()
        raw("deflate: " + name, data, [], code, headers=on)
        ok(d.rss() - before < 8 << 20, "and memory stays as it was")
    raw("deflate: 65 536 bytes", frame(BINARY, b"", fin=False) +
        frame(0, b"x" * 65536) + BYE, [(BINARY, b"x" * 65536)], 1000)


# ---- independent clients ------------------------------------------------------------


# python3-websockets: text, binary, fragments, pings, closing, with compression
# and without.
async def use_websockets():
    for extension in [None, [ClientPerMessageDeflateFactory(
            server_no_context_takeover=True,
            client_no_context_takeover=True)],
            [ClientPerMessageDeflateFactory()]]:
        name = "websockets" + (", deflate" if extension else "")
        async with websockets.connect(URL, compression=None,
                                      extensions=extension,
                                      max_size=1 << 20) as ws:
            rng = random.Random(7)
            good = True
            for n in [0, 1, 125, 126, 1000, 4096, 65535, 65536]:
                text = "".join(rng.choice("aé€🂡 ") for _ in range(n // 4))
                await ws.send(text)
                good = good and await ws.recv() == text
                data = rng.randbytes(n)
                await ws.send(data)
                good = good and await ws.recv() == data
            ok(good, f"{name}: echoes of every size")
            await ws.send(["frag", "ments", "", "!"])
            is_(await ws.recv(), "fragments!", f"{name}: fragments")
            await asyncio.wait_for(await ws.ping(b"there?"), s.WAIT)
            ok(True, f"{name}: ping")
            many = [f"message {i} " * 50 for i in range(200)]
            for text in many:
                await ws.send(text)
            is_([await ws.recv() for _ in many], many, f"{name}: 200 at once")
            await ws.close(4000, "enough")
            is_(ws.close_code, 4000, f"{name}: our close comes back")
        ws = await websockets.connect(URL, compression=None,
                                      extensions=extension)
        await ws.send(b"x" * 65537)
        await ws.wait_closed()
        is_(ws.close_code, 1009, f"{name}: too big")
    url = URL.replace("/echo", "/ws")
    ws = await websockets.connect(url, subprotocols=["sobremesa.v1"])
    is_(ws.subprotocol, "sobremesa.v1", "/ws speaks our protocol")
    await ws.send('{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}')
    ok(len(await ws.recv()) > 10000, "a long answer, compressed")
    await ws.send(b"{}")
    await ws.wait_closed()
    is_(ws.close_code, 1003, "/ws takes no binary")


class Client(WebSocketClientProtocol):
    def onOpen(self):
        self.todo = [(("text %d " % n) * n).encode() for n in range(100)]
        self.got = []
        self.sendMessage(b"a" * 10000, fragmentSize=50)

    def onMessage(self, payload, isBinary):
        self.got.append(payload)
        if self.todo:
            self.sendMessage(self.todo.pop(0), isBinary=False)
        else:
            self.sendClose(1000, "done")

    def onClose(self, wasClean, code, reason):
        if not self.factory.closed.done():
            self.factory.closed.set_result((wasClean, code,
                                            getattr(self, "got", [])))


# python3-autobahn: 200 fragments, a conversation, a clean close.
async def use_autobahn():
    loop = asyncio.get_running_loop()
    for deflate in (False, True):
        factory = WebSocketClientFactory(URL, loop=loop)
        factory.protocol = Client
        factory.closed = loop.create_future()
        if deflate:
            def accept(response):
                if isinstance(response, PerMessageDeflateResponse):
                    return PerMessageDeflateResponseAccept(response)
                return None
            factory.setProtocolOptions(
                perMessageCompressionOffers=[PerMessageDeflateOffer()],
                perMessageCompressionAccept=accept)
        await loop.create_connection(factory, *d.http)
        clean, code, got = await asyncio.wait_for(factory.closed, s.WAIT)
        name = "autobahn" + (", deflate" if deflate else "")
        ok(clean and code == 1000, f"{name}: a clean close ({code})")
        is_([len(got), got[0]], [101, b"a" * 10000], f"{name}: all came back")


test_raw()
test_deflate()
asyncio.run(asyncio.wait_for(use_websockets(), 3 * s.WAIT))
asyncio.run(asyncio.wait_for(use_autobahn(), 3 * s.WAIT))
is_(d.stop()[0], 0, "end")
done_testing()
