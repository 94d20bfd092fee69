"""The command that runs: what the parser knows of it, at hand for all that it calls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import typer

_running: ContextVar[typer.Context] = ContextVar("running")


def current() -> typer.Context:
    """Return the context of the command that runs, or of the line that is being completed."""
    return _running.get()


@contextmanager
def running(context: typer.Context) -> Iterator[None]:
    """Have that context at hand inside."""
    before = _running.set(context)
    try:
        yield
    finally:
        _running.reset(before)
