"""Random bytes and the time; all other modules get them from here.

Each call names the purpose of its bytes, with the game, the record or the key, so that no two
purposes are equal. The program ignores the purpose. Tests replace `_system_bytes` and derive the
bytes from it, so that they do not depend on the order of calls.
"""

from __future__ import annotations

from datetime import UTC, datetime


def random_bytes(size: int, purpose: str) -> bytes:
    """Return `size` fresh random bytes, suitable for keys and secrets."""
    return _system_bytes(size, purpose)


def now() -> str:
    """Return the time in UTC in the form of a record, such as 2026-11-21T10:03:00Z."""
    # The year has four digits even if the clock is wrong by centuries.
    return _system_clock().replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _system_bytes(size: int, _purpose: str) -> bytes:
    # Imported lazily: most commands need no random bytes, and the import is slow.
    import secrets

    return secrets.token_bytes(size)


def _system_clock() -> datetime:
    return datetime.now(UTC)
