"""What an analysis of a game found, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from engine.message import Message, joined_with_and, labelled, sentences
from engine.orders import End
from engine.sides import Side
from engine.state import EndsBy
from pbem.play.analysis import Analysis, Mistake, Swing
from pbem.protocol.match import Match
from pbem.text.lines import Line, Tone, item
from pbem.text.phrases import course_told, names, player
from pbem.text.piles import percent


def scale_told() -> Message:
    """What the graph shows."""
    return Message("The chance of a British win, turn by turn")


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


def deciding_told(match: Match, analysis: Analysis, viewer: Side | None) -> Iterator[Line]:
    """What changed the chances most, what was better, and how that is known."""
    yield Line(DECIDING, Tone.HEAD)
    for swing in analysis.swings:
        yield item(labelled(turn_told(swing), swing_told(match, analysis, swing, viewer)))
    if not analysis.swings:
        yield item(NO_SWING)
    if others := other_mistakes(analysis):
        yield Line()
        yield Line(OTHERS, Tone.HEAD)
        for mistake in others:
            yield item(labelled(turn_told(mistake), mistake_told(match, mistake, viewer)))
    yield Line()
    yield from judged_told(match, analysis, viewer)


DECIDING = Message("What changed the chances most")
NO_SWING = Message("No turn changed them by much.")
OTHERS = Message("Other orders that cost much")


def other_mistakes(analysis: Analysis) -> list[Mistake]:
    """Those not shown with a turn that changed the chances most."""
    turns = {swing.turn for swing in analysis.swings}
    return [mistake for mistake in analysis.mistakes if mistake.turn not in turns]


def turn_told(found: Swing | Mistake) -> Message:
    """When it was."""
    return Message("Turn {number}", number=found.turn)


def swing_told(match: Match, analysis: Analysis, swing: Swing, viewer: Side | None) -> Message:
    """How a turn changed the chances, and what was better in it, if something was."""
    numbers = {"before": percent(swing.before), "after": percent(swing.after)}
    change = (
        Message("The chance of a British win rose from {before} to {after}.", **numbers)
        if swing.after > swing.before
        else Message("The chance of a British win fell from {before} to {after}.", **numbers)
    )
    loser = Side.BRITISH if swing.after < swing.before else Side.FRENCH
    told = [change]
    if swing.mistake is None or swing.mistake.side is not loser:
        told += _orders_told(match, swing, viewer)
    if swing.mistake:
        told.append(mistake_told(match, swing.mistake, viewer))
    elif swing.side is loser and loser in analysis.sides:
        told.append(Message("No single order of that turn lost much."))
    return sentences(*told)


def _orders_told(match: Match, swing: Swing, viewer: Side | None) -> Iterator[Message]:
    """What was done in a turn that changed the chances much; every turn ends."""
    name = names(match.state)
    orders = [o.text(name) for o in swing.orders if not isinstance(o, End)]
    if orders:
        yield Message(
            "{player} ordered {orders}.",
            player=player(match, swing.side, viewer),
            orders=joined_with_and(Message("“{order}”", order=order) for order in orders),
        )


def mistake_told(match: Match, mistake: Mistake, viewer: Side | None) -> Message:
    """Who ordered what, what was better, and by how much."""
    name = names(match.state)
    return Message(
        "{player} had a winning chance of {chance} with “{order}”, and of {more} with “{better}”.",
        player=player(match, mistake.side, viewer),
        order=mistake.order.text(name),
        chance=percent(mistake.chance),
        better=mistake.better.text(name),
        more=percent(mistake.chance_of_better),
    )


def _resignation_told(match: Match, analysis: Analysis, viewer: Side | None) -> Message | None:
    """Who resigned and how that side stood; None where nobody did."""
    outcome = match.state.outcome
    if outcome is None or outcome.by is not EndsBy.RESIGNING:
        return None
    *_, british = analysis.chances[:-1]
    return Message(
        "{player} resigned in turn {turn}, with a winning chance of {chance}.",
        player=player(match, outcome.side, viewer),
        turn=len(analysis.chances) - 1,
        chance=percent(british if outcome.side is Side.BRITISH else 1 - british),
    )


def judged_told(match: Match, analysis: Analysis, viewer: Side | None) -> Iterator[Line]:
    """Who resigned, who says all this, from what knowledge, and whose orders are not judged."""
    resigned = _resignation_told(match, analysis, viewer)
    if resigned:
        yield Line(resigned)
    if resigned and not analysis.mistakes:
        yield Line(Message("No single order lost much."))
    elif not analysis.mistakes and match.is_over:
        yield Line(
            Message(
                "No single order lost much: many small ones decided it, or the luck of the cards."
            )
        )
    elif not analysis.mistakes:
        yield Line(Message("No single order has lost much so far."))
    yield Line(
        Message(
            "This is how a robot of strength {strength} sees it, knowing no more than the player "
            "did then. Chances are estimates: each may be off by ten points or more.",
            strength=analysis.strength,
        )
    )
    yield Line(
        Message("The chances after a turn lie midway between what the two players could expect.")
        if len(analysis.sides) == len(Side)
        else Message("With only one hand known, the chances are a little too good for that side.")
    )
    for side in Side:
        if side not in analysis.sides:
            yield Line(
                Message(
                    "Orders of {player} are not judged: that hand is not known.",
                    player=player(match, side),
                )
            )
