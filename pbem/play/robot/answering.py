"""A robot as an opponent: from a received file to its answer, through the door like anybody else.

It knows what a player in its seat knows.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random
from typing import TypeAlias

from engine.message import Message, sentences
from engine.order import Order
from engine.players import Player, player_of
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import State, new_game
from pbem.errors import WrongUse
from pbem.play.entry import Acceptance
from pbem.play.game_file import GameFile
from pbem.play.helper import Helper
from pbem.play.look import Look
from pbem.play.questions import (
    Closed,
    NewKey,
    NoLibrary,
    NotRemembered,
    OtherKey,
    SignedBefore,
    Standing,
    Unanswered,
)
from pbem.play.session import Session
from pbem.play.signing import look_up, questions_of_file, sign
from pbem.play.store import LibraryFailed, SignedMeanwhile
from pbem.play.turn import Turn
from pbem.protocol.entrance import ruleset_of
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import Invite
from pbem.savefile.save_file import SaveFile
from pbem.sources import random_bytes

Choose: TypeAlias = Callable[[State], Order]
"""Returns a legal order for a position."""
Players: TypeAlias = Callable[[bytes, bytes], Choose]
"""Returns the player of a game, by its id: what that has planned and seen stays with the game.

The second argument is a seed, from which its whims follow.
"""
REMEMBERED = 200
"""How many games at once keep their player; the one unused the longest starts again."""


def answer(
    data: bytes,
    robot: Session,
    players: Players,
    *,
    keeper: bytes | None = None,
    lists: int = 1,
    newest: bool = False,
    nonce: bytes | None = None,
) -> bytes | None:
    """Return the file with which a robot answers a received file; None if nothing is due.

    It joins an invitation, gives the orders of a turn, or closes a game that is over. The answer is
    signed, and remembered in the home of `robot`, when this returns: the same file gets the same
    answer again, from other processes too. The `players` choose the orders.

    A robot with a `keeper` plays with the player of that key alone, and none joins a game with
    shuffles of fewer `lists`. With `newest` its keeper says that no file will come that it answered
    before it lost its library. `nonce` are 32 random bytes for an invitation, fresh ones if absent.

    Raises Unanswered where something stands before the signature, such as a file that is not the
    newest of its game; AcresError or UnknownRules for a file that does not hold, or of a game that
    the robot does not play.
    """
    with robot:
        save = SaveFile.read(data)
        _check_memory(robot)
        if _is_own(save, robot):
            return None
        store = robot.store
        background = look_up(store, save.records)
        signed, asked = background.signed, questions_of_file(background, store)
        for question in asked:
            is_older = isinstance(question, SignedBefore) and question.standing is Standing.OLDER
            if is_older or isinstance(question, NoLibrary):
                raise Unanswered([question])
        game = GameFile.read(data, store.known)
        store.keep(game.match, None)
        for question in asked:
            # It tells what somebody signed, and the file has to prove that first.
            if isinstance(question, SignedBefore) or (signed and isinstance(question, Closed)):
                raise Unanswered([question])
        if signed is not None:
            return _again(game, signed, robot)
        opponent = _opponent(game, robot)
        if opponent is None:
            return None
        for question in asked:
            is_vouched = newest and isinstance(question, NotRemembered)
            if not is_vouched and not isinstance(question, NewKey | OtherKey):
                raise Unanswered([question])
        if keeper not in (None, opponent):
            raise WrongUse("The robot does not play with just anybody.")
        record, game_id = len(game.match.records), game.match.id
        seed = random_bytes(32, f"whims of the robot in record {record} of game {game_id.hex()}")
        player = Robot(robot.identity, players(game_id, seed))
        draft: Turn | Acceptance
        if game.match.is_joined:
            draft = robot.answer(game, background)
            player.play(draft)
        else:
            _check_lists(game.match.invite, lists)
            draft = robot.join(game, nonce, background)
            draft.choose(*_choices(game.match.invite, game_id, player))
        try:
            return sign(draft, robot.identity, store, asked, writes=False).data
        except SignedMeanwhile:
            # Another process has answered the file, and that is the answer.
            signed = look_up(store, save.records).signed
            if signed is None:
                raise
            return _again(game, signed, robot)


def _check_memory(robot: Session) -> None:
    """Raise Unanswered if the robot has signed more than it remembers, or may have."""
    # If the library cannot be used, the questions before a signature say so.
    with suppress(LibraryFailed):
        if not robot.store.is_complete():
            raise Unanswered([NotRemembered(is_invitation=False)])


def _is_own(save: SaveFile, robot: Session) -> bool:
    """Return True for a file that the robot has written, which may lie where others come."""
    last = save.records[-1]
    with suppress(LibraryFailed):
        signed = robot.store.signed_hashes(save.records[0].hash)
        return signed.get(last.index) == last.hash
    return False


def _again(game: GameFile, signed: Record, robot: Session) -> bytes:
    """Return the file with the record with which a file was answered before."""
    verified = robot.store.known(game.match.id).verified
    match = Match.replay([*game.match.records, signed], verified)
    return game.followed_by(match, robot.identity).save.write()


def _opponent(game: GameFile, robot: Session) -> bytes | None:
    """Return the key of whom the robot has to answer; None if nothing is due."""
    match = game.match
    if not match.is_joined:
        return match.invite.key
    look = Look.of(match, robot.identity)
    if look.viewer is None:
        raise WrongUse("The robot does not play in this game: it accepts invitations.")
    return match.entrants[look.viewer.opponent].key if look.is_to_write else None


def _check_lists(invitation: Invite, fewest: int) -> None:
    """Raise WrongUse for an invitation to a game in which wrong cards pass too easily."""
    if invitation.lists < fewest:
        few = Message.counted(
            "A shuffle of this game has {count} list, so a deck with wrong cards passes too "
            "easily.",
            "A shuffle of this game has {count} lists, so a deck with wrong cards passes too "
            "easily.",
            invitation.lists,
        )
        more = Message(
            "The robot plays with {fewest} lists or more: invite it again with as many.",
            fewest=fewest,
        )
        raise WrongUse(sentences(few, more))


def _choices(invitation: Invite, game: bytes, player: Robot) -> tuple[Side, str | None]:
    """Return the side that an invitation leaves free, and the card to begin with."""
    if invitation.side == "any":
        (drawn,) = random_bytes(1, f"side of the robot in game {game.hex()}")
        side = list(Side)[drawn % len(Side)]
    else:
        side = Side(invitation.side).opponent
    return side, player.start_card(ruleset_of(invitation), side)


# --- its orders


def players_of(strength: int, helper: Helper | None = None) -> Players:
    """Return players of a strength, each of one game; they may think in the process of a helper.

    They raise KeyError as `player_of` does.
    """
    if helper is not None:
        return lambda game, seed: lambda state: helper.call(_choose, strength, game, seed, state)

    @lru_cache(maxsize=REMEMBERED)
    def remembered(game: bytes) -> tuple[Random, Player]:
        random = Random(game)
        return random, player_of(strength, random)

    def player(game: bytes, seed: bytes) -> Choose:
        random, player = remembered(game)

        def choose(state: State) -> Order:
            # Each order anew: here or in a process of its own, it chooses the same.
            random.seed(seed)
            return player.choose(state)

        return choose

    return player


_players = cache(players_of)
"""In the process of a helper, those of each strength."""


def _choose(strength: int, game: bytes, seed: bytes, state: State) -> Order:
    return _players(strength)(game, seed)(state)


def usually_follows_up(turn: Turn) -> bool:
    """Return True where a player orders on although the other side has to answer first.

    With actions left that player waits for the cards of Home Support.
    """
    return not turn.waits_for_cards or turn.is_turn_used_up


@dataclass(frozen=True, slots=True)
class Robot:
    """A player that needs nobody at the table: `choose` returns a legal order for a position.

    `follows_up` is asked before each order that is given ahead of the other side's answer. Nothing
    is random here but what they do.
    """

    identity: Identity
    choose: Choose
    follows_up: Callable[[Turn], bool] = usually_follows_up

    def start_card(self, ruleset: Ruleset, side: Side | None) -> str | None:
        """Return the card that it begins with as `side`; None if the rules leave no choice."""
        if not ruleset.chooses_start_card(side):
            return None
        return self.choose(new_game(ruleset)).cards[0]

    def play(self, turn: Turn) -> None:
        """Give the orders of a turn."""
        while not turn.is_complete or (turn.may_follow_up and self.follows_up(turn)):
            turn.order(self.choose(turn.view()))
