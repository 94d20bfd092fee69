"""The clock and the random numbers of this computer; whoever tests passes other ones in."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """The time in UTC, as records store it."""
    # A year has four digits there, also where a clock is wrong by centuries.
    return datetime.now(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def new_nonce() -> bytes:
    """32 fresh random bytes."""
    # Imported here because most commands need none, and it takes a while.
    import secrets

    return secrets.token_bytes(32)
