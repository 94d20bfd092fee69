"""What a player is asked is answered in English, or in the language that is spoken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from gettext import NullTranslations
from pathlib import Path

import pytest

from engine.message import mark
from pbem.cli import answers
from pbem.cli.console import spoken
from pbem.cli.main import commands
from tests.cli.using import acres

ITALIAN = {"y": "s", "yes": "sì", "n": "n", "no": "no", "british": "inglesi", "french": "francesi"}


class Dictionary(NullTranslations):
    """A catalogue of single words."""

    def __init__(self, words: Mapping[str, str]) -> None:
        super().__init__()
        self.words = words

    def pgettext(self, context: str, message: str) -> str:
        return self.words.get(message, message)


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., list[str]]]:
    """Have questions answered so, in a language with these words; gives what is asked."""

    def begin(typed: Iterable[str], words: Mapping[str, str] = ITALIAN) -> list[str]:
        asked: list[str] = []
        left = list(typed)

        def answer(prompt: str) -> str:
            asked.append(prompt)
            return left.pop(0)

        monkeypatch.setattr("pbem.text.language._catalogue", lambda language: Dictionary(words))
        monkeypatch.setattr("pbem.cli.console.is_terminal", lambda: True)
        monkeypatch.setattr("builtins.input", answer)
        return asked

    yield begin
    # What was made in these words is of use to no other test.
    commands.cache_clear()


def agreed() -> bool:
    with spoken("it"):
        return answers.ask_yes("Seal it?", mark("{yes} seals it, {no} does not."))


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("s", True),
        ("Sì", True),
        ("si", True),
        (" y ", True),
        ("YES", True),
        ("n", False),
        ("no", False),
    ],
)
def test_yes_and_no_are_understood_in_english_and_in_the_language_spoken(
    answering: Callable[..., list[str]], typed: str, answer: bool
) -> None:
    asked = answering([typed])
    assert agreed() is answer
    assert asked == ["Seal it? [s/n] "]


def test_other_answers_are_answered_in_the_letters_of_the_language(
    answering: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    asked = answering(["", "si?", "oui", "n"])
    assert agreed() is False
    assert len(asked) == 4
    assert capsys.readouterr().out.splitlines() == ["s seals it, n does not."] * 3


def test_a_letter_that_is_yes_in_one_language_and_no_in_the_other_is_asked_back(
    answering: Callable[..., list[str]],
) -> None:
    contrary = {"y": "n", "yes": "ne", "n": "o", "no": "ochi"}
    answering(["n", "N", "ochi", "n", "ne"], contrary)
    assert (agreed(), agreed()) == (False, True)


@pytest.fixture
def two_homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the homes of two, and an invitation that leaves the side open."""
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        acres("init", "--name", name, "--email", "", home=tmp_path / name)
    acres("new", "--side", "any", "--output", "open.toml", home=tmp_path / "one")
    return tmp_path


@pytest.mark.parametrize(
    ("typed", "side"),
    [("ing", "british"), ("British", "british"), ("FRANCESI", "french"), ("f", "french")],
)
def test_a_side_is_chosen_by_its_name_in_either_language(
    answering: Callable[..., list[str]],
    two_homes: Path,
    typed: str,
    side: str,
) -> None:
    asked = answering([typed])
    acres("--lang", "it", "join", "open.toml", "--output", "answer.toml", home=two_homes / "two")
    assert asked == ["Which side do you take, inglesi or francesi? "]
    assert f'side = "{side}"' in (two_homes / "answer.toml").read_text()


def test_a_side_may_be_typed_without_its_accents(
    answering: Callable[..., list[str]], two_homes: Path
) -> None:
    asked = answering(["FRANCAIS"], {"british": "britanniques", "french": "français"})
    acres("--lang", "fr", "join", "open.toml", "--output", "answer.toml", home=two_homes / "two")
    assert len(asked) == 1
    assert 'side = "french"' in (two_homes / "answer.toml").read_text()


def test_names_that_begin_alike_are_asked_back(
    answering: Callable[..., list[str]], two_homes: Path
) -> None:
    # The name of one side begins as the English name of the other.
    asked = answering(["f", "french"], {"british": "foreigners", "french": "gauls"})
    acres("--lang", "it", "join", "open.toml", "--output", "answer.toml", home=two_homes / "two")
    assert len(asked) == 2
    assert 'side = "french"' in (two_homes / "answer.toml").read_text()
