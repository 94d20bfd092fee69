"""The robot of this computer: from a received file to its answer, and the robot's home.

The robot knows only its own cards, and signs like any other player. Its home, with its own key and
store, is in the home of its keeper. Games are in one folder for each strength: a game continues
at the strength at which it began.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TypeAlias

from engine.message import NOTHING, Message, Phrase, sentences
from engine.order import Order
from engine.players import MIN_STRENGTH, STRENGTHS, Player, player_of
from engine.ruleset import Ruleset
from engine.sides import Side
from engine.state import State, new_game
from pbem.errors import AcresError, UsageError
from pbem.foreign import display_name
from pbem.play import keyfile
from pbem.play.game_file import GameFile, read_and_note
from pbem.play.helper import Helper
from pbem.play.home import Home
from pbem.play.incoming import scan_with_timeout
from pbem.play.invitation import Acceptance
from pbem.play.look import Look
from pbem.play.robot_folder import write_answer
from pbem.play.session import Session
from pbem.play.signing import (
    Closed,
    ConflictKind,
    NewKey,
    NoStore,
    NotRemembered,
    OpenQuestionsError,
    OtherKey,
    Question,
    SignedBefore,
    SignedFile,
    look_up_history,
    questions_of_file,
    sign,
)
from pbem.play.store import GameEntry, KnownFile, Store, StoreError
from pbem.play.store.entries import ConcurrentSigningError
from pbem.play.turn import Turn
from pbem.protocol.identity import Identity
from pbem.protocol.match import Match
from pbem.protocol.record import Record
from pbem.protocol.steps import DEFAULT_LISTS, Invite
from pbem.protocol.table import ruleset_of
from pbem.savefile.disk import TargetExistsError, read_file
from pbem.savefile.save_file import SaveFile
from pbem.sources import random_bytes

Choose: TypeAlias = Callable[[State], Order]
"""A function that returns a legal order for a position."""
Players: TypeAlias = Callable[[bytes, bytes], Choose]
"""A function that returns the player of a game, from the id of the game and a random seed."""
MAX_PLAYERS = 200
"""The maximum number of players that are cached, each for one game."""
NAME = "Robot"
"""The part of a name that marks a robot."""


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
    signed, and is in the store of `robot`, when this returns: the same file gets the same
    answer again, even in another process. The `players` choose the orders.

    - `keeper`: the key of the only player with whom the robot plays, or None.
    - `lists`: the minimum number of lists per shuffle in a game that the robot joins.
    - `newest`: True if the keeper says that no file will arrive that the robot answered before it
      lost its store.
    - `nonce`: 32 random bytes for an acceptance, by default fresh.

    Raises OpenQuestionsError if a question is open, for example for a file that is not the newest
    of its game; AcresError or InvalidRulesError for an invalid file, or for a game that the robot
    does not play.
    """
    with robot:
        save, store = SaveFile.read(data), robot.store
        # If the store cannot be used, there will be a question about it.
        with suppress(StoreError):
            if not store.is_complete():
                # The robot may have signed more than its store knows.
                raise OpenQuestionsError([NotRemembered(is_invitation=False)])
            last = save.records[-1]
            if store.signed_hashes(save.records[0].hash).get(last.index) == last.hash:
                # The robot wrote this file; its answers may be in the same folder.
                return None
        history = look_up_history(store, save.records)
        signed, open_questions = history.signed, questions_of_file(history, store)
        _refuse(
            question
            for question in open_questions
            if isinstance(question, NoStore)
            or (isinstance(question, SignedBefore) and question.kind is ConflictKind.OLDER)
        )
        game = GameFile.read(data, store.load_cache)
        store.defer_note(game.match, None)
        # These questions reveal signed records, so that the file has to be verified first.
        _refuse(
            question
            for question in open_questions
            if isinstance(question, SignedBefore) or (signed and isinstance(question, Closed))
        )
        if signed is not None:
            return _repeat_answer(game, signed, robot)
        opponent = _opponent(game, robot)
        if opponent is None:
            return None
        agreed = (NewKey, OtherKey, NotRemembered) if newest else (NewKey, OtherKey)
        _refuse(question for question in open_questions if not isinstance(question, agreed))
        if newest:
            open_questions.append(NotRemembered(is_invitation=False, is_opening=True))
        if keeper not in (None, opponent):
            raise UsageError("The robot does not play with just anybody.")
        record, game_id = len(game.match.records), game.match.id
        seed = random_bytes(32, f"whims of the robot in record {record} of game {game_id.hex()}")
        choose = players(game_id, seed)
        draft: Turn | Acceptance
        if game.match.is_joined:
            draft = robot.answer(game, history)
            give_orders(draft, choose)
        else:
            invitation = game.match.invite
            _check_lists(invitation, lists)
            side = _free_side(invitation, game_id)
            draft = robot.join(game, nonce, history)
            draft.choose(side, choose_start_card(ruleset_of(invitation), side, choose))
        try:
            return sign(draft, robot.identity, store, open_questions, write_file=False).data
        except ConcurrentSigningError:
            # Another process has answered the file, and that is the answer.
            signed = look_up_history(store, save.records).signed
            if signed is None:
                raise
            return _repeat_answer(game, signed, robot)


