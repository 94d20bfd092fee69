"""The texts that a part of a message may stand for.

What its headers say of it may be wrong, so that there may be more than one; a file that is found is
ASCII and signed, so that none that is read wrongly passes for it.
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterable, Iterator

from pbem.mail.hypertext import text_of
from pbem.mail.mending import has_file, restored, without_links
from pbem.mail.parts import Part

_MARK = "acres-"
_ENTITY = "&#"
"""Some programs write letters so in HTML."""
_ENCODED = re.compile(rb'format =3[Dd] (?:"|=22)acres-')
_TAGS = re.compile(r"<(?:br|div|p|pre|span|html|body)\b|&quot;", re.IGNORECASE)
_MARKS = re.compile(r"[> ]*")


def texts_of(part: Part) -> Iterator[str]:
    """Texts in which a file begins, with the characters restored that mail programs change."""
    for data in _undone(part.data):
        text = _decoded(data, part.charset)
        if not text:
            continue
        if part.joins_words:
            text = "\n".join(_joined(text.replace("\r\n", "\n").split("\n")))
        readings = [text, text_of(text)] if _TAGS.search(text) else [text]
        if part.is_html:
            readings.reverse()
        for found in filter(has_file, map(restored, readings)):
            if (plain := without_links(found)) != found:
                yield plain
            yield found


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


def _decoded(data: bytes, charset: str) -> str:
    """The text that is in the data, in the first of several encodings that shows a file in it."""
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
            return text
    return ""


_WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
