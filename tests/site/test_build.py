"""The folder of the site: its files, their sizes and sums, and errors while it is built."""

from __future__ import annotations

import gzip
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
from hashlib import sha256
from pathlib import Path
from threading import Thread
from urllib.request import urlopen

import pytest

from pbem.errors import UsageError
from pbem.protocol.cache import program_digest
from pbem.web.site import build
from tests.cli.commands import acres

MB = 1_000_000


def python_files(data: bytes) -> dict[str, bytes]:
    """Return the files in the archive of Python code."""
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:xz") as tar:
        return {entry.name: tar.extractfile(entry).read() for entry in tar}  # type: ignore[union-attr]


def fake_npm(folder: Path, script: str) -> str:
    """Write a program `npm`, and return a PATH on which only that one is found."""
    folder.mkdir()
    program = folder / "npm"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    return str(folder)


# --- what is inside


def test_python_code_has_what_pages_need_and_nothing_of_the_terminal() -> None:
    files = dict(build._python_files())
    for name in (
        *("engine/data/board.toml", "pbem/web/routes.py", "pbem/text/locale/fr/lexicon.toml"),
        *("pbem/web/templates/frame.html", "jinja2/__init__.py", "markupsafe/_native.py"),
    ):
        assert name in files
    assert any(name.startswith("pbem/board/fonts/") for name in files)
    tops = {name.partition("/")[0].partition("-")[0] for name in files}
    assert tops >= {"engine", "pbem", "starlette", "anyio"}
    assert not tops & {"cryptography", "keyring", "uvicorn", "typer", "rich", "prompt_toolkit"}
    assert not [name for name in files if name.startswith(("pbem/cli", "pbem/mail"))]
    assert not [name for name in files if name.endswith((".so", ".pyd", ".ttf", ".po", ".pyc"))]
    assert not [name for name in files if name.startswith(("/", "..")) or ".." in name.split("/")]


def test_every_packed_requirement_has_its_licence() -> None:
    names = list(dict(build._python_files()))
    for requirement in build._REQUIREMENTS:
        start = rf"{requirement}-[\d.]+\.dist-info/.*licen[cs]e"
        assert any(re.match(start, name, re.IGNORECASE) for name in names), requirement


def test_an_archive_depends_on_names_and_bytes_only() -> None:
    files = {"b.py": b"2", "a.py": b"1", "a.toml": b"3"}
    packed = build._pack(files)
    assert packed == build._pack(dict(reversed(files.items())))
    assert python_files(packed) == files


def test_another_file_of_the_same_size_has_another_time(tmp_path: Path) -> None:
    """The cache of games must know that the program has changed."""
    digests = set()
    for number, content in enumerate((b"RULE = 1\n", b"RULE = 2\n", b"RULE = 1\n")):
        folder = tmp_path / "rules"
        packed = io.BytesIO(build._pack({"a.py": content}))
        with tarfile.open(fileobj=packed, mode="r:xz") as tar:
            tar.extractall(folder, filter="data")
        digests.add(program_digest(folder))
        assert len(digests) == min(number + 1, 2)


def test_modules_of_packages_are_found_by_relative_paths(tmp_path: Path) -> None:
    files = {
        "curves/ed25519.js": "/*\n * import { x } from '@noble/never/x.js';\n */\n"
        "import { sha512 } from '@noble/hashes/sha2.js';\n"
        'import {} from "./abstract/curve.js";\n',
        "curves/abstract/curve.js": 'export { u } from "../utils.js";\n'
        "import * as h from '@noble/hashes/utils.js';\n",
        "curves/utils.js": "export const u = 1;\n",
        "hashes/sha2.js": "import { h } from './utils.js';\n",
        "hashes/utils.js": "import { s } from './sha2.js';\n",
        "hashes/unused.js": "",
        **{f"{package}/LICENSE": "MIT" for package in ("curves", "hashes")},
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    modules = {k: v.decode() for k, v in build._noble(tmp_path, ["curves/ed25519.js"]).items()}
    assert modules.keys() == {f"noble/{name}" for name in files if "unused" not in name}
    assert "from '../hashes/sha2.js'" in modules["noble/curves/ed25519.js"]
    assert 'from "./abstract/curve.js"' in modules["noble/curves/ed25519.js"]
    assert "from '../../hashes/utils.js'" in modules["noble/curves/abstract/curve.js"]


# --- errors


def test_npm_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="npm, which is not installed"):
        build._fetch_packages()


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_a_missing_network_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ("npm error code ENOTFOUND", "npm error network request to x failed.", "npm error b")
    script = "\n".join(f"echo '{line}' >&2" for line in lines) + "\nexit 1"
    monkeypatch.setenv("PATH", fake_npm(tmp_path / "bin", script))
    with pytest.raises(UsageError) as raised:
        build._fetch_packages()
    assert str(raised.value).startswith(
        "npm could not fetch Python for browsers: network request to x failed. Connect to"
    )


