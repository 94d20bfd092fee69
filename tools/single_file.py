"""The program as a single file: python -m tools.single_file [FILE], by default acres.pyz.

The file contains everything that this Python has of `acres` and its requirements, compiled
libraries included. Therefore it runs with Pythons of the same kind, without network or
installation. The first time it unpacks itself into ~/.shiv. Needs `acres-pbem[pack]`.

`pbem.cli.zipapp_main` reads the marker file that is written here.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.metadata import Distribution, distribution
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.cli.zipapp_main import MARKER_FILE, describe_python
from pbem.text.compiling import compile_catalogues

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "pbem")
DEFAULT_NAME = "acres.pyz"
_IGNORED_FILES = shutil.ignore_patterns("__pycache__", "*.po", "*.mo.new")

_MAIN = """\
import sys
import {module}
try:
    {module}.{fn}()
except (OSError, RuntimeError) as error:
    sys.stderr.write(
        "acres: This file cannot unpack itself: %s. Make room there, or name another folder "
        "in the variable SHIV_ROOT.\\n" % error
    )
    sys.exit(2)
"""
"""The first module that runs: the program reports its own errors, so these are of unpacking."""
# The second argument replaces the template of shiv.
_SHIV = (
    "import sys; from shiv import builder, cli; builder.MAIN_TEMPLATE = sys.argv.pop(1); cli.main()"
)


def find_requirements(name: str = "acres-pbem") -> dict[str, Distribution]:
    """Return all direct and indirect requirements of a distribution, by name.

    Raises PackageNotFoundError if one of them is not installed.
    """
    # Imported lazily: it is installed only for building and testing packages.
    from packaging.requirements import Requirement

    result: dict[str, Distribution] = {}
    queue = [(name, frozenset[str]())]
    while queue:
        current, extras = queue.pop()
        for line in distribution(current).requires or ():
            requirement = Requirement(line)
            environments = ({"extra": extra} for extra in ("", *extras))
            if requirement.marker and not any(map(requirement.marker.evaluate, environments)):
                continue
            if requirement.name not in result:
                result[requirement.name] = distribution(requirement.name)
                queue.append((requirement.name, frozenset(requirement.extras)))
    return result


def copy_packages(folder: Path) -> None:
    """Copy the program and its requirements into an empty folder, as installed packages."""
    compile_catalogues()
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=_IGNORED_FILES)
    for package_files in find_requirements().values():
        for file in package_files.files or ():
            # Skip commands, which are installed elsewhere.
            if ".." not in file.parts and file.suffix != ".pyc":
                target = folder / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(str(package_files.locate_file(file)), target)
    (folder / MARKER_FILE).write_text(describe_python(), encoding="utf-8")


def make(file: Path) -> None:
    """Write the single file, whose bytes depend only on the versions of its packages."""
    with TemporaryDirectory() as folder:
        copy_packages(Path(folder))
        options = ["--site-packages", folder, "--entry-point", "pbem.cli.zipapp_main:run"]
        command = [sys.executable, "-c", _SHIV, _MAIN, "--reproducible", *options]
        subprocess.run([*command, "-o", str(file)], check=True)


if __name__ == "__main__":
    make(Path(sys.argv[1] if len(sys.argv) > 1 else DEFAULT_NAME))
