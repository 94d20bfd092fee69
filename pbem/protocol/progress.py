"""How far a record has come that is being replayed.

docs/protocol.md, Checking a game without its rules.
"""

from __future__ import annotations

from engine.sides import Side
from pbem.errors import StepError
from pbem.errors.rule import Rule
from pbem.protocol import steps
from pbem.protocol.table import ShuffleMade


class Progress:
    """How far the record that is being replayed has come; `opened` since its last order.

    It is `dealing` where it began before both sides had their first cards, and `closing` where the
    game was over by then.
    """

    def __init__(
        self,
        side: Side | None,
        signed: ShuffleMade,
        *,
        dealing: bool,
        closing: bool,
        is_verified: bool,
    ) -> None:
        self.side = side
        self.signed = signed
        self.dealing = dealing
        self.closing = closing
        self.is_verified = is_verified
        self.opened: tuple[steps.Open, ...] = ()

    @property
    def index(self) -> int:
        """The number of the record."""
        return self.signed.record

    def check_ascends(self, step: steps.Open) -> None:
        """Check that a card is shown in its place among those for one order; raises StepError."""
        if self.opened and step.slot < self.opened[-1].slot:
            raise StepError(
                "the cards shown for one order must be in ascending order of their slots.",
                Rule.SHOWN_ASCENDING,
            )

    def check_played(self) -> None:
        """Check that no card is shown that still waits for its order; raises StepError."""
        if self.opened:
            raise StepError("it shows a card that no order plays.", Rule.SHOWN_FOR_ORDER)
