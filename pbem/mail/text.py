"""The texts that a part of a message may stand for.

What its headers say of it may be wrong, so that there may be more than one; a file that is found is
ASCII and signed, so that none that is read wrongly passes for it.

HTML is not read by `html.parser`, which in many versions of Python takes hours for a text of some
megabytes that was made for it; the reader here goes over a text once, whatever is in it.
"""

from __future__ import annotations

import codecs
import quopri
import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import NamedTuple

from pbem.mail.mend import Mend
from pbem.mail.parts import Budget, Part, check_lines
from pbem.mail.repair import has_file, restored, with_plain_characters, without_links

_MARK = "acres-"
_ENTITY = "&#"
"""Some programs write letters so in HTML."""
_ENCODED = re.compile(rb'format =3[Dd] (?:"|=22)acres-')
_HAS_TAGS = re.compile(r"<(?:br|div|p|pre|span|html|body)\b|&quot;", re.IGNORECASE)
_MARKS = re.compile(r"[> ]*")
_FAR = re.compile("[\U00010000-\U0010ffff]")
"""No file has any of these."""
_AT_ONCE = 65_536
_LARGE = 4 * 1024 * 1024
"""In bytes; of what is larger all letters are made narrow, so that it takes no more than others."""
_WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")

_TAG = re.compile(r"/?([A-Za-z][A-Za-z0-9]*)")
_BLOCKS = re.compile(
    r"address|article|blockquote|body|br|center|d[dlt]|div|footer|form|h[1-6r]|header|html|li|main"
    r"|[ou]l|p|pre|section|table|tbody|t[dhr]|tfoot|thead"
)
"""Where one begins or ends, a line ends."""
_HIDDEN = frozenset(("head", "script", "style", "title"))
_VOID = frozenset(("area", "base", "br", "col", "hr", "img", "input", "link", "meta", "wbr"))
"""They have no end."""
_LAID_OUT = re.compile(r"white-space\s{0,9}:\s{0,9}(pre|break-spaces)", re.IGNORECASE)
_TAGS_AT_ONCE = 1000
_LONGEST_TAG = 4096
"""Of a tag's attributes no more is looked at."""
_MOST_OPEN = 10_000
_MOST_ENTITIES = 200_000
"""How many `&` are read: as many as a file of a thousand lines has, if all of it is written so."""
_MOST_TAGS = 200_000
"""Behind them the text is not looked at: a file of 2 MiB takes half as many."""


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
        # How many were counted as the message came; a part may hide more of them.
        check_lines(text.count("\n") + text.count("\r") - text.count("\r\n"))
        # What stands in no text at all was changed wherever it stands.
        wide = ((Mend.ENCODING, ""),) if charset in _WIDE and charset != part.charset else ()
        text = text.replace("\r\n", "\n")
        if part.joins_words:
            text = "\n".join(_joined(text.split("\n")))
        # One after the other: each may be as large as the message.
        ways = (True, False) if part.is_html else (False, True)
        for is_page in ways if _HAS_TAGS.search(text) else (False,):
            budget.check()
            yield from _restored(
                Text(text_of(text, budget), (*wide, (Mend.PAGE, text)))
                if is_page
                else Text(text, wide),
                budget,
            )


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
        # Some begin again with each piece, where it goes on with what was begun long before.
        budget.check()
        yield decoder.decode(data[at : at + _AT_ONCE], final=at + _AT_ONCE >= len(data))


# --- HTML


def text_of(html: str, budget: Budget) -> str:
    """The text, with a line for each block and each `br`, and no space but what is to be seen."""
    reader = _Reader()
    pieces = _tagged(html)
    reader.take(next(pieces))
    is_comment = False
    for number, piece in enumerate(pieces):
        if number % _TAGS_AT_ONCE == 0:
            budget.check()
        if is_comment or piece.startswith("!--"):
            is_comment = "-->" not in piece
            reader.take(piece.rpartition("-->")[2] if not is_comment else "")
        else:
            reader.take_tag(piece)
    return "".join(reader.found)


def _tagged(html: str) -> Iterator[str]:
    """What stands before the first `<`, and behind each; the last may have more of them in it."""
    at = 0
    for _ in range(_MOST_TAGS):
        end = html.find("<", at)
        if end < 0:
            break
        yield html[at:end]
        at = end + 1
    yield html[at:]


class _Reader:
    """Collects the text between tags in `found`."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []
        self._hidden = ""
        self._is_laid_out = False
        self._entities = 0

    def take_tag(self, piece: str) -> None:
        """Take what stands behind a `<`: a tag, and the text up to the next one."""
        tag = _TAG.match(piece)
        inside, end, text = piece.partition(">")
        if tag is None or not end:
            # A declaration, or a mere `<` in the text.
            self.take(text if piece[:1] in ("!", "?", "/") else f"<{piece}")
            return
        name = tag[1].lower()
        if inside.startswith("/"):
            self._close(name)
        else:
            self._begin(name, inside[:_LONGEST_TAG])
        if _BLOCKS.fullmatch(name) and not self._hidden:
            self.found.append("\n")
        self.take(text)

    def take(self, text: str) -> None:
        """Take a text between two tags."""
        if self._hidden or not text:
            return
        # A space that does not break a line has to be told from others until these are joined.
        text = text if self._is_laid_out else _one_space(text)
        self._entities += text.count("&")
        if "&" in text and self._entities <= _MOST_ENTITIES:
            text = _unescaped(text)
        at_beginning = not self.found or self.found[-1].endswith("\n")
        self.found.append(text.lstrip(" ") if at_beginning and not self._is_laid_out else text)

    def _begin(self, name: str, inside: str) -> None:
        if name in _HIDDEN:
            self._hidden = self._hidden or name
        elif name == "body" and self._hidden == "head":
            self._hidden = ""
        if name in _VOID or len(self._open) >= _MOST_OPEN:
            return
        self._open.append((name, self._is_laid_out))
        if name in ("pre", "textarea", "xmp", "listing") or _LAID_OUT.search(inside):
            self._is_laid_out = True

    def _close(self, name: str) -> None:
        if name == self._hidden:
            self._hidden = ""
        # Nobody leaves many open: those further out are not looked for.
        for back in range(1, min(len(self._open), 16) + 1):
            if self._open[-back][0] == name:
                self._is_laid_out = self._open[-back][1]
                del self._open[-back:]
                return


def _unescaped(text: str) -> str:
    try:
        return unescape(text)
    except ValueError:
        # A number of thousands of digits.
        return text


def _one_space(text: str) -> str:
    """A text with one space for each stretch of white space."""
    for space in "\t\r\n\f":
        text = text.replace(space, " ")
    # Not by a pattern, which keeps every word by itself until the end.
    while "  " in text:
        text = text.replace("  ", " ")
    return text
