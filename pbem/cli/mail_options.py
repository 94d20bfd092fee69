"""The options of whoever has a letter or a block of text written, or a letter sent.

No library of mail is imported for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from engine.message import Message
from pbem.cli import console
from pbem.protocol.match import Match
from pbem.savefile.armour import MAX_CHAT, armour

To = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS", help="Send it there, and not to the address given in the game."
    ),
]
Send = Annotated[
    bool, typer.Option("--send", help="Send it from your mail account, once it is written.")
]
Mail = Annotated[
    bool,
    typer.Option(
        "--mail", help="Write a message with it too, ready to be sent by your mail program."
    ),
]
Armor = Annotated[
    bool,
    typer.Option("--armor", help="Print it as a block of text too, to be pasted into a message."),
]
WAYS = ("--to", "--again")
"""The options by which a file is sent in another way than usual."""
Picture = Annotated[
    bool,
    typer.Option("--picture", help="Attach a picture of the board, showing only what is public."),
]


def drawing(*, wanted: bool) -> Callable[[Match], bytes] | None:
    """Return what draws the picture for a letter; if it is not wanted, nothing is imported."""
    if not wanted:
        return None
    from pbem.board.letter_picture import picture_of

    return lambda match: picture_of(match, console.language())


def say_armoured(data: bytes) -> None:
    """Print a file as one block of text, and warn if it is longer than chats take."""
    block = armour(data)
    console.put(block.splitlines())
    if len(block) > MAX_CHAT:
        console.warn(
            Message(
                "The block has {count} characters, and many chats take no more than {most} in a "
                "message: paste it into an e-mail, or send the file.",
                count=len(block),
                most=MAX_CHAT,
            )
        )
