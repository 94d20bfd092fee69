"""Tests that need something that may be missing."""

import os
from typing import NoReturn, TypeVar

import pytest

Thing = TypeVar("Thing")
IN_CI = ("ACRES_CI", "CI")
"""With one of these variables a missing program is a failure."""
MISSING = "not installed here (on Debian: apt-get install "


def present(thing: Thing | None) -> Thing:
    """Return a value that is not None."""
    assert thing is not None
    return thing


def leave_out(program: str, package: str) -> NoReturn:
    """Skip a test that needs a program of that package of Debian."""
    missing = f"{program} is {MISSING}{package})"
    if any(map(os.environ.get, IN_CI)):
        pytest.fail(missing)
    pytest.skip(missing)
