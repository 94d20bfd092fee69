"""The faces of cards, which show everything printed on a card in all rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.catalogue import TRANSPORTS, Card, Catalogue, load
from engine.house_rules import house_rules
from engine.ruleset import Ruleset, editions
from engine.sides import Side
from pbem.board.drawing import Drawing
from pbem.board.tabletop import KINDS, Tabletop
from pbem.board.templates import Templates, fill_frame
from pbem.text.language import NAMES, Language
from tests.board.markup import Element, read

ROW_ICON, ICON = 10, 24


def rulesets() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every edition, alone and with each house rule that changes its cards."""
    for edition in editions():
        yield edition, ()
        for rule in house_rules().values():
            if rule.changes and load(edition, rule.changes) != load(edition):
                yield edition, (rule.id,)


def catalogue_of(edition: str, rules: tuple[str, ...] = ()) -> Catalogue:
    return Ruleset.of(edition, rules).catalogue


def frame(catalogue: Catalogue, language: str = "en") -> Element:
    table = Tabletop(Templates(Language(language)), catalogue)
    return read(
        fill_frame(table.render_frame(), {"faces-of-cards": table.card_faces}) + table.card_words
    )


def cards_of(catalogue: Catalogue) -> dict[str, Card]:
    """Return the cards by the ids of their faces: the colour and the id of the card."""
    return {
        f"{card.side.value if card.side else 'neutral'}-{card.id}": card
        for side in Side
        for card in catalogue.cards[side].values()
    }


def symbols_of(card: Card) -> list[str]:
    """Return the symbols that the head of a card must show, each with its number."""
    symbols = [*card.symbols]
    symbols += [f"money {card.money}"] * bool(card.money)
    symbols += [f"strength {card.military}"] * bool(card.military)
    symbols += [f"defending {card.military_defending}"] * bool(card.military_defending)
    symbols += [f"money −{card.siege_cost}"] * bool(card.siege_cost)
    symbols += [card.action] if card.action else []
    parts = {
        "free": card.free_action,
        "raid": card.raid,
        "extend-raid": card.extends_raid,
        "ambush": card.ambush,
        "ambushable": card.ambushable,
        "block-raid": card.blocks_raid,
        "block-ambush": card.blocks_ambush,
        "convertible": card.convertible,
    }
    return sorted(symbols + [part for part, is_possible in parts.items() if is_possible])


def head_of(head: Element) -> list[str]:
    """Return the symbols in the head of a card, each with its number."""
    symbols: list[str] = []
    for node in head:
        if node.attributes.get("href", "").startswith("#symbol-"):
            symbols.append(node.attributes["href"].removeprefix("#symbol-"))
        elif node.attributes.get("class") in ("c-in-coin", "c-number"):
            symbols[-1] += f" {node.text}"
    return sorted(symbols)


def texts_on(face: Element) -> dict[str, str]:
    """Return the texts at the foot of a card, by the symbol at their first line."""
    texts: dict[str, str] = {}
    icons = [node for rows in face.find_all(**{"class": "c-rows"}) for node in rows]
    feet = {
        round(int(node.attributes["y"]) * ROW_ICON / ICON) + ROW_ICON - 1: node.attributes["href"]
        for node in icons
    }
    for lines in face.find_all(**{"class": "c-told-on"}):
        for node in lines:
            rulebook_name = max(foot for foot in feet if foot <= int(node.attributes["y"]))
            symbol = feet[rulebook_name].removeprefix("#symbol-")
            texts[symbol] = f"{texts.get(symbol, '')} {node.text}".strip()
    return texts


def each_rule_once() -> list[Any]:
    """Return all rulesets, with a house rule in only one edition except in long runs."""
    symbols, params = set[tuple[str, ...]](), []
    for edition, rules in rulesets():
        is_new = not rules or rules not in symbols
        params.append(pytest.param(edition, rules, marks=() if is_new else pytest.mark.long))
        symbols.add(rules)
    return params


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "rules"), each_rule_once())
def test_every_card_is_drawn_once_with_all_symbols(edition: str, rules: tuple[str, ...]) -> None:
    catalogue = catalogue_of(edition, rules)
    drawn = frame(catalogue)
    cards = cards_of(catalogue)
    for name, card in cards.items():
        face, head = drawn.find_one(id=f"card-{name}"), drawn.find_one(id=f"head-{name}")
        assert head_of(head) == symbols_of(card), name
        assert face.find_all(href=f"#head-{name}")
        assert drawn.find_one(id=f"name-{name}").text.startswith(str(card.label))
        kind = card.side.value if card.side else "neutral"
        assert head.find_all(href=None)[0].attributes["href"] == f"#head-{kind}"
        assert face.attributes["class"] == head.attributes["class"] == kind
    faces = [node for node in drawn.find_all(id=None) if node.attributes["id"].startswith("card-")]
    assert len(faces) == len(cards) + len(["card-map"])


