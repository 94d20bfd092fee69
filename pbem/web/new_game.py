"""`/new/…`: a form that begins a game, against the robot on this computer or with a friend.

After each change of an option the engine determines which other options are compatible.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup, escape
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from engine.house_rules import HouseRule, InvalidRulesError, house_rules
from engine.message import NOTHING, Message, Phrase, message_of
from engine.players import MIN_STRENGTH
from engine.ruleset import DEFAULT_EDITION, Ruleset, editions
from engine.sides import Side
from engine.state import new_game
from pbem.play.robot import last_strength
from pbem.play.signing import SignedFile, sign
from pbem.protocol.steps import DEFAULT_LISTS, MAX_LISTS
from pbem.text.games import HOME_SUPPORT, START_CARD, frequency_text, strength_text
from pbem.text.ordering.reading import start_card, start_cards
from pbem.text.phrases import texts
from pbem.text.rules.editions import edition_summary, edition_text
from pbem.text.rules.topic import house_rules_by_group
from pbem.web.host import Robot
from pbem.web.pages import Pages, make_response, malformed_request, read_json

ROBOT, FRIEND = "robot", "friend"
ANY = "any"
_POLL_SECONDS, _MAX_POLLS = 0.05, 200
"""The seconds between two checks for the robot's acceptance, and the maximum number of checks."""

NUMBERS_OF_LISTS = [2**power for power in range(MAX_LISTS.bit_length())]
"""The numbers of lists in a shuffle that a player can choose."""
LABELS = texts("new-game") | {
    "british": Side.BRITISH.label,
    "french": Side.FRENCH.label,
    "card": START_CARD,
}


class GameOptions(NamedTuple):
    """The options of a new game; `side` is None if the opponent chooses.

    `card` is the printed name of the chosen start card, or empty. `strength` is the strength of the
    robot in a game with it.
    """

    side: Side | None
    edition: str
    house_rules: tuple[str, ...] = ()
    lists: int = DEFAULT_LISTS
    home_support: str = "asked"
    card: str = ""
    strength: int = MIN_STRENGTH

    @classmethod
    def of(cls, data: dict[str, Any]) -> GameOptions:
        """Return the options that a page sent. Raises UsageError if they are malformed."""
        try:
            side, rules = data["side"], data.get("rule", [])
            return cls(
                None if side == ANY else Side(side),
                str(data["edition"]),
                tuple(map(str, rules if isinstance(rules, list) else [rules])),
                int(data.get("lists", DEFAULT_OPTIONS.lists)),
                str(data.get("home_support", DEFAULT_OPTIONS.home_support)),
                str(data.get("card", DEFAULT_OPTIONS.card)),
                int(data.get("strength", DEFAULT_OPTIONS.strength)),
            )
        except (KeyError, TypeError, ValueError, OverflowError):
            raise malformed_request() from None


DEFAULT_OPTIONS = GameOptions(Side.BRITISH, DEFAULT_EDITION)


def routes(pages: Pages) -> list[BaseRoute]:
    """Return the routes of both forms, of changes to their options, and of their submission."""

    async def page(request: Request) -> Response:
        robot = _robot(pages, request)
        against, offered = (ROBOT, robot.strengths) if robot else (FRIEND, ())
        await pages.run(pages.service.identity)
        return pages.page(
            "new_game.html",
            title=LABELS[against],
            labels=LABELS,
            against=against,
            editions=[(id, edition_text(id), edition_summary(id)) for id in editions()],
            lists=[(number, frequency_text(number)) for number in NUMBERS_OF_LISTS],
            support=[(way, Message(text)) for way, text in HOME_SUPPORT.items()],
            strengths=[(strength, strength_text(strength)) for strength in offered],
            strength=min(last_strength(pages.service.home), max(offered, default=0)),
            usual=DEFAULT_OPTIONS,
            parts=_parts(pages, DEFAULT_OPTIONS),
            script="forms.js",
            styles=("forms.css",),
        )

    async def choose(request: Request) -> Response:
        _robot(pages, request)
        options = GameOptions.of(await read_json(request))
        return make_response(pages.language, _parts(pages, options))

    async def begin(request: Request) -> Response:
        robot, options = _robot(pages, request), GameOptions.of(await read_json(request))
        folders = robot.folders if robot else {options.strength: pages.service.home.games}
        if options.strength not in folders:
            raise malformed_request()
        folder = folders[options.strength]
        signed_file = await pages.run(_begin_game, pages, options, folder)
        return await open_game(pages, signed_file, robot)

    return [
        Route("/new/{against}", page),
        Route("/new/{against}/options", choose, methods=["POST"]),
        Route("/new/{against}", begin, methods=["POST"]),
    ]


