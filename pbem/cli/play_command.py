"""The command `acres play`: a guided turn in the waiting game, sending it, and waiting."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from engine.message import Concat, Message, mark, with_label
from engine.players import MIN_STRENGTH
from engine.ruleset import DEFAULT_EDITION, Ruleset
from pbem.cli import completion, console, game_lookup, prompts
from pbem.cli.app import bare_program, close_store, current_app
from pbem.cli.consent import AnswerCommand, OutputOptions, TerminalConsent
from pbem.cli.file_argument import read_game, session_to_answer
from pbem.cli.guided.turn import guide_turn
from pbem.cli.homes import key_file, no_identity_error, open_store, own_session
from pbem.cli.invitation_commands import invite, join
from pbem.cli.key_commands import ask_name, create_identity
from pbem.cli.options import (
    Edition,
    HouseRules,
    Mail,
    SideChoice,
    StartCard,
    argument,
    flag,
    strength_option,
)
from pbem.errors import UsageError
from pbem.play import robot
from pbem.play.game_file import whose_move
from pbem.play.game_list import has_newest_file, is_invitation, waiting_games
from pbem.play.incoming import names_file
from pbem.play.keyfile import check_secret
from pbem.play.robot_folder import write_answer
from pbem.play.signing import OpenQuestionsError, SignedBefore, SignedFile
from pbem.play.store import GameEntry
from pbem.play.store.entries import NOBODY, OPPONENT, YOU
from pbem.savefile.disk import path_exists, read_file
from pbem.sources import now
from pbem.text.games import game_title, state_text
from pbem.text.proof.signature import robot_wording

ROBOT = "robot"
SCAN_SECONDS, FETCH_SECONDS = 2, 300
"""The intervals between scans of folders, and of the mailbox, during a wait, in seconds."""


class _NewGameOptions(NamedTuple):
    """The options of a new game with the robot, or None for the defaults."""

    side: SideChoice | None = None
    edition: str | None = None
    house_rules: Sequence[str] = ()
    strength: int | None = None
    start_card: str | None = None


def play(
    game: Annotated[
        str | None,
        argument(
            "[GAME]",
            "A number from acres games, your opponent's name, or a file; robot: the robot on this "
            "computer. Without it: the game that has waited longest for you, people before "
            "the robot.",
            completion.own_games,
            show_default=False,
        ),
    ] = None,
    wait: Annotated[bool, flag("--wait", "Then wait for the answer, and go on.")] = False,
    new: Annotated[bool, flag("--new", "Begin another game with the robot.")] = False,
    side: Annotated[
        SideChoice | None,
        typer.Option(help="The side you want in a new game with the robot. Default: british."),
    ] = None,
    edition: Edition = None,
    house_rule: HouseRules = None,
    start_card: StartCard = None,
    strength: Annotated[
        int | None,
        strength_option(
            "How strong the robot is in a new game; the stronger, the longer it thinks. Default: "
            "as in the last game, and 1 in the first."
        ),
    ] = None,
    mail: Mail = False,
) -> None:
    """Play: see the turn that is waiting for you, give your orders, write the file and send it.

    What has come into your folders and your mailbox is found automatically. Against the robot the
    game goes on turn after turn; quit leaves, and the same command resumes.

    $ acres play  # the game that has waited longest
    $ acres play Bela --wait  # and goes on when Bela has answered
    $ acres play robot  # against the robot on this computer
    $ acres play robot --new --strength 2  # another game
    """
    is_robot = (game or "").casefold() == ROBOT
    if is_robot and mail:
        raise UsageError("--mail is for people: the robot is on this computer.")
    if not console.is_terminal():
        raise UsageError(
            "Orders are asked for at a terminal. Elsewhere: {command} turn apply FILE ORDER...",
            command=current_app().command,
        )
    options = _NewGameOptions(side, edition, tuple(house_rule or ()), strength, start_card)
    if is_robot:
        _play_robot(options, is_new=new)
    elif new or options != _NewGameOptions():
        command = f"{current_app().command} play {ROBOT}"
        raise UsageError(
            "These options are only for a new game with the robot: {command}", command=command
        )
    elif not current_app().home.has_identity:
        raise no_identity_error()
    else:
        _play(game or "", wait=wait, mail=mail)


def _play(word: str, *, wait: bool, mail: bool) -> None:
    """Play the game or file that a word names, or else the game that has waited longest."""
    game_lookup.scan_folders()
    file = Path(word) if names_file(word) and not game_lookup.find_game(word) else None
    if file is None:
        # A player with something to do should not be asked for a password first.
        game_lookup.check_mailbox(may_ask=not waiting_games(game_lookup.list_games()))
    declined: set[bytes] = set()
    entry = _find_game(word) if file is None else _game_in(file)
    while True:
        if entry is None and file is not None:
            _take_turn(file, mail=mail)
        elif entry is None:
            _say_nothing_waits()
        elif robot.is_with_robot(current_app().home, entry) and entry.game.waits_for != NOBODY:
            _alternate_turns(file or game_lookup.newest_file(entry))
            return
        elif not _play_due_turn(entry, file or _file_to_answer(entry), mail=mail):
            declined.add(entry.id)
        file = None
        if not wait:
            return
        games = game_lookup.list_games()
        others = [game for game in games if not game.game.is_finished and game.id not in declined]
        awaited = [game for game in others if entry and game.id == entry.id]
        if not awaited and not word:
            awaited = others
        if not awaited:
            return
        waiting = waiting_games(awaited)
        entry = waiting[0] if waiting else _wait_for({game.id for game in awaited})


def _play_due_turn(entry: GameEntry, file: Path | None, *, mail: bool) -> bool:
    """Play the turn after `file`, or print that no turn is due.

    The result is False if the player declines.
    """
    is_accepted = True
    if file is None or is_invitation(entry):
        console.say(with_label(game_title(entry), state_text(entry, now())))
    if file is not None and is_invitation(entry):
        check_secret(key_file())
        hint = mark("{yes} accepts it, {no} leaves it.")
        is_accepted = prompts.ask_yes(Message("Accept it?"), hint)
        if is_accepted:
            join(file, mail=mail)
    elif file is not None:
        try:
            _take_turn(file, mail=mail)
        except console.CancelledError:
            _say_other_games(entry)
            raise
    _say_other_games(entry)
    return is_accepted


def _file_to_answer(entry: GameEntry) -> Path | None:
    """Return the file that waits for the player's answer, or None if there is none.

    This includes a file whose signed answer is missing because the program was stopped.
    """
    if entry.game.waits_for == YOU:
        return game_lookup.newest_file(entry)
    before = entry.file_in
    if entry.game.waits_for != OPPONENT or has_newest_file(entry) or before is None:
        return None
    return before if path_exists(before) and game_lookup.newest_file(entry) == before else None


def _find_game(word: str) -> GameEntry | None:
    """Return the game to play, or None if none waits.

    Raises UsageError if no game matches the word.
    """
    if word:
        if entry := game_lookup.find_game(word):
            return entry
        raise UsageError(
            "No game of yours is called “{word}”. To see them: {command} games",
            word=word,
            command=current_app().command,
        )
    games, home = game_lookup.list_games(), current_app().home
    # People come before the robot.
    waiting = sorted(waiting_games(games), key=lambda game: robot.is_with_robot(home, game))
    # The robot may have been stopped before it answered.
    return next(iter(waiting or _robot_games(games)), None)


def _game_in(file: Path) -> GameEntry | None:
    """Return the game in a file, which may be an invitation; None if the library lacks it.

    Raises UsageError for a foreign one, and the same errors as `read_game`.
    """
    with open_store() as store:
        game_lookup.inbox_of(store).invitations.add(file.absolute())
    game = read_game(file)
    entries = {entry.id: entry for entry in game_lookup.list_games()}
    if game.match.id not in entries:
        session_to_answer(game, file)
    return entries.get(game.match.id)


def _robot_games(games: Sequence[GameEntry]) -> list[GameEntry]:
    """Return the unfinished games against the robot."""
    home = current_app().home
    return [game for game in games if not game.game.is_finished and robot.is_with_robot(home, game)]


def _say_other_games(entry: GameEntry) -> None:
    """Print the other games that wait for the player, with their commands."""
    games = game_lookup.list_games()
    others = [game for game in waiting_games(games) if game.id != entry.id]
    if others:
        console.say("Also waiting for you:")
    for game in others:
        command = f"{current_app().command} play {games.index(game) + 1}"
        console.say_unwrapped(Concat(("  ", with_label(game_title(game), command))))


def _say_nothing_waits() -> None:
    command = current_app().command
    console.say("No game is waiting for you.", style="bold")
    for entry in game_lookup.list_games():
        if not entry.game.is_finished:
            console.item(with_label(game_title(entry), state_text(entry, now())))
    console.say_unwrapped("To play against the robot: {command} play robot", command=command)
    console.say_unwrapped("To invite somebody: {command} new --side any", command=command)


def _wait_for(awaited: Collection[bytes]) -> GameEntry:
    """Wait for an answer in a game with an id in `awaited`, and return the answered game.

    The player can stop waiting with Ctrl-C.
    """
    game_lookup.check_mailbox(may_ask=True)
    console.say("Waiting for your opponent's answer. To stop, press Ctrl-C.")
    console.flush()
    last_fetch = time.monotonic()

    def check() -> GameEntry | None:
        nonlocal last_fetch
        game_lookup.scan_folders()
        if time.monotonic() - last_fetch > FETCH_SECONDS:
            game_lookup.check_mailbox()
            last_fetch = time.monotonic()
        return next(
            (entry for entry in waiting_games(game_lookup.list_games()) if entry.id in awaited),
            None,
        )

    return game_lookup.poll(check, SCAN_SECONDS)


def _take_turn(file: Path, *, deliver: bool = True, mail: bool = False) -> SignedFile:
    """Play the turn after `file`, write the answer next to it, and return the answer.

    An answer that was signed but not written, because the program was stopped, is written
    unchanged. If `deliver` is true, the answer is also sent, with `mail` as a draft. Raises
    CancelledError if the player leaves, and the same errors as `AnswerCommand`.
    """
    command = AnswerCommand(file, OutputOptions(mail=mail, offer_to_send=not mail))
    turn, autosave = command.turn, command.autosave
    if autosave.saved is not None and autosave.saved.is_signed:
        autosave.resume()
    is_guided = not turn.is_complete
    if is_guided:
        command.allow(turn, is_different=True)
        guide_turn(turn, command.path, autosave, dry_run=False)
    written = command.write(already_shown=is_guided)
    assert written is not None
    if deliver:
        command.deliver(written)
    store = current_app().store
    if store is not None:
        # The next lookup needs the pending notes.
        close_store(store)
    console.flush()
    return written


# --- games against the robot


def _play_robot(options: _NewGameOptions, *, is_new: bool) -> None:
    """Continue or begin a game with the robot, until it is over or the player leaves."""
    if not current_app().home.has_identity:
        if current_app().home.has_played:
            raise no_identity_error()
        create_identity(ask_name(None))
    own_session()
    game_lookup.scan_folders()
    games = _robot_games(game_lookup.list_games())
    if games and not is_new:
        if options != _NewGameOptions():
            console.warn(
                "The game with the robot goes on as it was begun; to begin another, add {option}.",
                option="--new",
            )
        path = game_lookup.newest_file(max(games, key=_last_file))
    else:
        path = _begin_robot_game(options)
    _alternate_turns(path)


def _last_file(entry: GameEntry) -> float:
    """Return the time of the newest file of a game."""
    paths = [path for path in (entry.file_in, entry.file_out) if path and path.exists()]
    return max((path.stat().st_mtime for path in paths), default=0)


def _begin_robot_game(options: _NewGameOptions) -> Path:
    """Write the invitation to a new game and return its path."""
    ruleset = Ruleset.of(options.edition or DEFAULT_EDITION, options.house_rules)
    home, strength = current_app().home, options.strength or robot.last_strength(current_app().home)
    session = own_session()
    invitation = invite(session, ruleset, options.side or "british", options.start_card)
    path = robot.folder_of_robot(home, strength) / invitation.path
    return TerminalConsent(session).sign_file(invitation, path).path


def _alternate_turns(path: Path) -> None:
    """Alternate turns with the robot, starting after the file at `path`.

    Raises CancelledError if the player leaves.
    """
    while True:
        match = read_game(path).match
        key = current_app().home.own_key
        if match.is_joined and match.next_side is None:
            console.say(whose_move(match), style="bold")
            command = f"{current_app().command} play robot"
            console.say_unwrapped("To play again: {command}", command=command)
            return
        writer = match.entrants[match.next_side].key if match.is_joined and match.next_side else b""
        path = _take_turn(path, deliver=False).path if writer == key else _robot_answer(path)


def _robot_answer(path: Path) -> Path:
    """Return the path of the robot's answer to a file."""
    home, store = current_app().home, current_app().store
    assert store is not None
    strength = robot.strength_at(home, path) or MIN_STRENGTH
    if strength != MIN_STRENGTH:
        console.say("The robot is thinking.")
        console.flush()
    session, players, data = robot.open_robot(home), robot.make_players(strength), None
    try:
        data = robot.answer(read_file(path), session, players, keeper=store.key)
    except OpenQuestionsError as error:
        # The robot of `acres board` may have answered already.
        if not isinstance(error.questions[0], SignedBefore):
            words = robot_wording(bare_program(), robot.home_of_robot(home.folder), path.parent)
            raise words.first_refusal(error) from None
    newest = write_answer(data, path)[0] if data else _newest_file(path)
    robot.note_robot_file(store, newest, home)
    return newest


def _newest_file(path: Path) -> Path:
    """Return the newest file of the game, after another program has answered this file."""
    game_lookup.scan_folders(rescan=True)
    game = read_game(path).match.id
    entry = next((other for other in game_lookup.list_games() if other.id == game), None)
    newest = game_lookup.newest_file(entry) if entry else path
    if newest == path:
        raise UsageError(
            "The robot has answered {file} before, and its answer is not in that folder any more.",
            file=path,
        )
    return newest
