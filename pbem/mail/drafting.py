"""What a letter with a turn says: what happened, where the game stands, and how to answer.

It says only what is public, because it goes through many hands: it is made from the match alone,
which knows no hidden card, and in the words of somebody who only watches. The report is in the
language of whoever sends it; whoever gets it may read another one, and has it in English too.
"""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from itertools import takewhile
from pathlib import Path

from engine.events import GameOver
from engine.message import Message, Run
from engine.scoring import score
from engine.sides import Side
from pbem.foreign import clean, mailbox, named, quoted
from pbem.mail import letter
from pbem.mail.letter import Attachment, Block, Correspondent, Letter, Picture, in_languages
from pbem.mail.thread import message_id, references
from pbem.play.game_file import whose_move
from pbem.protocol.match import Match
from pbem.protocol.table import Deed
from pbem.words.games.invitation import rules_told
from pbem.words.history.report import report
from pbem.words.language import SOURCE
from pbem.words.phrases import against, player, points_told
from pbem.words.rules.editions import game_line


def drafted(
    match: Match,
    data: bytes,
    name: str,
    to: str = "",
    sent_from: str = "",
    time: str = "",
    language: str = SOURCE,
    picture: bytes | None = None,
) -> EmailMessage:
    """The letter of whoever signed the last record of a match, in that language and in English.

    `data` is the file with it, and `name` what the file is called. It goes to the address `to`,
    else to the one that the other player gave in the game; there is no `To` where that is none, or
    one that mail does not take. It comes from the address `sent_from`, else from the one in the
    game. Its date is that `time`, else that of its record: the same file makes the same letter in
    the same language. A `picture` of the position as PNG goes with it, called as the file is.
    """
    name, sender = clean(name), author(match)
    beside = f"{name.removesuffix('.toml')}.png"
    return Letter(
        sender=sender._replace(address=sent_from or sender.address),
        receiver=receiver(match, to),
        subject=subject(match),
        time=time or match.last.time,
        id=message_id(match.id, match.last),
        references=references(match),
        reports=in_languages(language, list(_blocks(match, name, has_picture=bool(picture)))),
        file=Attachment(name, data),
        picture=Picture(beside, picture) if picture else None,
    ).message()


def author(match: Match) -> Correspondent:
    """Who signed the last record, as the game knows that player."""
    if not match.is_joined:
        return Correspondent(match.invite.name, match.invite.email)
    entrant = match.entrants[Side(match.last.side)]
    return Correspondent(entrant.name, entrant.email)


def receiver(match: Match, to: str = "") -> Correspondent:
    """Who gets the letter with the last record, at the address `to` or the one in the game.

    An invitation names nobody.
    """
    if not match.is_joined:
        return Correspondent("", to)
    entrant = match.entrants[Side(match.last.side).opponent]
    return Correspondent(entrant.name, to or entrant.email)


def told_of_draft(letter: EmailMessage, match: Match, to: str = "") -> tuple[Message, ...]:
    """What to do with the draft of such a letter, to that address or the one in the game.

    Behind that, what is wrong with the address, if anything is.
    """
    other = receiver(match, to)
    player, address = named(other.name), mailbox(other.address)
    if "To" in letter:
        return (
            Message(
                "Next: open it with your mail program, which sends it to {address}.",
                address=address,
            ),
        )
    if not match.is_joined:
        unaddressed = Message(
            "Next: open it with your mail program, and send it to the player you want to play."
        )
    else:
        unaddressed = Message(
            "Next: open it with your mail program, and send it to {player}.", player=player
        )
    if not other.address:
        return (unaddressed,)
    wrong = Message(
        "Mail cannot be sent to {address}, which {player} gave in the game.",
        address=address,
        player=player,
    )
    return unaddressed, wrong


def subject(match: Match) -> str:
    """The game, the turn and whose move it is; the beginning is the same throughout a game.

    In English, whoever sends it: mail programs put letters together that are called alike.
    """
    game = f"A Few Acres of Snow, game {match.id.hex()[:8]}"
    side = match.next_side
    if not match.is_joined:
        return str(Run((game, ": invitation by ", named(match.invite.name))))
    outcome = match.state.outcome
    if outcome is not None:
        return str(Run((game, ": the game is over, the ", outcome.winner.label, " won")))
    assert side is not None
    return str(Run((f"{game}, turn {match.turn}: ", player(match, side), " to move")))


# --- the report


def _blocks(match: Match, name: str, *, has_picture: bool) -> Iterator[Block]:
    yield letter.Heading(game_line(match))
    if match.is_joined:
        yield letter.Paragraph(against(*(player(match, side) for side in match.entrants)))
        yield from _what_happened(match)
        points = points_told({side: score(match.state, side).total for side in Side})
        yield letter.Paragraph(Message("Points: {points}.", points=points))
        yield letter.Paragraph(whose_move(match))
        if has_picture:
            yield letter.Paragraph(Message("The attached picture shows where the game stands."))
    else:
        inviter = named(match.invite.name)
        yield letter.Items(
            Message("{player} invites you to a game by e-mail:", player=inviter),
            rules_told(match.invite),
        )
    yield from _how_to_answer(match, quoted(Path(name)))


def _what_happened(match: Match) -> Iterator[Block]:
    deeds = _recent(match)
    if not deeds:
        is_dealt = not match.state.setup
        yield letter.Paragraph(
            Message("The game begins.") if is_dealt else Message("The cards are being dealt.")
        )
        return
    yield letter.Heading(Message("What happened last"))
    told = report(match, deeds, None)
    for section in told.sections:
        yield letter.Items(section.heading, section.lines)
    yield from map(letter.Paragraph, filter(None, (*told.dropped, told.announced)))


def _recent(match: Match) -> list[Deed]:
    """What the last two records did, with what led up to it in the same turns."""
    last = next(filter(_is_told, match.deeds.since(match.last.index - 1)), None)
    last = last or next(filter(_is_told, reversed(match.deeds)), None)
    if last is None:
        return []
    turn = last.turn
    return [*takewhile(lambda deed: deed.turn >= turn, reversed(match.deeds))][::-1]


def _is_told(deed: Deed) -> bool:
    return deed.order is not None or deed.caused(GameOver)


def _how_to_answer(match: Match, name: str) -> Iterator[Block]:
    """What whoever gets the letter does with the file of that name, and by which commands."""
    if not match.is_joined:
        told = Message("To accept it, save the attached file and run:")
        commands = ["join"]
    elif match.next_side is None:
        told = Message("With the attached file anybody can check the whole game:")
        commands = ["audit"]
    elif match.is_over:
        told = Message("To close the game, save the attached file and run:")
        commands = ["turn apply"]
    else:
        told = Message(
            "To see where the game stands, and to answer, save the attached file and run:"
        )
        commands = ["turn show", "turn apply"]
    yield letter.Paragraph(told)
    yield letter.Commands([f"acres {command} {name}" for command in commands])
