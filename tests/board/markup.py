"""A strict reader of markup: every tag is closed, and no attribute occurs twice."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from html.parser import HTMLParser

VOID = {"br", "hr", "img", "input", "link", "meta"}


class Element:
    """An element with its attributes and its content, texts and elements."""

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.content: list[Element | str] = []

    def __iter__(self) -> Iterator[Element]:
        """Yield all elements within, in their order."""
        return iter(self._within)

    @cached_property
    def _within(self) -> list[Element]:
        # Cache the elements, because tests look up hundreds of ids.
        elements: list[Element] = []
        for child in self.content:
            if isinstance(child, Element):
                elements += [child, *child._within]
        return elements

    @cached_property
    def _by_id(self) -> dict[str, list[Element]]:
        elements: dict[str, list[Element]] = {}
        for child in self._within:
            if "id" in child.attributes:
                elements.setdefault(child.attributes["id"], []).append(child)
        return elements

    @property
    def text(self) -> str:
        """All text within, with normalized white space."""
        return " ".join(self._text.split())

    @cached_property
    def _text(self) -> str:
        return "".join(child if isinstance(child, str) else child._text for child in self.content)

    def find_all(self, **attributes: str | None) -> list[Element]:
        """Return the elements within that have these attributes (`_` for `-`; None: any value)."""
        id = attributes.get("id")
        elements = list(self) if id is None else self._by_id.get(id, [])
        for name, value in attributes.items():
            name = name.replace("_", "-")
            if value is None:
                elements = [child for child in elements if name in child.attributes]
            else:
                elements = [child for child in elements if child.attributes.get(name) == value]
        return elements

    def find_one(self, **attributes: str | None) -> Element:
        """Return the only element within that has these attributes."""
        (elements,) = self.find_all(**attributes)
        return elements


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute stands twice: {tag} {names}"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].content.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].content.append(data)


def read(text: str) -> Element:
    """Return the content of a text in one element. Raises AssertionError if it is malformed."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == [reader.root], f"not closed: {[node.tag for node in reader.open[1:]]}"
    return reader.root
