"""For tests of what may be missing elsewhere."""

import os
from typing import NoReturn, TypeVar

import pytest

Thing = TypeVar("Thing")
IN_CI = ("ACRES_CI", "CI")
"""With one of these in the environment it is a failure that a program is missing."""
MISSING = "not installed here (on Debian: apt-get install "


def present(thing: Thing | None) -> Thing:
    """A thing that is not missing here."""
    assert thing is not None
    return thing


def leave_out(program: str, package: str) -> NoReturn:
    """Leave a test out that wants a program, which is in that package of Debian."""
    missing = f"{program} is {MISSING}{package})"
    if any(map(os.environ.get, IN_CI)):
        pytest.fail(missing)
    pytest.skip(missing)
