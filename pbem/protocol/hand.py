"""What the holder of a game secret knows about that side's cards, now and at any earlier record.

docs/protocol.md, A shuffle and The close.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine import game
from engine.chance import Draw, Reveal, Shuffle
from engine.events import GameOver, Shuffled
from engine.message import Message
from engine.orders import Start
from engine.sides import Side, Slot
from engine.state import State, new_game
from pbem.errors import WrongUse
from pbem.protocol import steps
from pbem.protocol.cache import VerifiedRecord
from pbem.protocol.deck import derive_list, root_seed
from pbem.protocol.match import Match
from pbem.protocol.table import Deed


class HiddenCards:
    """The cards of `side` in the shuffles of a match: the card and the nonce at each slot.

    `secret` is that side's game secret. What it says about a match holds for the match at any
    earlier record too.
    """

    def __init__(self, match: Match, side: Side, secret: bytes) -> None:
        self.match = match
        self.side = side
        self._secret = secret
        self._lists: dict[int, list[tuple[str, bytes]]] = {}

    def at(self, slot: Slot) -> tuple[str, bytes]:
        """The card in a slot of a shuffle that was granted, and its nonce."""
        epoch = slot.epoch
        if epoch not in self._lists:
            deck = self.match.decks[self.side]
            chosen = deck.list_number(epoch)
            assert chosen is not None
            seed = shuffle_seed(self.match, self.side, self._secret, epoch)
            self._lists[epoch] = derive_list(seed, deck.cards(epoch), deck.lists, chosen)
        return self._lists[epoch][slot.position]

    def reveal(self, state: State) -> None:
        """Reveal the hidden hand of that side in a state of this match."""
        for slot in sorted(state.players[self.side].hidden):
            game.apply(state, Reveal(self.side, slot, self.at(slot)[0]))

    def names(self, slots: Iterable[Slot]) -> list[str]:
        """The cards in these slots."""
        return [self.at(slot)[0] for slot in slots]


def shuffle_seed(match: Match, side: Side, secret: bytes, epoch: int) -> bytes:
    """The root seed of a past shuffle of `side`, whose game secret this is."""
    return root_seed(secret, epoch, match.table.shuffles[side][epoch].previous)


class PublicHand(NamedTuple):
    """What was in a hand: the cards that everybody knew, and the slots of the others."""

    known_cards: tuple[str, ...]
    hidden_slots: tuple[Slot, ...]


def public_hands(match: Match) -> dict[Side, PublicHand]:
    """What is in both hands after the last record; empty before the cards are dealt."""
    if not match.is_joined:
        return {}
    players = match.state.players
    return {
        side: PublicHand(tuple(sorted(players[side].hand)), tuple(sorted(players[side].hidden)))
        for side in Side
    }


def match_at(match: Match, index: int) -> Match:
    """The match as it was after a record; raises WrongUse where there is no such record."""
    last = len(match.records) - 1
    if not 0 <= index <= last:
        if not last:
            only = Message(
                "There is no record {number} in this file: it has record 0 only.", number=index
            )
            raise WrongUse(only)
        told = Message(
            "There is no record {number} in this file: it has records 0 to {last}.",
            number=index,
            last=last,
        )
        raise WrongUse(told)
    return Match.replay(
        match.records[: index + 1], {VerifiedRecord.of(each) for each in match.records}
    )


def start_position(match: Match) -> State:
    """The position before anything was done."""
    # The inviter's deck is shuffled first, unless the guest was to choose the sides.
    first = next(Side(record.side) for record in match.records if record.side != "any")
    return new_game(match.state.ruleset, first)


class _Shown(NamedTuple):
    """A card that `side` shows in a record for one of its orders there; the first of them is 0."""

    record: int
    number: int
    side: Side
    step: steps.Open


def positions(match: Match) -> Iterator[tuple[Deed, State]]:
    """Each deed, and the position right after it as everybody saw it, always in the same object.

    A card is known from the order for which it was shown, and if that was given ahead, from the
    answer to it. Only the game is replayed: every step of it is proved by then.
    """
    state = start_position(match)
    shown = list(_shown(match))
    given = Counter[int]()
    for deed in match.deeds:
        if is_direct_order(match, deed):
            given[deed.record] += 1
        later = []
        for each in shown:
            is_known = (each.record, each.number) < (deed.record, given[deed.record])
            if is_known and each.step.slot in state.players[each.side].hidden:
                game.apply(state, Reveal(each.side, each.step.slot, each.step.card))
            else:
                later.append(each)
        shown = later
        _do(state, deed)
        yield deed, state


def _shown(match: Match) -> Iterator[_Shown]:
    for record in match.records:
        orders = 0
        for step in record.steps:
            if isinstance(step, steps.Open):
                yield _Shown(record.index, orders, Side(record.side), step)
            orders += isinstance(step, steps.OrderStep)


def is_direct_order(match: Match, deed: Deed) -> bool:
    """Whether a deed's order stands in the record of the deed; one given ahead stands earlier."""
    return deed.order is not None and match.records[deed.record].side == deed.side


def _do(state: State, deed: Deed) -> None:
    if deed.order is not None:
        game.apply(state, deed.order)
    elif deed.drawn:
        game.apply(state, Draw(deed.side, deed.drawn))
    elif deed.caused(Shuffled):
        game.apply(state, Shuffle(deed.side))
    else:
        game.resign(state, deed.side)


def is_setup(deed: Deed) -> bool:
    """Whether a deed belongs to the setup, as long as all before it do."""
    by_chance = deed.order is None and not deed.caused(GameOver)
    return by_chance or isinstance(deed.order, Start)
