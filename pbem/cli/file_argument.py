"""The argument FILE: finding and reading the file, and opening the key for its game.

If checking the records takes longer than a second, standard error shows a progress bar, or in plain
mode a line from time to time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Annotated, Any, TypeVar

import typer

from engine.message import Message, mark, message_of
from engine.sides import Side
from pbem.cli import console
from pbem.cli.app import NoPassphraseError, current_app
from pbem.cli.completion import Candidates, files, save_files
from pbem.cli.homes import (
    check_is_player,
    home_for_game,
    no_identity_error,
    own_session,
    warn_of_library,
)
from pbem.cli.options import argument
from pbem.errors import InputError, UsageError
from pbem.foreign import display_path, shell_quote
from pbem.play import inbox
from pbem.play.game_file import GameFile, answer_path, read_and_note
from pbem.play.game_list import find_newer_file
from pbem.play.incoming import MAX_MAILBOX, STANDARD_INPUT, FileQuery, IncomingFile, names_file
from pbem.play.look import Look, Secrets, Spectator
from pbem.play.session import Session, spectator_reason
from pbem.play.store import Store
from pbem.play.turn import NotYourTurnError
from pbem.protocol.match import Match, ProgressCallback
from pbem.savefile.armour import MAX_CHAT, armour
from pbem.savefile.disk import decode, is_file, is_folder, path_exists, read_error, read_file
from pbem.sources import now
from pbem.text.games import newer_file_notice, spectator_clause
from pbem.text.history.standing import future_date_warning
from pbem.text.proof.finding import explain_failures

# --- progress


PROGRESS_DELAY_SECONDS = 1.0
"""The time before progress is shown, in seconds."""
LINE_INTERVAL_SECONDS = 5.0
"""The interval between progress lines in plain mode, in seconds."""
BAR_INTERVAL_SECONDS = 0.1
"""The interval between updates of the progress bar, in seconds."""
CHECKING = mark("Checking: {done} of {total} records.")
CHECKING_FILES = mark("Checking: {done} of {total} files.")
LOOKING = mark("Looking for what you can do.")

ItemT = TypeVar("ItemT")


class ProgressReport:
    """The progress of an operation, as a marked message with the numbers {done} and {total}.

    An operation with several sequences may have a message for each.
    """

    def __init__(self, sentence: str, *later: str) -> None:
        self.sentence = sentence
        self._sentences = iter((sentence, *later))
        self.done = 0
        self.total: int | None = None
        self._start = monotonic(), 0

    def track(self, items: Sequence[ItemT]) -> Iterator[ItemT]:
        """Yield these items; an item counts as done when the next item is requested."""
        self.sentence = next(self._sentences, self.sentence)
        self.done, self.total = 0, len(items)
        for item in items:
            yield item
            self.done += 1

    def update(self, sentence: str, done: int, total: int | None) -> None:
        """Set the progress; the rate is counted from the first `done` of each sentence."""
        if sentence != self.sentence:
            self._start = monotonic(), done
        self.sentence, self.done, self.total = sentence, done, total

    def text(self) -> str:
        """Return the progress in words; {rate} is the number per minute."""
        start, first = self._start
        rate = round(60 * (self.done - first) / max(monotonic() - start, 1))
        facts = {"done": self.done, "total": self.total or 0, "rate": rate}
        return console.translate(Message(self.sentence, **facts))


@contextmanager
def progress(*sentences: str) -> Iterator[ProgressReport]:
    """Show the progress of the block if it takes long."""
    report = ProgressReport(*sentences)
    if not sys.stderr.isatty():
        yield report
        return
    end = Event()
    thread = Thread(target=_show_progress, args=(report, end), daemon=True)
    thread.start()
    try:
        yield report
    finally:
        end.set()
        thread.join()


@contextmanager
def checking_records() -> Iterator[ProgressCallback]:
    """Show the progress of checking records if it takes long."""
    with progress(CHECKING) as report:
        yield report.track


def _show_progress(report: ProgressReport, end: Event) -> None:
    if end.wait(PROGRESS_DELAY_SECONDS):
        return
    if console.is_plain():
        console.say_stderr(report.text())
        while not end.wait(LINE_INTERVAL_SECONDS):
            console.say_stderr(report.text())
        return
    from rich import progress as bars

    columns = (
        bars.BarColumn(20),
        bars.TextColumn("{task.description}", markup=False),
        bars.TimeRemainingColumn(),
    )
    with bars.Progress(*columns, console=console.progress_console(), transient=True) as bar:
        task = bar.add_task(report.text(), total=report.total)
        while not end.wait(BAR_INTERVAL_SECONDS):
            bar.update(task, description=report.text(), completed=report.done, total=report.total)


# --- FILE


_T = TypeVar("_T")


def optional_file(help: str, offers: Callable[..., Candidates] = save_files) -> Any:
    """Return the optional argument FILE for the parser."""
    return argument("[FILE]", help, offers, show_default=False)


File = Annotated[
    Path | None,
    optional_file(
        "The file your opponent sent, or the message with it; a number from acres games, or "
        "your opponent's name, stands for the newest file of that game. Without it: the game "
        "that is waiting for you.",
        files,
    ),
]

# --- files


def open_incoming(file: Path, *, to_join: bool = False, to_compare: bool = False) -> IncomingFile:
    """Return the save file that the argument FILE names.

    FILE may be a save file, a message, a mailbox, or standard input with any of them. If `to_join`
    is true, invitations are preferred; if `to_compare` is true, any file is accepted. Raises the
    same errors as `inbox.find_file`.
    """
    query = FileQuery(current_app().store, console.warn, current_app().command, to_join, to_compare)
    if str(file) == STANDARD_INPUT:
        data = sys.stdin.buffer.read(MAX_MAILBOX + 1)
        return inbox.find_file(data, Message("standard input"), query)
    if not path_exists(file) or is_file(file) or is_folder(file):
        return inbox.find_file(file, display_path(file), query)
    # A pipe, for example from <(command), can be read only once.
    incoming = inbox.find_file(read_file(file, MAX_MAILBOX), display_path(file), query)
    return incoming if incoming.location else incoming._replace(path=file)


def resolve_file(file: Path | None) -> Path:
    """Return the path for the argument FILE. Raises the same errors as `locate_file`."""
    return resolve_words(file)[0]


def resolve_words(file: Path | None, words: Sequence[str] | None = None) -> tuple[Path, list[str]]:
    """Return the path for FILE and the words after it; FILE may itself be the first word."""
    if file is not None and names_file(str(file)):
        return file, [*(words or ())]
    # Imported lazily: a file name, as in a script, needs no games and folders.
    from pbem.cli.game_lookup import locate_file

    return locate_file(file, words)


def newer_file_hint(game: GameFile, file: Path) -> Message | None:
    """Return a sentence that names a newer file of the game, or None if none is known.

    For a file that the player wrote, its folder is searched for the answer.
    """
    store, match = current_app().store, game.match
    if store is None:
        return None
    entry = store.games_by_id().get(match.id)
    newer = find_newer_file(match.records, entry)
    is_own = match.is_joined and match.entrants[Side(match.last.side)].key == store.key
    if newer is None and is_own and entry is not None and game.path is not None:
        # Imported lazily: most often this is the newest file.
        from pbem.cli.game_lookup import inbox_of

        inbox_of(store).scan([game.path.absolute().parent], lambda message: None)
        newer = find_newer_file(match.records, store.games_by_id().get(match.id))
    return newer_file_notice(newer, file, current_app().command) if newer else None


@contextmanager
def name_newest_file(game: GameFile, file: Path) -> Iterator[None]:
    """Replace the error for a file that cannot be answered by one with the newest file."""
    try:
        yield
    except NotYourTurnError:
        if newer := newer_file_hint(game, file):
            raise UsageError(newer) from None
        raise


def read_text(file: Path, limit: int, no_text: str, too_long: str) -> str:
    """Return the text in a file, or in the input for "-", of at most `limit` bytes.

    Raises InputError with the marked message `no_text` or `too_long`.
    """
    try:
        if str(file) == STANDARD_INPUT:
            data = typer.get_binary_stream("stdin").read(limit + 1)
        else:
            data = read_file(file, limit)
        if len(data) > limit:
            raise InputError(Message(too_long, file=file))
        return decode(data)
    except OSError as error:
        raise read_error(file, error) from None
    except UnicodeDecodeError:
        raise InputError(Message(no_text, file=file)) from None


def say_armoured(data: bytes) -> None:
    """Print a file as one block of text, and warn if the block is too long for most chats."""
    block = armour(data)
    console.write_lines(block.splitlines())
    if len(block) > MAX_CHAT:
        console.warn(
            "The block has {count} characters, and many chats take no more than {most} in a "
            "message: paste it into an e-mail, or send the file.",
            count=len(block),
            most=MAX_CHAT,
        )


# --- the game in a file


def read_game(file: Path) -> GameFile:
    """Return the game in a file.

    Raises the same errors as `open_incoming` and `read_incoming_game`.
    """
    return read_incoming_game(open_incoming(file))


def read_incoming_game(incoming: IncomingFile) -> GameFile:
    """Return the game in an incoming file. Raises InputError or InvalidFileError.

    A record that is dated in the future causes a warning, once in a command.
    """
    store = current_app().store

    def read(data: bytes, progress: ProgressCallback) -> GameFile:
        if store is None:
            return GameFile.read(data, progress=progress, path=incoming.path)
        return read_and_note(store, data, incoming.path, progress)

    game = read_checking(incoming, read)
    warn_of_game(game.match)
    return game


def read_checking(incoming: IncomingFile, read: Callable[[bytes, ProgressCallback], _T]) -> _T:
    """Return the result of `read` for an incoming file, and show progress.

    Raises the same errors as `read_incoming_game`.
    """
    store = current_app().store
    key = store.key if store else None
    with explain_failures(incoming.data, key, checking_records), checking_records() as progress:
        return read(incoming.data, progress)


def warn_of_game(match: Match) -> None:
    """Warn about a library that cannot be used, and once about a record dated in the future."""
    store = current_app().store
    if store is not None:
        warn_of_library(store)
    warned = current_app().printed_warnings
    if match.id not in warned and (warning := future_date_warning(match, now())):
        warned.add(match.id)
        console.warn(warning)


# --- viewers and players


def look_as_user(match: Match) -> Look:
    """Return the user's view of a match: a player's view if the key is here, else a spectator's."""
    if reason := spectator_reason(current_app().home, match):
        if reason is Spectator.NO_KEY and (hint := home_for_game(match)):
            console.warn(hint)
        return Look(match, reason)
    try:
        return Look(match, Secrets.of(match, own_session().identity))
    except NoPassphraseError as error:
        console.warn(message_of(error))
        return Look(match, Spectator.SEALED)


