"""Honest games with random options never fail up to both closes.

Practice players play four of five games; the others have random legal orders and follow-ups. A
failure is a bug in the program, and its seed repeats the game.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.game import legal_orders
from engine.order import Order
from engine.orders import Ambush, Convert, HomeSupport, Raid, Withdraw
from engine.sides import Side, Slot
from engine.state import State
from pbem.errors import UsageError
from pbem.play.audit import audit
from pbem.play.game_file import GameFile
from pbem.play.robot import usually_follows_up
from pbem.play.turn import Turn
from pbem.protocol import steps
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from tests.engine.house_rule_positions import A_FEW, random_rules
from tests.play.correspondents import Correspondents, never_follows_up
from tests.play.matches import any_order
from tests.seats import Seat
from tests.vectors import naive

SAMPLE = 1
ALL, CHUNK = 2000, 25
REREAD_SHARE = 1 / 16
"""The share of files that are read again; the audit at the end reads all records."""
INTERRUPTING = Raid, Ambush, Convert, Withdraw, HomeSupport
MAX_RECORDS = 1000
"""The maximum number of records; no game reaches it."""


@pytest.mark.parametrize("seed", range(SAMPLE))
def test_honest_game_is_proved_to_its_close(seed: int) -> None:
    honest_game(seed)


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, ALL, CHUNK))
def test_honest_games_never_fail(first: int) -> None:
    for seed in range(first, first + CHUNK):
        try:
            honest_game(seed)
        except Exception as error:
            error.add_note(f"the honest game with seed {seed}")
            raise


class HonestGame:
    def __init__(self, seed: int) -> None:
        self.random = random = Random(f"honest game {seed}")
        self.pair = Correspondents(
            random, random.choice([usually_follows_up, never_follows_up, self._sometimes])
        )
        is_wild = random.random() < 0.2
        if is_wild:
            reckless = RecklessPlayer(random)
            self.pair.players = dict.fromkeys(Side, reckless.choose)
            self.pair.follows_up = reckless.follows_up
        gives_up = is_wild or random.random() < 0.2
        self.last = random.randrange(2, 120) if gives_up else MAX_RECORDS
        self.notes = dict.fromkeys(Side, "")
        self.seen_cards: dict[Side, dict[Slot, tuple[str, bytes]]] = {side: {} for side in Side}
        self.hands: dict[tuple[int, Side], list[str]] = {}

    def play(self) -> GameFile:
        """Play until both sides have closed the game, and return the last file."""
        random = self.random
        game = self.pair.invite(
            random.choice(list(Side)),
            leaves_choice=random.random() < 0.4,
            lists=2 ** random.randrange(7),
            home_support=random.choice(["asked", "ahead"]),
            **self._rules(),
        )
        game = self._transfer(self.pair.join(self._transfer(game)))
        while game.match.next_side is not None:
            assert len(game.match.records) < MAX_RECORDS
            self._look_into_hand(game.match, game.match.next_side)
            game = self._transfer(self._answer(game))
        return game

    def _rules(self) -> dict[str, Any]:
        """Return a random edition and a few compatible house rules."""
        rules = random_rules(self.random, self.random.random() * A_FEW)
        return {"edition": rules.edition, "house_rules": rules.house_rules}

    def _sometimes(self, answer: Turn) -> bool:
        return usually_follows_up(answer) and self.random.random() < 0.5

    def _transfer(self, game: GameFile) -> GameFile:
        """Return the game for the other player, who sometimes reads it from bytes."""
        if self.random.random() > REREAD_SHARE:
            return game
        again = GameFile.read(game.save.write())
        assert again.save == game.save
        assert_same(again.match, game.match)
        return again

    def _look_into_hand(self, match: Match, side: Side) -> None:
        seat, cards = Seat(match, self.pair.identities[side]), self.seen_cards[side]
        for slot, card in seat.hidden_cards().items():
            assert cards.setdefault(slot, card) == card
        self.hands[match.last.index, side] = sorted(seat.view().players[side].hand)

    def _answer(self, game: GameFile) -> GameFile:
        notes = self._notes(game.match.next_side)
        if len(game.match.records) < self.last or game.match.is_over:
            return self.pair.answer(game, notes=notes)
        try:
            return self.pair.answer(game, notes=notes, resigns=True)
        except UsageError:
            # The steps at the beginning of the record may already have ended the game.
            answered = self.pair.answer(game, notes=notes)
            assert not any(isinstance(step, steps.OrderStep) for step in answered.match.last.steps)
            assert answered.match.is_over
            return answered

    def _notes(self, side: Side | None) -> str | None:
        assert side is not None
        if self.random.random() < 0.8:
            return None
        length = self.random.choice([0, 1, 200, 4000])
        self.notes[side] = "".join(self.random.choices('ab "\\\né😀', k=length))
        return self.notes[side]


class RecklessPlayer:
    """A player of random legal orders, with many attacks, and with follow-ups in any world.

    Some of these follow-ups are dropped.
    """

    def __init__(self, random: Random) -> None:
        self._random = random
        self._any_order = any_order(random)
        self._worlds: list[State] = []

    def follows_up(self, answer: Turn) -> bool:
        if self._random.random() < 0.3:
            return False
        assert answer.foresight is not None
        worlds = answer.foresight.worlds
        likely = worlds[0].awaiting
        self._worlds = [world for world in worlds if world.awaiting == likely]
        return True

    def choose(self, state: State) -> Order:
        """Return an order that is legal in the position or in a world of the follow-up."""
        state = self._random.choice(self._worlds or [state])
        self._worlds = []
        attacks = [order for order in legal_orders(state) if isinstance(order, INTERRUPTING)]
        if attacks and self._random.random() < 0.5:
            return self._random.choice(attacks)
        return self._any_order(state)


def honest_game(seed: int) -> None:
    played = HonestGame(seed)
    game = played.play()
    report = audit(game.save.write())
    match = report.match
    assert report.is_clean, report.finding
    assert len(match.records) == report.total_records
    assert_same(match, game.match)
    assert match.is_over
    assert report.closed.keys() == match.secrets.keys() == set(Side)
    for (index, side), hand in played.hands.items():
        assert report.hands[index][side] == hand
    for side in Side:
        granted = [s for r in match.records if r.side == side for s in r.steps if s.kind == "grant"]
        assert report.closed[side].grants == len(granted)
        seat = Seat(match, played.pair.identities[side])
        assert game.notes(seat.secrets) == played.notes[side]
        dealt = dealt_cards(match, side)
        for slot, card in (played.seen_cards[side] | seat.hidden_cards()).items():
            assert dealt[slot] == card
        for record in match.records:
            if record.side == side:
                opened = (step for step in record.steps if isinstance(step, steps.Open))
                assert all(dealt[o.slot] == (o.card, o.nonce) for o in opened)
        state = match.state.copy()
        HiddenCards(match, side, match.secrets[side]).reveal(state)
        assert state.players[side].hand == seat.view().players[side].hand


def assert_same(match: Match, other: Match) -> None:
    """Check that two matches have the same position and history."""
    assert match.records == other.records
    assert match.is_joined == other.is_joined
    if match.is_joined:
        assert match.state.key() == other.state.key()
    assert match.moves == other.moves
    assert match.dropped == other.dropped
    assert match.follow_ups == other.follow_ups
    assert match.secrets == other.secrets


def dealt_cards(match: Match, side: Side) -> dict[Slot, tuple[str, bytes]]:
    """Return card and nonce by slot for a side, from the records and its published secret.

    This uses the second implementation. A granted list belongs to the last shuffle signed before.
    """
    secret = match.secrets[side]
    depth = match.invite.lists.bit_length() - 1
    dealt: dict[Slot, tuple[str, bytes]] = {}
    previous, shuffled = bytes(32), None
    for record in match.records:
        own = record.side == side
        for step in record.steps:
            if own and isinstance(step, steps.ShuffleStep):
                shuffled = step, naive.root_seed(secret, step.epoch, previous)
            if not own and isinstance(step, steps.Grant) and step.list is not None:
                assert shuffled is not None
                shuffle, seed = shuffled
                leaf = naive.leaf(seed, naive.path(step.list, depth))
                cards = naive.the_list(leaf, shuffle.cards)
                assert sorted(card for card, _ in cards) == list(shuffle.cards)
                dealt |= {Slot(shuffle.epoch, place): card for place, card in enumerate(cards)}
        previous = record.hash
    return dealt
