"""A page contains no hidden card of the other player, and no secret."""

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
    return [cards.lookup(slot) for slot in sorted(match.state.players[seat.side].hidden)]


def encodings(secret: bytes) -> list[str]:
    """Return the encodings in which a page may contain a secret."""
    return [
        secret.hex(),
        secret.hex(" ", 2),
        base64.b64encode(secret).decode().rstrip("="),
        base64.urlsafe_b64encode(secret).decode().rstrip("="),
        str(list(secret))[1:-1].replace(" ", ""),
    ]


def check_has_none(page: str, *secrets: bytes) -> None:
    for secret in secrets:
        for scene_lists in encodings(secret):
            assert scene_lists not in page
            assert scene_lists[: len(scene_lists) // 2] not in page


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
    common_orders = seats(match, seed)
    for side, seat in common_orders.items():
        page, second = unpack(page_of(match, seat)), common_orders[side.opponent]
        check_has_none(page, seat.secret, seat.secrets.box_key, seat.identity.seed)
        check_has_none(page, second.secret, *(nonce for _, nonce in hidden_cards(match, second)))


def begin_game(nonces: int, lists: int = 2) -> Match:
    """Return the beginning of a game between two fixed players, which differ only in the deal."""
    random, (anna, bela) = Random(f"dealt {nonces}"), identities()
    match = invite(anna, side=Side.BRITISH, nonce=random.randbytes(32), time=TIME, lists=lists)
    return accept(match, bela, nonce=random.randbytes(32), time=TIME, side=Side.FRENCH)


def play_nothing(nonces: int, turns: int = 6) -> Match:
    """Play a game of passes, in which only the hands depend on the nonces."""
    return play(begin_game(nonces), pass_or_end, turns=turns)


PREFERRED_VERBS = ("home-support", "raid", "block")
"""The verbs that twin games prefer, which draw or show cards."""
REVEALING_VERBS = ("convert", "show-hand")
"""The verbs that show a whole hand, and with it the difference of the twins."""


@cache
def twins(seed: int, records: int = 40) -> tuple[Match, Match]:
    """Return two games with equal public orders and different hidden cards.

    They end before a record that only one hand allows.
    """
    random, games = Random(seed), (begin_game(2 * seed, 8), begin_game(2 * seed + 1, 8))
    for _ in range(records):
        first, second = drafts = [NextRecord(seat_to_write(match), TIME) for match in games]
        while not first.is_complete:
            allowed = legal_orders(second.view())
            common_orders = [order for order in legal_orders(first.view()) if order in allowed]
            common_orders = [order for order in common_orders if order.verb not in REVEALING_VERBS]
            if not common_orders:
                return games
            verbs = sorted({order.verb for order in common_orders})
            verb = next((verb for verb in PREFERRED_VERBS if verb in verbs), random.choice(verbs))
            order = random.choice([order for order in common_orders if order.verb == verb])
            for draft in drafts:
                draft.order(order)
        for draft in drafts:
            end(draft)
        games = (first.match, second.match)
    return games


def pass_or_end(state: State) -> Pass | End:
    return Pass() if state.actions_left else End()


def hands_by_side(match: Match) -> dict[Side, list[str]]:
    return {side: sorted(seat.view().players[side].hand) for side, seat in seats(match, 0).items()}


def without_game_id(match: Match, page: str) -> str:
    """Return a page without the id of its game, which follows from the deal."""
    return page.replace(match.id.hex(), "").replace(match.id.hex()[:8], "")


def test_public_page_does_not_depend_on_hidden_hands() -> None:
    first, second = play_nothing(1), play_nothing(2)
    assert len(first.records) == len(second.records)
    assert all(hands_by_side(first)[side] != hands_by_side(second)[side] for side in Side)
    assert without_game_id(first, page_of(first)) == without_game_id(second, page_of(second))


TWINS = range(4)


@pytest.mark.slow
def test_twin_games_cover_the_orders_with_different_hands() -> None:
    orders = {type(move.order) for seed in TWINS for move in twins(seed)[0].moves}
    assert {Raid, Block, HomeSupport, Draft, type(None)} <= orders
    for first, second in map(twins, TWINS):
        assert [move.order for move in first.moves] == [move.order for move in second.moves]
        assert first.state.turn > 3
        assert any(hands_by_side(first)[side] != hands_by_side(second)[side] for side in Side)


@pytest.mark.slow
@pytest.mark.parametrize("seed", sample(TWINS, first=1))
def test_public_views_of_twin_games_are_equal(seed: int) -> None:
    """Facts, raids, pictures and pages do not depend on hidden draws."""
    first, second = twins(seed)
    scene_lists = [scenes(Chronicle(Look(match))) for match in (first, second)]
    english = Language("en")
    for first_scene, second_scene in zip(*scene_lists, strict=True):
        assert (first_scene.facts, first_scene.raids) == (second_scene.facts, second_scene.raids)
    for first_scene, second_scene in [*zip(*scene_lists, strict=True)][::12]:
        pictures = [
            without_game_id(match, render_svg(scene, match, english))
            for scene, match in ((first_scene, first), (second_scene, second))
        ]
        assert pictures[0] == pictures[1]
    assert without_game_id(first, page_of(first)) == without_game_id(second, page_of(second))


def test_picture_does_not_depend_on_the_viewer() -> None:
    match, _ = twins(0)
    english = Language("en")
    public_scenes = scenes(Chronicle(Look(match)))
    stranger_scenes = scenes(Chronicle(Look(match, Spectator.OTHER_KEY)))
    assert [scene.facts for scene in stranger_scenes] == [scene.facts for scene in public_scenes]
    looks = [Look(match, Spectator.OTHER_KEY), *(seat.look for seat in seats(match, 0).values())]
    for look in looks:
        for scene, public_scene in [*zip(scenes(Chronicle(look)), public_scenes, strict=True)][
            ::12
        ]:
            assert render_svg(scene, match, english) == render_svg(public_scene, match, english)


@pytest.mark.slow
def test_own_page_has_own_cards_and_a_warning() -> None:
    first, second = play_nothing(1), play_nothing(2)
    for side in Side:
        pages = [page_of(match, seats(match, 0)[side]) for match in (first, second)]
        assert without_game_id(first, pages[0]) != without_game_id(second, pages[1])
        header = " ".join(pages[0].partition("<main")[0].split())
        assert str(Log(Chronicle(seats(first, 0)[side].look)).warning) in header
        assert "This shows cards that only" in header
    assert "This shows cards" not in page_of(first)
    assert "This shows cards" not in page_of(closed_match(1))


def test_unopened_hand_is_on_no_page_of_the_opponent() -> None:
    match = resigned_match(2)
    assert page_of(match, Spectator.FOR_ALL) == page_of(match, Spectator.OTHER_KEY)


def test_closed_game_shows_both_hands_at_every_turn() -> None:
    match = closed_match(1)
    for scene in Page(page_of(match)).scenes:
        message = " ".join(
            scene_lists for id, scene_lists in scene.items() if id.startswith("line-")
        )
        assert "British hand" in message and "French hand" in message
        assert "face down" not in message


def test_half_closed_game_shows_one_hand() -> None:
    match = resigned_match(1)
    (side,) = match.secrets
    for scene in Page(page_of(match)).scenes[1:]:
        message = " ".join(
            scene_lists for id, scene_lists in scene.items() if id.startswith("line-")
        )
        assert f"{side.label!s} hand" in message
        assert f"{side.opponent.label!s} hand" not in message
