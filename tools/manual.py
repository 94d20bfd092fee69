"""The manual page, made from the commands themselves: python -m tools.manual > docs/acres.1."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from pbem.cli.help import HEADINGS, examples, name_of

WRITTEN = Path(__file__).parents[1] / "docs" / "acres.1.in"
"""What is written by hand, in man(7), with a place each for what the commands say."""


def manual(command: Any) -> str:
    """Return the manual page of the program whose main command this is, in man(7)."""
    context = typer.Context(command, info_name="acres", color=False)
    page = WRITTEN.read_text(encoding="utf-8")
    for place, made in (("OPTIONS", _parameters(context)), ("COMMANDS", _commands(context))):
        page = page.replace(f"@{place}@", "\n".join(made))
    return page


def _commands(context: typer.Context) -> Iterator[str]:
    """Yield the page of every command below one, those of a heading after each other."""
    group: Any = context.command
    below = [(name, group.get_command(context, name)) for name in group.commands]
    order = {heading: number for number, heading in enumerate(HEADINGS)}
    below.sort(key=lambda item: order.get(item[1].rich_help_panel, 0))
    for name, command in below:
        inside = typer.Context(command, info_name=name, parent=context, color=False)
        if hasattr(command, "commands"):
            yield from _commands(inside)
        else:
            yield from _command(inside)


def _command(context: typer.Context) -> Iterator[str]:
    command: Any = context.command
    name = f"acres {name_of(context)}"
    yield f'.SS "{_escaped(name)}"'
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    yield f".B {_escaped(usage)}"
    for paragraph in command.help.split("\n\n"):
        yield ".PP"
        yield _text(paragraph)
    yield from _parameters(context)
    found = examples().get(name_of(context), ())
    if found:
        yield ".PP"
        yield "Examples:" if len(found) > 1 else "Example:"
    for line, purpose, _ in found:
        yield ".TP"
        yield f".B {_escaped(line)}"
        yield _text(f"{purpose[0].upper()}{purpose[1:]}{'' if purpose.endswith('?') else '.'}")


def _parameters(context: typer.Context) -> Iterator[str]:
    for parameter in context.command.get_params(context):
        told: Any = parameter
        if told.name == "help":
            continue
        yield ".TP"
        yield f".B {_escaped(_called(told, context))}"
        must = " It has to be given." if told.required and told.param_type_name == "option" else ""
        yield _text(f"{told.help}{must}")


def _called(parameter: Any, context: typer.Context) -> str:
    """Return how an option or argument is written, with the name of its value."""
    if parameter.param_type_name == "argument":
        return str(parameter.make_metavar(context))
    names = ", ".join([*parameter.opts, *parameter.secondary_opts])
    return names if parameter.is_flag else f"{names} {parameter.make_metavar(context)}"


# --- man(7)


def _text(text: str) -> str:
    """Return a paragraph, each sentence on a line of its own as man pages have it."""
    joined = _escaped(" ".join(text.split()))
    lines = re.split(r"(?<=[.?!]) (?=[A-Z])", joined)
    # None is to be taken for a request to the formatter.
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in lines)


_ESCAPES = str.maketrans(
    {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "“": "\\(lq", "”": "\\(rq"}
)


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)


if __name__ == "__main__":
    import sys

    from pbem.cli.main import app

    sys.stdout.write(manual(typer.main.get_command(app)))
