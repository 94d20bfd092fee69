"""Versions that play the same games agree, and differences are reported."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from benchmarks.engine import ROOT
from tests.soak.compare import PACKAGES, Chunk, compare, main
from tests.soak.digests import digest
from tests.soak.digests import main as print_digests

OLD, NEW = Path("old"), Path("new")


@pytest.fixture
def changed_at(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, int], int]:
    """Return the steps at which games (kind and seed) differ in the newer of two fake trees."""
    changed: dict[tuple[str, int], int] = {}

    def lines(chunk: Chunk, tree: Path, *options: str) -> list[str]:
        step = changed.get(chunk[:2]) if tree == NEW else None
        if options:
            return [json.dumps(f"step {n}\n{n == step}") for n in range(5)]
        seeds = range(chunk.first, chunk.end)
        return [f"{seed} {tree == NEW and (chunk.kind, seed) in changed}" for seed in seeds]

    monkeypatch.setattr(Chunk, "lines", lines)
    return changed


def test_equal_games_agree(
    changed_at: dict[tuple[str, int], int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare(OLD, NEW, {"signed": 12, "engine": 3})
    assert capsys.readouterr().out.splitlines() == [
        "signed games 0 to 9: the same",
        "signed games 10 to 11: the same",
        "engine games 0 to 2: the same",
    ]


@pytest.mark.parametrize(("kind", "step"), [("signed", "record 3"), ("engine", "order 3")])
def test_first_difference_is_shown(
    kind: str, step: str, changed_at: dict[tuple[str, int], int], capsys: pytest.CaptureFixture[str]
) -> None:
    changed_at |= {(kind, 12): 3, (kind, 14): 1}
    assert not compare(OLD, NEW, {kind: 800})
    output = capsys.readouterr().out
    assert f"{kind} game 12 differs from {step} on:" in output
    assert "\n step 3\n-False\n+True\n" in output
    assert f"python -m tests.soak.digests {kind} 12 13 --steps" in output
    assert "game 14" not in output


def test_unknown_commit_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--against", "no-such-commit"]) == 1
    assert "no-such-commit" in capsys.readouterr().err


def test_each_game_has_a_line_with_its_digest(capsys: pytest.CaptureFixture[str]) -> None:
    print_digests(["engine", "4", "5"])
    assert capsys.readouterr().out == f"4 {digest('engine', 4)}\n"


@pytest.mark.long
def test_working_tree_agrees_with_itself() -> None:
    assert compare(ROOT, ROOT, {"signed": 2, "engine": 20})


@pytest.mark.long
@pytest.mark.parametrize(("kind", "step"), [("signed", "record"), ("engine", "order")])
def test_changed_price_of_a_card_is_detected(
    kind: str, step: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package)
    cards = tmp_path / "engine/data/empire-cards.toml"
    cards.write_text(cards.read_text().replace("cost = 2", "cost = 3"))
    assert not compare(tmp_path, ROOT, {kind: 1})
    assert f"{kind} game 0 differs from {step} " in capsys.readouterr().out
