"""`acres mail fetch` tells by which key somebody plays, before anything is answered."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pbem.text.phrases import fingerprint
from tests.cli.using import acres, public_key_in
from tests.mail.arriving import letter
from tests.mail.players import Player, address_of, begun

BELA = f"Bela <{address_of('Bela')}>"


@pytest.mark.parametrize(
    ("who", "trust", "told"),
    [
        # A friend, whom Anna knows because she has played with him.
        ("Bela", "known", "Bela invites you to a game"),
        ("another game", "first", "by this key for the first time: {new}."),
        # Somebody in his name, with his address or another one.
        ("bela@example.org", "changed", f"you know {BELA} by {{known}}, and in this file"),
        ("bela@example.org accepts", "changed", "{new}. It is a new key of theirs, or somebody"),
        ("another@example.org", "namesake", f"else of that name: {BELA}, {{known}}."),
    ],
)
def test_who_wrote_it_is_told(
    anna: Player, bela: Player, played: dict[int, Path], tmp_path: Path,
    who: str, trust: str, told: str
) -> None:  # fmt: skip
    home, file, email = tmp_path / "stranger", tmp_path / "other-000.toml", who.partition(" ")[0]
    known = public_key_in(played[2].parent / "Bela")
    if who != "another game":
        anna.do("games", "add", played[2])
    if "@" not in who:
        home = bela.home
    else:
        assert acres("init", "--name", "Bela", "--email", email, home=home).status == 0
    if who == "another game":
        file = played[1]
    elif who.endswith("accepts"):
        file = begun(anna.home, home, tmp_path)
    else:
        acres("new", "--side", "british", "--lists", 16, "--output", file, home=home)
    new = public_key_in(home)
    anna.office.deliver(anna.address, letter(file.read_bytes(), name=file.name))
    again = shutil.copytree(anna.home, tmp_path / "again")
    said = " ".join(anna.do("mail", "fetch").out.split())
    shutil.rmtree(anna.home)
    again.rename(anna.home)
    (facts,) = json.loads(anna.do("mail", "fetch", "--json").out)
    opponent = facts["opponent"]
    assert (opponent["trust"], opponent["key"]) == (trust, new.hex())
    changed = trust in ("changed", "namesake")
    assert opponent["known_key"] == (known.hex() if changed else None)
    assert told.format(new=str(fingerprint(new)), known=str(fingerprint(known))) in said
    assert trust != "known" or "key" not in said
