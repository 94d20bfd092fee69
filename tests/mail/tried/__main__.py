"""Prints the table of docs/mail.md; with `anew`, after all that is installed was tried.

`python -m tests.mail.tried anew NAME...` tries these programs alone. With `keep FOLDER` in their
place, the letters that came out are kept there.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from tests.mail.tried.outcomes import Step, note, noted, table
from tests.mail.tried.trials import TRIALS


def main(words: Sequence[str]) -> None:
    """Do what these words ask for."""
    if words and words[0] == "anew":
        _try_anew(words[1:])
    elif words and words[0] == "keep":
        _keep(Path(words[1]), words[2:])
    sys.stdout.write(table(noted()))


def _try_anew(names: Sequence[str]) -> None:
    for trial in TRIALS:
        if names and trial.program not in names:
            continue
        if trial.missing:
            sys.stderr.write(f"{trial.program}: {trial.missing} is not installed.\n")
            continue
        note(trial.outcome(step) for step in Step)


def _keep(folder: Path, names: Sequence[str]) -> None:
    for trial in TRIALS:
        for step in Step:
            if trial.program in names and trial.has(step) and step is not Step.FILE:
                name = f"{trial.program.split()[0].lower()}-{step.name.lower()}.eml"
                trial.outcome(step, folder / name)


if __name__ == "__main__":
    main(sys.argv[1:])