def _refuse(open_questions: Iterable[Question]) -> None:
    """Raise OpenQuestionsError with the first question, if there is one."""
    for question in open_questions:
        raise OpenQuestionsError([question])


def _repeat_answer(game: GameFile, signed: Record, robot: Session) -> bytes:
    """Return the file with the record that answered a file before."""
    verified = robot.store.load_cache(game.match.id).verified
    match = Match.replay([*game.match.records, signed], verified)
    return game.next_file(match, robot.identity).save.write()


def _opponent(game: GameFile, robot: Session) -> bytes | None:
    """Return the key of the player whom the robot answers, or None if nothing is due."""
    match = game.match
    if not match.is_joined:
        return match.invite.key
    look = Look.of(match, robot.identity)
    if look.viewer is None:
        raise UsageError("The robot does not play in this game: it accepts invitations.")
    return match.entrants[look.viewer.opponent].key if look.must_write else None


def _check_lists(invitation: Invite, min_lists: int) -> None:
    """Raise UsageError for an invitation to a game with fewer than `min_lists` per shuffle."""
    if invitation.lists < min_lists:
        warning = Message.counted(
            "A shuffle of this game has {count} list, so a deck with wrong cards passes too "
            "easily.",
            "A shuffle of this game has {count} lists, so a deck with wrong cards passes too "
            "easily.",
            invitation.lists,
        )
        advice = Message(
            "The robot plays with {fewest} lists or more: invite it again with as many.",
            fewest=min_lists,
        )
        raise UsageError(sentences(warning, advice))


def _free_side(invitation: Invite, game: bytes) -> Side:
    """Return the free side of an invitation, a random one if the guest may choose."""
    if invitation.side != "any":
        return Side(invitation.side).opponent
    (drawn,) = random_bytes(1, f"side of the robot in game {game.hex()}")
    return list(Side)[drawn % len(Side)]


# --- orders


def choose_start_card(ruleset: Ruleset, side: Side, choose: Choose) -> str | None:
    """Return the start card that a player chooses as `side`, or None if there is no choice.

    >>> player = player_of(MIN_STRENGTH, Random(1))
    >>> choose_start_card(Ruleset.of(), Side.FRENCH, player.choose) is None
    True
    """
    return choose(new_game(ruleset)).cards[0] if ruleset.has_start_choice(side) else None


def usually_follows_up(answer: Turn) -> bool:
    """Return True if a player gives follow-ups before the other side has answered.

    A player with actions left waits for the cards of Home Support.
    """
    return not answer.waits_for_cards or answer.is_turn_used_up


def give_orders(
    answer: Turn, choose: Choose, follows_up: Callable[[Turn], bool] = usually_follows_up
) -> None:
    """Give the orders of an answer.

    `follows_up` is called before each order that would follow the other side's answer.

    >>> turn = Turn.of(game, anna, time)
    >>> give_orders(turn, player_of(MIN_STRENGTH, Random(1)).choose)
    >>> turn.is_complete, turn.orders[-1].notation()
    (True, 'end')
    """
    while not answer.is_complete or (answer.may_follow_up and follows_up(answer)):
        answer.order(choose(answer.view()))


