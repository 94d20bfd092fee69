"""Foreign names and addresses do not control the terminal or imitate the program."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from pbem import foreign
from pbem.cli import console
from pbem.cli.console import use_language
from pbem.foreign import MAX_NAME_COLUMNS, clean, protect_spaces, replace_quotes, restore_spaces
from pbem.mail.connection import quote
from pbem.protocol.identity import Identity
from pbem.text.language import NAMES, InflectedName
from tests.text.throwaway import throwaway


def shown_name(name: str) -> str:
    """Return a player's name as it is displayed."""
    return console.translate(foreign.display_name(name))


def mailbox(address: str) -> str:
    return console.translate(foreign.display_address(address))


HARMLESS = [
    "Anna", "Émile", "Zoé O’Neil-Smith Jr.", "D'Arcy", "Игорь Иванов", "李小龍", "Łukasz",
    "Nguyễn Văn", "Dr. Ann Bo", "José María de la", "Anna2", "कमला", "ก้อง",
]  # fmt: skip
SPEAKING = [
    "Anna (British, you)", "acres: error", "Note: all is well", "You", "you", "British",
    "THE FRENCH",
    "Anna <a@b>", "a, b", "a/b", "[bold]x[/]", "$(reboot)", "a\tb:c", "Anna — British", "1. Anna?",
    "Anna; drew 2 cards", "- Anna", "...", "’", "This file holds.", "one two three four five",
    "acresː error", "acres꞉ error", "acres： error", "🎲 Bob", "אנה", "ليلى", "Anna×2",
]  # fmt: skip
CLOSING = '"“”„‟«»‹›‘‛‚″‶ʺˮ˝〃＂〝〞〟❝❞❮❯״🙶🙷🙸'
STEERING = "\x00\x07\x08\r\n\x1b\x7f\x9b\u200e\u202a\u202e\u2066\u2069\u2028\u2029\ufeff\U000e0041"


@pytest.mark.parametrize("name", HARMLESS)
def test_ordinary_names_are_unquoted(name: str) -> None:
    assert shown_name(name) == name


@pytest.mark.parametrize("name", SPEAKING)
def test_name_like_the_programs_words_is_quoted(name: str) -> None:
    assert shown_name(name) == f"“{clean(name)}”"


@pytest.mark.parametrize(
    ("language", "name"),
    [("ru", "Британцам"), ("ru", "бостона"), ("ru", "3 карты"), ("it", "lago Erie"),
     ("it", "Degli Inglesi"), ("fr", "lac Érié")],
)  # fmt: skip
def test_inflected_word_is_quoted_and_unchanged(language: str, name: str) -> None:
    with use_language(language):
        text = shown_name(name)
        assert text[1:-1].strip() == name
        assert text[0] in "“«"
        for form in ("genitive", "dative", "de", "di", "a", "da"):
            assert format(InflectedName(text, console.language().form), form).endswith(text)
    assert shown_name(name) == name


@pytest.mark.parametrize("mark", CLOSING)
def test_no_name_closes_its_quotes(mark: str) -> None:
    inside = shown_name(f"x{mark} (British, you)").removeprefix("“").removesuffix("”")
    assert inside == "x’ (British, you)"


@pytest.mark.parametrize(
    "name",
    ["", " ", "\u3164", "\u2800\u2800", "\u200b", "\x1b\x07", "\u0301", "\ufe0f", "\u115f \u034f"],
)
def test_invisible_name_is_shown_as_a_question_mark(name: str) -> None:
    assert shown_name(name) == "“?”"


def test_tower_of_accents_is_cut() -> None:
    tower = shown_name("Z" + "\u0335\u0336\u0337\u0338" * 10 + "oe")
    marks = [c for c in tower if unicodedata.category(c)[0] == "M"]
    assert (len(marks), tower[-2:]) == (2, "oe")
    # Neither a prefix nor a space takes a column.
    assert shown_name("\u0338Anna \u0338Bo") == "Anna Bo"


