"""`acres analyse`: a game that is over, looked back at by whoever has its last file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from engine.sides import Side
from pbem.play import keyfile
from pbem.play.analysis import Analysis, analyse
from pbem.play.robot import home_of_robot
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from tests.cli.test_output import assert_plain
from tests.cli.using import acres, do, is_one_sentence, snapshot
from tests.play.analysed import JUDGES, Blundered, blundered


@pytest.fixture(scope="module")
def game() -> Blundered:
    return blundered()


@pytest.fixture(scope="module")
def looked_at() -> Callable[..., Analysis]:
    """Somebody who looks at each game once, and quickly."""
    found: dict[tuple[bytes, int], Analysis] = {}

    def look(match: Match, known: Sequence[HiddenCards], **others: object) -> Analysis:
        which = (match.last.hash, len(known))
        if which not in found:
            found[which] = analyse(match, known, judges=JUDGES)
        return found[which]

    return look


@pytest.fixture
def folder(
    game: Blundered, looked_at: Callable[..., Analysis], here: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """With both files of the game."""
    monkeypatch.setattr("pbem.play.analysis.analyse", looked_at)
    (here / "before.toml").write_bytes(game.before.save.write())
    (here / "last.toml").write_bytes(game.last.save.write())
    return here


def test_anybody_can_look_back_at_a_game_that_is_closed(game: Blundered, folder: Path) -> None:
    before = snapshot(folder)
    told = do("analyse", "last.toml", home="nobody").out
    assert_plain(told, draws=True)
    assert "100% │" in told
    assert "▲" in told
    turn = game.turn
    changed = " ".join(told.partition("What changed the chances most\n")[2].split())
    assert re.search(
        rf"Turn {turn}: .*The chance of a British win fell from \d+% to \d+%\. "
        r".*“Anna \(practice\)” \(British\) had a winning chance of \d+% with “withdraw Quebec",
        changed,
    )
    # It writes nothing.
    assert snapshot(folder) == before


def test_a_game_that_is_being_played_is_not_looked_at(folder: Path, game: Blundered) -> None:
    keyfile.save(game.pair.identities[Side.FRENCH], Path("emile", "identity.toml"))
    refused = acres("analyse", "before.toml", home="emile")
    assert (refused.status, refused.out, is_one_sentence(refused.err)) == (2, "", True)
    assert "only against the robot" in refused.err
    # Who makes a robot of himself has no robot for an opponent.
    copied = home_of_robot(Path("emile")) / "identity.toml"
    copied.parent.mkdir()
    copied.write_bytes(Path("emile", "identity.toml").read_bytes())
    for command in (["analyse"], ["board", "--analysis", "--with-my-cards", "--page", "page.html"]):
        refused = acres(*command, "before.toml", home="emile")
        assert (refused.status, refused.out, is_one_sentence(refused.err)) == (2, "", True)
    # What the opponent held is not known to who looks on, before the game is closed.
    assert acres("analyse", "before.toml", home="nobody").status == 2


def test_a_game_with_ones_own_robot_is_seen_from_ones_seat(folder: Path, game: Blundered) -> None:
    """Also while it is played; and whoever else has its file is told nothing."""
    home, identities = Path("homes") / "emile", game.pair.identities
    keyfile.save(identities[Side.FRENCH], home / "identity.toml")
    keyfile.save(identities[Side.BRITISH], home_of_robot(home) / "identity.toml")
    facts = json.loads(do("analyse", "before.toml", "--json", home=home).out)
    assert facts["sides"] == ["french"]
    assert {each["side"] for each in facts["mistakes"]} <= {"french"}
    assert facts["winner"] is None
    told = do("analyse", "before.toml", home=home).out
    assert "Orders of “Anna (practice)” (British) are not judged" in told
    (home / "identity.toml").unlink()
    assert acres("analyse", "before.toml", home=home).status == 2


# --- on a page


def test_a_page_tells_no_more_than_it_shows(game: Blundered, folder: Path) -> None:
    """Chances tell of hands: a page that shows none has none."""
    home, identities = Path("homes") / "emile", game.pair.identities
    keyfile.save(identities[Side.FRENCH], home / "identity.toml")
    keyfile.save(identities[Side.BRITISH], home_of_robot(home) / "identity.toml")
    for options, who in (
        (["--page", "page.html"], home),
        (["--page", "page.html", "--with-my-cards"], Path("nobody")),
        (["--svg", "page.svg"], home),
    ):
        refused = acres("board", "before.toml", "--analysis", *options, home=who).fails()
        assert ("--with-my-cards" in refused.err) == (options == ["--page", "page.html"])
        assert not [*folder.glob("page.*")]
    do("board", "before.toml", "--analysis", "--page", "page.html", "--with-my-cards", home=home)
    assert "Orders of “Anna (practice)” (British) are not judged" in Path("page.html").read_text(
        "utf-8"
    )
