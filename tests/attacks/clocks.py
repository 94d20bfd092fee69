"""The clock of the player who runs a command, set to any time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

FAR = "9999-12-31T23:59:59Z"
"""The latest time that a record can have."""


@contextmanager
def clock_at(time: str | datetime) -> Iterator[None]:
    """Set the clock of commands in this process."""
    moment = time if isinstance(time, datetime) else datetime.fromisoformat(time)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.sources._system_clock", lambda: moment.astimezone(UTC))
        yield
