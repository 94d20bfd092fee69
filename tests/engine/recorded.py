"""The recorded games, read as inputs for the engine.

They stay outside the project: `records()` looks for them beside the checkout and finds none on
other machines. `Replay` plays one turn by turn and keeps every input it gave, so that other tests
can play the same game another way.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine import orders
from engine.chance import Chance, Draw, Reveal, Shuffle
from engine.game import apply, legal_orders, resign
from engine.orders import Order
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import Decision, Settlement, State, new_game

FOLDER = Path(__file__).parents[3] / "shared" / "records"
GAMES = tuple(f"game-{number}" for number in range(1, 6))

Turn = dict[str, Any]
Action = dict[str, Any]
Facts = dict[str, Any]


def path_of(name: str) -> Path:
    """Where a recorded game lies, if it is on this machine."""
    return FOLDER / f"{name}.json"


@dataclass(frozen=True)
class Resignation:
    """The input that gives a game up."""

    side: Side


Input = Order | Chance | Resignation


def give(state: State, given: Input) -> list[Any]:
    """Give a state one input of any kind and return what happened."""
    if isinstance(given, Resignation):
        resign(state, given.side)
        return []
    return list(apply(state, given))


class Disagreement(AssertionError):
    """The engine does not allow what the record says was done."""


@dataclass
class Replay:
    """One recorded game being played, both hands open.

    `inputs` is all that was given to `state` so far, in order.
    """

    game: Facts
    state: State = field(init=False)
    inputs: list[Input] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state = new_game(Ruleset.of("second", self.game["house_rules"]))
        for side in Side:
            self._deal(self.game["start"][side]["hand"])

    @classmethod
    def of(cls, name: str) -> Replay:
        """The recorded game of that name, dealt."""
        return cls(json.loads(path_of(name).read_text(encoding="utf-8")))

    @property
    def turns(self) -> list[Turn]:
        """The recorded turns."""
        turns: list[Turn] = self.game["turns"]
        return turns

    def run(self) -> Replay:
        """Play every turn."""
        for turn in self.turns:
            self.play(turn)
        return self

    def play(self, turn: Turn) -> None:
        """Play one recorded turn, up to the first decision of the next."""
        side = Side(turn["side"])
        if self.state.active is not side:
            raise Disagreement(f"turn {turn['index']} is not the turn of the {side.label}")
        if not turn["actions"]:
            self._give(Resignation(side))
            return
        for action in turn["actions"]:
            for order in orders_of(self.state, action):
                self._give(order)
            if action["action"] == "home-support" and action["drawn"]:
                self._deal(action["drawn"])
        if self.state.awaiting.decision is Decision.OVER:
            return
        self._give(orders.End())
        while self.state.awaiting.decision is Decision.LOSERS_CARD:
            location = self.state.awaiting.location
            assert location is not None
            choices = turn["after"][side]["siege_loss_choice"]
            self._give(orders.Lose(location, (choices[self.state.besieger(location)],)))
        self._deal(turn["refill"])

    def _give(self, given: Input) -> None:
        if isinstance(given, Order) and given not in legal_orders(self.state):
            turn = self.state.turn
            raise Disagreement(f"turn {turn}: {given.notation()} is not listed as legal")
        give(self.state, given)
        self.inputs.append(given)

    def _deal(self, cards: list[str]) -> None:
        """Answer chance so that the awaited side gets exactly these cards, and reveal them."""
        left = Counter(cards)
        side = self.state.awaiting.side
        while self.state.awaiting.decision.is_chance and self.state.awaiting.side is side:
            if self.state.awaiting.decision is Decision.SHUFFLE:
                self._give(Shuffle(side))
                continue
            player = self.state.players[side]
            amount = self.state.awaiting.amount
            drawn = list((left & Counter(player.unseen[-1])).elements())
            if len(drawn) < amount:
                raise Disagreement(f"{dict(left)} cannot be drawn from {player.unseen[-1]}")
            drawn = drawn[:amount]
            slots = tuple(player.draw_pile[:amount])
            self._give(Draw(side, slots))
            for slot, card in zip(slots, drawn, strict=True):
                self._give(Reveal(side, slot, card))
            left -= Counter(drawn)
        if left:
            raise Disagreement(f"{dict(left)} were drawn beyond what the engine draws")


# --- what was done


def orders_of(state: State, action: Action) -> list[Order]:
    """The orders that one recorded action is: the order itself and the reply it drew."""
    if action["action"] == "win-siege":
        besieger = Side(action["siege"])
        location = state.sieges[besieger].location if besieger in state.sieges else None
        if besieger is state.active:
            assert location is not None
            return [_spoils(location, action)]
        # A defender's victory resolves itself, unless another siege was won as well.
        if state.awaiting.decision is Decision.SIEGE_SPOILS:
            return [orders.Relieve(location)]
        return []
    reply = reply_of(action)
    return [order_of(action)] + ([reply] if reply else [])


def order_of(action: Action) -> Order:
    """The order that a recorded action is."""
    kind, cards, place = (
        action["action"],
        tuple(action.get("cards", ())),
        action.get("location", ""),
    )
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


def reply_of(action: Action) -> Order | None:
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


def _spoils(location: str, spoils: Action) -> Order:
    if not spoils["settled"]:
        return orders.Leave(location)
    settler = spoils.get("settler_card")
    return orders.Occupy(location, (settler,) if settler else ())


# --- what came of it


def facts(state: State) -> Facts:
    """All that a record says of a position, read off the engine's state, piles sorted."""
    return {
        "board": dict(state.board),
        "sieges": {besieger: siege.location for besieger, siege in state.sieges.items()},
        **{side: _side_facts(state, side) for side in Side},
    }


