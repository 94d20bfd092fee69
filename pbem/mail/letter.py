"""A letter: a message with a report as plain text, a save file, and a picture or none.

Nothing of it lies within another part: that is what every mail program opens as a draft.

The file travels as `text/plain`, 7bit: it can be read by eye, its lines end as lines of mail do and
are given back as lines of the receiver's computer, and lists and filters let it pass that take
attachments of unknown types away. docs/save-format.md, Lines, says why nothing happens to it.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from datetime import datetime
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from typing import Any, NamedTuple

from engine.message import Said
from pbem.foreign import clean, glued, named, unglued
from pbem.mail.address import is_address
from pbem.words.language import NAMES, SOURCE, Language

WIDTH = 72
"""Text is wrapped here, so that it can be quoted and still fit a line."""
_LONGEST_LINE = 76
"""The longest line with encoded words (RFC 2047)."""


class Heading(NamedTuple):
    """A line over what follows it."""

    text: Said


class Paragraph(NamedTuple):
    """A text that is wrapped."""

    text: Said


class Items(NamedTuple):
    """A line, and items below it."""

    heading: Said
    items: Sequence[Said]


class Commands(NamedTuple):
    """Lines to be typed, which are never wrapped."""

    lines: list[str]


Block = Heading | Paragraph | Items | Commands
"""A piece of a letter."""


class Version(NamedTuple):
    """What happened, in a language of `NAMES`, by its code."""

    language: str
    blocks: list[Block]


def in_languages(language: str, blocks: list[Block]) -> list[Version]:
    """The same in the language of that code and in English, for whoever reads another one."""
    return [Version(code, blocks) for code in dict.fromkeys((language, SOURCE))]


class Correspondent(NamedTuple):
    """Somebody who writes or gets a letter: the name, and the address, which may be empty."""

    name: str
    address: str


class Attachment(NamedTuple):
    """A save file, which is ASCII with LF, and what it is called."""

    name: str
    data: bytes


class Picture(NamedTuple):
    """A picture as PNG, and what it is called."""

    name: str
    data: bytes


class Letter(NamedTuple):
    """What a letter says: its headers, its files, and a report in one language or in several.

    `id`, `references` are Message-IDs, the last of those the one that is answered; `time` is in UTC
    as records have it. A letter without an address of the receiver names none.
    """

    sender: Correspondent
    receiver: Correspondent
    subject: str
    time: str
    id: str
    references: list[str]
    reports: Sequence[Version]
    file: Attachment
    picture: Picture | None = None

    def message(self) -> EmailMessage:
        """The message: of the same letter always the same bytes, and no line for `Bcc` or such."""
        message = headed(
            self.sender, self.receiver, self.subject, self.time, self.id, self.references
        )
        message.set_content(as_text(self.reports))
        message.add_attachment(
            self.file.data.decode("ascii"),
            charset="us-ascii",
            cte="7bit",
            filename=_in_header(self.file.name),
        )
        if self.picture:
            # Last: what is cut on the way is no save file.
            message.add_attachment(
                self.picture.data, "image", "png", filename=_in_header(self.picture.name)
            )
        # Usually it is random. No text can hold one that is made of the hash of its own record.
        unique = re.sub(r"[^0-9a-z.]", "", self.id.partition("@")[0])
        message.set_boundary(f"=_acres_{unique}")
        return message


def headed(
    sender: Correspondent,
    receiver: Correspondent,
    subject: str,
    time: str,
    id: str,
    references: Sequence[str],
) -> EmailMessage:
    """A message with these headers, which are as in a `Letter`, and nothing else."""
    message = EmailMessage(POLICY)
    for header, who in (("From", sender), ("To", receiver)):
        if is_address(who.address):
            message[header] = Address(_name_in_header(who), addr_spec=who.address)
    message["Subject"] = _in_header(subject)
    message["Date"] = datetime.fromisoformat(time)
    message["Message-ID"] = id
    if references:
        message["In-Reply-To"] = references[-1]
        message["References"] = " ".join(references)
    return message


def _name_in_header(who: Correspondent) -> str:
    """A player's name as headers have it: in English quotes, where it stands in quotes."""
    return _in_header(named(who.name)) if who.name else ""


def _in_header(text: Said) -> str:
    """A text in which no reader finds encoded words that a name spells out."""
    return clean(str(text)).replace("=?", "= ?")


# --- its headers


class WholePhrases(EmailPolicy):
    """Writes what is not ASCII in a subject as one phrase, from its first such word to its last.

    Encoded word by word, as Python does it, it loses spaces: readers drop those between encoded
    words.
    """

    def fold(self, name: str, value: Any) -> str:
        """The header in lines, as text."""
        if name.lower() == "subject" and not str(value).isascii():
            return f"{self.linesep.join(_encoded(name, str(value)))}{self.linesep}"
        return str(super().fold(name, value))

    def fold_binary(self, name: str, value: Any) -> bytes:
        """The header in lines, as bytes."""
        return self.fold(name, value).encode("ascii")


def _encoded(name: str, text: str) -> list[str]:
    words = text.split()
    foreign = [number for number, word in enumerate(words) if not word.isascii()]
    first, end = foreign[0], foreign[-1] + 1
    phrase = Header(" ".join(words[first:end]), "utf-8", _LONGEST_LINE, header_name=name)
    return textwrap.wrap(
        " ".join([*words[:first], *phrase.encode().split(), *words[end:]]),
        _LONGEST_LINE,
        initial_indent=f"{name}: ",
        subsequent_indent=" ",
        break_long_words=False,
        break_on_hyphens=False,
    )


POLICY = WholePhrases(linesep="\r\n", cte_type="7bit")


# --- the report


def as_text(reports: Sequence[Version]) -> str:
    """Reports in lines of 72 characters at most, but for commands and words that are longer.

    Each but the first stands below a line with the name of its language.
    """
    first, *others = reports
    pieces = [*_paragraphs(first)]
    for other in others:
        pieces += [f"{_divider(other.language)}\n", *_paragraphs(other)]
    return "\n".join(pieces)


def _paragraphs(report: Version) -> Iterator[str]:
    language = Language(report.language)
    return ("\n".join(_lines(block, language)) + "\n" for block in report.blocks)


def _divider(language: str) -> str:
    # Behind a line of hyphens or underscores mail programs expect a signature, or another message.
    return f" {NAMES[language]} ".center(WIDTH, "~")


def _lines(block: Block, language: Language) -> Iterator[str]:
    match block:
        case Heading(text) | Paragraph(text):
            yield from _wrapped(language.say(text))
        case Items(heading, items):
            yield from _wrapped(language.say(heading))
            for item in items:
                yield from _wrapped(language.say(item), "  ")
        case Commands(lines):
            yield from (f"  {line}" for line in lines)


def _wrapped(text: str, indent: str = "") -> list[str]:
    # A word that is too long stays whole: it is an address or the like.
    lines = textwrap.wrap(
        glued(clean(text)),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent * 2,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return list(map(unglued, lines))