async def open_game(pages: Pages, invitation: SignedFile, robot: Robot | None) -> Response:
    """Return a response that opens a new game, with the robot once it has joined or failed to."""
    pages.events.send("games")
    game = invitation.match.id.hex()
    for _ in range(_MAX_POLLS):
        if robot is None or robot.troubles:
            break
        if (await pages.run(pages.service.entry, game)).game.records > 1:
            break
        await asyncio.sleep(_POLL_SECONDS)
    return make_response(pages.language, go=f"/games/{game}")


def _robot(pages: Pages, request: Request) -> Robot | None:
    """Return the robot to play against, or None for a friend.

    Raises HTTPException for another path.
    """
    against = request.path_params["against"]
    robot = pages.host.robot if against == ROBOT else None
    if robot is None and against != FRIEND:
        raise HTTPException(404)
    return robot


def _begin_game(pages: Pages, options: GameOptions, folder: Path) -> SignedFile:
    """Sign and write the invitation into a folder. Raises UsageError or InvalidRulesError."""
    ruleset, card = Ruleset.of(options.edition, options.house_rules), None
    if ruleset.has_start_choice(options.side):
        card = start_card(pages.language, options.card, new_game(ruleset))
    if options.lists not in NUMBERS_OF_LISTS or options.home_support not in HOME_SUPPORT:
        raise malformed_request()
    return write_invitation(
        pages,
        folder,
        options.side,
        edition=options.edition,
        house_rules=ruleset.house_rules,
        lists=options.lists,
        home_support=options.home_support,
        start_card=card,
    )


def write_invitation(pages: Pages, folder: Path, side: Side | None, **options: Any) -> SignedFile:
    """Sign an invitation with the options of `Session.invite`, and write it into a folder."""
    session, note = pages.service.session(), pages.service.on_file_written
    invitation = session.invite(side, **options)
    path = folder / invitation.path
    return sign(invitation, session.identity, session.store, path=path, note=note)


# --- dependent options


def _parts(pages: Pages, options: GameOptions) -> dict[str, Markup]:
    """Return the elements that depend on the options, by id."""
    ruleset, conflict = _ruleset(options.edition, options.house_rules)
    has_card = ruleset is not None and ruleset.has_start_choice(options.side)
    cards = start_cards(pages.language, new_game(ruleset)) if ruleset and has_card else []
    chosen = LABELS["chosen"].with_facts(number=len(options.house_rules), all=len(house_rules()))
    return {
        "rules": pages.fill(
            "house_rules.html",
            groups=[
                (Message(group), list(_rules(options, rules)))
                for group, rules in house_rules_by_group().items()
            ],
        ),
        "chosen": escape(pages.language.say(chosen)),
        "wrong": pages.fill("wrong.html", wrong=conflict),
        "card": pages.fill("start_card.html", labels=LABELS, cards=cards, chosen=options.card),
    }


def _rules(
    options: GameOptions, rules: Iterable[HouseRule]
) -> Iterator[tuple[HouseRule, Message, bool, Phrase]]:
    """Yield each house rule with its summary, True if it is chosen, and a reason against it."""
    for rule in rules:
        is_chosen = rule.id in options.house_rules
        combined = [*(rule_id for rule_id in options.house_rules if rule_id != rule.id), rule.id]
        why_not = NOTHING if is_chosen else _ruleset(options.edition, combined)[1]
        yield rule, Message(rule.summary), is_chosen, why_not


def _ruleset(edition: str, rules: Iterable[str]) -> tuple[Ruleset | None, Phrase]:
    """Return an edition with house rules, or None and the reason that they conflict."""
    try:
        return Ruleset.of(edition, rules), NOTHING
    except InvalidRulesError as error:
        return None, message_of(error)
