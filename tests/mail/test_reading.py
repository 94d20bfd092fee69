"""A file is read for any front end: mended, explained, with its own way to show how far it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.message import Message
from pbem.errors import Unreadable
from pbem.mail.given import plain
from pbem.mail.given_file import read_or_restore
from pbem.play.game_file import GameFile
from pbem.protocol.match import Passing
from pbem.protocol.record import Record
from pbem.words.proof.finding import FileFails

SAVED = Path(__file__).parents[2] / "saves" / "practice" / "game-041.toml"
LABEL = Message("a file")


def test_a_whole_file_is_read_as_it_is() -> None:
    given = plain(SAVED.read_bytes(), LABEL, SAVED)
    game, again = read_or_restore(given, GameFile.read)
    assert len(game.match.records) == 42
    assert again is given


def test_what_a_mail_program_changed_is_mended_first() -> None:
    spaced = SAVED.read_text("utf-8").replace(" = ", "\u00a0=\u00a0")
    game, mended = read_or_restore(plain(spaced.encode(), LABEL, None), GameFile.read)
    assert len(game.match.records) == 42
    assert mended.mends


def test_what_does_not_hold_is_explained_and_the_check_is_shown() -> None:
    *_, last = GameFile.read(SAVED.read_bytes()).match.records
    data = SAVED.read_bytes().replace(last.time.encode(), b"2030-01-01T00:00:00Z")
    shown: list[str] = []

    @contextmanager
    def checking() -> Iterator[Passing]:
        shown.append("begun")

        def passing(records: Sequence[Record]) -> Iterator[Record]:
            shown.append("passing")
            yield from records

        yield passing
        shown.append("ended")

    with pytest.raises(FileFails, match="changed after it was signed"):
        read_or_restore(plain(data, LABEL, None), GameFile.read, checking=checking)
    assert (shown[0], shown[-1]) == ("begun", "ended")


def test_what_is_no_file_is_said_to_be_none() -> None:
    with pytest.raises(Unreadable):
        read_or_restore(plain(b"Hello.", LABEL, None), GameFile.read)
