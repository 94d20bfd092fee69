r"""A file out of a text that went through mail: quoted, indented, wrapped again, with other quotes.

Whatever mail programs do to a text, they leave its words and their order alone. So the statements
of a file are taken one after another without regard to lines, and laid out again; where that gives
another text than was sent, a signature does not fit, and nobody is misled.

docs/save-format.md, Lines and Mended.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Any, NamedTuple

from pbem.mail.mend import Mend
from pbem.savefile.document import MAX_BRACKETS, MAX_LINE

RECORD = "[[record]]"

_CHARACTERS = {
    # What looks like a space, and line ends of other systems.
    **dict.fromkeys("\t\u00a0\u1680\u202f\u205f\u3000", " "),
    **dict.fromkeys(map(chr, range(0x2000, 0x200B)), " "),
    **dict.fromkeys("\v\f\x85\u2028\u2029", "\n"),
    # What nobody sees.
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", ""),
    # What programs make of what is typed.
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\uff02", '"'),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", "'"),
    **dict.fromkeys("\u2010\u2011\u2012\u2212", "-"),
    **dict.fromkeys("\u2013\u2014", "--"),
    "\u2026": "...",
}
"""A file is ASCII: any of these is the work of a program on its way, which is undone so."""
_TABLE = str.maketrans(_CHARACTERS)

_BEGINNING = re.compile(r'format *= *"acres-(?:save|fork)"')
_MOST_QUOTED = 64
"""How many characters may stand before the beginning of a file on its line: `> > ` and the like."""
_MARKS = re.compile(r"[>|]")
_SUPERCITED = re.compile(r" ?[^\W\d_]{0,12}[>|][>| ]*")
_ADDED_LINK = re.compile(
    r"[ \n]?(?:<(?:mailto:|https?://)[^<>]{0,2000}>|\[mailto:[^\[\]]{0,2000}\])"
)
"""What some programs write behind an address."""
_MOST_LINKS = 10_000

_SPACE = re.compile(r"\s*+")
_HEADER = re.compile(r"\[[a-z.]{1,60}\]|\[\[[a-z.]{1,60}\]\]")
_KEY = re.compile(r"([a-z_]{1,60})\s*+=")
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,20}(?![\w.])")
_FOLDED = re.compile(r'"""((?:[^"\\]++|\\.|"(?!""))*+)"""', re.DOTALL)
_WRITTEN = re.compile(r'"""(?:[^\n]*\\ *\n)*+[^\n]*')
"""A folded text up to its first line that does not go on."""
_STRING = re.compile(r'"((?:[^"\\]++|\\.)*+)"', re.DOTALL)
_ESCAPE = re.compile(r"\\(\s+|.)", re.DOTALL)
_BREAK = re.compile(r" *\n\s*")
_BYTES = re.compile(r"[\w-]*", re.ASCII)
_GOES_ON = re.compile(r'\s*(?:\[\[?[a-z]+(?:\.[a-z]+)?\]\]?|[a-z_]+ = ["\[0-9].*|[\w-]{60,}\\)\s*')
"""A line that stands in no other text than a file."""
_ENDS = '\\,"[]'
"""With one of these ends every line of a file that is nearly as wide as it may be."""
_BEGUN = re.compile(r"\[\[?[a-z.]*\]?")
"""A header that breaks off."""
_DEEPEST = 8
_MOST_FILES = 20
_MOST_STATEMENTS = 100_000
"""A file of 2 MiB has half as many."""


# --- a file out of a text


class Statement(NamedTuple):
    """A header or a key with its value, on one line of TOML; `line` is where it began, from 1."""

    line: int
    text: str


@dataclass(frozen=True)
class Mended:
    """What was taken from a text, from the beginning of a file on.

    `lines` are those of the text without their marks of quoting, the first of which is number
    `first`, from 1, and `last` the one on which the last statement ends; `damage` is the one at
    which no statement could be taken although the file goes on, 0 if there is none, and
    `breaks_off` whether that is because the file ends there. `is_all` says that there is nothing
    else in the text, `size` is how many characters were taken; `mends` says what was undone.
    """

    first: int
    lines: list[str]
    statements: list[Statement]
    last: int
    damage: int = 0
    breaks_off: bool = False
    is_all: bool = False
    size: int = 0
    mends: frozenset[Mend] = frozenset()

    def document(self) -> dict[str, Any]:
        """What the statements say together; ValueError, with the line among them, if nothing."""
        try:
            return tomllib.loads("\n".join(statement.text for statement in self.statements))
        except RecursionError:
            raise ValueError("it is nested too deeply") from None

    def line_of(self, header: str) -> int:
        """Where the first header stands that begins so; 0 if there is none."""
        return next((s.line for s in self.statements if s.text.startswith(header)), 0)

    def record_lines(self) -> list[int]:
        """Where each record begins."""
        return [s.line for s in self.statements if s.text == RECORD]


def restored(text: str) -> str:
    """A text with the characters undone that mail programs put in."""
    return with_plain_characters(text.replace("\r\n", "\n").replace("\r", "\n"))


def with_plain_characters(text: str) -> str:
    """A text with what a file has in the place of what looks like it."""
    return text if text.isascii() and "\t" not in text else text.translate(_TABLE)


def without_links(text: str) -> str:
    """A text without the links that some programs write behind addresses."""
    return _ADDED_LINK.sub("", text, count=_MOST_LINKS)


def has_file(text: str) -> bool:
    """Whether a file begins somewhere in a restored text."""
    return _BEGINNING.search(text) is not None


class Stretch(NamedTuple):
    """A piece of a text, from the beginning of a file on: it may hold that, and more behind it.

    `prefix` stands before it on its line, which is number `line`, from 1; `is_first` says that
    there is nothing else before it.
    """

    text: str
    line: int
    prefix: str
    is_first: bool

    def mended(self, most: int) -> Mended:
        """What can be taken of it, of that many characters at most."""
        lines = self._lines(most)
        plain = _unquoted(lines, self.prefix)
        return self._of(lines, plain, plain)

    def unfolded(self, most: int) -> Iterator[Mended]:
        """The same where a program broke all lines at one width, in the middle of words too.

        Whether that is right the signatures tell.
        """
        lines = self._lines(most)
        plain = _unquoted(lines, self.prefix)
        if whole := _unfolded(plain):
            yield self._of(lines, plain, whole)
        if plain != lines and (whole := _unfolded(lines, self.prefix)):
            # They were broken when they had been quoted.
            unquoted = _unquoted(whole, self.prefix)
            yield self._of(whole, unquoted, unquoted)

    def source(self, mended: Mended) -> str:
        """The lines of which it was taken, as they are in the text."""
        count = mended.last - mended.first + 1
        return "\n".join(self.text.split("\n", count)[:count])

    def _lines(self, most: int) -> list[str]:
        return self.text[:most].split("\n")

    def _of(self, lines: list[str], plain: list[str], whole: list[str]) -> Mended:
        """What can be taken of `lines`; `plain` they have no quoting, `whole` no cuts either."""
        mended = _mended(whole, self.line)
        count = mended.last - mended.first + 1
        mends = set(mended.mends)
        if plain[:count] != lines[:count]:
            mends.add(Mend.QUOTES)
        return replace(mended, is_all=mended.is_all and self.is_first, mends=frozenset(mends))


def files_in(text: str) -> Iterator[Stretch]:
    """Where files begin in a restored text, each up to the next; after the first few no more."""
    found = islice(_BEGINNING.finditer(text), _MOST_FILES + 1)
    begins = [match.start() for match in found]
    ends = [*begins[1:], len(text)]
    line, before = 1, 0
    for start, end in list(zip(begins, ends, strict=True))[:_MOST_FILES]:
        line, before = line + text.count("\n", before, start), start
        prefix = text[text.rfind("\n", 0, start) + 1 : start]
        yield Stretch(text[start:end], line, prefix, not text[:start].strip())


def _unquoted(lines: list[str], prefix: str) -> list[str]:
    """Lines of a text without the marks of quoting that stand before the first of them."""
    depth = len(_MARKS.findall(prefix))
    if not depth or len(prefix) > _MOST_QUOTED or not _SUPERCITED.fullmatch(prefix):
        return lines
    marks = re.compile(rf"(?: *[>|]){{0,{depth}}} ?")
    return lines[:1] + [_without(line, prefix, marks) for line in lines[1:]]


def _unfolded(lines: list[str], prefix: str = "") -> list[str] | None:
    """Lines that were cut at the width of the widest, joined; None if none seems to be.

    What begins with the `prefix` is a new line. There are as many as before: an empty one stands
    for each that was joined to the one before it.
    """
    plain = (line.removeprefix(prefix) for line in lines)
    # What stands behind the file may be wider.
    last = max((n for n, line in enumerate(plain, 1) if _GOES_ON.fullmatch(line)), default=0)
    width = max(map(len, lines[:last] or lines))
    if not any(len(line) == width and line[-1] not in _ENDS for line in lines[:-1]):
        return None
    joined, pieces = list[str](), list[str]()
    for line, following in pairwise([*lines, ""]):
        pieces.append(line)
        if len(line) != width or (prefix and following.startswith(prefix)):
            joined += ["".join(pieces), *[""] * (len(pieces) - 1)]
            pieces = []
    return [*joined, "".join(pieces)] if pieces else joined


def _without(line: str, prefix: str, marks: re.Pattern[str]) -> str:
    if line.startswith(prefix) or line.rstrip() == prefix.rstrip():
        return line[len(prefix) :]
    match = marks.match(line)
    return line[match.end() :] if match else line


def _mended(lines: list[str], first: int) -> Mended:
    scanner = _Scanner("\n".join(lines))
    statements: list[Statement] = []
    line, before = first, 0
    while True:
        start = scanner.start
        line, before = line + scanner.text.count("\n", before, start), start
        text = scanner.statement()
        if text is None or len(statements) == _MOST_STATEMENTS:
            break
        statements.append(Statement(line, text))
    last = first + scanner.text.count("\n", 0, scanner.at)
    if scanner.breaks_off:
        damage = first + scanner.text.count("\n", 0, scanner.stuck)
        size = len(scanner.text)
        return Mended(first, lines, statements, last, damage, breaks_off=True, size=size)
    rest = scanner.text[scanner.start :]
    goes_on = any(map(_GOES_ON.fullmatch, rest.split("\n")))
    damage = line if goes_on else 0
    is_broken = scanner.is_broken or any(len(line) > MAX_LINE for line in lines[: last - first + 1])
    return Mended(
        first,
        lines,
        statements,
        last,
        damage,
        is_all=not rest,
        size=scanner.start,
        mends=frozenset({Mend.LINES} if is_broken else ()),
    )


class _Scanner:
    """Takes one statement after another from a text.

    `at` is how far it came, and `start` the first character behind it that is no space; `stuck` is
    where the file ends, if it `breaks_off`. It `is_broken` where a line ends, or goes on, where no
    TOML reader would have it.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.stuck = 0
        self.breaks_off = False
        self.is_broken = False
        self._brackets = 0

    @property
    def start(self) -> int:
        """Where the next statement begins."""
        return self._behind_space(self.at)

    def statement(self) -> str | None:
        """The next statement on one line; None where there is none, or not a whole one.

        It `breaks_off` where the file ends before the statement does.
        """
        start = self.start
        runs_on = self.at > 0 and "\n" not in self.text[self.at : start]
        if header := _HEADER.match(self.text, start):
            self.is_broken |= runs_on
            self.at = header.end()
            self._brackets += 1
            return header[0] if self._brackets <= MAX_BRACKETS else None
        key = _KEY.match(self.text, start)
        if key is None:
            if self._is_begun(start):
                self._break_off(len(self.text))
            return None
        found = self._value(key.end(), 0)
        if found is None:
            return None
        value, self.at = found
        begins = self._behind_space(key.end())
        self.is_broken |= runs_on or "\n" in self.text[start:begins]
        return f"{key[1]} = {value}"

    def _is_begun(self, start: int) -> bool:
        """Whether what is left could be the beginning of a statement, and nothing else."""
        rest = self.text[start : start + 80].rstrip()
        return _BEGUN.fullmatch(rest) is not None

    def _value(self, at: int, depth: int) -> tuple[str, int] | None:
        """The value that begins there or behind spaces, and where it ends."""
        text, at = self.text, self._behind_space(at)
        if at == len(text):
            self._break_off(at)
        elif text[at] == '"':
            return self._string(at)
        elif text[at] == "[" and depth < _DEEPEST:
            return self._list(at + 1, depth + 1)
        elif number := _WHOLE_NUMBER.match(text, at):
            return number[0], number.end()
        return None

    def _string(self, at: int) -> tuple[str, int] | None:
        folded = self.text.startswith('"""', at)
        match = (_FOLDED if folded else _STRING).match(self.text, at)
        if match is None:
            # No quote closes it anywhere in the text.
            written = _WRITTEN.match(self.text, at)
            self._break_off(written.end() if written else at + 1)
            return None
        content = match[1]
        if "\\" in content:
            content = self._without_folds(content, folded=folded)
        if "\n" in content:
            self.is_broken = True
            content = _unwrapped(content)
        return f'"{content}"', match.end()

    def _without_folds(self, content: str, *, folded: bool) -> str:
        """What stands between quotes, without the backslashes with which a line goes on."""
        folds = [spaces for spaces in _ESCAPE.findall(content) if spaces.isspace()]
        self.is_broken |= any(not folded or "\n" not in spaces for spaces in folds)
        return _ESCAPE.sub(lambda match: "" if match[1].isspace() else match[0], content)

    def _list(self, at: int, depth: int) -> tuple[str, int] | None:
        values: list[str] = []
        while True:
            at = self._behind_space(at)
            if self.text.startswith("]", at):
                return f"[{', '.join(values)}]", at + 1
            self._brackets += 1
            found = self._value(at, depth) if self._brackets <= MAX_BRACKETS else None
            if found is None:
                return None
            value, at = found
            values.append(value)
            at = self._behind_space(at)
            if self.text.startswith(",", at):
                at += 1
            elif not self.text.startswith("]", at):
                if at == len(self.text):
                    self._break_off(at)
                return None

    def _break_off(self, at: int) -> None:
        """There is nothing more of the file; the last of it stands before that character."""
        self.breaks_off = True
        self.stuck = len(self.text[:at].rstrip())

    def _behind_space(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at


def _unwrapped(content: str) -> str:
    """What stands between the quotes of a text, without the line breaks within it.

    A mail program breaks at a space, or within bytes in base64url, which have none.
    """
    joined = _BREAK.sub("", content)
    return joined if _BYTES.fullmatch(joined) else _BREAK.sub(" ", content)
