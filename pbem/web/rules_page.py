"""The page `/rules`: all topics of the rules, the editions, the house rules, and the cards.

The fragment of an address names a topic: `/rules#siege`. The query names another edition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.message import NOTHING, Message
from engine.position import BESIEGER_WINS_AT, DEFENDER_WINS_AT
from engine.ruleset import DEFAULT_EDITION, Ruleset, editions
from engine.sides import Side
from pbem.board.drawing import Drawing
from pbem.board.tabletop import CardFace, Count, Icon, Tabletop
from pbem.board.templates import siege_track
from pbem.text.facts.position_facts import SiegeFacts, SiegeSideFacts
from pbem.text.language import Language
from pbem.text.phrases import capitalize
from pbem.text.position import siege_heading, siege_standing
from pbem.text.rules.editions import differences, edition_name
from pbem.text.rules.topic import Topic, house_rules_by_group, topics
from pbem.web.pages import LABELS as FRAME
from pbem.web.pages import Pages

LABELS = {
    "contents": Message("Contents"),
    "edition": Message("Edition"),
    "related": Message("See also:"),
    "house": Message("The house rules"),
    "cards": Message("The cards"),
    **{side.value: capitalize(side.label) for side in Side},
    "neutral": Message("Neutral cards"),
    "symbols": Message("The symbols on the cards"),
    "siege_track": Message(
        "An example: the British besiege Quebec. The marker moves to the right with each point of "
        "their strength, and to the left with each point of the French."
    ),
}


def routes(pages: Pages) -> list[BaseRoute]:
    """Return the route of the page."""

    async def page(request: Request) -> Response:
        # Drawing the cards takes a while, and must not delay orders.
        edition = request.query_params.get("edition", DEFAULT_EDITION)
        return await pages.run_in_queue("rules", draw, edition)

    def draw(edition: str) -> Response:
        ruleset = Ruleset.of(edition if edition in editions() else DEFAULT_EDITION)
        table = Tabletop(pages.templates, ruleset.catalogue)
        return pages.page(
            "rules.html",
            title=FRAME["rules"],
            labels=LABELS,
            groups=[
                (Message(name), [*_articles(pages.language, group, ruleset)])
                for name, group in groupby(topics().values(), lambda topic: topic.group)
            ],
            words={topic.id: topic.word for topic in topics().values()},
            house_rules=[
                (Message(group), [(rule.title, Message(rule.summary)) for rule in rules])
                for group, rules in house_rules_by_group().items()
            ],
            siege=pages.fill("siege.html", **_example_siege(ruleset)),
            card_symbols=_symbol_key(table.faces),
            edition=ruleset.edition,
            editions=[(id, edition_name(id)) for id in editions()],
            land=Drawing(pages.templates, ruleset.catalogue).render_small_map(),
            symbols=pages.fill("symbols.svg"),
            card_faces=table.card_faces,
            cards=[
                (kind, [face for face in table.faces if face.kind == kind])
                for kind in ("british", "french", "neutral")
            ],
            script="rules.js",
            styles=("board.css", "table.css", "cards.css", "forms.css"),
        )

    return [Route("/rules", page)]


def _articles(
    language: Language, group: Iterable[Topic], ruleset: Ruleset
) -> Iterable[dict[str, object]]:
    """Yield the texts of each topic in a ruleset."""
    for topic in group:
        yield {
            "id": topic.id,
            "title": Message(topic.title),
            # The commands of the terminal are of no use here.
            "text": [_link_topics(language, text) for text in topic.text if "acres " not in text],
            "differences": differences(topic.flags, ruleset),
            "related": topic.related,
        }


def _link_topics(language: Language, text: str) -> Markup:
    """Return a paragraph with a link in place of each topic after “see”, in any language."""
    html = escape(language.say(Message(text)))
    for id in re.findall(r"\bsee (\w+)", text):
        before, word, after = html.rpartition(escape(language.say(topics()[id].word)))
        link = Markup('<a href="#{}">{}</a>').format(id, word) if word else Markup()
        html = before + link + after
    return html


def _symbol_key(faces: Iterable[CardFace]) -> list[Icon]:
    """Return an example of each symbol on the faces of cards, in their order."""
    icons = dict[tuple[str, bool], Icon]()
    for face in faces:
        for _, icon in face.icons:
            # A price to be paid has the symbol of money.
            icons.setdefault((icon.symbol, icon.number.startswith("−")), icon)
    return list(icons.values())


def _example_siege(ruleset: Ruleset) -> dict[str, object]:
    """Return the values of `siege.html` for a siege of Quebec that is not decided yet."""
    british = SiegeSideFacts((), 3, wins_with=1, holds_with=0, supplied=True)
    french = SiegeSideFacts((), 2, wins_with=2, holds_with=1, supplied=True)
    siege = SiegeFacts(
        location="quebec",
        besieger=Side.BRITISH,
        defender=Side.FRENCH,
        marker=BESIEGER_WINS_AT - 1,
        beyond=0,
        besieger_wins_at=BESIEGER_WINS_AT,
        defender_wins_at=DEFENDER_WINS_AT,
        place=2,
        sides={Side.BRITISH: british, Side.FRENCH: french},
        winner=None,
        won=False,
        cost=None,
    )
    return {
        "siege": siege,
        "heading": siege_heading(siege, ruleset.catalogue.name_of),
        "track": siege_track(siege, margin=3),
        "marker": Count(siege.marker, siege.marker),
        "standing": siege_standing(siege),
        "cost": NOTHING,
        "sides": (),
    }
