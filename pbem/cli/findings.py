"""Files that do not hold, in words: whose record it is, what is wrong with it, what to do about it.

docs/protocol.md, What is caught, and when.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from engine.message import Message, Said, mark, sentences
from pbem.cli.progress import CHECKING, progress
from pbem.errors import AcresError, NotProved, Unreadable

if TYPE_CHECKING:
    from engine.sides import Side
    from pbem.errors import Finding
    from pbem.play.audit import Report
    from pbem.protocol.match import Match

_OWN = mark("Record {number}, in your name, does not hold: {reason}")
_SIGNED = mark("Record {number}, signed by {player}, does not hold: {reason}")
_IN_THE_NAME = mark("Record {number}, in the name of {player}, does not hold: {reason}")
_BY_DAMAGE = ("signature", "chain")
"""The rules that a record breaks which was damaged on its way."""
_BEGINNING = b'format = "acres-save"'


class FileFails(AcresError):
    """A file does not prove what it claims; the message says whose record fails, and what to do."""

    exit_status = 1


@contextmanager
def explaining(
    data: bytes,
    own_key: bytes | None = None,
    where: Callable[[int], Said] = lambda record: "",
    *,
    is_as_sent: bool = True,
) -> Iterator[None]:
    """Tell whoever has `own_key` in a player's words why the file of that content does not hold.

    `where` tells in a sentence where the damage to a record begins; it is empty if that is plain.
    Whether that content `is_as_sent`, or was laid out anew, tells how much mail may have changed.

    Turns NotProved into FileFails; Unreadable says of a file that breaks off that it does.
    """
    try:
        yield
    except NotProved as error:
        from pbem.play.audit import audit

        with progress(CHECKING) as course:
            report = audit(data, course.passing)
        is_damaged = may_be_damage(error.finding, data, is_as_sent=is_as_sent)
        wrong = told(report, error.finding, own_key, is_damaged=is_damaged)
        damage = where(error.finding.record) if error.finding.rule in _BY_DAMAGE else ""
        raise FileFails(sentences(wrong, damage)) from None
    except Unreadable:
        if breaks_off(data):
            damaged = Message("This file is damaged: it breaks off. Ask for it again.")
            raise Unreadable(damaged) from None
        raise


def may_be_damage(finding: Finding, data: bytes, *, is_as_sent: bool) -> bool:
    """Whether what fails in a file may be damage: then it is not laid out as this program does."""
    from pbem.savefile.save_file import SaveFile

    return finding.rule in _BY_DAMAGE and not (is_as_sent and SaveFile.is_laid_out(data))


def told(
    report: Report, finding: Finding, own_key: bytes | None = None, *, is_damaged: bool = False
) -> Message:
    """What is wrong with a file of which this is the audit, and what to do, in one paragraph.

    One that `is_damaged` was not changed by anybody on purpose, perhaps.
    """
    match = report.match
    side = _side(match, finding)
    is_own = side is not None and match.entrants[side].key == own_key
    author = with_key(author_of(match, finding), report.accused)
    sender = _name(match, side.opponent if side and is_own else side)
    if is_damaged:
        return _damaged(finding, author, sender, is_own=is_own)
    if finding.rule == "signature":
        return _forged(finding, author, sender, is_own=is_own)
    whose = _OWN if is_own else _SIGNED if finding.accuses else _IN_THE_NAME
    each = [
        Message(whose, number=finding.record, player=author, reason=finding.sentence),
    ]
    if finding.shown_by is not None:
        each.append(
            Message(
                "That came out with record {number}, which closes the game.",
                number=finding.shown_by,
            )
        )
    if finding.rule == "rules data":
        each.append(same_version())
    elif finding.accuses and not is_own:
        each.append(Message("Ask {player} for the right file.", player=sender))
    else:
        each.append(Message("Ask {player} to send the file again.", player=sender))
    return sentences(*each)


def _forged(finding: Finding, author: Said, sender: Said, *, is_own: bool) -> Message:
    """The same of a record whose signature is not that of its author."""
    if is_own:
        return Message(
            "Record {number}, in your name, was changed after it was signed, or somebody else "
            "wrote it: ask {sender} to send the file again.",
            number=finding.record,
            sender=sender,
        )
    return Message(
        "Record {number}, in the name of {player}, was changed after it was signed, or somebody "
        "else wrote it: ask {sender} to send the file again.",
        number=finding.record,
        player=author,
        sender=sender,
    )


def _damaged(finding: Finding, author: Said, sender: Said, *, is_own: bool) -> Message:
    """The same of a record that may have been damaged."""
    whose = _OWN if is_own else _IN_THE_NAME
    return sentences(
        Message(whose, number=finding.record, player=author, reason=without_blame(finding)),
        damaged_perhaps(),
        Message("Ask {player} to send the file again, as an attachment.", player=sender),
    )


def without_blame(finding: Finding) -> Said:
    """What fails in a file that may have been damaged, in a sentence."""
    if finding.rule == "signature":
        return Message("the signature does not fit.")
    return finding.sentence


def damaged_perhaps() -> Message:
    """That a file is not laid out as it should be, and what that may mean."""
    return Message(
        "The file is not laid out as acres writes it: it may have been damaged on the way."
    )


def same_version() -> Message:
    """What to do where the rules of a file are not those of this program."""
    return Message(
        "The program that wrote it may be of another version: compare what acres --version says "
        "on both sides."
    )


def author_of(match: Match, finding: Finding) -> Message:
    """Whoever the record of a finding is by, as far as the records before it tell."""
    from pbem.words.phrases import player

    side = _side(match, finding)
    if side is not None:
        return player(match, side)
    seated = Message.within("author", finding.author)
    if finding.record == 0:
        return Message("the inviter ({side})", side=seated)
    return Message("the guest ({side})", side=seated)


def with_key(author: Message, key: bytes | None) -> Message:
    """Whoever a record is by, and the key that signed it, where that is proved."""
    from pbem.words.phrases import fingerprint

    if key is None:
        return author
    # Translators: a player, and a key such as “key 0001 0203 0405 0607”.
    return Message("{player} with {key}", player=author, key=fingerprint(key))


def _side(match: Match, finding: Finding) -> Side | None:
    return next((side for side in match.entrants if side.value == finding.author), None)


def _name(match: Match, side: Side | None) -> Message:
    from pbem.cli import console

    if side is None or side not in match.entrants:
        # Translators: stands for a player's name: ask ... to send the file again.
        return Message("whoever sent it")
    return console.named(match.entrants[side].name)


# --- files that break off


def breaks_off(data: bytes) -> bool:
    """Whether it is a save file that goes well as far as it goes, but lacks its end."""
    from pbem.protocol.unreadable import lacks_its_end
    from pbem.savefile.document import parse, text_within_limits

    try:
        # It may break off in the middle of a character.
        text = text_within_limits(data, "a save file", errors="replace")
    except Unreadable:
        return False
    if not text.startswith(_BEGINNING.decode()):
        return False
    try:
        document = parse(text)
    except ValueError as error:
        last = text.rstrip("\n").count("\n") + 1
        return "at end of document" in str(error) or f"(at line {last}," in str(error)
    return lacks_its_end(document)
