"""A dealer that knows every pile and carries out chance for both sides.

>>> from engine.state import new_game
>>> state = new_game()
>>> Dealer(Random(1759)).deal(state)
>>> state.players[Side.FRENCH].hand
['port-royal', 'gaspe', 'trader', 'tadoussac', 'regular-infantry-initial']
"""

from __future__ import annotations

from collections import Counter
from random import Random

from engine.chance import Draw, Reveal, Shuffle
from engine.game import apply, cards_played
from engine.order import Order
from engine.orders import ShowHand
from engine.sides import Side, Slot
from engine.state import Decision, State


class Dealer:
    """Carries out the events of chance that a state waits for; `random` shuffles the cards.

    The cards that `visible_sides` draw are revealed in the state at once.

    >>> from engine.state import new_game
    >>> state = new_game()
    >>> Dealer(Random(1759), visible_sides=(Side.FRENCH,)).deal(state)
    >>> [(len(player.hand), len(player.hidden)) for player in state.players.values()]
    [(0, 5), (5, 0)]
    """

    def __init__(self, random: Random, visible_sides: tuple[Side, ...] = tuple(Side)) -> None:
        self.random = random
        self.visible_sides = visible_sides
        self.cards: dict[tuple[Side, Slot], str] = {}

    def deal(self, state: State) -> None:
        """Carry out events of chance until a player must decide or the game is over.

        >>> from engine.state import new_game
        >>> Dealer(Random(1759)).deal(state := new_game())
        >>> state.awaiting.decision, len(state.players[Side.BRITISH].draw_pile)
        (<Decision.TURN: 'turn'>, 2)
        """
        while state.awaiting.decision.is_chance:
            side = state.awaiting.side
            player = state.players[side]
            if state.awaiting.decision is Decision.SHUFFLE:
                epoch, cards = len(player.unseen), sorted(player.discard)
                self.random.shuffle(cards)
                for position, card in enumerate(cards):
                    self.cards[side, Slot(epoch, position)] = card
                apply(state, Shuffle(side))
                continue
            slots = tuple(self.random.sample(player.draw_pile, state.awaiting.amount))
            apply(state, Draw(side, slots))
            if side in self.visible_sides:
                self.reveal(state, side)

    def view_of(self, state: State, side: Side) -> State:
        """Return the position as `side` sees it, with its own hand and all cards that were shown.

        Requires a dealer without `visible_sides`, and `show` before each order is applied.

        >>> from engine.state import new_game
        >>> dealer = Dealer(Random(1759), visible_sides=())
        >>> dealer.deal(state := new_game())
        >>> view = dealer.view_of(state, Side.FRENCH)
        >>> len(view.players[Side.FRENCH].hand), len(view.players[Side.BRITISH].hand)
        (5, 0)
        """
        view = state.copy()
        self.reveal(view, side)
        return view

    def show(self, state: State, side: Side, order: Order) -> None:
        """Reveal the cards that an order of `side` plays, or the whole hand if it shows the hand.

        >>> from engine.orders import Take
        >>> from engine.state import new_game
        >>> dealer = Dealer(Random(1759), visible_sides=())
        >>> dealer.deal(state := new_game())
        >>> dealer.show(state, Side.BRITISH, Take.of("norfolk"))
        >>> state.players[Side.BRITISH].hand
        ['norfolk']
        """
        if isinstance(order, ShowHand):
            self.reveal(state, side)
            return
        player = state.players[side]
        missing = Counter(cards_played(state, order)) - Counter(player.hand)
        for slot in tuple(player.hidden):
            card = self.cards[side, slot]
            if missing[card] > 0:
                missing[card] -= 1
                apply(state, Reveal(side, slot, card))

    def reveal(self, state: State, side: Side) -> None:
        """Reveal every face-down card in the hand of `side`.

        >>> from engine.state import new_game
        >>> dealer = Dealer(Random(1759), visible_sides=())
        >>> dealer.deal(state := new_game())
        >>> dealer.reveal(state, Side.BRITISH)
        >>> state.players[Side.BRITISH].hidden
        []
        """
        for slot in tuple(state.players[side].hidden):
            apply(state, Reveal(side, slot, self.cards[side, slot]))
