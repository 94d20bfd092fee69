"""Golden screens: the typed and printed texts of commands in each language.

`screens.toml` has a script for each screen, in the form of tests/net/scripts.py, which may continue
one of those scripts; the step `!forge` signs a cheat. The expected text is
`golden/LANGUAGE/NAME.txt`.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import replace
from difflib import unified_diff
from functools import cache
from hashlib import sha256
from pathlib import Path

from pbem.play import keyfile
from pbem.protocol.steps import OrderStep
from pbem.savefile.save_file import SaveFile
from tests.net.scripts import Script, Step, read_scripts, scripts
from tests.net.world import Recording, World
from tests.signing import make_record

HERE = Path(__file__).parent
LANGUAGES = ("en", "fr", "it", "ru")


@cache
def screens() -> dict[str, Script]:
    """Return the scripts of all screens by the paths of their texts, for example "en/legal"."""
    matches = read_scripts(HERE / "screens.toml", scripts())
    return {
        f"{language}/{name}": replace(script, env={**script.env, "ACRES_LANG": language})
        for name, script in matches.items()
        if name not in scripts()
        for language in LANGUAGES
    }


def choose_screens() -> list[str]:
    """Return every screen in English and one other language, without long ones."""
    return [
        name
        for name, script in screens().items()
        if name[:2] in ("en", LANGUAGES[1 + sha256(script.name.encode()).digest()[0] % 3])
        and not script.long
    ]


def golden(name: str) -> Path:
    """Return the path of a screen's text."""
    return HERE / "golden" / f"{name}.txt"


def screen(name: str) -> str:
    """Run the script of a screen and return its typed and printed text."""
    script = screens()[name]
    lines = list[str]()
    with World(script) as world:
        for number, step in enumerate(script.steps):
            recording = {} if _forge(world, step) else world.run(step)
            if number >= script.prelude:
                visible = "" if step.line.startswith("!") else world.screen
                lines.append("".join([*_step_lines(step), visible, *_result_lines(recording)]))
    return "\n".join(lines).replace("\x1b", "␛")


def _forge(world: World, step: Step) -> bool:
    """Sign another order in the last record of a file, if the step requests it.

    `!forge HOME FILE ORDER OTHER` is a cheat that the program would not sign.
    """
    if not step.line.startswith("!forge "):
        return False
    _, home, name, order, other = shlex.split(step.line)
    save = SaveFile.read(Path(name).read_bytes())
    *before, last = save.records
    steps = [OrderStep(other) if one == OrderStep(order) else one for one in last.steps]
    header = {"index": last.index, "side": last.side, "previous": last.previous, "time": last.time}
    forged = make_record(
        keyfile.load(Path(home, "identity.toml"), lambda: ""), steps=steps, **header
    )
    Path(name).write_bytes(SaveFile((*before, forged), save.boxes).write())
    world.files()
    return True


def _step_lines(step: Step) -> Iterator[str]:
    """Yield the lines for a step, for example a command after the player's prompt."""
    if step.days:
        yield f"({step.days:g} days later)\n"
    if step.disk_is_full:
        yield "(The disk is full.)\n"
    if step.line.startswith("!"):
        yield f"({step.line[1:]})\n"
    elif step.line.startswith("TAB "):
        _, shell, line = step.line.split(" ", 2)
        yield f"$ {line}[TAB, {shell}]\n"
    else:
        home, _, line = step.line.partition(" ")
        home = "" if home == "acres" else home.removesuffix(":")
        before = [f"{key}={value}" for key, value in step.env.items()]
        yield " ".join([f"{home}$", *before, "acres", line]).rstrip() + "\n"
    if not step.terminal:
        yield from (f"< {one}\n" for one in step.stdin.splitlines())


def _result_lines(recording: Recording) -> Iterator[str]:
    """Yield the lines about the written files and the exit status of a command."""
    files = [topic.removeprefix("file ") for topic in recording if topic.startswith("file ")]
    if files:
        yield f"(writes {', '.join(files)})\n"
    if recording.get("status", "0\n") != "0\n":
        yield f"(exit status {recording['status'].strip()})\n"


def difference(name: str) -> str:
    """Return the diff between a screen and its golden text."""
    path = golden(name)
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    lines = before.splitlines(), screen(name).splitlines()
    return "\n".join(unified_diff(*lines, path.name, name, lineterm=""))


def update(name: str) -> None:
    """Write the golden text of a screen."""
    golden(name).parent.mkdir(parents=True, exist_ok=True)
    golden(name).write_text(screen(name), encoding="utf-8")


def strays() -> list[Path]:
    """Return the texts without a screen."""
    return sorted({*HERE.glob("golden/**/*.txt")} - {*map(golden, screens())})
