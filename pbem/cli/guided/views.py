"""The views of a guided turn: its first screen, the menu, and pages that the player asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from engine.choices import MAX_TRIES
from engine.message import Message, Phrase, sentences, with_colon
from engine.order import Family
from pbem.cli import console
from pbem.cli.app import program
from pbem.cli.pager import FROM_BEGINNING, page_output
from pbem.cli.position import (
    panels,
    say_hand,
    say_latest_events,
    say_moves,
    say_notes,
    say_own_turn,
    say_position,
)
from pbem.cli.position.map import draw_map
from pbem.errors import UsageError
from pbem.play.turn import Turn
from pbem.protocol.hand import HiddenCards
from pbem.text.board import map_text
from pbem.text.facts.position_facts import position_facts
from pbem.text.facts.why_not import Explanation
from pbem.text.language import Language, Line
from pbem.text.naming import find_names, likely_names
from pbem.text.ordering import guided_turn
from pbem.text.ordering.explanation import explain_typed_order, explanation_text, verdict
from pbem.text.ordering.guided_turn import lookup_hint, word_label
from pbem.text.ordering.lists import Suggestion
from pbem.text.ordering.menu import GROUPS, Menu
from pbem.text.ordering.submit import no_order_reasons
from pbem.text.phrases import card_list, money_amount, names
from pbem.text.position import siege_heading, siege_standing
from pbem.text.rules import lookup
from pbem.text.rules.in_position import View
from pbem.text.rules.lookup import Subject
from pbem.text.rules.topic import titles_by_word

# --- views


GAP = 3
"""The distance between group headings and actions, and between actions, in columns."""
MIN_HEADING_WIDTH = 60
"""The minimum width for headings on the left of their groups; else they are above them."""
MIN_GROUP_HEIGHT = 32
"""The minimum height for a line for each action of a turn; else actions share lines."""
MIN_MAP_WIDTH = 80
"""The minimum width for the map."""


def say_menu(menu: Menu, *, in_full: bool = False) -> None:
    """Print the choices with their numbers, under a heading with the parts chosen so far.

    In a low window the actions of a turn share lines, unless `in_full` is true.
    """
    if menu.heading:
        console.say(with_colon(menu.heading), style="bold")
    if menu.is_of_turn and not in_full and not _is_narrow() and console.rows() < MIN_GROUP_HEIGHT:
        _say_side_by_side(menu)
    else:
        _say_in_lines(menu)
    say_omitted_count(menu)


def say_omitted_count(menu: Menu) -> None:
    """Print the number of orders that are not listed."""
    if menu.omitted:
        console.item(
            Message.counted(
                "... and {count} more: add words to narrow the list.",
                "... and {count} more: add words to narrow the list.",
                menu.omitted,
            )
        )


def _say_in_lines(menu: Menu) -> None:
    """Print each choice on a line of its own, and actions under the headings of their groups."""
    headings = {group: console.translate(Message.within("group", group)) for group in GROUPS}
    margin = max(map(cell_len, headings.values())) + GAP
    group = ""
    for item in menu.items:
        heading = headings[Family(item.group)] if item.group != group else ""
        group = item.group
        if heading and _is_narrow():
            console.say(with_colon(heading))
        label = set_cell_size(heading, margin) if group and not _is_narrow() else ""
        console.say_hanging(f"  {label}{item.number:>2}  ", item.label)


def _say_side_by_side(menu: Menu) -> None:
    """Print choices side by side; a choice that leads to another list ends in an ellipsis."""
    rows = [""]
    for item in menu.items:
        text = item.label if item.order else item.prefix.kind.verb_label()
        choice = f"{item.number:>2}  {console.translate(text)}{'' if item.order else '…'}"
        if rows[-1] and cell_len(rows[-1]) + GAP + cell_len(choice) > console.width():
            rows.append("")
        rows[-1] += f"{' ' * GAP if rows[-1] else '  '}{choice}"
    for row in filter(None, rows):
        console.say_hanging(row[:6], row[6:])


def _is_narrow() -> bool:
    return console.is_plain() or console.width() < MIN_HEADING_WIDTH


def say_own_hand(turn: Turn) -> None:
    """Print the player's hand."""
    say_hand(turn.view(), turn.side, turn.look.ahead)


