"""A made-up language for typed orders: some of its words are English words of other things."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copy, copytree

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from pbem.text import language as languages
from pbem.text import naming
from pbem.text.language import DOMAIN, NAMES, SOURCE, Language

CODE = "qq"
DATA = Path(__file__).with_name("made_up_language")
"""The folder with the words and the lexicon of the language."""


def compile_into(folder: Path) -> None:
    """Write the catalogue and lexicon of the language into a folder for languages."""
    messages = folder / CODE / "LC_MESSAGES"
    messages.mkdir(parents=True)
    catalogue = Catalog(locale="de", domain=DOMAIN)
    tables = tomllib.loads((DATA / "words.toml").read_text(encoding="utf-8"))
    for context, words in tables.items():
        for english, word in words.items():
            catalogue.add(english, word, context=context)
    with (messages / f"{DOMAIN}.mo").open("wb") as file:
        write_mo(file, catalogue)
    copytree(languages.LOCALE / SOURCE, folder / SOURCE)
    copy(DATA / "lexicon.toml", folder / CODE)


@contextmanager
def install_language(folder: Path) -> Iterator[Language]:
    """Install the language for the length of the block; `folder` is empty."""
    compile_into(folder)
    original, languages.LOCALE = languages.LOCALE, folder
    NAMES[CODE] = "made up"
    _forget()
    try:
        yield Language(CODE)
    finally:
        del NAMES[CODE]
        languages.LOCALE = original
        _forget()


def _forget() -> None:
    languages._catalogue.cache_clear()
    languages._lexicon.cache_clear()
    naming.spellings.cache_clear()
    forget_verbs()


def forget_verbs() -> None:
    """Forget the verbs of all languages."""
    for function in vars(naming).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()
