"""Bytes as text, and data as canonical bytes: one way to write each thing, no second way to read.

docs/protocol.md, Encoding.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from json import JSONEncoder
from typing import TypeAlias

# What a TOML file and canonical JSON have in common, and all that records are made of.
Plain: TypeAlias = "int | str | Sequence[Plain] | Mapping[str, Plain]"

# For plain data, without fractions and with keys in ASCII, this is all that RFC 8785 asks for.
_CANONICAL = JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))
_BASE64URL = re.compile(r"[A-Za-z0-9_-]*")


def encode_bytes(data: bytes) -> str:
    """Base64url (RFC 4648, section 5) without padding.

    >>> encode_bytes(b"acres")
    'YWNyZXM'
    """
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode_bytes(text: str) -> bytes:
    """The bytes that `encode_bytes` gave this text for; ValueError for any other text.

    >>> decode_bytes("YWNyZXM")
    b'acres'
    >>> decode_bytes("YWNyZXN")
    Traceback (most recent call last):
    ValueError: not canonical base64url
    """
    if _BASE64URL.fullmatch(text) and len(text) % 4 != 1:
        data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        # The last character of a text may carry bits that no byte uses: they have to be zero.
        if encode_bytes(data) == text:
            return data
    raise ValueError("not canonical base64url")


def canonical_json(value: Plain) -> bytes:
    r"""RFC 8785: the one way to write plain data as JSON.

    >>> canonical_json({"b": [1, "é"], "a": 2})
    b'{"a":2,"b":[1,"\xc3\xa9"]}'
    """
    return _CANONICAL.encode(value).encode()
