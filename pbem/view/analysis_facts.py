"""What an analysis of a game found, as plain data. docs/json.md tells other programs the shape."""

from __future__ import annotations

from typing import TypedDict

from engine.sides import Side
from pbem.play.analysis import Analysis, Mistake, Swing
from pbem.protocol.match import Match
from pbem.view.chances import in_percent


class TurnChances(TypedDict):
    """The chance of each side to win after a turn, from 0 to 1."""

    turn: int
    chance: dict[str, float]


class MistakeFacts(TypedDict):
    """An order in the notation of records, a better one, and the chance of the side with each.

    It is the order of that `number` in its record, the first is 1.
    """

    turn: int
    record: int
    number: int
    side: str
    order: str
    chance: float
    better: str
    chance_of_better: float
    loss: float


class SwingFacts(TypedDict):
    """A turn that changed the chances much, and the greatest mistake in it, if there was one."""

    turn: int
    before: dict[str, float]
    after: dict[str, float]
    mistake: MistakeFacts | None


class AnalysisFacts(TypedDict):
    """A game as the player of that strength sees it.

    Turn 0 is the setup. `sides` are those whose hands were known and whose orders were judged;
    `swings` are the turns that changed the chances most, `mistakes` the greatest of these sides,
    each of another turn, the greatest first.
    """

    game: str
    edition: str
    house_rules: list[str]
    players: dict[str, str]
    strength: int
    sides: list[str]
    turns: list[TurnChances]
    swings: list[SwingFacts]
    mistakes: list[MistakeFacts]
    winner: str | None
    ended_by: str | None


def analysis_facts(match: Match, analysis: Analysis) -> AnalysisFacts:
    """What was found in a match, as plain data: ids, and orders as the file has them."""
    outcome = match.state.outcome
    return {
        "game": match.id.hex(),
        "edition": match.invite.edition,
        "house_rules": list(match.invite.house_rules),
        "players": {side.value: match.entrants[side].name for side in match.entrants},
        "strength": analysis.strength,
        "sides": [side.value for side in analysis.sides],
        "turns": [_turn(number, chance) for number, chance in enumerate(analysis.chances)],
        "swings": [_swing(each) for each in analysis.swings],
        "mistakes": [_mistake(each) for each in analysis.mistakes],
        "winner": outcome.winner.value if outcome else None,
        "ended_by": outcome.by.value if outcome else None,
    }


def _turn(number: int, british: float) -> TurnChances:
    return {"turn": number, "chance": _chances(british)}


def _chances(british: float) -> dict[str, float]:
    percent = in_percent(british)
    return {Side.BRITISH.value: percent / 100, Side.FRENCH.value: (100 - percent) / 100}


def _swing(swing: Swing) -> SwingFacts:
    return {
        "turn": swing.turn,
        "before": _chances(swing.before),
        "after": _chances(swing.after),
        "mistake": _mistake(swing.mistake) if swing.mistake else None,
    }


def _mistake(mistake: Mistake) -> MistakeFacts:
    chance, of_better = _told(mistake.chance), _told(mistake.chance_of_better)
    return {
        "turn": mistake.turn,
        "record": mistake.record,
        "number": mistake.number,
        "side": mistake.side.value,
        "order": mistake.order.notation(),
        "chance": chance,
        "better": mistake.better.notation(),
        "chance_of_better": of_better,
        "loss": round(of_better - chance, 2),
    }


def _told(chance: float) -> float:
    """In whole percents: it is an estimate, and may be off by ten of them or more."""
    return in_percent(chance) / 100
