"""Replays recorded games in the engine, and compares the positions turn by turn.

The recorded games are outside the project: `Replay.of` looks for them next to the checkout. On
other machines the tests that need a game are skipped, and the end of the run lists the games.
`Replay` plays a game turn by turn and keeps every input, for tests that play the same game in
another way.

Record and engine report the end of a siege at different times. The engine resolves a siege without
a choice when the winner's turn starts; the record has it among the first actions of that turn, or
not at all if the winner resigns or the game is over. Before the two are compared, a recorded
position is therefore advanced to that of the engine: a defender's victory is resolved, and a won
home siege has ended the game (ruling 2), so that the last turn holds nothing else.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from engine import orders
from engine import ruleset as rules
from engine.chance import Chance, Draw, Reveal, Shuffle
from engine.game import apply, legal_orders, resign
from engine.order import Order
from engine.position import current_winner, score
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import Decision, Settlement, Siege, State, new_game

FOLDER = Path(__file__).parents[3] / "shared" / "records"
GAMES = tuple(f"game-{number}" for number in range(1, 6))

Turn = dict[str, Any]
Action = dict[str, Any]
Facts = dict[str, Any]


MISSING = "not next to this checkout (../shared/records): "
"""The reason for which a test is skipped; the name of the game follows."""


@dataclass(frozen=True)
class Resignation:
    """The input that gives a game up."""

    side: Side


Input = Order | Chance | Resignation


def give(state: State, step: Input) -> list[Any]:
    """Give a state an input of any kind, and return the events."""
    if isinstance(step, Resignation):
        return list(resign(state, step.side))
    return list(apply(state, step))


class ReplayError(AssertionError):
    """The engine refuses a recorded action, or reaches a different position."""


@dataclass
class Replay:
    """A recorded game being played, with both hands open.

    `inputs`: the inputs of `state` so far. `begin`: the position from which a record without the
    deal is played.
    """

    game: Facts
    begin: State | None = None
    state: State = field(init=False)
    inputs: list[Input] = field(default_factory=list)
    reshuffled: bool = field(init=False, default=False)
    before: Facts = field(init=False)
    relieved: list[Side] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.before = self.game["start"]
        if self.begin is not None:
            self.state = self.begin.copy()
        else:
            self.state = new_game(Ruleset.of("second", self.game["house_rules"]))
            for side in Side:
                self._deal(self.game["start"][side]["hand"])
        _compare("the start", facts(self.state), position_of(self.game["start"]))

    @classmethod
    def of(cls, name: str) -> Replay:
        """Return the recorded game of a name after the deal; skips the test if it is missing."""
        file = FOLDER / f"{name}.json"
        if not file.is_file():
            pytest.skip(f"{MISSING}{name}")
        return cls(json.loads(file.read_text(encoding="utf-8")))

    @property
    def turns(self) -> list[Turn]:
        turns: list[Turn] = self.game["turns"]
        return turns

    @property
    def is_over(self) -> bool:
        """True if the game is over for the engine."""
        return self.state.awaiting.decision is Decision.OVER

    def run(self) -> Replay:
        """Play and compare every turn; raises ReplayError if a position differs."""
        for turn, following in zip(self.turns, [*self.turns[1:], None], strict=True):
            self.play(turn, following)
            self.compare(turn)
        return self

    # --- playing

    def play(self, turn: Turn, following: Turn | None) -> None:
        """Play one recorded turn, up to the first decision of the next."""
        self.reshuffled = False
        if not turn["actions"]:
            if following is not None:
                raise ReplayError(f"turn {turn['index']} has no actions and is not the last")
            self._give(Resignation(Side(turn["side"])))
            return
        side = Side(turn["side"])
        if self.state.turn != turn["index"] or self.state.active is not side:
            raise ReplayError(f"turn {turn['index']} is not the turn of the {side.label!s}")
        self._check_sieges_won(turn, side)
        if self.is_over:
            self._check_home_fallen(turn, side)
            return
        for action in turn["actions"]:
            for order in orders_of(self.state, action):
                self._give(order)
            if action["action"] == "home-support" and action["drawn"]:
                self._deal(action["drawn"])
        if self.is_over:
            _refuse_refill(turn)
            return
        self._give(orders.End())
        resigned = following is not None and not following["actions"]
        self._end(turn, side, resigned)

    def _end(self, turn: Turn, side: Side, resigned: bool) -> None:
        """Choose the loser's cards and refill; a side that `resigned` may have done neither."""
        while self.state.awaiting.decision is Decision.LOSERS_CARD:
            location = self.state.awaiting.location
            assert location is not None
            besieger = self.state.besieger(location)
            card = turn["after"][side]["siege_loss_choice"].get(besieger)
            if card is None:
                if resigned:
                    return
                raise ReplayError(f"turn {turn['index']}: no card is chosen for {location}")
            self._give(orders.Lose(location, (card,)))
        self._deal(turn["refill"], may_stop=resigned)

    def _check_sieges_won(self, turn: Turn, side: Side) -> None:
        """Raise ReplayError if the turn records other sieges won than the last position has."""
        position = position_of(self.before)
        recorded = {}
        for action in turn["actions"]:
            if action["action"] == "win-siege":
                recorded[Side(action["siege"])] = action["loser_gives_back"]
        won = {
            besieger: position[side.opponent]["siege_loss_choice"].get(besieger)
            for besieger in position["sieges"]
            if self._standing_winner(position, besieger) is side
        }
        if self.is_over:
            # The game ended with the home: the other siege may be reported or not.
            won = {besieger: won[besieger] for besieger in won if besieger in recorded}
        if recorded != won:
            raise ReplayError(f"turn {turn['index']}: sieges won are {won}, recorded {recorded}")

    def _check_home_fallen(self, turn: Turn, side: Side) -> None:
        """Raise ReplayError if the last turn has more than the home siege that ended the game."""
        label = f"turn {turn['index']}"
        home = self.before["sieges"].get(side)
        home_sieges = [action for action in turn["actions"] if action.get("siege") == side]
        if home not in rules.HOMES[side.opponent] or len(home_sieges) != 1:
            raise ReplayError(f"{label} is played after the game is over")
        if any(action["action"] != "win-siege" for action in turn["actions"]):
            raise ReplayError(f"{label} continues after {home} has fallen")
        piece = "town" if self.before["board"][home]["town"] else "village"
        if home_sieges[0].get("captured", piece) != piece or home_sieges[0].get("settled"):
            raise ReplayError(f"{label}: {home} is a {piece}, and can no longer be settled")
        _refuse_refill(turn)
        self.relieved = [Side(a["siege"]) for a in turn["actions"] if a is not home_sieges[0]]

    def _give(self, step: Input) -> None:
        if isinstance(step, Order) and step not in legal_orders(self.state):
            turn = self.state.turn
            raise ReplayError(f"turn {turn}: {step.notation()} is not listed as legal")
        if isinstance(step, Resignation) and self.is_over:
            raise ReplayError(f"the {step.side.label!s} resign after the game is over")
        give(self.state, step)
        self.inputs.append(step)

    def _deal(self, cards: list[str], may_stop: bool = False) -> None:
        """Answer chance so that the awaited side gets exactly these cards, and reveal them."""
        remaining = Counter(cards)
        side = self.state.awaiting.side
        while self.state.awaiting.decision.is_chance and self.state.awaiting.side is side:
            if may_stop and not remaining:
                return
            if self.state.awaiting.decision is Decision.SHUFFLE:
                self._give(Shuffle(side))
                self.reshuffled = True
                continue
            player = self.state.players[side]
            amount = self.state.awaiting.amount
            drawn = list((remaining & Counter(player.unseen[-1])).elements())
            if len(drawn) < amount:
                raise ReplayError(f"{dict(remaining)} cannot be drawn from {player.unseen[-1]}")
            drawn = drawn[:amount]
            slots = tuple(player.draw_pile[:amount])
            self._give(Draw(side, slots))
            for slot, card in zip(slots, drawn, strict=True):
                self._give(Reveal(side, slot, card))
            remaining -= Counter(drawn)
        if remaining:
            raise ReplayError(f"{dict(remaining)} were drawn beyond what the engine draws")

    # --- comparing

    def compare(self, turn: Turn) -> None:
        """Raise ReplayError if the position after a turn differs from the record."""
        actual = facts(self.state) | {"over": self.is_over, "reshuffled": self.reshuffled}
        for besieger in self.relieved:
            choice = self.before[besieger]["siege_loss_choice"].get(besieger)
            _end_siege(actual, besieger, besieger, choice)
        _compare(f"turn {turn['index']}", actual, self.expected_position(turn))
        self.before = turn["after"]

    def expected_position(self, turn: Turn) -> Facts:
        """Return the recorded position after a turn, advanced to that of the engine."""
        position = position_of(turn["after"])
        position |= {"over": turn["after"]["finished"], "reshuffled": turn["reshuffled"]}
        next_has_begun = self.state.turn > turn["index"]
        resigned_in_turn = not turn["actions"] and self.state.turn == turn["index"]
        if next_has_begun or resigned_in_turn:
            position["over"] |= self._begin_turn(position, self.state.active)
        return position

    def _begin_turn(self, position: Facts, mover: Side) -> bool:
        """Resolve sieges without a choice at the start of a turn; return True if a home fell."""
        sieges, enemy = position["sieges"], mover.opponent
        won = {
            besieger for besieger in sieges if self._standing_winner(position, besieger) is mover
        }
        if mover in won:
            location = sieges[mover]
            if location not in rules.HOMES[enemy]:
                # The mover chooses first; a siege of its own location waits for that.
                return False
            choice = position[enemy]["siege_loss_choice"].get(mover)
            piece = "towns" if position["board"].pop(location).town else "villages"
            position[mover][f"captured_{piece}"] += 1
            _end_siege(position, mover, enemy, choice)
            return True
        if enemy in won:
            _end_siege(position, enemy, enemy, position[enemy]["siege_loss_choice"].get(enemy))
        return False

    def _standing_winner(self, position: Facts, besieger: Side) -> Side | None:
        state = new_game(self.state.ruleset)
        state.board = position["board"]
        cards = {side: position[side]["siege_cards"][besieger] for side in Side}
        state.sieges = {besieger: Siege(position["sieges"][besieger], cards)}
        return current_winner(state, besieger)

    def check_end(self) -> None:
        """Raise AssertionError unless the recorded side has won, with the recorded points."""
        outcome = self.state.outcome
        assert outcome is not None, "the record ends, the game does not"
        if self.game.get("final_points"):
            points = {side: score(self.state, side).total for side in Side}
            assert points == self.game["final_points"]
        assert outcome.winner is self._winner(), outcome.reason

    def _winner(self) -> Side:
        """Return the winner by the record: by resignation, by a home, or else by points."""
        last = self.turns[-1]
        side = Side(last["side"])
        if not last["actions"]:
            return side.opponent
        earlier = self.turns[-2]["after"] if len(self.turns) > 1 else self.game["start"]
        for action in last["actions"]:
            place = action.get("location", earlier["sieges"].get(action.get("siege")))
            if action["action"] in ("settle", "win-siege") and place in rules.HOMES[side.opponent]:
                return side
            if action["action"] == "withdraw" and place in rules.HOMES[side]:
                return side.opponent
        if self._begin_turn(position_of(last["after"]), side.opponent):
            return side.opponent
        points = self.game["final_points"]
        return Side.BRITISH if points[Side.BRITISH] > points[Side.FRENCH] else Side.FRENCH


