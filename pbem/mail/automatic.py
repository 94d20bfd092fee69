"""Letters that no person wrote, which no program is to answer (RFC 3834)."""

from __future__ import annotations

from collections.abc import Callable

_PRECEDENCES = ("bulk", "list", "junk", "auto_reply")
_OF_PROGRAMS = (b"list-id", b"list-post", b"list-unsubscribe", b"x-auto-response-suppress")
"""Mailing lists and programs write these."""


def is_automatic(said: Callable[[bytes], str]) -> bool:
    """Whether a message says of itself that a program or a list sent it.

    `said` gives what stands in the header of that name, in small letters; empty without one.

    >>> is_automatic(lambda name: "auto-replied" if name == b"auto-submitted" else "")
    True
    """
    return (
        _begins(said(b"auto-submitted")) not in ("", "no")
        or _begins(said(b"precedence")) in _PRECEDENCES
        or _begins(said(b"return-path")) == "<>"
        or any(said(name) for name in _OF_PROGRAMS)
    )


def _begins(value: str) -> str:
    """The first word of a header, in small letters; empty without one."""
    words = value[:200].partition(";")[0].split()
    return words[0].casefold() if words else ""
