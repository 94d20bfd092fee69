"""`--picture`: the letter carries the position of its file as everybody may see it, no more."""

from __future__ import annotations

import mailbox
import struct
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from engine.sides import Side
from pbem.board.picture import LETTER_WIDTH, picture_of, png
from pbem.play.game_file import GameFile
from pbem.play.look import Look
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import scenes
from pbem.text.language import NAMES, Language
from tests.board.games import CLOSED, practice_game
from tests.board.pages import seats
from tests.board.test_secrets import anonymous, check_has_none, dealt, hands, hidden
from tests.cli.using import PASSES, acres, apply, snapshot
from tests.mail.parts import body_of, content_of
from tests.sample import sample

ANSWER, DRAFT = Path("game-018.toml"), Path("game-018.eml")
MOST = 300_000
BRITISH = Path("british")


def pictured(draft: Path) -> tuple[bytes, bytes]:
    """The file and the picture of the letter in a draft, which have the names of the draft."""
    letter = message_from_bytes(draft.read_bytes(), policy=policy.default)
    file, picture = letter.iter_attachments()
    names = [part.get_filename() for part in (file, picture)]
    assert names == [str(draft.with_suffix(".toml")), str(draft.with_suffix(".png"))]
    assert picture.get_content_type() == "image/png"
    assert "The attached picture shows where the game stands." in body_of(letter)
    found = picture.get_payload(decode=True)
    assert isinstance(found, bytes)
    return content_of(file), found


@pytest.fixture
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture is what would be drawn, which takes no time."""
    monkeypatch.setattr(
        "pbem.board.picture.resvg_py.svg_to_bytes",
        lambda svg_string, **_: b"\x89PNG\r\n\x1a\n" + svg_string.encode(),
    )


# --- what it shows


def test_whoever_has_only_the_file_draws_the_same_picture(in_the_game: None) -> None:
    """So there is nothing in it that its author alone knows, and it is of what was sent."""
    assert apply(*PASSES, "--mail", "--picture").status == 0
    file, picture = pictured(DRAFT)
    assert file == ANSWER.read_bytes()
    match = GameFile.read(file).match
    (*_, last) = scenes(Chronicle(Look(match)))
    assert picture == png(last, match, Language("en"), LETTER_WIDTH)
    assert struct.unpack(">I", picture[16:20]) == (LETTER_WIDTH,)


@pytest.mark.usefixtures("quickly")
def test_with_other_hidden_hands_the_picture_is_the_same() -> None:
    one, other = dealt(1), dealt(2)
    assert all(hands(one)[side] != hands(other)[side] for side in Side)
    drawn = [
        anonymous(match, picture_of(match, Language("en")).decode("latin-1"))
        for match in (one, other)
    ]
    assert drawn[0] == drawn[1]
    for seat in seats(one, 0).values():
        assert hidden(one, seat)
        check_has_none(drawn[0], seat.secret, *(nonce for _, nonce in hidden(one, seat)))


@pytest.mark.parametrize("language", sample(["ru", "en"], first=1))
def test_the_picture_of_a_long_game_is_no_burden(language: str) -> None:
    assert language in NAMES
    match = practice_game(CLOSED)
    fullest = max(scenes(Chronicle(Look(match))), key=lambda s: len(s.facts.sieges))
    assert len(png(fullest, match, Language(language), LETTER_WIDTH)) <= MOST


@pytest.mark.usefixtures("quickly", "in_the_game")
def test_it_is_drawn_in_the_language_of_whoever_writes() -> None:
    draft = ("mail", "draft", "game-016.toml", "--picture")
    assert acres("--lang", "fr", "--home", BRITISH, *draft).status == 0
    letter = message_from_bytes(Path("game-016.eml").read_bytes(), policy=policy.default)
    *_, picture = letter.iter_attachments()
    assert "Britanniques" in picture.get_payload(decode=True).decode("latin-1")  # type: ignore[union-attr]
    for said in ("L’image jointe montre où en est la partie.", "The attached picture shows"):
        assert said in body_of(letter)


# --- the letter is read as one without a picture


@pytest.mark.usefixtures("in_the_game")
def test_a_letter_with_a_picture_is_taken_as_its_file_is() -> None:
    """As a message, as Unix keeps it, out of a mailbox and a folder of mail; the answer, too."""
    # The library of the copied game knows its files where the first ones lie.
    assert acres("games", "add", "game-016.toml", home=BRITISH).status == 0
    draft = ("mail", "draft", "game-017.toml", "--picture")
    assert acres(*draft, home=Path("french")).status == 0
    sent = Path("game-017.eml").read_bytes()
    Path("unix.eml").write_bytes(sent.replace(b"\r\n", b"\n"))
    for kept in (mailbox.mbox("Inbox"), mailbox.Maildir("Maildir")):
        kept.add(sent)
        kept.close()
    plain = acres("turn", "show", "game-017.toml", home=BRITISH).succeeds_quietly()
    for name in ("game-017.eml", "unix.eml", "Inbox", "Maildir"):
        shown = acres("turn", "show", name, home=BRITISH).succeeds_quietly()
        assert shown.out.replace(name, "game-017.toml") == plain.out
    assert "Everything in this file is proved." in acres("audit", "unix.eml", home=BRITISH).out
    assert apply(*PASSES, file="game-017.eml").status == 0
    assert GameFile.read(ANSWER.read_bytes()).match.last.index == 18


# --- drafts, and what does not go together


@pytest.mark.usefixtures("quickly", "in_the_game")
def test_the_same_again_is_there_already_and_without_a_picture_is_another_draft() -> None:
    draft = ("mail", "draft", "game-016.toml")
    assert acres(*draft, "--picture", home=BRITISH).status == 0
    before = snapshot(Path())
    assert "already exists" in acres(*draft, "--picture", home=BRITISH).succeeds().out
    assert "another picture" in acres(*draft, home=BRITISH).fails().err
    assert snapshot(Path()) == before


def test_an_invitation_has_no_board(here: Path) -> None:
    home = Path("anna")
    assert acres("init", "--name", "Anna", home=home).status == 0
    assert acres("new", "--side", "any", "--output", "g-000.toml", home=home).status == 0
    done = acres("mail", "draft", "g-000.toml", "--picture", home=home).fails()
    assert "there will be a board once it is accepted" in done.err
    assert not Path("g-000.eml").exists()


@pytest.mark.usefixtures("in_the_game")
@pytest.mark.parametrize(
    "words",
    [
        ("turn", "apply", "game-017.toml", *PASSES),
        ("turn", "resign", "game-017.toml", "--yes"),
        ("join", "game-000.toml"),
        ("mail", "send", "game-016.toml", "--by-hand"),
    ],
    ids=" ".join,
)
def test_without_a_letter_there_is_no_picture_and_nothing_is_signed(words: tuple[str, ...]) -> None:
    before = snapshot(Path())
    assert "--picture" in acres(*words, "--picture", home=BRITISH).fails().err
    assert snapshot(Path()) == before


@pytest.mark.usefixtures("in_the_game")
def test_a_trial_draws_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.board.picture.png", None)
    apply(*PASSES, "--dry-run", "--mail", "--picture").succeeds_quietly()
    assert not DRAFT.exists()
