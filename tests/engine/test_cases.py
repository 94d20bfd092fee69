"""The cases of the rules are played: see `cases.py` for their notation."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.engine.cases import Case, cases, cases_of
from tests.engine.editions import SECOND
from tests.engine.sentences import editions_by_case, editions_by_rule, rules


def cases_with_editions() -> Iterator[tuple[Case, frozenset[str]]]:
    for name, rule in rules().items():
        if "play" in rule:
            table = {key: value for key, value in rule.items() if key != "says"}
            yield from ((case, editions_by_rule()[name]) for case in cases_of("rules", name, table))
    for case in cases():
        said_in = editions_by_case().get((case.family, case.title), frozenset({SECOND}))
        yield case, case.editions or said_in


@pytest.mark.parametrize(
    ("case", "edition"),
    [
        pytest.param(case, edition, id=f"{case.family}: {case.title} {case.number} {edition}")
        for case, editions in cases_with_editions()
        for edition in sorted(editions)
    ],
)
def test_case_follows_the_rules(case: Case, edition: str) -> None:
    case.check(edition)
