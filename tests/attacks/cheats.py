"""Cheating clients: this program with a replaced part, which plays on and signs with its own key.

There are two ways to cheat. `forge` changes a record of an honest program before it is signed.
`duel` lets a program with a cheating part play against an honest one, which has to find the cheat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from random import Random
from typing import TypeVar
from unittest.mock import patch

import pytest

from engine.actions.action import IllegalOrderError
from engine.chance import ImpossibleChanceError
from engine.events import Event
from engine.order import UnreadableOrderError
from engine.sides import Side
from pbem.errors import DeckError, Finding, StepError, VerificationError
from pbem.play.invitation import Invitation
from pbem.play.turn import Draft
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import Step
from tests.play.matches import TIME, Chooser, any_order, identities, seat_to_write, sign_as
from tests.seats import NextRecord
from tests.signing import accept, end, invite, make_record

Steps = Sequence[Step]
S = TypeVar("S", bound=Step)
Program = Mapping[str, object]
"""The cheating parts of a program, by the name that each replaces."""

HONEST: Program = {}


# --- records changed before signing


def forge(match: Match, change: Callable[[list[Step]], Steps], seed: int = 0) -> list[Record]:
    """Return the records of a match whose last author changed its steps and signed them again."""
    last = match.last
    return replace_last(match, last._replace(steps=tuple(change(list(last.steps)))), seed)


def replace_last(match: Match, record: Record, seed: int = 0) -> list[Record]:
    """Return the records of a match with the last replaced by `record`, signed again."""
    return [*match.records[:-1], sign_as(identities(seed)[match.last.index % 2], record)]


def add_record(
    match: Match, record_steps: Steps, *, side: Side | None = None, seed: int = 0
) -> list[Record]:
    """Return the records of a match and another with these steps, by the next author.

    With `side` the record is in the name of that side, although the author does not change.
    """
    index = len(match.records)
    record = make_record(
        identities(seed)[index % 2],
        index=index,
        side=(side or Side(match.last.side).opponent).value,
        previous=match.last.hash,
        time=TIME,
        steps=record_steps,
    )
    return [*match.records, record]


def find_step(kind: type[S], record_steps: Steps) -> tuple[int, S]:
    """Return the position of the first step of a kind, and the step."""
    return next((i, step) for i, step in enumerate(record_steps) if isinstance(step, kind))


def change_step(kind: type[Step], **fields: object) -> Callable[[list[Step]], Steps]:
    """Return a function that changes some fields of the first step of a kind."""

    def change(record_steps: list[Step]) -> Steps:
        index, step = find_step(kind, record_steps)
        record_steps[index] = step._replace(**fields)
        return record_steps

    return change


def drop_step(kind: type[Step]) -> Callable[[list[Step]], Steps]:
    """Return a function that drops the first step of a kind."""

    def change(record_steps: list[Step]) -> Steps:
        del record_steps[find_step(kind, record_steps)[0]]
        return record_steps

    return change


# --- cheating programs


class RefusedRecordError(Exception):
    """Raised with a record that is signed although the author's own program refuses it."""

    def __init__(self, record: Record) -> None:
        super().__init__(record)
        self.record = record


class UncheckedDraft(Draft):
    """A draft that is signed up to the step that its own check refuses."""

    def take(self, step: Step) -> list[Event]:
        self.steps.append(step)
        try:
            return self.match.take(step)
        except (
            DeckError,
            IllegalOrderError,
            ImpossibleChanceError,
            UnreadableOrderError,
            StepError,
        ) as error:
            raise RefusedRecordError(self._record_so_far()) from error

    def end(self) -> Record:
        try:
            return super().end()
        except StepError as error:
            raise RefusedRecordError(self._record_so_far()) from error

    def _record_so_far(self) -> Record:
        before = self.match.records
        previous = before[-1].hash if before else b""
        record_steps = tuple(self.steps)
        return Record(len(before), self.author, previous, self.time, record_steps, bytes(64))


