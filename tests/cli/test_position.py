"""The printed position, in every form and at every width, agrees with the facts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from random import Random

import pytest
from rich.cells import cell_len

from engine.position import BESIEGER_WINS_AT, DEFENDER_WINS_AT
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import State, new_game
from pbem.cli.position import say_position
from pbem.cli.position.panels import track_line
from pbem.text.facts.position_facts import card_facts, position_facts
from pbem.text.phrases import names
from pbem.text.position import endings_text, lead, near_endings_text, siege_standing
from tests.cli.table import unwrap
from tests.engine.arbitrary import random_game
from tests.engine.editions import EDITIONS
from tests.engine.positions import BRITISH, FRENCH, Seat, position

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
def positions() -> list[State]:
    """Return lively positions with sieges in all editions, and two constructed ones."""
    states = [new_game(), sieges_on_both_sides()]
    for edition in EDITIONS:
        start = new_game(Ruleset.of(edition))
        for number, state in enumerate(random_game(Random(f"shown {edition}"), 160, start)):
            if number % 31 == 5:
                states.append(state.copy())
    assert sum(bool(state.sieges) for state in states) > 3
    return states


@pytest.fixture
def show_position(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shown:
    """A function that returns the printed position, for a width or in plain mode."""

    def show(state: State, viewer: Side | None, width: int | str) -> str:
        expected = ("ACRES_PLAIN", "1") if width == "plain" else ("COLUMNS", str(width))
        monkeypatch.setenv(*expected)
        say_position(state, viewer)
        return str(capsys.readouterr().out)

    return show


@pytest.mark.slow
@pytest.mark.parametrize("is_long_run", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_is_wider_than_the_terminal(
    show_position: Shown, width: int, is_long_run: bool
) -> None:
    """The viewer changes with the position; the long run tries all viewers."""
    at = WIDTHS.index(width)
    for number, state in enumerate(positions(), at):
        viewers = (BRITISH, FRENCH, None)
        # Every other position is tried in each width.
        for viewer in viewers if is_long_run else viewers[number % 3 :][: (number + at // 2) % 2]:
            for line in show_position(state, viewer, width).splitlines():
                assert cell_len(line) <= width, line
                assert line == line.rstrip()


@pytest.mark.slow
@pytest.mark.parametrize("is_long_run", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("width", [40, 80, 100, 160, "plain"])
def test_every_form_has_the_same_facts(
    show_position: Shown, width: int | str, is_long_run: bool
) -> None:
    # Locations are tested with the map.
    for state in positions()[:: 1 if is_long_run else 2]:
        facts, name = position_facts(state, BRITISH), state.ruleset.catalogue.names.__getitem__
        printed = show_position(state, BRITISH, width)
        text = unwrap(printed)
        if width == 160:
            text += " " + unwrap("\n".join(line[RIGHT_OF_MAP:] for line in printed.splitlines()))
        for side in facts.sides.values():
            counts = [side.points.total, side.money, side.hand.size]
            counts += [side.draw_pile, side.villages_left, side.towns_left]
            assert all(re.search(rf"\b{count}\b", text) for count in counts)
            cards = [*side.discard_pile, *side.reserve]
            cards += [kind.card for kind in side.available]
            assert all(name(card) in text for card in cards)
        hand = facts.sides[BRITISH].hand
        assert all(name(card.card) in text for card in hand.cards)
        for kind in facts.neutral:
            assert f"{name(kind.card)} {kind.price}" in text
        for siege in facts.sieges:
            besieger = str(siege.besieger.label)
            assert f"Siege of {name(siege.location)} by the {besieger}: " in text
            assert str(siege_standing(siege)) in text
        # The score below the map has a column for the leader.
        if width in (80, 100):
            ahead = f"{lead(facts):+}" if lead(facts) else "tie"
            assert re.search(rf"Lead British .*{re.escape(ahead)}", text)
            sentences = near_endings_text(facts, name)
        else:
            sentences = endings_text(facts, name)
        assert all(str(sentence) in text for sentence in sentences)


def test_plain_position_draws_no_signs(show_position: Shown) -> None:
    for state in positions():
        text = show_position(state, FRENCH, "plain")
        assert not [c for c in text if not c.isascii() and not c.isalpha()]
        # Screen readers cannot convey columns.
        assert not re.search(r"\S {2,}\S", text)


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
def test_idle_card_is_shown_with_the_reason(
    british: Seat, french: Seat, besieging: Mapping[Side, str], idle: str | None
) -> None:
    state = position(british, french, besieging=besieging)
    assert card_facts(state, BRITISH, british.hand).idle == idle


@pytest.mark.parametrize(
    ("british", "place", "use"),
    [
        # Boston sails to friendly, enemy and neutral ports; friendly ones have no use.
        (Seat(hand="boston", villages="halifax"), "port-royal", "besiege"),
        (Seat(hand="boston", villages="halifax"), "halifax", None),
        (Seat(hand="boston"), "halifax", "settle"),
        # A controlled location can be settled again for a card that was given away.
        (Seat(hand="boston", villages="halifax", governed="halifax"), "halifax", "settle"),
    ],
)
def test_location_reached_by_a_card_is_described(
    british: Seat, place: str, use: str | None
) -> None:
    reaches = card_facts(position(british), BRITISH, "boston").reaches
    assert {reach.location: reach.use for reach in reaches}[place] == use


# --- sieges


@pytest.mark.parametrize("seed", range(3))
def test_strength_that_a_side_needs_decides_a_siege(seed: int) -> None:
    standings = set()
    for state in random_game(Random(f"siege {seed}"), 200):
        for siege in position_facts(state, None).sieges:
            marker, sides = siege.marker, siege.sides
            ours, theirs = sides[siege.besieger], sides[siege.defender]
            assert ours.strength - theirs.strength == marker
            assert sum(card.strength for card in ours.cards) == ours.strength
            assert siege_winner_by_rulebook(marker + ours.wins_with) == "besieger"
            assert siege_winner_by_rulebook(marker - theirs.wins_with) == "defender"
            if ours.wins_with:
                assert siege_winner_by_rulebook(marker + ours.wins_with - 1) != "besieger"
            if theirs.wins_with:
                assert siege_winner_by_rulebook(marker - theirs.wins_with + 1) != "defender"
            assert (siege_winner_by_rulebook(marker) == "defender") == (ours.holds_with > 0)
            assert siege_winner_by_rulebook(marker + ours.holds_with) != "defender"
            assert (siege_winner_by_rulebook(marker) == "besieger") == (theirs.holds_with > 0)
            assert siege_winner_by_rulebook(marker - theirs.holds_with) != "besieger"
            standing = {"besieger": siege.besieger, "defender": siege.defender, "": None}
            assert siege.winner == standing[siege_winner_by_rulebook(marker)]
            standings.add(siege_winner_by_rulebook(marker))
    assert standings


def siege_winner_by_rulebook(marker: int) -> str:
    """Return the winner by the rulebook: the besieger with 2, the defender with -1."""
    return "besieger" if marker >= 2 else "defender" if marker <= -1 else ""


@pytest.mark.parametrize("width", [28, 34, 60])
@pytest.mark.parametrize("marker", [-14, -3, -1, 0, 1, 2, 5, 17])
def test_track_shows_the_marker_between_the_borders(marker: int, width: int) -> None:
    state = sieges_on_both_sides()
    siege = position_facts(state, None).sieges[0]._replace(marker=marker)
    text = track_line(siege, width).plain
    assert cell_len(text) <= width
    steps = [int(step) for step in re.findall(r"[-+]?\d+", text)]
    assert steps == list(range(steps[0], steps[-1] + 1))
    assert f"[{marker:+}]" in text if marker else "[0]" in text
    assert text.startswith("French ")
    assert text.endswith(" British")
    left, *_ = text.partition("│")
    if DEFENDER_WINS_AT in steps and 0 in steps:
        assert int(re.findall(r"[-+]?\d+", left)[-1]) == DEFENDER_WINS_AT
    if BESIEGER_WINS_AT in steps and 1 in steps:
        *_, right = text.rpartition("│")
        assert int(re.findall(r"[-+]?\d+", right)[0]) == BESIEGER_WINS_AT


# --- endings


def ending_sentences(state: State) -> str:
    return " ".join(map(str, endings_text(position_facts(state, None), names(state))))


WITH_QUEBEC = position(Seat(siege=INFANTRY), besieging={BRITISH: "quebec"})
GOAL = "The game ends when a side has no villages or no towns left, or has captured 12 points."
ENDINGS = [
    (new_game(), GOAL),
    (position(Seat(towns="pemaquid norfolk new-haven deerfield halifax")), "The British lead by"),
    (
        position(Seat(captured=(2, 2)), active=FRENCH),
        "If nothing changes, the game ends when the next British turn begins, because the British "
        "have captured 12 points; the French would win.",
    ),
    # A siege that delays the end is named.
    (
        position(Seat(captured=(6, 0), siege=INFANTRY), besieging={BRITISH: "louisbourg"}),
        "have captured 12 points, but the siege of Louisbourg delays the end.",
    ),
    # Homes whose capture would win the game are named.
    (WITH_QUEBEC, "The siege of Quebec would win the game for the British."),
    (position(Seat(lost="new-york")), "A French village in New York would win at once."),
    (position(house_rules=["duquesne-wins"]), "A French village in Fort Duquesne would win at"),
    (position(Seat(captured=(6, 0))), "The points are equal, and the French win a tie."),
]


@pytest.mark.parametrize(("state", "sentence"), ENDINGS, ids=range(len(ENDINGS)))
def test_nearest_ending_is_described(state: State, sentence: str) -> None:
    assert sentence in ending_sentences(state)


@pytest.mark.parametrize(
    ("state", "absent"),
    [
        (position(Seat(captured=(1, 2)), active=FRENCH), "If nothing changes"),
        (ENDINGS[3][0], "If nothing changes"),
        (new_game(), "would win"),
        (position(Seat(lost="new-york"), edition="first"), "New York"),
    ],
    ids=range(4),
)
def test_end_that_is_not_near_is_not_mentioned(state: State, absent: str) -> None:
    assert absent not in ending_sentences(state)
