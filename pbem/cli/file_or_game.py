"""FILE, or the game that a player names in its place, or nothing.

Where a file is named, as in a script, nothing of games, folders and mailboxes is imported.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem.cli.file_argument import names_file


def file_meant(file: Path | None) -> Path:
    """The file that a player means by FILE; raises as `newest_file.newest_meant`."""
    if file is not None and names_file(str(file)):
        return file
    from pbem.cli.newest_file import newest_meant

    return newest_meant(file)


def file_and_words(file: Path | None, words: Sequence[str]) -> tuple[Path, list[str]]:
    """That file, and the words behind it, of which the first may stand where FILE would."""
    if file is not None and names_file(str(file)):
        return file, [*words]
    from pbem.cli.newest_file import newest_and_words

    return newest_and_words(file, words)
