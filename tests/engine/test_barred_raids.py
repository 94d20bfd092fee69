"""A raid that something bars says what does; only one that is too far says so."""

from __future__ import annotations

from random import Random

from engine.game import is_legal, objections
from engine.orders import Raid
from engine.state import Settlement, Siege, State
from tests.engine.positions import BRITISH, FRENCH, Seat, position, refusal

RAIDERS = ("coureurs-de-bois", "native-americans", "priest")


def test_a_siege_that_bars_a_raid_is_named() -> None:
    """The French could raid Pemaquid from Fort Halifax; from Kennebec it is as far again."""
    state = position(
        Seat(siege="fort-halifax: militia"),
        Seat("coureurs-de-bois", villages="fort-halifax"),
        active=FRENCH,
    )
    reason = refusal(state, "raid Pemaquid: Coureurs de Bois")
    assert "The siege of Fort Halifax bars the " in reason
    assert "too far" not in reason


def test_a_siege_bars_nothing_where_the_edition_has_it_so() -> None:
    state = position(
        Seat(siege="fort-halifax: militia"),
        Seat("coureurs-de-bois", villages="fort-halifax"),
        active=FRENCH,
        edition="first",
    )
    assert "too far" in refusal(state, "raid Boston: Coureurs de Bois")


def crowded(random: Random) -> State:
    """A board with villages of both sides, discs and two sieges wherever chance will have them."""
    state = position(Seat(), Seat(" ".join(RAIDERS)), active=FRENCH)
    for place in state.ruleset.catalogue.locations:
        if random.random() < 0.5:
            owner = random.choice([BRITISH, FRENCH])
            state.place(place, Settlement(owner, fortified=random.random() < 0.2))
    french = sorted(place for place, s in state.board.items() if s.owner is FRENCH)
    state.sieges[BRITISH] = Siege(random.choice(french))
    british = sorted(place for place, s in state.board.items() if s.owner is BRITISH)
    state.sieges[FRENCH] = Siege(random.choice(british))
    return state


def unbarred(state: State, place: str) -> list[State]:
    """The position without the siege of a location, and without its fortification disc."""
    found = []
    if (besieger := state.besieger(place)) is not None:
        found.append(state.copy())
        del found[-1].sieges[besieger]
    if state.board[place].fortified:
        found.append(state.copy())
        found[-1].place(place, state.board[place]._replace(fortified=False))
    return found


def test_what_is_named_is_what_bars_the_raid() -> None:
    """Without it the order is legal; where no one thing bars a raid, none is named."""
    barred = []
    for seed in range(20):
        random = Random(seed)
        state = crowded(random)
        name = state.ruleset.catalogue.names
        raidable = [p for p, s in state.board.items() if s.owner is BRITISH and not s.fortified]
        for target in sorted(set(raidable) - {state.sieges[FRENCH].location}):
            order = Raid(target, RAIDERS[: random.randint(1, 3)])
            found = [str(objection.reason) for objection in objections(state, order)]
            if not found:
                continue
            (reason,) = found
            bars = {
                place
                for place in state.board
                for world in unbarred(state, place)
                if is_legal(world, order)
            }
            named = {place for place in state.board if f" of {name[place]} bars the " in reason}
            assert bool(named) == bool(bars), reason
            assert named <= bars, reason
            assert not (bars and "too far" in reason)
            barred.append(bool(bars))
    assert barred.count(True) > 5
    assert barred.count(False) > 5
