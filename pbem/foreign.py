"""Texts that other people wrote, on their way to a terminal.

Nothing in them moves the cursor, colours the screen or turns a line around (`clean`), and no name
can be taken for the program's own words (`display_name`). docs/threat-model.md, At the terminal.
"""

from __future__ import annotations

import os
import re
import shlex
import unicodedata
from pathlib import Path

from engine.message import Message, Phrase, Speaker

WIDEST_NAME = 32
"""In columns of a terminal."""
LONGEST_SENTENCE = 300
"""In characters, where it quotes somebody."""
MOST_WORDS = 4
LONGEST_TITLE = len("Mrs.")
"""In characters; after a longer word, a full stop ends a sentence."""
MOST_MARKS = 2
"""How many accents one letter may carry; a tower of them would reach into other lines."""

LONGEST_FILE_NAME = 80
_SEPARATORS = r"[/\\:]"
_RESERVED = r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?"

_GLUE = "\ue000"
"""Stands for a space at which no line is broken; no text that is printed has this character."""
# The French have a space within, on both sides.
_QUOTED = rf"“[^“”]{{1,{WIDEST_NAME}}}”|«[^«»]{{1,{WIDEST_NAME + 2}}}»"
_UNBROKEN = "[\u00a0\u202f]"
_SPACES = "\t\n\r\v\f\x85\u2028\u2029"
INVISIBLE = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)
"""What shows nothing although it counts as a letter, a mark or a symbol."""
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
    r"""A text from outside on one line, with nothing in it that steers the terminal.

    >>> clean("Anna\x1b[31m\u202e"), clean("two\nlines")
    ('Anna[31m', 'two lines')
    """
    return " ".join(strip_controls(text).split())


def strip_controls(text: str) -> str:
    """Without the characters that move the cursor, colour the screen or turn the line around."""
    if text.isprintable():
        return text
    spaced = "".join(" " if c in _SPACES else c for c in text)
    return "".join(c for c in spaced if is_printed(c))


def is_printed(character: str) -> bool:
    """Whether a character is one to be seen, or a space on the line."""
    return character.isprintable() or unicodedata.category(character) == "Zs"


class PlayerName(Message):
    """A player's name as the program prints it: clean, and no longer than 32 columns.

    It stands in quotes where it has anything in it but letters, digits, single spaces and . ' ’ -
    or reads like a sentence, so that no name passes for what the program says.
    """

    __slots__ = ()

    def __bool__(self) -> bool:
        return True

    def render(self, speaker: Speaker) -> str:
        """The name, in quotes where it could be the speaker's own word."""
        name = clean(unicodedata.normalize("NFC", self.text))
        visible = "".join(c for c in name if c not in INVISIBLE)
        short = _shortened(_with_few_marks(" ".join(visible.split())), WIDEST_NAME)
        if all(map(_is_plain, short)) and not _speaks(short, speaker):
            return short
        return Message("“{word}”", word="".join(map(_unquoted, short)) or "?").render(speaker)


def display_name(name: str) -> Message:
    """A player's name as the program prints it.

    >>> [str(display_name(name)) for name in ("Zoé O’Neil-Smith Jr.", "Anna (British, you)", " ")]
    ['Zoé O’Neil-Smith Jr.', '“Anna (British, you)”', '“?”']
    """
    return PlayerName(name)


def display_address(address: str) -> Phrase:
    """An e-mail address as the program prints it; in quotes where it is none that mail takes.

    >>> str(display_address("zoe@example.org")), str(display_address("a>(you):acres"))
    ('zoe@example.org', '“a)(you):acres”')
    """
    if all(c.isascii() and (c.isalnum() or c in "@.+-_%=") for c in address):
        return address
    short = _shortened(replace_quotes(address), 2 * WIDEST_NAME)
    return Message("“{word}”", word=short.replace("<", "(").replace(">", ")"))


def replace_quotes(text: str) -> str:
    """A text from outside on one line, to stand in quotes: it closes those of no language.

    >>> replace_quotes("Turn 4” says she, «at last»")
    "Turn 4' says she, 'at last'"
    """
    return "".join(c if c.isascii() or not _is_quote(c) else "'" for c in clean(text))


def excerpt(text: str, most: int = LONGEST_SENTENCE) -> str:
    """A sentence that quotes somebody, cut short where that fills the screen.

    >>> excerpt("There is no order “" + "x" * 90, 30)
    'There is no order “xxxxxxxxx…”'
    """
    if len(text) <= most:
        return text
    short = text[: most - 2].rstrip()
    left_open = (end for begin, end in ("“”", "«»") if short.count(begin) > short.count(end))
    return f"{short}…{next(left_open, '')}"


def protect_spaces(text: str) -> str:
    """A clean text to be wrapped: what it quotes stays whole, so that no line begins inside.

    So does what a space that does not break holds together, as the French have before some signs.
    """
    bound = re.sub(_UNBROKEN, _GLUE, text)
    return re.sub(_QUOTED, lambda quote: quote[0].replace(" ", _GLUE), bound)


