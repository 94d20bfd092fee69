"""The texts that a part of a message may stand for.

What its headers say of it may be wrong, so that there may be more than one; a file that is found is
ASCII and signed, so that none that is read wrongly passes for it.
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterator

from pbem.mail.hypertext import text_of
from pbem.mail.mending import has_file, restored, without_links
from pbem.mail.parts import Part

_MARK = "acres-"
_ENTITY = "&#"
"""Some programs write letters so in HTML."""
_ENCODED = re.compile(rb'format =3[Dd] (?:"|=22)acres-')
_TAGS = re.compile(r"<(?:br|div|p|pre|span|html|body)\b|&quot;", re.IGNORECASE)
_SOFT_BREAK = re.compile(r"(?<=[^\n]) \n(?:[> ]*)")


def texts_of(part: Part) -> Iterator[str]:
    """Texts in which a file begins, with the characters restored that mail programs change."""
    for data in _undone(part.data):
        text = _decoded(data, part.charset)
        if not text:
            continue
        if part.joins_words:
            # Soft breaks are a space and the break, where the words are joined without either.
            text = _SOFT_BREAK.sub("", text.replace("\r\n", "\n"))
        readings = [text, text_of(text)] if _TAGS.search(text) else [text]
        if part.is_html:
            readings.reverse()
        for found in filter(has_file, map(restored, readings)):
            if (plain := without_links(found)) != found:
                yield plain
            yield found


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
