"""Value classes with mutable and immutable fields."""

from __future__ import annotations

from dataclasses import field

import pytest

from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import Siege, new_game
from engine.value import Mutable, Value


class Shelf(Mutable):
    place: str
    books: list[str] = field(default_factory=list)
    is_full: bool = False


def test_fields_are_given_in_order_or_by_name() -> None:
    assert Shelf("hall", ["Emma"], True) == Shelf(is_full=True, books=["Emma"], place="hall")
    assert Shelf("hall") != Shelf("attic")
    assert repr(Shelf("hall")) == "Shelf(place='hall', books=[], is_full=False)"


def test_mutable_default_is_not_shared() -> None:
    one, other = Shelf("hall"), Shelf("attic")
    one.books.append("Emma")
    assert other.books == []


def test_arguments_without_a_field_are_refused() -> None:
    for facts, names in (((), {}), (("hall", [], True, "oak"), {}), (("hall",), {"wood": "oak"})):
        with pytest.raises(TypeError, match="Shelf takes place, books, is_full"):
            Shelf(*facts, **names)  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        Shelf("hall").wood = "oak"  # type: ignore[attr-defined]


class Spine(Value):
    title: str
    colour: str = "red"


def test_value_requires_exactly_its_fields() -> None:
    assert Spine("Emma") == Spine(title="Emma", colour="red") == Spine("Emma", "red")
    for facts, names in (
        ((), {}),
        ((), {"colour": "red"}),
        (("Emma", "red", "thin"), {}),
        (("Emma",), {"width": "thin"}),
        ((), {"colour": "red", "width": "thin"}),
    ):
        with pytest.raises(TypeError, match="Spine takes title, colour"):
            Spine(*facts, **names)
    with pytest.raises(AttributeError):
        Spine("Emma").colour = "blue"  # type: ignore[misc]


def test_copied_value_has_separate_fields() -> None:
    shelf = Shelf("hall")
    copied = shelf.copy()
    copied.place = "attic"
    assert (shelf.place, copied.books) == ("hall", shelf.books)
    assert [*copied.values()] == ["place", "books", "is_full"]


def containers(thing: object) -> list[int]:
    """Return the identities of all lists, sets and dicts in an object, except in its ruleset."""
    if isinstance(thing, Ruleset):
        return []
    if isinstance(thing, Mutable):
        return [id(thing), *containers([*thing.values().values()])[1:]]
    inner = [*thing, *thing.values()] if isinstance(thing, dict) else thing
    if not isinstance(inner, list | set):
        return []
    return [id(thing), *(inner_id for item in inner for inner_id in containers(item))]


def test_copied_position_shares_no_container() -> None:
    state = new_game()
    state.sieges[Side.FRENCH] = Siege("boston")
    state.players[Side.BRITISH].unseen.append(["boston"])
    copied = state.copy()
    assert copied == state
    assert not {*containers(state)} & {*containers(copied)}
