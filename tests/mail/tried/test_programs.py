"""The file that comes out of a mail program is the one that went in, as was noted and is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mail.tried.bench import FILE
from tests.mail.tried.outcomes import Came, Step, noted, table
from tests.mail.tried.trials import TRIALS, Trial
from tests.present import leave_out

DOCUMENT = Path(__file__).parents[3] / "docs" / "mail.md"
_NOT_TRIED = (Came.NOT_TRIED, Came.NO_SUCH_STEP)


@pytest.mark.long
@pytest.mark.parametrize(
    ("trial", "step"),
    [
        pytest.param(trial, step, id=f"{trial.program}, {step.value}")
        for trial in TRIALS
        for step in Step
        if trial.has(step)
    ],
)
def test_it_does_what_was_noted(trial: Trial, step: Step) -> None:
    """Of another version too: where it does not, the table is to be made again."""
    if trial.missing:
        leave_out(trial.missing, trial.packages)
    before = {(each.program, each.step): each.came for each in noted()}
    assert trial.outcome(step).came is before[trial.program, step]


def test_the_document_has_the_table_that_was_noted() -> None:
    assert table(noted()) in DOCUMENT.read_text(encoding="utf-8")


def test_each_step_that_can_be_tried_was() -> None:
    tried = {(each.program, each.step) for each in noted() if each.came not in _NOT_TRIED}
    assert tried == {(trial.program, step) for trial in TRIALS for step in Step if trial.has(step)}
    assert all(each.version for each in noted())


@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.program)
def test_a_letter_of_each_program_is_kept(trial: Trial) -> None:
    """tests/mail/test_corpus.py reads them, where the program itself is not at hand."""
    name = trial.program.split()[0].lower()
    assert list(FILE.parent.glob(f"{name}-*.eml"))


def test_no_program_makes_another_file_of_it() -> None:
    assert Came.OTHER not in {each.came for each in noted()}