def ending_of(replay: Replay) -> tuple[Side, str]:
    """Return the winner of a game and the reason, in English."""
    outcome = replay.state.outcome
    assert outcome is not None
    return outcome.winner, str(outcome.reason)


def _refuse_refill(turn: Turn) -> None:
    if turn["refill"]:
        raise ReplayError(f"turn {turn['index']}: cards are drawn after the game is over")


def _compare(when: str, actual: Facts, expected: Facts) -> None:
    for part in expected:
        if actual[part] != expected[part]:
            raise ReplayError(f"{when}: {part} is {actual[part]}, recorded {expected[part]}")


# --- recorded actions as orders


def orders_of(state: State, action: Action) -> list[Order]:
    """Return the orders of a recorded action: the order itself and the reply to it."""
    if action["action"] == "win-siege":
        besieger = Side(action["siege"])
        location = state.sieges[besieger].location if besieger in state.sieges else None
        if besieger is state.active:
            if location is None:
                raise ReplayError(f"the {besieger.label!s} besiege nothing")
            return [_spoils(location, action)]
        # A defender's victory resolves itself, unless another siege was won as well.
        if state.awaiting.decision is Decision.SIEGE_SPOILS:
            return [orders.Relieve(location)]
        return []
    reply = reply_of(action)
    if action["action"] == "withdraw" and action["location"] in rules.HOMES[state.active]:
        # The game is over: there is nothing left to answer.
        if isinstance(reply, orders.Occupy):
            raise ReplayError(f"{action['location']} is settled after the game is over")
        reply = None
    return [order_of(action)] + ([reply] if reply else [])


