"""Robots that write files in memory: no session, no home, and nothing remembered of what they sign.

The product has no such way. Tests and benchmarks that want many files, or many games, take it.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.ruleset import DEFAULT_EDITION, Ruleset
from engine.sides import Side
from pbem.play.game_file import GameFile, pack
from pbem.play.look import Secrets
from pbem.play.practice_game import Pair
from pbem.play.robot.answering import Robot
from pbem.play.turn import Turn
from pbem.protocol.entrance import ruleset_of
from pbem.protocol.steps import LISTS
from tests.signing import accept, finish, invite


def never_follows_up(answer: Turn) -> bool:
    """The habit of a player who always waits for the answer."""
    return False


def join(robot: Robot, game: GameFile, *, nonce: bytes, time: str, side: Side) -> GameFile:
    """The file with which a robot accepts an invitation.

    `side` is the free one, or its choice; `nonce` and what it raises as for `entry.accept`.
    """
    card = robot.start_card(ruleset_of(game.match.invite), side)
    match = accept(game.match, robot.identity, nonce=nonce, time=time, side=side, start_card=card)
    return game.followed_by(match, robot.identity)


def answer(
    robot: Robot, game: GameFile, time: str, *, notes: str | None = None, resigns: bool = False
) -> GameFile:
    """A robot's answer to a file, signed at `time`; raises what `Answer` raises."""
    turn = Turn.of(game, robot.identity, time, resigns=resigns)
    robot.play(turn)
    turn.new_notes = notes
    match, save = finish(turn, robot.identity)
    return GameFile(save, match)


class Correspondents(Pair):
    """Two players who answer each other's files, all in memory."""

    def invite(
        self,
        side: Side,
        *,
        leaves_choice: bool = False,
        lists: int = LISTS,
        home_support: str = "asked",
        edition: str = DEFAULT_EDITION,
        house_rules: Iterable[str] = (),
    ) -> GameFile:
        """The invitation of the player of `side`, who may leave the choice of it to the guest."""
        inviter = self.identities[side]
        ruleset = Ruleset.of(edition, house_rules)
        match = invite(
            inviter,
            side=None if leaves_choice else side,
            nonce=self.nonce(),
            time=self.wait(),
            lists=lists,
            home_support=home_support,
            edition=edition,
            house_rules=ruleset.house_rules,
            start_card=None if leaves_choice else self.robot(side).start_card(ruleset, side),
            # Both play with the same program.
            tells_parts=False,
        )
        secrets = None if leaves_choice else Secrets.of(match, inviter)
        return GameFile(pack(match, secrets, {}, ""), match)

    def join(self, game: GameFile) -> GameFile:
        """The file of the player who did not invite."""
        inviter = game.match.invite.key
        side = next(side for side, who in self.identities.items() if who.public_key != inviter)
        return join(self.robot(side), game, nonce=self.nonce(), time=self.wait(), side=side)

    def answer(
        self, game: GameFile, *, notes: str | None = None, resigns: bool = False
    ) -> GameFile:
        """The answer of the player who writes next; raises what `Answer` raises."""
        side = game.match.next_side
        assert side is not None
        return answer(self.robot(side), game, self.wait(), notes=notes, resigns=resigns)
