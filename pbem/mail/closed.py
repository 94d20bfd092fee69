"""What a save file may be in that is not opened here, and how a player gets it out."""

from __future__ import annotations

from engine.message import NOTHING, Message
from pbem.mail.parts import Part

_ARCHIVES = (".zip", ".gz", ".tgz", ".7z", ".rar", ".bz2", ".xz")
_PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"BZh", b"\xfd7zXZ")
"""How files begin with these names."""
_OUTLOOK = b"\xd0\xcf\x11\xe0"
"""How a message begins that Outlook saved in its own way."""
_TNEF = b"\x78\x9f\x3e\x22"
"""How winmail.dat begins."""
_PGP = b"-----BEGIN PGP MESSAGE-----"


def hint_at(part: Part) -> Message:
    """What to do where there is no save file but perhaps in this; empty if there is nothing."""
    name = part.name.lower()
    if name.endswith(_ARCHIVES):
        # Translators: {where} is as “the attachment game.zip”; it may also stand in brackets.
        return Message(
            "There is no save file in this message, but perhaps in {where}, which is an archive: "
            "unpack it, and give the file that is in it.",
            where=part.where,
        )
    if part.data.startswith(_PACKED):
        return Message("This is an archive: unpack it, and give the file that is in it.")
    if part.data.startswith(_OUTLOOK):
        return Message(
            "This is a message as Outlook keeps it, which is not read here: save the file that is "
            "attached to it, and give that."
        )
    if part.data.startswith(_TNEF):
        return Message(
            "There is no save file to be seen in this message, which Outlook has packed into "
            "winmail.dat: ask for it to be sent again as plain text, with the file attached."
        )
    if name.endswith(".p7m") or part.data.lstrip().startswith(_PGP):
        return Message(
            "There is no save file to be seen in this message, which is sealed: open it in your "
            "mail program, save the file that is attached to it, and give that."
        )
    return NOTHING
