"""What an analysis of a game found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from engine.message import Message, sentences
from engine.sides import Side
from pbem.play.analysis import Analysis, Mistake
from pbem.protocol.match import Match
from pbem.words.lines import Line, Tone, item
from pbem.words.phrases import course_told, names, player
from pbem.words.piles import percent


def scale_told() -> Message:
    """What the graph shows."""
    return Message("The chance of the British to win, turn by turn")


def courses_told(match: Match, analysis: Analysis) -> Message:
    """Where the chances of either side began and ended, and when they were highest."""
    british = list(analysis.chances)
    courses = {Side.BRITISH: british, Side.FRENCH: [1 - chance for chance in british]}
    return sentences(
        *(
            course_told(side, chances, percent, is_over=match.is_over)
            for side, chances in courses.items()
        )
    )


def turns_told(analysis: Analysis) -> Iterator[Line]:
    """The chances of both sides after each turn, a line for each."""
    for number, chance in enumerate(analysis.chances):
        yield item(
            Message(
                "Turn {number}: British {british}, French {french}",
                number=number,
                british=percent(chance),
                french=percent(1 - chance),
            )
        )


def mistakes_told(match: Match, analysis: Analysis, viewer: Side | None) -> Iterator[Line]:
    """The turns that decided the game, under a heading, and how that is known."""
    yield Line(Message("What decided the game"), Tone.HEAD)
    for mistake in analysis.mistakes:
        yield item(mistake_told(match, mistake, viewer))
    yield Line()
    yield from judged_told(match, analysis)


def mistake_told(match: Match, mistake: Mistake, viewer: Side | None) -> Message:
    """What was ordered, what was better, and by how much."""
    name = names(match.state)
    return Message(
        "Turn {number}, {player}: “{order}” left a chance of {chance} to win. “{better}” would "
        "have left {more}.",
        number=mistake.turn,
        player=player(match, mistake.side, viewer),
        order=mistake.order.text(name),
        chance=percent(mistake.chance),
        better=mistake.better.text(name),
        more=percent(mistake.chance_of_better),
    )


def judged_told(match: Match, analysis: Analysis) -> Iterator[Line]:
    """Who says so, by what they knew, and whose orders were not looked at."""
    if not analysis.mistakes:
        yield Line(
            Message(
                "No order lost much by itself: many small ones decided it, or the luck of "
                "the cards."
            )
        )
    yield Line(
        Message(
            "So a robot of strength {strength} sees it, which knew no more than the player did "
            "then. Chances are estimates, and may be wrong by some percent.",
            strength=analysis.strength,
        )
    )
    for side in Side:
        if side not in analysis.sides:
            yield Line(
                Message(
                    "Orders of {player} are not judged: that hand is not known.",
                    player=player(match, side),
                )
            )
