"""The course of a turn: its start, its end and the refill; and the ends of the game.

Only this module determines the ends of the game and the distance of each side from them; see The
end in docs/rules.md. A player can also end a game at any time by resigning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine import ruleset as rules
from engine.catalogue import Catalogue
from engine.chance import Chance, Draw, ImpossibleChanceError, Reveal, Shuffle
from engine.events import CardPledged, Drew, GameOver, Refilled, Shuffled
from engine.message import Message, mark
from engine.position import (
    BESIEGER_WINS_AT,
    current_winner,
    losable_cards,
    relieve,
    score,
    siege_strength,
    win_siege,
    winner_on_points,
)
from engine.sides import Side, Slot
from engine.state import Awaiting, Decision, EndReason, Outcome, State

# --- the endings of a game


class Ending(NamedTuple):
    """One way for `side` to end the game, and the side's distance from it.

    `remaining` is the number of towns or villages to place, the points to capture, the strength
    missing in the siege of the opponent's home `location`, or 1 for the village to place there. It
    is None if the home is not besieged, or if a side controls it and it cannot be settled. At 0 the
    game ends at the start of that side's next turn, unless a siege delays the end (`is_delayed`). A
    village that wins does so at once.

    >>> Ending(EndReason.TOWNS, Side.BRITISH, 0).is_due
    True
    >>> Ending(EndReason.TOWNS, Side.BRITISH, 0, is_delayed=True).is_due
    False
    """

    by: EndReason
    side: Side
    remaining: int | None
    location: str | None = None
    is_delayed: bool = False

    @property
    def is_due(self) -> bool:
        """True if the game would end by it if a turn of its side began now."""
        return self.remaining == 0 and not self.is_delayed


def endings(state: State, side: Side) -> list[Ending]:
    """Return all ways for `side` to end the game by the rules of this game.

    >>> from engine.state import new_game
    >>> [(ending.by.value, ending.remaining) for ending in endings(new_game(), Side.BRITISH)][1:4]
    [('towns placed', 10), ('villages placed', 13), ('points captured', 12)]
    """
    return [*_turn_start_endings(state, side), *_settling_endings(state, side)]


def due_ending(state: State, side: Side) -> Ending | None:
    """Return the end of the game if a turn of `side` began now, or None (rulings 1, 2, 23).

    >>> from engine.state import new_game
    >>> state = new_game()
    >>> due_ending(state, Side.FRENCH) is None
    True
    >>> state.players[Side.FRENCH].captured_towns = 3
    >>> due_ending(state, Side.FRENCH).by
    <EndReason.CAPTURES: 'points captured'>
    """
    return next((ending for ending in _turn_start_endings(state, side) if ending.is_due), None)


def outcome(state: State, ending: Ending) -> Outcome:
    """Return the outcome of the game for an ending in this position.

    >>> from engine.state import new_game
    >>> outcome(new_game(), Ending(EndReason.TOWNS, Side.BRITISH, 0)).winner
    <Side.FRENCH: 'french'>
    """
    cause = reason = _reason(state.ruleset.catalogue, ending)
    winner = winner_on_points(state) if ending.by.is_on_points else ending.side
    british, french = (score(state, side).total for side in Side)
    if ending.by.is_on_points and british == french:
        reason = _with_tie(cause, french)
    return Outcome(winner, reason, cause, ending.by, ending.side, ending.location)


def _turn_start_endings(state: State, side: Side) -> Iterator[Ending]:
    """Yield the endings checked at the start of a turn of `side`, in the order of the checks."""
    fighting = bool(state.sieges)
    is_delayed = fighting and state.ruleset.pieces_end_waits_for_sieges
    points = max(0, rules.CAPTURE_GOAL - state.captured_points(side))
    yield from _home_siege_endings(state, side)
    yield Ending(EndReason.TOWNS, side, max(0, state.towns_left(side)), None, is_delayed)
    yield Ending(EndReason.VILLAGES, side, max(0, state.villages_left(side)), None, is_delayed)
    yield Ending(EndReason.CAPTURES, side, points, None, fighting)


def _home_siege_endings(state: State, side: Side) -> Iterator[Ending]:
    """Yield an ending for each of the opponent's homes that the opponent still controls."""
    siege = state.sieges.get(side)
    for home in sorted(rules.HOMES[side.opponent]):
        if state.owner(home) is not side.opponent:
            continue
        remaining = None
        if siege is not None and siege.location == home:
            remaining = max(0, BESIEGER_WINS_AT - siege_strength(state, side))
        yield Ending(EndReason.HOME_SIEGE, side, remaining, home)


