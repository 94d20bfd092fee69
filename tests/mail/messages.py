"""Messages that arrive in a mailbox, and their flags there."""

import imaplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage

from tests.mail.players import Player


def letter(
    data: bytes,
    sender: str = "bela@example.org",
    *,
    name: str = "game.toml",
    subject: str = "A turn",
    more: bytes = b"",
) -> bytes:
    """Return a message with a file attached, or with two."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, "anna@example.org", subject
    message.set_content("Here it is.\n")
    for content in filter(None, (data, more)):
        message.add_attachment(content, "application", "octet-stream", filename=name)
    return message.as_bytes()


def plain(text: str = "See you tomorrow.\n") -> bytes:
    message = EmailMessage()
    message["From"], message["Subject"] = "carla@example.org", "Dinner"
    message.set_content(text)
    return message.as_bytes()


@contextmanager
def open_inbox(player: Player) -> Iterator[imaplib.IMAP4_SSL]:
    """Open a connection to a player's mailbox."""
    office = player.office
    context = ssl.create_default_context(cafile=office.authority.certificate)
    with imaplib.IMAP4_SSL("localhost", office.imaps, ssl_context=context, timeout=60) as imap:
        imap.login(player.address, player.password)
        yield imap


def flags(player: Player) -> list[set[bytes]]:
    """Return the flags of all messages in the inbox, in order of arrival."""
    with open_inbox(player) as imap:
        imap.select(readonly=True)
        results = imap.fetch("1:*", "(FLAGS)")[1]
    return [
        set(imaplib.ParseFlags(item)) - {rb"\Recent"} for item in results if isinstance(item, bytes)
    ]


FETCHED_FLAGS = {rb"\Seen", b"$Acres"}
