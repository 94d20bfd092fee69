"""For tests of what may be missing elsewhere."""

from typing import TypeVar

Thing = TypeVar("Thing")


def present(thing: Thing | None) -> Thing:
    """A thing that is not missing here."""
    assert thing is not None
    return thing
