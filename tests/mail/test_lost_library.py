"""After the loss of a library, no message is sent."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.mail.messages import letter
from tests.mail.players import Player
from tests.mail.sent_messages import failure


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--replace"]])
@pytest.mark.parametrize("fetched", [True, False])
def test_older_file_is_neither_answered_nor_sent(
    anna: Player, bela: Player, turns: dict[int, Path], options: list[str], *, fetched: bool
) -> None:
    """It makes no difference if the library learnt the game from a fetched file."""
    (anna.home / "library.sqlite3").unlink()
    (anna.folder / "game-000.toml").unlink()
    if fetched:
        anna.office.deliver(anna.address, letter(turns[3].read_bytes()))
        assert "did not remember your part" in anna.do("mail", "fetch").err
        (file,) = anna.folder.iterdir()
    else:
        file = Path(shutil.copy(turns[3], anna.folder))
    for words in (("apply", file, "draft rangers", "pass"), ("resign", file, "--yes")):
        text = failure(anna.run("turn", *words, "--send", *options))
        assert "does not remember your part in this game" in text
    assert (anna.files, bela.inbox()) == ([file.name], [])
    anna.do("turn", "apply", file, "pass", "pass", "--send", "--newest")
    assert len(bela.inbox()) == 1
