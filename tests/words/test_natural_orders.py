"""Orders as players would say them who have only read a rulebook: thirty in each language.

The words are those of the rulebooks for what can be done, and of people for the rest.
"""

from __future__ import annotations

import pytest

from engine.game import check
from engine.message import message_of
from engine.order import UnreadableOrder
from engine.sides import Side
from engine.state import State, new_game
from pbem.words.language import Language
from pbem.words.ordering.reading import read
from tests.engine.positions import BRITISH, FRENCH, Seat, position
from tests.words.test_typed_orders import SPOKEN

ENGLISH = {
    "settle Deerfield with New Haven and Boston": "settle deerfield: new-haven, boston",
    "settle in Deerfield using New Haven, Boston": "settle deerfield: new-haven, boston",
    "develop Albany with St Mary": "develop albany: st-marys",
    "develop the location Albany with St. Mary's": "develop albany: st-marys",
    "fortify Halifax with a Fortification": "fortify halifax: fortification",
    "besiege Louisbourg from Halifax with Boston and Siege Artillery":
        "besiege louisbourg: halifax, boston, siege-artillery",
    "lay siege to Louisbourg with Halifax, Boston and Siege Artillery":
        "besiege louisbourg: halifax, boston, siege-artillery",
    "reinforce the siege of Louisbourg with Regular Infantry":
        "reinforce louisbourg: regular-infantry",
    "reinforce the siege at Louisbourg with the Military Leader":
        "reinforce louisbourg: military-leader",
    "raid Quebec with Rangers": "raid quebec: rangers",
    "launch a raid on Quebec with the Rangers": "raid quebec: rangers",
    "ambush with Rangers": "ambush rangers",
    "play the Indian Leader": "convert indian-leader",
    "Indian Leader": "convert indian-leader",
    "take money with Boston": "take boston",
    "take the money from Boston": "take boston",
    "merchant with Boston and New York": "merchant boston, new-york",
    "play the Trader with Pemaquid": "trade pemaquid",
    "draft Rangers": "draft rangers",
    "draft an empire card: Rangers": "draft rangers",
    "draft the Rangers card": "draft rangers",
    "discard New York and Boston": "discard boston, new-york",
    "place Rangers in reserve": "reserve rangers",
    "put the Rangers into my reserve": "reserve rangers",
    "retrieve my reserve": "retrieve",
    "play the Governor, returning Boston": "govern boston",
    "use the Governor on Boston": "govern boston",
    "withdraw from Louisbourg": "withdraw louisbourg",
    "withdraw from the siege of Louisbourg": "withdraw louisbourg",
    "pass": "pass",
    "end of turn": "end",
    "block with the Militia": "block militia",
    "block the raid with Militia": "block militia",
}  # fmt: skip
FRANCAIS = {
    "coloniser Deerfield avec New Haven et Boston": "settle deerfield: new-haven, boston",
    "s’installer à Deerfield avec New Haven et Boston": "settle deerfield: new-haven, boston",
    "développer Albany avec St Mary": "develop albany: st-marys",
    "développer le lieu d’Albany avec St. Mary’s": "develop albany: st-marys",
    "fortifier Halifax avec une Fortification": "fortify halifax: fortification",
    "assiéger Louisbourg avec Halifax, Boston et l’artillerie de siège":
        "besiege louisbourg: halifax, boston, siege-artillery",
    "mettre le siège devant Louisbourg avec Halifax, Boston et artillerie de siège":
        "besiege louisbourg: halifax, boston, siege-artillery",
    "renforcer le siège de Louisbourg avec l’infanterie régulière":
        "reinforce louisbourg: regular-infantry",
    "renforcer un siège à Louisbourg avec le chef militaire":
        "reinforce louisbourg: military-leader",
    "lancer un raid contre Québec avec les Rangers": "raid quebec: rangers",
    "faire un raid sur Québec avec Rangers": "raid quebec: rangers",
    "piller Québec avec Rangers": "raid quebec: rangers",
    "tendre une embuscade avec les Rangers": "ambush rangers",
    "Chef indien": "convert indian-leader",
    "jouer le chef indien": "convert indian-leader",
    "prendre de l’argent avec Boston": "take boston",
    "prendre l’argent de Boston": "take boston",
    "marchand avec Boston et New York": "merchant boston, new-york",
    "commerçant avec Pemaquid": "trade pemaquid",
    "prendre une carte d’empire : Rangers": "draft rangers",
    "choisir la carte Rangers": "draft rangers",
    "choisir les Rangers": "draft rangers",
    "se défausser de New York et de Boston": "discard boston, new-york",
    "défausser les cartes New York et Boston": "discard boston, new-york",
    "placer Rangers en réserve": "reserve rangers",
    "mettre les Rangers dans ma réserve": "reserve rangers",
    "récupérer ma réserve": "retrieve",
    "jouer le gouverneur avec Boston": "govern boston",
    "se retirer du siège de Louisbourg": "withdraw louisbourg",
    "se retirer de Louisbourg": "withdraw louisbourg",
    "je passe": "pass",
    "fin du tour": "end",
    "bloquer le raid avec les Rangers": "block rangers",
}  # fmt: skip
ITALIANO = {
    "colonizzare Deerfield con New Haven e Boston": "settle deerfield: new-haven, boston",
    "colonizzare il luogo Deerfield con New Haven e Boston": "settle deerfield: new-haven, boston",
    "sviluppare Albany con St Mary": "develop albany: st-marys",
    "fortificare Halifax con una Fortification": "fortify halifax: fortification",
    "assediare Louisbourg con Halifax, Boston e Siege Artillery":
        "besiege louisbourg: halifax, boston, siege-artillery",
    "porre sotto assedio Louisbourg con Halifax, Boston e Siege Artillery":
        "besiege louisbourg: halifax, boston, siege-artillery",
    "rinforzare l’assedio di Louisbourg con Regular Infantry":
        "reinforce louisbourg: regular-infantry",
    "rinforzare un assedio a Louisbourg con il Military Leader":
        "reinforce louisbourg: military-leader",
    "razzia su Quebec con i Rangers": "raid quebec: rangers",
    "effettuare una razzia su Quebec con Rangers": "raid quebec: rangers",
    "fare una razzia contro Quebec con i Rangers": "raid quebec: rangers",
    "imboscata con i Rangers": "ambush rangers",
    "tendere un’imboscata con Rangers": "ambush rangers",
    "Leader indiano": "convert indian-leader",
    "giocare il leader indiano": "convert indian-leader",
    "prendere denaro con Boston": "take boston",
    "prendere il denaro di Boston": "take boston",
    "mercante con Boston e New York": "merchant boston, new-york",
    "commerciante con Pemaquid": "trade pemaquid",
    "acquisire una carta impero: Rangers": "draft rangers",
    "acquisire i Rangers": "draft rangers",
    "scartare New York e Boston": "discard boston, new-york",
    "scartare le carte New York e Boston": "discard boston, new-york",
    "mettere Rangers in riserva": "reserve rangers",
    "mettere i Rangers nella riserva": "reserve rangers",
    "recuperare la propria riserva": "retrieve",
    "recuperare la mia riserva": "retrieve",
    "governatore con Boston": "govern boston",
    "ritirarsi da Louisbourg": "withdraw louisbourg",
    "ritirarsi dall’assedio di Louisbourg": "withdraw louisbourg",
    "passo": "pass",
    "fine del turno": "end",
    "bloccare la razzia con i Rangers": "block rangers",
}  # fmt: skip
RUSSIAN = {
    "заселить Дирфилд картами Нью-Хейвен и Бостон": "settle deerfield: new-haven, boston",
    "поселиться в Дирфилде с Нью-Хейвеном и Бостоном": "settle deerfield: new-haven, boston",
    "развить Олбани с Сент-Мэрисом": "develop albany: st-marys",
    "развить локацию Олбани картой Сент-Мэрис": "develop albany: st-marys",
    "укрепить Галифакс картой Укрепление": "fortify halifax: fortification",
    "осадить Луисбург картами Галифакс, Бостон и осадная артиллерия":
        "besiege louisbourg: halifax, boston, siege-artillery",
    "начать осаду Луисбурга картами Галифакс, Бостон, осадная артиллерия":
        "besiege louisbourg: halifax, boston, siege-artillery",
    "усилить осаду Луисбурга регулярной пехотой": "reinforce louisbourg: regular-infantry",
    "усилить осаду Луисбурга картой Военачальник": "reinforce louisbourg: military-leader",
    "усиление осады Луисбурга: военачальник": "reinforce louisbourg: military-leader",
    "набег на Квебек с Rangers": "raid quebec: rangers",
    "совершить набег на Квебек: Rangers": "raid quebec: rangers",
    "начать набег на Квебек картой Rangers": "raid quebec: rangers",
    "засада с Rangers": "ambush rangers",
    "устроить засаду картой Rangers": "ambush rangers",
    "Вождь индейцев": "convert indian-leader",
    "вождь": "convert indian-leader",
    "сыграть вождя индейцев": "convert indian-leader",
    "взять деньги за Бостон": "take boston",
    "взять деньги с Бостона": "take boston",
    "торговля: Бостон, Нью-Йорк": "merchant boston, new-york",
    "обмен: Пемакуид": "trade pemaquid",
    "вытащить Rangers": "draft rangers",
    "купить Rangers": "draft rangers",
    "вытащить карту империи Rangers": "draft rangers",
    "сбросить карты Нью-Йорк и Бостон": "discard boston, new-york",
    "отложить Rangers в резерв": "reserve rangers",
    "положить Rangers в запас": "reserve rangers",
    "забрать свой резерв": "retrieve",
    "пополнить резерв": "retrieve",
    "пополнение своего запаса": "retrieve",
    "губернатор: Бостон": "govern boston",
    "отступить из осады Луисбурга": "withdraw louisbourg",
    "отступить от Луисбурга": "withdraw louisbourg",
    "пас": "pass",
    "конец хода": "end",
    "заблокировать набег картой Rangers": "block rangers",
}  # fmt: skip
BY_THE_BRITISH = {"en": ENGLISH, "fr": FRANCAIS, "it": ITALIANO, "ru": RUSSIAN}
BY_THE_FRENCH = {
    "en": {"Priest": "convert priest", "play the Priest": "convert priest",
           "piracy with Halifax": "piracy halifax", "Intendant for Quebec": "intendant quebec"},
    "fr": {"Prêtre": "convert priest", "jouer le prêtre": "convert priest",
           "piraterie avec Halifax": "piracy halifax",
           "intendant pour récupérer Québec": "intendant quebec"},
    "it": {"Prete": "convert priest", "giocare il prete": "convert priest",
           "pirateria con Halifax": "piracy halifax", "intendente per Quebec": "intendant quebec"},
    "ru": {"Священник": "convert priest", "сыграть священника": "convert priest",
           "пиратство картой Галифакс": "piracy halifax", "интендант: Квебек": "intendant quebec"},
}  # fmt: skip
SAID = [
    (code, typed, order, side)
    for side, said in ((BRITISH, BY_THE_BRITISH), (FRENCH, BY_THE_FRENCH))
    for code in SPOKEN
    for typed, order in said[code].items()
]