def _say_map(turn: Turn) -> None:
    if console.is_plain() or console.columns() < MIN_MAP_WIDTH:
        for line in map_text(console.language(), turn.view()):
            console.say(line)
    else:
        console.show_lines(draw_map(turn.view(), console.columns()))


def say_what_happened(turn: Turn) -> None:
    """Print the latest events, including those of this turn, and announced orders."""
    match, side = turn.match, turn.side
    console.say(with_colon(Message("What happened last")), style="bold")
    say_latest_events(match, side, HiddenCards(match, side, turn.secrets.secret))


VIEWS: Mapping[str, Callable[[Turn], None]] = {
    "show": lambda turn: say_position(turn.view(), turn.side, turn.look.ahead),
    "map": _say_map,
    "hand": say_own_hand,
    "last": say_what_happened,
}
"""The functions that print a view, by command word."""


# --- pages of rules, cards and locations for this position

Page = Callable[[Language, str, Subject], Iterator[Line]]
PAGES: Mapping[str, Page] = {
    "rules": lookup.look_up_page,
    "card": lookup.look_up_card,
    "location": lookup.look_up_location,
    "help": partial(lookup.look_up_page, search_all=True),
}


def show_page(turn: Turn, word: str, name: str) -> None:
    """Print the page for the name after a command word, or the reasons why an order is not legal.

    For an unknown name, an error is printed.
    """
    try:
        lines = list(_page_lines(turn, word, name))
    except UsageError as error:
        console.say(error.message, style="yellow")
        return
    with page_output(FROM_BEGINNING):
        console.say_lines(lines)


def _page_lines(turn: Turn, word: str, subject: str) -> Iterable[Line]:
    language, side = console.language(), turn.side
    if not subject and word != "rules":
        return [Line(lookup_hint(word, turn))]
    if word == "why":
        return _explain(turn, explain_typed_order(language, turn.worlds, side, subject))
    view = turn.view()
    return PAGES[word](language, subject, Subject(view.ruleset, View(view, side), "", program()))


def _explain(turn: Turn, explanation: Explanation) -> Iterator[Line]:
    """Yield the reasons why an order is not legal; without cards, those for its kind and place."""
    prefix, choices = explanation.prefix, turn.choices
    lacks_cards = explanation.order is None and prefix.location is not None and not prefix.cards
    if lacks_cards and not explanation.is_premature and choices.orders(prefix, MAX_TRIES) == []:
        yield Line(verdict(explanation))
        for line in no_order_reasons(console.language(), turn, prefix):
            yield line._replace(indent=line.indent + 2)
        return
    yield from explanation_text(explanation, None if turn.takes_no_order else turn, program())


def suggest_details(turn: Turn, word: str, text: str) -> list[Suggestion]:
    """Return the completions of a line with this command word and part of a name."""
    language, catalogue = console.language(), turn.match.state.ruleset.catalogue
    names: Mapping[str, Phrase] = {}
    if word == "location":
        names = {id: catalogue.name_of(id) for id in catalogue.locations}
    elif word == "card":
        names = {id: catalogue.name_of(id) for cards in catalogue.cards.values() for id in cards}
    elif word in ("rules", "help"):
        names = {topic: topic for topic in titles_by_word(language)[0]}
    labels = {id: language.say(name) for id, name in names.items()}
    matches = likely_names(language, text, find_names(language, text, labels)) if text else labels
    command = language.say(word_label(word))
    return [Suggestion(f"{command} {match}", match) for match in sorted({*matches.values()})]


# --- the first screen


Lines = list[str]
Versions = list[Lines]
"""A part of the screen in versions of growing length; the last version is complete."""

_VIEW_WORDS = {
    "own turn": "last",
    "happened": "last",
    "notes": "notes",
    "hand": "hand",
    "map": "map",
    "piles": "show",
}
"""The command words that show parts of the screen in full."""
_PRIORITIES = (
    ("map", None),
    ("happened", None),
    ("sieges", 2),
    ("own turn", None),
    ("notes", None),
    ("hand", None),
    ("score", None),
    ("sieges", None),
    ("hidden hands", None),
    ("piles", None),
    ("introduction", None),
    ("above hand", None),
    ("above map", None),
    ("above moves", None),
    ("above words", None),
)
"""The parts that grow if there is room, most important first, and how many versions are tried."""
_DRAWINGS = ("map", "above map", "score", "hidden hands", "piles")


