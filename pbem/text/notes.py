"""A player's private notes, as they were typed."""

from __future__ import annotations

from collections.abc import Iterator

from engine.message import Message
from pbem.text.lines import Line, Tone, item


def notes_told(text: str) -> Iterator[Line]:
    """A player's private notes under a heading, line by line as they were typed; or nothing."""
    if text:
        yield Line()
        yield Line(Message("Your notes"), Tone.HEAD)
        yield from _as_typed(text)


def travelling(old: str, new: str) -> Iterator[Line]:
    """The notes that go into the file, or that the old ones do not; nothing for none."""
    if new:
        yield Line(
            Message("Your notes travel with the file, sealed: nobody but you can read them.")
        )
        yield from _as_typed(new)
    elif old:
        yield Line(Message("Your old notes are left out of this file."))


def _as_typed(text: str) -> Iterator[Line]:
    for line in text.splitlines():
        yield item(line) if line.strip() else Line()
