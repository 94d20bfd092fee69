"""An analysis of a game, as facts and in sentences; docs/json.md has the keys of the facts."""

from __future__ import annotations

from collections.abc import Iterator

from engine.message import Message, and_list, mark, sentences, with_label
from engine.orders import End
from engine.sides import Side
from engine.state import EndReason
from pbem.play.analysis import Analysis, Mistake, Swing
from pbem.protocol.match import Match
from pbem.text.facts.game_facts import players_facts
from pbem.text.facts.json_data import Facts
from pbem.text.language import Line, Tone, item
from pbem.text.phrases import names, percent, player, trend_text, whole_percent


def analysis_facts(match: Match, analysis: Analysis) -> Facts:
    """Return the results of an analysis as facts; chances are rounded to whole percents."""
    outcome = match.state.outcome
    return players_facts(match) | {
        "strength": analysis.strength,
        "sides": analysis.sides,
        "turns": [{"turn": n, "chance": _chances(c)} for n, c in enumerate(analysis.chances)],
        "swings": [
            {
                "turn": swing.turn,
                "before": _chances(swing.before),
                "after": _chances(swing.after),
                "mistake": _mistake(swing.mistake) if swing.mistake else None,
            }
            for swing in analysis.swings
        ],
        "mistakes": [*map(_mistake, analysis.mistakes)],
        "winner": outcome.winner if outcome else None,
        "ended_by": outcome.by if outcome else None,
    }


def _chances(british: float) -> dict[Side, float]:
    percent = whole_percent(british)
    return {Side.BRITISH: percent / 100, Side.FRENCH: (100 - percent) / 100}


def _mistake(mistake: Mistake) -> Facts:
    chance = whole_percent(mistake.chance) / 100
    better = whole_percent(mistake.chance_of_better) / 100
    rounded = mistake._replace(chance=chance, chance_of_better=better)
    return rounded._asdict() | {"loss": round(better - chance, 2)}


# --- in sentences


PONDERING = mark("Analysis: {done} of {total} turns.")
PONDERING_ORDERS = mark("Closer analysis: {done} of {total} orders.")
"""The progress of an analysis: first the turns, then the suspected mistakes."""


def trends_text(match: Match, analysis: Analysis) -> Message:
    """Return each side's chances at the beginning, at the end, and at their highest."""
    british = list(analysis.chances)
    courses = {Side.BRITISH: british, Side.FRENCH: [1 - chance for chance in british]}
    return sentences(
        *(
            trend_text(side, chances, percent, is_over=match.is_over)
            for side, chances in courses.items()
        )
    )


def turns_text(analysis: Analysis) -> Iterator[Line]:
    """Yield a line for each turn with the chances of both sides after it."""
    for number, chance in enumerate(analysis.chances):
        turn = mark("Turn {number}: British {british}, French {french}")
        british, french = percent(chance), percent(1 - chance)
        yield item(Message(turn, number=number, british=british, french=french))


def deciding_text(match: Match, analysis: Analysis, viewer: Side | None) -> Iterator[Line]:
    """Yield the turns that changed the chances most, with better orders, and remarks."""
    yield Line(DECIDING, Tone.HEAD)
    for swing in analysis.swings:
        yield item(with_label(turn_text(swing), swing_text(match, analysis, swing, viewer)))
    if not analysis.swings:
        yield item(NO_SWING)
    if others := other_mistakes(analysis):
        yield Line()
        yield Line(OTHERS, Tone.HEAD)
        for mistake in others:
            yield item(with_label(turn_text(mistake), mistake_text(match, mistake, viewer)))
    yield Line()
    yield from judged_text(match, analysis, viewer)


DECIDING = Message("What changed the chances most")
NO_SWING = Message("No turn changed them by much.")
OTHERS = Message("Other orders that cost much")


def other_mistakes(analysis: Analysis) -> list[Mistake]:
    """Return the mistakes in turns that are not among the swings."""
    turns = {swing.turn for swing in analysis.swings}
    return [mistake for mistake in analysis.mistakes if mistake.turn not in turns]


