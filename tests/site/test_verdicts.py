"""The program in Pyodide gives the verdicts of the native one on every test vector."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
from base64 import b64encode
from pathlib import Path

import pytest

from pbem.web.site.build import COMPRESSED
from tests.requirements import skip_without
from tests.site.verdicts import verdicts
from tests.vectors import refusals
from tests.vectors.games import HERE

RUNNER = Path(__file__).with_name("verdicts.mjs")


def read_files() -> dict[str, bytes]:
    """Return the contents of all vectors that are files of games or evidence, by name."""
    paths = (*HERE.rglob("*.toml"),)
    return {path.relative_to(HERE).as_posix(): path.read_bytes() for path in paths} | {
        f"large/{vector.name}": vector.data for vector in refusals.large()
    }


@pytest.mark.long
def test_pyodide_gives_the_verdicts_of_the_native_program(
    site_folder: Path, tmp_path: Path
) -> None:
    if shutil.which("node") is None:
        skip_without("node", "nodejs")
    site = shutil.copytree(site_folder, tmp_path / "site")
    (site / "package.json").write_text('{"type": "module"}')
    # The service worker unpacks these.
    for path in site.glob(f"pyodide/*{COMPRESSED}"):
        path.with_suffix("").write_bytes(gzip.decompress(path.read_bytes()))
    files = read_files()
    table = {name: b64encode(data).decode() for name, data in files.items()}
    (tmp_path / "table.json").write_text(json.dumps(table))
    run = subprocess.run(
        ["node", RUNNER, site, tmp_path / "table.json"],
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"]},
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    found, expected = json.loads(run.stdout), verdicts(table)
    assert {name for name in files if found[name] != expected[name]} == set()
    # They are the rules that the vectors name, except where another one is checked first.
    rules = {
        "/".join(filter(None, ("refused", vector.folder, vector.name))): vector.rule
        for vector in refusals.read_index()
        if vector.folder != "without-rules" and vector.breach != "the format of evidence"
    }
    assert {name: found[name][0] for name in rules} == rules
    honest = [f"accepted/{name}" for name in refusals.honest_files()]
    assert {found[name][0] for name in honest} == {"accepted"}
