"""A recorder, which writes a game in the form of the recorded ones while the engine plays it.

The position after each turn is taken before the engine starts the next one: in a record, the sieges
that the start of a turn resolves belong to the winner's turn.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any
from unittest.mock import patch

from engine import orders, turn
from engine.chance import Draw, Reveal, Shuffle
from engine.game import apply, legal_orders, resign
from engine.order import Order
from engine.position import score
from engine.sides import Side
from engine.state import Decision, State
from pbem.text.language import Language
from pbem.text.ordering.reading import read
from tests.engine.replay import Action, Facts, Turn, facts

ENGLISH = Language("en")

begin_turn = turn.begin_turn
ACTIONS = {"take": "take-money", "retrieve": "retrieve-reserve"}
ACTING_CARDS = {"trade": "trader", "piracy": "louisbourg", "govern": "governor"}
SPOILS = (orders.Occupy, orders.Leave)


class Recorder:
    """A record of a game being played, from the deal or from a position."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.turns: list[Turn] = []
        self.reshuffled = False
        self.drawn: list[str] = []
        self.end_state: State | None = None
        self.start: State | None = None
        if not state.setup:
            self.start = state.copy()
            self._open(state)

    def do(self, *texts: str) -> None:
        """Give orders as a player types them."""
        for text in texts:
            self.order(read(ENGLISH, text, self.state))

    def end_turn(self, random: Random | None = None) -> None:
        """Let the rest of the turn pass, and refill."""
        self.do(*["pass"] * self.state.actions_left, "end")
        self.deal(random)

    def order(self, order: Order) -> None:
        """Give an order, and add it to the record."""
        assert order in legal_orders(self.state), order.notation()
        before = self.state.copy()
        with patch.object(turn, "begin_turn", self._begin_turn):
            apply(self.state, order)
        self._write(before, order)
        self._close()

    def deal(self, random: Random | None = None) -> None:
        """Answer chance until a player decides, by default with the first cards there are."""
        with patch.object(turn, "begin_turn", self._begin_turn):
            while self.state.awaiting.decision.is_chance:
                self._draw(random)
        self._close()

    def resign(self, side: Side) -> None:
        """Let a side resign: the record gets a last turn without an action."""
        owed = self.state.awaiting.decision in (Decision.DRAW, Decision.LOSERS_CARD)
        if owed:
            # The turn stays unfinished: what it owes is never chosen or drawn.
            self.turns[-1]["after"] = recorded_facts(self.state)
            index = self.state.turn + 1
        else:
            # No action of the record reports the sieges resolved at the start of this turn.
            index = self.turns.pop()["index"]
        assert self.start is not None
        after = self.turns[-1]["after"] if self.turns else recorded_facts(self.start)
        resign(self.state, side)
        self.turns.append(_turn(index, side) | {"after": after | {"finished": True}})

    def record(self) -> Facts:
        """Return the record as it would be read from a file, without a turn that has not ended."""
        assert self.start is not None
        over = self.state.outcome is not None
        if over and "after" not in self.turns[-1]:
            self.turns[-1]["after"] = recorded_facts(self.state)
        resigned = over and not self.turns[-1]["actions"]
        record = {
            "start": recorded_facts(self.start),
            "turns": [played for played in self.turns if "after" in played],
            "house_rules": list(self.state.ruleset.house_rules),
            "final_points": {} if resigned else {s: score(self.state, s).total for s in Side},
        }
        plain: Facts = json.loads(json.dumps(record))
        return plain

    # --- turns

    def _open(self, state: State) -> None:
        self.turns.append(_turn(state.turn, state.active))

    def _begin_turn(self, state: State) -> None:
        """Keep the position, then start the turn, which may resolve sieges."""
        self.end_state = state.copy()
        begin_turn(state)

    def _draw(self, random: Random | None) -> None:
        side = self.state.awaiting.side
        player = self.state.players[side]
        supporting = self.state.awaiting.card is not None
        if self.state.awaiting.decision is Decision.SHUFFLE:
            apply(self.state, Shuffle(side))
            self.reshuffled = True
            return
        pile, amount = player.draw_pile, self.state.awaiting.amount
        slots = tuple(random.sample(pile, amount) if random else pile[:amount])
        apply(self.state, Draw(side, slots))
        drawn = []
        for slot in slots:
            unseen = player.unseen[slot.epoch]
            reveal = Reveal(side, slot, random.choice(unseen) if random else unseen[0])
            drawn.append(reveal.card)
            for state in (self.state, self.end_state):
                if state is not None:
                    apply(state, reveal)
        if supporting:
            self.turns[-1]["actions"][-1]["drawn"] += drawn
        elif self.turns:
            self.drawn += drawn

    def _close(self) -> None:
        """Add the turn that has ended, if any, to the record, and open the next one."""
        end_state, self.end_state = self.end_state, None
        if end_state is None:
            return
        if not self.turns:
            self.start = end_state
        else:
            position = recorded_facts(end_state)
            self.turns[-1] |= {
                "after": position,
                "refill": self.drawn,
                "reshuffled": self.reshuffled,
            }
        self.drawn, self.reshuffled = [], False
        mover, home_fell = self.state.active, False
        won = [besieger for besieger in end_state.sieges if besieger not in self.state.sieges]
        if self.state.outcome is not None and mover not in won:
            self.turns[-1]["after"]["finished"] = True
            return
        self._open(self.state)
        for besieger in won:
            home_fell = besieger is mover
            self.turns[-1]["actions"].append(_win(end_state, besieger))
        if home_fell:
            self.turns[-1]["after"] = recorded_facts(self.state)

    # --- actions

    def _write(self, before: State, order: Order) -> None:
        decision = before.awaiting.decision
        actions = self.turns[-1]["actions"]
        if decision is Decision.TURN:
            if not isinstance(order, orders.End):
                actions.append(action_of(before, order))
        elif decision is Decision.SIEGE_SPOILS:
            side = before.active
            if isinstance(order, SPOILS):
                actions.append(_win(before, side) | _spoils(order))
            if side.opponent in before.sieges and side.opponent not in self.state.sieges:
                actions.append(_win(before, side.opponent))
        elif decision is Decision.WITHDRAWAL_SPOILS:
            actions[-1]["reply"] = _spoils(order)
        elif decision is not Decision.LOSERS_CARD:
            actions[-1] |= _reply(actions[-1], order)


