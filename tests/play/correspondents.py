"""Robots that write files in memory, without sessions, homes or libraries."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from random import Random

from engine.players import MIN_STRENGTH, player_of
from engine.ruleset import DEFAULT_EDITION, Ruleset
from engine.sides import Side
from pbem.play.game_file import GameFile, pack
from pbem.play.look import Secrets
from pbem.play.robot import Choose, choose_start_card, give_orders, usually_follows_up
from pbem.play.turn import Turn
from pbem.protocol.identity import Identity
from pbem.protocol.steps import DEFAULT_LISTS
from pbem.protocol.table import ruleset_of
from tests.signing import accept, finish, invite

NAMES = ("Anna (practice)", "anna@example.org"), ("Émile (practice)", "emile@example.org")


def never_follows_up(answer: Turn) -> bool:
    """Return False: this player always waits for the answer."""
    return False


class Correspondents:
    """Two players who answer each other's files, all in memory.

    `identities` and `players`, which choose the orders, are by side; `follows_up` decides on each
    follow-up. Keys, nonces, times and the first players come from `random`.
    """

    def __init__(
        self,
        random: Random,
        follows_up: Callable[[Turn], bool] = usually_follows_up,
        begins: datetime = datetime(2026, 1, 1, 12, tzinfo=UTC),
    ) -> None:
        self._random = random
        self._now = begins
        self.follows_up = follows_up
        named = zip(Side, NAMES, strict=True)
        self.identities = {side: Identity(*who, random.randbytes(32)) for side, who in named}
        self.players: dict[Side, Choose] = {
            side: player_of(MIN_STRENGTH, Random(random.getrandbits(64))).choose for side in Side
        }

    def nonce(self) -> bytes:
        """32 random bytes."""
        return self._random.randbytes(32)

    def advance_clock(self) -> str:
        """Advance the clock by a random time, and return the new time."""
        self._now += timedelta(seconds=self._random.randint(60, 36 * 3600))
        return self._now.strftime("%Y-%m-%dT%H:%M:%SZ")

    def invite(
        self,
        side: Side,
        *,
        leaves_choice: bool = False,
        lists: int = DEFAULT_LISTS,
        home_support: str = "asked",
        edition: str = DEFAULT_EDITION,
        house_rules: Iterable[str] = (),
    ) -> GameFile:
        """Return an invitation by the player of `side`, or one for any side."""
        inviter = self.identities[side]
        ruleset = Ruleset.of(edition, house_rules)
        match = invite(
            inviter,
            side=None if leaves_choice else side,
            nonce=self.nonce(),
            time=self.advance_clock(),
            lists=lists,
            home_support=home_support,
            edition=edition,
            house_rules=ruleset.house_rules,
            start_card=None
            if leaves_choice
            else choose_start_card(ruleset, side, self.players[side]),
            # Both play with the same program.
            include_parts=False,
        )
        secrets = None if leaves_choice else Secrets.of(match, inviter)
        return GameFile(pack(match, secrets, {}, ""), match)

    def join(self, game: GameFile) -> GameFile:
        """Return the file with the guest's acceptance."""
        invitation, nonce, time = game.match.invite, self.nonce(), self.advance_clock()
        side = next(s for s in Side if self.identities[s].public_key != invitation.key)
        guest = self.identities[side]
        card = choose_start_card(ruleset_of(invitation), side, self.players[side])
        match = accept(game.match, guest, nonce=nonce, time=time, side=side, start_card=card)
        return game.next_file(match, guest)

    def answer(
        self, game: GameFile, *, notes: str | None = None, resigns: bool = False
    ) -> GameFile:
        side = game.match.next_side
        assert side is not None
        turn = Turn.of(game, self.identities[side], self.advance_clock(), resigns=resigns)
        give_orders(turn, self.players[side], self.follows_up)
        turn.new_notes = notes
        match, save = finish(turn, self.identities[side])
        return GameFile(save, match)
