"""A finding names a record and its author; it accuses only players who are proved to cheat."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from engine.sides import Side
from pbem.errors import VerificationError
from pbem.play.audit import audit
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import OrderStep
from pbem.savefile.save_file import SaveFile
from pbem.text.facts.json_data import to_json_data
from pbem.text.proof.verdict import audit_facts
from tests.attacks.cheats import add_record, check_refused, replace_last
from tests.play.matches import any_order, begin, close, play, resign


def finding_of(records: list[Record]) -> tuple[int, str, bool]:
    with pytest.raises(VerificationError) as caught:
        Match.replay(records)
    finding = caught.value.finding
    return finding.record, finding.rule.topic, finding.accuses


def test_damaged_signature_accuses_nobody() -> None:
    """Anybody who passes a file on can change a byte of a signature."""
    match = play(begin(), any_order(Random(1)), turns=5)
    damaged = match.records[4]._replace(signature=bytes(64))
    records = [*match.records[:4], damaged, *match.records[5:]]
    assert finding_of(records) == (4, "signature", False)


def test_illegal_order_accuses_its_author() -> None:
    match = play(begin(), any_order(Random(1)), turns=5)
    steps = (*match.last.steps, OrderStep("pass"))
    index, _, accuses = finding_of(replace_last(match, match.last._replace(steps=steps)))
    assert index == match.last.index
    assert accuses


def test_audit_names_the_author_without_accusing() -> None:
    match = play(begin(), any_order(Random(1)), turns=5)
    damaged = match.last._replace(signature=bytes(64))
    data = SaveFile((*match.records[:-1], damaged)).write()
    verdict = to_json_data(audit_facts(audit(data)))["finding"]
    assert verdict["author"] == match.last.side
    assert not verdict["accuses"]
    with pytest.raises(VerificationError, match=f"in the name of {match.last.side}"):
        Match.replay([*match.records[:-1], damaged])


# --- records forged on the way


def forge_on_the_way() -> Iterator[tuple[list[Record], str]]:
    """Yield records whose last one is not signed by its author, and the broken rule."""
    match = play(begin(), any_order(Random(1)), turns=3)
    flipped = match.last._replace(side=Side(match.last.side).opponent.value)
    yield [*match.records[:-1], flipped], "signature"
    for before, side in product((match, close(resign(match))), Side):
        changes = {"index": before.last.index + 1, "previous": before.last.hash}
        junk = before.last._replace(**changes, side=side.value, signature=bytes(64))
        yield [*before.records, junk], "signature"
    invitation, acceptance = begin().records
    for name in ("any", "french"):
        yield [invitation._replace(side=name)], "signature"
    yield [invitation, acceptance._replace(steps=acceptance.steps[1:])], "chain"
    yield [invitation._replace(steps=invitation.steps[1:])], "chain"


def test_record_changed_or_added_on_the_way_accuses_nobody() -> None:
    """Neither the author of the true record nor the player in whose name it is now is accused."""
    for records, rule in forge_on_the_way():
        assert finding_of(records) == (records[-1].index, rule, False)
        verdict = to_json_data(audit_facts(audit(SaveFile(tuple(records)).write())))["finding"]
        assert verdict["rule"] == rule
        assert not verdict["accuses"]


# --- records signed in the opponent's name


def test_signer_in_the_name_of_the_other_side_is_accused() -> None:
    match = begin()
    for records in (
        replace_last(match, match.last._replace(side="british")),
        add_record(match, [OrderStep("pass")], side=Side.FRENCH),
    ):
        author = Side(records[-1].side).opponent.value
        assert check_refused(records, "side", "plays the other side", author=author).accuses
