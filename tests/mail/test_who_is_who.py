"""`acres mail fetch` tells by which key somebody plays, before anything is answered."""

import json
import shutil
from pathlib import Path

import pytest

from pbem.words.phrases import fingerprint
from tests.cli.using import acres, public_key_in
from tests.mail.arriving import letter
from tests.mail.players import Player, address_of, begun


@pytest.fixture
def known(anna: Player, played: dict[int, Path]) -> bytes:
    """Anna knows Bela, because she has played with him."""
    anna.do("games", "add", played[2])
    return public_key_in(played[2].parent / "Bela")


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    """Somebody who calls himself Bela, and writes from his address."""
    home = tmp_path / "stranger"
    done = acres("init", "--name", "Bela", "--email", address_of("Bela"), home=home)
    assert done.status == 0, done.err
    return home


def invitation(home: Path, folder: Path) -> Path:
    file = folder / "other-000.toml"
    acres("new", "--side", "british", "--lists", 16, "--output", file, home=home)
    return file


def fetched(player: Player, file: Path) -> tuple[str, dict[str, str | None]]:
    player.office.deliver(player.address, letter(file.read_bytes(), name=file.name))
    again = shutil.copytree(player.home, player.home.with_name("again"))
    told = " ".join(player.do("mail", "fetch").out.split())
    shutil.rmtree(player.home)
    again.rename(player.home)
    return told, json.loads(player.do("mail", "fetch", "--json").out)[-1]["opponent"]


@pytest.mark.parametrize("way", ["invites", "accepts"])
def test_a_stranger_in_a_friends_name(
    anna: Player, known: bytes, stranger: Path, tmp_path: Path, way: str
) -> None:
    file = (
        invitation(stranger, tmp_path) if way == "invites" else begun(anna.home, stranger, tmp_path)
    )
    told, facts = fetched(anna, file)
    new = public_key_in(stranger)
    assert f"you know Bela <bela@example.org> by {fingerprint(known)!s}, and in this file" in told
    assert f"has {fingerprint(new)!s}. It is a new key of theirs, or somebody else" in told
    assert facts["trust"] == "changed"
    assert (facts["key"], facts["known_key"]) == (new.hex(), known.hex())


def test_a_friend(anna: Player, bela: Player, known: bytes, tmp_path: Path) -> None:
    told, facts = fetched(anna, invitation(bela.home, tmp_path))
    assert "Bela invites you to a game" in told
    assert "key" not in told
    assert (facts["trust"], facts["known_key"]) == ("known", None)


def test_somebody_new(anna: Player, joined: Path) -> None:
    told, facts = fetched(anna, joined)
    key = public_key_in(joined.parents[1] / "home-Bela")
    assert f"by this key for the first time: {fingerprint(key)!s}." in told
    assert (facts["trust"], facts["key"]) == ("first", key.hex())


def test_somebody_else_of_that_name(anna: Player, known: bytes, tmp_path: Path) -> None:
    home = tmp_path / "namesake"
    acres("init", "--name", "Bela", "--email", "another@example.org", home=home)
    told, facts = fetched(anna, invitation(home, tmp_path))
    assert f"This is Bela <another@example.org>, {fingerprint(public_key_in(home))!s}." in told
    assert f"somebody else of that name: Bela <bela@example.org>, {fingerprint(known)!s}." in told
    assert (facts["trust"], facts["known_key"]) == ("namesake", known.hex())
