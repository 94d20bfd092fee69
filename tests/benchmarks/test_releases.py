"""Ratios that have become worse since the last release are flagged."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks import engine
from benchmarks.releases import Release
from benchmarks.timing import Claim

APPLY = "turn apply / importing"
LAST = Release("0.9.0", {APPLY: 2.0})


@pytest.mark.parametrize(
    ("now", "worse"), [(1.0, False), (2.0, False), (2.39, False), (2.41, True), (20.0, True)]
)
def test_ratio_worse_by_more_than_a_fifth_is_flagged(now: float, worse: bool) -> None:
    claim = Claim(APPLY, now, "x")
    assert LAST.is_worse(claim) is worse
    assert ("WORSE" in LAST.comparison(claim)) is worse
    assert "0.9.0: 2.00x" in LAST.comparison(claim)


def test_new_or_noisy_claims_are_not_compared() -> None:
    for claim in (
        Claim("turn show / importing", 50.0, "x"),
        Claim(APPLY, 50.0, " s"),
        Claim(APPLY, 50.0, "x", is_noise=True),
    ):
        assert not LAST.is_worse(claim)
        assert LAST.comparison(claim) == ""


def test_highest_version_is_the_last_release(tmp_path: Path) -> None:
    for version, ratio in (("0.9.0", 2.0), ("0.10.0", 3.0), ("0.2.0", 4.0)):
        claims = [Claim(APPLY, ratio, "x"), Claim("memory", 99.0, " MB"), Claim("files", 1.5)]
        Release.from_claims(version, claims).save(tmp_path)
    last = Release.last(tmp_path)
    assert last == Release("0.10.0", {APPLY: 3.0, "files": 1.5})
    assert last.missing_claims([Claim("files", 1.5)]) == [APPLY]


def test_folder_without_releases_has_no_last_release(tmp_path: Path) -> None:
    assert Release.last(tmp_path) is None


@pytest.mark.parametrize("version", ["", "next", "1.x", "../1"])
def test_wrong_version_is_refused_before_measuring(version: str) -> None:
    with pytest.raises(ValueError):
        benchmarks.main(["--save", version])


def test_no_release_is_made_while_a_translation_is_open(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(benchmarks, "list_open", lambda: True)
    monkeypatch.setattr(benchmarks, "claims", lambda: pytest.fail("nothing is to be measured"))
    assert benchmarks.main(["--save", "9.9.9"]) == 1
    assert "translation is open" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("now", "bound", "status"), [(2.1, 2.2, 0), (2.1, 2.0, 1), (2.9, 3.0, 1), (2.9, None, 1)]
)
def test_command_fails_for_a_missed_bound_or_a_worse_ratio(
    monkeypatch: pytest.MonkeyPatch, now: float, bound: float | None, status: int
) -> None:
    def claims() -> Iterator[Claim]:
        yield Claim(APPLY, now, "x", bound)

    monkeypatch.setattr(benchmarks, "claims", claims)
    monkeypatch.setattr(engine, "measure", dict)
    monkeypatch.setattr(engine, "summary", lambda figures: "")
    monkeypatch.setattr(Release, "last", lambda: LAST)
    assert benchmarks.main([]) == status


def test_figures_of_the_last_release_are_committed() -> None:
    last = Release.last()
    assert last is not None
    assert all(ratio > 0 for ratio in last.ratios.values())
