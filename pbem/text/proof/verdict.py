"""What an audit found, line by line: what is proved and what not yet, or what fails."""

from __future__ import annotations

from collections.abc import Iterator

from engine.message import Made, Message, Run, Said, commas, labelled, mark, sentences
from engine.sides import Side
from pbem.errors import Finding
from pbem.errors.rule import Rule
from pbem.foreign import clean
from pbem.play.audit import AuditReport
from pbem.play.game_file import whose_move
from pbem.text.dates import instant
from pbem.text.games.invitation import how_often
from pbem.text.history.standing import ahead_told, silence_told
from pbem.text.lines import Line, Tone, item
from pbem.text.phrases import (
    capital,
    fingerprint,
    listed,
    names,
    orders_counted,
    player,
    records_counted,
)
from pbem.text.proof.finding import (
    author_of,
    damaged_perhaps,
    same_version,
    what_fails,
    with_key,
)
from pbem.text.rules.editions import game_line

_SIGNED = mark("record {number} (the file has 0 to {last}), signed by {player}")
_IN_THE_NAME = mark("record {number} (the file has 0 to {last}), in the name of {player}")


def audited(report: AuditReport, now: str, *, is_damaged: bool = False) -> Iterator[Line]:
    """Yield the verdict on a file; `now` is the time, and what fails may be damage or not."""
    match, finding = report.match, report.finding
    if match.records:
        yield Line(game_line(match), Tone.HEAD)
    for side in match.entrants:
        yield item(Run((player(match, side), ", ", fingerprint(match.entrants[side].key))))
    yield Line()
    if finding is not None:
        yield Line(Message("This file is not valid."), Tone.BAD)
        yield from _failing(report, finding, is_damaged=is_damaged)
    else:
        yield Line(Message("Everything in this file is proved."), Tone.GOOD)
    yield _counts(report)
    if finding is None and match.is_joined:
        yield from _recomputed(report)
    if finding is None:
        yield Line()
    if ahead := ahead_told(match, now):
        yield Line(ahead)
    if finding is None:
        yield Line(whose_move(match))
    if finding is None and match.is_joined:
        yield from map(Line, silence_told(match, now))


def _recomputed(report: AuditReport) -> Iterator[Line]:
    """What published game secrets proved, and what is left to be proved by a close."""
    match = report.match
    for side, done in report.closed.items():
        found = (
            Message.counted("{count} shuffle", "{count} shuffles", done.shuffles),
            Message.counted("{count} grant", "{count} grants", done.grants),
            Message.counted("{count} hand", "{count} hands", done.hands),
        )
        # Translators: {list} is such as “7 shuffles, 31 grants, 40 hands”.
        told = Message(
            "recomputed: {list} of {player}", list=commas(found), player=player(match, side)
        )
        yield item(told, Tone.FINE)
    often = how_often(match.invite.lists)
    unproved = [side for side in Side if side not in report.closed]
    if not unproved:
        yield Line(Message("Both sides have closed the game: nothing is left to be proved."))
    elif len(unproved) == 1:
        yield Line(
            Message(
                "Still unproved until {player} closes the game too: that they granted cards at "
                "random; and a deck of theirs with wrong cards would have passed a shuffle "
                "{often}.",
                player=player(match, unproved[0]),
                often=often,
            )
        )
    else:
        yield Line(
            Message(
                "Still unproved until the game is closed: that cards were granted at random; and a "
                "deck with wrong cards would have passed a shuffle {often}.",
                often=often,
            )
        )


def hands_told(report: AuditReport) -> Iterator[Line]:
    """The open hands, after each record that changed one."""
    match = report.match
    left = [player(match, side) for side in match.entrants if side not in match.secrets]
    if left:
        yield Line()
        yield Line(
            Message("The hands can be seen when the game is closed.")
            if len(left) == len(Side)
            else Message(
                "The hand of {player} can be seen when {player} closes the game too.",
                player=left[0],
            )
        )
    if not match.secrets:
        return
    yield Line()
    yield Line(Message("The hands after each record that changed one"), Tone.HEAD)
    name, before = names(match.state), dict[Side, list[str] | None]()
    for record, hands in zip(match.records, report.hands, strict=True):
        changed = {
            side: hand
            for side, hand in hands.items()
            if hand is not None and before.get(side) != hand
        }
        if changed:
            by = Run((player(match, Side(record.side)), ", ", instant(record.time)))
            yield item(labelled(str(record.index), by))
        for side, hand in changed.items():
            yield item(labelled(capital(side.label), listed(hand or (), name)), indent=4)
        before |= changed


def _failing(report: AuditReport, finding: Finding, *, is_damaged: bool) -> Iterator[Line]:
    """What fails, and what to do; the author is named only where the finding proves it."""
    player = author_of(report.match, finding)
    author = with_key(player, report.accused)
    whose = _SIGNED if finding.accuses else _IN_THE_NAME
    last = report.total_records - 1
    yield item(Message(whose, number=finding.record, last=last, player=author))
    yield item(Message("what fails: {rule}", rule=finding.rule.in_words))
    yield item(Made(clean, what_fails(finding, is_damaged=is_damaged)))
    if finding.shown_by is not None:
        yield item(
            Message(
                "shown by: record {number}, with which {player} closed the game",
                number=finding.shown_by,
                player=player,
            )
        )
        yield Line(
            Message(
                "All records before that one agree with the rules and with each other: what is "
                "wrong could not be seen until the game secret was published."
            )
        )
    elif finding.record:
        yield Line(Message("All records before it are valid."))
    yield Line(_what_to_do(finding, author, is_damaged=is_damaged))


def _what_to_do(finding: Finding, author: Said, *, is_damaged: bool) -> Message:
    if is_damaged:
        again = Message("Ask for it again, as an attachment.")
        return sentences(damaged_perhaps(), again)
    if finding.accuses:
        return Message("{player} wrote it that way: ask them for the right file.", player=author)
    if finding.rule is Rule.RULES_DATA:
        innocent = Message("This does not show that a player cheated.")
        return sentences(innocent, same_version())
    return Message(
        "This does not show that a player cheated: whoever passed the file on may have changed it. "
        "Ask both for the file they have."
    )


def _counts(report: AuditReport) -> Line:
    """How much was checked."""
    number = report.counts.get
    lists = number("open-lists", 0)
    found = (
        _records_checked(report),
        Message.counted("{count} shuffle", "{count} shuffles", number("shuffle", 0)),
        Message.counted("{count} opening of lists", "{count} openings of lists", lists),
        Message.counted("{count} grant of cards", "{count} grants of cards", number("grant", 0)),
        Message.counted("{count} shown card", "{count} shown cards", number("open", 0)),
        orders_counted(number("order", 0)),
    )
    # Translators: {list} is such as “42 records, 3 shuffles, 17 orders”.
    return item(Message("checked: {list}", list=commas(found)))


def _records_checked(report: AuditReport) -> Message:
    """How many records hold; which, where not all do. They are counted from 0."""
    checked = len(report.match.records)
    if not report.finding or not checked:
        return records_counted(checked)
    if checked == 1:
        return Message("1 record (number 0)")
    return Message.counted(
        "{count} record (0 to {last})", "{count} records (0 to {last})", checked, last=checked - 1
    )
