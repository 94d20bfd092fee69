"""Questions can be answered in English or in the player's language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from gettext import NullTranslations
from pathlib import Path

import pytest

from engine.message import mark
from pbem.cli import prompts
from pbem.cli.console import use_language
from pbem.cli.main import commands
from tests.cli.commands import acres

AnswerPrompts = Callable[..., list[str]]
ITALIAN = {"y": "s", "yes": "sì", "n": "n", "no": "no", "british": "inglesi", "french": "francesi"}


class Dictionary(NullTranslations):
    """A catalogue of single words."""

    def __init__(self, words: Mapping[str, str]) -> None:
        super().__init__()
        self.words = words

    def pgettext(self, context: str, message: str) -> str:
        return self.words.get(message, message)


@pytest.fixture
def answer_prompts(monkeypatch: pytest.MonkeyPatch) -> Iterator[AnswerPrompts]:
    """Answer questions in a language with these words; returns the prompts."""

    def start(typed: Iterable[str], words: Mapping[str, str] = ITALIAN) -> list[str]:
        questions: list[str] = []
        answers = list(typed)

        def answer(prompt: str) -> str:
            questions.append(prompt)
            return answers.pop(0)

        monkeypatch.setattr("pbem.text.language._catalogue", lambda language: Dictionary(words))
        monkeypatch.setattr("pbem.cli.console.is_terminal", lambda: True)
        monkeypatch.setattr("builtins.input", answer)
        return questions

    yield start
    # Cached commands have texts in the language of this test.
    commands.cache_clear()


def ask_yes() -> bool:
    with use_language("it"):
        return prompts.ask_yes("Seal it?", mark("{yes} seals it, {no} does not."))


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
def test_yes_and_no_are_accepted_in_both_languages(
    answer_prompts: AnswerPrompts, typed: str, answer: bool
) -> None:
    questions = answer_prompts([typed])
    assert ask_yes() is answer
    assert questions == ["Seal it? [s/n] "]


def test_other_answers_repeat_the_question(
    answer_prompts: AnswerPrompts, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = answer_prompts(["", "si?", "oui", "n"])
    assert ask_yes() is False
    assert len(questions) == 4
    assert capsys.readouterr().out.splitlines() == ["s seals it, n does not."] * 3


def test_letter_for_both_yes_and_no_repeats_the_question(answer_prompts: AnswerPrompts) -> None:
    contrary = {"y": "n", "yes": "ne", "n": "o", "no": "ochi"}
    answer_prompts(["n", "N", "ochi", "n", "ne"], contrary)
    assert not ask_yes()
    assert ask_yes()


@pytest.fixture
def two_homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the homes of two, and an invitation that leaves the side open."""
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        acres("init", "--name", name, "--email", "", home=tmp_path / name)
    acres("new", "--side", "any", "--output", "open.toml", home=tmp_path / "one")
    return tmp_path


FRENCH = {"british": "britanniques", "french": "français"}
# The name of each side has the same first letter as the English name of the other.
ALIKE = {"british": "foreigners", "french": "gauls"}


@pytest.mark.parametrize(
    ("typed", "words", "side"),
    [
        (["ing"], ITALIAN, "british"),
        (["British"], ITALIAN, "british"),
        (["FRANCESI"], ITALIAN, "french"),
        (["f"], ITALIAN, "french"),
        (["FRANCAIS"], FRENCH, "french"),
        (["f", "french"], ALIKE, "french"),
    ],
)
def test_side_is_chosen_by_its_name_in_any_language(
    answer_prompts: AnswerPrompts,
    two_homes: Path,
    typed: list[str],
    words: Mapping[str, str],
    side: str,
) -> None:
    questions = answer_prompts(typed, words)
    acres("--lang", "it", "join", "open.toml", "--output", "answer.toml", home=two_homes / "two")
    question = f"Which side do you take, {words['british']} or {words['french']}? "
    assert questions == [question] * len(typed)
    assert f'side = "{side}"' in (two_homes / "answer.toml").read_text()
