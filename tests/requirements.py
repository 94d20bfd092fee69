"""Requirements of tests: required values, and programs that may be missing."""

import os
from typing import NoReturn, TypeVar

import pytest

Value = TypeVar("Value")
IN_CI = ("ACRES_CI", "CI")
"""If one of these variables is set, a missing program fails the test."""
MISSING = "not installed here (on Debian: apt-get install "


def require(value: Value | None) -> Value:
    """Return a value, after checking that it is not None."""
    assert value is not None
    return value


def skip_without(program: str, package: str) -> NoReturn:
    """Skip a test for a missing program, or fail it in CI; `package` is the Debian package."""
    skip_or_fail(f"{program} is {MISSING}{package})")


def skip_or_fail(missing: str) -> NoReturn:
    """Skip a test for something missing, or fail it in CI."""
    if any(map(os.environ.get, IN_CI)):
        pytest.fail(missing)
    pytest.skip(missing)