def make_players(strength: int, helper: Helper | None = None) -> Players:
    """Return players of a strength, each of one game; they may think in the process of a helper.

    The players raise KeyError for an unknown strength.
    """
    if helper is not None:
        return lambda game, seed: lambda state: helper.call(_choose, strength, game, seed, state)

    @lru_cache(maxsize=MAX_PLAYERS)
    def remembered(game: bytes) -> tuple[Random, Player]:
        random = Random(game)
        return random, player_of(strength, random)

    def player(game: bytes, seed: bytes) -> Choose:
        random, player = remembered(game)

        def choose(state: State) -> Order:
            # Seeded before each order, so that it makes the same choice in any process.
            random.seed(seed)
            return player.choose(state)

        return choose

    return player


_players = cache(make_players)
"""The players of each strength, in the process of a helper."""


def _choose(strength: int, game: bytes, seed: bytes, state: State) -> Order:
    return _players(strength)(game, seed)(state)


# --- the home of a robot


def home_of_robot(usual: Path) -> Path:
    """Return the default folder of a robot: one in the `usual` home."""
    return usual / NAME.lower()


def is_vacant(home: Home) -> bool:
    """Return True if the home has never been used, so that a robot can be created there."""
    return not home.has_identity and not home.has_played


def make_robot(home: Home) -> Session:
    """Create a robot in a vacant home."""
    return Session.create(home, Identity.generate(NAME, ""))


def check_robot(identity: Identity, hint: Phrase = NOTHING) -> None:
    """Raise UsageError for a person's identity, with a `hint` about the next step."""
    if NAME.casefold() not in identity.name.casefold():
        why = Message(
            "This home belongs to {player}; a robot plays under a name of its own, with a key of "
            "its own.",
            player=display_name(identity.name),
        )
        raise UsageError(sentences(why, hint))


def open_robot(keeper: Home) -> Session:
    """Return the session of the robot in the home of its keeper; create the robot if necessary.

    Raises AcresError if it cannot play.
    """
    home = Home(home_of_robot(keeper.folder), clock=keeper.clock)
    if is_vacant(home):
        # Another process may create it at the same time.
        with suppress(TargetExistsError):
            make_robot(home)
    robot = Session.open(home)
    check_robot(robot.identity)
    return robot


def is_robot_of(usual: Path, key: bytes) -> bool:
    """Return True if `key` is that of the robot in the home `usual`.

    A robot in another home cannot be recognised.
    """
    try:
        key_file = keyfile.read(Home(home_of_robot(usual)).identity_path)
        return not key_file.is_sealed and key_file.open(lambda: "").public_key == key
    except (AcresError, OSError):
        return False


def note_robot_file(store: Store, path: Path, keeper: Home) -> None:
    """Note a file that the robot in the home `keeper` has written in the keeper's `store`.

    The robot's key is vouched for, so that the player need not compare it. Raises AcresError or
    StoreError.
    """
    records = read_and_note(store, read_file(path), path).match.records
    recognised, key = store.recognise(records), Home(home_of_robot(keeper.folder)).own_key
    if recognised is not None and recognised.person.key == key:
        store.vouch(recognised.person)
    store.flush()


# --- the games with a robot


def folder_of_robot(home: Home, strength: int = MIN_STRENGTH) -> Path:
    """Return the folder with the games that the player of `home` plays with the robot."""
    folder = home.games / NAME.lower()
    # Older versions had only the quick strength.
    return folder if strength == MIN_STRENGTH else folder / f"strength-{strength}"


def folders_of_robot(home: Home) -> dict[int, Path]:
    """Return the folders with the games against the robot, by strength."""
    return {strength: folder_of_robot(home, strength) for strength in STRENGTHS}


def strength_at(home: Home, path: Path) -> int | None:
    """Return the robot's strength in the game with a file at `path`, or None."""
    inside = path.absolute().parent
    folders = folders_of_robot(home).items()
    return next((strength for strength, folder in folders if folder.absolute() == inside), None)


def last_strength(home: Home) -> int:
    """Return the robot's strength in the last game against it, or the quick strength."""
    used = {strength: path for strength, path in folders_of_robot(home).items() if path.is_dir()}
    return max(used, key=lambda strength: used[strength].stat().st_mtime_ns, default=MIN_STRENGTH)


def is_with_robot(home: Home, entry: GameEntry) -> bool:
    """Return True for a game against the robot."""
    paths = (entry.file_in, entry.file_out)
    return any(path and strength_at(home, path) is not None for path in paths)


# --- a whole game between two robots

