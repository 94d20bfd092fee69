"""The command `acres analyse`: the chances of both players over a game, and the decisive turns."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from rich.text import Text

from engine.message import Message
from engine.sides import Side
from pbem.cli import console
from pbem.cli.app import current_app
from pbem.cli.file_argument import File, look_as_user, progress, read_game, resolve_file
from pbem.cli.options import Json
from pbem.cli.position.map import STYLES
from pbem.play.analysis import Analysis, check_may_be_analysed, known_hands, new_helper, review
from pbem.play.look import Look
from pbem.play.robot import is_robot_of
from pbem.protocol.hand import HiddenCards
from pbem.protocol.match import Match
from pbem.text.history.analysis import (
    PONDERING,
    PONDERING_ORDERS,
    analysis_facts,
    deciding_text,
    trends_text,
    turns_text,
)
from pbem.text.phrases import opponents_text, player
from pbem.text.rules.editions import game_line

HEIGHT = 10
"""The height of the chart in lines; each line is a tenth."""
MAX_TURN_COLUMNS = 3
"""The maximum number of columns for one turn in the chart."""
_EIGHTHS = " ▁▂▃▄▅▆▇█"
_MARGIN = 6
_SCALE = {0: "100% ", HEIGHT // 2 - 1: " 50% ", HEIGHT - 1: "  0% "}


def analyse_game(file: File = None, json: Json = False) -> None:
    """Look back at a game: who was ahead and when, and what decided it.

    The strongest robot looks at each turn as its player could see it, and says what it would have
    played. It takes about a minute for a long game on two cores. A game that is still being played
    is not looked at, unless your opponent is the robot on this computer.

    $ acres analyse game.toml  # what decided the game?
    """
    match = read_game(resolve_file(file)).match
    # If both have closed the game, no key is needed.
    look = Look(match) if len(match.secrets) == len(Side) else look_as_user(match)
    viewer = look.viewer
    check_can_analyse(match, viewer)
    analysis = analyse_with_progress(match, known_hands(look))
    if json:
        console.say_data(analysis_facts(match, analysis))
        return
    console.say(game_line(match), style="bold")
    console.say(opponents_text(*(player(match, side, viewer) for side in match.entrants)))
    console.heading(Message("The chance of a British win, turn by turn"))
    if console.is_plain():
        console.say_lines(turns_text(analysis))
    else:
        turns = [swing.turn for swing in analysis.swings]
        console.show_lines(draw_curve(analysis.chances, turns, console.width()))
    console.say(trends_text(match, analysis))
    console.say()
    console.say_lines(deciding_text(match, analysis, viewer))


def check_can_analyse(match: Match, viewer: Side | None) -> None:
    """Raise UsageError for an unfinished game, unless it is against this home's robot."""
    opponent = match.entrants.get(viewer.opponent) if viewer else None
    with_robot = opponent is not None and is_robot_of(current_app().home.folder, opponent.key)
    check_may_be_analysed(match, with_robot=with_robot)


def analyse_with_progress(match: Match, known: Sequence[HiddenCards]) -> Analysis:
    """Return an analysis of a game with the hands in `known`, and show a progress bar."""
    with progress(PONDERING, PONDERING_ORDERS) as report:
        return review(match, known, new_helper(), report.track)


# --- the chart


def draw_curve(chances: Sequence[float], marks: Sequence[int], width: int) -> list[Text]:
    """Return a chart of the British chance after each turn, from the setup on, in `width` columns.

    Below it are marks at the turns in `marks`, with as many of their numbers as fit. If there are
    more turns than columns, a column shows the last of several turns. The chart takes at least
    seven columns.
    """
    columns = _columns(len(chances), max(1, width - _MARGIN))
    values = [chances[turn] for turn in columns]
    lines = [Text(_SCALE.get(row, "     ") + "│") + _row(values, row) for row in range(HEIGHT)]
    lines.append(Text("     └" + "─" * len(columns)))
    places = [(turn, bisect_left(columns, turn)) for turn in marks]
    return [*lines, *_marks(places, len(columns))]


def _columns(turns: int, width: int) -> list[int]:
    """Return the turn that each column shows."""
    if turns <= width:
        return [turn for turn in range(turns) for _ in range(min(MAX_TURN_COLUMNS, width // turns))]
    return [(column + 1) * turns // width - 1 for column in range(width)]


def _row(values: Sequence[float], row: int) -> Text:
    floor = HEIGHT - 1 - row
    steps = [min(8, max(0, round(8 * (HEIGHT * chance - floor)))) for chance in values]
    return Text("".join(_EIGHTHS[step] for step in steps), STYLES[Side.BRITISH])


def _marks(places: Sequence[tuple[int, int]], columns: int) -> list[Text]:
    """Return a line of marks at the (turn, column) pairs `places`, and a line of their numbers."""
    if not places:
        return []
    width = _MARGIN + columns
    marks, numbers = [" "] * width, [" "] * width
    for turn, column in places:
        position, number = column + _MARGIN, str(turn)
        start = min(position - len(number) // 2, width - len(number))
        # A blank on either side keeps numbers apart.
        neighbours = numbers[start - 1 : start + len(number) + 1]
        if marks[position] == " " and start > 0 and not "".join(neighbours).strip():
            numbers[start : start + len(number)] = number
        marks[position] = "▲"
    return [Text("".join(line).rstrip()) for line in (marks, numbers)]
