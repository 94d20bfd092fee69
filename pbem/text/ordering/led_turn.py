"""The words of a led turn besides orders: what can be typed, and what is said about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.message import (
    NOTHING,
    Made,
    Message,
    Run,
    commas,
    joined_with_or,
    mark,
)
from engine.order import Order
from engine.orders import Settle, Take
from engine.sides import Side
from engine.state import Decision
from pbem.foreign import clean
from pbem.play.turn import Turn
from pbem.protocol.match import Match
from pbem.text.language import Language
from pbem.text.lines import Line
from pbem.text.naming import meant_by, nearest, normal
from pbem.text.ordering.verbs import begins_with_verb, first_word, kinds_meant
from pbem.text.phrases import Name, player
from pbem.text.tables import entry, keys

_YES, _NO = Message.within("typed", "y"), Message.within("typed", "n")
GOING_ON = Message(
    "Go on with what you will do after that, whatever the answer, or {wait}.",
    wait=Message.within("typed", "wait"),
)
"""What can be done where an order has to be answered."""
WORDS = keys("typed")
"""Every word by its English form, by which the program knows it; front ends know yes and no too."""
LOOKED_UP = ("rules", "card", "location", "why", "help")
"""The words that are followed by what to look up."""
BACK = ("n", "no", "back")
QUIT = ("quit", "exit", "q")


def spoken_word(word: str) -> Message:
    """Return one of the words."""
    return Message.within("typed", word)


def meant(language: Language, text: str) -> list[str]:
    """Return the words, in English, that a text is in English or in that language."""
    wanted = normal(text)
    return [word for word in WORDS if wanted in _forms(language, word)]


def looked_up(language: Language, text: str) -> tuple[str, str] | None:
    """Return the word with which a text looks something up, and what; None where it does not.

    As the commands have it as well: `acres card Boston`.

    >>> english = Language("en")
    >>> [looked_up(english, text) for text in ("card York", "acres rules raid", "raid York")]
    [('card', 'York'), ('rules', 'raid'), None]
    """
    head, _, what = text.strip().partition(" ")
    if head == _PROGRAM:
        head, _, what = what.strip().partition(" ")
    word = next((word for word in meant(language, head) if word in LOOKED_UP), None)
    is_command = word is not None and (what.strip() or word in _ALONE)
    return (word, what.strip()) if word and is_command else None


_PROGRAM = "acres"
_ALONE = ("rules", "card", "location", "why")
"""What is asked back for its name, or lists all that there is."""


def nothing_to_look_up(word: str, name: Name) -> Message:
    """Return what is missing behind a word that looks something up, as a sentence."""
    examples = {"card": name("boston"), "location": name("boston")}
    return Message(
        "Name one, for example: {words}",
        words=Run((spoken_word(word), " ", examples.get(word, _example(name)))),
    )


def mistyped(language: Language, text: str) -> Message:
    """Return which words a text may mean that begins with none, and with no verb; else empty."""
    word = first_word(text)
    is_order = begins_with_verb(language, text) or kinds_meant(language, normal(word))
    if len(word) < _FEWEST or is_order:
        return NOTHING
    near = nearest(language, word, [form for each in WORDS for form in _forms(language, each)])
    words = dict.fromkeys(each for form in near for each in meant(language, form))
    likely = [spoken_word(each) for each in words if len(each) > 1]
    unknown = Message("There is no order “{word}”.", word=word)
    return unknown + meant_by(likely) if likely else NOTHING


_FEWEST = 3
"""A typing mistake in fewer letters could mean anything."""


def begun_so(language: Language, text: str, words: Iterable[str]) -> list[str]:
    """As the language has them, those of the words that a text begins, in either form."""
    wanted = normal(text)
    return list(
        dict.fromkeys(
            language.say(spoken_word(word))
            for word in words
            if any(form.startswith(wanted) for form in _forms(language, word))
        )
    )


def _forms(language: Language, word: str) -> tuple[str, str]:
    return word, normal(language.say(spoken_word(word)))


def introduction(name: Name) -> Message:
    """Return what can be typed, in short, with an example."""
    words = commas(map(spoken_word, _FIRST))
    return Message(
        "Type a number, or an order such as: {order}. Also: {words}.",
        order=_example(name),
        words=words,
    )


_FIRST = ("undo", "map", "why", "help")
"""The words that are shown before any is asked for."""


def your_move(match: Match, side: Side) -> Message:
    """Whose move it is, and in which game, to the player of a side."""
    return Message(
        "Your move against {player}, game {number}.",
        player=player(match, side.opponent),
        number=match.id.hex()[:8],
    )


def more_to_see(words: Sequence[str]) -> Message:
    """Return what can be typed to see more than is shown; the last one lists all words."""
    return Message(
        "To see more, type {words}.", words=joined_with_or(map(spoken_word, [*words, "help"]))
    )


def help_told(name: Name, map_key: str = "") -> Iterator[Line]:
    """Yield all that can be typed: each word with what it does, and the key for the map, if any."""
    yield Line(
        Message(
            "Type the number of a choice, or an order, such as: {order}. There is also:",
            order=_example(name),
        )
    )
    listing = Message(
        "what can be chosen; with words, such as ? {verb} or ? {place}, only what contains them",
        verb=Settle.words(),
        place=Made(str.lower, name("boston")),
    )
    undo_all = spoken_word("undo all")
    yield Line(listing, label="  ? ", in_columns=True)
    for word in keys("help"):
        label = Run(("  ", spoken_word(word), " "))
        text = entry("help", word, undo_all=undo_all, letter=spoken_word("m"))
        yield Line(text, label=label, in_columns=True)
    if map_key:
        told = Message("The key {key} shows the map, whatever is being typed.", key=map_key)
        yield Line(told, indent=2)


def agreement_hint(*, dry_run: bool) -> Message:
    """Return what can be answered when the whole turn is shown."""
    hint = mark("{yes} signs it, {no} goes back to your orders. The word {notes} edits your notes.")
    if dry_run:
        hint = mark(
            "{yes} ends the trial, {no} goes back to your orders. The word {notes} edits your "
            "notes."
        )
    return Message(hint, yes=_YES, no=_NO, notes=spoken_word("notes"))


def ambiguous(text: str, words: Iterable[str]) -> Message:
    """Return that what was typed is one word in English, and another in the player's language."""
    # Translators: {words} are told in the player's language.
    return Message(
        "“{text}” could mean more than one word: {words}.",
        text=clean(text),
        words=commas(map(spoken_word, words)),
    )


def nothing_taken_back(order: Order, name: Name) -> Message:
    """Return that a no to the whole turn takes no order back, and what does."""
    return Message(
        "That takes no order back. The word {undo} takes this one back: {order}",
        undo=spoken_word("undo"),
        order=order.text(name),
    )


def _example(name: Name) -> Message:
    return Take(None, ("boston",)).text(name)


def nothing_given(answer: Turn) -> Message:
    """Return what Enter alone cannot do at the beginning of the list, and what can be done."""
    if answer.view().awaiting.decision is Decision.TURN and answer.may_follow_up:
        return Message(
            "Something is left to decide; ? lists it, and {wait} leaves it for after the answer.",
            wait=spoken_word("wait"),
        )
    return Message("Something is left to decide; ? lists what you can do.")