def _settling_endings(state: State, side: Side) -> list[Ending]:
    places = sorted({*rules.HOMES[side.opponent], rules.FRENCH_GOAL})
    return [
        Ending(EndReason.SETTLING, side, None if place in state.board else 1, place)
        for place in places
        if can_win_by_settling(state, side, place)
    ]


def can_win_by_settling(state: State, side: Side, location: str) -> bool:
    """Return True if a new village wins: in the opponent's home, or French in Fort Duquesne.

    >>> from engine.state import new_game
    >>> can_win_by_settling(new_game(), Side.BRITISH, "quebec")
    True
    """
    if location in rules.HOMES[side.opponent]:
        return state.ruleset.settling_home_wins
    is_goal = side is Side.FRENCH and location == rules.FRENCH_GOAL
    return is_goal and state.ruleset.has_rule("duquesne-wins")


def outcome_of_settling(state: State, side: Side, location: str) -> Outcome | None:
    """Return the outcome of the game by a new village of `side`, or None.

    >>> from engine.state import new_game
    >>> outcome_of_settling(new_game(), Side.FRENCH, "boston").winner
    <Side.FRENCH: 'french'>
    """
    if not can_win_by_settling(state, side, location):
        return None
    return outcome(state, Ending(EndReason.SETTLING, side, 0, location))


def outcome_of_withdrawal(state: State, side: Side, location: str) -> Outcome | None:
    """Return the outcome of the game if `side` withdraws as a defender, or None.

    A side loses the game only if it gives up its home (ruling 4).

    >>> from engine.state import new_game
    >>> outcome_of_withdrawal(new_game(), Side.BRITISH, "boston").reason
    Message('Boston was given up')
    >>> outcome_of_withdrawal(new_game(), Side.BRITISH, "pemaquid") is None
    True
    """
    if location not in rules.HOMES[side]:
        return None
    reason = _withdrawal_reason(state.ruleset.catalogue, location)
    return Outcome(side.opponent, reason, reason, EndReason.GIVING_UP, side, location)


def outcome_of_resigning(side: Side) -> Outcome:
    """Return the outcome of the game if `side` resigns.

    >>> outcome_of_resigning(Side.FRENCH).winner
    <Side.BRITISH: 'british'>
    """
    reason = _resignation_reason(side)
    return Outcome(side.opponent, reason, reason, EndReason.RESIGNING, side)


# --- reasons of outcomes


def _withdrawal_reason(catalogue: Catalogue, location: str) -> Message:
    # Translators: the reason why a game ended; it follows “The game ended:”.
    return Message("{place} was given up", place=catalogue.name_of(location))


def _resignation_reason(side: Side) -> Message:
    # Translators: the reason why a game ended; it follows “The game ended:”.
    return Message("the {side} resigned", side=side.label)


def _reason(catalogue: Catalogue, ending: Ending) -> Message:
    if ending.by is EndReason.CAPTURES:
        # Translators: the reason why a game ended; it follows “The game ended:”.
        return Message.counted(
            "the {side} captured pieces worth {count} point",
            "the {side} captured pieces worth {count} points",
            rules.CAPTURE_GOAL,
            side=ending.side.label,
        )
    place = catalogue.name_of(ending.location) if ending.location else ""
    return Message(_REASONS[ending.by], place=place, side=ending.side.label)


def _with_tie(reason: Message, points: int) -> Message:
    # Translators: the reasons why a game ended and the French won; it follows "because".
    return Message.counted(
        "{reason}; with {count} point each the French win the tie",
        "{reason}; with {count} points each the French win the tie",
        points,
        reason=reason,
    )


