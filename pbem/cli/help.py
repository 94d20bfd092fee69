"""Help texts, groups of commands, and commands that are imported only when they run."""

from __future__ import annotations

import gettext
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from errno import ENOENT
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from textwrap import TextWrapper
from typing import Annotated, Any, ClassVar, NamedTuple

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup

from engine.message import Message, mark, with_colon
from pbem.cli import console
from pbem.cli.app import App, command_of, current_app
from pbem.cli.completion import remarks
from pbem.cli.options import Json, argument
from pbem.cli.pager import FROM_BEGINNING, page_output
from pbem.errors import UsageError
from pbem.foreign import PRINTED_FOLDER
from pbem.play.home import expand
from pbem.text.language import DOMAIN, LOCALE

# --- help


BEGIN, PLAY, LEARN = mark("To begin"), mark("To play"), mark("To learn")
SAFE = mark("To be safe")
"""The headings of commands in the help, in order."""
COMMANDS = mark("Commands")
"""The heading of a list of commands without subdivisions."""
HEADINGS = (BEGIN, PLAY, LEARN, SAFE, COMMANDS)


class Example(NamedTuple):
    """A working command line and its purpose; if there is a `mark`, the line is translated too."""

    line: str
    purpose: str
    mark: str


_EXAMPLE = re.compile(r"^\$ (.*?) +# (.*?)( \[translated\])?$", re.MULTILINE)
"""A line with an example in the docstring of a command."""


def command_name(context: typer.Context) -> str:
    """Return the name of a command without the program's name, such as `turn show`."""
    return context.command_path.partition(" ")[2]


_TEXTS = {
    "help": None,
    "short_help": None,
    "epilog": None,
    "metavar": "metavar",
    "options_metavar": "metavar",
    "subcommand_metavar": "metavar",
}
"""The attributes of commands and parameters with help texts, and their translation contexts."""


class HelpText(NamedTuple):
    """A help text: the `message` in an attribute of its owner, and its translation context."""

    owner: Any
    attribute: str
    message: str
    context: str | None


def help_texts(command: Any) -> Iterator[HelpText]:
    """Yield all help texts of a command and of its options."""
    for owner in (command, *command.params):
        for attribute, context in _TEXTS.items():
            if message := getattr(owner, attribute, None):
                yield HelpText(owner, attribute, message, context)


def translate_help(command: Any) -> Any:
    """Translate the help of a command into the player's language, and return the command."""
    if not console.language().is_english:
        for owner, attribute, message, context in help_texts(command):
            text = Message.within(context, message) if context else Message(message)
            setattr(owner, attribute, console.translate(text))
    return command


_TYPER_WORDS = (
    mark("Commands"),
    mark("Options"),
    mark("Arguments"),
    mark("required"),
    mark("default: {default}"),
    mark("env var: {var}"),
    mark("(dynamic)"),
)
"""The words of typer in help texts, which typer looks up in our catalogues."""


