"""Private notes in the player's own editor."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import NamedTemporaryFile

from engine.message import Message, sentences
from pbem.cli import console
from pbem.cli.pager import command_from
from pbem.errors import UsageError, describe_error, describe_os_error
from pbem.play.turn import check_notes
from pbem.savefile.disk import decode
from pbem.sources import run

EDITORS = ("notepad",) if os.name == "nt" else ("sensible-editor", "nano", "vi")
"""The default editors, of which the first installed one is used."""
TAB_WIDTH = 4
"""The number of spaces that replace a tab, which notes cannot contain."""


def edit_notes(old: str) -> str | None:
    """Open notes in the player's editor and return them, or None if they are unchanged.

    Raises UsageError if there is no terminal or no editor, if the editor fails, and for notes that
    a save file cannot hold. The message names a file with the edited text.
    """
    if not console.is_terminal():
        raise UsageError("Notes are edited at a terminal; elsewhere give them with --note TEXT.")
    try:
        with NamedTemporaryFile(
            "w", encoding="utf-8", prefix="acres-notes-", suffix=".txt", delete=False
        ) as file:
            file.write(old + "\n" * bool(old))
    except OSError as error:
        reason = describe_error(error)
        raise UsageError("Your notes cannot be edited: {reason}.", reason=reason) from None
    path = Path(file.name)
    try:
        _run_editor(path)
        new = _read(path)
    except UsageError as error:
        raise UsageError(sentences(error.message, _saved_copy_notice(path, old))) from None
    path.unlink()
    return None if new == old.rstrip() else new


def _read(path: Path) -> str:
    """Read edited notes from a file. Raises UsageError if a save file cannot hold them."""
    try:
        text = decode(path.read_bytes()).replace("\r\n", "\n")
    except OSError as error:
        reason = describe_os_error(error)
        raise UsageError("Your notes cannot be read: {reason}.", reason=reason) from None
    except UnicodeDecodeError:
        raise UsageError("Your notes cannot be read: they were not saved in UTF-8.") from None
    # Editors end the last line, and indent with tabs.
    return check_notes(text.rstrip().expandtabs(TAB_WIDTH))


def _saved_copy_notice(path: Path, old: str) -> Message:
    """Return a sentence about the file with the edited text; an unchanged file is removed."""
    if path.exists() and path.read_bytes().rstrip() != old.encode().rstrip():
        return Message("What you wrote is kept in {file}.", file=path)
    path.unlink(missing_ok=True)
    return Message("They stay as they were.")


def _run_editor(path: Path) -> None:
    """Open a file in the player's editor. Raises UsageError if that fails."""
    command = command_from("VISUAL", "EDITOR") or [*filter(shutil.which, EDITORS)][:1]
    if not command:
        raise UsageError(
            "Your notes cannot be edited: there is no editor here. Name yours in the variable "
            "EDITOR, or give the notes with --note TEXT."
        )
    try:
        status = run([*command, str(path)])
    except OSError as error:
        raise UsageError(
            "Your notes cannot be edited: the editor “{command}” cannot be started ({reason}). "
            "Name another one in the variable EDITOR.",
            command=command[0],
            reason=describe_os_error(error),
        ) from None
    if status:
        raise UsageError(
            "Your notes were not changed: the editor “{command}” ended with an error.",
            command=command[0],
        )
