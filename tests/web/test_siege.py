"""A siege on its page, from its beginning to its end, as both players read it."""

from __future__ import annotations

from pathlib import Path

from engine.game import legal_orders
from engine.order import Order
from engine.orders import Besiege, Reinforce
from engine.position import card_strength, current_winner
from engine.sides import Side
from engine.state import State
from tests.requirements import require
from tests.web.inline import Visitor
from tests.web.tables import Pair


def sentence_about_siege(pair: Pair, state: State, side: Side) -> str:
    """Return how the sentence about the siege of the French begins for the player of a turn."""
    winner = current_winner(state, Side.FRENCH)
    siege = "Siege of Pemaquid: "
    if winner is None:
        return siege + "you win with "
    if winner is side:
        return siege + "you win it when your next turn begins, unless the "
    return siege + f"the {winner.label!s} win it when their next turn begins, unless you add "


def test_siege_is_won_as_the_page_foretells(tmp_path: Path) -> None:
    pair = Pair(tmp_path / "pair", seed=2).begin()
    practice = pair.choose

    def attack(state: State) -> Order:
        orders = legal_orders(state) if state.awaiting.side is Side.FRENCH else []
        eager = [order for order in orders if isinstance(order, Besiege | Reinforce)]
        return eager[0] if eager else practice(state)

    pair.choose = attack
    pair.play(lambda pair: bool(require(pair.written).match.state.sieges))
    visitors = {side: Visitor(home) for side, home in pair.homes.items()}
    foretold = ""
    for _ in range(20):
        side = require(pair.next_side)
        pair.note(side)
        visitors[side].pages.service.invalidate_games()
        state = pair.next_turn(pair.sessions[side]).view()
        data = visitors[side].get(f"/games/{pair.game}/parts").data
        if state.sieges[Side.FRENCH].won:
            break
        sentence = sentence_about_siege(pair, state, side)
        assert sentence in data["parts"]["decision"]
        cards = {
            order.cards[0]: order for order in legal_orders(state) if isinstance(order, Reinforce)
        }
        for card, order in cards.items():
            name = state.ruleset.catalogue.name_of(card)
            strength = card_strength(state, side, card, require(order.location))
            assert f"{name!s} {strength}" in data["parts"]["decision"].replace("\xa0", " ")
        assert ("no card to send" in data["parts"]["decision"]) is not bool(cards)
        foretold = sentence
        pair.answer()
    # The British could not add enough to hold it.
    assert foretold.startswith("Siege of Pemaquid: the French win it when their next turn begins")
    assert side is Side.FRENCH
    assert "You won the siege of Pemaquid" in data["parts"]["decision"]
    pair.answer()
    pair.note(Side.BRITISH)
    visitors[Side.BRITISH].pages.service.invalidate_games()
    log = visitors[Side.BRITISH].get(f"/games/{pair.game}/parts").data["board"]["turn-lines"]
    assert "Siege of Pemaquid: the French won it." in log
