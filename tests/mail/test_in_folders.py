"""What lies in a folder is known after a look; what is known already costs next to nothing."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from pbem.mail.in_folders import look_through
from pbem.mail.intake import Came, Taker
from pbem.play.home import Home
from pbem.play.listed import in_order, meant, newest_files, the_one, waiting
from pbem.play.own_library import OwnLibrary
from tests.cli.using import do, public_key_in


class Place:
    """Anna's home, a folder in which her game lies, and one into which her mail program saves."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home, self.bela = folder, folder / "anna", folder / "bela"
        self.games, self.saved = folder / "games", folder / "saved"
        for each in (self.games, self.saved):
            each.mkdir()
        do("init", "--name", "Anna", home=self.home)
        do("init", "--name", "Bela", home=self.bela)
        self.invitation, self.joined = folder / "new-000.toml", self.games / "new-001.toml"
        do("new", "--side", "british", "--lists", 1, "--output", self.invitation, home=self.bela)
        home = Home(self.home)
        self.own = OwnLibrary(home.library_path, public_key_in(self.home), home.clock)

    def join(self) -> None:
        do("join", self.invitation, "--output", self.joined, home=self.home)

    def answer(self, to: Path) -> Path:
        do("turn", "apply", self.joined, "pass", "--output", to, home=self.bela)
        return to

    def look(self, *, anew: bool = False) -> Sequence[Came]:
        places = [self.games, self.saved]
        return look_through(self.own, places, self.home / "games", "acres", anew=anew)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_an_answer_beside_the_last_file_is_known_after_a_look(place: Place) -> None:
    place.join()
    assert waiting(place.own.listed().values()) == []
    answer = place.answer(place.games / "from bela.toml")
    (came,) = place.look()
    assert came.listed is not None and not came.is_warning
    (listed,) = waiting(place.own.listed().values())
    assert newest_files(listed)[0] == answer
    assert place.look() == []


def test_a_file_is_read_once_until_it_changes(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.join()
    place.answer(place.saved / "from bela.toml")
    place.look()
    read: list[Path] = []

    def noted(self: Taker, path: Path) -> list[Came]:
        read.append(path)
        return []

    monkeypatch.setattr(Taker, "take_in", noted)
    place.look()
    assert read == []
    (place.saved / "from bela.toml").write_text("something else")
    place.look()
    assert read == [place.saved / "from bela.toml"]


def test_a_file_that_was_still_being_written_is_read_again(place: Place) -> None:
    place.join()
    whole = place.answer(place.folder / "whole.toml").read_bytes()
    half = place.saved / "half.toml"
    half.write_bytes(whole[: len(whole) // 2])
    assert all(each.is_warning for each in place.look())
    half.write_bytes(whole)
    (came,) = place.look()
    assert came.listed is not None


def test_an_invitation_comes_until_it_is_taken_up(place: Place) -> None:
    shutil.copy(place.invitation, place.saved)
    for _ in range(2):
        (came,) = place.look()
        assert came.invitation == place.saved / place.invitation.name
    place.join()
    assert place.look() == []


def test_what_is_no_game_is_no_news_and_a_damaged_one_is_told_once(place: Place) -> None:
    place.join()
    (place.saved / "settings.toml").write_text("[a]\nb = 1\n")
    (place.saved / "letter.eml").write_text("Subject: hello\n\nNothing here.\n")
    (place.saved / "broken.toml").write_text('format = "acres-save"\nthis is no TOML\n')
    (came,) = place.look()
    assert came.is_warning and "broken.toml" in str(came.told)
    assert place.look() == []


def test_a_folder_of_5000_known_files_costs_milliseconds(place: Place) -> None:
    place.join()
    for number in range(5000):
        (place.saved / f"settings {number}.toml").write_text("a = 1\n")
    place.look()
    best = min(_seconds(place) for _ in range(3))
    assert best < 0.1


def _seconds(place: Place) -> float:
    began = time.process_time()
    assert place.look() == []
    return time.process_time() - began


# --- which game is meant


def test_games_are_meant_by_number_name_and_digits(place: Place) -> None:
    place.join()
    games = in_order(place.own.listed().values())
    (game,) = games
    digits = game.id.hex()
    for word in ("1", "Bela", "BÉLA", "bel", digits, digits[:6]):
        assert meant(games, word) == [game], word
    for word in ("2", "0", "Anna", "ela", "x"):
        assert meant(games, word) == [], word
    assert meant(games, "bel", whole=True) == []
    assert the_one(games) == game
    assert the_one([game, game]) is None
