"""The headline of a turn says first how sieges ended, in logs, reports and messages."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from random import Random
from typing import TypeAlias

import pytest

from engine import events
from engine.sides import Side
from engine.state import Awaiting, Decision
from pbem.play.look import Look
from pbem.protocol.match import Match
from pbem.protocol.table import Move
from pbem.text.facts.chronicle import Chronicle
from pbem.text.history.log import Log
from pbem.text.history.report import Reporter, find_lead, report
from pbem.text.language import NAMES, Language
from pbem.text.phrases import names
from tests.play.matches import begin, play
from tests.play.turns import practice_chooser

SiegeEnd: TypeAlias = events.SiegeWon | events.SiegeRelieved | events.Withdrew | events.SiegeLifted


@cache
def played(seed: int) -> Match:
    return play(begin(seed, lists=1), practice_chooser(Random(seed)), turns=60, seed=seed)


def siege_ends(moves: list[Move]) -> list[tuple[Move, SiegeEnd]]:
    return [(move, event) for move in moves for event in move.events if isinstance(event, SiegeEnd)]


def in_english(move: Move, event: SiegeEnd, place: str) -> str:
    side = "British" if event.side is Side.BRITISH else "French"
    match event:
        case events.SiegeLifted():
            return f"Siege of {place}: it is over, as nobody is left there."
        case events.SiegeWon():
            end = "won it"
        case events.SiegeRelieved():
            end = "held it"
        case events.Withdrew():
            end = "surrendered" if move.has_event(events.Captured) else "gave it up"
    return f"Siege of {place}: the {side} {end}."


@pytest.mark.parametrize("code", NAMES)
def test_headline_of_a_turn_tells_each_siege_that_ended_in_it(code: str) -> None:
    say, kinds = Language(code).say, set[type[SiegeEnd]]()
    for seed in range(4):
        match = played(seed)
        chronicle = Chronicle(Look(match))
        for turn in chronicle.turns[1:]:
            section = Log(chronicle).section(turn)
            ends = siege_ends(turn.moves)
            headline = say(section.headline)
            for move, event in ends:
                place = names(match.state)(event.location)
                # Names may be inflected.
                assert say(place)[:3] in headline
                assert code != "en" or in_english(move, event, say(place)) in headline
                kinds.add(type(event))
            if ends:
                assert section.all_lines[0] is section.headline
                told = {side.label: say(side.label) for side in Side}
                assert any(label[:4].lower() in headline.lower() for label in told.values())
    assert {events.SiegeWon, events.SiegeRelieved, events.Withdrew} <= kinds


@pytest.mark.parametrize("viewer", [None, *Side])
def test_reports_begin_with_the_headline_and_tell_a_lost_siege_once(viewer: Side | None) -> None:
    match, ended = played(1), 0
    for turn in Chronicle(Look(match)).turns[1:]:
        sections = report(match, turn.moves, viewer).sections
        ends = siege_ends(turn.moves)
        assert bool(ends) <= any(section.headline for section in sections)
        for section in sections:
            told = [str(line) for line in section.all_lines]
            assert not section.headline or told[0] == str(section.headline)
            assert not any("lost the siege" in line for line in told)
        ended += len(ends)
    assert ended


def test_a_raid_that_waits_for_its_answer_comes_before_one_that_was_blocked() -> None:
    raided = events.Raided(Side.FRENCH, location="halifax", cards=("coureurs-de-bois",))
    blocked = events.RaidBlocked(Side.BRITISH, location="boston", card="boston")
    moves = [Move(9, 4, event.side, None, (event,)) for event in (blocked, raided)]
    answered = played(1).state
    told = "Raid on Boston: the British blocked it."
    assert str(Reporter(answered).headline(moves)) == told
    pending = deepcopy(answered)
    pending.awaiting = Awaiting(Decision.RAID_REPLY, Side.BRITISH, "halifax")
    headline = str(Reporter(pending).headline(moves))
    assert headline == f"Raid on Halifax: it is still to be answered. {told}"
    assert str(Reporter(pending).headline(moves[:1])) == told


def test_a_card_sent_to_a_siege_is_told_before_a_settlement() -> None:
    leads = set()
    for seed in range(1, 5):
        match = played(seed)
        for turn in Chronicle(Look(match)).turns[1:]:
            steps = Reporter(match.state).steps(turn.moves)
            verbs = [move.order.verb for step in steps for move in step.moves if move.order]
            if "reinforce" in verbs and "besiege" not in verbs:
                first = steps[find_lead(steps)].moves[0].order
                assert first and first.verb == "reinforce"
                leads |= {*verbs}
    assert leads & {"settle", "develop", "raid"}


def test_lead_of_a_turn_is_its_last_reinforcement() -> None:
    """The first one says how the siege stood before the others."""
    seen = 0
    for seed in range(8):
        match = played(seed)
        chronicle = Chronicle(Look(match))
        for turn in chronicle.turns[1:]:
            verbs = [move.order.verb for move in turn.moves if move.order]
            section = Log(chronicle).section(turn)
            if verbs.count("reinforce") < 2 or {"besiege", "settle", "develop"} & {*verbs}:
                continue
            say = Language("en").say
            told = [at for at, line in enumerate(section.lines) if "to the siege" in say(line)]
            assert section.lead == told[-1]
            seen += 1
    assert seen
