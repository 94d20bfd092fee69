"""Proofs of files, forks and questions before a signature, without a command line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from pbem.errors import VerificationError
from pbem.play.audit import AuditReport, TwoFiles, audit
from pbem.play.game_file import GameFile
from pbem.play.signing import (
    Closed,
    Conflict,
    ConflictKind,
    NoStore,
    NotRemembered,
    OpensTwice,
    PriorConsent,
    Question,
    SignedBefore,
)
from pbem.protocol.fork import Relation
from pbem.protocol.match import Match
from pbem.savefile.save_file import SaveFile
from pbem.text.language import Language, Line, Tone
from pbem.text.proof.finding import explain_failure
from pbem.text.proof.signature import Wording, robot_wording
from pbem.text.proof.verdict import (
    audit_facts,
    audit_text,
    comparison_text,
    evidence_text,
    two_files_facts,
)
from tests.cli.commands import ROOT
from tests.play.matches import TIME, answer, any_order, begin

SAVED = ROOT / "saves" / "practice" / "game-041.toml"


BUTTONS = {consent: f"[{consent.name}]" for consent in PriorConsent}


def output(lines: Iterable[Line], code: str = "en") -> list[str]:
    return [Language(code).say(line.text) for line in lines]


def report_of(match: Match) -> AuditReport:
    return audit(SaveFile(tuple(match.records)).write())


@pytest.mark.parametrize(
    ("file", "verdict", "french"),
    [
        ("041", "Everything that this file shows so far is proved.", "montre jusqu’ici est prouvé"),
        ("130", "Everything in this file is proved.", "Tout ce que contient ce fichier est prouvé"),
    ],
)
def test_audit_claims_what_is_proved_in_each_language(file: str, verdict: str, french: str) -> None:
    """Hidden hands are proved only when both sides have closed the game."""
    report = audit(SAVED.with_name(f"game-{file}.toml").read_bytes())
    lines = list(audit_text(report, TIME))
    proved = [line.text for line in lines if line.tone is Tone.GOOD]
    assert output(map(Line, proved)) == [verdict]
    assert french in "".join(output(lines, "fr"))
    assert audit_facts(report)["clean"]


def test_changed_file_is_explained_to_its_reader() -> None:
    """The sentence suggests another sender of the record, and is translated."""
    *_, last = SaveFile.read(SAVED.read_bytes()).records
    data = SAVED.read_bytes().replace(last.time.encode(), b"2030-01-01T00:00:00Z")
    with pytest.raises(VerificationError) as refused:
        GameFile.read(data)
    error = explain_failure(refused.value, data)
    assert error.exit_status == 1
    assert "was changed after it was signed, or somebody else wrote it" in str(error)
    assert Language("fr").say(error.message) != str(error)


def test_comparing_two_files_reports_the_fork() -> None:
    before = begin()
    one = answer(before, any_order(Random(0)))
    others = (answer(before, any_order(Random(seed))) for seed in range(1, 50))
    other = next(match for match in others if match.last.hash != one.last.hash)
    two = TwoFiles((report_of(one), report_of(other)))
    assert two.is_clean
    assert two.evidence is not None
    lines = output(comparison_text(two, ("this", "that")))
    assert lines[1].startswith("A fork: ")
    assert {"  this:", "  that:"} < set(lines)
    assert two_files_facts(two, [[], []], None)["relation"] is Relation.FORK
    assert "The fork is proved." in output(evidence_text(two.evidence, ""))


def test_questions_use_the_names_of_the_front_end() -> None:
    words = Wording("acres --home anna", BUTTONS)
    risk, question, _ = words.prompt(NotRemembered(is_invitation=False))
    assert "acres --home anna games add FOLDER" in str(risk)
    page_hint, *_ = words._replace(is_on_page=True).prompt(NotRemembered(is_invitation=False))
    assert "“Your games”" in str(page_hint) and "acres" not in str(page_hint)
    assert str(question) == "Is this the newest file of the game?"
    assert Language("ru").say(question) != str(question)


def every_question() -> list[Question]:
    """Return a question of each kind except those about an opponent's key."""
    records = GameFile.read(SAVED.read_bytes()).match.records
    time, path = "2026-11-22T10:00:00Z", Path("game.toml")
    earlier = (Conflict(standing, record, ()) for standing in ConflictKind for record in records)
    return [
        *(NoStore(path, "it is locked", may_pass=may_pass) for may_pass in (False, True)),
        *(SignedBefore(conflict, time, path, is_written=False) for conflict in earlier),
        *(NotRemembered(is_invitation=is_invitation) for is_invitation in (False, True)),
        NotRemembered(is_invitation=False, is_opening=True),
        Closed(records[-1]),
        OpensTwice(records[-1]),
    ]


@pytest.mark.parametrize("is_unattended", [False, True])
def test_refusals_name_the_buttons_of_the_front_end(is_unattended: bool) -> None:
    records = GameFile.read(SAVED.read_bytes()).match.records
    words = Wording("acres", BUTTONS, records, is_unattended=is_unattended)
    phrase = " ".join(str(words.refusal(question)) for question in every_question())
    assert "--" not in phrase
    assert {name for name in BUTTONS.values() if name in phrase} == set(BUTTONS.values())


def test_owner_of_a_robot_gets_every_question_without_a_file() -> None:
    words = robot_wording("acres", Path("robot"), Path("letters"))
    assert all(str(words.refusal(question)) for question in every_question())
