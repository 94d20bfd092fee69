"""The manual page, generated from the commands: python -m tools.manual > docs/acres.1."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from pbem.cli.help import HEADINGS, command_name

SOURCE = Path(__file__).parents[1] / "docs" / "acres.1.in"
"""The hand-written part in man(7), with placeholders for options and commands."""


def manual(command: Any) -> str:
    """Return the manual page of the program with this main command, in man(7)."""
    context = typer.Context(command, info_name="acres", color=False)
    page = SOURCE.read_text(encoding="utf-8")
    for placeholder, lines in (("OPTIONS", _parameters(context)), ("COMMANDS", _commands(context))):
        page = page.replace(f"@{placeholder}@", "\n".join(lines))
    return page


def _commands(context: typer.Context) -> Iterator[str]:
    """Yield the page of every subcommand, grouped by headings."""
    group: Any = context.command
    subcommands = [(name, group.get_command(context, name)) for name in group.commands]
    order = {heading: number for number, heading in enumerate(HEADINGS)}
    subcommands.sort(key=lambda item: order.get(item[1].rich_help_panel, 0))
    for name, command in subcommands:
        child = typer.Context(command, info_name=name, parent=context, color=False)
        if hasattr(command, "commands"):
            yield from _commands(child)
        else:
            yield from _command(child)


def _command(context: typer.Context) -> Iterator[str]:
    command: Any = context.command
    name = f"acres {command_name(context)}"
    yield f'.SS "{_escape(name)}"'
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    yield f".B {_escape(usage)}"
    for paragraph in command.help.split("\n\n"):
        yield ".PP"
        yield _text(paragraph)
    yield from _parameters(context)
    lines = command.examples
    if lines:
        yield ".PP"
        yield "Examples:" if len(lines) > 1 else "Example:"
    for line, purpose, _ in lines:
        yield ".TP"
        yield f".B {_escape(line)}"
        yield _text(f"{purpose[0].upper()}{purpose[1:]}{'' if purpose.endswith('?') else '.'}")


def _parameters(context: typer.Context) -> Iterator[str]:
    parameters: list[Any] = context.command.get_params(context)
    for parameter in parameters:
        if parameter.name == "help":
            continue
        yield ".TP"
        yield f".B {_escape(_usage(parameter, context))}"
        requirement = (
            " It has to be given."
            if parameter.required and parameter.param_type_name == "option"
            else ""
        )
        yield _text(f"{parameter.help}{requirement}")


def _usage(parameter: Any, context: typer.Context) -> str:
    """Return an option or argument as users type it, with the name of its value."""
    if parameter.param_type_name == "argument":
        return str(parameter.make_metavar(context))
    names = ", ".join([*parameter.opts, *parameter.secondary_opts])
    return names if parameter.is_flag else f"{names} {parameter.make_metavar(context)}"


# --- man(7)


def _text(text: str) -> str:
    """Return a paragraph with each sentence on its own line, as usual in man pages."""
    escaped = _escape(" ".join(text.split()))
    lines = re.split(r"(?<=[.?!]) (?=[A-Z])", escaped)
    # No line may look like a request to the formatter.
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in lines)


_ESCAPES = str.maketrans(
    {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "“": "\\(lq", "”": "\\(rq"}
)


def _escape(text: str) -> str:
    return text.translate(_ESCAPES)


if __name__ == "__main__":
    import sys

    from pbem.cli.main import app

    sys.stdout.write(manual(typer.main.get_command(app)))
