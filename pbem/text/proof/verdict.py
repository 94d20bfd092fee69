"""Results of audits, as facts and in lines: of one file, of two, and of evidence of a fork.

docs/json.md describes the keys of the facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.message import (
    NOTHING,
    Concat,
    Message,
    Phrase,
    Rewording,
    comma_list,
    mark,
    sentences,
    with_colon,
    with_label,
)
from engine.position import score
from engine.sides import Side
from pbem.errors import Finding, InputError
from pbem.errors.rule import Rule
from pbem.foreign import clean
from pbem.play.audit import AuditReport, TwoFiles
from pbem.play.game_file import whose_move
from pbem.protocol.fork import Evidence, NoForkError, Relation
from pbem.protocol.match import Match
from pbem.protocol.record import Record, author_key
from pbem.protocol.state_of_play import pending_record, sides_to_close
from pbem.protocol.steps import OrderStep
from pbem.text.facts.json_data import Facts
from pbem.text.games import frequency_text
from pbem.text.history.standing import future_date_warning, silence_text
from pbem.text.language import Line, Tone, item
from pbem.text.phrases import (
    Name,
    capitalize,
    card_list,
    fingerprint,
    instant,
    names,
    order_count,
    player,
    record_count,
    row_text,
)
from pbem.text.proof.finding import author_name, damage_hint, fault_text, signer_name, version_hint
from pbem.text.proof.signature import default_names, game_names, record_summary
from pbem.text.rules.editions import game_line

# --- one file as facts


def audit_facts(
    report: AuditReport, repairs: Sequence[str] = (), *, include_hands: bool = False
) -> Facts:
    """Return the results of an audit, and the `repairs` without which the file was unreadable."""
    match = report.match
    has_begun, is_joined = bool(match.records), match.is_joined
    outcome = match.state.outcome if is_joined else None
    return {
        "clean": report.is_clean,
        "game": match.id if has_begun else None,
        "edition": match.invite.edition if has_begun else None,
        "house_rules": match.invite.house_rules if has_begun else (),
        "players": {
            side: {"name": who.name, "key": who.key} for side, who in match.entrants.items()
        },
        "records": report.total_records,
        "records_verified": len(match.records),
        "steps_verified": report.counts,
        "turn": match.turn,
        "points": {side: score(match.state, side).total for side in Side} if is_joined else {},
        "winner": outcome.winner if outcome else None,
        "reason": outcome.reason if outcome else None,
        "next": whose_move(match) if has_begun else None,
        "waiting": pending_record(match) if has_begun else None,
        "closed": report.closed,
        "unclosed": sides_to_close(match),
        "finding": _finding_facts(report),
        **({"hands": _hands(report)} if include_hands else {}),
        "mended": repairs,
    }


def _finding_facts(report: AuditReport) -> Facts | None:
    finding = report.finding
    if finding is None:
        return None
    return finding._asdict() | {
        "rule": finding.rule.topic,
        "number": finding.rule.number,
        "accuses": finding.accuses,
        "key": report.accused,
    }


def _hands(report: AuditReport) -> list[dict[Side, Facts]]:
    """Return the known cards of each hand after each record, and the number of unknown ones."""
    return [
        {
            side: {"cards": held[side].known_cards, "face_down": len(held[side].hidden_slots)}
            if hand is None
            else {"cards": hand, "face_down": 0}
            for side, hand in hands.items()
        }
        for hands, held in zip(report.hands, report.public_hands, strict=True)
    ]


def unreadable_facts(error: InputError) -> Facts:
    """Return the reason why a file cannot be read."""
    number = error.rule.number if error.rule else None
    return {"clean": False, "finding": None, "unreadable": error.message, "number": number}


# --- one file in words


_SIGNED_TEMPLATE = mark("record {number} (the file has 0 to {last}), signed by {player}")
_UNSIGNED_TEMPLATE = mark("record {number} (the file has 0 to {last}), in the name of {player}")


def audit_text(report: AuditReport, now: str, *, is_damaged: bool = False) -> Iterator[Line]:
    """Yield the verdict on a file at the time `now`; `is_damaged`: it may have been damaged."""
    match, finding = report.match, report.finding
    if match.records:
        yield Line(game_line(match), Tone.HEAD)
    for side in match.entrants:
        yield item(Concat((player(match, side), ", ", fingerprint(match.entrants[side].key))))
    yield Line()
    if finding is not None:
        yield Line(Message("This file is not valid."), Tone.BAD)
        yield from _fault_lines(report, finding, is_damaged=is_damaged)
        yield _checked_counts(report)
    else:
        proved = mark("Everything in this file is proved.")
        if len(report.closed) < len(Side):
            proved = mark("Everything that this file shows so far is proved.")
        yield Line(Message(proved), Tone.GOOD)
        yield _checked_counts(report)
        if match.is_joined:
            yield from _proved_draws(report)
        yield Line()
    if ahead := future_date_warning(match, now):
        yield Line(ahead)
    if finding is None:
        yield Line(whose_move(match))
        yield from map(Line, silence_text(match, now))


def _proved_draws(report: AuditReport) -> Iterator[Line]:
    """Yield the draws proved by published game secrets, and draws that are not proved yet."""
    match = report.match
    for side, close in report.closed.items():
        numbers = (
            Message.counted("{count} shuffle", "{count} shuffles", close.shuffles),
            Message.counted("{count} grant", "{count} grants", close.grants),
            Message.counted("{count} hand", "{count} hands", close.hands),
        )
        # Translators: {list} is, for example, “7 shuffles, 31 grants, 40 hands”.
        text = Message(
            "recomputed: {list} of {player}", list=comma_list(numbers), player=player(match, side)
        )
        yield item(text, Tone.FINE)
    unproved = [player(match, side) for side in Side if side not in report.closed]
    frequency = frequency_text(match.invite.lists)
    first = unproved[0] if unproved else NOTHING
    yield Line(row_text("unproved", str(len(unproved)), player=first, often=frequency))


def hands_text(report: AuditReport) -> Iterator[Line]:
    """Yield the open hands after each record that changed one."""
    match = report.match
    closed_hands = [player(match, side) for side in match.entrants if side not in match.secrets]
    if closed_hands:
        template = mark("The hand of {player} can be seen when {player} closes the game too.")
        if len(closed_hands) == len(Side):
            template = mark("The hands can be seen when the game is closed.")
        yield Line()
        yield Line(Message(template, player=closed_hands[0]))
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
            author = Concat((player(match, Side(record.side)), ", ", instant(record.time)))
            yield item(with_label(str(record.index), author))
        for side, hand in changed.items():
            yield item(with_label(capitalize(side.label), card_list(hand or (), name)), indent=4)
        before |= changed


def _fault_lines(report: AuditReport, finding: Finding, *, is_damaged: bool) -> Iterator[Line]:
    """Yield the fault and the remedy; the author is named only if the finding proves it."""
    player = author_name(report.match, finding)
    author = signer_name(player, report.accused)
    template = _SIGNED_TEMPLATE if finding.accuses else _UNSIGNED_TEMPLATE
    last = report.total_records - 1
    yield item(Message(template, number=finding.record, last=last, player=author))
    yield item(Message("what fails: {rule}", rule=finding.rule.in_words))
    yield item(Rewording(clean, fault_text(finding, is_damaged=is_damaged)))
    if finding.shown_by is not None:
        template = mark("shown by: record {number}, with which {player} closed the game")
        yield item(Message(template, number=finding.shown_by, player=player))
        hidden = Message(
            "All records before that one agree with the rules and with each other: what is "
            "wrong could not be seen until the game secret was published."
        )
        yield Line(hidden)
    elif finding.record:
        yield Line(Message("All records before it are valid."))
    yield Line(_advice(finding, author, is_damaged=is_damaged))


def _advice(finding: Finding, author: Phrase, *, is_damaged: bool) -> Message:
    if is_damaged:
        again = Message("Ask for it again, as an attachment.")
        return sentences(damage_hint(), again)
    if finding.accuses:
        return Message("{player} wrote it that way: ask them for the right file.", player=author)
    if finding.rule is Rule.RULES_DATA:
        innocent = Message("This does not show that a player cheated.")
        return sentences(innocent, version_hint())
    return Message(
        "This does not show that a player cheated: whoever passed the file on may have changed it. "
        "Ask both for the file they have."
    )


def _checked_counts(report: AuditReport) -> Line:
    """Return the numbers of checked things."""
    number = report.counts.get
    lists = number("open-lists", 0)
    numbers = (
        _records_checked(report),
        Message.counted("{count} shuffle", "{count} shuffles", number("shuffle", 0)),
        Message.counted("{count} opening of lists", "{count} openings of lists", lists),
        Message.counted("{count} grant of cards", "{count} grants of cards", number("grant", 0)),
        Message.counted("{count} shown card", "{count} shown cards", number("open", 0)),
        order_count(number("order", 0)),
    )
    # Translators: {list} is, for example, “42 records, 3 shuffles, 17 orders”.
    return item(Message("checked: {list}", list=comma_list(numbers)))


def _records_checked(report: AuditReport) -> Message:
    """Return the number of valid records, with their numbers if not all are."""
    checked = len(report.match.records)
    if not report.finding or not checked:
        return record_count(checked)
    if checked == 1:
        return Message("1 record (number 0)")
    return Message.counted(
        "{count} record (0 to {last})", "{count} records (0 to {last})", checked, last=checked - 1
    )


# --- a fork, and two files as facts


def evidence_facts(evidence: Evidence, error: NoForkError | None, repairs: Sequence[str]) -> Facts:
    """Return the result of checking evidence of a fork; `error` is None if it is proved."""
    return {
        "proved": error is None,
        "reason": error.message if error else "",
        "number": error.rule.number if error else None,
        **_fork_facts(evidence),
        "mended": repairs,
    }


def two_files_facts(files: TwoFiles, repairs: Sequence[Sequence[str]], path: Path | None) -> Facts:
    """Return the relation of two files; the evidence of a fork was written to `path`."""
    comparison, evidence, fork = files.comparison, files.evidence, None
    if evidence is not None:
        players = files.reports[0].match.entrants.values()
        name = next(who.name for who in players if who.key == evidence.key)
        fork = {**_fork_facts(evidence), "name": name, "evidence": path}
    return {
        "clean": files.is_clean and fork is None,
        "relation": comparison.relation if comparison else None,
        "common_records": comparison.common if comparison else 0,
        "fork": fork,
        "files": [audit_facts(*pair) for pair in zip(files.reports, repairs, strict=True)],
    }


def _fork_facts(evidence: Evidence) -> Facts:
    """Return the two records that one key signed after the same record."""
    records = [
        {
            "hash": record.hash,
            "previous": record.previous,
            "side": record.side,
            "time": record.time,
            "orders": [step.order for step in record.steps if isinstance(step, OrderStep)],
        }
        for record in evidence.records
    ]
    return {"key": evidence.key, "index": evidence.index, "records": records}


# --- a fork, and two files in words


def evidence_text(evidence: Evidence, reason: Phrase) -> Iterator[Line]:
    """Yield the fork that evidence proves, or the `reason` why it proves none."""
    if reason:
        yield Line(Message("This evidence is not valid."), Tone.BAD)
        yield item(reason)
        return
    twice = mark(
        "The holder of {key} signed two different records with index {number}, after the same "
        "record."
    )
    key = fingerprint(evidence.key)
    yield Line(Message(twice, key=key, number=evidence.index), Tone.HEAD)
    for record in evidence.records:
        # Invitations, which may leave the side open, are never evidence.
        who = Message.within("subject", "the {side}", side=Side(record.side).label)
        yield from _record(record, who, default_names)
    yield Line()
    yield Line(Message("The fork is proved."), Tone.GOOD)
    yield Line(_FORK_MEANING)
    yield Line(Message("The audit of any file of that game says whose key that is."))


def comparison_text(files: TwoFiles, labels: tuple[Phrase, Phrase]) -> Iterator[Line]:
    """Yield the relation of two files of one game, which are called `labels`."""
    match, comparison = files.reports[0].match, files.comparison
    assert comparison is not None
    yield Line(game_line(match), Tone.HEAD)
    numbers = [len(report.match.records) for report in files.reports]
    if comparison.relation is Relation.SAME:
        same = Message.counted(
            "Both files hold the same {count} record, proved: there is no fork.",
            "Both files hold the same {count} records, proved: there is no fork.",
            comparison.common,
        )
        yield Line(same)
    elif comparison.relation is Relation.CONTINUED:
        longer = Message.counted(
            "{count} record at the beginning of both files is the same, and {file} goes on "
            "with {records}. All are proved: there is no fork.",
            "{count} records at the beginning of both files are the same, and {file} goes on "
            "with {records}. All are proved: there is no fork.",
            comparison.common,
            file=labels[numbers.index(max(numbers))],
            records=record_count(max(numbers) - comparison.common),
        )
        yield Line(longer)
    elif comparison.relation is Relation.TWO_GUESTS:
        yield from _two_guests(files, labels)
    elif comparison.evidence is not None:
        yield from _fork(match, comparison.evidence, labels)


def _two_guests(files: TwoFiles, labels: tuple[Phrase, Phrase]) -> Iterator[Line]:
    matches = [report.match for report in files.reports]
    text = Message("Two players accepted this invitation. That is no fork: neither signed twice.")
    yield Line(text)
    for label, match in zip(labels, matches, strict=True):
        key = author_key(match.records[1], match.records)
        yield item(with_label(label, Concat((_player(match, key), ", ", fingerprint(key)))))
    first = mark(
        "An invitation is good for one guest: the acceptance that was answered first counts."
    )
    yield Line(Message(first))
    if all(len(match.records) > 2 for match in matches):
        yield Line(Message("The inviter answered both, and should have answered only one."))


def _fork(match: Match, evidence: Evidence, labels: tuple[Phrase, Phrase]) -> Iterator[Line]:
    who, name = _player(match, evidence.key), game_names(match.records)
    twice = mark("A fork: {player}, {key}, signed two different records with index {number}.")
    key = fingerprint(evidence.key)
    yield Line(Message(twice, player=who, key=key, number=evidence.index), Tone.BAD)
    for label, record in zip(labels, evidence.records, strict=True):
        yield Line(Concat(("  ", with_colon(label))), is_whole=True)
        yield from _record(record, who, name)
    yield Line(_FORK_MEANING)


_FORK_MEANING = Message(
    "So that player moved twice from the same position. Nobody else could have signed "
    "either record, and anyone who has both can check it."
)
"""The consequences of a fork."""


def _record(record: Record, who: Phrase, name: Name) -> Iterator[Line]:
    digits, time = record.hash.hex()[:16], instant(record.time)
    yield item(Message("{digits}: {player}, signed {time}", digits=digits, player=who, time=time))
    yield item(Rewording(clean, record_summary(record, name)), indent=4)


def _player(match: Match, key: bytes) -> Message:
    """Return the name and side of the player with the key `key`."""
    return next(player(match, side) for side, who in match.entrants.items() if who.key == key)
