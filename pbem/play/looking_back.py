"""Looking back at a game, in separate processes, until stopped."""

from __future__ import annotations

import os
from collections.abc import Sequence
from threading import Lock

from engine.message import Message
from pbem.errors import WrongUse
from pbem.play.analysis import Analysis, Passing, analyse
from pbem.play.helper import Helper, HelperEnded
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match

MOST_PROCESSES = 4


class LookingBack:
    """Analyses one game after another in several processes; another thread may `stop` it."""

    def __init__(self) -> None:
        self._changing = Lock()
        self._helper: Helper | None = None
        self._is_stopped = False

    def analysed(
        self, match: Match, known: Sequence[HiddenCards], passing: Passing = iter
    ) -> Analysis:
        """Return an analysis of a game, as far as hands are `known`; `passing` tells how far it is.

        Raises WrongUse where one of the processes ends before it is through.
        """
        helper = Helper(min(MOST_PROCESSES, os.cpu_count() or 1))
        with self._changing:
            self._helper = helper
            if self._is_stopped:
                helper.stop()
        try:
            return analyse(match, known, share=helper.share, passing=passing)
        except HelperEnded as error:
            if error.is_stopped:
                why = Message("The analysis stopped before it was finished: start it again.")
            else:
                why = Message("The analysis was stopped by the system; perhaps memory ran out.")
            raise WrongUse(why) from None
        finally:
            helper.stop()

    def stop(self) -> None:
        """End what is being analysed, and analyse nothing more."""
        with self._changing:
            self._is_stopped = True
            if self._helper is not None:
                self._helper.stop()
