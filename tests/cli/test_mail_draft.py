"""Letters as drafts: made with an answer or afterwards, and never over something else."""

from __future__ import annotations

import errno
import os
import shutil
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.foreign import display_address
from pbem.mail.draft import compose_email
from pbem.play.game_file import GameFile
from pbem.savefile import disk
from tests.cli.test_hostile_text import EMAILS
from tests.cli.using import (
    OTHER,
    PASSES,
    acres,
    apply,
    copy_practice_save,
    is_one_sentence,
    snapshot,
)
from tests.mail.parts import content_of
from tests.present import present

ANSWER, DRAFT = Path("game-018.toml"), Path("game-018.eml")


def letter(path: Path | str) -> EmailMessage:
    """The message in a draft."""
    return message_from_bytes(Path(path).read_bytes(), policy=policy.default)


def attached(message: EmailMessage) -> tuple[str, bytes]:
    """The file of a letter: its name and its bytes."""
    (part,) = message.iter_attachments()
    return present(part.get_filename()), content_of(part)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
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
def young(begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands are run in a folder of one's own with that game."""
    monkeypatch.chdir(shutil.copytree(begun, tmp_path / "young"))


# --- what a letter says


def test_the_mark_of_a_draft_is_for_programs_that_open_it_and_goes_no_further(young: None) -> None:
    """A program that is given the letter to send sends every line of its header."""
    draft = ("mail", "draft", "game-002.toml")
    assert acres(*draft, home=Path("anna")).status == 0
    opened = Path("game-002.eml").read_bytes()
    assert acres(*draft, "--output", "letter", home=Path("anna")).status == 0
    piped = acres(*draft, "--output", "-", home=Path("anna")).succeeds_quietly()
    handed_over = Path("letter").read_bytes()
    assert piped.out.encode() == handed_over
    assert opened.replace(b"X-Unsent: 1\r\n", b"").replace(b"\r\n", b"\n") == handed_over
    assert b"X-Unsent" not in handed_over
    # As these programs take them: what else ends a line, they attach.
    assert b"\r" not in handed_over
    assert attached(letter("letter")) == ("game-002.toml", Path("game-002.toml").read_bytes())


def test_whoever_has_only_the_file_can_make_the_same_letter(in_the_game: None) -> None:
    """So it tells nothing that its author alone knows."""
    assert apply(*PASSES, "--mail").status == 0
    data = ANSWER.read_bytes()
    message = compose_email(GameFile.read(data).match, data, ANSWER.name)
    message["X-Unsent"] = "1"
    assert DRAFT.read_bytes() == message.as_bytes()


def test_cards_that_come_in_the_middle_of_a_turn_are_dealt_in_that_turn(tmp_path: Path) -> None:
    file = copy_practice_save(62, tmp_path)
    assert acres("mail", "draft", file, home=tmp_path / "french").status == 0
    begun = letter(file.with_suffix(".eml"))["Subject"]
    turn = begun.partition(", turn ")[2].partition(":")[0]
    acres(
        "turn", "apply", file, "home support", "--wait", "--mail", home=tmp_path / "british"
    ).succeeds()
    answer = letter(tmp_path / "game-062.eml")["Subject"]
    assert "(British) to move" in begun
    assert f", turn {turn}: “Émile (practice)” (French) to move" in answer


# --- which files, and to whom


@pytest.mark.parametrize(
    ("home", "file", "says"),
    [
        ("anna", "game-001.toml", "acres --home anna turn apply game-001.toml"),
        ("bela", "game-000.toml", "acres --home bela join game-000.toml"),
        ("nobody", "game-002.toml", "You have no identity"),
        ("nobody", "game-000.toml", "You have no identity"),
    ],
)
def test_only_ones_own_file_is_drafted(young: None, home: str, file: str, says: str) -> None:
    before = snapshot(Path())
    assert says in acres("mail", "draft", file, home=Path(home)).fails().err
    assert snapshot(Path()) == before


def test_an_address_that_mail_does_not_take_is_left_to_the_player(young: None) -> None:
    email = EMAILS["closes its brackets"]
    assert acres("init", "--name", "B", "--email", email, home=Path("b")).status == 0
    new = ("new", "--side", "french", "--output", "from-b-000.toml")
    assert acres(*new, home=Path("b")).status == 0
    done = acres("join", "from-b-000.toml", "--mail", home=Path("anna")).succeeds()
    assert f"Mail cannot be sent to {display_address(email)!s}, which B gave" in done.err
    assert "To" not in letter("from-b-001.eml")


def test_a_letter_goes_where_the_player_says(young: None) -> None:
    to = ("--to", "bela@new.example.org")
    assert acres("mail", "draft", "game-002.toml", *to, home=Path("anna")).status == 0
    assert str(letter("game-002.eml")["To"]) == "Béla <bela@new.example.org>"


@pytest.mark.parametrize("address", ["Béla <bela@example.org>", "bela", "a@b, c@d"])
def test_one_address_is_named_and_no_more(young: None, address: str) -> None:
    done = acres("mail", "draft", "game-002.toml", "--to", address, home=Path("anna")).fails()
    assert "anna@example.org" in done.err
    assert not Path("game-002.eml").exists()


def test_an_answer_that_another_has_replaced_is_not_sent(in_the_game: None) -> None:
    assert apply(*PASSES).status == 0
    shutil.copy(ANSWER, "old-018.toml")
    assert apply(*OTHER, "--replace").status == 0
    done = acres("mail", "draft", "old-018.toml", home=Path("british")).fails()
    assert "a record 18 in your name that differs" in done.err
    assert not Path("old-018.eml").exists()


# --- drafts beside answers


def test_a_trial_writes_none(in_the_game: None) -> None:
    before = snapshot(Path())
    assert apply(*PASSES, "--mail", "--dry-run").status == 0
    assert snapshot(Path()) == before


def test_the_same_command_makes_the_draft_that_is_missing(in_the_game: None) -> None:
    assert apply(*PASSES).status == 0
    answer = ANSWER.read_bytes()
    apply(*PASSES, "--mail").succeeds()
    draft = DRAFT.read_bytes()
    assert ANSWER.read_bytes() == answer
    # And again, with nothing missing, or all of it.
    again = apply(*PASSES, "--mail")
    assert (again.status, DRAFT.read_bytes()) == (0, draft)
    assert "already exists" in again.out
    ANSWER.unlink()
    DRAFT.unlink()
    assert apply(*PASSES, "--mail").status == 0
    assert (ANSWER.read_bytes(), DRAFT.read_bytes()) == (answer, draft)


def test_it_makes_no_draft_of_another_answer(in_the_game: None) -> None:
    assert apply(*PASSES).status == 0
    before = snapshot(Path())
    assert "You already answered this file" in apply(*OTHER, "--mail").fails().err
    noted = apply(*PASSES, "--mail", "--note", "another note")
    assert (noted.status, "There is already a file game-018.toml" in noted.err) == (2, True)
    assert snapshot(Path()) == before


def test_the_same_acceptance_makes_the_draft_that_is_missing(young: None) -> None:
    answer = Path("game-001.toml").read_bytes()
    acres("join", "game-000.toml", "--mail", home=Path("bela")).succeeds()
    assert attached(letter("game-001.eml")) == ("game-001.toml", answer)
    assert Path("game-001.toml").read_bytes() == answer


def test_the_draft_of_a_replaced_answer_is_replaced(in_the_game: None) -> None:
    assert apply(*PASSES, "--mail").status == 0
    first = letter(DRAFT)["Message-ID"]
    assert apply(*OTHER, "--mail", "--replace").status == 0
    message = letter(DRAFT)
    assert message["Message-ID"] != first
    assert attached(message)[1] == ANSWER.read_bytes()


@pytest.mark.parametrize(
    "there", ["To: somebody@example.org\n\nMy letter", "", "Message-ID: <12345678.18.x@y>\n\n"]
)
def test_another_file_in_its_place_stops_everything(in_the_game: None, there: str) -> None:
    DRAFT.write_text(there)
    before = snapshot(Path())
    assert "There is already a file game-018.eml" in apply(*PASSES, "--mail").fails().err
    assert snapshot(Path()) == before
    # Without a draft there is no reason not to answer.
    assert apply(*PASSES).status == 0


def test_no_invitation_is_signed_where_its_draft_has_no_room(young: None) -> None:
    Path("next-000.eml").write_text("mine")
    before = snapshot(Path())
    new = ("new", "--side", "french", "--output", "next-000.toml", "--mail")
    acres(*new, home=Path("anna")).fails()
    assert snapshot(Path()) == before


def test_a_draft_is_never_written_over_a_file(young: None) -> None:
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


def test_a_full_disk_costs_the_draft(in_the_game: None, monkeypatch: pytest.MonkeyPatch) -> None:
    write = disk.NewFile._fill

    def fill(file: disk.NewFile, data: bytes) -> None:
        if file.path.suffix == ".eml":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(file, data)

    with monkeypatch.context() as full:
        full.setattr(disk.NewFile, "_fill", fill)
        done = apply(*PASSES, "--mail")
    assert (done.status, is_one_sentence(done.err)) == (2, True)
    assert os.strerror(errno.ENOSPC) in done.err
    again = "acres --home british mail draft game-018.toml"
    assert again in done.err
    assert "Your file game-018.toml is written" in done.err
    assert not DRAFT.exists()
    assert acres(*again.split()[1:]).status == 0
    assert attached(letter(DRAFT))[1] == ANSWER.read_bytes()


# --- with an account


ACCOUNT = """\
[mail]
address = "british@example.org"

[mail.smtp]
host = "mail.example.org"
"""


@pytest.mark.parametrize(
    ("settings", "is_told"),
    [(None, False), (ACCOUNT, True), ("[mail]\naddress = 5\n", True), ("[", True),
     (ACCOUNT.replace("smtp", "imap"), False)],
    ids=["none", "to send", "wrong", "damaged", "to fetch only"],
)  # fmt: skip
def test_how_to_send_is_told(in_the_game: None, settings: str | None, is_told: bool) -> None:
    """Sending says what is wrong with the settings."""
    if settings is not None:
        Path("british/config.toml").write_text(settings)
    done = apply(*PASSES).succeeds_quietly()
    send = "acres --home british mail send game-018.toml"
    assert (f"To send it from your account: {send}\n" in done.out) == is_told


@pytest.mark.usefixtures("in_the_game")
def test_a_draft_of_the_same_letter_in_another_language_or_to_others_stays_and_is_told() -> None:
    """The player may have written something into it."""
    assert acres("mail", "draft", "game-017.toml", home=Path("french")).status == 0
    before = snapshot(Path())
    for other in (["--lang", "fr"], []):
        to = [] if other else ["--to", "carla@example.org"]
        run = ["--home", "french", *other, "mail", "draft", "game-017.toml", *to]
        done = acres(*run).fails()
        assert "game-017.eml" in done.err
    assert "is already a draft of this message" in done.err
    assert snapshot(Path()) == before
