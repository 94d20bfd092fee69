"""The guided turn in another language: typed words and printed texts."""

import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from random import Random

import pytest
import typer

from engine.choices import Choices
from engine.message import Phrase
from engine.orders import ORDERS
from pbem.cli import console
from pbem.cli.app import App
from pbem.cli.guided import turn
from pbem.cli.main import commands
from pbem.text.language import NAMES, SOURCE
from pbem.text.ordering import guided_turn as typed
from pbem.text.ordering.lists import Suggest
from pbem.text.ordering.menu import NUMBERS
from pbem.text.phrases import names
from pbem.text.position import siege_advice
from tests.cli.test_guided_monkey import check_guided_game
from tests.engine.positions import Seat, position
from tests.play.matches import begin
from tests.play.turns import Game, begin_record, practice_chooser
from tests.text.test_translatable_texts import WORD, text_outside_messages, untranslated_pattern
from tests.text.throwaway import bracketed, throwaway

GuidedOutput = Callable[..., str]
MADE_UP = {"undo": "zurück", "undo all": "alles zurück", "help": "map", "y": "j", "n": "k"}
"""The words of a language in which the word for help is the English one for the map."""


def translate_made_up(message: str) -> str:
    return MADE_UP.get(message, message)


class Typist:
    """A player who types these lines; `prompts` holds the prompts."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.prompts: list[str] = []

    def ask(self, message: Phrase, suggest: Suggest = lambda _: []) -> str:
        self.prompts.append(console.translate(message))
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
def guided_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> GuidedOutput:
    """Have a typist give a turn; returns all output until agreement or the last line."""

    def run(typist: Typist, *, agrees: bool = False) -> str:
        monkeypatch.setattr(turn, "prompt_for_terminal", lambda: typist)
        app = App(typer.Context(commands(SOURCE)))
        with app, nullcontext() if agrees else pytest.raises(IndexError):
            turn.guide_turn(begin_record(begin(3, lists=2), 3), Path("game.toml"), dry_run=False)
        return capsys.readouterr().out

    return run


def test_word_is_read_in_english_and_in_the_language() -> None:
    with throwaway(translate_made_up):
        for word in ("undo", "ZURUCK"):
            assert typed.parse_words(console.language(), word) == ["undo"]
        assert typed.parse_words(console.language(), "alles zurück") == ["undo all"]
        assert typed.parse_words(console.language(), "zurücknehmen") == []
        assert sorted(typed.parse_words(console.language(), "map")) == ["help", "map"]


def test_abbreviated_word_is_completed_in_the_language() -> None:
    with throwaway(translate_made_up):
        for prefix in ("und", "zur", "Zür"):
            offered = typed.matching_words(console.language(), prefix, typed.WORDS)
            assert "zurück" in offered
            assert "undo" not in offered
    assert typed.matching_words(console.language(), "und", typed.WORDS) == ["undo", "undo all"]


def test_ambiguous_word_is_refused(guided_output: GuidedOutput) -> None:
    with throwaway(translate_made_up):
        output = guided_output(Typist("map"))
    assert "“map” could mean more than one word: map, map." in " ".join(output.split())


def test_yes_and_no_to_a_turn_are_read_in_both_languages(guided_output: GuidedOutput) -> None:
    for no in ("k", "n", "No"):
        typist = Typist("pass", "pass", no, "undo")
        with throwaway(translate_made_up):
            output = guided_output(typist)
        assert "[j/k]" in typist.prompts[2]
        assert output.count("Taken back: pass") == 1
    for yes in ("j", "y", "Yes"):
        with throwaway(translate_made_up):
            assert "Taken back" not in guided_output(Typist("pass", "pass", yes), agrees=True)


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
    assert WORD.findall(untranslated_pattern().sub("", text_outside_messages(output))) == []
    assert built.unknown == set()


# --- looked up, and mistyped


def test_pages_and_reasons_are_shown_during_a_turn(guided_output: GuidedOutput) -> None:
    expected_by_line = {
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
    for line, expected in expected_by_line.items():
        output = " ".join(guided_output(Typist(line)).split())
        assert expected in output, (line, output)
        assert "no order" not in output


def test_impossible_kind_is_refused_with_its_reason(guided_output: GuidedOutput) -> None:
    output = guided_output(Typist("reinforce"))
    assert output == guided_output(Typist(str(NUMBERS[ORDERS["reinforce"]])))
    assert "No “reinforce” is possible" in output
    assert "“block” is an answer" in guided_output(Typist("block"))


def test_unknown_text_keeps_the_numbers_of_the_last_list(guided_output: GuidedOutput) -> None:
    for slip in ("d", "new haven"):
        near = guided_output(Typist(slip, "1")).rpartition("Did you mean:")[2]
        # 1 is the number of `settle` in every turn.
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
def test_number_of_any_length_is_refused_if_not_listed(
    number: str, guided_output: GuidedOutput
) -> None:
    assert "Type a number from 1 to" in guided_output(Typist(number))


@pytest.mark.parametrize(("line", "intended"), [("shwo", "show"), ("hlep raid", "help")])
def test_mistyped_word_gets_a_suggestion(
    line: str, intended: str, guided_output: GuidedOutput
) -> None:
    assert f"Did you mean {intended}?" in guided_output(Typist(line))


@pytest.mark.slow
def test_order_in_hints_can_be_given_now() -> None:
    for match in islice(Game.of(3, practice_chooser, 2, "asked").matches(), 0, 60, 3):
        answer = begin_record(match, 3)
        if legal := answer.legal_orders():
            hints = (typed.typing_hint(answer), next(typed.help_text(answer)).text)
            name, say = names(answer.view()), console.translate
            examples = [f": {say(order.text(name))}. " for order in legal]
            assert all(any(x in say(hint) for x in examples) for hint in hints)


@pytest.mark.parametrize("captured", [0, 6])
def test_siege_that_delays_the_end_of_the_game_is_told_so(captured: int) -> None:
    state = position(Seat(siege="louisbourg: regular-infantry", captured=(captured, 0)))
    (advice,) = siege_advice(state, Choices([state]), names(state))
    assert str(advice).startswith("Siege of Louisbourg: ")
    assert (" Then the game ends." in str(advice)) is (captured == 6)
