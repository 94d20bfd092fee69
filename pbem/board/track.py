"""The track of a siege, step by step: for the board, and for what lies beside it."""

from __future__ import annotations

from typing import NamedTuple

from pbem.text.facts.position_facts import SiegeFacts


class TrackStep(NamedTuple):
    """A step of the track of a siege: the strength `shown` there, the side that wins there, if any.

    With whether the marker stands on it, and whether it stood there before the turn and has left.
    """

    shown: int
    winner: str | None
    is_here: bool
    was_here: bool


def track(siege: SiegeFacts, before: int | None = None, behind: int = 0) -> list[TrackStep]:
    """The steps of a siege from where its defender wins to where its besieger does.

    There are that many more `behind` both, and the last on either hand stands for all behind it.
    `before` is where the marker was; None for where it is.
    """
    lost, won, marker = siege.defender_wins_at, siege.besieger_wins_at, siege.marker
    first, last = lost - behind, won + behind
    here, was = (min(max(at, first), last) for at in (marker, marker if before is None else before))
    return [
        TrackStep(
            shown=marker if strength == here else strength,
            winner=_winner(siege, strength),
            is_here=strength == here,
            was_here=strength == was != here,
        )
        for strength in range(first, last + 1)
    ]


def _winner(siege: SiegeFacts, strength: int) -> str | None:
    """Who wins with the marker there."""
    if strength <= siege.defender_wins_at:
        return siege.defender
    return siege.besieger if strength >= siege.besieger_wins_at else None