_REASONS = {
    # Translators: the reason why a game ended; it follows “The game ended:”.
    EndReason.HOME_SIEGE: mark("{place} fell to a siege"),
    # Translators: the reason why a game ended; it follows “The game ended:”.
    EndReason.TOWNS: mark("the {side} have no towns left to place"),
    # Translators: the reason why a game ended; it follows “The game ended:”.
    EndReason.VILLAGES: mark("the {side} have no villages left to place"),
    # Translators: the reason why a game ended; it follows “The game ended:”.
    EndReason.SETTLING: mark("{place} was settled"),
}


# --- the start of a turn


def side_of_turn(turn: int) -> Side:
    """Return the side that plays a turn; turns are counted from 0, which is British.

    >>> side_of_turn(3)
    <Side.FRENCH: 'french'>
    """
    return Side.FRENCH if turn % 2 else Side.BRITISH


def begin_turn(state: State) -> None:
    """Start the turn of the active side (rulings 1, 2 and 23).

    >>> from engine.state import new_game
    >>> begin_turn(state := new_game())
    >>> state.awaiting.decision, state.actions_left
    (<Decision.TURN: 'turn'>, 1)
    """
    side = state.active
    state.refilled = state.siege_resolved = False
    state.actions_left = (
        rules.ACTIONS_IN_FIRST_TURN if state.turn < len(Side) else rules.ACTIONS_A_TURN
    )
    for besieger, siege in state.sieges.items():
        siege.won = current_winner(state, besieger) is side
    ending = due_ending(state, side)
    if ending is None:
        resolve_sieges(state)
        return
    result = outcome(state, ending)
    if ending.by is EndReason.HOME_SIEGE:
        win_siege(state, side)
    finish(state, result)


def resolve_sieges(state: State) -> None:
    """Resolve the sieges that the active side had won when its turn began.

    Stops at each decision that the side must make.

    >>> from engine.state import Siege, new_game
    >>> state = new_game()
    >>> state.sieges[Side.BRITISH] = Siege("gaspe", won=True)
    >>> resolve_sieges(state)
    >>> state.awaiting.decision, state.awaiting.location
    (<Decision.SIEGE_SPOILS: 'siege spoils'>, 'gaspe')
    """
    side = state.active
    attack, defence = state.sieges.get(side), state.sieges.get(side.opponent)
    if attack is not None and attack.won:
        state.awaiting = Awaiting(Decision.SIEGE_SPOILS, side, attack.location)
        return
    if defence is not None and defence.won:
        relieve(state, side)
    exchanges = state.ruleset.has_rule("french-siege-exchange") and side is Side.FRENCH
    if exchanges and state.siege_resolved and state.players[side].hand_size:
        state.awaiting = Awaiting(Decision.EXCHANGE, side)
    else:
        state.awaiting = Awaiting(Decision.TURN, side)


def resume_turn(state: State, resume: Decision) -> None:
    """Resume the turn of the active side at the decision at which it was interrupted.

    >>> from engine.state import new_game
    >>> resume_turn(state := new_game(), Decision.TURN)
    >>> state.awaiting.decision
    <Decision.TURN: 'turn'>
    """
    if resume is Decision.SIEGE_SPOILS:
        resolve_sieges(state)
    elif not _await_forfeit(state, state.active):
        state.awaiting = Awaiting(resume, state.active)


# --- drawing in the middle of a turn


def draw(state: State, side: Side, count: int, resume: Decision, card: str | None = None) -> None:
    """Await `count` cards for `side`, then resume the turn; `card` is discarded after the draw.

    At the end of the draw pile the draw continues with the shuffled discard pile if the rules allow
    it.

    >>> from engine.state import new_game
    >>> draw(state := new_game(), Side.BRITISH, 3, Decision.TURN)
    >>> state.awaiting.decision
    <Decision.SHUFFLE: 'shuffle'>
    """
    player, ruleset = state.players[side], state.ruleset
    continues = ruleset.reshuffle != "last" and (card is None or ruleset.home_support_reshuffles)
    amount = min(count, len(player.draw_pile))
    more = count - amount if continues else 0
    needs_shuffle = bool(more) or ruleset.reshuffle == "at-once"
    if amount:
        state.awaiting = Awaiting(Decision.DRAW, side, None, amount, card, resume, more)
    elif needs_shuffle and player.discard and not player.draw_pile:
        state.awaiting = Awaiting(Decision.SHUFFLE, side, None, 0, card, resume, more)
    else:
        if card is not None:
            state.discard(side, (card,))
        resume_turn(state, resume)


