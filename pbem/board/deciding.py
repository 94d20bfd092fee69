"""What an analysis found to have cost most in a game, each turn a step away."""

from __future__ import annotations

from markupsafe import Markup

from pbem.board.templates import Templates
from pbem.play.analysis import Analysis
from pbem.view.chronicle import Chronicle
from pbem.words.history.analysis import judged_told, mistake_told, turn_told


def deciding(templates: Templates, chronicle: Chronicle, analysis: Analysis) -> Markup:
    """The orders that cost most, and how that is known."""
    match, viewer = chronicle.match, chronicle.viewer
    return templates.fill(
        "deciding.html",
        mistakes=[
            (each.turn, turn_told(each), mistake_told(match, each, viewer))
            for each in analysis.mistakes
        ],
        lines=list(judged_told(match, analysis)),
    )