def _side_facts(state: State, side: Side) -> Facts:
    player = state.players[side]
    return {
        "money": player.money,
        "hand": sorted(player.hand),
        "reserve": sorted(player.reserve),
        "draw_pile": sorted(player.unseen[-1]) if player.draw_pile else [],
        "discard": sorted(player.discard),
        "captured_villages": player.captured_villages,
        "captured_towns": player.captured_towns,
        "siege_cards": {
            besieger: sorted(state.sieges[besieger].cards[side]) if besieger in state.sieges else []
            for besieger in Side
        },
        # Only the side whose turn just ended has chosen: the next mover wins that siege at once.
        "siege_loss_choice": {
            besieger: siege.cost
            for besieger, siege in state.sieges.items()
            if siege.cost is not None and state.active is side.opponent
        },
    }


def expected(turn: Turn, following: Turn | None) -> Facts:
    """What the record says of the position after a turn, in the form of `facts`.

    The engine is ahead of the record in one thing: a siege that its defender has won is resolved
    when the next turn starts, which the record shows as the first action of that turn. That action
    is applied here, unless the mover has a siege of its own to decide about at the same time.
    """
    after = turn["after"]
    position: Facts = {
        "board": {
            place: Settlement(Side(piece["owner"]), piece["town"], piece["fortified"])
            for place, piece in after["board"].items()
        },
        "sieges": {Side(besieger): place for besieger, place in after["sieges"].items()},
    }
    for side in Side:
        recorded = after[side]
        position[side] = {
            **recorded,
            "siege_cards": {Side(b): sorted(c) for b, c in recorded["siege_cards"].items()},
            "siege_loss_choice": {Side(b): c for b, c in recorded["siege_loss_choice"].items()},
        }
    won = [a for a in following["actions"] if a["action"] == "win-siege"] if following else []
    if following and all(action["siege"] != following["side"] for action in won):
        for action in won:
            _relieve(position, Side(action["siege"]), action["loser_gives_back"])
    for side in Side:
        position[side]["discard"].sort()
    return position


def _relieve(position: Facts, besieger: Side, cost: str | None) -> None:
    """Apply a siege won by its defender: all cards to the discard piles but the one it costs."""
    del position["sieges"][besieger]
    for side in Side:
        cards = position[side]["siege_cards"][besieger]
        position[side]["siege_cards"][besieger] = []
        position[side]["siege_loss_choice"].pop(besieger, None)
        if side is besieger and cost is not None:
            cards.remove(cost)
        position[side]["discard"] = sorted(position[side]["discard"] + cards)
