"""The table next to the board, whose markup has every number and every card."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import chain

import pytest

from engine.ruleset import editions
from engine.sides import Side
from pbem.board.tabletop import ScoreStrip, Tabletop
from pbem.board.templates import Parts, Templates, fill_frame
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import Scene, scenes
from pbem.text.language import NAMES, Language
from tests.board.games import CLOSED, RUNNING, public_scenes, seat_of
from tests.board.markup import Element, read
from tests.sample import sample

GAMES = [CLOSED, RUNNING, *editions()]
MINUS = "−"


@cache
def draw_scenes(game: str, language: str = "en") -> list[tuple[Scene, dict[str, Element]]]:
    """Return each scene of a game with its parts; equal texts are read once."""
    played = public_scenes(game)
    return parts_of(played, language)


def parts_of(played: list[Scene], language: str = "en") -> list[tuple[Scene, dict[str, Element]]]:
    catalogue = played[0].state.ruleset.catalogue
    table = Tabletop(Templates(Language(language)), catalogue)
    return [(scene, elements(table.render_parts(scene))) for scene in played]


def elements(parts: Parts) -> dict[str, Element]:
    return {id: _read(text) for id, text in parts.items()}


@cache
def _read(text: str) -> Element:
    return read(text)


def number(part: Element, name: str) -> int:
    """Return the only number of that kind in a part."""
    attribute = f"data-{name}"
    (value,) = [e.attributes[attribute] for e in part if attribute in e.attributes]
    return int(value)


def cards_in(part: Element, where: str, side: str) -> Counter[str]:
    """Return the cards of a pile with their copies, and check its name and side."""
    cards: Counter[str] = Counter()
    for pile in part.find_all(data_pile=None):
        assert (pile.attributes["data-pile"], pile.attributes["data-side"]) == (where, side)
        for node in pile.find_all(data_card=None):
            cards[node.attributes["data-card"]] += int(node.attributes.get("data-copies", 1))
    return +cards


@pytest.mark.slow
def test_strip_shows_how_sieges_have_changed() -> None:
    strip, changes = ScoreStrip(Templates(Language("en"))), set[int]()
    for scene in chain.from_iterable(map(public_scenes, GAMES)):
        part = _read(strip.render_parts(scene)["strip"])
        before = {siege.location: siege.marker for siege in (scene.before or scene.facts).sieges}
        for siege in scene.facts.sieges:
            (button,) = part.find_all(data_key=f"siege-{siege.location}")
            shown = [int(e.text.replace(MINUS, "-")) for e in button if e.tag == "ins"]
            change = siege.marker - before.get(siege.location, siege.marker)
            assert shown == ([change] if change else [])
            changes.add(change)
    assert min(changes) < 0 < max(changes)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_siege_marker_is_at_its_strength(game: str) -> None:
    for scene, parts in draw_scenes(game):
        for siege in scene.facts.sieges:
            part = parts[f"{siege.besieger}-siege"]
            (siege_step,) = [e for e in part if "here" in e.attributes.get("class", "").split()]
            assert int(siege_step.text.replace(MINUS, "-")) == siege.marker
            assert siege_step.attributes["class"].split()[0] == (siege.winner or "open")


@pytest.mark.parametrize("game", GAMES)
def test_changes_of_a_turn_are_marked(game: str) -> None:
    for scene, parts in draw_scenes(game):
        if scene.before is None:
            assert not [node for part in parts.values() for node in part if node.tag == "ins"]
            continue
        for side in Side:
            now, was = (node.sides[side] for node in (scene.facts, scene.before))
            assert sign(parts[f"{side.value}-money"]) == now.money - was.money
            points = now.points.total - was.points.total
            assert sign(parts[f"{side.value}-points"]) == points
            gained = Counter(now.discard_pile) - Counter(was.discard_pile)
            assert changes(parts[f"{side.value}-discard"]) == gained
            reserve = Counter(now.reserve)
            reserve.subtract(was.reserve)
            assert changes(parts[f"{side.value}-reserve"]) == {
                k: n for k, n in reserve.items() if n
            }
            copies = Counter({kind.card: kind.copies for kind in now.available})
            copies.subtract({kind.card: kind.copies for kind in was.available})
            assert changes(parts[f"{side.value}-draft"]) == {k: n for k, n in copies.items() if n}


def sign(part: Element) -> int:
    """Return the signed number of the mark in a part; 0 without one."""
    marks = [node.text for node in part if node.tag == "ins"]
    assert all(mark[0] in f"+{MINUS}" for mark in marks)
    return sum(int(mark.replace(MINUS, "-")) for mark in marks)


def changes(part: Element) -> dict[str, int]:
    """Return the marks of cards, and check that they agree with their attributes."""
    cards = {node.attributes["data-card"]: sign(node) for node in part.find_all(data_card=None)}
    for node in part.find_all(data_change=None):
        assert int(node.attributes["data-change"]) == cards[node.attributes["data-card"]]
    return {card: change for card, change in cards.items() if change}


@pytest.mark.parametrize("game", sample(GAMES, every=2))
def test_frame_has_a_face_and_words_for_every_card(game: str) -> None:
    played = public_scenes(game)
    table = Tabletop(Templates(Language("en")), played[0].state.ruleset.catalogue)
    with_faces = fill_frame(table.render_frame(), {"faces-of-cards": table.card_faces})
    frame = read(with_faces + table.card_words)
    # Location cards have the coast of the board.
    known = {node.attributes["id"] for node in frame.find_all(id=None)} | {"land"}
    for _, parts in draw_scenes(game):
        for part in parts.values():
            named = {
                node.attributes["aria-labelledby"] for node in part.find_all(aria_labelledby=None)
            }
            used = {node.attributes["href"].removeprefix("#") for node in part.find_all(href=None)}
            assert named | used <= known
            for card in part.find_all(data_card=None):
                assert card.find_one(role="img").attributes["aria-labelledby"]


@pytest.mark.slow
@pytest.mark.parametrize("language", NAMES)
def test_cards_are_equal_in_every_language(language: str) -> None:
    for (_, english), (_, parts) in zip(
        draw_scenes(RUNNING), draw_scenes(RUNNING, language), strict=True
    ):
        for id, part in parts.items():
            cards = [node.attributes["data-card"] for node in part.find_all(data_card=None)]
            assert cards == [
                node.attributes["data-card"] for node in english[id].find_all(data_card=None)
            ]


def test_spectator_sees_no_hidden_card() -> None:
    for side in Side:
        own = scenes(Chronicle(seat_of(side).look))
        for (scene, parts), own_scenes in zip(draw_scenes(RUNNING), own, strict=True):
            hand = cards_in(parts[f"{side.value}-hand"], "hand", side.value)
            held = Counter(card.card for card in own_scenes.facts.sides[side].hand.cards)
            assert hand == Counter(scene.state.players[side].hand)
            assert hand <= held
            assert len(parts[f"{side.value}-hand"].find_all(href=f"#back-{side.value}")) == (
                scene.facts.sides[side].hand.face_down
            )


@pytest.mark.parametrize("game", GAMES)
def test_copies_of_a_card_are_grouped(game: str) -> None:
    for _, parts in draw_scenes(game):
        for pile in (pile for part in parts.values() for pile in part.find_all(data_pile=None)):
            cards = Counter(node.attributes["data-card"] for node in pile.find_all(data_card=None))
            assert set(cards.values()) <= {1}