def test_letters_of_all_languages_keep_their_marks() -> None:
    for name in ("Nguye\u0302\u0303n", "Жанна\u0301", "กิ่ง"):
        assert unicodedata.normalize("NFD", shown_name(name)) == unicodedata.normalize("NFD", name)


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("x" * 32, "x" * 32),
        ("x" * 33, "x" * 31 + "…"),
        ("李" * 16, "李" * 16),
        ("李" * 17, "李" * 15 + "…"),
        ("e\u0301" * 32, "é" * 32),
        ("x" * 30 + " yz", "x" * 30 + "…"),
    ],
)
def test_long_name_is_cut_at_the_last_column(name: str, short: str) -> None:
    assert shown_name(name) == short
    assert cell_len(short) <= MAX_NAME_COLUMNS


@given(st.text(st.one_of(st.characters(), st.sampled_from(STEERING + CLOSING + " :()"))))
def test_names_are_one_word_of_a_line(name: str) -> None:
    text = shown_name(name)
    assert not [c for c in text if unicodedata.category(c)[0] == "C" or c in "\u2028\u2029"]
    assert text.strip() == text
    is_quoted = text.startswith("“")
    assert is_quoted == text.endswith("”")
    assert not set(text[is_quoted : len(text) - is_quoted]) & set(CLOSING)
    assert is_quoted or not set(text) & set(":()<>[],;/\\“”")
    # The quotes take two columns.
    assert sum(1 for c in text if unicodedata.category(c)[0] != "M") <= MAX_NAME_COLUMNS + 2


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126)))
def test_address_cannot_close_its_brackets(address: str) -> None:
    text = mailbox(address)
    assert not set(text) & set("<>") and "\n" not in text
    usual = all(c.isalnum() or c in "@.+-_%=" for c in address)
    assert (text == address) == usual


QUOTES = "“”„‟«»‹›‘’‚‛❝❞〝〞＂"


@given(st.text(st.sampled_from(QUOTES + 'a "\n')))
def test_quoted_text_cannot_close_its_quotes_in_any_language(text: str) -> None:
    for quoted in (replace_quotes(text), mailbox(f"{text}»”")[1:-1]):
        assert not set(quoted) & set("“”„‟«»❝❞〝〞＂\n")


@pytest.mark.parametrize("language", NAMES)
def test_server_text_cannot_close_its_quotes(language: str) -> None:
    with use_language(language):
        assert console.translate(quote("no” » “ « .")).count("'") == 4


def test_identity_may_have_any_of_these_names() -> None:
    for name in HARMLESS + SPEAKING[:5]:
        assert Identity.generate(name, "").name == name


def test_name_like_the_programs_words_is_quoted_in_their_language() -> None:
    assert shown_name("Vous") == "Vous"
    with throwaway(lambda message: "vous, les Britanniques" if "," in message else message):
        text = [shown_name(name) for name in ("Vous", "LES BRITANNIQUES", "you", "Anna")]
    assert text == ["“Vous”", "“LES BRITANNIQUES”", "“you”", "Anna"]


@pytest.mark.parametrize(
    ("language", "quoted"),
    [("en", "“{}”"), ("fr", "«\u00a0{}\u00a0»"), ("it", "«{}»"), ("ru", "«{}»")],
)
def test_name_is_quoted_as_in_the_current_language(language: str, quoted: str) -> None:
    with use_language(language):
        text = [shown_name("Anna (you)"), mailbox("a>(you):acres")]
    assert text == [quoted.format("Anna (you)"), quoted.format("a)(you):acres")]


@pytest.mark.parametrize("quoted", ["“{}”", "«\u00a0{}\u00a0»", "«{}»"])
def test_quotation_stays_on_one_line_in_every_language(quoted: str) -> None:
    name = "nobody home since the 1 of May 17"
    assert len(name) == MAX_NAME_COLUMNS + 1
    text = f"This is {quoted.format(name[1:])} on a line."
    assert " " not in protect_spaces(text).removeprefix("This is ").removesuffix(" on a line.")
    assert restore_spaces(protect_spaces(text)) == text.replace("\u00a0", " ")
