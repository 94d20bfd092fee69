"""A letter with a turn, and its draft in a file, which mail programs open ready to be sent.

Nothing of a letter lies within another part: that is what every mail program opens as a draft. The
save file travels as `text/plain`, 7bit: it can be read by eye, and lists and filters let it pass
that take attachments of unknown types away. docs/save-format.md, Lines, says why it arrives intact.
"""

from __future__ import annotations

import re
import textwrap
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from pathlib import Path
from typing import Any

from engine.message import Phrase
from pbem.errors import NOT_WRITTEN, Unreadable, WrongUse, exists, reaching
from pbem.foreign import clean, named
from pbem.mail.account import is_address
from pbem.play.incoming import message_id, place_id, references
from pbem.play.message import envelope_of
from pbem.play.signing import has_content
from pbem.protocol.match import Match
from pbem.savefile.disk import AlreadyThere, check_room, read_file, room_for
from pbem.text.history.letter import author, letter_subject, letter_text, receiver
from pbem.text.language import SOURCE

SUFFIX = ".eml"
"""The ending of files that mail programs open."""
_LONGEST_LINE = 76
"""The longest line with encoded words (RFC 2047)."""
_MOST_HEADERS = 65536


def letter_of(
    match: Match,
    data: bytes,
    name: str,
    to: str = "",
    sent_from: str = "",
    time: str = "",
    language: str = SOURCE,
    picture: bytes | None = None,
) -> EmailMessage:
    """Return the letter of whoever signed the last record of a match, in that language and English.

    `data` is the file with it, ASCII with LF, and `name` its name. It goes to the address `to`,
    else to the one that the other player gave in the game; there is no `To` if mail takes neither.
    It comes from the address `sent_from`, else from the one in the game. Its date is that `time`,
    else that of its record: the same file makes the same letter, byte for byte. A `picture` of the
    position as PNG goes with it, called as the file is.
    """
    name, sender = clean(name), author(match)
    letter = EmailMessage(_POLICY)
    sender = sender._replace(address=sent_from or sender.address)
    for header, who in (("From", sender), ("To", receiver(match, to))):
        if is_address(who.address):
            # In English quotes, if the name stands in quotes.
            called = _in_header(named(who.name)) if who.name else ""
            letter[header] = Address(called, addr_spec=who.address)
    letter["Subject"] = _in_header(letter_subject(match))
    letter["Date"] = datetime.fromisoformat(time or match.last.time)
    letter["Message-ID"] = message_id(match.id, match.last)
    if before := references(match):
        letter["In-Reply-To"] = before[-1]
        letter["References"] = " ".join(before)
    letter.set_content(letter_text(match, name, language, has_picture=bool(picture)))
    letter.add_attachment(
        data.decode("ascii"), charset="us-ascii", cte="7bit", filename=_in_header(name)
    )
    if picture:
        # Last: what is cut on the way is no save file.
        beside = f"{name.removesuffix('.toml')}.png"
        letter.add_attachment(picture, "image", "png", filename=_in_header(beside))
    # It is random by default. No text can hold one that is made of the hash of its own record.
    unique = re.sub(r"[^0-9a-z.]", "", str(letter["Message-ID"]).partition("@")[0])
    letter.set_boundary(f"=_acres_{unique}")
    return letter


def _in_header(text: Phrase) -> str:
    """Return a text in which no reader finds encoded words that a name spells out."""
    return clean(str(text)).replace("=?", "= ?")


class _Policy(EmailPolicy):
    """Writes what is not ASCII in a subject as one phrase, from its first such word to its last.

    Encoded word by word, as Python does it, it loses spaces: readers drop those between encoded
    words.
    """

    def fold(self, name: str, value: Any) -> str:
        """Return the header in lines, as text."""
        if name.lower() == "subject" and not str(value).isascii():
            return f"{self.linesep.join(_encoded(name, str(value)))}{self.linesep}"
        return str(super().fold(name, value))

    def fold_binary(self, name: str, value: Any) -> bytes:
        """Return the header in lines, as bytes."""
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


_POLICY = _Policy(linesep="\r\n", cte_type="7bit")


def as_marked(letter: EmailMessage) -> bytes:
    """Return the letter for a program that opens messages: marked as one still to be sent."""
    marked = deepcopy(letter)
    marked["X-Unsent"] = "1"
    return marked.as_bytes()


def as_handed_over(letter: EmailMessage) -> bytes:
    """Return the letter for a program that sends it as it is: without a mark, lines end with LF."""
    return letter.as_bytes().replace(b"\r\n", b"\n")


@dataclass(frozen=True, slots=True)
class DraftFile:
    """The draft of a letter in the file at `path`: marked as one, if it is an `.eml`.

    A file that is there already stays, but for the draft of an answer that was replaced since: who
    sends both proves to have cheated.
    """

    path: Path

    @classmethod
    def beside(cls, file: Path) -> DraftFile:
        """Return the draft that goes with the file of a game."""
        return cls(file.with_suffix(SUFFIX))

    def check_free(self, game: bytes, index: int) -> None:
        """Raise WrongUse if no letter with the record of that index can be written.

        AlreadyThere if something else is in its place. That is before the record is signed, and
        before anybody is asked anything.
        """
        if exists(self.path) and not self._id().startswith(place_id(game, index)):
            raise AlreadyThere(
                "There is already a file {file}; it was not touched.", file=self.path
            )
        with reaching(self.path, NOT_WRITTEN):
            check_room(self.path)

    def write(self, letter: EmailMessage) -> bool:
        """Write the letter; False if it is there already, as it is.

        Raises WrongUse if that fails, or another file is there.
        """
        is_opened = self.path.suffix.lower() == SUFFIX
        data = as_marked(letter) if is_opened else as_handed_over(letter)
        found, name = self._id(), str(letter["Message-ID"])
        if has_content(self.path, data):
            return False
        if exists(self.path) and found == name:
            raise WrongUse(
                "{file} is already a draft of this message, but with different wording, another "
                "address or another picture; it was not touched. Move it away to have it written "
                "again.",
                file=self.path,
            )
        # Names begin with the game and the place of the record in it.
        is_replaced = found.split(".")[:2] == name.split(".")[:2]
        with room_for(self.path, len(data), replaces=is_replaced) as file:
            file.appear(data)
        return True

    def _id(self) -> str:
        """Return the Message-ID in the file; empty without one."""
        with suppress(Unreadable):
            return envelope_of(read_file(self.path, _MOST_HEADERS)).message_id
        return ""
