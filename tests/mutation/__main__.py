"""Mutation testing: `python -m tests.mutation engine|pbem FOLDER [MUTANT...]`.

Each mutant is this program with one small change; a test that still passes with all of them shows
nothing. `mutmut` makes and tries them in FOLDER, on a copy, and goes on there where it was stopped;
in the end it lists those that survived. `engine.toml` and `pbem.toml` beside this say which modules
are changed and which tests have to notice. What came of it: README.md.
"""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

ROOT = Path(__file__).parents[2]
SETTINGS = {path.stem: path for path in Path(__file__).parent.glob("*.toml")}
CHILDREN = 2


def main(arguments: list[str]) -> int:
    """Try the mutants of one part of the program; return the exit status of the last command."""
    parser = ArgumentParser("python -m tests.mutation", description="Try mutants of this program.")
    parser.add_argument("part", choices=sorted(SETTINGS), help="which modules to change")
    parser.add_argument("folder", type=Path, help="where to work; it may hold an earlier run")
    parser.add_argument("mutants", nargs="*", help="only these, with * for any part of a name")
    chosen = parser.parse_args(arguments)
    _copy_to(chosen.folder)
    with (chosen.folder / "pyproject.toml").open("a") as project:
        project.write("\n" + SETTINGS[chosen.part].read_text())
    status = 0
    for command in (["run", f"--max-children={CHILDREN}", *chosen.mutants], ["results"]):
        status = subprocess.run(
            [sys.executable, "-m", "mutmut", *command], cwd=chosen.folder
        ).returncode
    return status


def _copy_to(folder: Path) -> None:
    """Copy everything that git knows of, as it is now."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        copy = folder / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes((ROOT / name).read_bytes())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
