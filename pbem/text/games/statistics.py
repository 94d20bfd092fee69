"""A player's games taken together, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.message import Message, Run, Said
from engine.sides import Side
from pbem.text.lines import Line, Tone
from pbem.text.rules.editions import edition_named


def statistics_told(facts: Mapping[str, Any]) -> Iterator[Line]:
    """What `view.statistics` has found out, under headings."""
    yield Line(Message("Your games"), Tone.HEAD)
    for results in facts["results"]:
        edition, side = edition_named(results["edition"]), Side(results["side"]).label
        yield _row(Run((edition, side), ", "), _results(results))
    if len(facts["results"]) != 1:
        yield _row(Message("in all"), _results(facts["in_all"]))
    if facts["turns"]:
        yield Line()
        yield Line(Message("How long the finished games took"), Tone.HEAD)
        yield _row(Message("turns"), _spread(facts["turns"]))
    if facts["days"]:
        yield _row(Message("days"), _spread(facts["days"]))


def _row(label: Message, text: Said) -> Line:
    return Line(text, label=Run(("  ", label, "  ")), in_columns=True)


def _results(results: Mapping[str, int]) -> Message:
    return Message(
        "won: {won}, lost: {lost}, in progress: {going_on}",
        **{name: results[name] for name in ("won", "lost", "going_on")},
    )


def _spread(spread: Mapping[str, int]) -> Said:
    if spread["least"] == spread["most"]:
        return str(spread["most"])
    # Translators: how many turns, or days: such as “38 to 130; half of the games took at most 71”.
    return Message("{least} to {most}; half of the games took at most {median}", **spread)
