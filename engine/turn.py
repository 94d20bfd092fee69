"""The course of a turn: its start, its end, and the refill."""

from __future__ import annotations

from engine import ruleset as rules
from engine.chance import Chance, Draw, ImpossibleChance, Reveal, Shuffle
from engine.endings import due, outcome
from engine.events import CardPledged, Drew, GameOver, Refilled, Shuffled
from engine.message import Message
from engine.sides import Side
from engine.siege import losable, relieve, standing_winner, win_siege
from engine.slot import Slot
from engine.state import Awaiting, Decision, EndsBy, Outcome, State

# --- the start of a turn


def side_of_turn(turn: int) -> Side:
    """Whose turn it is, by its number as `State.turn` counts: from 0, which is British."""
    return Side.FRENCH if turn % 2 else Side.BRITISH


def begin_turn(state: State) -> None:
    """Start the turn of the active side (rulings 1, 2 and 23)."""
    side = state.active
    state.refilled = state.siege_resolved = False
    state.actions_left = (
        rules.ACTIONS_IN_FIRST_TURN if state.turn < len(Side) else rules.ACTIONS_A_TURN
    )
    for besieger, siege in state.sieges.items():
        siege.won = standing_winner(state, besieger) is side
    ending = due(state, side)
    if ending is None:
        resolve_sieges(state)
        return
    ended = outcome(state, ending)
    if ending.by is EndsBy.HOME_SIEGE:
        win_siege(state, side)
    finish(state, ended)


def resolve_sieges(state: State) -> None:
    """Resolve what the active side had won when its turn began; stop where it must choose."""
    side = state.active
    attack, defence = state.sieges.get(side), state.sieges.get(side.opponent)
    if attack is not None and attack.won:
        state.awaiting = Awaiting(Decision.SIEGE_SPOILS, side, attack.location)
        return
    if defence is not None and defence.won:
        relieve(state, side)
    exchanges = state.ruleset.plays("french-siege-exchange") and side is Side.FRENCH
    if exchanges and state.siege_resolved and state.players[side].hand_size:
        state.awaiting = Awaiting(Decision.EXCHANGE, side)
    else:
        state.awaiting = Awaiting(Decision.TURN, side)


def go_on(state: State, resume: Decision) -> None:
    """Go on with the turn of the active side, at the decision where it was interrupted."""
    if resume is Decision.SIEGE_SPOILS:
        resolve_sieges(state)
    elif not _forfeits(state, state.active):
        state.awaiting = Awaiting(resume, state.active)


# --- drawing in the middle of a turn


def draw(state: State, side: Side, count: int, resume: Decision, card: str | None = None) -> None:
    """Await `count` cards for `side`, then go on; `card` is discarded after the draw.

    Beyond the end of the draw pile it goes on with the shuffled discard pile if the rules say so.
    """
    player, ruleset = state.players[side], state.ruleset
    goes_on = ruleset.reshuffle != "last" and (card is None or ruleset.home_support_reshuffles)
    now = min(count, len(player.draw_pile))
    more = count - now if goes_on else 0
    shuffles = bool(more) or ruleset.reshuffle == "at-once"
    if now:
        state.awaiting = Awaiting(Decision.DRAW, side, None, now, card, resume, more)
    elif shuffles and player.discard and not player.draw_pile:
        state.awaiting = Awaiting(Decision.SHUFFLE, side, None, 0, card, resume, more)
    else:
        if card is not None:
            state.discard(side, (card,))
        go_on(state, resume)


# --- the end of a turn


def end_turn(state: State) -> None:
    """End the turn of the active side: choose the loser's cards, then refill."""
    side = state.active
    for besieger, siege in state.sieges.items():
        if siege.cost is not None or standing_winner(state, besieger) is not side.opponent:
            continue
        choices = losable(state, side, besieger)
        if len(choices) > 1:
            state.awaiting = Awaiting(Decision.LOSERS_CARD, side, siege.location)
            return
        if choices:
            siege.cost = choices[0]
            state.tell(CardPledged(side, siege.location, siege.cost))
    refill(state, side)


def refill(state: State, side: Side) -> None:
    """Await the next step of refilling a hand to five, or go on when it is full.

    A hand refilled before the end of the turn draws no more; a shuffle may still be due.
    """
    player = state.players[side]
    needed = 0 if state.refilled else rules.HAND_SIZE - player.hand_size
    if needed > 0 and player.draw_pile:
        count = min(needed, len(player.draw_pile))
        state.awaiting = Awaiting(Decision.DRAW, side, amount=count)
    elif player.discard and not player.draw_pile and _shuffles_at_refill(state, needed):
        state.awaiting = Awaiting(Decision.SHUFFLE, side)
    elif not _forfeits(state, side):
        pass_on(state, side)