def turn_text(event: Swing | Mistake) -> Message:
    """Return the turn of a swing or mistake: `Turn 12`."""
    return Message("Turn {number}", number=event.turn)


def swing_text(match: Match, analysis: Analysis, swing: Swing, viewer: Side | None) -> Message:
    """Return how a turn changed the chances, and the better order if there was one."""
    rose = mark("The chance of a British win rose from {before} to {after}.")
    fell = mark("The chance of a British win fell from {before} to {after}.")
    if viewer:
        rose = mark("Your chance of winning rose from {before} to {after}.")
        fell = mark("Your chance of winning fell from {before} to {after}.")
    before, after = swing.before, swing.after
    loser = Side.BRITISH if after < before else Side.FRENCH
    if viewer is Side.FRENCH:
        before, after = 1 - before, 1 - after
    change = rose if after > before else fell
    texts = [Message(change, before=percent(before), after=percent(after))]
    if swing.mistake is None or swing.mistake.side is not loser:
        texts += _orders_text(match, swing, viewer)
    if swing.mistake:
        texts.append(mistake_text(match, swing.mistake, viewer))
    elif swing.side is loser and loser in analysis.sides:
        texts.append(Message("No single order of that turn lost much."))
    return sentences(*texts)


def _orders_text(match: Match, swing: Swing, viewer: Side | None) -> Iterator[Message]:
    """Yield a sentence with the orders of a turn, except `end`, if there are any."""
    name = names(match.state)
    orders = [o.text(name) for o in swing.orders if not isinstance(o, End)]
    if orders:
        yield Message(
            "{player} ordered {orders}.",
            player=player(match, swing.side, viewer),
            orders=and_list(Message("“{word}”", word=order) for order in orders),
        )


def mistake_text(match: Match, mistake: Mistake, viewer: Side | None) -> Message:
    """Return a player's order, a better one, and the chances with both."""
    name = names(match.state)
    return Message(
        "{player} had a winning chance of {chance} with “{order}”, and of {more} with “{better}”.",
        player=player(match, mistake.side, viewer),
        order=mistake.order.text(name),
        chance=percent(mistake.chance),
        better=mistake.better.text(name),
        more=percent(mistake.chance_of_better),
    )


def _resignation_text(match: Match, analysis: Analysis, viewer: Side | None) -> Message | None:
    """Return a sentence about a resignation and the chances before it, or None if there is none."""
    outcome = match.state.outcome
    if outcome is None or outcome.by is not EndReason.RESIGNING:
        return None
    *_, british = analysis.chances[:-1]
    return Message(
        "{player} resigned in turn {turn}, with a winning chance of {chance}.",
        player=player(match, outcome.side, viewer),
        turn=len(analysis.chances) - 1,
        chance=percent(british if outcome.side is Side.BRITISH else 1 - british),
    )


def judged_text(match: Match, analysis: Analysis, viewer: Side | None) -> Iterator[Line]:
    """Yield remarks: a resignation, the source of the estimates, and orders without estimates."""
    resigned = _resignation_text(match, analysis, viewer)
    if resigned:
        yield Line(resigned)
    if not analysis.mistakes:
        none = mark("No single order has lost much so far.")
        if resigned:
            none = mark("No single order lost much.")
        elif match.is_over:
            none = mark(
                "No single order lost much: many small ones decided it, or the luck of the cards."
            )
        yield Line(Message(none))
    yield Line(
        Message(
            "This is how a robot of strength {strength} sees it, knowing no more than the player "
            "did then. Chances are estimates: each may be off by ten points or more.",
            strength=analysis.strength,
        )
    )
    estimate = Message("With only one hand known, the chances are a little too good for that side.")
    if len(analysis.sides) == len(Side):
        estimate = Message(
            "The chances after a turn lie midway between what the two players could expect."
        )
    yield Line(estimate)
    unjudged = mark("Orders of {player} are not judged: that hand is not known.")
    for side in Side:
        if side not in analysis.sides:
            yield Line(Message(unjudged, player=player(match, side)))
