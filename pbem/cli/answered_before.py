"""What was signed before, told to a player who wants to answer a file again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.message import Message, Said, sentences
from pbem.cli.home import program
from pbem.cli.output import holds
from pbem.cli.own_library import proof
from pbem.cli.paths import shown
from pbem.cli.records import deeds_of, instant, moment, names_in
from pbem.library import Destination, Earlier, Standing, closing
from pbem.protocol.steps import Accept, Order, Resign

if TYPE_CHECKING:
    from pbem.protocol.record import Record


def explained(
    earlier: Earlier, records: Sequence[Record], when: str, to: Destination | None
) -> tuple[Said, Said]:
    """Why a file with these `records` is not simply answered, and what to do, in whole sentences.

    It was signed `when`; `to` is where the answer signed before was to be written, None where
    nobody remembers.
    """
    if earlier.standing is not Standing.ANSWERED:
        return _not_the_one(earlier)
    record, again = earlier.record, _how_again(earlier.record)
    sentence = Message(
        "You answered this file already, on {date}: {deeds}.",
        date=moment(when),
        deeds=deeds_of(record, names_in(records)),
    )
    if to and not holds(to.file, record.hash):
        advice = Message(
            "It is not in {file}, where it was to be; {again}", file=shown(to.file), again=again
        )
    else:
        # Translators: {again} is such as “the same orders write it again.”
        advice = Message("Send that answer; {again}", again=again)
    advice = sentences(advice, proof())
    if closing([record]) is not None:
        return sentence, advice
    another = Message("If the first never left this computer, --replace signs another.")
    return sentence, sentences(advice, another)


def condition(earlier: Earlier) -> Message:
    """When whoever replaces what was signed may go on, as a sentence."""
    if earlier.standing is Standing.OTHER_BEFORE:
        return Message("You go on from the one in this file.")
    if earlier.standing is Standing.ANSWERED:
        return Message("Go on only if that answer never left this computer.")
    return Message(
        "Go on only if your record {number}, signed {time}, never left this computer.",
        number=earlier.record.index,
        time=instant(earlier.record.time),
    )


def _not_the_one(earlier: Earlier) -> tuple[Said, Said]:
    """The same for a file that is not the one which was answered."""
    mine, time = earlier.record.index, instant(earlier.record.time)
    before = mine - 1
    if earlier.standing is Standing.OLDER:
        return (
            Message(
                "This file is older than what you have answered already: your record {number}, "
                "signed {time}, answered record {before}.",
                number=mine,
                time=time,
                before=before,
            ),
            Message("Go on with the newest file; if you have lost it, ask your opponent for it."),
        )
    if earlier.standing is Standing.OTHER_OWN:
        return (
            Message(
                "This file holds another record {number} in your name than the one that this "
                "computer signed (your record {number}, signed {time}).",
                number=mine,
                time=time,
            ),
            Message(
                "If you signed it yourself, on another computer, and it is the one that counts, go "
                "on with --replace. If not, somebody has your key."
            ),
        )
    audit = Message(
        "Keep both files: {command} audit OLD NEW shows it to anybody.", command=program()
    )
    if mine == 2:
        return (
            Message(
                "This file holds another acceptance of your invitation than the one that your "
                "record {number}, signed {time}, answered.",
                number=mine,
                time=time,
            ),
            sentences(Message("An invitation is good for one guest."), audit),
        )
    return (
        Message(
            "Your opponent signed another record {before} than the one that you have answered "
            "(your record {number}, signed {time}).",
            before=before,
            number=mine,
            time=time,
        ),
        audit,
    )


def _how_again(record: Record) -> Message:
    """How an answer that was signed is written once more, in the end of a sentence."""
    orders = [step.order for step in record.steps if isinstance(step, Order)]
    if isinstance(record.steps[0], Accept):
        return Message("joining again as {side} writes it again.", side=record.side)
    if any(isinstance(step, Resign) for step in record.steps):
        return Message("resigning again writes it again.")
    if not orders:
        return Message("giving no orders writes it again.")
    # Where the turn was left to go on after an answer, it is not to be ended now.
    if orders[-1].split()[0] not in ("end", "lose"):
        return Message("the same orders and --wait write it again.")
    return Message("the same orders write it again.")