def game_of(side: Side) -> State:
    state = new_game()
    state.awaiting = state.awaiting._replace(side=side)
    return state


ENGLISH_SPOKEN = Language("en")


@pytest.mark.parametrize(("code", "typed", "order", "side"), SAID)
def test_what_people_say_is_understood(code: str, typed: str, order: str, side: Side) -> None:
    assert read(Language(code), typed, game_of(side)).notation() == order


@pytest.mark.parametrize("code", SPOKEN)
def test_they_are_thirty_in_each_language(code: str) -> None:
    assert len(BY_THE_BRITISH[code]) + len(BY_THE_FRENCH[code]) >= 30


@pytest.mark.parametrize(
    ("code", "typed", "absurd"),
    [
        ("fr", "bloquer avec milice", "Military Leader"),
        ("fr", "marchand navires", "Trois"),
        ("it", "leader", "lasciare"),
        ("ru", "пополнить", "добавить"),
    ],
)
def test_nothing_absurd_is_offered(code: str, typed: str, absurd: str) -> None:
    language = Language(code)
    try:
        read(language, typed, game_of(FRENCH))
    except UnreadableOrder as error:
        assert absurd.casefold() not in language.say(message_of(error)).casefold()


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
    defended = position(
        Seat(siege="siege-artillery"),
        Seat(hand="quebec militia", besieged="militia"),
        besieging={BRITISH: "louisbourg"},
        active=FRENCH,
    )
    check(defended, read(ENGLISH_SPOKEN, "withdraw Louisbourg: Militia", defended))
    with pytest.raises(UnreadableOrder):
        read(Language(code), typed, defended)
