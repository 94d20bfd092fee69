"""Drafts of messages, made with an answer or later, never overwrite other files."""

from __future__ import annotations

import errno
import os
import shutil
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.mail.draft import DraftFile, compose_email
from pbem.play.game_file import GameFile
from pbem.savefile import disk
from pbem.savefile.disk import TargetExistsError
from pbem.text.history.email_text import MAX_WORD
from tests.cli.commands import OTHER_ORDERS, PASSES, acres, apply, snapshot
from tests.mail.parts import body_of, content_of
from tests.play.test_colliding_games import colliding_invitations
from tests.requirements import require

ANSWER, DRAFT = Path("game-018.toml"), Path("game-018.eml")


def read_message(path: Path | str) -> EmailMessage:
    """Return the message in a draft."""
    return message_from_bytes(Path(path).read_bytes(), policy=policy.default)


def attachment_of(message: EmailMessage) -> tuple[str, bytes]:
    """Return the name and content of the attachment of a message."""
    (part,) = message.iter_attachments()
    return require(part.get_filename()), content_of(part)


@pytest.fixture(scope="module")
def new_game_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a new game of Anna and Béla; do not write into it."""
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
    # Mail programs may change the line ends of an attachment.
    assert b"\r" not in handed_over
    assert attachment_of(read_message("letter")) == (
        "game-002.toml",
        Path("game-002.toml").read_bytes(),
    )


def test_draft_is_reproducible_from_the_file_alone(in_game_folder: None) -> None:
    # So the draft has nothing that only its author knows.
    assert apply(*PASSES, "--mail").status == 0
    data = ANSWER.read_bytes()
    message = compose_email(GameFile.read(data).match, data, ANSWER.name)
    message["X-Unsent"] = "1"
    assert DRAFT.read_bytes() == message.as_bytes()


# --- files and addresses


@pytest.mark.parametrize(
    ("home", "file"),
    [("anna", "game-001.toml"), ("bela", "game-000.toml"), ("nobody", "game-002.toml")],
)
def test_draft_of_an_opponents_file_is_refused(in_new_game: None, home: str, file: str) -> None:
    before = snapshot(Path())
    acres("mail", "draft", file, home=Path(home)).fails()
    assert snapshot(Path()) == before


def test_draft_may_go_to_another_address(in_new_game: None) -> None:
    to = ("--to", "bela@new.example.org")
    assert acres("mail", "draft", "game-002.toml", *to, home=Path("anna")).status == 0
    assert str(read_message("game-002.eml")["To"]) == "Béla <bela@new.example.org>"


def test_draft_of_a_game_with_the_same_number_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "letter.eml"
    one, other = (GameFile.read(data).match for data in colliding_invitations())
    assert one.id[:4] == other.id[:4]
    DraftFile(path).write(compose_email(one, b"a file", "game-000.toml"))
    before = path.read_bytes()
    DraftFile(path).check_free(one.id, 0)
    with pytest.raises(TargetExistsError):
        DraftFile(path).check_free(other.id, 0)
    with pytest.raises(TargetExistsError):
        DraftFile(path).write(compose_email(other, b"a file", "game-000.toml"))
    assert path.read_bytes() == before


# --- drafts of answers


def test_repeated_command_writes_a_missing_draft(in_game_folder: None) -> None:
    assert apply(*PASSES).status == 0
    answer = ANSWER.read_bytes()
    apply(*PASSES, "--mail").succeeds()
    draft = DRAFT.read_bytes()
    assert ANSWER.read_bytes() == answer
    # Repeat it with both files, and with none.
    again = apply(*PASSES, "--mail")
    assert (again.status, DRAFT.read_bytes()) == (0, draft)
    ANSWER.unlink()
    DRAFT.unlink()
    assert apply(*PASSES, "--mail").status == 0
    assert (ANSWER.read_bytes(), DRAFT.read_bytes()) == (answer, draft)


def test_refused_second_answer_writes_no_draft(in_game_folder: None) -> None:
    assert apply(*PASSES).status == 0
    before = snapshot(Path())
    apply(*OTHER_ORDERS, "--mail").fails()
    apply(*PASSES, "--mail", "--note", "another note").fails()
    apply(*PASSES, "--mail", "--dry-run").succeeds()
    assert snapshot(Path()) == before


def test_draft_of_a_replaced_answer_is_replaced(in_game_folder: None) -> None:
    assert apply(*PASSES, "--mail").status == 0
    first = read_message(DRAFT)["Message-ID"]
    assert apply(*OTHER_ORDERS, "--mail", "--replace").status == 0
    message = read_message(DRAFT)
    assert message["Message-ID"] != first
    assert attachment_of(message)[1] == ANSWER.read_bytes()


@pytest.mark.parametrize(
    "content", ["To: somebody@example.org\n\nMy letter", "", "Message-ID: <12345678.18.x@y>\n\n"]
)
def test_other_file_in_place_of_the_draft_prevents_signing(
    in_game_folder: None, content: str
) -> None:
    DRAFT.write_text(content)
    before = snapshot(Path())
    apply(*PASSES, "--mail").fails()
    assert snapshot(Path()) == before
    # Without a draft the answer can be signed.
    assert apply(*PASSES).status == 0


def test_draft_is_never_written_over_a_file(in_new_game: None) -> None:
    output = ("--output", "letter.eml")
    Path("letter.eml").write_text("mine")
    acres("mail", "draft", "game-002.toml", *output, home=Path("anna")).fails()
    assert Path("letter.eml").read_text() == "mine"
    # An edited draft is kept too.
    Path("letter.eml").unlink()
    assert acres("mail", "draft", "game-002.toml", *output, home=Path("anna")).status == 0
    edited = Path("letter.eml").read_bytes() + b"and greetings\r\n"
    Path("letter.eml").write_bytes(edited)
    assert acres("mail", "draft", "game-002.toml", *output, home=Path("anna")).status == 2
    assert Path("letter.eml").read_bytes() == edited


def test_full_disk_costs_the_draft(in_game_folder: None, monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.usefixtures("in_game_folder")
def test_draft_in_another_language_or_to_another_address_is_not_replaced() -> None:
    # The player may have edited the draft.
    assert acres("mail", "draft", "game-017.toml", home=Path("french")).status == 0
    before = snapshot(Path())
    for other in (["--lang", "fr"], []):
        to = [] if other else ["--to", "carla@example.org"]
        run = ["--home", "french", *other, "mail", "draft", "game-017.toml", *to]
        assert "game-017.eml" in acres(*run).fails().err
    assert snapshot(Path()) == before


@pytest.mark.usefixtures("in_game_folder")
def test_word_is_at_the_top_of_the_message_and_not_in_the_file() -> None:
    before = snapshot(Path())
    for word, options, expected in (
        ("Hello!", (), "--word goes with --mail or --send."),
        ("x" * (MAX_WORD + 1), ("--mail",), "more than 1000 characters"),
    ):
        result = apply(*PASSES, *options, "--word", word)
        assert result.status and expected in result.err
    assert snapshot(Path()) == before
    assert apply(*PASSES, "--mail", "--word", "Bien joué!").status == 0
    assert body_of(read_message("game-018.eml")).startswith("Bien joué!\n")
    assert "Bien jou" not in Path("game-018.toml").read_text()
    draft = ("mail", "draft", "game-018.toml", "--output", "again.eml", "--word", "Bis!")
    assert acres(*draft, home=Path("british")).status == 0
    assert body_of(read_message("again.eml")).startswith("Bis!\n")
