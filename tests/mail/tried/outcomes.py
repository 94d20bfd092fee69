"""What came of trying mail programs: noted as data, and the table of docs/mail.md."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import tomli_w

NOTED = Path(__file__).parent / "outcomes.toml"


class Step(Enum):
    """What is done with a program; its value heads a column."""

    DRAFT = "draft sent"
    REPLY = "reply with the file"
    FORWARD = "forwarded in the text"
    ATTACHED = "forwarded as attachment"
    LETTER = "message saved or fetched"
    FILE = "file saved"


class Came(Enum):
    """What came out of a step; its value stands in a row."""

    SAME = "same file"
    NO_FILE = "no file"
    OTHER = "another file"
    NOT_TRIED = "not tried"
    NO_SUCH_STEP = "–"


class Outcome(NamedTuple):
    """What came of a step with a program of that version."""

    program: str
    version: str
    step: Step
    came: Came


def noted() -> list[Outcome]:
    """What was noted when the programs were tried last."""
    rows = tomllib.loads(NOTED.read_text(encoding="utf-8"))
    return [
        Outcome(program, str(row["version"]), step, Came(row["steps"][step.value]))
        for program, row in rows.items()
        for step in Step
    ]


def note(outcomes: Iterable[Outcome]) -> None:
    """Note what came of it, beside what was noted of other programs."""
    rows = tomllib.loads(NOTED.read_text(encoding="utf-8")) if NOTED.exists() else {}
    for program, version, step, came in outcomes:
        row = rows.setdefault(program, {"version": "", "steps": {}})
        row["version"] = version
        row["steps"][step.value] = came.value
    NOTED.write_text(tomli_w.dumps(rows), encoding="utf-8")


def table(outcomes: Iterable[Outcome]) -> str:
    """The table, in Markdown: a row for each program, a column for each step."""
    rows: dict[tuple[str, str], dict[Step, Came]] = {}
    for program, version, step, came in outcomes:
        rows.setdefault((program, version), {})[step] = came
    lines = ["| program | " + " | ".join(step.value for step in Step) + " |"]
    lines.append("|---" * (len(Step) + 1) + "|")
    for (program, version), steps in rows.items():
        cells = [f"{program} {version}", *(steps[step].value for step in Step)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
