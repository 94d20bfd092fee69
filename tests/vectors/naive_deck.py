"""A second, plain implementation of the ledger of a deck, for comparison only.

It is written from docs/protocol.md, *The ledger of a deck*, and shares no code with the program.
"""

from collections.abc import Sequence

from tests.vectors import naive
from tests.vectors.naive import Read


class RuleError(Exception):
    """Raised with the number of a broken rule."""


def need(condition: object, rule: str) -> None:
    if not condition:
        raise RuleError(rule)


def new_deck() -> Read:
    """Return a deck without shuffles; `last` is the verb of its owner's last order."""
    return {"epochs": [], "wanted": 0, "last": ""}


def owes_opening(deck: Read) -> bool:
    return bool(deck["epochs"] and deck["epochs"][-1]["owes"])


def carry_out(deck: Read, step: Read, previous: bytes) -> None:
    """Carry out an order, a shuffle or a draw by the owner of a deck."""
    if step["kind"] == "order":
        deck["last"] = step["order"].split(" ")[0]
    elif step["kind"] == "shuffle":
        shuffle(deck, step, previous)
    else:
        draw(deck, step["count"])


def shuffle(deck: Read, step: Read, previous: bytes) -> None:
    need(step["epoch"] == len(deck["epochs"]), "R-6.1")
    need(not deck["epochs"] or not deck["epochs"][-1]["undrawn"], "R-6.2")
    deck["epochs"].append(
        {
            "cards": step["cards"],
            "commitment": step["commitment"],
            "previous": previous,
            "list": None,
            "owes": False,
            "commitments": None,
            "undrawn": list(range(len(step["cards"]))),
            "ahead": [],
            "hidden": [],
            "unseen": list(step["cards"]),
        }
    )


def draw(deck: Read, count: int) -> None:
    need(deck["epochs"] and count <= len(deck["epochs"][-1]["undrawn"]), "R-6.3")
    epoch = deck["epochs"][-1]
    if epoch["commitments"] is not None and count == len(epoch["undrawn"]):
        hide(deck, epoch["undrawn"])
    elif (
        epoch["commitments"] is not None
        and deck["last"] == "home-support"
        and count <= len(epoch["ahead"])
    ):
        hide(deck, epoch["ahead"][:count])
    else:
        deck["wanted"] = count


def hide(deck: Read, positions: Sequence[int]) -> None:
    epoch = deck["epochs"][-1]
    epoch["hidden"] = sorted([*epoch["hidden"], *positions])
    for key in ("undrawn", "ahead"):
        epoch[key] = [position for position in epoch[key] if position not in positions]
    deck["wanted"] = 0


def positions(slots: Sequence[str], epoch: int, rule: str) -> list[int]:
    split = [tuple(map(int, slot.split(":"))) for slot in slots]
    need(all(number == epoch for number, _ in split), rule)
    return [position for _, position in split]


def open_lists(deck: Read, step: Read, lists: int) -> None:
    need(owes_opening(deck) and step["epoch"] == len(deck["epochs"]) - 1, "R-5.3")
    epoch, depth = deck["epochs"][-1], lists.bit_length() - 1
    siblings, commitments = (
        [naive.unb64(text) for text in step[key]] for key in ("siblings", "commitments")
    )
    need(len(siblings) == depth and len(commitments) == len(epoch["cards"]), "R-6.8")
    opened = naive.root_of_opening(epoch["cards"], depth, epoch["list"], siblings, commitments)
    need(naive.b64(opened) == epoch["commitment"], "R-6.9")
    epoch["commitments"], epoch["owes"] = commitments, False


def open_slot(deck: Read, slot: tuple[int, int], step: Read) -> None:
    number, position = slot
    need(number < len(deck["epochs"]), "R-6.10")
    epoch, card = deck["epochs"][number], step["card"]
    need(position in epoch["hidden"], "R-6.10")
    commitment = naive.slot(card, naive.unb64(step["nonce"]))
    need(commitment == epoch["commitments"][position], "R-6.11")
    need(card in epoch["unseen"], "R-6.12")
    epoch["hidden"] = [one for one in epoch["hidden"] if one != position]
    place = epoch["unseen"].index(card)
    epoch["unseen"] = epoch["unseen"][:place] + epoch["unseen"][place + 1 :]
