"""A page tells its viewer no hidden card of others, and no secret."""

from __future__ import annotations

import base64
import json
from functools import cache
from random import Random

import pytest

from engine.game import legal_orders
from engine.orders import Block, Draft, End, HomeSupport, Pass, Raid
from engine.sides import Side
from engine.state import State
from pbem.board.picture import render_svg
from pbem.play.look import Look, Spectator
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import scenes
from pbem.text.history.log import Log
from pbem.text.language import Language
from tests.board.pages import Page, page_of, seats
from tests.play.matches import TIME, any_order, begin, identities, play, seat_to_write
from tests.protocol.test_hindsight import closed_match, resigned_match
from tests.sample import sample
from tests.seats import NextRecord, Seat
from tests.signing import accept, end, invite

SEEDS = range(4)


def hidden_cards(match: Match, seat: Seat) -> list[tuple[str, bytes]]:
    """Return the hidden cards in the hand of a side, each with its nonce."""
    cards = HiddenCards(match, seat.side, seat.secret)
    return [cards.at(slot) for slot in sorted(match.state.players[seat.side].hidden)]


def encodings(secret: bytes) -> list[str]:
    """Return a secret in the ways in which a page may hold it."""
    return [
        secret.hex(),
        secret.hex(" ", 2),
        base64.b64encode(secret).decode().rstrip("="),
        base64.urlsafe_b64encode(secret).decode().rstrip("="),
        str(list(secret))[1:-1].replace(" ", ""),
    ]


def check_has_none(page: str, *secrets: bytes) -> None:
    for secret in secrets:
        for text in encodings(secret):
            assert text not in page
            assert text[: len(text) // 2] not in page


def unpack(page: str) -> str:
    """Return a page with all that its script unpacks."""
    return page + json.dumps(Page(page).game)


@pytest.mark.parametrize("seed", sample(SEEDS, first=2))
def test_public_page_has_no_secret(seed: int) -> None:
    match = play(begin(seed, lists=2), any_order(Random(seed)), turns=9, seed=seed)
    page = unpack(page_of(match))
    count = 0
    for seat in seats(match, seed).values():
        nonces = [nonce for _, nonce in hidden_cards(match, seat)]
        count += len(nonces)
        check_has_none(page, seat.secret, seat.secrets.box_key, seat.identity.seed, *nonces)
    assert count


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(SEEDS, first=2))
def test_own_page_has_no_secret_of_the_opponent(seed: int) -> None:
    match = play(begin(seed, lists=2), any_order(Random(seed)), turns=9, seed=seed)
    both = seats(match, seed)
    for side, seat in both.items():
        page, other = unpack(page_of(match, seat)), both[side.opponent]
        check_has_none(page, seat.secret, seat.secrets.box_key, seat.identity.seed)
        check_has_none(page, other.secret, *(nonce for _, nonce in hidden_cards(match, other)))


def begin_game(nonces: int, lists: int = 2) -> Match:
    """Return the beginning of a game between two fixed players: only the deal differs."""
    random, (anna, bela) = Random(f"dealt {nonces}"), identities()
    match = invite(anna, side=Side.BRITISH, nonce=random.randbytes(32), time=TIME, lists=lists)
    return accept(match, bela, nonce=random.randbytes(32), time=TIME, side=Side.FRENCH)


def play_nothing(nonces: int, turns: int = 6) -> Match:
    """Play a game in which nothing is ever done: for other nonces only the hands differ."""
    return play(begin_game(nonces), nothing, turns=turns)


TOLD = ("home-support", "raid", "block")
"""The orders that twins give wherever both can: by these, cards are drawn or shown."""
SHOWS = ("convert", "show-hand")
"""These show a whole hand, which then is different for all to see."""


@cache
def twins(seed: int, records: int = 40) -> tuple[Match, Match]:
    """Two games in which the same is done by orders that both hands allow, and others are hidden.

    They end before a record that one hand alone allows.
    """
    random, games = Random(seed), (begin_game(2 * seed, 8), begin_game(2 * seed + 1, 8))
    for _ in range(records):
        one, other = drafts = [NextRecord(seat_to_write(match), TIME) for match in games]
        while not one.is_complete:
            allowed = legal_orders(other.view())
            both = [order for order in legal_orders(one.view()) if order in allowed]
            both = [order for order in both if order.verb not in SHOWS]
            if not both:
                return games
            verbs = sorted({order.verb for order in both})
            verb = next((verb for verb in TOLD if verb in verbs), random.choice(verbs))
            order = random.choice([order for order in both if order.verb == verb])
            for draft in drafts:
                draft.order(order)
        for draft in drafts:
            end(draft)
        games = (one.match, other.match)
    return games


