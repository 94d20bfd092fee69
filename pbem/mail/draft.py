"""Compose the message that carries a turn, and write it as a draft that mail programs open.

A message is one `multipart/mixed` without further nesting, which every mail program can open as a
draft. The save file is attached as `text/plain` in 7bit: people can read it, and mailing lists and
filters that remove attachments of unknown types let it pass. The section “Lines” of
docs/save-format.md gives the reasons that it arrives intact.
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
from pbem.errors import NOT_WRITTEN, InputError, UsageError, exists, report_os_errors
from pbem.foreign import clean, display_name
from pbem.mail.account import is_address
from pbem.play.incoming import Envelope, message_id, references
from pbem.play.message import read_envelope
from pbem.play.signing import has_content
from pbem.protocol.match import Match
from pbem.savefile.armour import to_link
from pbem.savefile.disk import TargetExistsError, check_can_create, read_file, reserve_file
from pbem.text.history.email_text import author, email_subject, email_text, receiver
from pbem.text.language import SOURCE

SUFFIX = ".eml"
"""The suffix of files that mail programs open."""
_MAX_LINE = 76
"""The maximum length of a line with encoded words, in characters (RFC 2047)."""
_MAX_LINK = 900
"""The maximum length of a link with an invitation, in characters: a line has at most 998."""
_MAX_HEADERS = 65536
"""The number of bytes at the start of a file in which its Message-ID is searched."""


def compose_email(
    match: Match,
    data: bytes,
    name: str,
    to: str = "",
    sent_from: str = "",
    time: str = "",
    language: str = SOURCE,
    picture: bytes | None = None,
    word: str = "",
    site: str = "",
) -> EmailMessage:
    """Return the message with which the author of the last record of a match sends it.

    `data` is the save file, ASCII with LF, and `name` its file name. `to` and `sent_from` are
    addresses; by default they are the players' addresses in the game. There is no `To` if neither
    address of the recipient is valid. `time` is the date of the message, by default the time of the
    last record. Equal arguments make equal messages, byte for byte. The text is in `language` and
    in English, below the sender's own `word`; it names the address of a `site`, if there is one.
    `picture` is a PNG of the position, attached under the name of the file.
    """
    name, sender = clean(name), author(match)
    email = EmailMessage(_POLICY)
    sender = sender._replace(address=sent_from or sender.address)
    for header, person in (("From", sender), ("To", receiver(match, to))):
        if is_address(person.address):
            display = _header_text(display_name(person.name)) if person.name else ""
            email[header] = Address(display, addr_spec=person.address)
    email["Subject"] = _header_text(email_subject(match))
    email["Date"] = datetime.fromisoformat(time or match.last.time)
    email["Message-ID"] = message_id(match.id, match.last)
    if earlier_ids := references(match):
        email["In-Reply-To"] = earlier_ids[-1]
        email["References"] = " ".join(earlier_ids)
    # Only an invitation is short, and only a short line passes as it is.
    link = to_link(data, site, _MAX_LINK) if site and not match.is_joined else site
    text = email_text(match, name, language, has_picture=bool(picture), word=word, link=link)
    email.set_content(text)
    email.add_attachment(
        data.decode("ascii"), charset="us-ascii", cte="7bit", filename=_header_text(name)
    )
    if picture:
        # Attached last, so that a message that is cut short on its way keeps its save file.
        picture_name = f"{name.removesuffix('.toml')}.png"
        email.add_attachment(picture, "image", "png", filename=_header_text(picture_name))
    # The default boundary is random. No text contains the hash of its own record, as this one does.
    unique = re.sub(r"[^0-9a-z.]", "", str(email["Message-ID"]).partition("@")[0])
    email.set_boundary(f"=_acres_{unique}")
    return email


def _header_text(text: Phrase) -> str:
    """Return a text for a header, changed so that no part of it is read as an encoded word."""
    return clean(str(text)).replace("=?", "= ?")


class _Policy(EmailPolicy):
    """A policy that encodes all words of a subject from its first to its last non-ASCII word.

    Python encodes word by word, which loses spaces, because mail programs drop the spaces between
    encoded words.
    """

    def fold(self, name: str, value: Any) -> str:
        """Return the header folded into lines."""
        if name.lower() == "subject" and not str(value).isascii():
            return f"{self.linesep.join(_fold_subject(name, str(value)))}{self.linesep}"
        return str(super().fold(name, value))

    def fold_binary(self, name: str, value: Any) -> bytes:
        """Return the header folded into lines, as bytes."""
        return self.fold(name, value).encode("ascii")


def _fold_subject(name: str, text: str) -> list[str]:
    words = text.split()
    foreign = [number for number, word in enumerate(words) if not word.isascii()]
    first, end = foreign[0], foreign[-1] + 1
    phrase = Header(" ".join(words[first:end]), "utf-8", _MAX_LINE, header_name=name)
    return textwrap.wrap(
        " ".join([*words[:first], *phrase.encode().split(), *words[end:]]),
        _MAX_LINE,
        initial_indent=f"{name}: ",
        subsequent_indent=" ",
        break_long_words=False,
        break_on_hyphens=False,
    )


_POLICY = _Policy(linesep="\r\n", cte_type="7bit")


def encode_draft(email: EmailMessage) -> bytes:
    """Return a message for a mail program, marked as unsent, so that it opens as a draft."""
    draft = deepcopy(email)
    draft["X-Unsent"] = "1"
    return draft.as_bytes()


def encode_for_sendmail(email: EmailMessage) -> bytes:
    """Return a message for a program such as sendmail, with LF and without the mark of a draft."""
    return email.as_bytes().replace(b"\r\n", b"\n")


@dataclass(frozen=True, slots=True)
class DraftFile:
    """A draft in a file, marked as unsent if the file is an `.eml`.

    An existing file is replaced only if it is a draft of another record for the same turn, because
    sending both would prove that the player cheated.
    """

    path: Path

    @classmethod
    def for_file(cls, file: Path) -> DraftFile:
        """Return the draft for a save file, in the same folder."""
        return cls(file.with_suffix(SUFFIX))

    def check_free(self, game: bytes, index: int) -> None:
        """Raise UsageError if no draft with the record `index` of the game can be written.

        Raises TargetExistsError if another file has the path. This is called before the player is
        asked any question and before the record is signed.
        """
        if exists(self.path) and _turn_of(self._envelope()) != (game[:16].hex(), f"{index}"):
            raise TargetExistsError(
                "There is already a file {file}; it was not touched.", file=self.path
            )
        with report_os_errors(self.path, NOT_WRITTEN):
            check_can_create(self.path)

    def write(self, email: EmailMessage) -> bool:
        """Write a message; return False if the file already has exactly this content.

        Raises UsageError if writing fails, or if another file has the path.
        """
        is_draft = self.path.suffix.lower() == SUFFIX
        data = encode_draft(email) if is_draft else encode_for_sendmail(email)
        old, new = self._envelope(), read_envelope(data)
        if has_content(self.path, data):
            return False
        if exists(self.path) and old.message_id == new.message_id:
            raise UsageError(
                "{file} is already a draft of this message, but with different wording, another "
                "address or another picture; it was not touched. Move it away to have it written "
                "again.",
                file=self.path,
            )
        is_same = _turn_of(old) == _turn_of(new)
        with reserve_file(self.path, len(data), replace=is_same) as file:
            file.commit(data)
        return True

    def _envelope(self) -> Envelope:
        """Return the headers in the file, empty if it has none."""
        with suppress(InputError):
            return read_envelope(read_file(self.path, _MAX_HEADERS))
        return Envelope()


def _turn_of(message: Envelope) -> tuple[str, str]:
    """Return the beginning of the game's id, and the index of the record.

    The id is in the Message-ID of the invitation, to which every other message refers.
    """
    own = re.match(r"<[0-9a-f]{8}\.(\d+)\.", message.message_id)
    first = re.search(r"\.0\.([0-9a-f]{32})@", f"{message.message_id} {message.references}")
    return first[1] if first else "", own[1] if own else ""