def say_first_screen(turn: Turn, max_lines: int) -> None:
    """Print the parts of the first screen that fit in `max_lines` lines.

    Essential parts are printed in any case. In plain mode the number of lines does not matter, and
    everything is printed except drawings.
    """
    parts = _parts(turn)
    if console.is_plain():
        numbers = {key: 0 if key in _DRAWINGS else len(texts) - 1 for key, texts in parts.items()}
    else:
        numbers = _choose_versions(parts, max_lines)
    # Only the command words that show more than the screen are listed.
    parts["words"] = [_hint(part for part in _VIEW_WORDS if numbers[part] < len(parts[part]) - 1)]
    for part, texts in parts.items():
        console.write_lines(texts[numbers[part]])


def _choose_versions(parts: Mapping[str, Versions], max_lines: int) -> dict[str, int]:
    """Return the version of each part, by number, so that all parts fit in `max_lines` lines."""
    numbers = dict.fromkeys(parts, 0)
    rows = max_lines - sum(len(texts[0]) for texts in parts.values())
    for part, limit in _PRIORITIES:
        texts = parts[part]
        for number in range(numbers[part] + 1, len(texts[:limit])):
            growth = len(texts[number]) - len(texts[numbers[part]])
            if growth <= rows:
                rows, numbers[part] = rows - growth, number
    return numbers


# --- the parts


def _parts(turn: Turn) -> dict[str, Versions]:
    """Return the parts of the screen, from top to bottom."""
    match, state, side = turn.match, turn.view(), turn.side
    facts, name, width = position_facts(state, side), names(state), console.columns()
    own_cards = HiddenCards(match, side, turn.secrets.secret)
    cards = card_list(state.players[side].hand, name)
    money = money_amount(state.players[side].money)
    hand = with_colon(Message("Your hand ({money})", money=money))
    headings = [siege_heading(siege, name) for siege in facts.sieges]
    siege_texts = [
        sentences(with_colon(heading), siege_standing(siege))
        for heading, siege in zip(headings, facts.sieges, strict=True)
    ]
    gap: Versions = [[], [""]]
    return {
        "title": [_text_lines(guided_turn.move_notice(match, side), style="bold")],
        "piles": [[], [*_drawing_lines(panels.pile_lines(facts, name, width)), ""]],
        "map": [[], _capture(lambda: VIEWS["map"](turn))],
        "above map": gap,
        "score": [[], _drawing_lines(panels.score_by_side(facts, width))],
        "hidden hands": [[], _drawing_lines(panels.hidden_hand_lines(facts, name, width))],
        "sieges": [
            [line for text in headings for line in _text_lines(text)],
            [line for text in siege_texts for line in _text_lines(text)],
            _drawing_lines(panels.siege_lines(facts, name, width)),
        ],
        "above moves": gap,
        "own turn": _truncate(_capture(lambda: say_own_turn(match, side))),
        "happened": _truncate(_capture(lambda: say_moves(match, side, own_cards))),
        "notes": _truncate(_capture(lambda: say_notes(turn.notes))),
        "above hand": gap,
        "hand": [
            _capture(lambda: console.say_hanging("", sentences(hand, cards))),
            _capture(lambda: say_own_hand(turn)),
        ],
        "above words": gap,
        "introduction": [[], _text_lines(guided_turn.typing_hint(turn))],
        "words": [_hint(_VIEW_WORDS)],
    }


def _capture(say: Callable[[], None]) -> Lines:
    """Return the lines that a function prints."""
    with console.capture() as lines:
        say()
    return lines


def _text_lines(text: Phrase, style: str = "") -> Lines:
    return _capture(lambda: console.say(text, style))


def _drawing_lines(lines: list[Text]) -> Lines:
    return _capture(lambda: console.show_lines(lines))


def _hint(parts: Iterable[str]) -> Lines:
    return _text_lines(guided_turn.words_hint([*dict.fromkeys(_VIEW_WORDS[key] for key in parts)]))


def _truncate(lines: Lines) -> Versions:
    """Return versions of `lines` cut off after each line, with an ellipsis, then all lines."""
    return [[*lines[: end - 1], f"{lines[end - 1]} …"] for end in range(1, len(lines))] + [lines]
