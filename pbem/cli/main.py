"""The command `acres`: its commands and options, and the exit statuses of errors.

Exit status: 0 for success; 1 if a file is not valid; 2 for wrong use or unreadable input; 130 for
an interruption. An error is printed as one sentence, with ACRES_DEBUG=1 after its traceback.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import traceback
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer

from engine.message import NOTHING, Message, Phrase, mark, message_of, or_list, sentences
from pbem import VERSION
from pbem.cli import completion, console, pager
from pbem.cli.app import LANGUAGE_VARIABLE, App, bare_program, choose_language, command_of
from pbem.cli.help import (
    BEGIN,
    LEARN,
    MAY_GET_SECRETS,
    PLAY,
    SAFE,
    LazyCommand,
    make_group,
    translate_help,
)
from pbem.cli.options import Descriptor, flag, option
from pbem.errors import UNCONFIRMED, AcresError, bug_message, describe_error, describe_os_error
from pbem.play.home import HOME_VARIABLE, default_home, expand
from pbem.text.language import NAMES, language_of, unknown_language_notice

DONE, WRONG_USE = 0, 2
INSTALL_COMPLETION = "--install-completion"
_PRINT = "echo"
"""The name of the function with which the parser prints."""
INTERRUPTED = 128 + signal.SIGINT
# The number of SIGPIPE, because Windows has no such signal.
OUTPUT_CLOSED = 128 + 13

COMMANDS = {
    "init": LazyCommand("key_commands", "init", BEGIN, MAY_GET_SECRETS),
    "new": LazyCommand("invitation_commands", "new", BEGIN),
    "join": LazyCommand("invitation_commands", "join", BEGIN),
    "lang": LazyCommand("settings_commands", "lang", BEGIN),
    "config": LazyCommand("settings_commands", "config", BEGIN),
    "play": LazyCommand("play_command", "play", PLAY),
    "log": LazyCommand("log_command", "log", PLAY, pager=pager.FROM_BEGINNING),
    "board": LazyCommand("board_command", "board", PLAY),
    "site": LazyCommand("site_command", "site", PLAY),
    "stats": LazyCommand("games_commands", "stats", PLAY),
    "analyse": LazyCommand("analyse_command", "analyse_game", LEARN, pager=pager.FROM_BEGINNING),
    "rules": LazyCommand("rules", "rules", LEARN, pager=pager.FROM_BEGINNING),
    "card": LazyCommand("rules", "card", LEARN, pager=pager.FROM_BEGINNING),
    "location": LazyCommand("rules", "location", LEARN, pager=pager.FROM_BEGINNING),
    "demo": LazyCommand("demo_command", "demo", LEARN),
    "serve-robot": LazyCommand("serve_robot_command", "serve_robot", LEARN),
    "audit": LazyCommand("audit_command", "audit", SAFE, pager=pager.FROM_BEGINNING),
    "help": LazyCommand("help", "show_help", LEARN),
    "turn": LazyCommand("turn_commands", "app", PLAY),
    "games": LazyCommand("games_commands", "app", PLAY),
    "mail": LazyCommand("mail.commands", "app", PLAY),
    "club": LazyCommand("club_commands", "app", LEARN),
    "players": LazyCommand("players", "app", SAFE),
    "key": LazyCommand("key_commands", "app", SAFE),
}
"""The commands in the order of the help, with groups after the others."""

app = typer.Typer(
    name="acres",
    cls=make_group(COMMANDS),
    help="Play A Few Acres of Snow by e-mail: no server, no need for trust, every turn proved.",
    epilog="To begin: acres init, then acres new or acres join FILE. To look around: acres demo. "
    "With acres --install-completion the TAB key completes commands, files and orders.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": console.WIDTH},
)


def _print_version(value: bool) -> None:
    if value:
        console.say_verbatim(f"acres {VERSION}")
        raise typer.Exit


_CODES = ", ".join(NAMES)


def _check_language(code: str) -> str:
    """Raise BadParameter for an unknown language; `choose_language` has set a known one."""
    if code and not language_of(code):
        raise typer.BadParameter(console.translate(unknown_language_notice(code)))
    return code


LanguageOption = Annotated[
    str,
    option(
        "LANGUAGE",
        f"The language: {_CODES}. Default: the one in your settings, or your system's.",
        "--lang",
        envvar=LANGUAGE_VARIABLE,
        show_default=False,
        autocompletion=completion.languages,
        callback=_check_language,
    ),
]
Plain = Annotated[
    bool,
    flag(
        "--plain",
        "Describe the position in words, without drawings, for screen readers and "
        f"terminals that cannot draw; so does {console.PLAIN_VARIABLE}=1.",
    ),
]
NoPager = Annotated[
    bool,
    flag(
        "--no-pager", "Print long output as it is, not through the program in ACRES_PAGER or PAGER."
    ),
]
Version = Annotated[
    bool,
    typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version."),
]


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    home: Annotated[
        Path | None,
        typer.Option(
            envvar=HOME_VARIABLE,
            metavar="DIR",
            help="The folder that keeps your identity.",
            # Evaluated when the command is built, because the environment may have changed.
            show_default=str(default_home() or ""),
        ),
    ] = None,
    passphrase_fd: Descriptor = None,
    lang: LanguageOption = "",
    plain: Plain = False,
    no_pager: NoPager = False,
    version: Version = False,
) -> None:
    context.obj = context.with_resource(App(context, home and expand(home), passphrase_fd))
    console.settings.is_plain, console.settings.has_pager = plain, not no_pager
    if context.invoked_subcommand is None:
        console.say_verbatim(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status."""
    is_output_open = _prepare_streams()
    if not Path(os.environ.get("HOME", "/")).is_absolute():
        # Otherwise each folder would have an identity of its own.
        del os.environ["HOME"]
    # Forget the files of an earlier command in this process.
    console.note_written()
    try:
        if not is_output_open:
            raise console.OutputError(Message("it is closed"))
        words = list(sys.argv[1:] if arguments is None else arguments)
        if completion.VARIABLE in os.environ:
            from pbem.cli.completion import shells

            choose_language(completion.line_words())
            return shells.print_values(commands(console.language().code), _find_completer)
        try:
            choose_language(words)
            _check_current_folder()
            status = commands(console.language().code)(words, "acres", standalone_mode=False)
        except BaseException as error:
            status = _report_end(error)
        while UNCONFIRMED:
            console.warn(
                "The file system of {folder} does not confirm that files are on the disk: a power "
                "cut may lose the newest.",
                folder=UNCONFIRMED.pop(),
            )
        if status == INTERRUPTED:
            # A command that exits early is interrupted as well.
            notice = sentences(Message("Stopped."), console.written_notice())
            console.fail(notice, after_input=True)
        sys.stdout.flush()
    except (console.OutputClosedError, BrokenPipeError):
        console.discard(sys.stdout)
        return OUTPUT_CLOSED
    except (console.OutputError, OSError) as error:
        console.discard(sys.stdout)
        reason = describe_os_error(error) if isinstance(error, OSError) else message_of(error)
        failure = Message("The output cannot be written: {reason}.", reason=reason)
        console.fail(sentences(failure, console.written_notice()))
        return WRONG_USE
    except KeyboardInterrupt:
        # The player typed Ctrl-C between the command and the end of the program.
        return INTERRUPTED
    return status if isinstance(status, int) else DONE


