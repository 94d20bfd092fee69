"""Commands that are imported, and put together for the parser, when they are first asked for.

A command line runs one of them; making all of them would take longer than most need to run. What a
list of them tells of each is read from its source, so that a command imports what it needs as any
module does.
"""

from __future__ import annotations

import re
from collections import UserDict
from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Any

import typer
import typer.main
from typer.models import CommandInfo, TyperInfo

from engine.value import Value
from pbem.cli import console
from pbem.cli.help import Command, Group, put_into_words
from pbem.cli.pager import Shows, paged
from pbem.errors import WrongUse

Json = Annotated[bool, typer.Option("--json", help="As data, for other programs.")]

_OF_GROUP = re.compile(r'^    help="(.*)",$', re.MULTILINE)
_OF_COMMAND = r'^def {}\(.*?^    """(.*?)"""'


class Late(Value):
    """Where a command is: the module in `pbem.cli`, and the name of its function or group in it.

    `heading` is that under which the help has it; `settings` are for the parser. Of what it prints,
    which may be more than a screen, a pager shows the beginning or the end first, if one is named.
    """

    module: str
    name: str
    heading: str | None = None
    settings: Mapping[str, Any] | None = None
    pager: Shows | None = None

    @property
    def is_group(self) -> bool:
        """Whether there are further commands in it."""
        return self.name == "app"

    def make(self, name: str) -> Any:
        """The command of that name, told in the player's language."""
        found = getattr(import_module(f"pbem.cli.{self.module}"), self.name)
        made: Any = (
            self._group(found) if isinstance(found, typer.Typer) else self._command(name, found)
        )
        return _in_words(made)

    def outline(self, name: str) -> Any:
        """That command with nothing but its heading and its help, for which none is imported."""
        source = Path(__file__).parent.joinpath(*self.module.split(".")).with_suffix(".py")
        text = source.read_text(encoding="utf-8")
        of_command = re.compile(_OF_COMMAND.format(self.name), re.MULTILINE | re.DOTALL)
        found = (_OF_GROUP if self.is_group else of_command).search(text)
        told = cleandoc(found[1]) if found else None
        kind = Group if self.is_group else Command
        return _in_words(kind(name=name, help=told, rich_help_panel=self.heading))

    def _group(self, group: typer.Typer) -> Any:
        return typer.main.get_group_from_info(
            TyperInfo(group, rich_help_panel=self.heading),
            pretty_exceptions_short=True,
            suggest_commands=True,
            rich_markup_mode=None,
        )

    def _command(self, name: str, function: Callable[..., None]) -> Any:
        if self.pager is not None:
            function = paged(self.pager)(function)
        info = CommandInfo(
            name,
            cls=Command,
            callback=function,
            rich_help_panel=self.heading,
            context_settings=dict(self.settings) if self.settings else None,
        )
        return typer.main.get_command_from_info(
            info, pretty_exceptions_short=True, rich_markup_mode=None
        )


def _in_words(made: Any) -> Any:
    """A command told in the player's language."""
    if not console.language().is_english:
        put_into_words(made)
    return made


class _Commands(UserDict[str, Any]):
    """The commands of a group by name, each made when it is asked for."""

    def __getitem__(self, name: str) -> Any:
        """The command of that name."""
        if isinstance(self.data[name], Late):
            self.data[name] = self.data[name].make(name)
        return self.data[name]


def group_of(late: Mapping[str, Late]) -> type[Group]:
    """A kind of group with these commands."""

    class _Group(Group):
        def __init__(self, **attributes: Any) -> None:
            super().__init__(**attributes)
            self.commands = _Commands(late)

        def outlines(self) -> dict[str, Any]:
            return {name: each.outline(name) for name, each in late.items()}

        def shell_complete(self, ctx: Any, incomplete: str) -> Any:
            # A shell wants their names and what they are for: none is imported for it.
            made, self.commands = self.commands, self.outlines()
            try:
                return super().shell_complete(ctx, incomplete)
            finally:
                self.commands = made

    return _Group


def app_of(
    *,
    name: str,
    help: str,
    commands: Mapping[str, Late],
    say_list: Callable[..., None] | None = None,
) -> typer.Typer:
    """A group with these commands, which by itself tells of them, or says its list.

    `say_list` is called with the context, and with `json` for whether the list is wanted as data.
    """
    app = typer.Typer(name=name, cls=group_of(commands), help=help, rich_markup_mode=None)
    begins = app.callback(invoke_without_command=True)
    if say_list is None:
        begins(_say_help)
        return app

    @begins
    def start(context: typer.Context, json: Json = False) -> None:
        if context.invoked_subcommand is None:
            with paged(Shows.BEGINNING):
                say_list(context, json=json)
        elif json:
            raise WrongUse("--json is for the list: acres {group} --json", group=name)

    return app


def _say_help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        console.say_whole(context.get_help())
