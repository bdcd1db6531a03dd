"""One-time passwords by time, from RFC 6238 alone, for tests."""

import base64
import hashlib
import hmac
import struct

STEP_MS = 30000


def totp(key, now_ms, steps=0):
    """The code of KEY, in base32, so many half minutes from NOW_MS."""
    step = int(now_ms // STEP_MS) + steps
    mac = hmac.new(base64.b32decode(key), struct.pack(">Q", step),
                   hashlib.sha1).digest()
    at = mac[-1] & 15
    number = struct.unpack(">I", mac[at:at + 4])[0] & 0x7fffffff
    return f"{number % 1000000:06d}"
