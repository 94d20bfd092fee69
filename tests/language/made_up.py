"""A language made up for tests of what is typed: some of its words are English ones, of others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from engine import naming
from language import LANGUAGES, SOURCE, speak, tongues

CODE = "qq"
WORDS = {
    "verb": {
        "settle": "siedeln",
        "take": "draft",
        "draft": "kaufen",
        "discard": "werfen",
        "raid": "überfallen",
        "give": "geben",
        "give from reserve": "geben aus vorrat",
        "home support": "hilfe aus der heimat",
    },
    "location": {
        "Boston": "Norfolk",
        "Norfolk": "Nordvolk",
        "Albany": "Weiß’burg",
        "Halifax": "Fort Neu",
        "Quebec": "Québeck",
    },
    "side": {"British": "Briten"},
    "typed": {"and": "und", "with": "mit samt", "in": "in an"},
}
"""What each word is in it, by context: “draft” is its take, and “Norfolk” its Boston."""
LEXICON = """
[forms."Québeck"]
genitive = "Québeckens"

[verbs]
settle = ["besiedelt", "neu siedeln"]
discard = ["wegwerfen"]

[words]
"nehmen" = "take"
"schützen" = "fortify"

[cards]
"Militia" = "Landwehr"
"Rangers" = "Militia"
"Home Support" = "Hilfe aus der Heimat"
"""


def compile_into(folder: Path) -> None:
    """Lay its catalogue and lexicon down where a language has them."""
    messages = folder / CODE / "LC_MESSAGES"
    messages.mkdir(parents=True)
    catalogue = Catalog(locale="de", domain=tongues.DOMAIN)
    for context, words in WORDS.items():
        for english, word in words.items():
            catalogue.add(english, word, context=context)
    with (messages / f"{tongues.DOMAIN}.mo").open("wb") as file:
        write_mo(file, catalogue)
    (folder / CODE / "lexicon.toml").write_text(LEXICON, encoding="utf-8")


@contextmanager
def made_up(folder: Path) -> Iterator[None]:
    """Speak it; `folder` is empty."""
    compile_into(folder)
    usual, tongues.LOCALE = tongues.LOCALE, folder
    LANGUAGES[CODE] = "made up"
    _forget()
    try:
        speak(CODE)
        yield
    finally:
        speak(SOURCE)
        del LANGUAGES[CODE]
        tongues.LOCALE = usual
        _forget()


def _forget() -> None:
    """Forget what is kept for the process."""
    tongues.catalogue.cache_clear()
    tongues.lexicon.cache_clear()
    naming._called.cache_clear()
