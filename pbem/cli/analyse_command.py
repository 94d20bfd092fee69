"""`acres analyse`: who was ahead in a game and when, and what decided it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from engine.sides import Side
from pbem.cli import console
from pbem.cli.curve import curve
from pbem.cli.file_argument import File, read_game, who_looks
from pbem.cli.file_or_game import file_meant
from pbem.cli.own_home import home_of
from pbem.cli.progress import PONDERING, PONDERING_ORDERS, progress
from pbem.play.analysis import Analysis, check_may_be_analysed, hands_known
from pbem.play.look import Spectator
from pbem.play.looking_back import LookingBack
from pbem.play.robot.robot_home import is_robot_of
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.view.analysis_facts import analysis_facts
from pbem.words.history.analysis import courses_told, deciding_told, scale_told, turns_told
from pbem.words.phrases import against, player
from pbem.words.rules.editions import game_line


def analyse_game(
    context: typer.Context,
    file: File = None,
    json: Annotated[bool, typer.Option("--json", help="As data, for other programs.")] = False,
) -> None:
    """Look back at a game: who was ahead and when, and what decided it.

    The strongest robot looks at each turn as its player could see it, and says what it would have
    played. It takes about a minute for a long game on two cores. A game that is still being played
    is not looked at, unless your opponent is the robot on this computer.
    """
    match = read_game(context, file_meant(context, file)).match
    # Where both have closed it, nobody need be asked who they are.
    is_closed = len(match.secrets) == len(Side)
    who = Spectator.FOR_ALL if is_closed else who_looks(context, match)
    viewer = None if isinstance(who, Spectator) else who.side
    check_may_be_looked_at(context, match, viewer)
    analysis = looked_back_at(match, hands_known(match, who))
    if json:
        console.say_data(analysis_facts(match, analysis))
        return
    console.say(game_line(match), style="bold")
    console.say(against(*(player(match, side, viewer) for side in match.entrants)))
    console.heading(scale_told())
    if console.is_plain():
        console.say_lines(turns_told(analysis))
    else:
        turns = [swing.turn for swing in analysis.swings]
        console.show_lines(curve(analysis.chances, turns, console.width()))
    console.say(courses_told(match, analysis))
    console.say()
    console.say_lines(deciding_told(match, analysis, viewer))


def check_may_be_looked_at(context: typer.Context, match: Match, viewer: Side | None) -> None:
    """Raise WrongUse for a game that is being played, unless the viewer's opponent is a robot.

    That is the robot of this home; nobody is asked whether the viewer has been made one, too.
    """
    opponent = match.entrants.get(viewer.opponent) if viewer else None
    with_robot = opponent is not None and is_robot_of(home_of(context), opponent.key)
    check_may_be_analysed(match, with_robot=with_robot)


def looked_back_at(match: Match, known: Sequence[HiddenCards]) -> Analysis:
    """An analysis of a game, as far as hands are `known`, with a bar while it is made."""
    with progress(PONDERING, PONDERING_ORDERS) as course:
        return LookingBack().analysed(match, known, course.passing)
