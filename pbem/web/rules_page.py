"""The page `/rules`: all topics of the rules, the editions, the house rules, and the cards.

The fragment of an address names a topic: `/rules#siege`. The query names another edition.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.house_rules import house_rules
from engine.message import Message
from engine.ruleset import DEFAULT_EDITION, Ruleset, editions
from engine.sides import Side
from pbem.board.drawing import Drawing
from pbem.board.tabletop import Tabletop, make_card_faces
from pbem.text.phrases import capitalize
from pbem.text.rules.editions import differences, edition_name
from pbem.text.rules.topic import Topic, topics
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
}


def routes(pages: Pages) -> list[BaseRoute]:
    """Return the route of the page."""

    async def page(request: Request) -> Response:
        # Drawing the cards takes a while, and must not delay orders.
        edition = request.query_params.get("edition", DEFAULT_EDITION)
        return await pages.run_in_queue("rules", draw, edition)

    def draw(edition: str) -> Response:
        ruleset = Ruleset.of(edition if edition in editions() else DEFAULT_EDITION)
        faces = make_card_faces(pages.language, ruleset.catalogue)
        return pages.page(
            "rules.html",
            title=FRAME["rules"],
            labels=LABELS,
            groups=[
                (Message(name), [*_articles(group, ruleset)])
                for name, group in groupby(topics().values(), lambda topic: topic.group)
            ],
            words={topic.id: topic.word for topic in topics().values()},
            house_rules=[(rule.title, Message(rule.summary)) for rule in house_rules().values()],
            edition=ruleset.edition,
            editions=[(id, edition_name(id)) for id in editions()],
            land=Drawing(pages.templates, ruleset.catalogue).render_small_map(),
            symbols=pages.fill("symbols.svg"),
            card_faces=Tabletop(pages.templates, ruleset.catalogue).card_faces,
            cards=[
                (kind, [face for face in faces if face.kind == kind])
                for kind in ("british", "french", "neutral")
            ],
            styles=("board.css", "cards.css", "forms.css"),
        )

    return [Route("/rules", page)]


def _articles(group: Iterable[Topic], ruleset: Ruleset) -> Iterable[dict[str, object]]:
    """Yield the texts of each topic in a ruleset."""
    for topic in group:
        yield {
            "id": topic.id,
            "title": Message(topic.title),
            # The commands of the terminal are of no use here.
            "text": [Message(text) for text in topic.text if "acres " not in text],
            "differences": differences(topic.flags, ruleset),
            "related": topic.related,
        }