def restore_spaces(line: str) -> str:
    """A line of a text that was `protect_spaces`."""
    return line.replace(_GLUE, " ")


def _with_few_marks(text: str) -> str:
    """A text in which no letter carries more marks than a few, and each mark has its letter."""
    kept, marks = "", MOST_MARKS
    for c in text:
        marks = marks + 1 if unicodedata.category(c)[0] == "M" else 0
        if marks <= MOST_MARKS:
            kept += c
        if c == " ":
            # A mark after it would sit on nothing.
            marks = MOST_MARKS
    return kept


def _shortened(text: str, widest: int) -> str:
    if sum(map(_cells, text)) <= widest:
        return text
    kept, left = "", widest - 1
    for c in text:
        left -= _cells(c)
        if left < 0:
            break
        kept += c
    return f"{kept.rstrip()}…"


def _cells(character: str) -> int:
    """How many columns a character takes."""
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _is_plain(character: str) -> bool:
    """Whether a name with that character in it can do without quotes."""
    if character in " .'’-…":
        return True
    if unicodedata.bidirectional(character) in ("R", "AL", "AN"):
        return False
    # Letters that modify others look like colons and quotes.
    return unicodedata.category(character) in ("Lu", "Ll", "Lt", "Lo", "Mn", "Mc", "Nd")


def _speaks(name: str, speaker: Speaker) -> bool:
    """Whether a name could be words of the program, or none at all."""
    words = name.split()
    return (
        not name[:1].isalnum()
        or len(words) > MOST_WORDS
        or any(word.endswith(".") and len(word) > LONGEST_TITLE for word in words)
        or name.casefold() in _OWN_WORDS | _own_words(speaker)
        or speaker.is_inflected(name)
    )


def _own_words(speaker: Speaker) -> set[str]:
    """What the program calls itself and the players in the speaker's language."""
    # Translators: all the words, with and without an article, that are used for these; with
    # commas between. A player who is called so stands in quotes, and is not taken for one of them.
    words = Message("nobody, note, they, you, your opponent, british, french")
    return {word.strip().casefold() for word in speaker.say(words).split(",")}


def _unquoted(character: str) -> str:
    """That character, unless it could close the quotes around it."""
    return "’" if _is_quote(character) else character


def _is_quote(character: str) -> bool:
    name = "" if character.isalnum() and character.isascii() else unicodedata.name(character, "")
    return any(quote in name for quote in _QUOTES)


def shell_quote(path: Path) -> str:
    """The path as a word of a command that the player can paste."""
    text = str(path)
    if text.isprintable():
        return shlex.quote(text)
    # As bash, zsh and ksh read it: what a name holds may steer the terminal.
    return f"$'{''.join(map(_escaped, os.fsencode(path)))}'"


def _escaped(byte: int) -> str:
    harmless = 0x20 <= byte < 0x7F and byte not in b"'\\"
    return chr(byte) if harmless else f"\\x{byte:02x}"


def display_path(path: Path) -> str:
    """The path as it is, on one line; quoted where there is in it what cannot be printed."""
    return str(path) if str(path).isprintable() else shell_quote(path)


# --- names for files that come from other people: no path, and none that a system reserves


def safe_file_name(name: str) -> str:
    r"""Return the name of a received file without folders, as letters, digits, spaces and `.-_()`.

    Return the empty string if nothing remains.

    >>> safe_file_name("../../.ssh/bela-004.toml"), safe_file_name("C:\\zug 4.toml")
    ('bela-004.toml', 'zug 4.toml')
    >>> safe_file_name("..")
    ''
    """
    last = re.split(_SEPARATORS, unicodedata.normalize("NFC", name[:1000]))[-1]
    kept = "".join(c if c.isalnum() or c in " .-_()" else "_" for c in " ".join(last.split()))
    kept = kept.lstrip(" .-_")
    stem, dot, suffix = kept.rpartition(".")
    if dot and stem and len(suffix) < 10:
        kept = f"{stem[: LONGEST_FILE_NAME - len(suffix) - 1].rstrip(' .')}.{suffix}"
    kept = kept[:LONGEST_FILE_NAME].rstrip(" .")
    return f"_{kept}" if re.fullmatch(_RESERVED, kept) else kept


def slugify(name: str) -> str:
    """The name of a player as the stem of a file: small letters without accents, and digits.

    >>> slugify("Émile O’Neil"), slugify("Анна"), slugify("…")
    ('emile-o-neil', 'анна', 'game')
    """
    letters = unicodedata.normalize("NFKD", name[:1000].casefold())
    plain = "".join(c for c in letters if not unicodedata.combining(c))
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", plain))
    stem = safe_file_name("-".join(words))[: LONGEST_FILE_NAME // 2].rstrip("-")
    return stem or "game"