def recorded_facts(state: State) -> Facts:
    """Return a position in the form of a record."""
    position = facts(state)
    board = {
        place: {"owner": piece.owner, "town": piece.town, "fortified": piece.fortified}
        for place, piece in state.board.items()
    }
    return position | {"board": board, "finished": state.outcome is not None}


def _turn(index: int, side: Side) -> Turn:
    return {"index": index, "side": side, "actions": [], "refill": [], "reshuffled": False}


def action_of(state: State, order: Order) -> Action:
    """Return an order of a turn as an action of a record, without its consequences."""
    cards: list[str] = list(order.cards)
    action: Action = {"action": ACTIONS.get(order.verb, order.verb)}
    if order.location is not None:
        action["location"] = order.location
    match order:
        case orders.Withdraw():
            lost = cards[0] if cards else None
            return action | {"siege": state.besieger(order.target), "lost": lost}
        case orders.Intendant():
            return action | {"taken": cards[0]}
        case orders.HomeSupport():
            return action | {"cards": ["home-support"], "drawn": []}
        case orders.Develop() | orders.Fortify():
            cards = sorted([order.target, *cards])
        case orders.Reinforce():
            if cards == ["military-leader"]:
                action["action"] = "military-leader"
        case orders.Retrieve():
            cards = sorted(state.players[state.active].reserve)
        case _:
            cards = [ACTING_CARDS[order.verb], *cards] if order.verb in ACTING_CARDS else cards
    return action | ({"cards": cards} if cards else {})


def _win(state: State, besieger: Side) -> Action:
    siege = state.sieges[besieger]
    action: Action = {"action": "win-siege", "siege": besieger, "loser_gives_back": siege.cost}
    if besieger is state.active:
        piece = "town" if state.board[siege.location].town else "village"
        action |= {"captured": piece, "settled": False}
    return action


def _spoils(order: Order) -> Action:
    settled: Action = {"settled": isinstance(order, orders.Occupy)}
    return settled | ({"settler_card": order.cards[0]} if order.cards else {})


def _reply(action: Action, order: Order) -> dict[str, Any]:
    verb = {"convert": "given"}.get(action["action"], "lost")
    match order:
        case orders.Block():
            return {"blocked_with": order.cards[0]}
        case orders.ShowHand():
            return {"hand_shown": True}
        case orders.Give():
            return {verb: order.cards[0], f"{verb}_from": "hand"}
        case orders.GiveFromReserve():
            return {verb: order.cards[0], f"{verb}_from": "reserve"}
    return {}
