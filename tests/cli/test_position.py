"""The position on the screen: in every form, at every width, and against the facts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from random import Random

import pytest
from rich.cells import cell_len
from rich.text import Text

from engine.position import BESIEGER_WINS_AT, DEFENDER_WINS_AT
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import State, new_game
from pbem.cli import console
from pbem.cli.console import speaking
from pbem.cli.position import say_position
from pbem.cli.position.panels import track
from pbem.text.facts.position_facts import card_facts, position_facts
from pbem.text.language import NAMES
from pbem.text.phrases import names, percent
from pbem.text.position import endings_text, lead, near_endings_text, siege_standing
from tests.cli.table import unwrap
from tests.engine.arbitrary import random_game
from tests.engine.editions import EDITIONS
from tests.engine.positions import BRITISH, FRENCH, Seat, position
from tests.text.throwaway import CODE, longer, throwaway

WIDTHS = [30, 40, 79, 80, 99, 100, 139, 140, 160]
RIGHT_OF_MAP = 100
INFANTRY = "regular-infantry"
Shown = Callable[[State, Side | None, int | str], str]


def sieges_on_both_sides() -> State:
    return position(
        Seat(hand="rangers boston", siege=f"{INFANTRY} {INFANTRY}", besieged="militia new-york"),
        Seat(
            hand="priest", siege="siege-artillery", besieged="louisbourg militia", reserve="ships"
        ),
        besieging={BRITISH: "louisbourg", FRENCH: "pemaquid"},
    )


@cache
def some_positions() -> list[State]:
    """Positions of lively play in all editions, among them sieges, and two that were laid out."""
    found = [new_game(), sieges_on_both_sides()]
    for edition in EDITIONS:
        start = new_game(Ruleset.of(edition))
        for number, state in enumerate(random_game(Random(f"shown {edition}"), 160, start)):
            if number % 31 == 5:
                found.append(state.copy())
    assert sum(bool(state.sieges) for state in found) > 3
    return found


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shown:
    """Return what is printed of a position, in that many columns or in plain mode."""

    def show(state: State, viewer: Side | None, width: int | str) -> str:
        wanted = ("ACRES_PLAIN", "1") if width == "plain" else ("COLUMNS", str(width))
        monkeypatch.setenv(*wanted)
        say_position(state, viewer)
        return str(capsys.readouterr().out)

    return show


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_is_wider_than_the_terminal(shown: Shown, width: int, whole: bool) -> None:
    """Each position is seen by one viewer, in each width by another; in the long run by all."""
    at = WIDTHS.index(width)
    for number, state in enumerate(some_positions(), at):
        viewers = (BRITISH, FRENCH, None)
        # Every other position, the others in the next width.
        for viewer in viewers if whole else viewers[number % 3 :][: (number + at // 2) % 2]:
            for line in shown(state, viewer, width).splitlines():
                assert cell_len(line) <= width, line
                assert line == line.rstrip()


@pytest.mark.parametrize(
    ("language", "width"),
    # In every run each language in some widths, and each width in some language.
    [
        pytest.param(language, width, marks=() if (at - of) % 3 == 0 else pytest.mark.long)
        for at, language in enumerate([CODE, *NAMES])
        for of, width in enumerate([40, 79, 80, 100, 120, 140, 160])
    ],
)
def test_no_line_is_wider_in_another_language(
    monkeypatch: pytest.MonkeyPatch, language: str, width: int
) -> None:
    """Nor in one in which every message is two fifths longer; nothing is cut off at the edge."""
    monkeypatch.setenv("COLUMNS", str(width))
    lines: list[Text] = []
    monkeypatch.setattr(console, "show_lines", lines.extend)
    monkeypatch.setattr(console, "say", lambda: None)
    with throwaway(longer), speaking(language):
        for state in some_positions()[::3]:
            say_position(state, BRITISH)
    assert lines
    for line in lines:
        assert line.cell_len <= width, line.plain


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("width", [40, 80, 100, 160, "plain"])
def test_every_form_tells_the_same_facts(shown: Shown, width: int | str, whole: bool) -> None:
    """Numbers, piles and sieges; the locations are the map's, and tested there."""
    for state in some_positions()[:: 1 if whole else 2]:
        facts, name = position_facts(state, BRITISH), state.ruleset.catalogue.names.__getitem__
        printed = shown(state, BRITISH, width)
        told = unwrap(printed)
        if width == 160:
            told += " " + unwrap("\n".join(line[RIGHT_OF_MAP:] for line in printed.splitlines()))
        for side in facts.sides.values():
            counts = [side.points.total, side.money, side.hand.size]
            counts += [side.draw_pile, side.villages_left, side.towns_left]
            assert all(re.search(rf"\b{count}\b", told) for count in counts)
            cards = [*side.discard_pile, *side.reserve]
            cards += [kind.card for kind in side.available]
            assert all(name(card) in told for card in cards)
        hand = facts.sides[BRITISH].hand
        assert all(name(card.card) in told for card in hand.cards)
        for kind in facts.neutral:
            assert f"{name(kind.card)} {kind.price}" in told
        for siege in facts.sieges:
            besieger = str(siege.besieger.label)
            assert f"Siege of {name(siege.location)} by the {besieger}: " in told
            assert str(siege_standing(siege)) in told
        # Below the map the score has a column for who leads.
        if width in (80, 100):
            ahead = f"{lead(facts):+}" if lead(facts) else "tie"
            assert re.search(rf"Lead British .*{re.escape(ahead)}", told)
            sentences = near_endings_text(facts, name)
        else:
            sentences = endings_text(facts, name)
        assert all(str(sentence) in told for sentence in sentences)


