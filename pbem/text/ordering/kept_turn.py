"""What is said of an unsigned turn when it is found again."""

from __future__ import annotations

from collections.abc import Iterator

from engine.message import Message, sentences
from engine.order import UnreadableOrder
from engine.orders import from_notation
from pbem.play.kept_turn import FoundAgain, NotKept, Resumed
from pbem.text.dates import moment
from pbem.text.lines import Line, Tone, item
from pbem.text.ordering.led_turn import spoken_word
from pbem.text.phrases import Name


def found_told(found: FoundAgain, resumed: Resumed, name: Name) -> Iterator[Line]:
    """Yield that a turn was found again and goes on: its orders, and what is left out, and why."""
    if found.damage:
        lost = Message("The turn that you had begun cannot be read any more: it starts over.")
        yield Line(sentences(found.damage, lost))
        return
    undo_all = spoken_word("undo all")
    told = Message(
        "You began this turn on {date} and did not sign it. It goes on from there; {undo_all} "
        "starts it over.",
        date=moment(found.when),
        undo_all=undo_all,
    )
    if found.is_signed:
        told = Message(
            "You signed this turn on {date}, but its file is not there. Sign it once more as it "
            "is, and the same file is written: other orders would be a second answer.",
            date=moment(found.when),
        )
    yield Line(told, Tone.HEAD)
    for order in resumed.orders:
        yield item(order.text(name))
    if resumed.left:
        number, notation = len(resumed.orders) + 1, resumed.left[0]
        yield Line(
            sentences(
                Message(
                    "Order {number}, “{order}”, cannot be given. {sentence}",
                    number=number,
                    order=_told(notation, name),
                    sentence=resumed.why,
                ),
                Message("It is left out, and so is what came after it."),
            )
        )
    if found.notes is not None:
        yield Line(Message("Your notes are as you changed them."))


def not_kept_told(failed: NotKept) -> Message:
    """Return that a turn will not be found again if it is left, and why."""
    # Translators: {reason} is such as “Permission denied”.
    return Message(
        "Your orders are not kept until you sign ({reason}): if this is closed before then, you "
        "will have to give them again.",
        reason=failed.reason,
    )


def _told(notation: str, name: Name) -> object:
    """Return an order in a player's words; anything else as it was kept."""
    try:
        return from_notation(notation).text(name)
    except UnreadableOrder:
        return notation
