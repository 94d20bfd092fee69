"""`acres log`: a whole game, turn by turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from engine.message import Message, Run, Said, mark, sentences
from pbem.cli import console
from pbem.cli.home import command_of
from pbem.cli.numbers import number_for
from pbem.cli.reading import File, read_game, who_looks
from pbem.errors import WrongUse
from pbem.words.proof.keys import why_spectator

if TYPE_CHECKING:
    from pbem.cli.chronicle import Chronicle, Turn
    from pbem.play.game_file import GameFile
    from pbem.play.look import Spectator
    from pbem.play.seat import Seat
    from pbem.protocol.match import Match


def log(
    context: typer.Context,
    file: File,
    first: Annotated[
        int,
        typer.Option(
            "--from",
            metavar="N",
            parser=number_for("--from"),
            help="The turn to begin with.",
        ),
    ] = 1,
    markdown: Annotated[
        bool,
        typer.Option(
            "--markdown",
            help="As Markdown, for a forum or a weblog: only what everybody may know.",
        ),
    ] = False,
    with_my_cards: Annotated[
        bool,
        typer.Option(
            "--with-my-cards",
            help="With --markdown: tell the cards that you drew, too, which nobody else knows.",
        ),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="As data, for other programs.")] = False,
) -> None:
    """Tell the whole game, turn by turn.

    It is told as everybody may see it, with the cards that you drew, and those of a player who has
    closed the game. As Markdown it leaves yours out, because that is for others to read.
    """
    if markdown and json:
        raise WrongUse("The log is told as Markdown or as data: leave --markdown or --json out.")
    if with_my_cards and not markdown:
        raise WrongUse("--with-my-cards belongs to --markdown: without that, your cards are told.")
    from pbem.play.look import Spectator

    game = read_game(context, file)
    match = game.match
    if not match.is_joined:
        raise WrongUse("This is an invitation: the log begins when it is taken up.")
    is_for_all = markdown and not with_my_cards
    who = Spectator.FOR_ALL if is_for_all else who_looks(context, game)
    if with_my_cards and isinstance(who, Spectator):
        reason = why_spectator(who, command_of(context))
        raise WrongUse("There are no cards of yours to tell: {reason}.", reason=reason)
    chronicle = _chronicle(game, who)
    turns = _from(chronicle, first)
    if json:
        _say_data(chronicle, turns, with_setup=first == 1)
    else:
        style = _Markdown() if markdown else _Screen()
        _say(style, chronicle, turns, with_setup=first == 1)


def _chronicle(game: GameFile, who: Seat | Spectator) -> Chronicle:
    from pbem.cli.chronicle import Chronicle
    from pbem.play.look import Spectator
    from pbem.protocol.hand import HiddenCards

    match = game.match
    secrets = dict(match.secrets)
    viewer = None
    if not isinstance(who, Spectator):
        viewer = who.side
        secrets[who.side] = who.secret
    return Chronicle(match, viewer, [HiddenCards(match, *known) for known in secrets.items()])


def _from(chronicle: Chronicle, first: int) -> list[Turn]:
    """The turns from that one on, counted from 1; raises WrongUse where there is none."""
    turns = chronicle.turns
    if first == 1:
        return turns
    last = turns[-1].number + 1 if turns else 0
    if not 1 <= first <= last:
        raise WrongUse(Message(_NO_TURN[min(last, 2)], number=first, last=last))
    return [turn for turn in turns if turn.number + 1 >= first]


_NO_TURN = (
    mark("There is no turn {number} in this file: it has no turn yet."),
    mark("There is no turn {number} in this file: it has 1 turn yet."),
    mark("There is no turn {number} in this file: it has turns 1 to {last}."),
)
"""By how many turns it has: none, one, more."""


# --- in words


class _Screen:
    """How a log is laid out at a terminal."""

    def name(self, name: str) -> Message:
        return console.named(name)

    def title(self, text: Said) -> None:
        console.say(text, style="bold")

    def heading(self, text: Said) -> None:
        console.heading(text)

    def item(self, text: Said) -> None:
        console.item(text)

    def say(self, text: Said) -> None:
        console.say(text)


class _Markdown:
    """How a log is laid out for a forum: in Markdown, where names of players are only text."""

    def name(self, name: str) -> str:
        # In a code span nothing is a link, a mention or markup, however a forum reads Markdown.
        return f"`{console.told(console.named(name)).replace('`', '’')}`"

    def title(self, text: Said) -> None:
        console.say_whole(Run(("# ", text, "\n")))

    def heading(self, text: Said) -> None:
        console.say_whole(Run(("\n## ", text, "\n")))

    def item(self, text: Said) -> None:
        console.say_whole(Run(("- ", text)))

    def say(self, text: Said) -> None:
        console.say_whole(text)


def _say(
    style: _Screen | _Markdown, chronicle: Chronicle, turns: list[Turn], *, with_setup: bool
) -> None:
    from pbem.words.dates import day
    from pbem.words.phrases import against, game_line, points_told, with_side

    match = chronicle.match
    players = {
        side: with_side(style.name(match.entrants[side].name), side, chronicle.viewer)
        for side in match.entrants
    }
    style.title(game_line(match))
    style.say(against(*players.values()))
    tells = chronicle.secrets_of
    if tells is not None and isinstance(style, _Markdown):
        told = Message(
            "This log tells cards that only {player} knows: it is not for the other side before "
            "the game is closed.",
            player=players[tells],
        )
        style.say(Run(("\n", told)))
    if with_setup:
        style.heading(Message("Setup, {day}", day=day(match.records[1].time)))
        style.item(chronicle.setup_told())
    for turn in turns:
        style.heading(
            Message(
                "Turn {number}: {player}, {day}",
                number=turn.number + 1,
                player=players[turn.side],
                day=day(turn.time),
            )
        )
        for line in chronicle.told(turn):
            style.item(line)
        # Translators: {points} is such as “British 12, French 14”.
        style.item(Message("Points: {points}.", points=points_told(turn.points)))
    style.heading(Message("The end") if match.is_over else Message("Now"))
    style.say(_standing(match))


def _standing(match: Match) -> Message:
    """How the game ended, or who is to write, as a sentence."""
    from pbem.play.game_file import what_for

    outcome, side = match.state.outcome, match.next_side
    if outcome is not None:
        winner = outcome.winner.label
        won = Message("The {side} won, because {reason}.", side=winner, reason=outcome.reason)
        if side is None:
            closes = Message("Both sides have closed the game.")
        else:
            closes = Message("The {side} close the game.", side=side.label)
        return sentences(won, closes)
    assert side is not None
    what = what_for(match.state, side)
    return Message("The {side} write next: {what}.", side=side.label, what=what)


# --- as data


def _say_data(chronicle: Chronicle, turns: list[Turn], *, with_setup: bool) -> None:
    from json import dumps

    match, viewer = chronicle.match, chronicle.viewer
    outcome = match.state.outcome
    facts = {
        "game": match.id.hex(),
        "edition": match.invite.edition,
        "house_rules": list(match.invite.house_rules),
        "players": {side.value: match.entrants[side].name for side in match.entrants},
        "viewer": viewer.value if viewer else None,
        "setup": chronicle.plain_deeds(chronicle.setup) if with_setup else None,
        "turns": [chronicle.plain(turn) for turn in turns],
        "outcome": outcome and {"winner": outcome.winner.value, "reason": str(outcome.reason)},
    }
    console.say_whole(dumps(facts, indent=2))
