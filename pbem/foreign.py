"""Texts by other people, made safe for a terminal or as file names.

`clean` removes control characters, which could move the cursor, colour the screen or reverse a
line. `display_name` quotes names that could pass for the program's own words. See
docs/threat-model.md, At the terminal.
"""

from __future__ import annotations

import os
import re
import shlex
import unicodedata
from pathlib import Path

from engine.message import Message, Phrase, Speaker

MAX_NAME_COLUMNS = 32
"""The maximum width of a name, in terminal columns."""
MAX_SENTENCE = 300
"""The maximum length of a sentence that quotes another player, in characters."""
MAX_WORDS = 4
"""The maximum number of words of a name without quotation marks."""
MAX_TITLE = len("Mrs.")
"""The maximum length of a word with a full stop that does not end a sentence."""
MAX_MARKS = 2
"""The maximum number of accents on a letter; more would overlap other lines."""

MAX_FILE_NAME = 80
"""The maximum length of a file name, in characters."""
_SEPARATORS = r"[/\\:]"
_RESERVED = r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?"

_SPACE_PLACEHOLDER = "\ue000"
"""The placeholder for a space at which no line may be broken; it is never printed."""
# French quotation marks have a space inside, on both sides.
_QUOTED = rf"“[^“”]{{1,{MAX_NAME_COLUMNS}}}”|«[^«»]{{1,{MAX_NAME_COLUMNS + 2}}}»"
_UNBROKEN = "[\u00a0\u202f]"
_SPACES = "\t\n\r\v\f\x85\u2028\u2029"
INVISIBLE = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)
"""Invisible characters that Unicode counts as letters, marks or symbols."""
_QUOTES = (
    "QUOTATION",
    "DOUBLE APOSTROPHE",
    "DOUBLE PRIME",
    "DOUBLE ACUTE ACCENT",
    "DITTO",
    "GERSHAYIM",
)
_OWN_WORDS = {"acres", "nobody", "note", "they", "you", "your opponent"} | {
    article + side for article in ("", "the ") for side in ("british", "french")
}


def clean(text: str) -> str:
    r"""Return a foreign text on one line, without characters that control the terminal.

    >>> clean("Anna\x1b[31m\u202e"), clean("two\nlines")
    ('Anna[31m', 'two lines')
    """
    return " ".join(strip_controls(text).split())


def strip_controls(text: str) -> str:
    """Return a text without characters that move the cursor, colour the screen or reverse text."""
    if text.isprintable():
        return text
    spaced = "".join(" " if c in _SPACES else c for c in text)
    return "".join(c for c in spaced if is_printed(c))


def is_printed(character: str) -> bool:
    """Return True if a character is visible, or a space."""
    return character.isprintable() or unicodedata.category(character) == "Zs"


class PlayerName(Message):
    """A player's name, made safe to print: clean, and at most 32 columns wide.

    It is quoted if it has other characters than letters, digits, single spaces and . ' ’ - or reads
    like a sentence, so that no name can pass for the program's own words.
    """

    __slots__ = ()

    def __bool__(self) -> bool:
        return True

    def render(self, speaker: Speaker) -> str:
        """Return the name, in quotes if it could pass for words of the speaker."""
        name = clean(unicodedata.normalize("NFC", self.text))
        visible = "".join(c for c in name if c not in INVISIBLE)
        short = _shorten(_limit_marks(" ".join(visible.split())), MAX_NAME_COLUMNS)
        if all(map(_is_plain, short)) and not _resembles_words(short, speaker):
            return short
        return Message("“{word}”", word="".join(map(_replace_quote, short)) or "?").render(speaker)


def display_name(name: str) -> Message:
    """Return a player's name, made safe to print.

    >>> [str(display_name(name)) for name in ("Zoé O’Neil-Smith Jr.", "Anna (British, you)", " ")]
    ['Zoé O’Neil-Smith Jr.', '“Anna (British, you)”', '“?”']
    """
    return PlayerName(name)


def display_address(address: str) -> Phrase:
    """Return an e-mail address, made safe to print by quotes if it has unusual characters.

    >>> str(display_address("zoe@example.org")), str(display_address("a>(you):acres"))
    ('zoe@example.org', '“a)(you):acres”')
    """
    if all(c.isascii() and (c.isalnum() or c in "@.+-_%=") for c in address):
        return address
    short = _shorten(replace_quotes(address), 2 * MAX_NAME_COLUMNS)
    return Message("“{word}”", word=short.replace("<", "(").replace(">", ")"))


def replace_quotes(text: str) -> str:
    """Return a foreign text on one line, without characters that could close quotation marks.

    >>> replace_quotes("Turn 4” says she, «at last»")
    "Turn 4' says she, 'at last'"
    """
    return "".join(c if c.isascii() or not _is_quote(c) else "'" for c in clean(text))


def excerpt(text: str, max_chars: int = MAX_SENTENCE) -> str:
    """Return a sentence that quotes another player, shortened to `max_chars` characters.

    >>> excerpt("There is no order “" + "x" * 90, 30)
    'There is no order “xxxxxxxxx…”'
    """
    if len(text) <= max_chars:
        return text
    short = text[: max_chars - 2].rstrip()
    left_open = (end for begin, end in ("“”", "«»") if short.count(begin) > short.count(end))
    return f"{short}…{next(left_open, '')}"