def test_a_wide_screen_needs_fewer_lines_than_a_standard_one(shown: Shown) -> None:
    state = sieges_on_both_sides()
    lines = [len(shown(state, BRITISH, width).splitlines()) for width in (80, 100, 160)]
    assert lines == sorted(lines, reverse=True)
    assert lines[2] < lines[0]


def test_in_plain_mode_nothing_is_drawn(shown: Shown) -> None:
    for state in some_positions():
        told = shown(state, FRENCH, "plain")
        assert not [c for c in told if not c.isascii() and not c.isalpha()]
        # Nothing stands in columns, which cannot be heard.
        assert not re.search(r"\S {2,}\S", told)


# --- cards


@pytest.mark.parametrize(
    ("british", "french", "besieging", "idle"),
    [
        (Seat(hand="pemaquid"), Seat(), {}, None),
        (Seat(hand="pemaquid", lost="pemaquid"), Seat(), {}, "lost"),
        (Seat(hand="pemaquid"), Seat(siege=INFANTRY), {FRENCH: "pemaquid"}, "besieged"),
        (Seat(hand="albany", villages="albany", lost="new-york"), Seat(), {}, "without supply"),
        (Seat(hand="militia"), Seat(), {}, None),
    ],
)
def test_why_a_card_is_idle(
    british: Seat, french: Seat, besieging: Mapping[Side, str], idle: str | None
) -> None:
    """Ruling 7: control, no siege, supply; empire cards are always of use."""
    state = position(british, french, besieging=besieging)
    assert card_facts(state, BRITISH, british.hand).idle == idle


@pytest.mark.parametrize(
    ("british", "place", "use"),
    [
        # Boston sails to friendly, enemy and neutral ports; nothing is to be done at friendly ones.
        (Seat(hand="boston", villages="halifax"), "port-royal", "besiege"),
        (Seat(hand="boston", villages="halifax"), "halifax", None),
        (Seat(hand="boston"), "halifax", "settle"),
        # A controlled location whose card was given away can be settled again for the card.
        (Seat(hand="boston", villages="halifax", governed="halifax"), "halifax", "settle"),
    ],
)
def test_where_a_card_leads_now(british: Seat, place: str, use: str | None) -> None:
    reaches = card_facts(position(british), BRITISH, "boston").reaches
    assert {reach.location: reach.use for reach in reaches}[place] == use


@pytest.mark.parametrize(
    ("chance", "told"), [(0, "0%"), (0.001, "1%"), (0.6, "60%"), (0.999, "99%"), (1, "100%")]
)
def test_only_what_is_sure_is_said_to_be_sure(chance: float, told: str) -> None:
    assert str(percent(chance)) == told


# --- sieges


@pytest.mark.parametrize("seed", range(6))
def test_what_each_side_needs_is_what_decides_a_siege(seed: int) -> None:
    """How much more wins or holds, and 1 less does not."""
    seen = set()
    for state in random_game(Random(f"siege {seed}"), 200):
        for siege in position_facts(state, None).sieges:
            marker, sides = siege.marker, siege.sides
            ours, theirs = sides[siege.besieger], sides[siege.defender]
            assert ours.strength - theirs.strength == marker
            assert sum(card.strength for card in ours.cards) == ours.strength
            assert _standing(marker + ours.wins_with) == "besieger"
            assert _standing(marker - theirs.wins_with) == "defender"
            if ours.wins_with:
                assert _standing(marker + ours.wins_with - 1) != "besieger"
            if theirs.wins_with:
                assert _standing(marker - theirs.wins_with + 1) != "defender"
            assert (_standing(marker) == "defender") == (ours.holds_with > 0)
            assert _standing(marker + ours.holds_with) != "defender"
            assert (_standing(marker) == "besieger") == (theirs.holds_with > 0)
            assert _standing(marker - theirs.holds_with) != "besieger"
            standing = {"besieger": siege.besieger, "defender": siege.defender, "": None}
            assert siege.winner == standing[_standing(marker)]
            seen.add(_standing(marker))
    assert seen


