"""Records, and logs for others, give no hints at hidden cards.

docs/protocol.md, Duties of a player's program.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from engine import game
from engine.order import Order
from engine.orders import Discard, ShowHand, from_notation
from engine.sides import Side
from engine.state import Decision
from pbem.mail.draft import compose_email
from pbem.play.game_file import pack
from pbem.play.look import Secrets
from pbem.protocol import steps
from pbem.protocol.match import Match
from tests.attacks.cheats import add_record, find_step
from tests.cli.commands import acres, is_one_sentence
from tests.cli.table import Table, unwrap
from tests.play.matches import TIME, answer, any_order, begin, identities, play, seat_to_write
from tests.play.turns import practice_chooser
from tests.sample import sample
from tests.seats import NextRecord, Seat
from tests.signing import end

GAMES, MANY = 10, 24
"""The number of games in the short and the long run."""
LONGEST = 150
# The quantiles of chi-square with n degrees of freedom for a probability of 1 in 10,000.
UNLIKELY = {1: 15.14, 2: 18.42, 3: 21.11}


class Shown(NamedTuple):
    """The card that an order would show among several equal hidden cards."""

    reason: str
    place: int
    equal: int
    record: tuple[int, int]


@cache
def choices(games: int = GAMES) -> tuple[Shown, ...]:
    """Return the cards that each decision would show in games of random legal orders."""
    return tuple(choice for seed in range(games) for choice in _shown_in(seed))


def _shown_in(seed: int) -> Iterator[Shown]:
    random = Random(seed)
    match = begin(seed, lists=2, home_support=("asked", "ahead")[seed % 2])
    choose = any_order(random)
    while not match.is_over and len(match.records) < LONGEST:
        draft, orders = NextRecord(seat_to_write(match, seed), TIME), list[Order]()
        while not draft.is_complete or (draft.may_follow_up and random.random() < 0.9):
            if order := _one_of_equals(draft):
                again = NextRecord(seat_to_write(match, seed), TIME)
                for one in orders:
                    again.order(one)
                yield _shown_by(again, order, (seed, len(match.records)))
            orders.append(choose(draft.view()))
            draft.order(orders[-1])
        end(draft)
        match = draft.match


def _shown_by(draft: NextRecord, order: Order, record: tuple[int, int]) -> Shown:
    """Return the cards that an order shows if it plays one of several equal cards."""
    hidden = {slot: card for slot, (card, _) in draft.seat.hidden_cards().items()}
    reason = "follow-up" if draft.may_follow_up else draft.match.state.awaiting.decision.value
    before = len(draft.steps)
    draft.order(order)
    opened = [step for step in draft.steps[before:] if isinstance(step, steps.Open)]
    copies = Counter(step.card for step in opened)
    for step in opened:
        equal = sorted(slot for slot, card in hidden.items() if card == step.card)
        if len(equal) > 1 and copies[step.card] == 1:
            return Shown(
                reason, [tuple(slot) for slot in equal].index(tuple(step.slot)), len(equal), record
            )
    raise AssertionError("it shows no such card")


def _one_of_equals(draft: NextRecord, kind: type[Order] = Order) -> Order | None:
    """Return a legal order that needs one of several equal hidden cards, if there is one."""
    held = Counter(card for card, _ in draft.seat.hidden_cards().values())
    if max(held.values(), default=0) < 2:
        return None
    for order in game.legal_orders(draft.view()):
        if isinstance(order, ShowHand) or not isinstance(order, kind):
            continue
        needed = Counter(draft.would_show(order))
        if any(held[card] > 1 and count == 1 for card, count in needed.items()):
            return order
    return None


# --- several equal cards


@pytest.mark.slow
@pytest.mark.parametrize(
    ("games", "min_cases"), [(GAMES, 80), pytest.param(MANY, 150, marks=pytest.mark.long)]
)
def test_choice_among_equal_cards_is_uniform(games: int, min_cases: int) -> None:
    """Always showing the lowest slot would reveal that no lower slot holds an equal card."""
    places: dict[int, Counter[int]] = defaultdict(Counter)
    # Count one card for each record, because a record always shows the same card.
    for choice in {card.record: card for card in choices(games)}.values():
        places[choice.equal][choice.place] += 1
    assert places[2].total() > min_cases
    for equal, counted in places.items():
        expected = counted.total() / equal
        chi_square = sum((counted[place] - expected) ** 2 / expected for place in range(equal))
        assert chi_square < UNLIKELY[equal - 1], (equal, counted)


@pytest.mark.parametrize(
    "reason", ["turn", "raid reply", "ambush reply", "conversion reply", "follow-up"]
)
def test_every_kind_of_order_shows_any_of_equal_cards(reason: str) -> None:
    assert {choice.place > 0 for choice in choices(GAMES) if choice.reason == reason} == {
        False,
        True,
    }


def test_repeated_orders_show_the_same_cards() -> None:
    """A replacing record shows the same cards, so that two records reveal no more than one."""
    for draft, order in _drafts_with_equals():
        match, seed = Match.replay(draft.match.records), SEED
        again, other = (NextRecord(seat_to_write(match, seed), TIME) for _ in range(2))
        other.order(from_notation("pass"))
        for one in (draft, again, other):
            one.order(order)
        opens = [[s for s in d.steps if isinstance(s, steps.Open)] for d in (draft, again, other)]
        assert opens[0]
        assert opens[0] == opens[1] == opens[2]
        assert draft.steps == again.steps


SEED = 3


def _drafts_with_equals() -> Iterator[tuple[NextRecord, Order]]:
    """Yield turns with two actions, and an order that can show one of several equal cards."""
    match, choose = begin(SEED, lists=2), any_order(Random(SEED))
    while not match.is_over and len(match.records) < 160:
        draft = NextRecord(seat_to_write(match, SEED), TIME)
        state = draft.match.state
        begins = state.awaiting.decision is Decision.TURN and state.actions_left == 2
        if begins and (order := _one_of_equals(draft, Discard)):
            yield draft, order
        match = answer(match, choose, SEED)


def test_any_of_equal_cards_may_be_shown() -> None:
    """Readers accept the choice of other programs and earlier versions."""
    draft, order = next(_drafts_with_equals())
    draft.order(order)
    index, opening = find_step(steps.Open, draft.steps)
    match_before = Match.replay(draft.match.records)
    seat = seat_to_write(match_before, SEED)
    held = NextRecord(seat, TIME).seat.hidden_cards()
    others = [slot for slot, (card, _) in held.items() if card == opening.card]
    assert len(others) > 1
    for slot in others:
        honest = list(draft.steps)
        honest[index] = steps.Open(slot, *held[slot])
        Match.replay(
            add_record(match_before, [*honest, *_order_and_pass(match_before, order)], seed=SEED)
        )


def _order_and_pass(match: Match, order: Order) -> list[steps.Step]:
    """Return the steps of a turn after an order, if its author then passes."""
    draft = NextRecord(seat_to_write(match, SEED), TIME)
    draft.order(order)
    before = len(draft.steps)
    while not draft.is_complete:
        legal = [from_notation("pass"), from_notation("end")]
        draft.order(
            next(candidate for candidate in legal if candidate in game.legal_orders(draft.view()))
        )
    return list(draft.steps[before:])


# --- logs and letters


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """A folder with all files of a game except its close, so that no hand is open."""
    match = play(begin(4, lists=2), practice_chooser(Random(4)), turns=50, seed=4)
    return Table(tmp_path_factory.mktemp("leaks") / "game", match, 4)


@pytest.mark.parametrize("options", sample([["--from", 7], []], first=1))
def test_public_log_does_not_depend_on_the_player(table: Table, options: list[object]) -> None:
    output = acres("log", table.file, "--markdown", *options)
    assert output.status == 0, output.err
    for home in ("british", "french"):
        own = acres("log", table.file, "--markdown", *options, home=table.folder / home)
        assert (own.status, own.out) == (0, output.out)


def test_own_cards_are_logged_only_on_request_with_a_warning(table: Table) -> None:
    match = table.match
    for side, identity in zip(Side, identities(4), strict=True):
        home, seat = table.folder / side.value, Seat(match, identity)
        assert seat.side is side
        public = unwrap(acres("log", table.file, "--markdown", home=home).out)
        output = unwrap(acres("log", table.file, "--markdown", "--with-my-cards", home=home).out)
        warning = f"This shows cards that only `{identity.name}` ({side.label!s}, you) knows"
        assert warning in output
        assert warning not in public
        name = match.state.ruleset.catalogue.names
        drawn = [move.drawn for move in match.moves if move.side is side and move.drawn]
        assert drawn
        counted = re.findall(r"(?:drew|hand with) (\d+) card", public)
        both = [move.drawn for move in match.moves if move.drawn]
        assert sum(map(int, counted)) == sum(map(len, both))
        for slots in drawn:
            assert all(name[card] in output for card in seat.cards.names(slots))


def test_spectator_cannot_log_own_cards(table: Table, tmp_path: Path) -> None:
    for form in (["--markdown"], [], ["--json"]):
        refused = acres("log", table.file, *form, "--with-my-cards", home=tmp_path)
        assert (refused.status, refused.out) == (2, "")
        assert is_one_sentence(refused.err)


def test_message_does_not_depend_on_the_player(table: Table) -> None:
    """Letters and summaries are written without a key."""
    match = table.match
    letters = set()
    for secrets in (None, *(Secrets.of(match, identity) for identity in identities(4))):
        save = pack(match, secrets, {}, "Something secret")
        assert save.summary == pack(match, None, {}, "").summary
        body = compose_email(match, save.write(), "game.toml").get_body(("plain",))
        assert body is not None
        letters.add(body.get_content())
    assert len(letters) == 1
    assert "Something secret" not in letters.pop()
