"""The texts that a part of a message may stand for.

What its headers say of it may be wrong, so that there may be more than one; a file that is found is
ASCII and signed, so that none that is read wrongly passes for it.
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pbem.mail.hypertext import text_of
from pbem.mail.mending import has_file, restored, without_links
from pbem.mail.mends import Mend
from pbem.mail.parts import Part

_MARK = "acres-"
_ENTITY = "&#"
"""Some programs write letters so in HTML."""
_ENCODED = re.compile(rb'format =3[Dd] (?:"|=22)acres-')
_TAGS = re.compile(r"<(?:br|div|p|pre|span|html|body)\b|&quot;", re.IGNORECASE)
_MARKS = re.compile(r"[> ]*")


class Text(NamedTuple):
    """A text in which a file begins; `before` is what it was before it was changed in some way."""

    text: str
    before: tuple[tuple[Mend, str], ...] = ()

    def mends(self, source: str) -> set[Mend]:
        """In which of these ways a piece of the text became what it is."""
        return {mend for mend, text in self.before if source not in text}


def texts_of(part: Part) -> Iterator[Text]:
    """Texts in which a file begins, with the characters restored that mail programs change."""
    for data in _undone(part.data):
        charset, text = _decoded(data, part.charset)
        if not text:
            continue
        # What stands in no text at all was changed wherever it stands.
        wide = ((Mend.ENCODING, ""),) if charset in _WIDE and charset != part.charset else ()
        text = text.replace("\r\n", "\n")
        if part.joins_words:
            text = "\n".join(_joined(text.split("\n")))
        readings = [Text(text, wide)]
        if _TAGS.search(text):
            readings.append(Text(text_of(text), (*wide, (Mend.PAGE, text))))
        if part.is_html:
            readings.reverse()
        for reading in readings:
            yield from _restored(reading)


def _restored(reading: Text) -> Iterator[Text]:
    """A text with the characters restored, without the links that were added first."""
    found = restored(reading.text)
    if not has_file(found):
        return
    before = (*reading.before, (Mend.CHARACTERS, reading.text))
    if (plain := without_links(found)) != found:
        yield Text(plain, (*before, (Mend.LINKS, found)))
    yield Text(found, before)


def _joined(lines: Iterable[str]) -> Iterator[str]:
    """Lines that end with a space, without it, joined with the next where that is as far quoted."""
    begun: list[str] = []
    depth = 0
    for line in lines:
        marks = _MARKS.match(line)
        behind = marks.end() if marks else 0
        here = line.count(">", 0, behind)
        if begun and here != depth:
            yield "".join(begun)
            begun = []
        depth = here
        begun.append(line[behind:] if begun else line)
        if line.endswith(" "):
            begun[-1] = begun[-1].removesuffix(" ")
        else:
            yield "".join(begun)
            begun = []
    yield "".join(begun)


def _undone(data: bytes) -> Iterator[bytes]:
    """The data as they are; and decoded, where they are the source of a message."""
    yield data
    if _ENCODED.search(data):
        yield quopri.decodestring(data)


def _decoded(data: bytes, charset: str) -> tuple[str, str]:
    """The first of several encodings that shows a file in the data, and the text that it gives."""
    if _MARK.encode() in data or _ENTITY.encode() in data:
        guesses = [charset, "utf-8", "cp1252"]
    else:
        guesses = [charset, *(utf for utf in _WIDE if _MARK.encode(utf) in data)]
    for guess in filter(None, guesses):
        try:
            text = data.decode(guess, "strict" if guess != "cp1252" else "replace")
        except (ValueError, LookupError):
            continue
        if _MARK in text or _ENTITY in text:
            return guess, text
    return "", ""


_WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
