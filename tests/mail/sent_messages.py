"""Sent messages, from the view of the sender, the recipient and the library."""

from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from pbem.play import keyfile
from pbem.play.store import Dispatch, Store
from pbem.savefile.save_file import SaveFile
from tests.cli.commands import Result, is_one_sentence
from tests.mail.players import Player


def failure(result: Result) -> str:
    """Return the error sentence of a command that failed."""
    assert result.status == 2
    assert is_one_sentence(result.err), result.err
    return result.err


def dispatch(player: Player, file: Path) -> Dispatch | None:
    """Return the note in the library that a file was sent."""
    records = SaveFile.read(file.read_bytes()).records
    key = keyfile.read(player.home / "identity.toml").public_key
    return Store(player.home / "library.sqlite3", key).dispatch(records[0].hash, records[-1].hash)


def parse(message: bytes) -> EmailMessage:
    """Parse a message as a mail program does."""
    return message_from_bytes(message, policy=policy.default)


def attachment_names(message: bytes) -> list[str | None]:
    """Return the names of the attachments of a message."""
    return [part.get_filename() for part in parse(message).iter_attachments()]
