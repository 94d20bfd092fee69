"""A save file that was found in a message, and what the headers of that message say."""

from __future__ import annotations

from typing import NamedTuple

from engine.message import NOTHING, Message, Said
from engine.value import Value
from pbem.foreign import clean, excerpt, mailbox, within_quotes
from pbem.mail.mend import Mend
from pbem.protocol.record import Record

LONGEST_SUBJECT = 60
"""How many characters of one are told."""


class Envelope(NamedTuple):
    """What the headers of a message say; anybody may have written it, or left it out.

    `address` is that of the sender, empty where there is none to be seen; `is_automatic` says that
    no answer by a program is to follow it.
    """

    sender: str = ""
    subject: str = ""
    date: str = ""
    message_id: str = ""
    address: str = ""
    is_automatic: bool = False

    @property
    def who(self) -> Said:
        """Who wrote it, as the program prints it."""
        return mailbox(self.address or self.sender or "?")

    @property
    def about(self) -> str:
        """Its subject, to stand in quotes."""
        return excerpt(within_quotes(self.subject), LONGEST_SUBJECT)

    def facts(self) -> dict[str, str]:
        """What is told of it as plain data."""
        return {
            "from": clean(self.sender),
            "subject": clean(self.subject),
            "message_id": clean(self.message_id),
        }


class Found(Value):
    """A save file in a message; with `is_evidence`, the evidence of a fork.

    `data` is the file as it was sent, laid out with LF, and `records` those in it, of which only
    the form was checked. `name` is the safe name of the attachment, empty if it was none, and
    `where` says to a player what it was: the attachment bela-004.toml, the text of the message.
    `envelope` is that of its message. `lines` has for each record the line, in what `where` says,
    at which damage to it would begin. `mends` are what had to be undone to read it; `is_as_sent`
    says that it stands so in what it was taken from, byte for byte.
    """

    data: bytes
    records: tuple[Record, ...]
    name: str
    where: Said
    envelope: Envelope
    lines: tuple[int, ...] = ()
    is_evidence: bool = False
    mends: frozenset[Mend] = frozenset()
    is_as_sent: bool = True

    @property
    def cut(self) -> Message:
        """That it may be only the beginning of what was sent, although all that is left holds.

        So it is where it ends with a record: whoever answers seals a box, which stands behind them.
        """
        if len(self.records) == 1 or self.is_evidence or b"[sealed" in self.data:
            return NOTHING
        # Translators: {where} is as “the attachment bela-004.toml” or “the text of the message”; it
        # may also stand in brackets.
        return Message(
            "The save file in {where} ends with record {record}, with no sealed box after it: if "
            "there was more, the message was cut off, so ask for it to be sent again.",
            where=self.where,
            record=len(self.records) - 1,
        )
