"""`acres mail draft`, and `--mail`: the letter is written for the player's mail program."""

from __future__ import annotations

from pathlib import Path

import typer

from engine.message import Message, sentences
from pbem.cli import console
from pbem.cli.home import command_of
from pbem.cli.mail.drafting import drafted, receiver
from pbem.cli.mail.own_file import check_own, path_of
from pbem.cli.own_library import own_library
from pbem.cli.reading import read_given, take
from pbem.errors import AcresError, WrongUse
from pbem.foreign import quoted, shown
from pbem.mail.address import check_address
from pbem.mail.draft import Draft
from pbem.play.clocks import letter_time
from pbem.play.home import now
from pbem.protocol.match import Match


def draft_given(context: typer.Context, file: Path, output: Path | None, to: str) -> None:
    """Write the letter with a file that the player has given."""
    if to:
        check_address(to)
    given = take(context, file)
    game = read_given(context, given)
    check_own(context, file, game.match)
    path = path_of(context, file, given, game)
    made = Draft(output) if output else Draft.beside(path)
    _write(context, made, game.match, game.save.write(), path.name, to)


def write_beside(
    context: typer.Context, draft: Draft, file: Path, match: Match, data: bytes
) -> None:
    """Write the letter with a file that was written just now; else say how to make it."""
    try:
        _write(context, draft, match, data, file.name)
    except AcresError as error:
        # Translators: {reason} is a whole sentence.
        failed = Message(
            "Your file {file} is written, but not the draft of the letter: {reason}",
            file=file,
            reason=error,
        )
        make = f"{command_of(context)} mail draft {quoted(file)}"
        how_to_make_it = Message("To make it from that file: {command}", command=make)
        raise WrongUse(sentences(failed, how_to_make_it)) from None


def _write(
    context: typer.Context, draft: Draft, match: Match, data: bytes, name: str, to: str = ""
) -> None:
    letter = drafted(match, data, name, to, time=letter_time(own_library(context), match, now()))
    if draft.write(letter):
        if not console.written():
            console.note_file(draft.path)
        console.say(Message("The draft of your letter is written:"))
    else:
        console.say(Message("The draft of this letter is there already:"))
    console.say_whole(f"  {shown(draft.path)}")
    other = receiver(match, to)
    player, address = console.named(other.name), console.mailbox(other.address)
    if other.address and "To" not in letter:
        console.warn(
            Message(
                "Mail takes no address like {address}, which {player} gave in the game.",
                address=address,
                player=player,
            )
        )
    if "To" in letter:
        told = Message(
            "Next: open it with your mail program, which sends it to {address}.", address=address
        )
    elif match.is_joined:
        told = Message(
            "Next: open it with your mail program, and send it to {player}.", player=player
        )
    else:
        told = Message(
            "Next: open it with your mail program, and send it to the player you want to play."
        )
    console.say(told)
