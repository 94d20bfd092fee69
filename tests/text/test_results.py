"""The end of a game in sentences: how it ended, then who won, with the points if they decided."""

from __future__ import annotations

import pytest

from engine.sides import Side
from engine.state import EndReason, State, new_game
from engine.turn import Ending, finish, outcome, outcome_of_resigning, outcome_of_withdrawal
from pbem.play.game_file import game_result
from pbem.text.language import Language
from tests.requirements import require

LANGUAGES = {code: Language(code) for code in ("en", "fr", "it", "ru")}
NAMES = {
    "en": ("The British won", "The French won"),
    "fr": ("Les Britanniques ont gagné", "Les Français ont gagné"),
    "it": ("Gli Inglesi hanno vinto", "I Francesi hanno vinto"),
    "ru": ("Британцы победили", "Французы победили"),
}
HOMES = {Side.BRITISH: "boston", Side.FRENCH: "quebec"}
BY_CAPTURES = {
    "en": "The game ended: the British captured pieces worth 12 points.",
    "fr": "La partie est finie\xa0: les Britanniques ont capturé des pions pour 12 points.",
    "it": "La partita è finita: gli Inglesi hanno catturato pezzi per 12 punti.",
    "ru": "Партия окончена: британцы захватили фишек на 12 очков.",
}
TIES = {
    "en": "The French won the tie, 29 to 29.",
    "fr": "Égalité, 29 à 29\xa0: elle donne la victoire aux Français.",
    "it": "Parità, 29 a 29: la vittoria va ai Francesi.",
    "ru": "При равном счёте (29 : 29) победили французы.",
}


def ended(by: EndReason, winner: Side, ender: Side) -> State:
    """Return a game that ended so; the points are 43 or 17 for the British and 29 for the French.

    If the points do not decide, `ender` is not used.
    """
    state, loser = new_game(), winner.opponent
    if by is EndReason.RESIGNING:
        result = outcome_of_resigning(loser)
    elif by is EndReason.GIVING_UP:
        result = require(outcome_of_withdrawal(state, loser, HOMES[loser]))
    elif by.is_on_points:
        state.players[Side.BRITISH].captured_villages = 13 if winner is Side.BRITISH else 0
        result = outcome(state, Ending(by, ender, 0))
    else:
        result = outcome(state, Ending(by, winner, 0, HOMES[loser]))
    finish(state, result)
    return state


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("winner", Side)
@pytest.mark.parametrize("by", EndReason)
def test_result_says_how_the_game_ended_then_who_won(
    by: EndReason, winner: Side, code: str
) -> None:
    say, won = LANGUAGES[code].say, dict(zip(Side, NAMES[code], strict=True))
    results = {say(game_result(ended(by, winner, ender))) for ender in Side}
    # If the points decide, either side may have ended the game.
    assert len(results) == (2 if by.is_on_points else 1)
    for result in results:
        how, _, who = result.rpartition(won[winner])
        assert how and won[winner.opponent] not in result
        points = "43" if winner is Side.BRITISH else "29"
        fewer = "29" if winner is Side.BRITISH else "17"
        assert (points in who and fewer in who) == by.is_on_points
        assert who.find(points) < who.find(fewer) or not by.is_on_points
        assert not any(word in result.lower() for word in ("because", "parce", "perché", "потому"))


@pytest.mark.parametrize("code", LANGUAGES)
def test_captures_end_the_game_and_the_points_decide_it(code: str) -> None:
    say = LANGUAGES[code].say
    for winner in Side:
        result = say(game_result(ended(EndReason.CAPTURES, winner, Side.BRITISH)))
        assert result.startswith(BY_CAPTURES[code])
    tied = new_game()
    tied.players[Side.BRITISH].captured_villages = 6
    finish(tied, outcome(tied, Ending(EndReason.CAPTURES, Side.BRITISH, 0)))
    assert say(game_result(tied)) == f"{BY_CAPTURES[code]} {TIES[code]}"
