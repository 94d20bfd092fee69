"""The recorded games, read as inputs for the engine.

They stay outside the project: `records()` looks for them beside the checkout and finds none on
other machines.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine import orders
from engine.orders import Order
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import Player, Settlement, State, new_game

FOLDER = Path(__file__).parents[3] / "shared" / "records"


def records() -> list[Path]:
    """The recorded games there are on this machine."""
    return sorted(FOLDER.glob("game-*.json"))


def load(path: Path) -> dict[str, Any]:
    """One recorded game."""
    game: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return game


def start(game: dict[str, Any]) -> State:
    """The position before the first shuffle, under the rules the game was played with."""
    return new_game(Ruleset.of("second", game["house_rules"]))


def order_of(state: State, action: dict[str, Any]) -> Order:
    """The order that a recorded action is, for the side to move."""
    kind, cards, place = action["action"], tuple(action.get("cards", ())), action.get("location")
    match kind:
        case "settle":
            return orders.Settle(place, cards)
        case "besiege":
            return orders.Besiege(place, cards)
        case "develop":
            return orders.Develop(place, _without(cards, place))
        case "fortify":
            return orders.Fortify(place, _without(cards, place))
        case "reinforce" | "military-leader":
            return orders.Reinforce(place, cards)
        case "raid":
            return orders.Raid(place, cards)
        case "ambush":
            return orders.Ambush(cards=cards)
        case "convert":
            return orders.Convert(cards=cards)
        case "draft":
            return orders.Draft(cards=cards)
        case "discard":
            return orders.Discard(cards=cards)
        case "reserve":
            return orders.Reserve(cards=cards)
        case "retrieve-reserve":
            return orders.Retrieve()
        case "take-money":
            return orders.Take(cards=cards)
        case "merchant":
            return orders.Merchant(cards=cards)
        case "trade":
            return orders.Trade(cards=cards[1:])
        case "piracy":
            return orders.Piracy(cards=cards[1:])
        case "govern":
            return orders.Govern(cards=cards[1:])
        case "intendant":
            return orders.Intendant(cards=(action["taken"],))
        case "home-support":
            return orders.HomeSupport()
        case "withdraw":
            return orders.Withdraw(place, (action["lost"],) if action["lost"] else ())
        case "pass":
            return orders.Pass()
    raise ValueError(f"no such action: {kind}")


def _without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    rest = list(cards)
    rest.remove(card)
    return tuple(rest)


def reply_of(state: State, action: dict[str, Any]) -> Order | None:
    """The reply that a recorded action drew, where it drew one."""
    if action["action"] == "withdraw" and "reply" in action:
        return _spoils(action["location"], action["reply"])
    if action["action"] not in ("raid", "ambush", "convert"):
        return None
    if "blocked_with" in action:
        return orders.Block(cards=(action["blocked_with"],))
    if action["action"] == "raid":
        return orders.Allow()
    if action.get("hand_shown"):
        return orders.ShowHand()
    card = action.get("lost") or action["given"]
    source = action.get("lost_from") or action["given_from"]
    return (orders.Give if source == "hand" else orders.GiveFromReserve)(cards=(card,))


def _spoils(location: str, spoils: dict[str, Any]) -> Order:
    if not spoils["settled"]:
        return orders.Leave(location)
    settler = spoils.get("settler_card")
    return orders.Occupy(location, (settler,) if settler else ())


def siege_won(state: State, action: dict[str, Any]) -> Order | None:
    """The decision in a recorded `win-siege`; None where the engine resolves it by itself."""
    besieger = Side(action["siege"])
    if besieger is not state.active:
        return None
    return _spoils(state.sieges[besieger].location, action)


def losses(game: dict[str, Any], turn: dict[str, Any]) -> Iterator[str]:
    """The cards chosen at the end of a turn for sieges that stand lost."""
    yield from turn["after"][turn["side"]]["siege_loss_choice"].values()


def expected_board(after: dict[str, Any]) -> dict[str, Settlement]:
    """The board of a recorded state."""
    return {
        place: Settlement(Side(piece["owner"]), piece["town"], piece["fortified"])
        for place, piece in after["board"].items()
    }


def facts(player: Player, state: State, side: Side) -> dict[str, Any]:
    """What a recorded state says of one side, read off the engine's; piles sorted."""
    pile = sorted(player.unseen[-1]) if player.draw_pile else []
    return {
        "money": player.money,
        "hand": sorted(player.hand),
        "reserve": sorted(player.reserve),
        "draw_pile": pile,
        "discard": sorted(player.discard),
        "captured_villages": player.captured_villages,
        "captured_towns": player.captured_towns,
        "siege_cards": {
            besieger.value: sorted(siege.cards[side]) if siege else []
            for besieger in Side
            for siege in [state.sieges.get(besieger)]
        },
    }
