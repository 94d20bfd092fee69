"""What a player sees first when a turn is led: as much as there is room for above the choices.

Whose move it is, what was done, sieges and the hand are there in any case, in fewer words where the
window is low. What the hand is good for, the board and the rest come where it is high enough; the
words that show what is left out stand below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rich.text import Text

from engine.message import Message, Said, sentences, with_colon
from pbem.cli import console
from pbem.cli.last_deeds import cut, say_deeds, say_notes, say_own_turn
from pbem.cli.leading.looks import LOOKS, say_own_hand
from pbem.cli.position import panels
from pbem.play.turn import Turn
from pbem.protocol.hand import HiddenCards
from pbem.text.facts.position_facts import position_facts
from pbem.text.ordering import led_turn
from pbem.text.phrases import listed, money_counted, names
from pbem.text.position import siege_heading, siege_standing

Lines = list[str]
Ways = list[Lines]
"""A part of the screen, told in ways that are ever longer, of which the last tells all."""

_WORDS = {
    "own turn": "last",
    "happened": "last",
    "notes": "notes",
    "hand": "hand",
    "map": "map",
    "piles": "show",
}
"""By which word a player sees the whole of a part that is not there, or not whole."""
_MATTERS = (
    ("map", None),
    ("happened", None),
    ("sieges", 1),
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
    ("above deeds", None),
    ("above words", None),
)
"""What is told at more length where there is room, and how far: what matters most comes first."""
_DRAWN = ("map", "above map", "score", "hidden hands", "piles")


def say_first_screen(answer: Turn, room: int) -> None:
    """Print what fits in that many rows, and at least what must not be missing.

    For a screen reader rows are no matter: there all is told but what would be drawn.
    """
    parts = _parts(answer)
    if console.is_plain():
        chosen = {part: 0 if part in _DRAWN else len(ways) - 1 for part, ways in parts.items()}
    else:
        chosen = _chosen(parts, room)
    # Of the words by which to see more, only those are told for which there is more.
    parts["words"] = [_words(part for part in _WORDS if chosen[part] < len(parts[part]) - 1)]
    for part, ways in parts.items():
        console.put(ways[chosen[part]])


def _chosen(parts: Mapping[str, Ways], room: int) -> dict[str, int]:
    """In which way each part is told, by its number, so that all of them have room."""
    chosen = dict.fromkeys(parts, 0)
    left = room - sum(len(ways[0]) for ways in parts.values())
    for part, most in _MATTERS:
        ways = parts[part]
        for way in range(chosen[part] + 1, len(ways) if most is None else min(len(ways), most + 1)):
            more = len(ways[way]) - len(ways[chosen[part]])
            if more <= left:
                left, chosen[part] = left - more, way
    return chosen


# --- the parts


def _parts(answer: Turn) -> dict[str, Ways]:
    """Return what there is to be told, from top to bottom."""
    match, state, side = answer.match, answer.view(), answer.side
    facts, name, width = position_facts(state, side), names(state), console.columns()
    own = HiddenCards(match, side, answer.secrets.secret)
    cards = listed(state.players[side].hand, name)
    money = money_counted(state.players[side].money)
    hand = with_colon(Message("Your hand ({money})", money=money))
    headings = [siege_heading(siege, name) for siege in facts.sieges]
    standing = [
        sentences(with_colon(heading), siege_standing(siege))
        for heading, siege in zip(headings, facts.sieges, strict=True)
    ]
    gap: Ways = [[], [""]]
    return {
        "title": [_said(led_turn.your_move(match, side), style="bold")],
        "piles": [[], [*_drawn(panels.piles(facts, name, width)), ""]],
        "map": [[], _printed(lambda: LOOKS["map"](answer))],
        "above map": gap,
        "score": [[], _drawn(panels.score_across(facts, width))],
        "hidden hands": [[], _drawn(panels.hidden_hands(facts, name, width))],
        "sieges": [
            [line for each in headings for line in _said(each)],
            [line for each in standing for line in _said(each)],
            _drawn(panels.sieges(facts, name, width)),
        ],
        "above deeds": gap,
        "own turn": _cut(_printed(lambda: say_own_turn(match, side))),
        "happened": _cut(_printed(lambda: say_deeds(match, side, own))),
        "notes": _cut(_printed(lambda: say_notes(answer.notes))),
        "above hand": gap,
        "hand": [
            _printed(lambda: console.say_hanging("", sentences(hand, cards))),
            _printed(lambda: say_own_hand(answer)),
        ],
        "above words": gap,
        "introduction": [[], _said(led_turn.introduction(name))],
        "words": [_words(_WORDS)],
    }


def _printed(say: Callable[[], None]) -> Lines:
    """Return the lines that are printed so."""
    with console.kept_back() as lines:
        say()
    return lines


def _said(text: Said, style: str = "") -> Lines:
    return _printed(lambda: console.say(text, style))


def _drawn(lines: list[Text]) -> Lines:
    return _printed(lambda: console.show_lines(lines))


def _words(parts: Iterable[str]) -> Lines:
    return _said(led_turn.more_to_see([*dict.fromkeys(_WORDS[part] for part in parts)]))


def _cut(lines: Lines) -> Ways:
    """Lines, cut off behind each of them, if there are any."""
    return [cut(lines, most) for most in range(1, len(lines))] + [lines]
