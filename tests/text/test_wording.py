"""The wording of catalogues: mistakes that native readers found do not come back."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from engine.house_rules import house_rules
from engine.message import Message
from pbem.cli.main import commands
from pbem.text.language import NAMES, SOURCE, Language
from pbem.text.phrases import row_text
from tests.text.test_catalogues import OTHERS, messages, texts
from tools.catalogues import all_commands

NO_BREAK = "\u00a0"
LABELLED = {"Note: {sentence}", "{place}: {sentence}"}
"""English has a capital after a label; what stands after a place begins with a verb in quotes."""
CAPITALIZED_NAMES = {"Tab", "Outlook", "Deerfield", "New", "Дирфилд", "Нью"}
"""How names begin that have their capital wherever they stand."""
REJECTED_WORDS = {
    "en": r"\b(an|the) own\b|\b[Bb]y itself\b|\bUsual\b|\bElse you\b|\bso many\b|\b[Tt]ake it up\b"
    r"|\bholds? the end up\b|\bnobody['’]s$|\bfirst deck\b|\bfile more\b|\bany more\?$",
    "fr": r"(?<=[^\W\d_])'(?=[^\W\d_])|’est (plus )?à personne\b|\b\d d’argent"
    r"|^Vous pouvez ?:|\bprogramme de mess|\bd’habitude\b|\bportent à \{|\bavis\b|\bordonn(é|er)\b"
    r"|\bacres plus récent",
    "it": r"(?<=[^\W\d_])'(?=[^\W\d_])|\b[Pp]assphrase\b|\b[Bb]ritannic|\b[Vv]ostr[oaie]\b"
    r"|\b[Dd]i solito\b|\babitual|\bprimo mazzo\b|^Puoi:|^fini$|, e (pagato|ricevuto)\b"
    r"|\bperdut[oaie]\b|\b[Pp]er lago\b|\b[Ii]nvi(a|are|at[oaie])\b|\buscita,",
    "ru": r"\b[Нн]ичь[иеёю](?!й рук)|\b[Нн]ичей|\b[Оо]бычно\b|\bобычное\b|\b[Пп]ротивник"
    r"|\b[Кк]орабл|\b[Пп]озици|играть в осаду|^Вы можете:|\b[Ии]ндийск|за терминал"
    r"|\bнов(ой|ая) acres",
}
"""Patterns that no message may contain, by language: words against the glossary, and mistakes."""


def all_texts(language: str) -> Iterator[str]:
    """Yield all texts of a language; the English ones are alike in every catalogue."""
    for message in messages(OTHERS[0] if language == SOURCE else language):
        yield from texts(message.id if language == SOURCE else message.string)


@pytest.mark.parametrize("language", NAMES)
def test_no_sentence_has_the_id_of_a_house_rule(language: str) -> None:
    """House rules have names in every language; ids are only typed."""
    assert [text for text in all_texts(language) for rule in house_rules() if rule in text] == []


@pytest.mark.parametrize("language", NAMES)
def test_no_sentence_goes_on_with_a_capital_after_a_colon(language: str) -> None:
    sides = {m.string for m in messages(OTHERS[0] if language == SOURCE else language)
             if m.context == "side"} if language != SOURCE else {"British", "French"}  # fmt: skip
    matches = [
        text
        for text in all_texts(language)
        for word in re.findall(r":\s+[“«]?\s?([^\W\d_][^\W\d_]+)", text)
        if word[0].isupper() and not word.isupper() and word not in sides | CAPITALIZED_NAMES
    ]
    assert matches == []
    wholes = {text.replace(NO_BREAK, "") for text in all_texts(language) if ": {sentence}" in text}
    assert wholes <= (LABELLED if language == SOURCE else {"{place}: {sentence}"})


@pytest.mark.parametrize("language", NAMES)
def test_rejected_words_are_in_no_message(language: str) -> None:
    assert [text for text in all_texts(language) if re.search(REJECTED_WORDS[language], text)] == []


def test_in_french_high_marks_stand_after_a_space_that_does_not_break() -> None:
    """Typed orders such as `settle Deerfield: Boston` and ellipses are exceptions."""
    loose = [text for text in all_texts("fr") if re.search(r" [;:!?»]|« ", text)]
    tight = [
        text
        for text in all_texts("fr")
        if re.search(rf"[^\W\d_][;!?](?!\w)|[^\W\d_»]:{NO_BREAK}", text)
    ]
    assert (loose, tight) == ([], [])


@pytest.mark.parametrize("language", NAMES)
def test_every_example_of_a_help_leaves_room_for_its_purpose(language: str) -> None:
    """An example without room for its purpose at 80 columns would be left out."""
    say, wide = Language(language).say, []
    for command in all_commands(commands(SOURCE)):
        rows = getattr(command, "examples", ())
        widest = max((len(say(Message(row.line))) for row in rows), default=0)
        wide += [row for row in rows if widest + len(say(Message(row.purpose))) > 74]
    assert wide == []


def test_messages_of_a_table_that_read_alike_are_equal() -> None:
    """Messages are equal if they differ only in facts that their text does not contain."""
    one, other = (row_text("lacking", "fortification", card=card) for card in ("boston", "quebec"))
    assert one == other != row_text("lacking", "siege_card")
