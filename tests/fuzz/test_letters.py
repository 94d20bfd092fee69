"""A bounded sample of letters; `python -m tests.fuzz letters` judges any number of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.play import message
from tests.fuzz.judging import ReaderError
from tests.fuzz.letters import Letter, letter
from tests.fuzz.reading import judge
from tests.sample import sample

LETTERS = 40


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(range(2), first=1))
def test_hostile_letters_are_read_or_refused_within_limits(seed: int) -> None:
    for number in range(LETTERS):
        judge(letter(seed, number))


def test_sample_has_every_kind_of_letter_and_outcome() -> None:
    """A sample without these kinds would prove nothing."""
    sample_letters = [letter("kinds", number) for number in range(60)]
    assert {one.how for one in sample_letters} == {
        "grammar",
        "changed",
        "headed",
        "beside",
        "wrapped",
    }
    assert {judge(one) for one in sample_letters} == {"found", "nothing", "refused"}


def test_some_letters_have_the_largest_size() -> None:
    assert any(letter("large", number).how == "large, grammar" for number in range(6000))


# --- broken readers


BEGUN = b'A: b\n\nformat = "acres-save"\n'


@pytest.mark.parametrize("error", [RecursionError, MemoryError, UnicodeError, KeyError])
def test_internal_error_is_a_refusal(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(message._Search, "_parse", fails)
    assert judge(Letter("", BEGUN)) == "refused"


def test_crashing_reader_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error comes from a part that normally handles its errors."""
    monkeypatch.setattr(message, "extract_files", lambda _: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        judge(Letter("", BEGUN))


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="nobody can tell")
def test_wasteful_reader_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message._Search, "_parse", lambda *_: len(b"x" * 120_000_000) < 0)
    with pytest.raises(ReaderError, match="takes more than 100 MB"):
        judge(Letter("", BEGUN))


def test_reader_that_overlooks_a_file_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    number = next(n for n in range(999) if letter(0, n).file)
    monkeypatch.setattr(message._Search, "_take", lambda *_, **__: None)
    with pytest.raises(ReaderError, match="not found"):
        judge(letter(0, number))