def order_of(action: Action) -> Order:
    """Return the order of a recorded action."""
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
    """Return the reply to a recorded action, or None if it had none."""
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


# --- positions


def facts(state: State) -> Facts:
    """Return the facts that a record has of a position, from a state; piles are sorted."""
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
        "siege_loss_choice": {
            besieger: siege.cost
            for besieger, siege in state.sieges.items()
            if siege.cost is not None and current_winner(state, besieger) is side.opponent
        },
    }


def position_of(recorded: Facts) -> Facts:
    """Return a recorded position in the form of `facts`, as a copy."""
    position: Facts = {
        "board": {
            place: Settlement(Side(piece["owner"]), piece["town"], piece["fortified"])
            for place, piece in recorded["board"].items()
        },
        "sieges": {Side(besieger): place for besieger, place in recorded["sieges"].items()},
    }
    for side in Side:
        part = recorded[side]
        position[side] = {
            **part,
            **{pile: sorted(part[pile]) for pile in ("hand", "reserve", "draw_pile", "discard")},
            "siege_cards": {Side(b): sorted(c) for b, c in part["siege_cards"].items()},
            "siege_loss_choice": {Side(b): c for b, c in part["siege_loss_choice"].items()},
        }
    return position


def _end_siege(position: Facts, besieger: Side, loser: Side, choice: str | None) -> None:
    """End a siege: all cards go to the discard piles, except for the loser's `choice`."""
    del position["sieges"][besieger]
    for side in Side:
        cards = position[side]["siege_cards"][besieger]
        position[side]["siege_cards"][besieger] = []
        position[side]["siege_loss_choice"].pop(besieger, None)
        if side is loser and choice is not None:
            cards.remove(choice)
        position[side]["discard"] = sorted(position[side]["discard"] + cards)