def nothing(state: State) -> Pass | End:
    return Pass() if state.actions_left else End()


def hands(match: Match) -> dict[Side, list[str]]:
    return {side: sorted(seat.view().players[side].hand) for side, seat in seats(match, 0).items()}


def anonymous(match: Match, page: str) -> str:
    """Return a page without the id of its game, which follows from the deal."""
    return page.replace(match.id.hex(), "").replace(match.id.hex()[:8], "")


def test_public_page_does_not_depend_on_hidden_hands() -> None:
    one, other = play_nothing(1), play_nothing(2)
    assert len(one.records) == len(other.records)
    assert all(hands(one)[side] != hands(other)[side] for side in Side)
    assert anonymous(one, page_of(one)) == anonymous(other, page_of(other))


TWINS = range(4)


@pytest.mark.slow
def test_twin_games_cover_the_orders_with_different_hands() -> None:
    orders = {type(move.order) for seed in TWINS for move in twins(seed)[0].moves}
    assert {Raid, Block, HomeSupport, Draft, type(None)} <= orders
    for one, other in map(twins, TWINS):
        assert [move.order for move in one.moves] == [move.order for move in other.moves]
        assert one.state.turn > 3
        assert any(hands(one)[side] != hands(other)[side] for side in Side)


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(TWINS, first=1))
def test_public_views_of_twin_games_are_equal(seed: int) -> None:
    """Whatever was drawn and not shown: facts, raids, pictures, and the page of the whole game."""
    one, other = twins(seed)
    text = [scenes(Chronicle(Look(match))) for match in (one, other)]
    english = Language("en")
    for here, there in zip(*text, strict=True):
        assert (here.facts, here.raids) == (there.facts, there.raids)
    for here, there in [*zip(*text, strict=True)][::12]:
        pictures = [
            anonymous(match, render_svg(scene, match, english))
            for scene, match in ((here, one), (there, other))
        ]
        assert pictures[0] == pictures[1]
    assert anonymous(one, page_of(one)) == anonymous(other, page_of(other))


def test_picture_does_not_depend_on_the_viewer() -> None:
    match, _ = twins(0)
    english = Language("en")
    everybodys = scenes(Chronicle(Look(match)))
    strangers = scenes(Chronicle(Look(match, Spectator.OTHER_KEY)))
    assert [scene.facts for scene in strangers] == [scene.facts for scene in everybodys]
    looks = [Look(match, Spectator.OTHER_KEY), *(seat.look for seat in seats(match, 0).values())]
    for look in looks:
        for mine, theirs in [*zip(scenes(Chronicle(look)), everybodys, strict=True)][::12]:
            assert render_svg(mine, match, english) == render_svg(theirs, match, english)


@pytest.mark.slow
def test_own_page_has_own_cards_and_a_warning() -> None:
    one, other = play_nothing(1), play_nothing(2)
    for side in Side:
        pages = [page_of(match, seats(match, 0)[side]) for match in (one, other)]
        assert anonymous(one, pages[0]) != anonymous(other, pages[1])
        on_top = " ".join(pages[0].partition("<main")[0].split())
        assert str(Log(Chronicle(seats(one, 0)[side].look)).warning) in on_top
        assert "This shows cards that only" in on_top
    assert "This shows cards" not in page_of(one)
    assert "This shows cards" not in page_of(closed_match(1))


def test_unopened_hand_is_on_no_page_of_the_opponent() -> None:
    match = resigned_match(2)
    assert page_of(match, Spectator.FOR_ALL) == page_of(match, Spectator.OTHER_KEY)


def test_closed_game_shows_both_hands_at_every_turn() -> None:
    match = closed_match(1)
    for scene in Page(page_of(match)).scenes:
        message = " ".join(text for id, text in scene.items() if id.startswith("line-"))
        assert "British hand" in message and "French hand" in message
        assert "face down" not in message


def test_half_closed_game_shows_one_hand() -> None:
    match = resigned_match(1)
    (side,) = match.secrets
    for scene in Page(page_of(match)).scenes[1:]:
        message = " ".join(text for id, text in scene.items() if id.startswith("line-"))
        assert f"{side.label!s} hand" in message
        assert f"{side.opponent.label!s} hand" not in message
