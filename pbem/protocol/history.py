"""What was done in a game, in its order, the last of it at hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar, overload


class Done(Protocol):
    """Something that was done, in a record."""

    @property
    def record(self) -> int:
        """The index of the record in which it was done."""


T = TypeVar("T", bound=Done)


class History(Sequence[T], Generic[T]):
    """Things in the order in which they were done.

    In a match that was `begun` behind some records those done `before` are found out when somebody
    asks for them. With `since`, and with `reversed`, nobody does until they are reached.
    """

    def __init__(
        self,
        recent: Iterable[T] = (),
        before: Callable[[], Sequence[T]] | None = None,
        begun: int = 0,
    ) -> None:
        self._recent = list(recent)
        self._before = before
        self._begun = begun

    def append(self, thing: T) -> None:
        """Add what was done last."""
        self._recent.append(thing)

    def copy(self) -> History[T]:
        """An independent history of the same."""
        return History(self._recent, self._before, self._begun)

    def since(self, record: int) -> list[T]:
        """What was done in the record of that index and those behind it."""
        things = self._recent if record >= self._begun else self._all()
        return [thing for thing in things if thing.record >= record]

    def _all(self) -> list[T]:
        if self._before is not None:
            self._recent, self._before = [*self._before(), *self._recent], None
        return self._recent

    def __len__(self) -> int:
        return len(self._all())

    def __bool__(self) -> bool:
        return bool(self._recent or self._all())

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        is_recent = isinstance(at, int) and -len(self._recent) <= at < 0
        return self._recent[at] if is_recent else self._all()[at]

    def __iter__(self) -> Iterator[T]:
        return iter(self._all())

    def __reversed__(self) -> Iterator[T]:
        number = len(self._recent)
        yield from reversed(self._recent)
        if self._before is not None:
            yield from self._all()[: -number or None][::-1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return self._all() == list(other)

    __hash__ = None  # type: ignore[assignment]  # as of a list

    def __repr__(self) -> str:
        return f"History({self._all()!r})"