@cache
def commands(language: str) -> Any:
    """Return all commands for the parser, described in `language`, which must be the current one.

    The result is cached. Not every version of typer has a public type for it.
    """
    return translate_help(typer.main.get_command(app))


def _find_completer(name: str) -> completion.Completer:
    """Return the function `name` of `completion_values`."""
    # Imported lazily: shells mostly complete names of commands.
    from pbem.cli import completion_values

    completer: completion.Completer = getattr(completion_values, name)
    return completer


def _prepare_streams() -> bool:
    """Replace missing streams, and let none fail on a character.

    The result is True if there is an output.
    """
    is_output_open = sys.stdout is not None
    # A stream that was closed before the start is None. Its descriptor must be taken, or the
    # next opened file would get it.
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # Characters that the terminal lacks are replaced.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=console.ON_ERROR)
            try:
                "acres\n".encode(stream.encoding, console.ON_ERROR)
            except UnicodeError:
                # PYTHONIOENCODING may name an encoding that is not for text.
                stream.reconfigure(encoding="utf-8")
    return is_output_open


def _report_end(error: BaseException) -> int:
    """Print how a command ended, and return its status; errors of the output are raised again."""
    if isinstance(error, console.OutputError | BrokenPipeError):
        raise error
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return INTERRUPTED
    if isinstance(error, console.CancelledError):
        console.say(console.written_notice())
        return DONE
    if isinstance(error, SystemExit):
        if isinstance(error.__context__, BrokenPipeError):
            raise console.OutputClosedError from None
        # typer exits in this way after showing or installing completion.
        return error.code if isinstance(error.code, int) else DONE
    calls = {frame.f_code.co_name for frame, _ in traceback.walk_tb(error.__traceback__)}
    if not isinstance(error, Exception) or (isinstance(error, OSError) and _PRINT in calls):
        # This is an error of the output, to which the parser prints help.
        raise error
    return _report_error(error)


