"""A language made up for tests of what is typed: some of its words are English ones, of others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copytree

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from pbem.text import language as languages
from pbem.text import naming
from pbem.text.language import DOMAIN, NAMES, SOURCE, Language

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
}
"""What each word is in it, by context: “draft” is its take, and “Norfolk” its Boston."""
LEXICON = """
[forms."Québeck"]
genitive = "Québeckens"

[verbs]
settle = ["besiedelt", "neu siedeln"]
discard = ["wegwerfen"]

[small]
joining = "und mit samt in an"

[words]
"kriegen" = "draft"

[cards]
"Militia" = "Landwehr"
"Rangers" = "Militia"
"Home Support" = "Hilfe aus der Heimat"
"""


def compile_into(folder: Path) -> None:
    """Lay its catalogue and lexicon down where a language has them."""
    messages = folder / CODE / "LC_MESSAGES"
    messages.mkdir(parents=True)
    catalogue = Catalog(locale="de", domain=DOMAIN)
    for context, words in WORDS.items():
        for english, word in words.items():
            catalogue.add(english, word, context=context)
    with (messages / f"{DOMAIN}.mo").open("wb") as file:
        write_mo(file, catalogue)
    copytree(languages.LOCALE / SOURCE, folder / SOURCE)
    (folder / CODE / "lexicon.toml").write_text(LEXICON, encoding="utf-8")


@contextmanager
def made_up(folder: Path) -> Iterator[Language]:
    """The language, while this lasts; `folder` is empty."""
    compile_into(folder)
    usual, languages.LOCALE = languages.LOCALE, folder
    NAMES[CODE] = "made up"
    _forget()
    try:
        yield Language(CODE)
    finally:
        del NAMES[CODE]
        languages.LOCALE = usual
        _forget()


def _forget() -> None:
    """Forget what is kept for the process."""
    languages._catalogue.cache_clear()
    languages._lexicon.cache_clear()
    naming.spellings.cache_clear()
    forget_verbs()


def forget_verbs() -> None:
    """Forget the verbs of all languages."""
    for each in vars(naming).values():
        if hasattr(each, "cache_clear"):
            each.cache_clear()
