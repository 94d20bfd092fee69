"""Base classes for immutable values and for mutable records.

Both work like dataclasses, but are defined faster: dataclasses would delay the start of the
program.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from operator import itemgetter
from typing import Any, ClassVar, Never, Self, dataclass_transform


@dataclass_transform(frozen_default=True)
class Value:
    """An immutable value with the fields that its class annotates, like a frozen dataclass.

    >>> class Point(Value):
    ...     x: int
    ...     y: int = 0
    >>> Point(3)
    Point(x=3, y=0)
    >>> Point(3) == Point(3, 0), {Point(3): "here"}[Point(3)]
    (True, 'here')
    >>> Point(3).x = 4
    Traceback (most recent call last):
    AttributeError: Point.x cannot be changed
    """

    fields: ClassVar[tuple[str, ...]] = ()
    _field_set: ClassVar[frozenset[str]] = frozenset()
    defaults: ClassVar[dict[str, Any]] = {}
    _getter: ClassVar[Callable[[dict[str, Any]], tuple[Any, ...]]]
    """A compiled function that returns the fields, because millions of values are compared."""

    def __init_subclass__(cls) -> None:
        own = cls.__annotations__
        cls.fields += tuple(own)
        cls._field_set = frozenset(cls.fields)
        cls.defaults = cls.defaults | {name: vars(cls)[name] for name in own if name in vars(cls)}
        # An `itemgetter` of a single name returns no tuple.
        cls._getter = itemgetter(*cls.fields) if len(cls.fields) > 1 else cls._own_values

    def __init__(self, *values: object, **keywords: object) -> None:
        own, fields = self.__dict__, self.fields
        if len(values) < len(fields):
            own.update(self.defaults)
        own.update(zip(fields, values, strict=False))
        own.update(keywords)
        # Without keywords, comparing the number of fields is enough.
        unknown = keywords and own.keys() != self._field_set
        if unknown or len(own) != len(fields) or len(values) > len(fields):
            raise TypeError(f"{type(self).__name__} takes {', '.join(fields) or 'no fields'}")

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed")

    def __eq__(self, other: object) -> bool:
        return self is other or (type(self) is type(other) and self._values() == other._values())

    def __hash__(self) -> int:
        return hash((type(self), *self._values()))

    def __repr__(self) -> str:
        fields = zip(self.fields, self._values(), strict=True)
        pairs = ", ".join(f"{name}={value!s}" for name, value in fields)
        return f"{type(self).__name__}({pairs})"

    def _replace(self, **changes: object) -> Self:
        """Return a copy with the fields in `changes` changed."""
        return type(self)(**(dict(zip(self.fields, self._values(), strict=True)) | changes))

    def _values(self) -> tuple[Any, ...]:
        # The instance may also hold cached properties.
        return type(self)._getter(self.__dict__)

    @classmethod
    def _own_values(cls, attributes: dict[str, Any]) -> tuple[Any, ...]:
        return tuple([attributes[name] for name in cls.fields])


class _Slotted(type):
    """The metaclass of `Mutable`: adds a slot for each field and collects the `defaults`."""

    __slots__: tuple[str, ...]
    defaults: dict[str, Any]

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> _Slotted:
        names = tuple(body.get("__annotations__", ()))
        defaults = {name: body.pop(name) for name in names if name in body}
        return super().__new__(cls, name, bases, body | {"__slots__": names, "defaults": defaults})


@dataclass_transform(field_specifiers=(field,))
class Mutable(metaclass=_Slotted):
    """A mutable record with the fields that its class annotates, like a dataclass with slots.

    A field with a mutable default is declared by `field(default_factory=...)`.

    >>> class Purse(Mutable):
    ...     money: int = 0
    ...     cards: list[str] = field(default_factory=list)
    >>> purse = Purse(money=5)
    >>> purse.money += 1
    >>> purse
    Purse(money=6, cards=[])
    """

    def __init__(self, *arguments: object, **keywords: object) -> None:
        names, defaults = type(self).__slots__, type(self).defaults
        values = dict(zip(names, arguments, strict=False)) | keywords
        for name in defaults.keys() - values.keys():
            make = getattr(defaults[name], "default_factory", None)
            values[name] = make() if make else defaults[name]
        if values.keys() != {*names} or len(arguments) > len(names):
            raise TypeError(f"{type(self).__name__} takes {', '.join(names) or 'no fields'}")
        for name, value in values.items():
            setattr(self, name, value)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.values() == other.values()

    def __repr__(self) -> str:
        pairs = ", ".join(f"{name}={value!r}" for name, value in self.values().items())
        return f"{type(self).__name__}({pairs})"

    def copy(self) -> Self:
        """Return a shallow copy.

        >>> from engine.state import Siege
        >>> Siege("quebec").copy() == Siege("quebec")
        True
        """
        copied = object.__new__(type(self))
        for name in type(self).__slots__:
            setattr(copied, name, getattr(self, name))
        return copied

    def values(self) -> dict[str, Any]:
        """Return the fields by name, in the order of the class.

        >>> from engine.state import Siege
        >>> Siege("quebec").values()["location"]
        'quebec'
        """
        return {name: getattr(self, name) for name in type(self).__slots__}
