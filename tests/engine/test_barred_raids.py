"""The reason for refusing a raid names the siege or the disc that bars it."""

from __future__ import annotations

from random import Random

from engine.game import is_legal, objections
from engine.orders import Raid
from engine.state import Settlement, Siege, State
from tests.engine.positions import BRITISH, FRENCH, Seat, position

RAIDERS = ("coureurs-de-bois", "native-americans", "priest")


def crowded_board(random: Random) -> State:
    """Return a board with random villages of both sides, random discs and two random sieges."""
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


def without_obstacles(state: State, place: str) -> list[State]:
    """Return the position without the siege of a location, and without its disc, if it has them."""
    worlds = []
    if (besieger := state.besieger(place)) is not None:
        worlds.append(state.copy())
        del worlds[-1].sieges[besieger]
    if state.board[place].fortified:
        worlds.append(state.copy())
        worlds[-1].place(place, state.board[place]._replace(fortified=False))
    return worlds


def test_obstacle_in_the_reason_bars_the_raid() -> None:
    """Without the obstacle the order is legal; if no single obstacle bars it, none is named."""
    barred = []
    for seed in range(20):
        random = Random(seed)
        state = crowded_board(random)
        name = state.ruleset.catalogue.names
        raidable = [p for p, s in state.board.items() if s.owner is BRITISH and not s.fortified]
        for target in sorted(set(raidable) - {state.sieges[FRENCH].location}):
            order = Raid(target, RAIDERS[: random.randint(1, 3)])
            reasons = [str(objection.reason) for objection in objections(state, order)]
            if not reasons:
                continue
            (reason,) = reasons
            bars = {
                place
                for place in state.board
                for world in without_obstacles(state, place)
                if is_legal(world, order)
            }
            mentioned = {place for place in state.board if f" of {name[place]} bars the " in reason}
            assert bool(mentioned) == bool(bars), reason
            assert mentioned <= bars, reason
            assert not (bars and "too far" in reason)
            barred.append(bool(bars))
    assert barred.count(True) > 5
    assert barred.count(False) > 5
