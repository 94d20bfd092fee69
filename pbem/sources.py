"""Chance and time: the only place that asks the system for random bytes or for the clock.

Each call says what its bytes are for. The program takes no notice of that; tests, which replace
`_system_bytes`, make bytes of the purpose, so that they do not depend on the order of calls. What
the bytes end in is to follow from the purpose alone: name the game, the record, the key.
"""

from __future__ import annotations

from datetime import UTC, datetime


def random_bytes(size: int, purpose: str) -> bytes:
    """Return so many fresh random bytes, fit for keys and secrets."""
    return _system_bytes(size, purpose)


def now() -> str:
    """Return the time in UTC, as records store it."""
    # A year has four digits there, also where a clock is wrong by centuries.
    return _system_clock().replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _system_bytes(size: int, _purpose: str) -> bytes:
    # Imported lazily: most commands need no chance, and it takes a while.
    import secrets

    return secrets.token_bytes(size)


def _system_clock() -> datetime:
    return datetime.now(UTC)
