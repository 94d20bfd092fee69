"""Values: things that are what their fields say, and never change."""

from __future__ import annotations

from typing import Any, ClassVar, Never, Self, dataclass_transform


@dataclass_transform(frozen_default=True)
class Value:
    """A value of the fields that its class names, some with a default.

    It is as a frozen dataclass, which would take long to make: a moment of every start for each.
    """

    fields: ClassVar[tuple[str, ...]] = ()
    defaults: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        own = cls.__annotations__
        cls.fields += tuple(own)
        cls.defaults = cls.defaults | {name: vars(cls)[name] for name in own if name in vars(cls)}

    def __init__(self, *facts: object, **named: object) -> None:
        values = self.defaults | dict(zip(self.fields, facts, strict=False)) | named
        if values.keys() != {*self.fields} or len(facts) > len(self.fields):
            raise TypeError(f"{type(self).__name__} has {', '.join(self.fields) or 'no fields'}")
        vars(self).update(values)

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._facts() == other._facts()

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
        kept = vars(self)
        return tuple([kept[name] for name in self.fields])
