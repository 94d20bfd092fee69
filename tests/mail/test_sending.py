"""`acres mail send` and `--send`: messages that arrive, messages that fail, and the reports."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.mail.connection import MailError
from pbem.mail.sending import SendCommands
from pbem.mail.smtp import MessageTooLargeError, RecipientRefusedError, UncertainSendError
from pbem.savefile.save_file import SaveFile
from tests.cli.commands import Result
from tests.mail.players import Player, begin_game
from tests.mail.sent_messages import attachment_names, dispatch, failure, parse
from tests.play.store.old_library import downgrade

# --- what goes well


@pytest.mark.parametrize(("answer", "letters"), [("y", 2), ("n", 0)])
def test_several_messages_are_confirmed_at_a_terminal(
    anna: Player, bela: Player, monkeypatch: pytest.MonkeyPatch, answer: str, letters: int
) -> None:
    other = begin_game(anna.home, bela.home, bela.folder, "second")
    monkeypatch.setattr("pbem.cli.console.is_terminal", lambda: True)
    monkeypatch.setattr("pbem.cli.prompts.ask", lambda prompt: answer)
    result = bela.run("mail", "send")
    assert {name in result.out for name in (bela.file.name, other.name)} == {True}
    assert ("--by-hand" in result.out) == (letters == 0)
    assert len(anna.inbox()) == letters


def test_file_by_the_opponent_is_neither_sent_nor_noted(anna: Player, bela: Player) -> None:
    anna.do("games", "add", bela.folder)
    assert "nothing to send" in anna.do("mail", "send").out
    assert "to answer" in failure(anna.run("mail", "send", bela.file)).lower()
    failure(anna.run("mail", "send", bela.file, "--by-hand"))
    failure(bela.run("mail", "send", bela.file, "--by-hand", "--to", anna.address))
    assert not bela.inbox()


def test_invitation_needs_one_valid_address(anna: Player) -> None:
    file = anna.folder / "invitation.toml"
    anna.do("new", "--side", "any", "--output", file)
    assert "--to ADDRESS" in anna.do("mail", "send").err
    assert "address" in failure(anna.run("mail", "send", file, "--to", "a@b\r\nBcc: c@d"))


def test_sender_is_the_address_of_the_account(anna: Player, bela: Player) -> None:
    anna.office.open_account("other@example.org", bela.password)
    bela.set_up(anna.office.config("other@example.org"))
    assert "other@example.org" in bela.do("mail", "check").err
    bela.do("mail", "send", bela.file)
    assert parse(anna.inbox()[0])["From"].addresses[0].addr_spec == "other@example.org"


def test_file_in_a_saved_message_is_attached(anna: Player, bela: Player) -> None:
    bela.do("mail", "draft", bela.file, "--output", bela.folder / "saved.eml")
    bela.do("mail", "send", bela.folder / "saved.eml")
    assert attachment_names(anna.inbox()[-1]) == [bela.file.name]


# --- what does not go


@pytest.mark.parametrize("fault", ["recipient_refusal", "message_refusal"])
def test_refused_message_can_be_sent_later(anna: Player, bela: Player, fault: str) -> None:
    setattr(anna.office.faults, fault, "451 4.3.0 Come back later")
    sentence = failure(bela.run("mail", "send", bela.file))
    assert "“4.3.0 Come back later”" in sentence
    assert "Try again later" in sentence
    assert dispatch(bela, bela.file) is None
    setattr(anna.office.faults, fault, "")
    bela.do("mail", "send", bela.file)
    assert len(anna.inbox()) == 1
    # A refusal does not forget that it was sent before.
    setattr(anna.office.faults, fault, "554 5.7.1 Spam")
    failure(bela.run("mail", "send", bela.file, "--again"))
    assert "was already sent" in failure(bela.run("mail", "send", bela.file))


@pytest.mark.parametrize("fault", ["refused", "damaged"])
def test_failed_message_does_not_block_others(anna: Player, bela: Player, fault: str) -> None:
    other = begin_game(anna.home, bela.home, bela.folder, "second")
    if fault == "refused":
        anna.office.faults.refused_word = (
            SaveFile.read(bela.file.read_bytes()).records[0].hash.hex()[:8]
        )
    else:
        # Damage an earlier record, but not the last one.
        text = bela.file.read_text()
        at = text.index('signature = """') + 20
        bela.file.write_text(text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :])
    result = bela.run("mail", "send")
    assert bela.file.name in result.err
    assert (result.out.count("Sent to"), len(anna.inbox())) == (1, 1)
    assert other.name in result.out


