"""Values, which are what their fields say and never change, and things that do change.

Both are like dataclasses, but quicker to make: each dataclass would add a moment to every start.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from operator import itemgetter
from typing import Any, ClassVar, Never, Self, dataclass_transform


@dataclass_transform(frozen_default=True)
class Value:
    """A value of the fields that its class names, some with a default: a frozen dataclass."""

    fields: ClassVar[tuple[str, ...]] = ()
    _named: ClassVar[frozenset[str]] = frozenset()
    defaults: ClassVar[dict[str, Any]] = {}
    _picked: ClassVar[Callable[[dict[str, Any]], tuple[Any, ...]]]
    """Picks the fields out of all that a value keeps: values are compared by the million."""

    def __init_subclass__(cls) -> None:
        own = cls.__annotations__
        cls.fields += tuple(own)
        cls._named = frozenset(cls.fields)
        cls.defaults = cls.defaults | {name: vars(cls)[name] for name in own if name in vars(cls)}
        # Of one name, or of none, an `itemgetter` makes no tuple.
        cls._picked = itemgetter(*cls.fields) if len(cls.fields) > 1 else cls._own_facts

    def __init__(self, *facts: object, **named: object) -> None:
        own, fields = self.__dict__, self.fields
        if len(facts) < len(fields):
            own.update(self.defaults)
        own.update(zip(fields, facts, strict=False))
        own.update(named)
        # Where none was given by name, as many as there are fields are all of them.
        unknown = named and own.keys() != self._named
        if unknown or len(own) != len(fields) or len(facts) > len(fields):
            raise TypeError(f"{type(self).__name__} has {', '.join(fields) or 'no fields'}")

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed")

    def __eq__(self, other: object) -> bool:
        return self is other or (type(self) is type(other) and self._facts() == other._facts())

    def __hash__(self) -> int:
        return hash((type(self), *self._facts()))

    def __repr__(self) -> str:
        named = zip(self.fields, self._facts(), strict=True)
        facts = ", ".join(f"{name}={fact!s}" for name, fact in named)
        return f"{type(self).__name__}({facts})"

    def _replace(self, **changes: object) -> Self:
        """The same value but for these fields."""
        return type(self)(**(dict(zip(self.fields, self._facts(), strict=True)) | changes))

    def _facts(self) -> tuple[Any, ...]:
        # Beside them a value may keep what it has worked out of them.
        return type(self)._picked(self.__dict__)

    @classmethod
    def _own_facts(cls, kept: dict[str, Any]) -> tuple[Any, ...]:
        return tuple([kept[name] for name in cls.fields])


class _Slotted(type):
    """Makes classes that have a slot for each field, and keep the `defaults` aside."""

    __slots__: tuple[str, ...]
    defaults: dict[str, Any]

    def __new__(cls, name: str, bases: tuple[type, ...], own: dict[str, Any]) -> _Slotted:
        names = tuple(own.get("__annotations__", ()))
        defaults = {each: own.pop(each) for each in names if each in own}
        return super().__new__(cls, name, bases, own | {"__slots__": names, "defaults": defaults})


@dataclass_transform(field_specifiers=(field,))
class Mutable(metaclass=_Slotted):
    """What changes in the fields that its class names: a dataclass with slots.

    Some have a default; one that can be changed itself is made by `field(default_factory=...)`.
    """

    def __init__(self, *facts: object, **named: object) -> None:
        names, defaults = type(self).__slots__, type(self).defaults
        values = dict(zip(names, facts, strict=False)) | named
        for name in defaults.keys() - values.keys():
            make = getattr(defaults[name], "default_factory", None)
            values[name] = make() if make else defaults[name]
        if values.keys() != {*names} or len(facts) > len(names):
            raise TypeError(f"{type(self).__name__} has {', '.join(names) or 'no fields'}")
        for name, value in values.items():
            setattr(self, name, value)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.facts() == other.facts()

    def __repr__(self) -> str:
        facts = ", ".join(f"{name}={fact!r}" for name, fact in self.facts().items())
        return f"{type(self).__name__}({facts})"

    def copy(self) -> Self:
        """Another one with the same in its fields."""
        copied = object.__new__(type(self))
        for name in type(self).__slots__:
            setattr(copied, name, getattr(self, name))
        return copied

    def facts(self) -> dict[str, Any]:
        """What is in the fields, by their names, in the order in which the class has them."""
        return {name: getattr(self, name) for name in type(self).__slots__}
