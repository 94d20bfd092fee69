"""The program as a single file: python -m tools.single_file [FILE], by default acres.pyz.

The file contains everything that this Python has of `acres` and its requirements, compiled
libraries included. So it runs with Pythons of the same kind, without network or installation; the
first time it unpacks itself into ~/.shiv. Needs `acres-pbem[pack]`.

`pbem.cli.zipapp_main` reads the marker file that is written here.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.metadata import Distribution, distribution
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.cli.zipapp_main import MADE_FOR, kind_of_python
from pbem.text.compiling import compile_catalogues

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "pbem")
DEFAULT_NAME = "acres.pyz"
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.po", "*.mo.new")


def required(name: str = "acres-pbem") -> dict[str, Distribution]:
    """Return all distributions that one requires, directly or indirectly, by name.

    Raises PackageNotFoundError if one of them is not installed.
    """
    # Imported here because it is only there where packages are built and tested.
    from packaging.requirements import Requirement

    result: dict[str, Distribution] = {}
    waiting = [(name, frozenset[str]())]
    while waiting:
        of, extras = waiting.pop()
        for line in distribution(of).requires or ():
            needed = Requirement(line)
            of_extras = ({"extra": extra} for extra in ("", *extras))
            if needed.marker and not any(map(needed.marker.evaluate, of_extras)):
                continue
            if needed.name not in result:
                result[needed.name] = distribution(needed.name)
                waiting.append((needed.name, frozenset(needed.extras)))
    return result


def gather(folder: Path) -> None:
    """Copy the program and its requirements into an empty folder, as installed packages."""
    compile_catalogues()
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=_LEFT_OUT)
    for package_files in required().values():
        for file in package_files.files or ():
            # Commands are installed elsewhere, and are not needed.
            if ".." not in file.parts and file.suffix != ".pyc":
                target = folder / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(str(package_files.locate_file(file)), target)
    (folder / MADE_FOR).write_text(kind_of_python(), encoding="utf-8")


def make(file: Path) -> None:
    """Write the single file; equal versions give equal bytes."""
    with TemporaryDirectory() as folder:
        gather(Path(folder))
        options = ["--site-packages", folder, "--entry-point", "pbem.cli.zipapp_main:run"]
        command = [sys.executable, "-m", "shiv", "--reproducible", *options, "-o", str(file)]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    make(Path(sys.argv[1] if len(sys.argv) > 1 else DEFAULT_NAME))
