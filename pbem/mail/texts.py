"""The texts that a part of a message may stand for.

What its headers say of it may be wrong, so that there may be more than one; a file that is found is
ASCII and signed, so that none that is read wrongly passes for it.
"""

from __future__ import annotations

import codecs
import quopri
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from pbem.mail.door import Budget
from pbem.mail.hypertext import text_of
from pbem.mail.mending import has_file, restored, with_plain_characters, without_links
from pbem.mail.mends import Mend
from pbem.mail.parts import Part, check_lines

_MARK = "acres-"
_ENTITY = "&#"
"""Some programs write letters so in HTML."""
_ENCODED = re.compile(rb'format =3[Dd] (?:"|=22)acres-')
_TAGS = re.compile(r"<(?:br|div|p|pre|span|html|body)\b|&quot;", re.IGNORECASE)
_MARKS = re.compile(r"[> ]*")
_FAR = re.compile("[\U00010000-\U0010ffff]")
"""No file has any of these."""
_AT_ONCE = 65_536
_LARGE = 4 * 1024 * 1024
"""In bytes; of what is larger all letters are made narrow, so that it takes no more than others."""


class Text(NamedTuple):
    """A text in which a file begins; `before` is what it was before it was changed in some way."""

    text: str
    before: tuple[tuple[Mend, str], ...] = ()

    def mends(self, source: str) -> set[Mend]:
        """In which of these ways a piece of the text became what it is."""
        return {mend for mend, text in self.before if source not in text}


def texts_of(part: Part, budget: Budget) -> Iterator[Text]:
    """Texts in which a file begins, with the characters restored that mail programs change."""
    for data in _undone(part.data):
        budget.check()
        charset, text = _decoded(data, part.charset, budget)
        if not text:
            continue
        # So many were counted as the message came; a part may hide more of them.
        check_lines(text)
        # What stands in no text at all was changed wherever it stands.
        wide = ((Mend.ENCODING, ""),) if charset in _WIDE and charset != part.charset else ()
        text = text.replace("\r\n", "\n")
        if part.joins_words:
            text = "\n".join(_joined(text.split("\n")))
        # One after the other: each may be as large as the message.
        for read in _readings(part) if _TAGS.search(text) else (_as_it_is,):
            budget.check()
            yield from _restored(read(Text(text, wide), budget), budget)


def _restored(reading: Text, budget: Budget) -> Iterator[Text]:
    """A text with the characters restored, without the links that were added first."""
    found = restored(reading.text)
    if not has_file(found):
        return
    before = (*reading.before, (Mend.CHARACTERS, reading.text))
    if (plain := without_links(found)) != found:
        yield Text(plain, (*before, (Mend.LINKS, found)))
    del plain
    budget.check()
    yield Text(found, before)


def _readings(part: Part) -> tuple[Callable[[Text, Budget], Text], ...]:
    """In which ways a text is read that has tags, the likely one first."""
    return (_as_page, _as_it_is) if part.is_html else (_as_it_is, _as_page)


def _as_page(text: Text, budget: Budget) -> Text:
    return Text(text_of(text.text, budget), (*text.before, (Mend.PAGE, text.text)))


def _as_it_is(text: Text, _: Budget) -> Text:
    return text


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


def _decoded(data: bytes, charset: str, budget: Budget) -> tuple[str, str]:
    """The first of several encodings that shows a file in the data, and the text that it gives."""
    if _MARK.encode() in data or _ENTITY.encode() in data:
        guesses = [charset, "utf-8", "cp1252"]
    else:
        guesses = [charset, *(utf for utf in _WIDE if _MARK.encode(utf) in data)]
    for guess in filter(None, guesses):
        try:
            errors = "strict" if guess != "cp1252" else "replace"
            text = _narrow(data, guess, errors, budget)
        except (ValueError, LookupError):
            continue
        if _MARK in text or _ENTITY in text:
            return guess, text
    return "", ""


def _narrow(data: bytes, charset: str, errors: str, budget: Budget) -> str:
    """The text in the data, without the letters that would make all others four bytes wide."""
    pieces = _pieces(data, codecs.getincrementaldecoder(charset)(errors), budget)
    if len(data) <= _LARGE:
        return "".join([_FAR.sub("?", piece) for piece in pieces])
    plain = map(with_plain_characters, pieces)
    return b"".join([piece.encode("latin-1", "replace") for piece in plain]).decode("latin-1")


def _pieces(data: bytes, decoder: codecs.IncrementalDecoder, budget: Budget) -> Iterator[str]:
    for at in range(0, len(data), _AT_ONCE):
        # Some begin anew with each piece, where it goes on with what was begun long before.
        budget.check()
        yield decoder.decode(data[at : at + _AT_ONCE], final=at + _AT_ONCE >= len(data))


_WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
