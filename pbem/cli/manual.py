"""The manual page, made from the commands themselves: python -m pbem.cli.manual > docs/acres.1."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

from pbem.cli.help import EXAMPLES, HEADINGS, name_of

DESCRIPTION = """
.B acres
lets two people who do not trust each other, and have no server to trust, play the board game
.I A Few Acres of Snow
by e-mail.
Each turn is one signed file in which hands and draw piles stay sealed.
Whoever reads a file checks everything that was ever done in the game.
.PP
Everybody makes an identity once
.RB ( "acres init" ).
One player writes an invitation
.RB ( "acres new" ),
the other takes it up
.RB ( "acres join" ).
From then on each looks at the file that came
.RB ( "acres turn show" ),
answers it
.RB ( "acres turn apply" ),
and sends on the file that this writes.
.PP
Orders are typed as they are said, such as
.IR "settle Deerfield: New Haven, Norfolk" .
Case and accents do not matter, and words may be cut short as long as one reading is left.
"""

STATUS = (
    ("0", "Done; of acres audit: all that was given holds, evidence of a fork too."),
    (
        "1",
        "A file can be read and does not hold: a record does not verify, or its author cheated. Of "
        "acres audit also: two files are a fork, or evidence proves none.",
    ),
    (
        "2",
        "Wrong use, or input that cannot be read: it is not there, no save file, damaged or from a "
        "newer acres. Nothing was written, unless it says so.",
    ),
    ("130", "Stopped by Ctrl-C."),
)

ENVIRONMENT = (
    ("ACRES_HOME", "The folder that keeps your identity, if there is no --home."),
    ("ACRES_PASSPHRASE", "The passphrase of your key, if it has one; else it is asked for."),
    ("ACRES_PASSPHRASE_FD", "A file descriptor to read the passphrase from, a line."),
    ("ACRES_NEW_PASSPHRASE", "The passphrase to be given to a key."),
    ("ACRES_MAIL_PASSWORD", "The password of your mail account, if the keyring has none."),
    ("ACRES_SMTP_PASSWORD, ACRES_IMAP_PASSWORD", "The same, where that of a server differs."),
    ("ACRES_MAIL_TOKEN", "A token for your mail account, where it takes no passwords."),
    ("ACRES_LANG", "The language to speak (en, fr, it, ru), if there is no --lang."),
    (
        "LANGUAGE, LC_ALL, LC_MESSAGES, LANG",
        "The language of your system, if your settings name none.",
    ),
    ("ACRES_PLAIN", "If 1, as --plain: words instead of drawings."),
    ("ACRES_DEBUG", "If 1, an unexpected failure shows where it happened."),
    ("NO_COLOR", "If set, nothing is coloured."),
    ("FORCE_COLOR", "If set, there are colours in a pipe too."),
    ("TERM", "If dumb, as --plain, and nothing is coloured."),
    (
        "COLUMNS",
        "How wide the terminal is, if not as it says itself. Screens use up to 160.",
    ),
    ("VISUAL, EDITOR", "The editor for your private notes."),
)

FILES = (
    (
        "~/.config/acres/identity.toml",
        "Your identity with your key: the one thing to back up.",
    ),
    (
        "~/.config/acres/library.sqlite3",
        "What this computer has signed, so that it signs nothing else in its place.",
    ),
    ("*.toml", "Games, a file for each turn; what is secret in them is sealed."),
)
HOME_NOTE = (
    "On macOS and Windows the folder is where programs keep their settings there; acres --help "
    "names it."
)

SEE_ALSO = (
    "In the source, docs/orders.md says how orders are written, docs/rules.md what the rules are, "
    "and docs/threat-model.md why nobody has to be trusted."
)


def manual(command: Any) -> str:
    """The manual page of the program whose main command this is, in man(7)."""
    context = typer.Context(command, info_name="acres", color=False)
    parts = [
        '.\\" Made by python -m pbem.cli.manual; do not edit.',
        '.TH ACRES 1 "" acres "Games"',
        ".SH NAME",
        "acres \\- play A Few Acres of Snow by e-mail",
        ".SH SYNOPSIS",
        *_synopsis(context),
        ".SH DESCRIPTION",
        DESCRIPTION.strip("\n"),
        ".SH OPTIONS",
        *_parameters(context),
        ".SH COMMANDS",
        *_commands(context),
        ".SH EXIT STATUS",
        *_listed(STATUS),
        ".SH ENVIRONMENT",
        *_listed(ENVIRONMENT),
        ".SH FILES",
        *_listed(FILES),
        ".PP",
        _text(HOME_NOTE),
        ".SH SEE ALSO",
        _text(SEE_ALSO),
    ]
    return "\n".join(parts) + "\n"


def _synopsis(context: typer.Context) -> Iterator[str]:
    yield ".B acres"
    yield "[\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]"


def _commands(context: typer.Context) -> Iterator[str]:
    """Every command below one, those of a heading after each other."""
    group: Any = context.command
    below = list(group.commands.items())
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
    yield f".SS {_quoted(name)}"
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    yield f".B {_escaped(usage)}"
    for paragraph in command.help.split("\n\n"):
        yield ".PP"
        yield _text(paragraph)
    yield from _parameters(context)
    examples = EXAMPLES.get(name_of(context), ())
    if examples:
        yield ".PP"
        yield "Examples:" if len(examples) > 1 else "Example:"
    for line, purpose in examples:
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
    """How an option or argument is written, with the name of its value."""
    if parameter.param_type_name == "argument":
        return str(parameter.make_metavar(context))
    names = ", ".join([*parameter.opts, *parameter.secondary_opts])
    return names if parameter.is_flag else f"{names} {parameter.make_metavar(context)}"


def _listed(facts: tuple[tuple[str, str], ...]) -> Iterator[str]:
    for name, meaning in facts:
        yield ".TP"
        yield f".B {_escaped(name)}"
        yield _text(meaning)


# --- man(7)


def _text(text: str) -> str:
    """A paragraph, each sentence on a line of its own as man pages have it."""
    joined = _escaped(" ".join(text.split()))
    return "\n".join(_shielded(line) for line in re.split(r"(?<=[.?!]) (?=[A-Z])", joined))


def _escaped(text: str) -> str:
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")


def _shielded(line: str) -> str:
    """A line that is no request to the formatter."""
    return f"\\&{line}" if line.startswith((".", "'")) else line


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


if __name__ == "__main__":
    import sys

    from pbem.cli.main import app

    sys.stdout.write(manual(typer.main.get_command(app)))
