"""Orders as players would say them who have only read a rulebook, in each language.

The words are those of the rulebooks for what can be done, and of people for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from unicodedata import normalize

import pytest

from engine.game import is_legal
from engine.message import message_of
from engine.order import UnreadableOrder
from engine.sides import Side
from engine.state import State, new_game
from pbem.words.language import SOURCE, Language
from pbem.words.naming import normal
from pbem.words.ordering.explanation import asked_about
from pbem.words.ordering.phrasing import _phrases
from pbem.words.ordering.reading import meant_instead, read
from pbem.words.ordering.verbs import begins_with_verb
from tests.engine.positions import BRITISH, FRENCH, Seat, position
from tests.words.natural_positions import POSITIONS
from tests.words.test_typed_orders import SPOKEN

ENGLISH = Language(SOURCE)
ORDERS = Path(__file__).parent / "natural_orders"
"""By language, a line for each order: the position, what is said, and the order that it is."""


@cache
def position_of(letters: str) -> State:
    return POSITIONS[letters]()


def said_in(code: str) -> Iterator[list[str]]:
    for line in (ORDERS / f"{code}.txt").read_text(encoding="utf-8").splitlines():
        yield line.split(" | ")


def refused(code: str, typed: str, state: State) -> str:
    language = Language(code)
    with pytest.raises(UnreadableOrder) as error:
        read(language, typed, state)
    return language.say(message_of(error.value))


@pytest.mark.parametrize("step", [2, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("code", SPOKEN)
def test_what_people_say_is_the_legal_order_that_they_mean(code: str, step: int) -> None:
    wrong = []
    for letters, typed, meant in islice(said_in(code), 0, None, step):
        state = position_of(letters)
        try:
            order = read(Language(code), typed, state)
        except UnreadableOrder as error:
            wrong.append((letters, typed, str(error)))
            continue
        if order.notation() != meant or not is_legal(state, order):
            wrong.append((letters, typed, order.notation()))
    assert wrong == []


# --- and where it is not legal


BY_THE_BRITISH = {
    "en": {
        "settle Deerfield with New Haven and Boston": "settle deerfield: new-haven, boston",
        "settle in Deerfield using New Haven, Boston": "settle deerfield: new-haven, boston",
        "fortify Halifax with a Fortification": "fortify halifax: fortification",
        "besiege Louisbourg from Halifax with Boston and Siege Artillery":
            "besiege louisbourg: halifax, boston, siege-artillery",
        "lay siege to Louisbourg with Halifax, Boston and Siege Artillery":
            "besiege louisbourg: halifax, boston, siege-artillery",
        "reinforce the siege of Louisbourg with Regular Infantry":
            "reinforce louisbourg: regular-infantry",
        "raid Quebec with Rangers": "raid quebec: rangers",
        "launch a raid on Quebec with the Rangers": "raid quebec: rangers",
        "draft Rangers": "draft rangers",
        "draft an empire card: Rangers": "draft rangers",
        "draft the Rangers card": "draft rangers",
        "withdraw from Louisbourg": "withdraw louisbourg",
        "withdraw from the siege of Louisbourg": "withdraw louisbourg",
        "block with the Militia": "block militia",
        "block the raid with Militia": "block militia",
    },
    "fr": {
        "coloniser Deerfield avec New Haven et Boston": "settle deerfield: new-haven, boston",
        "s’installer à Deerfield avec New Haven et Boston": "settle deerfield: new-haven, boston",
        "fortifier Halifax avec une Fortification": "fortify halifax: fortification",
        "assiéger Louisbourg avec Halifax, Boston et l’artillerie de siège":
            "besiege louisbourg: halifax, boston, siege-artillery",
        "mettre le siège devant Louisbourg avec Halifax, Boston et artillerie de siège":
            "besiege louisbourg: halifax, boston, siege-artillery",
        "renforcer le siège de Louisbourg avec l’infanterie régulière":
            "reinforce louisbourg: regular-infantry",
        "lancer un raid contre Québec avec les Rangers": "raid quebec: rangers",
        "faire un raid sur Québec avec Rangers": "raid quebec: rangers",
        "piller Québec avec Rangers": "raid quebec: rangers",
        "prendre une carte d’empire : Rangers": "draft rangers",
        "choisir la carte Rangers": "draft rangers",
        "choisir les Rangers": "draft rangers",
        "se retirer du siège de Louisbourg": "withdraw louisbourg",
        "se retirer de Louisbourg": "withdraw louisbourg",
    },
    "it": {
        "colonizzare Deerfield con New Haven e Boston": "settle deerfield: new-haven, boston",
        "colonizzare il luogo Deerfield con New Haven e Boston":
            "settle deerfield: new-haven, boston",
        "fortificare Halifax con una Fortification": "fortify halifax: fortification",
        "assediare Louisbourg con Halifax, Boston e Siege Artillery":
            "besiege louisbourg: halifax, boston, siege-artillery",
        "porre sotto assedio Louisbourg con Halifax, Boston e Siege Artillery":
            "besiege louisbourg: halifax, boston, siege-artillery",
        "rinforzare l’assedio di Louisbourg con Regular Infantry":
            "reinforce louisbourg: regular-infantry",
        "razzia su Quebec con i Rangers": "raid quebec: rangers",
        "effettuare una razzia su Quebec con Rangers": "raid quebec: rangers",
        "fare una razzia contro Quebec con i Rangers": "raid quebec: rangers",
        "acquisire una carta impero: Rangers": "draft rangers",
        "acquisire i Rangers": "draft rangers",
        "ritirarsi da Louisbourg": "withdraw louisbourg",
        "ritirarsi dall’assedio di Louisbourg": "withdraw louisbourg",
    },
    "ru": {
        "заселить Дирфилд картами Нью-Хейвен и Бостон": "settle deerfield: new-haven, boston",
        "поселиться в Дирфилде с Нью-Хейвеном и Бостоном": "settle deerfield: new-haven, boston",
        "укрепить Галифакс картой Укрепление": "fortify halifax: fortification",
        "осадить Луисбург картами Галифакс, Бостон и осадная артиллерия":
            "besiege louisbourg: halifax, boston, siege-artillery",
        "начать осаду Луисбурга картами Галифакс, Бостон, осадная артиллерия":
            "besiege louisbourg: halifax, boston, siege-artillery",
        "усилить осаду Луисбурга регулярной пехотой": "reinforce louisbourg: regular-infantry",
        "набег на Квебек с Rangers": "raid quebec: rangers",
        "совершить набег на Квебек: Rangers": "raid quebec: rangers",
        "начать набег на Квебек картой Rangers": "raid quebec: rangers",
        "вытащить Rangers": "draft rangers",
        "купить Rangers": "draft rangers",
        "вытащить карту империи Rangers": "draft rangers",
        "отступить из осады Луисбурга": "withdraw louisbourg",
        "отступить от Луисбурга": "withdraw louisbourg",
    },
}  # fmt: skip
BY_THE_FRENCH = {
    "en": {
        "piracy with Halifax": "piracy halifax",
        "Intendant for Quebec": "intendant quebec",
    },
    "fr": {
        "piraterie avec Halifax": "piracy halifax",
        "intendant pour récupérer Québec": "intendant quebec",
    },
    "it": {
        "pirateria con Halifax": "piracy halifax",
        "intendente per Quebec": "intendant quebec",
    },
    "ru": {
        "пиратство картой Галифакс": "piracy halifax",
        "интендант: Квебек": "intendant quebec",
    },
}  # fmt: skip
SAID = [
    (code, typed, order, side)
    for side, said in ((BRITISH, BY_THE_BRITISH), (FRENCH, BY_THE_FRENCH))
    for code in SPOKEN
    for typed, order in said[code].items()
]


@pytest.mark.parametrize(("code", "typed", "order", "side"), SAID)
def test_what_people_say_is_understood(code: str, typed: str, order: str, side: Side) -> None:
    state = new_game()
    state.awaiting = state.awaiting._replace(side=side)
    assert read(Language(code), typed, state).notation() == order


@pytest.mark.parametrize(
    ("code", "typed"),
    [
        ("en", "lift the siege of Louisbourg: Militia"),
        ("fr", "lever le siège de Louisbourg : Milice"),
        ("it", "togliere l’assedio a Louisbourg: Militia"),
        ("ru", "снять осаду с Луисбурга: ополчение"),
        ("ru", "завершить осаду Луисбурга: ополчение"),
    ],
)
def test_lifting_a_siege_never_gives_up_the_place_that_one_defends(code: str, typed: str) -> None:
    defended = position_of("FD")
    assert is_legal(defended, read(ENGLISH, "withdraw Louisbourg: Militia", defended))
    refused(code, typed, defended)


@pytest.mark.parametrize(
    ("code", "typed"),
    [
        ("en", "pass my turn"),
        ("fr", "passer mon tour"),
        ("it", "passare il turno"),
        ("ru", "пропустить ход"),
    ],
)
def test_to_pass_the_turn_is_to_end_it_and_never_a_single_action(code: str, typed: str) -> None:
    for letters, can_end in (("BE", True), ("BT", False)):
        order = read(Language(code), typed, position_of(letters))
        assert order.notation() == "end"
        assert is_legal(position_of(letters), order) is can_end


@pytest.mark.parametrize(
    ("code", "typed"),
    [
        ("en", "do not discard Militia"),
        ("en", "discard two Militia"),
        ("en", "discard Militia not Boston"),
        ("en", "discard all Militia"),
        ("fr", "ne pas défausser la Milice"),
        ("fr", "défausser deux Milices"),
        ("it", "non scartare Militia"),
        ("it", "scartare tutto tranne Boston"),
        ("ru", "не сбрасывать ополчение"),
        ("ru", "сбросить все кроме Бостона"),
    ],
)
def test_no_word_that_matters_is_left_out(code: str, typed: str) -> None:
    refused(code, typed, position_of("B5"))


@pytest.mark.parametrize(
    ("code", "typed"),
    [
        ("en", "d rang and mil"),
        ("en", "d rang with mil"),
        ("en", "discard for hal and mil"),
        ("fr", "d rang et mil"),
        ("fr", "dé r et mil"),
        ("it", "scar rang e mil"),
        ("ru", "сбр rang и опол"),
    ],
)
def test_what_is_cut_short_is_no_small_word(code: str, typed: str) -> None:
    """As `for` is Fort Halifax and `d` is discard."""
    state = position(Seat(hand="rangers militia fort-halifax", money=5))
    cards = "fort-halifax, militia" if " for " in typed else "militia, rangers"
    assert read(Language(code), typed, state).notation() == f"discard {cards}"


# --- what is said of the others

OFFER = {"en": "Did you mean", "fr": "Vouliez-vous dire", "it": "Intendi", "ru": "Вы имели в виду"}


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", "do that pick close resign defended add play"),
        ("fr", "ne jouer je me poser"),
        ("it", "porre giocare piazzare non arrendersi dare"),
        ("ru", "начать разыграть восстановить поместить сыграть сдаться я"),
    ],
)
def test_nothing_is_offered_for_what_is_only_like_a_verb_in_its_ending(
    code: str, words: str
) -> None:
    for word in words.split():
        told = refused(code, f"{word} 7years", position_of("B5"))
        assert OFFER[code] not in told, told


@pytest.mark.parametrize(
    ("code", "typed"),
    [
        ("en", "take Militia"),
        ("fr", "prendre milice"),
        ("it", "prendere milizia"),
        ("ru", "взять ополчение"),
    ],
)
def test_to_take_what_has_no_money_is_to_draft_it_and_that_is_offered(
    code: str, typed: str
) -> None:
    state, language = position_of("B5"), Language(code)
    order = read(language, typed, state)
    assert order.notation() == "take militia"
    meant = [each.notation() for each in meant_instead(language, typed, order, state)]
    assert meant == ["draft militia"]
    found = asked_about(language, [state], BRITISH, typed)
    assert [near.notation() for near in found.nearest][:1] == meant


@pytest.mark.parametrize(
    ("code", "typed", "absurd"),
    [
        ("fr", "bloquer avec milicer", "Military Leader"),
        ("fr", "marchand navirez", "Trois"),
        ("it", "leader", "lasciare"),
        ("ru", "пополнить", "добавить"),
    ],
)
def test_nothing_absurd_is_offered(code: str, typed: str, absurd: str) -> None:
    assert absurd.casefold() not in refused(code, typed, position_of("FB")).casefold()


@pytest.mark.parametrize(
    ("code", "typed", "wrong"),
    [
        ("en", "launch a raid on Fort Hallifax with Rangers", "Hallifax"),
        ("fr", "mettre les Rangerz en réserve", "Rangerz"),
        ("it", "mettere i Rangerz nella riserva", "Rangerz"),
        ("ru", "положить рейнждерцев в резерв", "рейнждерцев"),
    ],
)
def test_in_a_phrase_that_is_known_the_name_that_is_not_is_told(
    code: str, typed: str, wrong: str
) -> None:
    told = refused(code, typed, position_of("B5"))
    assert wrong in told.partition(".")[0]


@pytest.mark.parametrize(
    ("code", "typed", "meant"),
    [
        (
            "fr",
            "développer New Haven en ville avec Philadelphia",
            "develop new-haven: philadelphia",
        ),
        ("it", "giocare il Military Leader nell'assedio", "reinforce louisbourg: military-leader"),
        ("ru", "взять Нью-Йорк", "take new-york"),
    ],
)
def test_how_letters_and_apostrophes_are_encoded_makes_no_difference(
    code: str, typed: str, meant: str
) -> None:
    state = position_of("BS" if "assedio" in typed else "BT")
    for apostrophe in "'’ʼ‘´`":
        for form in ("NFC", "NFD"):
            text = normalize(form, f"« {typed.replace(chr(39), apostrophe)} ! »")
            assert read(Language(code), text, state).notation() == meant, text


# --- the tables


@pytest.mark.parametrize("code", SPOKEN)
def test_what_one_table_says_no_other_says(code: str) -> None:
    """And no word is offered that is read as a verb, or as a phrase."""
    language = Language(code)
    lexicon = language.lexicon
    roles = [set(map(normal, words.split())) for role, words in lexicon["phrasing"].items()
             if role not in ("number", "counted", "play")]  # fmt: skip
    assert sum(map(len, roles)) == len(set().union(*roles))
    assert not [word for word in lexicon["words"] if begins_with_verb(language, word)]
    taken = [phrase.head[0] for phrase in _phrases(language, "phrases") if len(phrase) == 1]
    assert not [word for word in lexicon["words"] if any(normal(word) in each for each in taken)]
    forms = {normal(form) for each in lexicon.get("verbs", {}).values() for form in each}
    assert not forms & {normal(key) for key in lexicon["phrases"] if " " in key}
