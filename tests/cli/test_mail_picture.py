"""`--picture`: a message with a picture of the public position."""

from __future__ import annotations

import mailbox
import struct
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from pbem.board.picture import EMAIL_WIDTH, render_png
from pbem.play.game_file import GameFile
from pbem.play.look import Look
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import scenes
from pbem.text.language import Language
from tests.cli.commands import PASSES, acres, apply, snapshot
from tests.mail.parts import content_of

ANSWER, DRAFT = Path("game-018.toml"), Path("game-018.eml")
BRITISH = Path("british")


def parts_of(draft: Path) -> tuple[bytes, bytes]:
    """Return the file and the picture in a draft, after checking their names."""
    letter = message_from_bytes(draft.read_bytes(), policy=policy.default)
    file, picture = letter.iter_attachments()
    names = [part.get_filename() for part in (file, picture)]
    assert names == [str(draft.with_suffix(".toml")), str(draft.with_suffix(".png"))]
    assert picture.get_content_type() == "image/png"
    return content_of(file), bytes(picture.get_content())


@pytest.fixture
def fast_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the rendering of a picture by the text of its drawing, to save time."""
    monkeypatch.setattr(
        "resvg_py.svg_to_bytes", lambda svg_string, **_: b"\x89PNG\r\n\x1a\n" + svg_string.encode()
    )


# --- the picture


@pytest.mark.slow
def test_picture_is_reproducible_from_the_file_alone(in_game_folder: None) -> None:
    # So the picture has nothing that only its author knows.
    assert apply(*PASSES, "--mail", "--picture").status == 0
    file, picture = parts_of(DRAFT)
    assert file == ANSWER.read_bytes()
    match = GameFile.read(file).match
    (*_, last) = scenes(Chronicle(Look(match)))
    assert picture == render_png(last, match, Language("en"), EMAIL_WIDTH)
    assert struct.unpack(">I", picture[16:20]) == (EMAIL_WIDTH,)


@pytest.mark.usefixtures("fast_drawing", "in_game_folder")
def test_picture_is_drawn_in_the_language_of_its_author() -> None:
    draft = ("mail", "draft", "game-016.toml", "--picture")
    assert acres("--lang", "fr", "--home", BRITISH, *draft).status == 0
    letter = message_from_bytes(Path("game-016.eml").read_bytes(), policy=policy.default)
    *_, picture = letter.iter_attachments()
    assert "Britanniques" in picture.get_payload(decode=True).decode("latin-1")  # type: ignore[union-attr]


# --- reading


@pytest.mark.slow
@pytest.mark.usefixtures("in_game_folder")
def test_message_with_a_picture_is_read_like_its_file() -> None:
    # Read a message, one with Unix line ends, a mailbox, and a folder of mail.
    # The library of the copied game knows the original paths.
    assert acres("games", "add", "game-016.toml", home=BRITISH).status == 0
    draft = ("mail", "draft", "game-017.toml", "--picture")
    assert acres(*draft, home=Path("french")).status == 0
    sent = Path("game-017.eml").read_bytes()
    Path("unix.eml").write_bytes(sent.replace(b"\r\n", b"\n"))
    for box in (mailbox.mbox("Inbox"), mailbox.Maildir("Maildir")):
        box.add(sent)
        box.close()
    plain = acres("turn", "show", "game-017.toml", home=BRITISH).succeeds_quietly()
    for name in ("game-017.eml", "unix.eml", "Inbox", "Maildir"):
        result = acres("turn", "show", name, home=BRITISH).succeeds_quietly()
        assert result.out.replace(name, "game-017.toml") == plain.out
    assert acres("audit", "unix.eml", home=BRITISH).status == 0
    assert apply(*PASSES, file="game-017.eml").status == 0
    assert GameFile.read(ANSWER.read_bytes()).match.last.index == 18


# --- drafts, and refused combinations


@pytest.mark.usefixtures("fast_drawing", "in_game_folder")
def test_draft_with_a_picture_is_kept_and_not_replaced_by_a_plain_draft() -> None:
    draft = ("mail", "draft", "game-016.toml")
    assert acres(*draft, "--picture", home=BRITISH).status == 0
    before = snapshot(Path())
    acres(*draft, "--picture", home=BRITISH).succeeds()
    acres(*draft, home=BRITISH).fails()
    assert snapshot(Path()) == before


@pytest.mark.usefixtures("in_game_folder")
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
def test_picture_without_a_draft_is_refused_before_signing(words: tuple[str, ...]) -> None:
    before = snapshot(Path())
    acres(*words, "--picture", home=BRITISH).fails()
    assert snapshot(Path()) == before
