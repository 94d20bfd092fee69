"""The turns of a game before now, drawn and judged beside the desk from what nobody else has.

A match finds out some of what it knows only when it is asked: two threads never ask the same one.
"""

from __future__ import annotations

from typing import NamedTuple

from pbem.board.templates import Templates
from pbem.play.analysis import hands_known
from pbem.play.game_file import GameFile
from pbem.play.look import Look, Secrets, Spectator
from pbem.play.turn import look_now
from pbem.protocol.cache import ALL_VERIFIED, Known
from pbem.web.host import Host
from pbem.web.position import Position


class Past(NamedTuple):
    """A file as it was read and verified at the desk, and `who` looks at it."""

    data: bytes
    who: Secrets | Spectator

    @classmethod
    def of(cls, game: GameFile, look: Look) -> Past:
        """What is needed of a game to draw its turns; to be called where the game is in hand."""
        return cls(game.save.write(), look.who)

    def drawn(self, templates: Templates) -> dict[str, object]:
        """All turns, to be stepped through, as `Position.past` has them; in any thread."""
        look = self._look()
        return Position(templates, look).past(look)

    def judged(self, host: Host, templates: Templates) -> dict[str, object]:
        """Return the same, with what an analysis finds; in any thread.

        Raises WrongUse if no hand is known, or it ends before it is through.
        """
        look = self._look()
        return Position(templates, look).past(look, host.analyse(look.whole, hands_known(look)))

    def _look(self) -> Look:
        game = GameFile.read(self.data, lambda game: Known(ALL_VERIFIED))
        return look_now(game, Look(game.match, self.who), game.match.last.time)
