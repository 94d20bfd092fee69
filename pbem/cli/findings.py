"""Files that do not hold, in words: whose record it is, what is wrong with it, what to do about it.

docs/protocol.md, What is caught, and when.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pbem.cli.progress import CHECKING, progress
from pbem.errors import AcresError, NotProved, Unreadable

if TYPE_CHECKING:
    from engine.sides import Side
    from pbem.errors import Finding
    from pbem.match import Match

SAME_VERSION = (
    "The program that wrote it may be of another version: compare what acres --version says on "
    "both sides."
)
_BY_DAMAGE = ("signature", "chain")
"""The rules that a record breaks which was damaged on its way."""
_BEGINNING = b'format = "acres-save"'


class FileFails(AcresError):
    """A file does not prove what it claims; the message says whose record fails, and what to do."""

    exit_status = 1


@contextmanager
def explaining(
    data: bytes, own_key: bytes | None = None, where: Callable[[int], str] = lambda record: ""
) -> Iterator[None]:
    """Tell whoever has `own_key` in a player's words why the file of that content does not hold.

    `where` tells in a sentence where the damage to a record begins, if that is not plain.

    Turns NotProved into FileFails; Unreadable says of a file that breaks off that it does.
    """
    try:
        yield
    except NotProved as error:
        from pbem.audit import audit

        with progress(CHECKING) as course:
            match = audit(data, course.passing).match
        sentences = told(match, error.finding, own_key)
        if error.finding.rule in _BY_DAMAGE:
            sentences += where(error.finding.record)
        raise FileFails(sentences) from None
    except Unreadable:
        if breaks_off(data):
            raise Unreadable("This file is damaged: it breaks off. Ask for it again.") from None
        raise


def told(match: Match, finding: Finding, own_key: bytes | None = None) -> str:
    """What is wrong with a file and what to do, in one paragraph; `match` is as far as it holds."""
    from pbem.cli.words import player

    side = _side(match, finding)
    is_own = side is not None and match.entrants[side].key == own_key
    author = player(match, side) if side else author_of(match, finding)
    whose = f"in the name of {author}"
    if is_own:
        whose = "in your name"
    elif finding.accuses:
        whose = f"signed by {author}"
    record = f"Record {finding.record}, {whose},"
    sender = _name(match, side.opponent if side and is_own else side)
    again = f"ask {sender} to send the file again"
    if finding.rule == "signature":
        return f"{record} was changed after it was signed, or somebody else wrote it: {again}."
    wrong = f"{record} does not hold: {finding.sentence}"
    if finding.shown_by is not None:
        wrong += f" That came out with record {finding.shown_by}, which closes the game."
    if finding.rule == "rules data":
        return f"{wrong} {SAME_VERSION}"
    if finding.accuses and not is_own:
        return f"{wrong} Ask {sender} for the right file."
    return f"{wrong} {again[0].upper()}{again[1:]}."


def author_of(match: Match, finding: Finding) -> str:
    """Whoever the record of a finding is by, as far as the records before it tell."""
    from pbem.cli.words import player

    side = _side(match, finding)
    if side is not None:
        return player(match, side)
    return f"the {'inviter' if finding.record == 0 else 'guest'} ({finding.author})"


def _side(match: Match, finding: Finding) -> Side | None:
    return next((side for side in match.entrants if side.value == finding.author), None)


def _name(match: Match, side: Side | None) -> str:
    from pbem.cli import console

    if side is None or side not in match.entrants:
        return "whoever sent it"
    return console.named(match.entrants[side].name)


# --- files that break off


def breaks_off(data: bytes) -> bool:
    """Whether it is a save file that goes well as far as it goes, but lacks its end."""
    from pbem.document import parse, text_within_limits

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
    return _lacks_its_end(document)


def _lacks_its_end(document: dict[str, Any]) -> bool:
    """Whether what a record or a box has to hold is missing from the last one in a document."""
    sealed, records = document.get("sealed"), document.get("record")
    if isinstance(sealed, dict):
        boxes = list(sealed.values())
        return bool(boxes) and isinstance(boxes[-1], dict) and not boxes[-1].get("box")
    if not isinstance(records, list) or not records:
        return True
    *earlier, last = records
    return all(map(_is_record, earlier)) and not _is_record(last)


def _is_record(plain: Any) -> bool:
    from pbem.record import Record

    try:
        Record.from_plain(plain)
    except ValueError:
        return False
    return True
