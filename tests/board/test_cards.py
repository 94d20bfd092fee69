"""The faces of cards: everything that is printed on a card of any rules is drawn on its face."""

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
    """Every edition, alone and with each house rule that changes its cards."""
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
    """Each card with what its face is called in a page: its colour, and its id."""
    return {
        f"{card.side.value if card.side else 'neutral'}-{card.id}": card
        for side in Side
        for card in catalogue.cards[side].values()
    }


def symbols_of(card: Card) -> list[str]:
    """What has to be seen in the head of a card, each symbol with its number, in any order."""
    seen = [*card.symbols]
    seen += [f"money {card.money}"] * bool(card.money)
    seen += [f"strength {card.military}"] * bool(card.military)
    seen += [f"defending {card.military_defending}"] * bool(card.military_defending)
    seen += [f"money −{card.siege_cost}"] * bool(card.siege_cost)
    seen += [card.action] if card.action else []
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
    return sorted(seen + [part for part, can in parts.items() if can])


def head_of(head: Element) -> list[str]:
    """The symbols in the head of a card, each with the number behind it or in it."""
    seen: list[str] = []
    for each in head:
        if each.attributes.get("href", "").startswith("#symbol-"):
            seen.append(each.attributes["href"].removeprefix("#symbol-"))
        elif each.attributes.get("class") in ("c-in-coin", "c-number"):
            seen[-1] += f" {each.text}"
    return sorted(seen)


def told_on(face: Element) -> dict[str, str]:
    """What is told at the foot of a card, by the symbol that stands at the first of its lines."""
    told: dict[str, str] = {}
    icons = [each for rows in face.all(**{"class": "c-rows"}) for each in rows]
    feet = {
        round(int(each.attributes["y"]) * ROW_ICON / ICON) + ROW_ICON - 1: each.attributes["href"]
        for each in icons
    }
    for lines in face.all(**{"class": "c-told-on"}):
        for each in lines:
            beside = max(foot for foot in feet if foot <= int(each.attributes["y"]))
            symbol = feet[beside].removeprefix("#symbol-")
            told[symbol] = f"{told.get(symbol, '')} {each.text}".strip()
    return told


def each_rule_once() -> list[Any]:
    """The same; in every run a house rule is in the first of its editions alone."""
    seen, found = set[tuple[str, ...]](), []
    for edition, rules in rulesets():
        is_new = not rules or rules not in seen
        found.append(pytest.param(edition, rules, marks=() if is_new else pytest.mark.long))
        seen.add(rules)
    return found


@pytest.mark.parametrize(("edition", "rules"), each_rule_once())
def test_every_card_is_drawn_once_and_wholly(edition: str, rules: tuple[str, ...]) -> None:
    catalogue = catalogue_of(edition, rules)
    drawn = frame(catalogue)
    cards = cards_of(catalogue)
    for name, card in cards.items():
        face, head = drawn.one(id=f"card-{name}"), drawn.one(id=f"head-{name}")
        assert head_of(head) == symbols_of(card), name
        assert face.all(href=f"#head-{name}")
        assert drawn.one(id=f"name-{name}").text.startswith(str(card.label))
        kind = card.side.value if card.side else "neutral"
        assert head.all(href=None)[0].attributes["href"] == f"#head-{kind}"
        assert face.attributes["class"] == head.attributes["class"] == kind
    faces = [each for each in drawn.all(id=None) if each.attributes["id"].startswith("card-")]
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
def test_a_location_card_says_where_it_leads_and_by_what(edition: str, language: str) -> None:
    catalogue, speaker = catalogue_of(edition), Language(language)
    drawn = frame(catalogue, language)
    for name, card in cards_of(catalogue).items():
        told = told_on(drawn.one(id=f"card-{name}"))
        for transport in TRANSPORTS if card.location else ():
            places = card.reaches.get(transport, frozenset())
            names = [speaker.say(catalogue.locations[place].label) for place in places]
            # Names are not broken: markup has spaces of another kind in them, which text has not.
            assert sorted(filter(None, told.get(transport, "").split(", "))) == sorted(names), name


@pytest.mark.parametrize("edition", editions())
def test_all_that_a_face_refers_to_is_there_and_every_id_once(edition: str) -> None:
    drawn = frame(catalogue_of(edition))
    ids = [each.attributes["id"] for each in drawn.all(id=None)]
    assert len(ids) == len(set(ids))
    wanted = {each.attributes["href"].removeprefix("#") for each in drawn.all(href=None)}
    drawing = read(Drawing(Templates(Language("en")), catalogue_of(edition)).render_frame())
    assert wanted - set(ids) == {"land"}
    assert drawing.one(id="land")


def test_sides_are_told_apart_without_colour() -> None:
    drawn = frame(catalogue_of("second"))
    signs, patterns = set(), set()
    for kind in KINDS:
        sign, head = drawn.one(id=f"sign-{kind}"), drawn.one(id=f"head-{kind}")
        signs.add(" ".join(str(sorted(each.attributes.items())) for each in sign))
        patterns.add(frozenset(each.attributes["class"] for each in head if each.tag == "rect"))
    assert len(signs) == len(patterns) == len(KINDS)


@pytest.mark.parametrize(
    ("language", "called"), [("en", []), ("fr", ["Infanterie régulière", "Prêtre"]), ("ru", [])]
)
def test_beside_the_printed_name_stands_the_rulebooks(language: str, called: list[str]) -> None:
    drawn = frame(catalogue_of("second"), language)
    lexicon = Language(language).lexicon.get("cards", {})
    for name, card in cards_of(catalogue_of("second")).items():
        face = drawn.one(id=f"head-{name}")
        beside = [each.text for each in face.all(**{"class": "c-beside"})]
        assert beside == ([lexicon[card.name]] if card.name in lexicon else [])
        if not card.location:
            told = " ".join(each.text for each in face.all(**{"class": "c-name"}))
            assert told == card.name
    shown = {each.text for each in drawn.all(**{"class": "c-beside"})}
    assert shown >= set(called)


def test_names_are_never_markup() -> None:
    catalogue = catalogue_of("second")
    nasty = '<script>alert("1")</script>&amp;\'"'
    cards = {
        side: {id: card._replace(name=nasty) for id, card in catalogue.cards[side].items()}
        for side in Side
    }
    locations = {id: place._replace(name=nasty) for id, place in catalogue.locations.items()}
    drawn = frame(catalogue._replace(cards=cards, locations=locations))
    assert not [each for each in drawn if each.tag in ("script", "amp")]
    assert nasty in drawn.one(id="name-british-boston").text
