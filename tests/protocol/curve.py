"""A plain implementation of the curve of RFC 8032, for signatures of dishonest programs."""

from __future__ import annotations

from hashlib import sha512

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int]


def add(one: Point, other: Point) -> Point:
    (a, b), (x, y) = one, other
    k = D * a * b * x * y % P
    return (a * y + b * x) * pow(1 + k, -1, P) % P, (b * y + a * x) * pow(1 - k, -1, P) % P


def times(n: int, point: Point) -> Point:
    result = (0, 1)
    for bit in format(n, "b"):
        result = add(result, result)
        if bit == "1":
            result = add(result, point)
    return result


def x_of(y: int) -> int | None:
    """Return the even x of the point with this y, if there is one."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square:
        return None
    return x if x % 2 == 0 else P - x


def encode(point: Point) -> bytes:
    x, y = point
    return (y + ((x & 1) << 255)).to_bytes(32, "little")


def _point(y: int) -> Point:
    x = x_of(y)
    assert x is not None
    return x, y


BASE = _point(4 * pow(5, -1, P) % P)
# A point of order 8.
TORSION = _point(
    int.from_bytes(
        bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
    )
)


def challenge(r: bytes, key: bytes, message: bytes) -> int:
    return int.from_bytes(sha512(r + key + message).digest(), "little") % L


def signature(
    private: int, key: bytes, message: bytes, nonce: int, r: bytes | None = None
) -> bytes:
    """Return a signature by a private scalar, for a chosen nonce and encoding of R."""
    r = encode(times(nonce, BASE)) if r is None else r
    s = (nonce + challenge(r, key, message) * private) % L
    return r + s.to_bytes(32, "little")
