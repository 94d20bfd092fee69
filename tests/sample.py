"""Parameters and properties, of which every run tries some examples and the long run all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import SearchStrategy


def sample(values: Iterable[Any], *, first: int = 0, every: int = 0) -> list[Any]:
    """Return parameters of which every run tries the first `first` and every `every`th."""
    return [
        value
        if number < first or (every and number % every == 0)
        else pytest.param(value, marks=pytest.mark.long)
        for number, value in enumerate(values)
    ]


def by_speed(names: Iterable[str], quick: Collection[str], slow: Collection[str]) -> list[Any]:
    """Return parameters of which every run tries `quick`, slow ones `slow`, the long run others."""
    return [
        name
        if name in quick
        else pytest.param(name, marks=pytest.mark.slow if name in slow else pytest.mark.long)
        for name in names
    ]


def few_or_many(few: int, many: int) -> pytest.MarkDecorator:
    """Parametrize the `examples` of a property: `few` in every run, `many` in the long run."""
    return pytest.mark.parametrize("examples", [few, pytest.param(many, marks=pytest.mark.long)])


def check_each(
    check: Callable[..., None], examples: int, *strategies: SearchStrategy[Any], **named: Any
) -> None:
    """Check a property with a number of examples.

    `named` are strategies for keyword arguments of `check`, or `derandomize` of Hypothesis.
    """
    derandomize = named.pop("derandomize", True)
    test = given(*strategies, **named)(check)
    settings(max_examples=examples, derandomize=derandomize)(test)()
