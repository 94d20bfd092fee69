"""Files that break one rule: both implementations refuse each, and name the rule.

docs/protocol.md, docs/save-format.md and `pbem.errors.rule` number the rules.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from engine.actions import ACTIONS
from engine.orders import ORDERS
from engine.state import Decision
from pbem.errors import Finding, InputError
from pbem.errors.rule import Rule
from pbem.play.audit import audit
from pbem.protocol.fork import NoForkError
from pbem.protocol.state_of_play import FRENCH_ORDERS
from pbem.savefile.document import WrongFormatError
from pbem.savefile.save_file import FORMAT, EvidenceFile
from pbem.text.facts.json_data import to_json_data
from pbem.text.proof.verdict import audit_facts, evidence_facts, unreadable_facts
from tests.vectors import naive_chain, naive_form, naive_tables, refusals
from tests.vectors.games import HERE
from tests.vectors.naive_deck import RuleError
from tests.vectors.refusals import Vector, small

DOCS = HERE.parents[1] / "docs"


@cache
def large() -> Sequence[Vector]:
    return [*refusals.large()]


def is_evidence(vector: Vector) -> bool:
    return b'format = "acres-fork"' in vector.data and vector.rule != "R-1.7"


@cache
def program_verdict(vector: Vector) -> tuple[str, Finding | None]:
    """Return the number of the broken rule according to the program, and the finding."""
    try:
        if is_evidence(vector):
            EvidenceFile.read(vector.data).evidence.check()
            return "accepted", None
        finding = audit(vector.data).finding
        return (finding.rule.number if finding else "accepted"), finding
    except (InputError, NoForkError) as error:
        assert error.rule
        return error.rule.number, None


def naive_verdict(vector: Vector) -> str:
    try:
        if is_evidence(vector):
            naive_form.check_fork(vector.data)
        else:
            naive_chain.verify(vector.data)
    except RuleError as error:
        return str(error)
    return "accepted"


def rules_of(name: str) -> dict[str, str]:
    """Return the rules of a document, with their sentences."""
    text = (DOCS / name).read_text(encoding="utf-8")
    pairs = re.findall(r"^- \*\*(R-\d+\.\d+)\*\* (.+(?:\n  .+)*)$", text, re.M)
    assert len(pairs) == len(dict(pairs)), "a number is given twice"
    return dict(pairs)


# --- the rules


def test_rule_numbers_match_the_documents() -> None:
    stated = rules_of("save-format.md") | rules_of("protocol.md")
    assert {rule.number for rule in Rule} == stated.keys()


def test_every_rule_has_a_file_that_breaks_it() -> None:
    broken = {vector.rule for vector in (*small(), *large())}
    needs = {vector.rule for vector in refusals.with_rules()}
    assert broken == {rule.number for rule in Rule if not rule.needs_rules}
    assert needs >= {rule.number for rule in Rule if rule.needs_rules}


def test_every_rule_beyond_the_naive_reader_has_a_file() -> None:
    """The document lists the rules that the second implementation cannot check."""
    text = (DOCS / "protocol.md").read_text(encoding="utf-8")
    stated = text.partition("\n## Checking a game without its rules\n")[2].partition(
        "\n\nIt keeps"
    )[0]
    rules = re.findall(r"R-\d+\.\d+", stated.partition("among others,")[2])
    assert len(rules) > 8
    assert {*rules} == {
        one.rule for one in refusals.with_rules() if not one.rule.startswith("R-12")
    }


def test_table_of_verbs_has_every_kind_of_order() -> None:
    """All implementations agree on the verbs, and on those of follow-ups."""
    missing = {*naive_tables.VERBS} ^ {*ORDERS}
    assert not missing, f"verbs that only the documents or the engine have: {missing}"
    following = {v for v in ORDERS if Decision.TURN in ACTIONS[ORDERS[v]].decisions}
    assert {*naive_tables.FOLLOWING} == following
    after_another = {v for v, when in naive_tables.WHEN.items() if when.startswith("after")}
    assert after_another == {"lose"}
    assert {kind.verb for kind in FRENCH_ORDERS} == set(naive_tables.FRENCH)


# --- the files


def test_files_are_many_and_small() -> None:
    assert len(small()) >= 150
    assert max(len(vector.data) for vector in small()) < 20000


def test_both_readers_refuse_every_file_by_its_rule() -> None:
    wrong = [
        (vector.name, program_verdict(vector)[0], naive_verdict(vector))
        for vector in (*small(), *large())
        if not program_verdict(vector)[0] == naive_verdict(vector) == vector.rule
    ]
    assert not wrong


def test_finding_names_the_record() -> None:
    """The finding names the record that reveals the breach; R-3.1 is about the index itself."""
    for vector in small():
        _, finding = program_verdict(vector)
        if finding and vector.rule != "R-3.1":
            shown_by = finding.record if finding.shown_by is None else finding.shown_by
            assert shown_by == vector.record, vector.name


@pytest.mark.slow
def test_naive_reader_accepts_breaches_of_game_rules() -> None:
    for vector in refusals.with_rules():
        assert (program_verdict(vector)[0], naive_verdict(vector)) == (vector.rule, "accepted"), (
            vector.name
        )


def test_breach_of_a_game_rule_is_found_first() -> None:
    for vector in refusals.without_rules():
        number, finding = program_verdict(vector)
        assert finding
        assert (naive_verdict(vector), number[:5]) == (vector.rule, "R-12."), vector.name
        assert vector.record
        assert finding.record < vector.record


@pytest.mark.slow
def test_json_names_the_rule_number() -> None:
    """`acres audit --json` prints the rule number for every refused file."""
    for vector in [vector for vector in small() if not is_evidence(vector)]:
        try:
            number = to_json_data(audit_facts(audit(vector.data)))["finding"]["number"]
        except InputError as error:
            number = unreadable_facts(error)["number"]
        assert number == vector.rule
    forks = {rule.number for rule in Rule if rule.name.startswith("FORK_")} - {"R-11.1"}
    for vector in [vector for vector in small() if vector.rule in forks]:
        evidence = EvidenceFile.read(vector.data).evidence
        with pytest.raises(NoForkError) as nothing:
            evidence.check()
        assert evidence_facts(evidence, nothing.value, ())["number"] == vector.rule


def test_signer_is_accused_unless_others_may_be_at_fault() -> None:
    """Broken links, broken signatures and unknown rules data accuse nobody."""
    for vector in (*small(), *refusals.with_rules()):
        _, finding = program_verdict(vector)
        if finding:
            number = int(vector.rule.partition(".")[2])
            innocent = vector.rule == "R-12.1" or (vector.rule.startswith("R-3.") and number < 6)
            assert finding.accuses is not innocent, vector.name


@pytest.mark.slow
@pytest.mark.parametrize("name", refusals.honest_files())
def test_both_readers_accept_an_honest_file(name: str) -> None:
    data = refusals.honest_files()[name]
    report = audit(data)
    assert report.is_clean, report.finding
    assert naive_chain.verify(data)


def test_every_file_is_in_its_index() -> None:
    paths = {
        path.relative_to(refusals.REFUSED).as_posix() for path in refusals.REFUSED.rglob("*.*")
    }
    indexed_names = {
        f"{vector.folder}/{vector.name}".lstrip("/") for vector in refusals.read_index()
    }
    assert paths == indexed_names | {"index.json", "README.md"}
    names = {path.name for path in refusals.ACCEPTED.iterdir()}
    assert names == refusals.honest_files().keys() | {"index.json"}
    assert (len(indexed_names), len(names)) >= (469, 28)


def test_archive_has_all_files(tmp_path: Path) -> None:
    refusals.archive(tmp_path / "vectors.zip")
    with zipfile.ZipFile(tmp_path / "vectors.zip") as zipped:
        names = set(zipped.namelist())
        rows = json.loads(zipped.read("refused/index.json"))
        assert {f"refused/{row['file']}" for row in rows} <= names
        assert {"README.md", "docs/protocol.md", "vectors/game.toml"} <= names
        assert {f"accepted/{name}" for name in refusals.honest_files()} <= names
        assert len([name for name in names if name.startswith("refused/large/")]) == len(large())


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_other_file_kinds_are_not_evidence(end: bytes) -> None:
    data = next(vector.data for vector in small() if vector.breach == "the format of evidence")
    with pytest.raises(WrongFormatError) as other:
        audit(data + end)
    assert other.value.format == FORMAT
