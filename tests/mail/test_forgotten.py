"""A library that was lost, by mail: no letter goes out with an answer to an older file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.using import Result, is_one_sentence
from tests.mail.arriving import letter
from tests.mail.players import Player


def lose(who: Player) -> None:
    (who.home / "library.sqlite3").unlink()
    for path in who.folder.iterdir():
        path.unlink()


def refused(done: Result) -> str:
    assert (done.status, is_one_sentence(done.err)) == (2, True), done
    return done.err


@pytest.mark.parametrize("options", [[], ["--replace"]])
@pytest.mark.parametrize("fetched", [True, False])
def test_an_older_file_is_not_answered_and_sent(
    anna: Player, bela: Player, played: dict[int, Path], options: list[str], *, fetched: bool
) -> None:
    """Not even where the file came by mail, and all that it holds was learnt from it."""
    lose(anna)
    if fetched:
        anna.office.deliver(anna.address, letter(played[3].read_bytes()))
        assert "did not remember your part" in anna.do("mail", "fetch").err
        file = max(anna.folder.glob("*.toml"), key=lambda path: path.stat().st_size)
    else:
        file = Path(shutil.copy(played[3], anna.folder))
    for words in (("apply", file, "draft rangers", "pass"), ("resign", file, "--yes")):
        told = refused(anna.run("turn", *words, "--send", *options))
        assert "does not remember your part in this game" in told
    assert anna.files == [file.name]
    assert not bela.inbox()
    anna.do("turn", "apply", file, "pass", "pass", "--send", "--newest")
    assert len(bela.inbox()) == 1
