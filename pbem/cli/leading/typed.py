"""The words that can be typed in a led turn beside orders: in English, or as the player speaks."""

from __future__ import annotations

from collections.abc import Iterable

from engine.message import Message, mark_in
from pbem.words.naming import normal

# Translators: each is typed, alone, in the middle of a turn; they have to differ from each other
# and from the verbs of orders.
WORDS = {
    "show": mark_in("typed", "show"),
    "map": mark_in("typed", "map"),
    "hand": mark_in("typed", "hand"),
    "last": mark_in("typed", "last"),
    "undo": mark_in("typed", "undo"),
    "undo all": mark_in("typed", "undo all"),
    "restart": mark_in("typed", "restart"),
    "notes": mark_in("typed", "notes"),
    "wait": mark_in("typed", "wait"),
    "legal": mark_in("typed", "legal"),
    "help": mark_in("typed", "help"),
    "quit": mark_in("typed", "quit"),
    "exit": mark_in("typed", "exit"),
    "n": mark_in("typed", "n"),
    "no": mark_in("typed", "no"),
    "back": mark_in("typed", "back"),
}
"""Every word by its English form, by which the program knows it; `console` knows yes and no too."""
BACK = ("n", "no", "back")
QUIT = ("quit", "exit")


def spoken_word(word: str) -> Message:
    """One of the words in the language spoken now."""
    return Message.within("typed", WORDS[word])


def meant(text: str) -> list[str]:
    """The words, in English, that a text is in English or in the language spoken now."""
    wanted = normal(text)
    return [word for word in WORDS if wanted in _forms(word)]


def begun_so(text: str, words: Iterable[str]) -> list[str]:
    """As they are spoken, those of the words that a text is the beginning of, in either form."""
    wanted = normal(text)
    found = (word for word in words if any(form.startswith(wanted) for form in _forms(word)))
    return list(dict.fromkeys(map(spoken_word, found)))


def _forms(word: str) -> tuple[str, str]:
    return word, normal(spoken_word(word))
