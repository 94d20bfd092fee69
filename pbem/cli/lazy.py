"""Commands that are imported, and put together for the parser, when they are first asked for.

A command line runs one of them; making all of them would take longer than most need to run. What a
list of them tells of each is read from its source, so that a command imports what it needs as any
module does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple

import typer
import typer.main
from typer.core import TyperGroup

from engine.message import Message
from pbem.cli import console
from pbem.cli.help import COMMANDS, HEADINGS, Command, Spoken, put_into_words
from pbem.cli.pager import FROM_BEGINNING, paged
from pbem.errors import WrongUse

Json = Annotated[bool, typer.Option("--json", help="As data, for other programs.")]

_ROOM = 2 * console.WIDTH
"""How many characters tell what a command is good for: the first sentence of its help."""


class LazyCommand(NamedTuple):
    """Where a command is: the module in `pbem.cli`, and the name of its function or group in it.

    `heading` is that under which the help has it; `settings` are for the parser. If `pager` says
    what to show first, a pager shows what it prints.
    """

    module: str
    name: str
    heading: str = COMMANDS
    settings: Mapping[str, Any] | None = None
    pager: str | None = None

    @property
    def is_group(self) -> bool:
        """True if there are further commands in it."""
        return self.name == "app"

    def load(self, name: str) -> Any:
        """Import the command, and return it by that name, told in the player's language."""
        app = getattr(import_module(f"pbem.cli.{self.module}"), self.name)
        if not self.is_group:
            function = app if self.pager is None else paged(self.pager)(app)
            app = typer.Typer(add_completion=False, rich_markup_mode=None)
            app.command(name, cls=Command, context_settings=dict(self.settings or {}))(function)
        made: Any = typer.main.get_command(app)
        made.rich_help_panel = self.heading
        return put_into_words(made)

    def outline(self, name: str) -> Any:
        """Return that command with nothing but its help, which is read from its source."""
        source = Path(__file__).parent.joinpath(*self.module.split(".")).with_suffix(".py")
        text = r'    help="(.*?)",$' if self.is_group else rf'def {self.name}\(.*?^    """(.*?)"""'
        found = re.search(f"^{text}", source.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        return put_into_words(Command(name=name, help=cleandoc(found[1]) if found else None))


class LazyGroup(Spoken, TyperGroup):
    """The group of some `lazy` commands, listed under their headings, groups first."""

    lazy: ClassVar[Mapping[str, LazyCommand]]

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        # Their names alone: each is loaded when it is asked for.
        self.commands: dict[str, Any] = dict.fromkeys(self.lazy)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of that name, loaded; None if there is none."""
        if cmd_name in self.lazy and self.commands[cmd_name] is None:
            self.commands[cmd_name] = self.lazy[cmd_name].load(cmd_name)
        return self.commands.get(cmd_name)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return the commands and options that begin as typed; no command is imported for it."""
        loaded, self.commands = self.commands, self._outlines()
        found = super().shell_complete(ctx, incomplete)
        self.commands = loaded
        return found

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands under their headings."""
        widest = max(map(len, self.lazy))
        outlines = self._outlines().items()
        for heading in HEADINGS:
            rows = [
                (name.ljust(widest), outline.get_short_help_str(_ROOM))
                for name, outline in sorted(
                    outlines, key=lambda row: not self.lazy[row[0]].is_group
                )
                if self.lazy[name].heading == heading
            ]
            if rows:
                with formatter.section(console.told(Message(heading))):
                    formatter.write_dl(rows)

    def _outlines(self) -> dict[str, Any]:
        return {name: each.outline(name) for name, each in self.lazy.items()}


def group_of(commands: Mapping[str, LazyCommand]) -> type[LazyGroup]:
    """Return a kind of group with these commands."""
    return type("Group", (LazyGroup,), {"lazy": commands})


def app_of(
    *,
    name: str,
    help: str,
    commands: Mapping[str, LazyCommand],
    say_list: Callable[..., None] | None = None,
) -> typer.Typer:
    """Return a group with these commands, which by itself tells of them, or says its list.

    `say_list` is called with `json` for whether the list is wanted as data.
    """
    app = typer.Typer(
        name=name, cls=group_of(commands), help=help, add_completion=False, rich_markup_mode=None
    )
    begins = app.callback(invoke_without_command=True)
    if say_list is None:
        begins(_say_help)
        return app

    @begins
    def start(context: typer.Context, json: Json = False) -> None:
        if context.invoked_subcommand is None:
            context.obj.context = context
            with paged(FROM_BEGINNING):
                say_list(json=json)
        elif json:
            raise WrongUse("--json is for the list: acres {group} --json", group=name)

    return app


def _say_help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        console.say_whole(context.get_help())
