"""The options of whoever has a letter written or sent: no library of mail is imported for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from pbem.cli import console
from pbem.protocol.match import Match

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
Picture = Annotated[
    bool,
    typer.Option("--picture", help="Attach a picture of the board, showing only what is public."),
]


def drawing(*, wanted: bool) -> Callable[[Match], bytes] | None:
    """What draws the picture for a letter, if it is wanted; else nothing of it is imported."""
    if not wanted:
        return None
    from pbem.board.letter_picture import picture_of

    return lambda match: picture_of(match, console.language())