class TranslatedHelp:
    """A mixin that translates the words of the parser in the help of a command."""

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return the matching commands and options, and remember their help for the shell."""
        items = super().shell_complete(ctx, incomplete)  # type: ignore[misc]
        remarks.update({item.value: item.help or "" for item in items})
        return items

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write the line of usage."""
        pieces = self.collect_usage_pieces(ctx)  # type: ignore[attr-defined]
        formatter.write_usage(
            ctx.command_path, " ".join(pieces), prefix=console.translate(Message("Usage: "))
        )

    def get_help(self, ctx: Any) -> str:
        """Return the whole help of a command."""
        formatter = ctx.make_formatter()
        # French has a space before the colon.
        formatter.write_heading = lambda heading: formatter.write(
            console.translate(with_colon(heading)) + "\n"
        )
        with _translate_typer():
            self.format_help(ctx, formatter)  # type: ignore[attr-defined]
        # French has a space before the semicolon too.
        semicolon = console.translate(Message("{first}; {second}", first="", second="")).rstrip()
        return _NOTE_SEPARATOR.sub(semicolon, str(formatter.getvalue()).rstrip("\n"))

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option --help, translated."""
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.help = console.translate(Message("Show this message and exit."))
        return option


@contextmanager
def _translate_typer() -> Iterator[None]:
    """Let gettext, which typer uses for its own words, look in our catalogues, and break no words.

    This changes the whole process, which ends after the help.
    """
    previous_language, domain = os.environ.get("LANGUAGE"), gettext.textdomain()
    # A command is not broken at its hyphens.
    words, TextWrapper.wordsep_re = TextWrapper.wordsep_re, TextWrapper.wordsep_simple_re
    os.environ["LANGUAGE"] = console.language().code
    gettext.bindtextdomain(DOMAIN, str(LOCALE))
    gettext.textdomain(DOMAIN)
    try:
        yield
    finally:
        TextWrapper.wordsep_re = words
        gettext.textdomain(domain)
        del os.environ["LANGUAGE"]
        if previous_language is not None:
            os.environ["LANGUAGE"] = previous_language


_NOTE_SEPARATOR = re.compile(r"(?<=\S);(?=\s[^\[\]]*\])")
"""A pattern for the semicolon that typer puts between the notes on an option, in brackets."""


MAY_GET_SECRETS = {"allow_extra_args": True}
"""The settings of commands that may get secrets as surplus words, which are not repeated."""


def too_many_words(command: str) -> UsageError:
    """Return the error for surplus words that may be secrets."""
    return UsageError(
        "This command takes nothing more. A passphrase or a recovery text is asked for, not typed "
        "into the command, where others could see it. See: {command} --help",
        command=command,
    )


_OUTPUTS = ("output", "to_page", "to_svg", "to_png")
"""The parameters that name a new file, or its folder, or - for the standard output."""


def _expand(path: str, *, is_output: bool = False) -> str:
    """Return a path as a shell reads a word; `--output=~/x` is no word that begins with `~`."""
    if is_output and path.endswith(("/", os.sep)) and not expand(path).is_dir():
        raise UsageError(
            "{file} cannot be written: {reason}.", file=path, reason=os.strerror(ENOENT)
        )
    return str(expand(path)) if path.startswith("~") else path


@contextmanager
def _printed_folder() -> Iterator[str]:
    """Yield a folder whose files are printed when they are written, and nothing else."""
    # Imported lazily: files are rarely printed.
    from tempfile import TemporaryDirectory

    console.settings.printed_to = sys.stdout
    with TemporaryDirectory(prefix=PRINTED_FOLDER) as folder, redirect_stdout(sys.stderr):
        yield folder


class Command(TranslatedHelp, TyperCommand):
    """A command that records its context in the App, and whose help ends with examples.

    They are the last lines of the docstring of its function: `$`, a command line, `#` and its
    purpose. `[translated]` at the end marks a command line with words of the game.
    """

    def __init__(self, *, help: str | None = None, **attributes: Any) -> None:
        super().__init__(help=help and help.partition("\n\n$ ")[0], **attributes)
        self.examples = [Example(*match.groups("")) for match in _EXAMPLE.finditer(help or "")]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments, and record the context in the App."""
        # There is no App during completion.
        if isinstance(ctx.obj, App):
            ctx.obj.context = ctx
        try:
            surplus: list[str] = super().parse_args(ctx, args)
        except typer.TyperException as error:
            # The parser does not always name its context.
            error.ctx = ctx  # type: ignore[attr-defined]
            raise
        if surplus and not ctx.resilient_parsing:
            raise too_many_words(command_of(ctx))
        for name in (parameter.name for parameter in self.params if parameter.type.name == "path"):
            value = ctx.params[name]
            if isinstance(value, str):
                ctx.params[name] = _expand(value, is_output=name in (*_OUTPUTS, "to_file"))
            elif value:
                ctx.params[name] = [_expand(path) for path in value]
        printed = [name for name in _OUTPUTS if ctx.params.get(name) == "-"]
        if len(printed) > 1 or (printed and ctx.params.get("mail")):
            raise UsageError("One file cannot be two things: give each a name of its own.")
        if printed and not ctx.resilient_parsing:
            ctx.params[printed[0]] = ctx.with_resource(_printed_folder())
        return surplus

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the parts of the line of usage, without braces around required parts."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples, with the purpose in a second column, or below a line too wide."""
        rows = self.examples
        if not rows:
            return
        heading = Message("Examples") if len(rows) > 1 else Message("Example")
        with formatter.section(console.translate(heading)):
            # Orders in examples are translated too.
            lines = [[console.translate(Message(text)) for text in row[:2]] for row in rows]
            widest = max(len(line) for line, _ in lines)
            for line, purpose in lines:
                text = f"{line.ljust(widest)}  {purpose}".rstrip()
                fits = len(text) + 2 <= formatter.width
                formatter.write(f"  {text if fits else line}\n")
                if not fits:
                    with formatter.indentation():
                        formatter.write_text(purpose)


# --- lazy commands