_NAMES = {
    Side.BRITISH: ("Anna (practice)", "anna@example.org"),
    Side.FRENCH: ("Émile (practice)", "emile@example.org"),
}
_START_TIME = datetime(2026, 1, 1, 12, tzinfo=UTC)
_MAX_PAUSE = 36 * 3600


class PracticeGame:
    """A game between two robots in `folder`, which need not exist; the British invite.

    Every turn reads a file, verifies it, answers it and writes the next one, like the command line.
    The players' homes are the folders `british` and `french`; the files are `game-000.toml` and so
    on. The same `seed` gives the same files, and keys that anybody can make; without it the keys
    are secret. `lists` is K. Both players have the same `strength`.
    """

    def __init__(
        self,
        folder: Path,
        seed: int | None,
        lists: int = DEFAULT_LISTS,
        *,
        ruleset: Ruleset | None = None,
        strength: int = MIN_STRENGTH,
    ) -> None:
        self.folder = folder
        self.lists = lists
        self.ruleset = ruleset or Ruleset.of()
        self._is_repeatable = seed is not None
        whims = int.from_bytes(random_bytes(8, "whims of a demo")) if seed is None else seed
        self._random = random = Random(whims)
        self._now = _START_TIME
        self._identities = {
            side: Identity(*_NAMES[side], random.randbytes(32), is_example=True)
            if self._is_repeatable
            else Identity.generate(*_NAMES[side])
            for side in Side
        }
        self._players = {
            side: player_of(strength, Random(random.getrandbits(64))).choose for side in Side
        }

    def play(self) -> Iterator[SignedFile]:
        """Play the game to its close, and yield its files. Raises UsageError if a file exists.

        The homes are written before the first file; the players' libraries are not kept.
        """
        with TemporaryDirectory() as memories:
            sessions = {}
            for side, identity in self._identities.items():
                library = Path(memories) / side.value
                home = Home(self.folder / side.value, library_path=library, clock=self._clock)
                sessions[side] = Session.create(home, identity)
            yield (written := self._write_invitation(sessions[Side.BRITISH]))
            writer: Side | None = Side.FRENCH
            nonce = self._nonce()
            while writer is not None:
                self._wait()
                robot, players = sessions[writer], self._players_of(writer)
                data = answer(read_file(written.path), robot, players, nonce=nonce)
                assert data is not None
                path, _ = write_answer(data, written.path)
                with sessions[writer.opponent] as reader:
                    written = SignedFile(path, data, reader.read(path).match, is_repeat=False)
                yield written
                writer = written.match.next_side

    def _clock(self) -> str:
        return self._now.strftime("%Y-%m-%dT%H:%M:%SZ")

    def _nonce(self) -> bytes | None:
        """Return the nonce with which a player enters the game, or None for a secret one."""
        return self._random.randbytes(32) if self._is_repeatable else None

    def _players_of(self, side: Side) -> Players:
        return lambda game, seed: self._players[side]

    def _wait(self) -> None:
        self._now += timedelta(seconds=self._random.randint(60, _MAX_PAUSE))

    def _write_invitation(self, inviter: Session) -> SignedFile:
        nonce = self._nonce()
        self._wait()
        invitation = inviter.invite(
            Side.BRITISH,
            lists=self.lists,
            edition=self.ruleset.edition,
            house_rules=self.ruleset.house_rules,
            start_card=choose_start_card(self.ruleset, Side.BRITISH, self._players[Side.BRITISH]),
            # Both players have the same program.
            include_parts=False,
            nonce=nonce,
        )
        return sign(invitation, inviter.identity, inviter.store, path=self.folder / "game-000.toml")

    def leave_off_at(self, file: Path) -> None:
        """Create libraries in both homes as if the game had been played there up to this file."""
        game = GameFile.read(read_file(file))
        for side, identity in self._identities.items():
            with Session(Home(self.folder / side.value), identity) as session:
                begin_store(session.store, game.match, file)


def begin_store(store: Store, match: Match, path: Path) -> None:
    """Note the file at `path` as the newest of a game that was played only here.

    The other files in its folder are noted, too, so that they do not count as new.
    """
    known_file, folder = KnownFile.of(match, store.key, path), path.absolute().parent
    # A failure only causes a superfluous notice later.
    with suppress(StoreError):
        if known_file is not None:
            store.note(known_file, create=True, is_learning=True)
            store.mark_complete(with_games=True)
            store.note_stamps(folder, scan_with_timeout(folder))
