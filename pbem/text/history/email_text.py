"""The text of an e-mail with a turn: recent moves, the state of the game, and how to answer.

An e-mail passes through several servers, so the text has only public information: it is made from
the match, which has no hidden cards, as a spectator would see it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from itertools import chain, takewhile
from pathlib import Path
from typing import NamedTuple

from engine.events import GameOver
from engine.message import Concat, Message, Phrase, mark
from engine.position import score
from engine.sides import Side
from pbem.errors import UsageError
from pbem.foreign import (
    clean,
    display_address,
    display_name,
    protect_spaces,
    restore_spaces,
    shell_quote,
)
from pbem.play.game_file import whose_move
from pbem.protocol.match import Match
from pbem.protocol.table import Move
from pbem.text.games import rules_text
from pbem.text.history.report import report
from pbem.text.language import NAMES, SOURCE, Language
from pbem.text.phrases import opponents_text, player, points_text
from pbem.text.rules.editions import game_line

WIDTH = 72
"""The maximum length of a line, in characters; quoted lines then still fit on a screen."""


MAX_WORD = 1000
"""The maximum length of a player's own words in a message, in characters."""


def read_word(text: str) -> str:
    """Return a player's own words for a message. Raises UsageError if they are too long."""
    word = "\n".join(line.rstrip() for line in text.strip().splitlines())
    if len(word) > MAX_WORD:
        raise UsageError("Your words have more than {most} characters.", most=MAX_WORD)
    return word


