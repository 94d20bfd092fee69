"""Drafts of messages: made with an answer or afterwards, and never over something else."""

from __future__ import annotations

import errno
import os
import shutil
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.mail.draft import compose_email
from pbem.play.game_file import GameFile
from pbem.savefile import disk
from tests.cli.commands import OTHER, PASSES, acres, apply, snapshot
from tests.mail.parts import content_of
from tests.requirements import require

ANSWER, DRAFT = Path("game-018.toml"), Path("game-018.eml")


def read_message(path: Path | str) -> EmailMessage:
    """Return the message in a draft."""
    return message_from_bytes(Path(path).read_bytes(), policy=policy.default)


def attachment_of(message: EmailMessage) -> tuple[str, bytes]:
    """Return the name and the bytes of the file attached to a message."""
    (part,) = message.iter_attachments()
    return require(part.get_filename()), content_of(part)


@pytest.fixture(scope="module")
def new_game_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game of Anna and Béla that has just begun; do not write into it."""
    folder = tmp_path_factory.mktemp("begun")

    def do(home: str, *words: Path | str) -> None:
        acres(*words, home=folder / home).succeeds()

    do("anna", "init", "--name", "Anna", "--email", "anna@example.org")
    do("bela", "init", "--name", "Béla", "--email", "bela@example.org")
    do("anna", "new", "--side", "british", "--output", folder / "game-000.toml")
    do("bela", "join", folder / "game-000.toml")
    do("anna", "turn", "apply", folder / "game-001.toml", "draft rangers")
    return folder


@pytest.fixture
def in_new_game(new_game_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run commands in a copy of `new_game_folder`."""
    monkeypatch.chdir(shutil.copytree(new_game_folder, tmp_path / "young"))


# --- the letter


def test_draft_mark_is_only_in_files_that_a_mail_program_opens(in_new_game: None) -> None:
    """A command that sends the message would send the mark with the header."""
    draft = ("mail", "draft", "game-002.toml")
    assert acres(*draft, home=Path("anna")).status == 0
    opened = Path("game-002.eml").read_bytes()
    assert acres(*draft, "--output", "letter", home=Path("anna")).status == 0
    piped = acres(*draft, "--output", "-", home=Path("anna")).succeeds_quietly()
    handed_over = Path("letter").read_bytes()
    assert piped.out.encode() == handed_over
    assert opened.replace(b"X-Unsent: 1\r\n", b"").replace(b"\r\n", b"\n") == handed_over
    assert b"X-Unsent" not in handed_over
    # Mail programs attach a text with other line ends.
    assert b"\r" not in handed_over
    assert attachment_of(read_message("letter")) == (
        "game-002.toml",
        Path("game-002.toml").read_bytes(),
    )


def test_draft_is_reproducible_from_the_file_alone(in_the_game: None) -> None:
    # So it has nothing that only its author knows.
    assert apply(*PASSES, "--mail").status == 0
    data = ANSWER.read_bytes()
    message = compose_email(GameFile.read(data).match, data, ANSWER.name)
    message["X-Unsent"] = "1"
    assert DRAFT.read_bytes() == message.as_bytes()


# --- which files, and to whom


@pytest.mark.parametrize(
    ("home", "file"),
    [("anna", "game-001.toml"), ("bela", "game-000.toml"), ("nobody", "game-002.toml")],
)
def test_draft_of_an_opponents_file_is_refused(in_new_game: None, home: str, file: str) -> None:
    before = snapshot(Path())
    acres("mail", "draft", file, home=Path(home)).fails()
    assert snapshot(Path()) == before


def test_letter_may_go_to_another_address(in_new_game: None) -> None:
    to = ("--to", "bela@new.example.org")
    assert acres("mail", "draft", "game-002.toml", *to, home=Path("anna")).status == 0
    assert str(read_message("game-002.eml")["To"]) == "Béla <bela@new.example.org>"


# --- drafts beside answers


