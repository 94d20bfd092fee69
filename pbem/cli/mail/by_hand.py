"""What has not gone from the mail account of a player, and what the player has sent by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from engine.message import Message
from pbem.cli import console
from pbem.cli.mail.own_file import check_own
from pbem.cli.moment import now
from pbem.cli.output import holds
from pbem.cli.own_library import OwnLibrary, own_games
from pbem.cli.reading import read_game

if TYPE_CHECKING:
    from pbem.library import Listed

BY_HAND = ""
"""Stands for the address of what the player has sent: by which way, and to where, nobody knows."""


def called(file: Path, game: bytes, record: int) -> Message:
    """What a file is to the player, such as `game-012.toml (record 12 of game 34de8b95)`."""
    return Message(
        "{file} (record {record} of game {game})",
        file=file.name,
        record=record,
        game=game.hex()[:8],
    )


def unsent_files(own: OwnLibrary) -> Iterator[tuple[Listed, Path]]:
    """The last files of all own games, where these are own, and were not sent."""
    for listed in own.open().games():
        file = listed.file_out
        if file is None or own.post().dispatch(listed.id, listed.game.last):
            continue
        if holds(file, listed.game.last):
            yield listed, file


def note_by_hand(context: typer.Context, file: Path | None) -> None:
    """Note that a file was sent by the player, or all that were not sent; and say so of each."""
    with own_games(context) as own:
        if file is not None:
            match = read_game(context, file).match
            check_own(context, file, match)
            _note(own, file, match.id, match.last.index, match.last.hash)
            return
        files = list(unsent_files(own))
        for listed, each in files:
            _note(own, each, listed.id, listed.game.records - 1, listed.game.last)
        if not files:
            console.say(Message("There is nothing that was not sent."))


def _note(own: OwnLibrary, file: Path, game: bytes, index: int, record: bytes) -> None:
    post = own.post()
    post.begin(game, record, now(), BY_HAND, again=True)
    post.end(game, record)
    console.say(Message("Sent by yourself: {file}.", file=called(file, game, index)))
