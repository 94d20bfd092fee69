"""The commands `acres mail draft` and `acres mail send`, which draft messages or send them once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

from engine.message import NOTHING, Message, mark, message_of, sentences, with_label
from pbem.cli import console, prompts
from pbem.cli.app import current_app
from pbem.cli.file_argument import (
    library_of_player,
    open_own_file,
    optional_file,
    read_game,
    say_armoured,
)
from pbem.cli.game_lookup import find_own_file
from pbem.cli.homes import open_store, warn_of_library
from pbem.cli.mail_account import log_in, require_account
from pbem.cli.options import Picture, To, Word, flag, option
from pbem.errors import AcresError, UsageError
from pbem.foreign import display_path, shell_quote
from pbem.mail import sending
from pbem.mail.account import Account, check_address
from pbem.mail.draft import DraftFile, encode_for_sendmail
from pbem.mail.login import Login
from pbem.mail.smtp import MessageTooLargeError, UncertainSendError
from pbem.play.config import SITE, Config
from pbem.play.incoming import STANDARD_INPUT
from pbem.play.signing import check_own, unsent_files
from pbem.play.store import Sending, Store
from pbem.savefile.disk import within
from pbem.sources import now
from pbem.text.history.email_text import draft_advice, read_word

# --- drafts


ArmorAlone = Annotated[
    bool,
    flag("--armor", "Write no message: print the file as a block of text, to be pasted into one."),
]


def draft(
    file: Annotated[
        Path | None,
        optional_file(
            "The file that you have written; a number from acres games, or your opponent's "
            "name, stands for the last one of that game. Without it: the game that is waiting "
            "for your opponent."
        ),
    ] = None,
    to_file: Annotated[
        Path | None,
        option(
            "FILE",
            "The draft to write; default: beside FILE, as .eml. Under another name, or with - "
            "for the output, it is a message that a program can send as it is.",
            "--output",
        ),
    ] = None,
    to: To = "",
    picture: Picture = False,
    word: Word = "",
    armor: ArmorAlone = False,
) -> None:
    """Write a message with your file, ready to be sent by your mail program.

    It says what happened, with only what is public, and how to answer; the file is attached. The
    messages of a game form a thread.

    $ acres mail draft game-004.toml  # writes game-004.eml
    $ acres mail draft game-004.toml --picture  # with a picture
    $ acres mail draft game-000.toml --to bela@example.org  # an invitation
    """
    if to:
        check_address(to)
    if armor and (to or picture or word or to_file):
        raise UsageError(
            "--armor prints the file alone: leave out --output, --to, --picture and --word."
        )
    file = find_own_file(file)
    if armor:
        store, game, _ = open_own_file(file)
        warn_of_library(store)
        say_armoured(game.save.write())
    else:
        _write_draft(file, to_file, to, picture=picture, word=word)


def write_draft_for(file: Path, *, picture: bool, word: str) -> None:
    """Write the draft for a file that was just written; the error has the command for it."""
    try:
        _write_draft(file, picture=picture, word=word)
    except AcresError as error:
        # Translators: {reason} is a whole sentence.
        failed = Message(
            "Your file {file} is written, but not the draft of the message. {reason}",
            file=file,
            reason=error,
        )
        make = f"{current_app().command} mail draft {shell_quote(file)}"
        how_to_make_it = Message("To make it from that file: {command}", command=make)
        raise UsageError(sentences(failed, how_to_make_it)) from None


def _write_draft(
    file: Path, output: Path | None = None, to: str = "", *, picture: bool, word: str
) -> None:
    """Write the draft for a file next to it, to another file, or to standard output."""
    store, game, path = open_own_file(file)
    match, data = game.match, game.save.write()
    email = _mailer(store, picture=picture, word=word).compose(match, data, file, path.name, to)
    warn_of_library(store)
    if str(output) == STANDARD_INPUT:
        console.write_lines(encode_for_sendmail(email).decode("ascii").splitlines())
        return
    usual = DraftFile.for_file(path)
    draft_file = DraftFile(within(output, usual.path)) if output else usual
    heading = Message("The draft of this message already exists:")
    if draft_file.write(email):
        heading = Message("The draft of your message is written:")
        if not console.settings.written_notice:
            console.note_file(draft_file.path)
    console.say_below(heading, display_path(draft_file.path))
    text, *warnings = draft_advice(match, to, is_addressed="To" in email)
    for warning in warnings:
        console.warn(warning)
    console.say(text)


def _mailer(
    store: Store, account: Account | None = None, *, picture: bool, word: str
) -> sending.Mailer:
    """Return a mailer of the player's messages, with or without a picture and a word.

    Raises UsageError for a word that is too long.
    """
    draw = None
    if picture:
        # Imported lazily: only pictures need it.
        from pbem.board.picture import render_email_picture

        draw = partial(render_email_picture, language=console.language())
    commands = sending.SendCommands(current_app().command, "--to", "--again")
    code, word = console.language().code, read_word(word)
    site = Config.read(current_app().home.config_path).value(SITE)
    return sending.Mailer(store, code, commands, account, draw, _note_progress(), word, site)


# --- sending


Again = Annotated[bool, flag("--again", "Send it although it was sent, or may have been.")]


def send(
    file: Annotated[
        Path | None,
        optional_file(
            "The file that you have written; a number from acres games, or your opponent's "
            "name, stands for the last one of that game. Without one: all that you have not "
            "sent yet."
        ),
    ] = None,
    to: To = "",
    again: Again = False,
    picture: Picture = False,
    word: Word = "",
    by_hand: Annotated[
        bool, flag("--by-hand", "Send nothing: remember that you have sent it yourself.")
    ] = False,
) -> None:
    """Send your file to your opponent from your mail account.

    Each turn is sent once: you are told what has already been sent, and it goes again only with
    --again.

    $ acres mail send  # all that is unsent
    $ acres mail send game-004.toml  # that file
    $ acres mail send game-000.toml --to bela@example.org  # an invitation
    """
    if file is None and (to or again or word):
        raise UsageError("--to, --again and --word go with a FILE.")
    if by_hand and (to or again or picture or word):
        raise UsageError("--by-hand sends nothing: leave out --to, --again, --picture and --word.")
    file = find_own_file(file) if file is not None else None
    if by_hand:
        _note_sent(file)
        return
    if to:
        check_address(to)
    with _sending(picture=picture, word=word) as mailer:
        if file is not None:
            _send_one(mailer, _prepare(mailer, file, to), again=again)
        elif files := list(_unsent_files(mailer)):
            _send_all(mailer, files)
        else:
            console.say("There is nothing to send: everything you have written has been sent.")


def _note_sent(file: Path | None) -> None:
    """Record and print that the player sent a file, or all unsent files, by other means."""
    with open_store() as store:
        if file is not None:
            match = read_game(file).match
            check_own(match, library_of_player(match), file, current_app().command)
            warn_of_library(store)
            files = [(file, match.id, match.last.index, match.last.hash)]
        else:
            files = [
                (path, entry.id, entry.game.records - 1, entry.game.last)
                for entry, path in unsent_files(store)
            ]
        for path, game, last, record in files:
            sending.mark_sent_by_hand(store, game, record, now())
            console.say("Marked as sent by you: {file}.", file=sending.file_label(path, game, last))
        if not files:
            console.say("Nothing is left to send.")


def send_file(file: Path, *, picture: bool, word: str) -> None:
    """Send a file that was just written, unless it was sent before.

    The errors say that the file is written.
    """
    try:
        with _sending(picture=picture, word=word) as mailer:
            outgoing = _prepare(mailer, file)
            dispatch = outgoing.find_dispatch(mailer.store)
            if dispatch is not None and dispatch.sending is Sending.SENT:
                console.say(sending.describe_dispatch(outgoing.label, dispatch))
            else:
                _send_one(mailer, outgoing)
    except AcresError as error:
        notice = Message("Your file {file} is written.", file=file)
        send = f"{current_app().command} mail send {shell_quote(file)}"
        how_to_send = Message("To send it: {command}", command=send)
        if isinstance(error, UncertainSendError | MessageTooLargeError):
            # These errors say how to send it.
            how_to_send = NOTHING
        raise UsageError(sentences(notice, message_of(error), how_to_send)) from None


@contextmanager
def _sending(*, picture: bool, word: str) -> Iterator[sending.Mailer]:
    """Yield a mailer for the player's account, with or without a picture and a word.

    Raises UsageError if there is no account to send from, and the same errors as `open_store`.
    """
    account = require_account("smtp")
    with open_store() as store:
        yield _mailer(store, account, picture=picture, word=word)


def _send_one(mailer: sending.Mailer, file: sending.OutgoingFile, *, again: bool = False) -> None:
    """Send a file and print that. Raises UsageError if it was sent before, and MailError."""
    _say_sent(mailer.send_one(file, partial(_login, mailer), again=again))


def _send_all(mailer: sending.Mailer, files: list[sending.OutgoingFile]) -> None:
    """Send files and print each. Raises MailError, after the last, if one could not be sent.

    At a terminal, several files are listed first. Raises CancelledError if the player declines.
    """
    if len(files) > 1 and console.is_terminal():
        _confirm(files)
    failures = []
    for result in mailer.send(_login(mailer), files):
        if result.failure is not None:
            failures.append(result.failure)
        else:
            _say_sent(result)
    for failure in failures[:-1]:
        console.warn(failure.message)
    if failures:
        raise failures[-1]


def _confirm(files: list[sending.OutgoingFile]) -> None:
    console.say("Not yet sent from your account:")
    for outgoing in files:
        address = console.display_address(outgoing.to)
        console.item("{file}, to {address}", file=outgoing.label, address=address)
    hint = mark("{yes} sends them all, {no} sends none.")
    if not prompts.ask_yes(Message("Send them all?"), hint):
        console.say(
            "To leave out what you have sent another way: {command} FILE --by-hand",
            command=f"{current_app().command} mail send",
        )
        raise console.CancelledError


def _login(mailer: sending.Mailer) -> Login | None:
    """Return the login at the outgoing server, and ask for a missing password."""
    assert mailer.account is not None
    login = log_in(mailer.account.smtp)
    console.flush()
    return login


def _say_sent(result: sending.SendResult) -> None:
    """Print that a file was sent."""
    if result.warning:
        console.warn(result.warning)
    console.say(result.sentence)


def _note_progress() -> sending.ProgressCallback:
    """Return a callback that records the progress of a file, in case the program is stopped."""
    previous = console.settings.written_notice

    def note_progress(outgoing: sending.OutgoingFile, stage: Sending | None) -> None:
        nonlocal previous
        file = outgoing.path.name
        if stage is Sending.BEGUN:
            previous = console.settings.written_notice
            console.note_written("{file} may have been sent.", file=file)
        elif stage is Sending.SENT:
            console.note_written("{file} was sent.", file=file)
        else:
            console.note_written(previous)

    return note_progress


# --- files to send


def _prepare(mailer: sending.Mailer, file: Path, to: str = "") -> sending.OutgoingFile:
    """Return a file ready for sending. Raises UsageError if the player did not write it."""
    store, game, path = open_own_file(file)
    outgoing = mailer.prepare(game, file, path.name, to)
    warn_of_library(store)
    return outgoing


def _unsent_files(mailer: sending.Mailer) -> Iterator[sending.OutgoingFile]:
    """Yield the last file of each game if the player wrote it and has not sent it."""
    for _, file in unsent_files(mailer.store):
        try:
            yield _prepare(mailer, file)
        except AcresError as error:
            # A damaged file, or one without an address, must not stop the other files.
            console.warn(
                error.message
                if isinstance(error, UsageError)
                else with_label(display_path(file), error.message)
            )
