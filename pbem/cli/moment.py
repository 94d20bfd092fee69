"""The clock and the random numbers, which only the command line takes from the machine."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """The time in UTC, as records store it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def new_nonce() -> bytes:
    """32 fresh random bytes."""
    # Imported here because most commands need none, and it takes a while.
    import secrets

    return secrets.token_bytes(32)
