"""A bounded sample of mutants; `python -m tests.fuzz mutants` judges any number of them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pytest

from pbem.protocol.match import Match, ProgressCallback
from pbem.protocol.record import Record
from pbem.savefile.save_file import SaveFile
from tests.cli.commands import acres
from tests.fuzz.games import NAMES, find_game, games
from tests.fuzz.judging import ReaderError, check_behaviour, judge
from tests.fuzz.mutants import Mutant, Mutator
from tests.play.matches import sign_as
from tests.sample import sample
from tests.vectors.naive_deck import RuleError

MUTANTS = 60


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(4), first=1))
def test_mutants_are_refused_or_mean_what_they_say(seed: int) -> None:
    for game, mutant in islice(Mutator(games(), seed), MUTANTS):
        judge(game, mutant)


@pytest.mark.slow
def test_sample_has_every_kind_of_mutant_and_outcome() -> None:
    """A sample without these kinds would prove nothing."""
    signed = {f"{how}, {who}" for how in ("record", "value") for who in ("author", "stranger")}
    missing = signed | {"byte", "line", "value", "record, not signed", "value, not signed"}
    missing |= {"unreadable", "refused", "same", "another"}
    for game, mutant in islice(Mutator(games(), "kinds"), 250):
        missing -= {mutant.how, judge(game, mutant)}
        if not missing:
            break
    assert not missing


@pytest.mark.parametrize("name", NAMES)
def test_unchanged_file_is_accepted(name: str) -> None:
    game = find_game(name)
    assert judge(game, Mutant("not at all", game.data)) == "same"


# --- broken readers


@pytest.mark.parametrize("check", ["check_signature", "check_link"])
def test_reader_without_a_check_is_caught(check: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"pbem.protocol.match.{check}", lambda *_: None)
    # Without the link the reader may also fail at a missing invitation.
    with pytest.raises((ReaderError, RuleError, ValueError)):
        for game, mutant in islice(Mutator(games(), check), 1000):
            judge(game, mutant)


def test_reader_that_disagrees_with_the_naive_one_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pbem.protocol.match.check_time", lambda *_: None)
    game = find_game("second")
    *before, last = game.save.records
    author = game.authors[last.index % 2]
    early = sign_as(author, last, time="2020-01-01T00:00:00Z")
    mutant = Mutant("value, author", SaveFile((*before, early)).write(), author)
    with pytest.raises(RuleError):
        judge(game, mutant)


def test_reader_that_drops_a_record_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache skips checks, but the game stays the same."""
    game = find_game("second")
    replayed = Match._replay

    def remembering(self: Match, records: Sequence[Record], progress: ProgressCallback) -> Match:
        return replayed(self, records[: -1 if self._verified else None], progress)

    monkeypatch.setattr(Match, "_replay", remembering)
    with pytest.raises(ReaderError, match="sees another game"):
        judge(game, Mutant("not at all", game.data))


def test_reader_that_writes_hangs_or_wastes_memory_is_caught(tmp_path: Path) -> None:
    with pytest.raises(ReaderError, match="writes"), check_behaviour():
        (tmp_path / "a").write_text("a")
    with pytest.raises(ReaderError, match="takes more"), check_behaviour(0.05):
        until = time.process_time() + 1
        while time.process_time() < until:
            pass
    if Path("/proc/self/clear_refs").exists():
        with pytest.raises(ReaderError, match="takes more than 150 MB"), check_behaviour():
            len(b"x" * 160_000_000)


# --- commands


@pytest.mark.slow
def test_commands_show_accepted_mutants(tmp_path: Path) -> None:
    """The commands for reading show every file that is accepted."""
    count = 0
    for game, mutant in islice(Mutator(games(), "told"), 4000):
        if count == 3:
            break
        if mutant.signer not in game.authors or len(game.save.records) < 3:
            continue
        if judge(game, mutant) == "another":
            count += 1
            path = tmp_path / f"{count}.toml"
            path.write_bytes(mutant.data)
            for words in (("turn", "show"), ("audit",), ("log",)):
                result = acres(*words, path, home=tmp_path / "home")
                assert result.status == 0, (words, result.err)
    assert count == 3
    assert not (tmp_path / "home").exists()
