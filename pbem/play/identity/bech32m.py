"""Characters that people copy by hand: Bech32m (BIP 350).

A string of it is a prefix, a "1", and symbols of which the last six are a checksum. It finds every
four wrong symbols, and of more all but one in 2^30. Here the prefix is never written down: it is
what the reader knows beforehand.
"""

from __future__ import annotations

ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
"""The symbols, by their value: no 1, b, i or o, which are easily mistaken."""
CHECKSUM = 6
"""How many symbols of a string are its checksum."""
_GENERATORS = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_CONSTANT = 0x2BC830A3


def symbols_of(data: bytes, count: int) -> str:
    """The bytes in `count` symbols of five bits each, the last of them filled up with zeros.

    >>> symbols_of(b"acres", 8), symbols_of(b"acres", 9)
    ('v93hyetn', 'v93hyetnq')
    """
    return _written(int.from_bytes(data) << (5 * count - 8 * len(data)), count)


def bytes_of(symbols: str, length: int) -> bytes:
    """The `length` bytes that these symbols begin with; ValueError unless only zeros follow.

    >>> bytes_of("v93hyetnq", 5)
    b'acres'
    """
    number = 0
    for symbol in symbols:
        number = number << 5 | ALPHABET.index(symbol)
    data, rest = divmod(number, 1 << (5 * len(symbols) - 8 * length))
    if rest:
        raise ValueError("these symbols hold more bytes")
    return data.to_bytes(length)


def checksum(prefix: str, symbols: str) -> str:
    """The six symbols that complete a string; the prefix is ASCII, in lower case.

    >>> checksum("abcdef", ALPHABET[::-1])  # An example of BIP 350.
    'zd3ryx'
    """
    return _written(_remainder(prefix, symbols + ALPHABET[0] * CHECKSUM) ^ _CONSTANT, CHECKSUM)


def is_valid(prefix: str, symbols: str) -> bool:
    """Whether these symbols, with the checksum at their end, belong to the prefix."""
    return _remainder(prefix, symbols) == _CONSTANT


def _written(number: int, count: int) -> str:
    return "".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(count)))


def _remainder(prefix: str, symbols: str) -> int:
    """What BIP 173 calls the polymod, of the prefix as it is expanded there and the symbols."""
    codes = prefix.encode()
    values = [code >> 5 for code in codes] + [0] + [code & 31 for code in codes]
    remainder = 1
    for value in [*values, *map(ALPHABET.index, symbols)]:
        top, remainder = remainder >> 25, (remainder & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate(_GENERATORS):
            if top >> bit & 1:
                remainder ^= generator
    return remainder
