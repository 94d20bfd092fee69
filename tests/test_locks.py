"""The lock files pin the requirements of pyproject.toml; the long run tries new versions."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = {"run": ["build", "pack"], "test": ["build", "test"], "docs": ["build", "test", "docs"]}
"""The lock files, each with its extras of the project."""
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def read_pins(name: str) -> dict[str, list[Requirement]]:
    """Return the pins of a lock file by library; they may depend on the Python version."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    pins_by_name: dict[str, list[Requirement]] = {}
    for pin in re.split(r"\n(?=[A-Za-z])", re.sub(r"^#.*\n", "", text, flags=re.M)):
        required, *hashes = pin.strip().split(" \\\n    ")
        assert hashes and all(pin.startswith("--hash=sha256:") for pin in hashes), required
        requirement = Requirement(required)
        pins_by_name.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return pins_by_name


def requirements_of(extras: list[str]) -> list[Requirement]:
    """Return the requirements of the project with some extras, which may refer to others."""
    project, own = PROJECT["project"], PROJECT["project"]["name"]
    texts = list(project["dependencies"])
    for extra in extras:
        texts += project["optional-dependencies"][extra]
    requirements = [Requirement(text) for text in texts]
    further = [
        extra for other in requirements if other.name == own for extra in sorted(other.extras)
    ]
    others = [other for other in requirements if other.name != own]
    return others + (requirements_of(further) if further else [])


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("name", EXTRAS)
def test_every_requirement_is_locked_for_every_python(name: str, python: str) -> None:
    pins = read_pins(name)
    for requirement in requirements_of(EXTRAS[name]):
        there = [
            pin
            for pin in pins.get(canonicalize_name(requirement.name), [])
            if pin.marker is None
            or pin.marker.evaluate({"python_version": python, "python_full_version": f"{python}.9"})
        ]
        assert len(there) == 1, f"{requirement.name} in {name}.txt: requirements/renew"
        (pinned,) = there[0].specifier
        assert requirement.specifier.contains(pinned.version), f"{requirement}: requirements/renew"


def test_library_has_one_version_in_all_lock_files() -> None:
    of_run, of_test, of_docs = (
        {k: [*map(str, v)] for k, v in read_pins(n).items()} for n in EXTRAS
    )
    for fewer, more in ((of_run, of_docs), (of_test, of_docs)):
        differing = {
            name: (pins, more.get(name))
            for name, pins in fewer.items()
            if [pin.partition(";")[0] for pin in pins]
            != [pin.partition(";")[0] for pin in more.get(name, [])]
        }
        assert differing == {}


def test_build_extra_equals_the_build_system() -> None:
    extra = PROJECT["project"]["optional-dependencies"]["build"]
    assert {*PROJECT["build-system"]["requires"]} == {e for e in extra if "editables" not in e}


@pytest.mark.long
def test_suite_passes_with_the_newest_requirements(tmp_path: Path) -> None:
    copy = tmp_path / "clone"
    ignored = shutil.ignore_patterns(
        "__pycache__", "node_modules", "*.mo", ".git", ".venv", ".*_cache"
    )
    shutil.copytree(ROOT, copy, ignore=ignored)
    subprocess.run([sys.executable, "-m", "venv", copy / ".venv"], check=True)
    python = str(copy / ".venv" / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", ".[test]"], cwd=copy, check=True)
    command = [python, "-m", "pip", "list", "--format=freeze"]
    installed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    newest = dict(line.split("==") for line in installed.splitlines())
    pins = {name: str(pin[0].specifier)[2:] for name, pin in read_pins("test").items()}
    newer = [
        f"{name} {pins[canonicalize_name(name)]} is locked, {version} was tried"
        for name, version in newest.items()
        if pins.get(canonicalize_name(name), version) != version
    ]
    # Remove the variables of this run of pytest.
    outer = ("PYTEST_", "ACRES_", "CI")
    tried = subprocess.run(
        [python, "-m", "pytest", "--no-header", "-rfE", "-m", "not long"],
        cwd=copy,
        env={name: value for name, value in os.environ.items() if not name.startswith(outer)},
        capture_output=True,
        text=True,
    )
    report = [*newer, tried.stdout[-8000:], tried.stderr[-2000:]]
    assert tried.returncode == 0, "\n".join(report)
    print("\n".join(newer))
