"""Looking back at a game, in separate processes, until stopped."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack
from threading import Lock

from engine.message import Message
from pbem.errors import WrongUse
from pbem.play.analysis import Analysis, Passing, analyse
from pbem.play.helper import HelperEnded, helpers
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match

MOST_PROCESSES = 4


class LookingBack:
    """Analyses one game after another in several processes; another thread may `stop` it."""

    def __init__(self) -> None:
        self._changing = Lock()
        self._helping = ExitStack()
        self._is_stopped = False

    def analysed(
        self, match: Match, known: Sequence[HiddenCards], passing: Passing = iter
    ) -> Analysis:
        """An analysis of a game, as far as hands are `known`; `passing` tells how far it is.

        Raises WrongUse where one of the processes ends before it is through.
        """
        count = min(MOST_PROCESSES, os.cpu_count() or 1)
        try:
            with ExitStack() as helping:
                with self._changing:
                    share = helping.enter_context(helpers(count))
                    self._helping = helping
                    if self._is_stopped:
                        raise HelperEnded
                return analyse(match, known, share=share, passing=passing)
        except (HelperEnded, CancelledError) as error:
            if isinstance(error, HelperEnded) and error.is_killed:
                why = Message("The analysis was stopped by the system; perhaps memory ran out.")
            else:
                why = Message("The analysis stopped before it was finished: start it again.")
            raise WrongUse(why) from None

    def stop(self) -> None:
        """End what is being analysed, and analyse nothing more."""
        with self._changing:
            self._is_stopped = True
            self._helping.close()