def email_text(
    match: Match, name: str, language: str, *, has_picture: bool, word: str = "", link: str = ""
) -> str:
    """Return the text of the e-mail with the file `name`, in a language and in English.

    It begins with the sender's own words, if there are any. `link` is the address at which the
    file can be answered in a browser, or empty. Lines have at most 72 characters, except for longer
    commands, links and words.
    """
    lines = (_wrap(line) or [""] for line in word.splitlines())
    blocks = ["\n".join(chain(*lines)), "* * *".rjust(WIDTH // 2 + 2)] if word else []
    for code in dict.fromkeys((language, SOURCE)):
        if code != language:
            # Mail programs expect a signature or another message after a line of hyphens.
            blocks.append(f" {NAMES[code]} ".center(WIDTH, "~"))
        blocks += _paragraphs(Language(code), match, name, link, has_picture=has_picture)
    return "\n".join(f"{block}\n" for block in blocks)


def email_subject(match: Match) -> str:
    """Return the subject of an e-mail: the game, the turn and the side to move.

    It is always in English and has the same beginning throughout a game, because mail programs
    group messages by subject.
    """
    game = f"A Few Acres of Snow, game {match.id.hex()[:8]}"
    if not match.is_joined:
        return str(Concat((game, ": invitation by ", display_name(match.invite.name))))
    outcome, side = match.state.outcome, match.next_side
    if outcome is not None:
        return str(Concat((game, ": the game is over, the ", outcome.winner.label, " won")))
    assert side is not None
    return str(Concat((f"{game}, turn {match.turn}: ", player(match, side), " to move")))


class Correspondent(NamedTuple):
    """The sender or receiver of an e-mail: a name, and an address, which may be empty."""

    name: str
    address: str


def author(match: Match) -> Correspondent:
    """Return the player who signed the last record."""
    if not match.is_joined:
        return Correspondent(match.invite.name, match.invite.email)
    entrant = match.entrants[Side(match.last.side)]
    return Correspondent(entrant.name, entrant.email)


def receiver(match: Match, address: str = "") -> Correspondent:
    """Return the player who gets the last record, at `address` or the address in the game.

    The receiver of an invitation has no name.
    """
    if not match.is_joined:
        return Correspondent("", address)
    entrant = match.entrants[Side(match.last.side).opponent]
    return Correspondent(entrant.name, address or entrant.email)


def draft_advice(match: Match, address: str = "", *, is_addressed: bool) -> tuple[Message, ...]:
    """Return instructions to send a draft, to `address` or the address in the game.

    A second message is added if mail cannot be sent to the address.
    """
    addressee = receiver(match, address)
    player, shown_address = display_name(addressee.name), display_address(addressee.address)
    how = mark("Next: open it with your mail program, and send it to {player}.")
    if is_addressed:
        how = mark("Next: open it with your mail program, which sends it to {address}.")
    elif not match.is_joined:
        how = mark(
            "Next: open it with your mail program, and send it to the player you want to play."
        )
    wrong = mark("Mail cannot be sent to {address}, which {player} gave in the game.")
    templates = [how] if is_addressed or not addressee.address else [how, wrong]
    return tuple(Message(template, address=shown_address, player=player) for template in templates)


def _paragraphs(
    language: Language, match: Match, name: str, link: str, *, has_picture: bool
) -> Iterator[str]:
    def paragraph(text: Phrase, items: Iterable[Phrase] = ()) -> str:
        lines = _wrap(language.say(text))
        for item in items:
            lines += _wrap(language.say(item), "  ")
        return "\n".join(lines)

    yield paragraph(game_line(match))
    if not match.is_joined:
        inviter = display_name(match.invite.name)
        yield paragraph(
            Message("{player} invites you to a game by e-mail:", player=inviter),
            rules_text(match.invite),
        )
    else:
        yield paragraph(opponents_text(*(player(match, side) for side in match.entrants)))
        if moves := _recent_moves(match):
            yield paragraph(Message("What happened last"))
            moves_report = report(match, moves, None)
            for section in moves_report.sections:
                yield paragraph(section.heading, section.all_lines)
            yield from map(paragraph, filter(None, (*moves_report.dropped, moves_report.announced)))
        elif match.state.setup:
            yield paragraph(Message("The cards are being dealt."))
        else:
            yield paragraph(Message("The game begins."))
        points = points_text({side: score(match.state, side).total for side in Side})
        yield paragraph(Message("Points: {points}.", points=points))
        yield paragraph(whose_move(match))
        if has_picture:
            yield paragraph(Message("The attached picture shows where the game stands."))
    if match.next_side is not None or not match.is_joined:
        if link:
            how = Message("Answer in your browser, with nothing installed:")
            if "#" not in link:
                how = Message(
                    "Answer in your browser, with nothing installed, and open the attached file "
                    "there:"
                )
            yield paragraph(how)
            yield f"  {link}"
        yield paragraph(
            Message("Save the attached file, and drop it on the page that this command opens:")
        )
        yield "  acres board"
    how, commands = _how_to_answer(match)
    yield paragraph(how)
    yield "\n".join(f"  acres {command} {shell_quote(Path(name))}" for command in commands)


def _wrap(text: str, indent: str = "") -> list[str]:
    # Long words such as addresses are not broken.
    lines = textwrap.wrap(
        protect_spaces(clean(text)),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent * 2,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return list(map(restore_spaces, lines))


def _recent_moves(match: Match) -> list[Move]:
    """Return the moves of the last two records, with those before them in the same turns."""
    last = next(filter(_has_text, match.moves_since(match.last.index - 1)), None)
    last = last or next(filter(_has_text, reversed(match.moves)), None)
    if last is None:
        return []
    turn = last.turn
    return [*takewhile(lambda move: move.turn >= turn, reversed(match.moves))][::-1]


def _has_text(move: Move) -> bool:
    return move.order is not None or move.has_event(GameOver)


def _how_to_answer(match: Match) -> tuple[Message, list[str]]:
    """Return instructions to answer the file, and the commands for it."""
    if not match.is_joined:
        return Message("Or, to accept it at a terminal:"), ["join"]
    if match.next_side is None:
        return Message("With the attached file anybody can check the whole game:"), ["audit"]
    if match.is_over:
        return Message("Or, to close the game at a terminal:"), ["turn apply"]
    how = Message("Or, to see where the game stands and to answer at a terminal:")
    return how, ["turn show", "turn apply"]
