"""The words that can be typed in a led turn beside orders: in English, or in one's language."""

from __future__ import annotations

from collections.abc import Iterable

from engine.message import Message, mark_in
from pbem.words.language import Language
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
    """One of the words."""
    return Message.within("typed", WORDS[word])


def meant(language: Language, text: str) -> list[str]:
    """The words, in English, that a text is in English or in that language."""
    wanted = normal(text)
    return [word for word in WORDS if wanted in _forms(language, word)]


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
