"""The text of an HTML message, as a reader sees it.

Not by `html.parser`, which in many versions of Python takes hours for a text of some megabytes that
was made for it; this reader goes over the text once, whatever is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from pbem.mail.door import Budget

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
_AT_ONCE = 1000
_LONGEST_TAG = 4096
"""Of a tag's attributes no more is looked at."""
_MOST_OPEN = 10_000
_MOST_ENTITIES = 200_000
"""So many `&` are read: as many as a file of a thousand lines has, if all of it is written so."""
_MOST_TAGS = 200_000
"""Behind them the text is not looked at: a file of 2 MiB takes half as many."""


def text_of(html: str, budget: Budget) -> str:
    """The text, with a line for each block and each `br`, and no space but what is to be seen."""
    reader = _Reader()
    pieces = _pieces(html)
    reader.take(next(pieces))
    is_comment = False
    for number, piece in enumerate(pieces):
        if number % _AT_ONCE == 0:
            budget.check()
        if is_comment or piece.startswith("!--"):
            is_comment = "-->" not in piece
            reader.take(piece.rpartition("-->")[2] if not is_comment else "")
        else:
            reader.take_tag(piece)
    return "".join(reader.found)


def _pieces(html: str) -> Iterator[str]:
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
