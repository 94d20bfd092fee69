"""Names and addresses that a reader can hardly distinguish are treated as equal."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.play.store.entries import AddressBook, Person, Trust, are_addresses_alike, are_names_alike

NAMES = (
    "Al", "Ali", "Anja", "Anna", "Anna K.", "Anne", "Béla", "Bella", "Boris", "Carla", "Emil",
    "Émile", "Hanna", "Ian", "Ilia", "Ivan", "Jan", "Lila", "Mark", "Mila", "Robot", "Tim",
    "Tom", "Yan", "Zoé", "Анна", "Борис", "Марк", "Тома", "Иван", "Νίκος", "李",
    "李娜", "محمد", "राम", "रमा", "!", "?",
)  # fmt: skip


def test_names_of_different_people_are_different() -> None:
    """Needless warnings would make players ignore all of them."""
    assert [pair for pair in combinations(NAMES, 2) if are_names_alike(*pair)] == []


@pytest.mark.parametrize("name", NAMES)
def test_forms_of_one_name_are_alike(name: str) -> None:
    for form in (name.upper(), name.lower(), f" {name} ", name.replace(" ", "\u00a0")):
        assert are_names_alike(name, form)
        assert are_names_alike(form, name)


def test_capital_i_and_l_are_alike() -> None:
    """A few players are asked once too often, but none too seldom."""
    for one, other in (("Bela", "BeIa"), ("BELA", "BeIa"), ("Ian", "Lan")):
        assert are_names_alike(one, other)


@pytest.mark.parametrize("name", ["Ꭺnna", "Аnnа", "Αnna", "Ａnnａ", "𝐀𝓷𝖓𝑎", "ꓮnnа", "Aոոa", "Anńa"])
def test_letters_of_any_script_that_look_latin_are_recognised(name: str) -> None:
    assert are_names_alike(name, "Anna")


@given(st.text(max_size=20), st.text(max_size=20))
def test_likeness_is_symmetric_and_never_fails(one: str, other: str) -> None:
    assert are_names_alike(one, one)
    assert are_names_alike(one, other) == are_names_alike(other, one)
    assert are_addresses_alike(one, other) == are_addresses_alike(other, one)
    assert are_addresses_alike(one, one) == bool(one)


@pytest.mark.parametrize(
    ("one", "other", "are_alike"),
    [
        ("bela@example.org", "Bela@EXAMPLE.org", True),
        ("bela@example.org", "be1a@exarnple.org", True),
        ("bela@example.org", "b.ela@example.org", False),
        ("bela@example.org", "bela@example.com", False),
        ("bela@example.org", "bella@example.org", False),
        ("", "", False),
    ],
)
def test_alike_addresses_are_recognised(one: str, other: str, are_alike: bool) -> None:
    assert are_addresses_alike(one, other) == are_alike


# --- trust

ANNA, BELA = ("Anna", "anna@a.b"), ("Bela", "bela@a.b")


@pytest.mark.parametrize(
    ("met", "vouched", "person_facts", "trust", "other"),
    [
        # A person is a key, a name and an address; `met` is in the order of the first games.
        ([], [], (9, *BELA), Trust.FIRST, None),
        ([(1, *ANNA), (2, *BELA)], [], (2, *BELA), Trust.KNOWN, None),
        ([(1, *ANNA), (2, *BELA)], [], (9, *BELA), Trust.CHANGED, 2),
        ([(1, *ANNA), (2, "Bela", "")], [], (9, "Bela", ""), Trust.CHANGED, 2),
        ([(1, *ANNA), (2, "Bela", "")], [], (9, *BELA), Trust.CHANGED, 2),
        ([(1, *ANNA), (2, *BELA)], [], (9, "Bela", "else@a.b"), Trust.NAMESAKE, 2),
        ([(1, *ANNA), (2, *BELA)], [], (9, "Otto", "bela@a.b"), Trust.CHANGED, 2),
        ([(1, *ANNA), (2, *BELA)], [(9, *BELA)], (9, *BELA), Trust.KNOWN, None),
        ([(1, *ANNA), (2, *BELA)], [(9, *BELA)], (9, "Bela", ""), Trust.CHANGED, 2),
        ([(2, "Bela", "")], [(9, "Bela", "")], (9, *BELA), Trust.CHANGED, 2),
        # The player's last statement overrides the order of the first games.
        ([(1, *BELA), (2, *BELA)], [(2, *BELA)], (9, *BELA), Trust.CHANGED, 2),
    ],
)
def test_trust_depends_on_key_name_and_address(
    met: list[tuple[int, str, str]],
    vouched: list[tuple[int, str, str]],
    person_facts: tuple[int, str, str],
    trust: Trust,
    other: int | None,
) -> None:
    def person(number: int, name: str, email: str) -> Person:
        return Person(bytes([number]), name, email)

    book = AddressBook(
        tuple((person(*facts), "") for facts in met), tuple(person(*facts) for facts in vouched)
    )
    recognition = book.recognise(person(*person_facts))
    assert recognition.trust is trust
    assert (recognition.other and recognition.other.key) == (other and bytes([other]))