def test_nothing_is_written_into_a_folder_with_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    (tmp_path / "own.txt").write_text("mine", encoding="utf-8")
    for out in (tmp_path, tmp_path / "own.txt"):
        result = acres("site", out, home=tmp_path / "home")
        assert "is not an empty folder: name a new" in result.fails().err
    assert [path.name for path in tmp_path.iterdir()] == ["own.txt"]
    assert "Name a folder to write" in acres("site", home=tmp_path / "home").fails().err


# --- the server


def test_files_are_served_with_their_media_types(tmp_path: Path) -> None:
    types = {
        "index.html": "text/html; charset=utf-8",
        "a.mjs": "text/javascript",
        "a.wasm": "application/wasm",
        "a.webmanifest": "application/manifest+json",
        "a.xz": "application/octet-stream",
    }
    for name in types:
        (tmp_path / name).write_bytes(b"x")
    with build.open_server(tmp_path) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        for name, media_type in types.items():
            with urlopen(f"http://127.0.0.1:{server.server_port}/{name}") as response:
                assert response.headers["Content-Type"] == media_type
                assert response.headers["Cache-Control"] == "no-cache"
        server.shutdown()
        assert server.server_address[0] == "127.0.0.1"


# --- the whole folder


@pytest.mark.slow
def test_two_builds_are_equal(site_folder: Path, tmp_path: Path) -> None:
    names = [path for path in site_folder.rglob("*") if path.is_file()]
    files = {path.relative_to(site_folder).as_posix(): path.read_bytes() for path in names}
    # In a process of its own: another order of sets, another time, another folder.
    command = [sys.executable, "-m", "pbem.cli", "site", str(tmp_path / "again")]
    environment = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "ACRES_LANG": "fr"}
    subprocess.run(command, check=True, env=environment, capture_output=True)
    for name, data in files.items():
        assert (tmp_path / "again" / name).read_bytes() == data, name
    sums = files.pop(build.SUMS).decode().splitlines()
    assert sorted(sums) == sorted(f"{sha256(d).hexdigest()}  {name}" for name, d in files.items())


@pytest.mark.slow
def test_the_site_is_small(site_folder: Path) -> None:
    # As any web server sends them, which compresses nothing.
    sizes = {
        path.relative_to(site_folder).as_posix(): path.stat().st_size
        for path in site_folder.rglob("*")
        if path.is_file()
    }
    assert sum(sizes.values()) <= 9 * MB
    files = python_files((site_folder / build.PYTHON_ARCHIVE).read_bytes())
    own = build._pack({n: d for n, d in files.items() if n.startswith(("engine/", "pbem/"))})
    others = ("noble/", "pyodide/", "python/")
    shell = [size for name, size in sizes.items() if not name.startswith(others)]
    assert len(own) + sum(shell) <= MB


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node.js")
def test_modules_of_the_folder_work_together(site_folder: Path) -> None:
    script = """
        const [folder] = process.argv.slice(1);
        const { ed25519 } = await import(`${folder}/noble/curves/ed25519.js`);
        const { aessiv } = await import(`${folder}/noble/ciphers/aes.js`);
        const { hkdf } = await import(`${folder}/noble/hashes/hkdf.js`);
        const { sha256 } = await import(`${folder}/noble/hashes/sha2.js`);
        const { scrypt } = await import(`${folder}/noble/hashes/scrypt.js`);
        const key = new Uint8Array(32), text = new Uint8Array(3);
        const { loadPyodide } = await import(`${folder}/pyodide/pyodide.mjs`);
        console.log(ed25519.verify(ed25519.sign(text, key), text, ed25519.getPublicKey(key)),
            aessiv(key, text).encrypt(text).length, hkdf(sha256, key, key, key, 32).length,
            scrypt(key, key, { N: 2, r: 8, p: 1 }).length, (await loadPyodide()).version);
    """
    # A package.json tells Node.js about modules; a browser knows them by their elements.
    copy = shutil.copytree(site_folder, site_folder.parent / "for_node")
    for path in copy.rglob(f"*{build.COMPRESSED}"):
        path.with_suffix("").write_bytes(gzip.decompress(path.read_bytes()))
    (copy / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    command = ["node", "--input-type=module", "-e", script, str(copy)]
    output = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    assert output.split() == ["true", "19", "32", "32", "314.0.7"]
