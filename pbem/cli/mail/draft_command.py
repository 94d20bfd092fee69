"""`acres mail draft`, and `--mail`: the letter is written for the player's mail program."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from typing import Annotated

import typer

from engine.message import Message, sentences
from pbem.cli import console
from pbem.cli.app import current_app
from pbem.cli.file_argument import library_of_player, optional_file, own_file
from pbem.cli.homes import warn_of_library
from pbem.cli.mail_options import WAYS, Picture, To, drawing, say_armoured
from pbem.cli.own_inbox import own_file_meant
from pbem.errors import AcresError, WrongUse
from pbem.foreign import quoted, shown
from pbem.mail.account import check_address
from pbem.mail.draft import DraftFile, as_handed_over
from pbem.mail.sending import Sender, WaysOut
from pbem.play.signing import Written
from pbem.play.store import Store
from pbem.protocol.match import Match
from pbem.text.history.letter import draft_told

_OUTPUT = Path("-")
"""What other programs take for standard output."""


def draft(
    file: Annotated[
        Path | None,
        optional_file(
            "The file that you have written; a number from acres games, or your opponent's "
            "name, stands for the last one of that game. Without it: the game that is waiting "
            "for your opponent."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The draft to write; default: beside FILE, as .eml. Under another name, or with - "
            "for the output, it is a message that a program can send as it is.",
        ),
    ] = None,
    to: To = "",
    picture: Picture = False,
    armor: Annotated[
        bool,
        typer.Option(
            "--armor",
            help="Write no message: print the file as a block of text, to be pasted into one.",
        ),
    ] = False,
) -> None:
    """Write a message with your file, ready to be sent by your mail program.

    It says what happened, with only what is public, and how to answer; the file is attached. The
    messages of a game form a thread.
    """
    if to:
        check_address(to)
    if armor and (to or picture or output):
        raise WrongUse("--armor prints the file alone: leave out --output, --to and --picture.")
    file = own_file_meant(file)
    own, game, path = own_file(file)
    if armor:
        warn_of_library(own)
        say_armoured(game.save.write())
        return
    sender = _writer(own, picture=picture)
    letter = sender.letter(game.match, game.save.write(), file, path.name, to)
    warn_of_library(own)
    if output == _OUTPUT:
        console.put(as_handed_over(letter).decode("ascii").splitlines())
    else:
        made = DraftFile(output) if output else DraftFile.beside(path)
        _write(made, letter, game.match, to)


def write_beside(draft: DraftFile, written: Written, *, picture: bool) -> None:
    """Write the letter with a file that was written just now; else say how to make it."""
    file, match = written.path, written.match
    try:
        own = library_of_player(match)
        sender = _writer(own, picture=picture)
        _write(draft, sender.letter(match, written.data, file, file.name), match)
    except AcresError as error:
        # Translators: {reason} is a whole sentence.
        failed = Message(
            "Your file {file} is written, but not the draft of the message. {reason}",
            file=file,
            reason=error,
        )
        make = f"{current_app().command} mail draft {quoted(file)}"
        how_to_make_it = Message("To make it from that file: {command}", command=make)
        raise WrongUse(sentences(failed, how_to_make_it)) from None


def _writer(own: Store, *, picture: bool) -> Sender:
    """Return the player, as one who only writes letters."""
    ways = WaysOut(current_app().command, *WAYS)
    return Sender(own, console.language().code, ways, draw=drawing(wanted=picture))


def _write(draft: DraftFile, letter: EmailMessage, match: Match, to: str = "") -> None:
    if draft.write(letter):
        if not console.settings.written:
            console.note_file(draft.path)
        is_told = Message("The draft of your message is written:")
    else:
        is_told = Message("The draft of this message already exists:")
    console.say_below(is_told, shown(draft.path))
    told, *warnings = draft_told(match, to, is_addressed="To" in letter)
    for warning in warnings:
        console.warn(warning)
    console.say(told)
