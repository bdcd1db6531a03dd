"""One-time passwords by time, from RFC 6238 alone, for tests."""

import base64
import hashlib
import hmac
import struct
import time

STEP = 30


def totp(key, steps=0, now=None):
    """The code of KEY, in base32, so many half minutes from now."""
    step = int((time.time() if now is None else now) // STEP) + steps
    mac = hmac.new(base64.b32decode(key), struct.pack(">Q", step),
                   hashlib.sha1).digest()
    at = mac[-1] & 15
    number = struct.unpack(">I", mac[at:at + 4])[0] & 0x7fffffff
    return f"{number % 1000000:06d}"
