"""A second implementation of the tables of verbs and of the beginning.

It reads the verbs from docs/orders.md, *Notation*, and docs/protocol.md, *Orders*, is written from
*The beginning* there, and shares no code with the program.
"""

import re
from pathlib import Path

from tests.vectors.naive import Read
from tests.vectors.naive_deck import need

DOCS = Path(__file__).parents[2] / "docs"
VERB = re.compile(r"^\| `([a-z-]+)` \|", re.M)
NOTATION = (DOCS / "orders.md").read_text("utf-8").partition("## The rules data")[0]
ROW = re.compile(r"^\| (`[^|]+) \| ([^|]+) \|([^|]*)\|", re.M)
ORDERS = (DOCS / "protocol.md").read_text("utf-8").partition("\n## Orders\n")[2]
ROWS = ROW.findall(ORDERS.partition("R-7.1")[0])
WHEN = dict.fromkeys(VERB.findall(NOTATION), "yes")
WHEN |= {verb: when for verbs, when, _ in ROWS for verb in re.findall("[a-z-]+", verbs)}
"""The column of the table with the conditions for follow-ups, by verb."""
FOLLOWING = [verb for verb, when in WHEN.items() if when == "yes"]
"""The verbs of follow-ups, except for `lose` after an `end`."""
VERBS = [*WHEN]


def verbs_noted(words: str) -> list[str]:
    """Return the verbs of the rows whose last column has these words."""
    noted = [verbs for verbs, _, note in ROWS if words in note]
    return [verb for verbs in noted for verb in re.findall("[a-z-]+", verbs)]


ANSWERED = verbs_noted("has to answer")
FRENCH = verbs_noted("only the French")
DRAWING = verbs_noted("in the middle of the turn")


def check_beginning(world: Read) -> None:
    """Check the tables of *The beginning*; a resignation may cut a row short."""
    row, kinds = row_of(world), world["at"]["kinds"]
    if row is None or world["at"]["over"]:
        return
    if "resign" in kinds:
        kinds = kinds[: kinds.index("resign")]
        row = row[: len(kinds)]
    need(kinds == row, "R-5.1")


def row_of(world: Read) -> list[str] | None:
    """Return the steps of the current record of the beginning, or None if it may have a turn."""
    rows, index = rows_of(world), world["at"]["index"]
    has_turn = index == len(rows) - 1 and world["at"]["side"] == "british"
    return rows[index] if index < len(rows) and not has_turn else None


DEAL, DEALT = ["shuffle", "draw 5"], ["open-lists", "grant"]


def rows_of(world: Read) -> list[list[str]]:
    """Return the steps of the first records, up to the one that ends the dealing."""
    invite, sides = world["invited"], world["sides"]
    side, start = invite["side"], ["start", *DEAL]
    if "french-start-choice" not in invite["house_rules"]:
        if side == "any":
            return [["invite"], ["accept", *DEAL], ["grant", *DEAL], DEALT]
        return [["invite", *DEAL], ["accept", "grant", *DEAL], DEALT]
    if side == "french":
        return [["invite", *start], ["accept", "grant", *DEAL], DEALT]
    if sides[1:] and sides[1] == "british":
        return [["invite"], ["accept"], start, ["grant", *DEAL], DEALT]
    return [["invite"], ["accept", *start], ["grant", *DEAL], DEALT]


def kind_of(step: Read) -> str:
    """Return the name of a step in the tables of the beginning."""
    if step["kind"] == "draw":
        return f"draw {step['count']}"
    return verb_of(step) if step["kind"] == "order" else str(step["kind"])


def verb_of(step: Read) -> str:
    return str(step["order"].partition(" ")[0])