_MAX_SUMMARY_LENGTH = 2 * console.WIDTH
"""The maximum length of a command's summary, which is the first sentence of its help."""


class LazyCommand(NamedTuple):
    """The module in `pbem.cli` of a command, and the name of its function or group there.

    `heading` is its heading in the help, and `settings` are for the parser. `pager` is the end of
    the output that a pager shows first, or None without a pager.
    """

    module: str
    name: str
    heading: str = COMMANDS
    settings: Mapping[str, Any] | None = None
    pager: str | None = None

    @property
    def is_group(self) -> bool:
        """True if this is a group of commands."""
        return self.name == "app"

    def load(self, name: str) -> Any:
        """Import the command, and return it under `name`, with translated help."""
        app = getattr(import_module(f"pbem.cli.{self.module}"), self.name)
        if not self.is_group:
            function = app if self.pager is None else page_output(self.pager)(app)
            app = typer.Typer(add_completion=False, rich_markup_mode=None)
            app.command(name, cls=Command, context_settings=dict(self.settings or {}))(function)
        loaded: Any = typer.main.get_command(app)
        loaded.rich_help_panel = self.heading
        return translate_help(loaded)

    def outline(self, name: str) -> Any:
        """Return a command that has only its summary, which is read from the module's source."""
        source = Path(__file__).parent.joinpath(*self.module.split(".")).with_suffix(".py")
        text = r'    help="(.*?)",$' if self.is_group else rf'def {self.name}\(.*?^    """(.*?)"""'
        match = re.search(f"^{text}", source.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        return translate_help(Command(name=name, help=cleandoc(match[1]) if match else None))


class LazyGroup(TranslatedHelp, TyperGroup):
    """A group of `lazy` commands, listed under their headings, groups first."""

    lazy: ClassVar[Mapping[str, LazyCommand]]

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        # `main` suggests commands of other groups too.
        self.suggest_commands = False
        # These are only names, because a command is imported when it runs.
        self.commands: dict[str, Any] = dict.fromkeys(self.lazy)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import and return the command `cmd_name`, or None if there is none."""
        if cmd_name in self.lazy and self.commands[cmd_name] is None:
            self.commands[cmd_name] = self.lazy[cmd_name].load(cmd_name)
        return self.commands.get(cmd_name)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return the matching commands and options, without importing any command."""
        loaded, self.commands = self.commands, self._outlines()
        items = super().shell_complete(ctx, incomplete)
        self.commands = loaded
        return items

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands under their headings."""
        widest = max(map(len, self.lazy))
        items = self._outlines().items()
        for heading in HEADINGS:
            rows = [
                (name.ljust(widest), outline.get_short_help_str(_MAX_SUMMARY_LENGTH))
                for name, outline in sorted(items, key=lambda row: not self.lazy[row[0]].is_group)
                if self.lazy[name].heading == heading
            ]
            if rows:
                with formatter.section(console.translate(Message(heading))):
                    formatter.write_dl(rows)

    def _outlines(self) -> dict[str, Any]:
        return {name: command.outline(name) for name, command in self.lazy.items()}


def make_group(commands: Mapping[str, LazyCommand]) -> type[LazyGroup]:
    """Return a group class with `commands`."""
    return type("Group", (LazyGroup,), {"lazy": commands})


def make_app(
    *,
    name: str,
    help: str,
    commands: Mapping[str, LazyCommand],
    say_list: Callable[..., None] | None = None,
) -> typer.Typer:
    """Return a group of commands, which prints its help or its list if no command is given.

    `say_list` prints the list; it is called with the value of the option --json.
    """
    app = typer.Typer(
        name=name, cls=make_group(commands), help=help, add_completion=False, rich_markup_mode=None
    )
    callback = app.callback(invoke_without_command=True)
    if say_list is None:
        callback(_say_help)
        return app

    @callback
    def start(context: typer.Context, json: Json = False) -> None:
        if context.invoked_subcommand is None:
            context.obj.context = context
            with page_output(FROM_BEGINNING):
                say_list(json=json)
        elif json:
            command = command_of(context)
            raise UsageError("--json is for the list: {command} --json", command=command)

    return app


def _say_help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        console.say_verbatim(context.get_help())


def show_help(
    command: Annotated[
        list[str] | None, argument("[COMMAND]...", "A command, such as turn apply.")
    ] = None,
) -> None:
    """Show the help of a command.

    $ acres help turn apply  # how to answer a file
    """
    root = current_app().context.find_root()
    root.command([*(command or ()), "--help"], root.info_name, standalone_mode=False)
