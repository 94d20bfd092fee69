"""The test vectors distinguish a reader with one fault from a correct one."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import NamedTuple

import pytest

from tests.vectors import naive_chain, refusals
from tests.vectors.games import CLOSED, FIRST_GAME, HERE
from tests.vectors.wrong_readers import WRONG, WrongReader, omit_checks

UNDETECTED = {
    "not naive_toml.is_newer(whole_text)": "the TOML reader of this Python refuses TOML 1.1 itself",
    "re.fullmatch('[A-Za-z0-9_-]*', value) of type(value) is str and"
    " re.fullmatch('[A-Za-z0-9_-]*', value)": "what has other characters is not written so again",
    "record['index'] == index": "looked at twice, before the signature and behind it",
    "record['previous'] == previous": "looked at twice, before the signature and behind it",
    "record['previous'] == (naive.b64(hashes[-1]) if hashes else '')": "the second of the two",
    "record['side'] not in world['closed']": "looked at again with each step",
}
"""Checks that no file needs, with the reason."""


class Case(NamedTuple):
    """A file, and the broken rule according to a correct reader without the rules of the game."""

    rule: str
    data: bytes
    is_evidence: bool = False


def verdict(module: ModuleType, data: bytes, *, is_evidence: bool = False) -> str:
    """Return the broken rule according to a reader, each of which has its own exception."""
    try:
        module.naive_form.check_fork(data) if is_evidence else module.verify(data)
    except module.RuleError as error:
        return str(error)
    return "accepted"


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.fault.replace(" ", "-"))
def test_wrong_reader_fails_on_a_file(wrong: WrongReader) -> None:
    data = (HERE / wrong.file).read_bytes()
    assert verdict(wrong.make(), data) != verdict(naive_chain, data)


@pytest.mark.long
def test_every_missing_check_is_detected() -> None:
    """Without a check a file passes, or breaks another rule; `UNDETECTED` has the exceptions."""
    cases = [*_cases()]
    unseen = [
        (one.module, one.fault)
        for one in omit_checks()
        if not _is_detected(one.make(), sorted(cases, key=lambda case: case.rule != one.rule))
    ]
    assert {fault for _, fault in unseen} == UNDETECTED.keys(), unseen


def _cases() -> Iterator[Case]:
    for vector in (*refusals.small(), *refusals.without_rules(), *refusals.large()):
        is_evidence = b'format = "acres-fork"' in vector.data and vector.rule != "R-1.7"
        yield Case(vector.rule, vector.data, is_evidence)
    for vector in refusals.with_rules():
        yield Case("accepted", vector.data)
    for data in refusals.honest_files().values():
        yield Case("accepted", data)
    for name in (FIRST_GAME, *CLOSED):
        yield Case("accepted", (HERE / f"{name}.toml").read_bytes())


def _is_detected(reader: ModuleType, cases: list[Case]) -> bool:
    for rule, data, is_evidence in cases:
        try:
            if verdict(reader, data, is_evidence=is_evidence) != rule:
                return True
        except (AttributeError, LookupError, TypeError, ValueError):  # by what it let in
            return True
    return False