def program_with_draft(draft: type[Draft]) -> Program:
    """Return a program that writes all records with this class."""
    return {
        "tests.attacks.cheats.NextRecord": type(draft.__name__, (draft, NextRecord), {}),
        "tests.signing.Invitation": type(draft.__name__, (draft, Invitation), {}),
        "pbem.play.invitation.Draft": draft,
    }


UNCHECKED: Program = program_with_draft(UncheckedDraft)


@contextmanager
def run_program(program: Program) -> Iterator[None]:
    """Replace the honest parts of the program by those of a cheating one."""
    with ExitStack() as stack:
        for name, part in program.items():
            stack.enter_context(patch(name, part))
        yield


def enter_game(
    cheater: Side, program: Program, *, seed: int = 0, lists: int = 16, home_support: str = "asked"
) -> Match:
    """Return a match that both have entered; the inviter is British, and one of them cheats."""
    anna, bela = identities(seed)
    random = Random(f"nonces {seed}")
    with run_program(program if cheater is Side.BRITISH else HONEST):
        match = invite(
            anna,
            side=Side.BRITISH,
            nonce=random.randbytes(32),
            time=TIME,
            lists=lists,
            home_support=home_support,
        )
    match = Match.replay(match.records)
    with run_program(program if cheater is Side.FRENCH else HONEST):
        match = accept(match, bela, nonce=random.randbytes(32), time=TIME)
    return Match.replay(match.records)


def write_record(
    match: Match,
    program: Program,
    choose: Chooser,
    *,
    seed: int = 0,
    resigns: bool = False,
    follows_up: Callable[[], bool] = lambda: False,
) -> Record:
    """Return the next record of a match, written by a program."""
    with run_program(program):
        try:
            draft = NextRecord(seat_to_write(match, seed), TIME, resigns=resigns)
            while not draft.is_complete or (draft.may_follow_up and follows_up()):
                draft.order(choose(draft.view()))
            return end(draft)
        except RefusedRecordError as sent:
            return sign_as(seat_to_write(match, seed).identity, sent.record)


def duel(
    match: Match,
    cheater: Side,
    program: Program,
    *,
    turns: int = 8,
    seed: int = 0,
    follows_up: float = 0.0,
) -> Match:
    """Play a match to its close, with the cheater's program against an honest one.

    After `turns` turns the honest player resigns, so that the game ends. An honest program reads
    every record; raises VerificationError as soon as it finds the cheat.
    """
    random = Random(seed)
    choose = any_order(random)
    while (side := match.next_side) is not None:
        honest = side is not cheater
        record = write_record(
            match,
            HONEST if honest else program,
            choose,
            seed=seed,
            resigns=honest and not match.is_over and match.state.turn >= turns,
            follows_up=lambda: random.random() < follows_up,
        )
        match = match.copy()
        match.add(record)
    return match


# --- expected findings


def check_refused(
    records: list[Record], rule: str, sentence: str, *, author: str | None = None
) -> Finding:
    """Assert that the last record is refused by a rule with these words, and return the finding."""
    with pytest.raises(VerificationError, match=sentence) as caught:
        Match.replay(records)
    finding = caught.value.finding
    assert finding.record == records[-1].index
    assert finding.author == (author or records[-1].side)
    assert finding.shown_by is None
    assert finding.rule.topic == rule
    assert f"Record {finding.record} (" in str(caught.value)
    return finding


@contextmanager
def expect_finding(cheater: Side, rule: str, sentence: str) -> Iterator[list[Finding]]:
    """Assert that a duel ends with a finding against the cheater; it is added to the list."""
    findings: list[Finding] = []
    with pytest.raises(VerificationError, match=sentence) as caught:
        yield findings
    finding = caught.value.finding
    assert (finding.author, finding.rule.topic) == (cheater.value, rule)
    assert finding.accuses
    assert str(caught.value).startswith(f"Record {finding.record} ({cheater.value}), {rule}:")
    findings.append(finding)