def protect_spaces(text: str) -> str:
    """Return a clean text with a placeholder for each space at which no line may be broken.

    These are the spaces in quotations, and the no-break spaces that French has before some signs.
    """
    bound = re.sub(_UNBROKEN, _SPACE_PLACEHOLDER, text)
    return re.sub(_QUOTED, lambda quote: quote[0].replace(" ", _SPACE_PLACEHOLDER), bound)


def restore_spaces(line: str) -> str:
    """Return a line of a text from `protect_spaces`, with its spaces restored."""
    return line.replace(_SPACE_PLACEHOLDER, " ")


def _limit_marks(text: str) -> str:
    """Return a text with at most `MAX_MARKS` marks per letter, and none without a letter."""
    result, marks = "", MAX_MARKS
    for c in text:
        marks = marks + 1 if unicodedata.category(c)[0] == "M" else 0
        if marks <= MAX_MARKS:
            result += c
        if c == " ":
            # A mark after a space would have no letter.
            marks = MAX_MARKS
    return result


def _shorten(text: str, max_columns: int) -> str:
    if sum(map(_cells, text)) <= max_columns:
        return text
    result, columns = "", max_columns - 1
    for c in text:
        columns -= _cells(c)
        if columns < 0:
            break
        result += c
    return f"{result.rstrip()}…"


def _cells(character: str) -> int:
    """Return the number of columns of a character."""
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _is_plain(character: str) -> bool:
    """Return True if a name with this character needs no quotes."""
    if character in " .'’-…":
        return True
    if unicodedata.bidirectional(character) in ("R", "AL", "AN"):
        return False
    # Modifier letters can look like colons and quotation marks.
    return unicodedata.category(character) in ("Lu", "Ll", "Lt", "Lo", "Mn", "Mc", "Nd")


def _resembles_words(name: str, speaker: Speaker) -> bool:
    """Return True if a name could pass for words of the program, or does not begin like a word."""
    words = name.split()
    return (
        not name[:1].isalnum()
        or len(words) > MAX_WORDS
        or any(word.endswith(".") and len(word) > MAX_TITLE for word in words)
        or name.casefold() in _OWN_WORDS | _own_words(speaker)
        or speaker.is_inflected(name)
    )


def _own_words(speaker: Speaker) -> set[str]:
    """Return the words for the program and the players in the speaker's language."""
    # Translators: all words that your translation uses for these, with and without an article,
    # separated by commas. A player with such a name is shown in quotation marks.
    words = Message("nobody, note, they, you, your opponent, british, french")
    return {word.strip().casefold() for word in speaker.say(words).split(",")}


def _replace_quote(character: str) -> str:
    """Return a character, or ’ if it could close the quotation marks around it."""
    return "’" if _is_quote(character) else character


def _is_quote(character: str) -> bool:
    name = "" if character.isalnum() and character.isascii() else unicodedata.name(character, "")
    return any(quote in name for quote in _QUOTES)


def shell_quote(path: Path) -> str:
    """Return a path as a word of a shell command that the player can paste."""
    text = str(path)
    if text.isprintable():
        return shlex.quote(text)
    # The syntax of bash, zsh and ksh: characters in the name could control the terminal.
    return f"$'{''.join(map(_escape, os.fsencode(path)))}'"


def _escape(byte: int) -> str:
    harmless = 0x20 <= byte < 0x7F and byte not in b"'\\"
    return chr(byte) if harmless else f"\\x{byte:02x}"


PRINTED_FOLDER = "acres-printed-"
"""The beginning of the name of a folder whose files are for the standard output."""


def is_for_output(path: Path) -> bool:
    """Return True if a file is for the standard output."""
    return path.parent.name.startswith(PRINTED_FOLDER)


def display_path(path: Path) -> str:
    """Return a path as it is, or quoted for a shell if it has unprintable characters.

    It is `-` for a file that is printed.
    """
    if is_for_output(path):
        return "-"
    return str(path) if str(path).isprintable() else shell_quote(path)


# --- file names from other people


def safe_file_name(name: str) -> str:
    r"""Return the name of a received file without folders, as letters, digits, spaces and `.-_()`.

    Return the empty string if nothing remains.

    >>> safe_file_name("../../.ssh/bela-004.toml"), safe_file_name("C:\\zug 4.toml")
    ('bela-004.toml', 'zug 4.toml')
    >>> safe_file_name("..")
    ''
    """
    last = re.split(_SEPARATORS, unicodedata.normalize("NFC", name[:1000]))[-1]
    safe = "".join(c if c.isalnum() or c in " .-_()" else "_" for c in " ".join(last.split()))
    safe = safe.lstrip(" .-_")
    stem, dot, suffix = safe.rpartition(".")
    if dot and stem and len(suffix) < 10:
        safe = f"{stem[: MAX_FILE_NAME - len(suffix) - 1].rstrip(' .')}.{suffix}"
    safe = safe[:MAX_FILE_NAME].rstrip(" .")
    return f"_{safe}" if re.fullmatch(_RESERVED, safe) else safe


def slugify(name: str) -> str:
    """Return a player's name as a stem of a file name: lower-case letters and digits.

    >>> slugify("Émile O’Neil"), slugify("Анна"), slugify("…")
    ('emile-o-neil', 'анна', 'game')
    """
    letters = unicodedata.normalize("NFKD", name[:1000].casefold())
    plain = "".join(c for c in letters if not unicodedata.combining(c))
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", plain))
    stem = safe_file_name("-".join(words))[: MAX_FILE_NAME // 2].rstrip("-")
    return stem or "game"