def test_repeated_command_writes_a_missing_draft(in_the_game: None) -> None:
    assert apply(*PASSES).status == 0
    answer = ANSWER.read_bytes()
    apply(*PASSES, "--mail").succeeds()
    draft = DRAFT.read_bytes()
    assert ANSWER.read_bytes() == answer
    # And again, with nothing missing, or all of it.
    again = apply(*PASSES, "--mail")
    assert (again.status, DRAFT.read_bytes()) == (0, draft)
    ANSWER.unlink()
    DRAFT.unlink()
    assert apply(*PASSES, "--mail").status == 0
    assert (ANSWER.read_bytes(), DRAFT.read_bytes()) == (answer, draft)


def test_refused_second_answer_writes_no_draft(in_the_game: None) -> None:
    assert apply(*PASSES).status == 0
    before = snapshot(Path())
    apply(*OTHER, "--mail").fails()
    apply(*PASSES, "--mail", "--note", "another note").fails()
    apply(*PASSES, "--mail", "--dry-run").succeeds()
    assert snapshot(Path()) == before


def test_draft_of_a_replaced_answer_is_replaced(in_the_game: None) -> None:
    assert apply(*PASSES, "--mail").status == 0
    first = read_message(DRAFT)["Message-ID"]
    assert apply(*OTHER, "--mail", "--replace").status == 0
    message = read_message(DRAFT)
    assert message["Message-ID"] != first
    assert attachment_of(message)[1] == ANSWER.read_bytes()


@pytest.mark.parametrize(
    "there", ["To: somebody@example.org\n\nMy letter", "", "Message-ID: <12345678.18.x@y>\n\n"]
)
def test_other_file_in_place_of_the_draft_prevents_signing(in_the_game: None, there: str) -> None:
    DRAFT.write_text(there)
    before = snapshot(Path())
    apply(*PASSES, "--mail").fails()
    assert snapshot(Path()) == before
    # Without a draft there is no reason not to answer.
    assert apply(*PASSES).status == 0


def test_draft_is_never_written_over_a_file(in_new_game: None) -> None:
    output = ("--output", "letter.eml")
    Path("letter.eml").write_text("mine")
    acres("mail", "draft", "game-002.toml", *output, home=Path("anna")).fails()
    assert Path("letter.eml").read_text() == "mine"
    # What somebody has written into a draft stays too.
    Path("letter.eml").unlink()
    assert acres("mail", "draft", "game-002.toml", *output, home=Path("anna")).status == 0
    edited = Path("letter.eml").read_bytes() + b"and greetings\r\n"
    Path("letter.eml").write_bytes(edited)
    assert acres("mail", "draft", "game-002.toml", *output, home=Path("anna")).status == 2
    assert Path("letter.eml").read_bytes() == edited


def test_full_disk_costs_the_draft(in_the_game: None, monkeypatch: pytest.MonkeyPatch) -> None:
    write = disk.NewFile._fill

    def fill(file: disk.NewFile, data: bytes) -> None:
        if file.path.suffix == ".eml":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(file, data)

    with monkeypatch.context() as full:
        full.setattr(disk.NewFile, "_fill", fill)
        result = apply(*PASSES, "--mail")
    again = "acres --home british mail draft game-018.toml"
    assert again in result.fails().err
    assert ANSWER.exists() and not DRAFT.exists()
    assert acres(*again.split()[1:]).status == 0
    assert attachment_of(read_message(DRAFT))[1] == ANSWER.read_bytes()


@pytest.mark.usefixtures("in_the_game")
def test_draft_in_another_language_or_to_another_address_is_not_replaced() -> None:
    # The player may have written something into it.
    assert acres("mail", "draft", "game-017.toml", home=Path("french")).status == 0
    before = snapshot(Path())
    for other in (["--lang", "fr"], []):
        to = [] if other else ["--to", "carla@example.org"]
        run = ["--home", "french", *other, "mail", "draft", "game-017.toml", *to]
        assert "game-017.eml" in acres(*run).fails().err
    assert snapshot(Path()) == before