def _standing(marker: int) -> str:
    """Rulebook, sieges: the besieger wins with 2 or more, the defender with -1 or less."""
    return "besieger" if marker >= 2 else "defender" if marker <= -1 else ""


@pytest.mark.parametrize("width", [28, 34, 60])
@pytest.mark.parametrize("marker", [-14, -3, -1, 0, 1, 2, 5, 17])
def test_the_track_shows_the_marker_between_the_borders(marker: int, width: int) -> None:
    state = sieges_on_both_sides()
    siege = position_facts(state, None).sieges[0]._replace(marker=marker)
    told = track(siege, width).plain
    assert cell_len(told) <= width
    steps = [int(step) for step in re.findall(r"[-+]?\d+", told)]
    assert steps == list(range(steps[0], steps[-1] + 1))
    assert f"[{marker:+}]" in told if marker else "[0]" in told
    assert told.startswith("French ")
    assert told.endswith(" British")
    left, *_ = told.partition("│")
    if DEFENDER_WINS_AT in steps and 0 in steps:
        assert int(re.findall(r"[-+]?\d+", left)[-1]) == DEFENDER_WINS_AT
    if BESIEGER_WINS_AT in steps and 1 in steps:
        *_, right = told.rpartition("│")
        assert int(re.findall(r"[-+]?\d+", right)[0]) == BESIEGER_WINS_AT


def test_who_wins_a_siege_as_it_stands_is_said() -> None:
    louisbourg, pemaquid = position_facts(sieges_on_both_sides(), None).sieges
    # Infantry 2 and 2 against 1, Louisbourg 1 and Militia 1, and what the place adds.
    assert louisbourg.marker == 4 - louisbourg.sides[FRENCH].strength
    assert pemaquid.besieger is FRENCH
    for siege in (louisbourg, pemaquid):
        said = str(siege_standing(siege))
        winner = siege.winner
        assert ("Undecided" in said) == (winner is None)
        if winner:
            assert f"the {winner.label!s} win at the start of their turn" in said


# --- how it ends


def told_of(state: State) -> str:
    return " ".join(map(str, endings_text(position_facts(state, None), names(state))))


WITH_QUEBEC = position(Seat(siege=INFANTRY), besieging={BRITISH: "quebec"})
GOAL = "The game ends when a side has no villages or no towns left, or has captured 12 points."
TOLD = [
    (new_game(), "The French lead by 12 points."),
    (new_game(), GOAL),
    (position(Seat(towns="pemaquid norfolk new-haven deerfield halifax")), "The British lead by"),
    (
        position(Seat(captured=(2, 2)), active=FRENCH),
        "If nothing changes, the game ends when the next British turn begins, because the British "
        "have captured 12 points; the French would win.",
    ),
    # A siege that holds the end up is named.
    (
        position(Seat(captured=(6, 0), siege=INFANTRY), besieging={BRITISH: "louisbourg"}),
        "have captured 12 points, but the siege of Louisbourg delays the end.",
    ),
    # Homes that would win the game are named.
    (WITH_QUEBEC, "The siege of Quebec would win the game for the British."),
    (position(Seat(lost="new-york")), "A French village in New York would win at once."),
    (position(house_rules=["duquesne-wins"]), "A French village in Fort Duquesne would win at"),
    (position(Seat(captured=(6, 0))), "The points are equal, and the French win a tie."),
]
UNTOLD = [
    (position(Seat(captured=(1, 2)), active=FRENCH), "If nothing changes"),
    (TOLD[4][0], "If nothing changes"),
    (new_game(), "would win"),
    (position(Seat(lost="new-york"), edition="first"), "New York"),
]


@pytest.mark.parametrize(("state", "told"), TOLD, ids=range(len(TOLD)))
def test_how_far_the_end_is(state: State, told: str) -> None:
    assert told in told_of(state)


@pytest.mark.parametrize(("state", "told"), UNTOLD, ids=range(len(UNTOLD)))
def test_no_end_is_told_that_is_not_near(state: State, told: str) -> None:
    assert told not in told_of(state)
