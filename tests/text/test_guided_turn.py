"""The guided turn in another language: typed words and printed texts."""

import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from random import Random

import pytest

from engine.message import Phrase
from engine.orders import ORDERS
from pbem.cli import console
from pbem.cli.guided import turn
from pbem.text.language import NAMES, SOURCE
from pbem.text.ordering import guided_turn as typed
from pbem.text.ordering.lists import Suggest
from pbem.text.ordering.menu import NUMBERS
from tests.cli.test_guided_monkey import check_guided_game
from tests.play.matches import begin
from tests.play.turns import begin_record
from tests.text.test_marked import WORD, no_words, unmarked
from tests.text.throwaway import bracketed, throwaway

SaidTo = Callable[..., str]
MADE_UP = {"undo": "zurück", "undo all": "alles zurück", "help": "map", "y": "j", "n": "k"}
"""The words of a language in which the word for help is the English one for the map."""


def made_up(message: str) -> str:
    return MADE_UP.get(message, message)


class Typist:
    """A player who types these lines; `asked` holds the prompts."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.asked: list[str] = []

    def ask(self, message: Phrase, suggest: Suggest = lambda _: []) -> str:
        self.asked.append(console.translate(message))
        return self.lines.pop(0)


@pytest.fixture
def languages() -> Iterator[list[str]]:
    matches = []
    for code in NAMES.keys() - {SOURCE}:
        try:
            with console.use_language(code):
                matches.append(code)
        except OSError:
            continue
    yield matches


@pytest.fixture
def said_to(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> SaidTo:
    """Have a typist give a turn; returns all output until agreement or the last line."""

    def lead_by(typist: Typist, *, agrees: bool = False) -> str:
        monkeypatch.setattr(turn, "prompt_for_terminal", lambda: typist)
        with nullcontext() if agrees else pytest.raises(IndexError):
            turn.guide_turn(begin_record(begin(3, lists=2), 3), Path("game.toml"), dry_run=False)
        return capsys.readouterr().out

    return lead_by


def test_word_is_known_in_english_and_as_it_is_spoken() -> None:
    with throwaway(made_up):
        for word in ("undo", "ZURUCK"):
            assert typed.parse_words(console.language(), word) == ["undo"]
        assert typed.parse_words(console.language(), "alles zurück") == ["undo all"]
        assert typed.parse_words(console.language(), "zurücknehmen") == []
        assert sorted(typed.parse_words(console.language(), "map")) == ["help", "map"]


def test_word_that_is_begun_is_offered_as_it_is_spoken() -> None:
    with throwaway(made_up):
        for prefix in ("und", "zur", "Zür"):
            offered = typed.matching_words(console.language(), prefix, typed.WORDS)
            assert "zurück" in offered
            assert "undo" not in offered
    assert typed.matching_words(console.language(), "und", typed.WORDS) == ["undo", "undo all"]


def test_word_of_two_meanings_is_asked_back(said_to: SaidTo) -> None:
    with throwaway(made_up):
        output = said_to(Typist("map"))
    assert "“map” could mean more than one word: map, map." in " ".join(output.split())


def test_yes_and_a_no_are_taken_in_both_languages(said_to: SaidTo) -> None:
    for no in ("k", "n", "No"):
        typist = Typist("pass", "pass", no, "undo")
        with throwaway(made_up):
            output = said_to(typist)
        assert "[j/k]" in typist.asked[2]
        assert output.count("Taken back: pass") == 1
    for yes in ("j", "y", "Yes"):
        with throwaway(made_up):
            assert "Taken back" not in said_to(Typist("pass", "pass", yes), agrees=True)


class Chooser:
    """A player who chooses by number, uses every word, and takes a little back."""

    VIEWS = ("help", "hand", "last", "show", "map", "?", "99", "back", "undo")

    def __init__(self, random: Random) -> None:
        self.random = random
        self.looks = list(self.VIEWS)

    def ask(self, message: Phrase, suggest: Suggest = lambda _: []) -> str:
        if message != "> ":
            return "y"
        if self.looks and self.random.random() < 0.3:
            return self.looks.pop()
        return self.random.choice(["", *map(str, NUMBERS.values())])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "turns"), [(0, 3), *(pytest.param(n, 6, marks=pytest.mark.long) for n in range(3))]
)
def test_every_text_of_a_guided_turn_is_a_message(
    seed: int, turns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(turn, "prompt_for_terminal", lambda: Chooser(Random(seed)))
    with throwaway(bracketed) as built:
        check_guided_game(seed, turns, lambda _: None)
    output = " ".join(capsys.readouterr().out.split())
    assert WORD.findall(no_words().sub("", unmarked(output))) == []
    assert built.unknown == set()


# --- looked up, and mistyped


def test_pages_are_read_and_reasons_asked_for_in_the_middle_of_a_turn(said_to: SaidTo) -> None:
    wanted = {
        "help besiege": "Opening a siege",
        "rules raid": "Raiding a location",
        "acres rules raid": "Raiding a location",
        "rules": "To read one:",
        "card Port Royal": "Port Royal, British location card",
        "help Gaspé": "In this game",
        "location boston": "victory points:",
        "why settle canso": "“settle Canso” is not possible: ",
        "why pass": "“pass” is possible. It takes an action.",
        "why": "Name one, for example: why take Boston",
        "card flummery": "There is no card “flummery”.",
        "rules flummery": "There is no topic “flummery”.",
    }
    for line, expected in wanted.items():
        output = " ".join(said_to(Typist(line)).split())
        assert expected in output, (line, output)
        assert "no order" not in output


def test_kind_that_is_not_possible_is_said_with_its_reason(said_to: SaidTo) -> None:
    output = said_to(Typist("reinforce"))
    assert output == said_to(Typist(str(NUMBERS[ORDERS["reinforce"]])))
    assert "No “reinforce” is possible" in output
    assert "“block” is an answer" in said_to(Typist("block"))


def test_slip_leaves_the_numbers_of_the_last_list_as_they_are(said_to: SaidTo) -> None:
    for slip in ("d", "new haven"):
        near = said_to(Typist(slip, "1")).rpartition("Did you mean:")[2]
        # The number of settle in every turn.
        assert "New Haven: " in near, slip
        assert "\nsettle:\n" in near
        assert "Your answer" not in near
        assert not re.search(r"^ *\d+  develop", near, re.M)


def test_one_letter_leaves_a_turn(languages: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    answer = begin_record(begin(3, lists=2), 3)
    for code in (SOURCE, *languages):
        with console.use_language(code):
            for letter in ("q", console.translate(typed.word_label("q"))):
                typist = Typist(letter)
                monkeypatch.setattr(turn, "prompt_for_terminal", lambda it=typist: it)
                with pytest.raises(console.CancelledError):
                    turn.guide_turn(answer, Path("game.toml"), dry_run=False)


@pytest.mark.parametrize("number", ["99", "9" * 9, "9" * 5000, "٣" * 5000], ids=len)
def test_number_of_however_many_digits_is_answered(number: str, said_to: SaidTo) -> None:
    assert "Type a number from 1 to" in said_to(Typist(number))


@pytest.mark.parametrize(("line", "intended"), [("shwo", "show"), ("hlep raid", "help")])
def test_word_that_is_mistyped_is_offered(line: str, intended: str, said_to: SaidTo) -> None:
    assert f"Did you mean {intended}?" in said_to(Typist(line))
