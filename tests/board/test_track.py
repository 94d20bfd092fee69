"""The track of a siege: its ends, and the place of the marker now and before."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from engine.sides import Side
from pbem.board.templates import siege_track
from pbem.text.facts.position_facts import SiegeFacts


def siege(marker: int) -> SiegeFacts:
    """Return a siege that the besieging British win at +2, and the defender at -1."""
    sides = {"besieger": Side.BRITISH, "defender": Side.FRENCH}
    ends = {"besieger_wins_at": 2, "defender_wins_at": -1}
    return cast(SiegeFacts, SimpleNamespace(**sides, **ends, marker=marker))


@pytest.mark.parametrize("margin", [0, 3])
def test_each_side_wins_at_its_end_of_the_track(margin: int) -> None:
    winners = [step.winner for step in siege_track(siege(0), margin=margin)]
    ends = 1 + margin
    assert winners == ["french"] * ends + [None] * 2 + ["british"] * ends


@pytest.mark.parametrize("marker", range(-9, 10))
@pytest.mark.parametrize("margin", [0, 3])
def test_marker_is_on_the_step_of_its_strength(marker: int, margin: int) -> None:
    steps = siege_track(siege(marker), margin=margin)
    (marked_steps,) = [step for step in steps if step.is_here]
    assert marked_steps.number == marker
    assert not any(step.was_here for step in steps)
    other_steps = [step.number for step in steps if not step.is_here]
    assert set(other_steps) <= set(range(-1 - margin, 3 + margin)) - {marker}


def test_previous_step_of_the_marker_is_marked() -> None:
    steps = siege_track(siege(1), before=-1)
    assert [step.number for step in steps if step.was_here] == [-1]
    assert [step.number for step in steps if step.is_here] == [1]
    # Both markers are on the same end of the track.
    assert not any(step.was_here for step in siege_track(siege(9), before=7))
