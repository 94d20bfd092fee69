"""What an analysis of a game found, as plain data. docs/json.md tells other programs the shape."""

from __future__ import annotations

from typing import Any, TypeAlias

from engine.sides import Side
from pbem.play.analysis import Analysis, Mistake, Swing
from pbem.protocol.match import Match
from pbem.text.facts.chances import in_percent

Facts: TypeAlias = dict[str, Any]


def analysis_facts(match: Match, analysis: Analysis) -> Facts:
    """Return what was found in a match, as plain data: ids, and orders as the file has them.

    Turn 0 is the setup. `sides` are those whose hands were known and whose orders were judged;
    `swings` are the turns that changed the chances most, each with the greatest mistake in it, if
    there was one; `mistakes` the greatest of these sides, each of another turn, the greatest first.
    """
    outcome = match.state.outcome
    return {
        "game": match.id.hex(),
        "edition": match.invite.edition,
        "house_rules": list(match.invite.house_rules),
        "players": {side.value: match.entrants[side].name for side in match.entrants},
        "strength": analysis.strength,
        "sides": [side.value for side in analysis.sides],
        "turns": [{"turn": n, "chance": _chances(c)} for n, c in enumerate(analysis.chances)],
        "swings": [_swing(each) for each in analysis.swings],
        "mistakes": [_mistake(each) for each in analysis.mistakes],
        "winner": outcome.winner.value if outcome else None,
        "ended_by": outcome.by.value if outcome else None,
    }


def _chances(british: float) -> dict[str, float]:
    percent = in_percent(british)
    return {Side.BRITISH.value: percent / 100, Side.FRENCH.value: (100 - percent) / 100}


def _swing(swing: Swing) -> Facts:
    return {
        "turn": swing.turn,
        "before": _chances(swing.before),
        "after": _chances(swing.after),
        "mistake": _mistake(swing.mistake) if swing.mistake else None,
    }


def _mistake(mistake: Mistake) -> Facts:
    """An order, the `number`-th in its record, a better one, and the chances with each."""
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