def _report_error(error: Exception) -> int:
    """Print the error in one sentence, and return its exit status."""
    if os.environ.get("ACRES_DEBUG") == "1":
        traceback.print_exception(error)
    if isinstance(error, typer.TyperException):
        console.fail(_usage_message(error))
        return WRONG_USE
    # Imported lazily: they import all the rules.
    from engine.actions.action import IllegalOrderError
    from engine.house_rules import InvalidRulesError
    from engine.order import UnreadableOrderError

    if isinstance(error, AcresError | IllegalOrderError | UnreadableOrderError | InvalidRulesError):
        console.fail(message_of(error))
        return error.exit_status if isinstance(error, AcresError) else WRONG_USE
    failure = bug_message(error)
    if isinstance(error, OSError):
        failure = sentences(failure, console.written_notice())
    if INSTALL_COMPLETION in sys.argv:
        failure = Message(
            "Completion cannot be installed: {reason}. To put it where your shell reads it: "
            "{command}",
            reason=describe_error(error),
            command=f"{bare_program()} --show-completion",
        )
    console.fail(failure)
    return WRONG_USE


def _check_current_folder() -> None:
    """Raise AcresError if the current folder is gone: relative paths have no meaning then."""
    try:
        Path.cwd()
    except FileNotFoundError:
        gone = mark("The current folder is gone: change to another one (cd), and run this again.")
        raise AcresError(gone) from None


def _usage_message(error: typer.TyperException) -> Phrase:
    """Return the error in a command line, with the next step."""
    message = error.format_message().rstrip()
    full_stop = "" if message.endswith((".", "?", "!", ")")) else "."
    context: Any = getattr(error, "ctx", None)
    next_step: Phrase = ""
    if context and (match := re.match(r"No such command '(.+)'\.$", error.message)):
        next_step = _command_suggestion(context.find_root(), match[1])
    elif context and context.parent:
        next_step = _option_place_hint(context, getattr(error, "option_name", ""))
    command = f"{command_of(context) if context else console.PROGRAM} --help"
    return sentences(message + full_stop, next_step or Message("See: {command}", command=command))


def _command_suggestion(root: Any, word: str) -> Message:
    """Return commands of the program or of a group like an unknown one, or NOTHING."""
    paths = {name: name for name in COMMANDS} | {
        f"{group} {name}": name
        for group in COMMANDS
        if COMMANDS[group].is_group
        for name in root.command.get_command(root, group).commands
    }
    hits = get_close_matches(word.lower(), paths.values(), n=1)
    suggestions = [f"{command_of(root)} {path}" for path, name in paths.items() if name in hits]
    return Message("Did you mean {names}?", names=or_list(suggestions)) if suggestions else NOTHING


def _option_place_hint(context: Any, option: str) -> Message:
    """Return a hint for an option of the program after the command, or NOTHING."""
    root = context.find_root()
    match = next((match for match in root.command.params if option in match.opts), None)
    if match is None:
        return NOTHING
    value = "" if match.is_flag else f" {match.make_metavar(root)}"
    words = context.command_path.removeprefix(root.command_path)
    command = f"{command_of(root)} {option}{value}{words}"
    return Message("It goes before the command: {command}", command=command)