# --- the end of a turn


def end_turn(state: State) -> None:
    """End the turn of the active side: await the loser's cards, then refill.

    >>> from engine.state import new_game
    >>> end_turn(state := new_game())
    >>> state.awaiting.decision
    <Decision.SHUFFLE: 'shuffle'>
    """
    side = state.active
    for besieger, siege in state.sieges.items():
        if siege.cost is not None or current_winner(state, besieger) is not side.opponent:
            continue
        choices = losable_cards(state, side, besieger)
        if len(choices) > 1:
            state.awaiting = Awaiting(Decision.LOSERS_CARD, side, siege.location)
            return
        if choices:
            siege.cost = choices[0]
            state.report(CardPledged(side, siege.location, siege.cost))
    refill(state, side)


def refill(state: State, side: Side) -> None:
    """Await the next step of refilling a hand to five, or continue if the hand is full.

    A hand refilled before the end of the turn draws no more; a shuffle can still be due.

    >>> from engine.state import new_game
    >>> refill(state := new_game(), Side.BRITISH)
    >>> state.awaiting.decision
    <Decision.SHUFFLE: 'shuffle'>
    """
    player = state.players[side]
    needed = 0 if state.refilled else rules.HAND_SIZE - player.hand_size
    if needed > 0 and player.draw_pile:
        count = min(needed, len(player.draw_pile))
        state.awaiting = Awaiting(Decision.DRAW, side, amount=count)
    elif player.discard and not player.draw_pile and _will_shuffle_at_refill(state, needed):
        state.awaiting = Awaiting(Decision.SHUFFLE, side)
    elif not _await_forfeit(state, side):
        continue_after_refill(state, side)


def _will_shuffle_at_refill(state: State, needed: int) -> bool:
    return needed > 0 or state.ruleset.reshuffle != "when-needed"


def _await_forfeit(state: State, side: Side) -> bool:
    """Await the cards that an unpaid shuffle costs; return True if there are any."""
    hand = state.players[side].hand_size
    if not state.shuffle_unpaid or not hand:
        return False
    count = min(rules.UNPAID_SHUFFLE_CARDS, hand)
    state.awaiting = Awaiting(Decision.FORFEIT, side, amount=count)
    return True


def after_forfeit(state: State, side: Side) -> None:
    """Resume the turn, or start the next turn, after the cards for an unpaid shuffle.

    >>> from engine.state import new_game
    >>> state = new_game()
    >>> state.refilled = True
    >>> after_forfeit(state, Side.BRITISH)
    >>> state.awaiting.decision
    <Decision.TURN: 'turn'>
    """
    state.shuffle_unpaid = False
    if state.refilled:
        state.awaiting = Awaiting(Decision.TURN, side)
    else:
        continue_after_refill(state, side)


def continue_after_refill(state: State, side: Side) -> None:
    """Continue with the next part of the setup, or with the next turn.

    >>> from engine.state import new_game
    >>> state = new_game()
    >>> continue_after_refill(state, Side.BRITISH)
    >>> state.setup, state.awaiting.side
    ((<Side.FRENCH: 'french'>,), <Side.FRENCH: 'french'>)
    """
    if state.setup:
        state.setup = state.setup[1:]
        if state.setup:
            refill(state, state.setup[0])
            return
    else:
        state.turn += 1
        state.active = side.opponent
    begin_turn(state)


# --- chance


def apply_chance(state: State, event: Chance) -> None:
    """Apply an event of chance. Raises ImpossibleChanceError if it cannot happen.

    >>> from engine.state import new_game
    >>> apply_chance(state := new_game(), Shuffle(Side.BRITISH))
    >>> len(state.players[Side.BRITISH].draw_pile)
    7
    """
    if isinstance(event, Reveal):
        _reveal(state, event)
    elif isinstance(event, Shuffle):
        _shuffle(state, event)
    else:
        _draw(state, event)


