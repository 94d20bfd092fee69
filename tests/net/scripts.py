"""The scripts: read from `data/*.toml`.

A table `[[script]]` has a name and steps. `each` has names with several values, and makes a script
for each value, which replaces the name in braces in the texts. `after` names a script whose steps
come first, and are recorded only there; `start` names files of `STARTS` that exist at the
beginning; `env` sets variables.

A step is a line, or a table with the line as `do`, and options:

- `acres …` runs a command; `anna: …` is short for `acres --home anna …`;
- `TAB bash acres tu` asks for the completions of a shell after this line;
- `anna: GET …` and the other `REQUESTS` request pages of a player (`browser.py`);
- `!cp`, `!mv`, `!rm`, `!sub`, `!cut`, `!write`, `!mbox` change files (`world.py`);
- `!deliver`, `!folder`, `!matter` are for a mail server (`mail_server.py`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
REQUESTS = ("GET ", "ASK ", "POST ", "HEAD ", "PUT ", "LOOK")


@dataclass(frozen=True)
class Step:
    """A step of a script: its `line`, with options.

    `stdin` is the input of a command, typed at a terminal if `terminal`; `days` pass before the
    step; `headers` of a request replace the default ones; `descriptor` can be read from a file
    descriptor, whose number is `{descriptor}` in the line; `disk_is_full` makes all writes fail.
    """

    line: str
    stdin: str = ""
    terminal: bool = False
    days: float = 0
    env: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    descriptor: str = ""
    disk_is_full: bool = False


@dataclass(frozen=True)
class Script:
    """A script from the file `subject`; its first `prelude` steps are recorded elsewhere.

    A `long` script is never replayed by default.
    """

    name: str
    subject: str
    steps: Sequence[Step]
    prelude: int = 0
    seed: str = "net"
    start: Sequence[str] = ()
    long: bool = False
    env: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_of_pages(self) -> bool:
        """True if the script requests pages."""
        return any(step.line.partition(": ")[2].startswith(REQUESTS) for step in self.steps)

    @property
    def has_mail_server(self) -> bool:
        """True if a step names a port of a mail server."""
        return any("{smtp" in step.line or "{imap" in step.line for step in self.steps)


@cache
def scripts() -> dict[str, Script]:
    """Return all scripts by name."""
    scripts_by_name: dict[str, Script] = {}
    for path in sorted((HERE / "data").glob("*.toml")):
        scripts_by_name = read_scripts(path, scripts_by_name)
    return scripts_by_name


def read_scripts(path: Path, before: Mapping[str, Script]) -> dict[str, Script]:
    """Return the scripts of a file, together with the scripts that they may continue."""
    scripts_by_name = dict(before)
    for table in tomllib.loads(path.read_text(encoding="utf-8"))["script"]:
        for script in _expand(table | {"subject": path.stem}, scripts_by_name):
            assert script.name not in scripts_by_name, f"two scripts are called {script.name}"
            scripts_by_name[script.name] = script
    return scripts_by_name


def _expand(table: dict[str, Any], before: Mapping[str, Script]) -> Iterator[Script]:
    """Yield the scripts of a table."""
    values_by_name = table.pop("each", {})
    for values in product(*values_by_name.values()):
        fields = _fill_in(table, dict(zip(values_by_name, values, strict=True)))
        steps = [Step(**_as_table(step)) for step in fields.pop("steps")]
        if after := fields.pop("after", None):
            earlier = before[after]
            steps = [*earlier.steps, *steps]
            usual = {"seed": earlier.seed, "start": earlier.start}
            fields = usual | fields | {"env": {**earlier.env, **fields.get("env", {})}}
            fields["prelude"] = len(earlier.steps)
        yield Script(steps=steps, **fields | {"name": fields["name"].replace(" ", "-")})


def _fill_in(value: Any, names: Mapping[str, str]) -> Any:
    """Return a value of a table with each name in braces replaced by its text."""
    match value:
        case str():
            for name, text in names.items():
                value = value.replace(f"{{{name}}}", text)
            return value
        case list():
            return [_fill_in(values_by_name, names) for values_by_name in value]
        case dict():
            return {key: _fill_in(values_by_name, names) for key, values_by_name in value.items()}
    return value


def _as_table(step: str | dict[str, Any]) -> dict[str, Any]:
    if isinstance(step, str):
        return {"line": step}
    return {"line": step["do"], **{key: value for key, value in step.items() if key != "do"}}