def look_as_player(match: Match) -> Look:
    """Return the user's view of a match as its player. Raises UsageError for a spectator."""
    look = look_as_user(match)
    if isinstance(look.access, Spectator):
        reason = spectator_clause(look.access, current_app().command)
        raise UsageError("There are no cards of yours to show: {reason}.", reason=reason)
    return look


def session_to_answer(game: GameFile, file: Path) -> Session:
    """Return the session of the player who is about to answer the game in `file`.

    Raises the same errors as `own_session`, and UsageError for an invitation, which must be joined.
    """
    if game.match.is_joined:
        check_is_player(game.match, file.parent)
    session = own_session()
    if not game.match.is_joined and game.match.invite.key != session.identity.public_key:
        command = join_command(file)
        raise UsageError("This is an invitation. To accept it: {command}", command=command)
    return session


def join_command(file: Path) -> str:
    """Return the command that accepts the invitation in a file."""
    return f"{current_app().command} join {shell_quote(file)}"


def turn_command(verb: str, file: Path) -> str:
    """Return a command for the turn in a file; `verb` is, for example, `apply`."""
    return f"{current_app().command} turn {verb} {shell_quote(file)}"


def open_own_file(file: Path) -> tuple[Store, GameFile, Path]:
    """Return the player's library, the game in a file, and the path to name its draft after.

    Raises UsageError if the player does not play in the game.
    """
    incoming = open_incoming(file)
    game = read_incoming_game(incoming)
    store, match = library_of_player(game.match), game.match
    if not incoming.is_file:
        file = answer_path(store, match, match.last.index, name=incoming.name)
    return store, game, file


def library_of_player(match: Match) -> Store:
    """Return the player's library. Raises UsageError if the user does not play in the match."""
    if match.is_joined:
        check_is_player(match)
    store = current_app().store
    if store is None:
        raise no_identity_error()
    return store