def _shuffle(state: State, event: Shuffle) -> None:
    awaited = state.awaiting
    if awaited.decision is not Decision.SHUFFLE or awaited.side is not event.side:
        raise ImpossibleChanceError(
            "the {side} have nothing to shuffle now.", side=event.side.label
        )
    player = state.players[event.side]
    epoch = len(player.unseen)
    player.draw_pile = [Slot(epoch, position) for position in range(len(player.discard))]
    player.unseen.append(sorted(player.discard))
    player.discard.clear()
    state.report(Shuffled(event.side, len(player.draw_pile)))
    if state.ruleset.has_rule("paid-reshuffle") and not state.setup and _is_refill(state, awaited):
        _pay_for_shuffle(state, event.side)
    if awaited.resume is not None:
        draw(state, event.side, awaited.more, awaited.resume, awaited.card)
    elif state.ruleset.reshuffle == "last" and not state.setup:
        continue_after_refill(state, event.side)
    else:
        refill(state, event.side)


def _is_refill(state: State, awaited: Awaiting) -> bool:
    """Return True if a shuffle belongs to the refill: at the end of the turn, or by an order."""
    in_turn = awaited.resume is not None
    return awaited.card is None and in_turn == state.refilled


def _pay_for_shuffle(state: State, side: Side) -> None:
    if state.players[side].money:
        state.pay(side, 1)
    else:
        state.shuffle_unpaid = True


def _draw(state: State, event: Draw) -> None:
    awaited = state.awaiting
    if awaited.decision is not Decision.DRAW or awaited.side is not event.side:
        raise ImpossibleChanceError("the {side} have nothing to draw now.", side=event.side.label)
    player = state.players[event.side]
    if len(event.slots) != awaited.amount or len(set(event.slots)) != awaited.amount:
        raise ImpossibleChanceError(
            Message.counted(
                "the {side} have to draw {count} slot.",
                "the {side} have to draw {count} different slots.",
                awaited.amount,
                side=event.side.label,
            )
        )
    pile = dict.fromkeys(player.draw_pile)
    for slot in event.slots:
        if slot not in pile:
            raise ImpossibleChanceError(
                "slot {slot} is not in the {side} draw pile.", slot=slot, side=event.side.label
            )
        del pile[slot]
    player.draw_pile = [*pile]
    player.hidden.extend(event.slots)
    kind = Refilled if awaited.resume is None and not state.setup else Drew
    state.report(kind(event.side, awaited.amount))
    if awaited.resume is None:
        refill(state, event.side)
    else:
        draw(state, event.side, awaited.more, awaited.resume, awaited.card)


def _reveal(state: State, event: Reveal) -> None:
    player = state.players[event.side]
    if event.slot not in player.hidden:
        raise ImpossibleChanceError(
            "slot {slot} is not face down in the {side} hand.",
            slot=event.slot,
            side=event.side.label,
        )
    unseen = player.unseen[event.slot.epoch]
    if event.card not in unseen:
        raise ImpossibleChanceError(
            "no {card} is left to be seen in epoch {epoch}.",
            card=event.card,
            epoch=event.slot.epoch,
        )
    unseen.remove(event.card)
    player.hidden.remove(event.slot)
    player.hand.append(event.card)


# --- the end of an order


def continue_after_order(state: State, previous: Awaiting, is_end: bool) -> None:
    """Determine the next input awaited after an order was performed.

    `previous` is the input awaited before the order; `is_end` is true if the order ended the turn.

    >>> from engine.state import new_game
    >>> begin_turn(state := new_game())
    >>> continue_after_order(state, state.awaiting, is_end=True)
    >>> state.awaiting.decision
    <Decision.SHUFFLE: 'shuffle'>
    """
    if state.outcome is not None:
        finish(state, state.outcome)
    elif state.awaiting is not previous:
        # The order itself has set the next decision.
        return
    elif is_end or previous.decision is Decision.LOSERS_CARD:
        end_turn(state)
    elif previous.decision is Decision.SIEGE_SPOILS:
        resolve_sieges(state)
    elif previous.resume is not None:
        resume_turn(state, previous.resume)


def finish(state: State, outcome: Outcome) -> None:
    """End the game.

    >>> from engine.state import new_game
    >>> state = new_game()
    >>> finish(state, outcome_of_resigning(Side.FRENCH))
    >>> state.awaiting.decision
    <Decision.OVER: 'over'>
    """
    state.outcome = outcome
    state.awaiting = Awaiting(Decision.OVER, outcome.winner)
    state.report(GameOver(outcome.winner))