@pytest.mark.parametrize(
    ("language", "edition"),
    [
        (language, edition)
        if at % len(editions()) == of
        else pytest.param(language, edition, marks=pytest.mark.long)
        for at, language in enumerate(NAMES)
        for of, edition in enumerate(editions())
    ],
)
def test_location_card_lists_its_destinations_by_transport(edition: str, language: str) -> None:
    catalogue, speaker = catalogue_of(edition), Language(language)
    drawn = frame(catalogue, language)
    for name, card in cards_of(catalogue).items():
        texts = texts_on(drawn.find_one(id=f"card-{name}"))
        for transport in TRANSPORTS if card.location else ():
            places = card.reaches.get(transport, frozenset())
            names = [speaker.say(catalogue.locations[place].label) for place in places]
            # Markup has no-break spaces in names, but the texts have not.
            assert sorted(filter(None, texts.get(transport, "").split(", "))) == sorted(names), name


@pytest.mark.parametrize("edition", editions())
def test_references_resolve_and_ids_are_unique(edition: str) -> None:
    drawn = frame(catalogue_of(edition))
    ids = [node.attributes["id"] for node in drawn.find_all(id=None)]
    assert len(ids) == len(set(ids))
    expected = {node.attributes["href"].removeprefix("#") for node in drawn.find_all(href=None)}
    drawing = read(Drawing(Templates(Language("en")), catalogue_of(edition)).render_frame())
    assert expected - set(ids) == {"land"}
    assert drawing.find_one(id="land")


def test_sides_differ_by_sign_and_pattern() -> None:
    drawn = frame(catalogue_of("second"))
    signs, patterns = set(), set()
    for kind in KINDS:
        sign, head = drawn.find_one(id=f"sign-{kind}"), drawn.find_one(id=f"head-{kind}")
        signs.add(" ".join(str(sorted(node.attributes.items())) for node in sign))
        patterns.add(frozenset(node.attributes["class"] for node in head if node.tag == "rect"))
    assert len(signs) == len(patterns) == len(KINDS)


@pytest.mark.parametrize(
    ("language", "expected_names"),
    [("en", []), ("fr", ["Infanterie régulière", "Prêtre"]), ("ru", [])],
)
def test_translated_card_has_its_printed_name_too(language: str, expected_names: list[str]) -> None:
    drawn = frame(catalogue_of("second"), language)
    lexicon = Language(language).lexicon.get("cards", {})
    for name, card in cards_of(catalogue_of("second")).items():
        face = drawn.find_one(id=f"head-{name}")
        rulebook_name = [node.text for node in face.find_all(**{"class": "c-beside"})]
        assert rulebook_name == ([lexicon[card.name]] if card.name in lexicon else [])
        if not card.location:
            texts = " ".join(node.text for node in face.find_all(**{"class": "c-name"}))
            assert texts == card.name
    rulebook_names = {node.text for node in drawn.find_all(**{"class": "c-beside"})}
    assert rulebook_names >= set(expected_names)


def test_card_names_are_escaped() -> None:
    catalogue = catalogue_of("second")
    hostile_name = '<script>alert("1")</script>&amp;\'"'
    cards = {
        side: {id: card._replace(name=hostile_name) for id, card in catalogue.cards[side].items()}
        for side in Side
    }
    locations = {id: place._replace(name=hostile_name) for id, place in catalogue.locations.items()}
    drawn = frame(catalogue._replace(cards=cards, locations=locations))
    assert not [node for node in drawn if node.tag in ("script", "amp")]
    assert hostile_name in drawn.find_one(id="name-british-boston").text
