"""How strongly a robot plays, for choosing among them."""

from __future__ import annotations

from engine.message import Message, Said, mark

_TOLD = {
    1: mark("plays simply and instantly, for a first game"),
    2: mark("looks ahead, and answers in a moment"),
    3: mark("the strongest: thinks for some seconds"),
}


def strength_told(strength: int) -> Said:
    """What to expect of a robot of that strength, in a clause; its number if nothing is known."""
    told = _TOLD.get(strength)
    return Message(told) if told else str(strength)
