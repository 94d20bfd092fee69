"""What an analysis found to have decided a game, each turn a step away."""

from __future__ import annotations

from markupsafe import Markup

from pbem.board.templates import Templates
from pbem.play.analysis import Analysis
from pbem.text.facts.chronicle import Chronicle
from pbem.text.history.analysis import (
    NO_SWING,
    OTHERS,
    judged_told,
    mistake_told,
    other_mistakes,
    swing_told,
    turn_told,
)


def deciding(templates: Templates, chronicle: Chronicle, analysis: Analysis) -> Markup:
    """What changed the chances most, which other orders cost much, and how that is known."""
    match, viewer = chronicle.match, chronicle.viewer
    return templates.fill(
        "deciding.html",
        swings=[
            (each.turn, turn_told(each), swing_told(match, analysis, each, viewer))
            for each in analysis.swings
        ],
        mistakes=[
            (each.turn, turn_told(each), mistake_told(match, each, viewer))
            for each in other_mistakes(analysis)
        ],
        no_swing=NO_SWING,
        others=OTHERS,
        lines=list(judged_told(match, analysis, viewer)),
    )