def _shuffles_at_refill(state: State, needed: int) -> bool:
    return needed > 0 or state.ruleset.reshuffle != "when-needed"


def _forfeits(state: State, side: Side) -> bool:
    """Await the cards that an unpaid shuffle costs; whether there are any."""
    hand = state.players[side].hand_size
    if not state.shuffle_unpaid or not hand:
        return False
    count = min(rules.UNPAID_SHUFFLE_CARDS, hand)
    state.awaiting = Awaiting(Decision.FORFEIT, side, amount=count)
    return True


def after_forfeit(state: State, side: Side) -> None:
    """Go on once an unpaid shuffle was made good: with the turn, if the refill was in it."""
    state.shuffle_unpaid = False
    if state.refilled:
        state.awaiting = Awaiting(Decision.TURN, side)
    else:
        pass_on(state, side)


def pass_on(state: State, side: Side) -> None:
    """Go on after a refill: with the next part of the setup, or the next turn."""
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


def happen(state: State, event: Chance) -> None:
    """Carry out an event of chance; raises ImpossibleChance if it cannot happen."""
    if isinstance(event, Reveal):
        _reveal(state, event)
    elif isinstance(event, Shuffle):
        _shuffle(state, event)
    else:
        _draw(state, event)


def _shuffle(state: State, event: Shuffle) -> None:
    awaited = state.awaiting
    if awaited.decision is not Decision.SHUFFLE or awaited.side is not event.side:
        raise ImpossibleChance("the {side} have nothing to shuffle now.", side=event.side.label)
    player = state.players[event.side]
    epoch = len(player.unseen)
    player.draw_pile = [Slot(epoch, position) for position in range(len(player.discard))]
    player.unseen.append(sorted(player.discard))
    player.discard.clear()
    state.tell(Shuffled(event.side, len(player.draw_pile)))
    if state.ruleset.plays("paid-reshuffle") and not state.setup and _is_refill(state, awaited):
        _pay_for_shuffle(state, event.side)
    if awaited.resume is not None:
        draw(state, event.side, awaited.more, awaited.resume, awaited.card)
    elif state.ruleset.reshuffle == "last" and not state.setup:
        pass_on(state, event.side)
    else:
        refill(state, event.side)


def _is_refill(state: State, awaited: Awaiting) -> bool:
    """Whether a shuffle belongs to the refill: at the end of the turn, or in it by an order."""
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
        raise ImpossibleChance("the {side} have nothing to draw now.", side=event.side.label)
    player = state.players[event.side]
    if len(event.slots) != awaited.amount or len(set(event.slots)) != awaited.amount:
        raise ImpossibleChance(
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
            raise ImpossibleChance(
                "slot {slot} is not in the {side} draw pile.", slot=slot, side=event.side.label
            )
        del pile[slot]
    player.draw_pile = [*pile]
    player.hidden.extend(event.slots)
    told = Refilled if awaited.resume is None and not state.setup else Drew
    state.tell(told(event.side, awaited.amount))
    if awaited.resume is None:
        refill(state, event.side)
    else:
        draw(state, event.side, awaited.more, awaited.resume, awaited.card)


def _reveal(state: State, event: Reveal) -> None:
    player = state.players[event.side]
    if event.slot not in player.hidden:
        raise ImpossibleChance(
            "slot {slot} is not face down in the {side} hand.",
            slot=event.slot,
            side=event.side.label,
        )
    unseen = player.unseen[event.slot.epoch]
    if event.card not in unseen:
        raise ImpossibleChance(
            "no {card} is left to be seen in epoch {epoch}.",
            card=event.card,
            epoch=event.slot.epoch,
        )
    unseen.remove(event.card)
    player.hidden.remove(event.slot)
    player.hand.append(event.card)


# --- going on after an order


def carry_on(state: State, before: Awaiting, ended: bool) -> None:
    """Find out what is awaited after an order was performed.

    `before` is what was awaited when it was given, `ended` whether it was the End of a turn.
    """
    if state.outcome is not None:
        finish(state, state.outcome)
    elif state.awaiting is not before:
        # The order itself says what comes next.
        return
    elif ended or before.decision is Decision.LOSERS_CARD:
        end_turn(state)
    elif before.decision is Decision.SIEGE_SPOILS:
        resolve_sieges(state)
    elif before.resume is not None:
        go_on(state, before.resume)


def finish(state: State, outcome: Outcome) -> None:
    """End the game."""
    state.outcome = outcome
    state.awaiting = Awaiting(Decision.OVER, outcome.winner)
    state.tell(GameOver(outcome.winner))