def test_nothing_is_sent_without_a_working_library(anna: Player, bela: Player) -> None:
    downgrade(bela.home / "library.sqlite3", "dispatched", "mailboxes")
    bela.do("mail", "send")
    bela.do("mail", "fetch")
    assert len(anna.inbox()) == 1
    (bela.home / "library.sqlite3").write_bytes(b"This is no database." * 100)
    result = bela.run("mail", "send", bela.file, "--again")
    assert (result.status, len(anna.inbox())) == (2, 1)
    assert "library" in result.err


BUTTON_NAMES = SendCommands("acres", "[TO]", "[AGAIN]")
TO = "carla@example.org"


@pytest.mark.parametrize(
    ("error", "draws", "to", "way_out"),
    [
        (UncertainSendError, False, "", "acres mail send game-001.toml [AGAIN]"),
        (UncertainSendError, False, TO, f"acres mail send game-001.toml [TO] {TO} [AGAIN]"),
        (RecipientRefusedError, False, "", "given with [TO]."),
        (MessageTooLargeError, False, "", "acres mail draft game-001.toml"),
        (MessageTooLargeError, False, TO, f"acres mail draft game-001.toml [TO] {TO}"),
        (MessageTooLargeError, True, TO, f"acres mail send game-001.toml [TO] {TO}"),
        (MailError, False, "", "It broke off."),
    ],
)
def test_failure_ends_with_the_next_command(
    bela: Player, monkeypatch: pytest.MonkeyPatch,
    error: type[MailError], draws: bool, to: str, way_out: str
) -> None:  # fmt: skip
    """The command has the names that the front end gives its options."""
    from tests.mail.test_front_end import make_mailer

    def fails(*_: object) -> None:
        raise error("It broke off.", may_pass=True)

    monkeypatch.setattr("pbem.mail.smtp.SmtpClient.send", fails)
    monkeypatch.chdir(bela.folder)
    session, sender = make_mailer(
        bela, BUTTON_NAMES, draw=(lambda match: b"png") if draws else None
    )
    outgoing = sender.prepare(session.read(bela.file), Path(bela.file.name), bela.file.name, to)
    (sent,) = sender.send(bela.login, [outgoing])
    assert str(sent.failure).endswith(way_out)
    assert type(sent.failure) is error
    assert sent.failure.may_pass


# --- as soon as it is written

ANSWER = "game-002.toml"


@pytest.fixture
def answerer(anna: Player, players_folder: Path) -> Player:
    """Anna, with the file that she has to answer."""
    shutil.copy(players_folder / "game-001.toml", anna.folder)
    return anna


def answer(player: Player, *words: Path | str) -> Result:
    return player.run("turn", "apply", player.folder / "game-001.toml", "pass", "--send", *words)


def test_answer_is_written_and_sent_once(answerer: Player, bela: Player) -> None:
    assert answer(answerer, "--dry-run").status == 0
    assert not bela.inbox()
    assert "Sent to bela@example.org" in answer(answerer).succeeds().out
    again = answer(answerer, "--output", answerer.folder / "copy.toml")
    assert (again.status, len(bela.inbox())) == (0, 1)
    assert "was already sent" in again.out


def test_without_an_account_nothing_is_signed(answerer: Player) -> None:
    (answerer.home / "config.toml").unlink()
    assert "mail setup" in failure(answer(answerer))
    assert ANSWER not in answerer.files


def test_doubtful_message_ends_with_the_again_option(answerer: Player, bela: Player) -> None:
    bela.office.faults.hangs_up = True
    text = failure(answer(answerer))
    assert "is written" in text and text.endswith("--again\n")
    assert len(bela.inbox()) == 1
    assert ANSWER in answerer.files
