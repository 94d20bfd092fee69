"""`--send`: what was written just now goes out, once; where it does not, nothing is lost."""

import shutil
from pathlib import Path

import pytest

from tests.cli.using import Result, is_one_sentence
from tests.mail.players import Player
from tests.mail.servers import PostOffice, nobody_there

ANSWER = "game-002.toml"


@pytest.fixture
def answering(anna: Player, kept: Path) -> Player:
    """Anna, who has the file that she is to answer."""
    shutil.copy(kept / "game-001.toml", anna.folder)
    return anna


def apply(player: Player, *words: Path | str) -> Result:
    return player.run("turn", "apply", player.folder / "game-001.toml", "pass", *words)


def test_the_answer_is_written_and_sent(
    office: PostOffice, answering: Player, bela: Player
) -> None:
    done = apply(answering, "--send")
    assert done.status == 0, done.err
    assert "Sent to bela@example.org" in done.out
    (letter,) = bela.inbox()
    assert (answering.folder / ANSWER).exists()
    assert b"acres-save" in letter


def test_the_same_again_sends_nothing_twice(answering: Player, bela: Player) -> None:
    apply(answering, "--send")
    again = apply(answering, "--send", "--output", answering.folder / "copy.toml")
    assert again.status == 0, again.err
    assert "was already sent" in again.out
    assert len(bela.inbox()) == 1


def test_a_trial_sends_nothing(answering: Player, bela: Player) -> None:
    assert apply(answering, "--send", "--dry-run").status == 0
    assert bela.inbox() == []


def test_without_an_account_nothing_is_signed(answering: Player) -> None:
    (answering.home / "config.toml").unlink()
    done = apply(answering, "--send")
    assert done.status == 2
    assert "mail setup" in done.err
    assert ANSWER not in answering.files


def test_where_it_is_not_sent_it_is_written_and_said_how_to_send_it(
    office: PostOffice, answering: Player, bela: Player
) -> None:
    config = (answering.home / "config.toml").read_text()
    answering.set_up(config.replace(f"port = {office.smtps}", f"port = {nobody_there()}"))
    done = apply(answering, "--send")
    assert done.status == 2
    assert is_one_sentence(done.err)
    assert "is written" in done.err
    assert f"mail send {answering.folder / ANSWER}" in done.err
    answering.set_up(config)
    answering.do("mail", "send")
    assert len(bela.inbox()) == 1


def test_where_it_may_have_arrived_it_is_said_how_to_send_it_again(
    office: PostOffice, answering: Player, bela: Player
) -> None:
    office.matter.hangs_up = True
    done = apply(answering, "--send")
    assert done.status == 2
    assert "is written" in done.err
    assert done.err.endswith("--again\n")
    assert len(bela.inbox()) == 1
    assert (answering.folder / ANSWER).exists()


def test_who_joins_or_resigns_sends_it_too(
    answering: Player, bela: Player, anna: Player, kept: Path
) -> None:
    (bela.folder / "game-001.toml").unlink()
    bela.do("join", bela.folder / "game-000.toml", "--send")
    assert len(anna.inbox()) == 1
    anna.do("turn", "resign", answering.folder / "game-001.toml", "--yes", "--send", "--mail")
    assert len(bela.inbox()) == 1
    assert {ANSWER, "game-002.eml"} <= set(anna.files)
