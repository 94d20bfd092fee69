"""The pages of `acres rules`, `card` and `location` are complete, true and short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.catalogue import Card
from engine.house_rules import house_rules
from engine.message import Message
from engine.orders import ORDERS
from engine.ruleset import Ruleset, editions
from engine.sides import Side
from pbem.cli import console
from pbem.text.language import SOURCE, Language
from pbem.text.naming import card_facts, location_facts, neighbours
from pbem.text.rules.lookup import Subject, topic_page
from pbem.text.rules.topic import Topic, find_topics, topics
from tests.cli.commands import do
from tests.engine.positions import BRITISH, FRENCH

ROOT = Path(__file__).parents[2]
RULESETS = [Ruleset.of(edition) for edition in editions()]
TOPICS = list(topics().values())
FLAGS = set(Ruleset.__annotations__) - {"edition", "house_rules", "catalogue"}
MAX_LINES = 30
ENGLISH = Language(SOURCE)


def page(capsys: pytest.CaptureFixture[str], topic: str, subject: Subject) -> str:
    console.say_lines(topic_page(console.language(), topics()[topic], subject))
    return capsys.readouterr().out


# --- the topics


def test_every_order_flag_and_house_rule_has_a_topic() -> None:
    assert {verb for topic in TOPICS for verb in topic.verbs} == set(ORDERS)
    rules = house_rules().values()
    of_rules = {flag for rule in rules for flag in rule.flags if rule.topics}
    assert {flag for topic in TOPICS for flag in topic.flags} | of_rules == FLAGS
    assert [rule.id for rule in rules if not rule.topics] == []
    assert {topic for rule in rules for topic in rule.topics} <= topics().keys()


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.id)
class TestEachTopic:
    def test_page_is_short(self, topic: Topic, capsys: pytest.CaptureFixture[str]) -> None:
        for paragraph in topic.text:
            assert re.search(r"[.]$", paragraph), paragraph
            assert "  " not in paragraph
        lines = page(capsys, topic.id, Subject(RULESETS[0])).splitlines()
        assert len(lines) <= MAX_LINES
        assert all(len(line) <= console.WIDTH for line in lines)

    def test_every_reference_leads_somewhere(self, topic: Topic) -> None:
        assert set(topic.related) <= set(topics()) - {topic.id}
        headings = re.findall(r"^##+ (.*?)(?: — .*)?$", (ROOT / "docs/rules.md").read_text(), re.M)
        assert topic.section in headings
        for name in re.findall(r"see ([a-z ]+?)[.,:]", " ".join(topic.text)):
            assert find_topics(ENGLISH, name), name


def test_numbers_in_the_topics_match_the_rules() -> None:
    from engine import ruleset as rules

    text = {topic.id: " ".join(topic.text) for topic in TOPICS}
    for topic, number in (
        ("setup", rules.START_MONEY[BRITISH]),
        ("setup", rules.START_MONEY[FRENCH]),
        ("pieces", rules.VILLAGES),
        ("pieces", rules.TOWNS[BRITISH]),
        ("pieces", rules.TOWNS[FRENCH]),
        ("pieces", rules.FORTIFICATIONS),
        ("fortify", rules.FORTIFY_COST),
        ("trade", rules.FUR_VALUE),
        ("sell fur", rules.FREE_FUR_VALUE),
        ("piracy", rules.PIRACY_VALUE),
        ("scoring", rules.VILLAGE_CAPTURED),
        ("scoring", rules.TOWN_CAPTURED),
        ("endings", rules.CAPTURE_GOAL),
    ):
        assert re.search(rf"\b{number}\b", text[topic]), (topic, number)


def test_no_sentence_is_from_a_rulebook() -> None:
    """No eight consecutive words equal those of a rulebook, if the rulebooks are present."""
    books = ROOT.parent / "shared" / "rules"
    if not books.is_dir():
        pytest.skip("the rulebooks are not here")
    book = _words((books / "second-edition-english.txt").read_text(encoding="utf-8"))
    phrases = {book[i : i + 8] for i in range(len(book) - 7)}
    for topic in TOPICS:
        for paragraph in topic.text:
            own = _words(paragraph)
            assert not {own[i : i + 8] for i in range(len(own) - 7)} & phrases, topic.id


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[a-z']+", text.lower()))


# --- editions and house rules


@pytest.mark.parametrize("rule", house_rules())
def test_house_rule_page_is_found_by_the_name_of_the_rule(rule: str) -> None:
    for typed in (rule, rule.replace("-", " ")):
        result = do("rules", *typed.split())
        assert house_rules()[rule].summary in " ".join(result.out.split())
        assert "See also" in result.out


# --- facts against the catalogue

LABELS = {
    "symbols": "symbols", "reaches": "leads by", "action": "action of its own", "money": "money",
    "military": "strength in a siege", "cost": "price", "count": "copies",
    "military_defending": "strength in a siege, for the defender", "initial_copies": "first deck",
    "siege_cost": "each time it is played to a siege", "free_action": "costs no action",
    "raid": "raids", "extends_raid": "adds reach to a raid", "ambush": "ambushes",
    "ambushable": "can be lost to an ambush", "blocks_raid": "blocks raids",
    "blocks_ambush": "blocks ambushes", "convertible": "can be converted",
}  # fmt: skip
"""The label of each fact of a card."""
UNLABELLED = {"id", "name", "side", "location", "play_cost", "raid_cost", "ambush_cost"}
"""Facts in the heading, or after another fact."""


def in_english(facts: list[Message]) -> dict[str, str]:
    return dict(str(fact).split(": ", 1) for fact in facts)


def test_every_kind_of_fact_has_a_text() -> None:
    assert set(Card.fields) == set(LABELS) | UNLABELLED


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.edition)
def test_card_facts_match_the_catalogue(ruleset: Ruleset) -> None:
    defaults = {name: Card.defaults.get(name) for name in LABELS}
    for cards in ruleset.catalogue.cards.values():
        for card in cards.values():
            facts = in_english(card_facts(card, ruleset.catalogue))
            for name, label in LABELS.items():
                value = getattr(card, name)
                if name in ("cost", "count", "initial_copies", "reaches"):
                    continue
                assert (label in facts) == (value != defaults[name]), (card.id, name)
                if isinstance(value, int) and not isinstance(value, bool) and value:
                    assert str(value) in facts[label]
            assert sum(label.startswith("leads by") for label in facts) == len(card.reaches)
            for transport, places in card.reaches.items():
                names = {ruleset.catalogue.names[place] for place in places}
                assert set(facts[f"leads by {transport} to"].split(", ")) == names
            if card.location is None:
                assert facts["price"] == (f"{card.cost} money" if card.cost else "nothing")
                assert facts["copies"] == str(card.count)
            for move, price in (("raids", card.raid_cost), ("ambushes", card.ambush_cost)):
                assert f"{price} money" in facts.get(move, "") or not price
            if card.play_cost:
                assert f"{card.play_cost} money" in facts["action of its own"]
            initial = facts.get("in the initial deck", "no")
            assert initial.startswith("no") == (not card.initial_copies)


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.edition)
def test_location_facts_match_the_catalogue(ruleset: Ruleset) -> None:
    catalogue = ruleset.catalogue
    edges = set()
    for place in catalogue.locations.values():
        facts = in_english(location_facts(place, catalogue))
        assert facts["victory points"].split(",")[0] == (str(place.victory_points or "none"))
        assert facts["defence in a siege"].startswith(str(1 + place.defence))
        assert facts["settling it takes a settler card"] == ("yes" if place.settler else "no")
        assert facts["ships count in a siege of it"] == ("yes" if place.ships_in_siege else "no")
        assert ("on the sea" in facts) == place.sea
        for kind, ends in (
            (kind, neighbours(place.id, kind, catalogue))
            for kind in ("river", "road", "lake", "indian-trail")
        ):
            edges |= {(kind, *sorted((place.id, end))) for end in ends}
            label = {"lake": "over the lake", "indian-trail": "by Indian trail"}.get(kind)
            names = {catalogue.names[end] for end in ends}
            assert set(filter(None, facts.get(label or f"by {kind}", "").split(", "))) == names
        for side in Side:
            leading = {c.name for c in catalogue.location_cards(side) if c.transports_to(place.id)}
            label = str(side.label)
            listed = facts[f"{label} cards that lead here"]
            assert {one.partition(" by ")[0] for one in listed.split(", ")} == leading or {"none"}
            assert (label in facts["has a card for"]) == (place.id in catalogue.cards[side])
    assert edges == {(kind, *sorted(ends)) for kind, *ends in catalogue.connections}


def test_each_action_has_a_rule_that_needs_no_word_to_type() -> None:
    rules = {
        verb: str(rule) for topic in TOPICS for rule, verbs in topic.action_rules for verb in verbs
    }
    assert rules.keys() == ORDERS.keys()
    assert not [verb for verb, rule in rules.items() if "“" in rule]
    alike = {"occupy", "leave", "relieve"}
    assert len({rules[verb] for verb in alike}) == len(alike)
