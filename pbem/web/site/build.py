"""The files of the site: a folder from which a browser runs the pages without any server.

The folder may lie under any address, because every path in it is relative. Its bytes depend only
on this program, its installed requirements, and the npm packages in `npm/package-lock.json`.
"""

from __future__ import annotations

import gzip
import json
import lzma
import posixpath
import re
import shutil
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import distribution
from io import BytesIO
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from zlib import crc32

from resvg_py import svg_to_bytes

from engine.message import Message
from pbem import VERSION
from pbem.errors import NOT_WRITTEN, UsageError, report_os_errors
from pbem.sources import capture
from pbem.text.language import NAMES, Language

SUMS = "SHA256SUMS"
"""The file with the hashes of all others, as `sha256sum` writes it."""
PYTHON_ARCHIVE = "python/acres.tar.xz"
"""The Python packages that the pages import."""
COMPRESSED = ".gzip"
"""The suffix of files that the service worker unpacks: few web servers compress such files."""
_HERE = Path(__file__).parent
_ROOT = _HERE.parents[2]
_SERVICE_WORKER = "service-worker.js"
_AT_TOP = ("index.html", "manifest.webmanifest", _SERVICE_WORKER)
"""The files of `assets` that control the whole folder; the others go into `app`."""
_PYODIDE = ("pyodide.mjs", "python_stdlib.zip")
_PYODIDE_LARGE = ("pyodide.asm.mjs", "pyodide.asm.wasm")
_PYODIDE_LOCK = "pyodide-lock.json"
_CRYPTOGRAPHY = (
    *("ciphers/aes.js", "curves/ed25519.js"),
    *("hashes/hkdf.js", "hashes/scrypt.js", "hashes/sha2.js"),
)
"""The modules of noble that `crypto.js` imports."""
_PACKAGE_IMPORT = re.compile(r"""^((?:import|export) .*from ['"])@noble/""", re.MULTILINE)
_IMPORT = re.compile(r"""^(?:import|export) .*from ['"](.+)['"];""", re.MULTILINE)
_REQUIREMENTS = (
    *("anyio", "jinja2", "markupsafe", "starlette"),
    *("tomli_w", "tomlkit", "typing_extensions"),
)
_NOT_IN_BROWSERS = (
    *("pbem/cli", "pbem/club", "pbem/mail"),
    "pbem/text/compiling.py",
    *("pbem/web/mail.py", "pbem/web/server.py", "pbem/web/watch.py"),
    *("pbem/web/site/assets", "pbem/web/site/build.py", "pbem/web/site/npm"),
)
"""The parts of this program that need a terminal, a network, threads or compiled libraries."""
SHELL = {
    "loading": Message("The pages are being loaded: {percent} %"),
    "full": Message(
        "Your browser has no room left, so your last change is not saved. Delete something, then "
        "reload this page."
    ),
    "refused": Message(
        "This browser keeps nothing here. Open this address with https:// and outside private "
        "windows, or use another browser."
    ),
    "failed": Message("The pages cannot go on: {reason}. Reload this page; nothing saved is lost."),
}
"""The sentences that are shown while Python does not run."""
_DATA_SUFFIXES = (".css", ".html", ".js", ".mo", ".py", ".svg", ".toml", ".txt", ".woff2")


def build(out: Path) -> int:
    """Write the site into the folder `out`, which is new or empty; return its size in bytes.

    Raises UsageError if the folder is not empty, or if npm is missing or fetches nothing.
    """
    if out.exists() and not (out.is_dir() and not any(out.iterdir())):
        raise UsageError(
            "{folder} is not an empty folder: name a new one, or empty it first.", folder=out
        )
    files = site_files()
    with report_os_errors(out, NOT_WRITTEN):
        for name, data in files.items():
            path = out / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    return sum(map(len, files.values()))


def site_hash(folder: Path) -> str:
    """Return the hash of `SUMS`, which stands for the whole site. Raises UsageError."""
    with report_os_errors(folder / SUMS):
        return sha256((folder / SUMS).read_bytes()).hexdigest()


class _Handler(SimpleHTTPRequestHandler):
    """Serves files with media types that do not depend on the system, and prints nothing."""

    extensions_map = {  # noqa: RUF012
        ".css": "text/css",
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript",
        ".json": "application/json",
        ".mjs": "text/javascript",
        ".png": "image/png",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
        "": "application/octet-stream",
    }

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


def open_server(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """Return a server of a folder at a port of this computer, 0 for a free one. Raises OSError."""
    return ThreadingHTTPServer(("127.0.0.1", port), partial(_Handler, directory=str(folder)))


def site_files() -> dict[str, bytes]:
    """Return the bytes of all files of the site by their paths, `SUMS` last.

    Raises UsageError if npm is missing or cannot fetch its packages.
    """
    return seal({**_assets(), PYTHON_ARCHIVE: _pack(dict(_python_files())), **_fetch_packages()})


def seal(files: Mapping[str, bytes], version: str = VERSION) -> dict[str, bytes]:
    """Return the files of a version with their hashes, which the service worker knows too.

    A browser looks for a new service worker only, so that it has to change with any other file.
    """
    others = {name: data for name, data in files.items() if name not in (_SERVICE_WORKER, SUMS)}
    about = f"{version} {sha256(_sums(others)).hexdigest()}"
    worker = (_HERE / "assets" / _SERVICE_WORKER).read_bytes().replace(b"@VERSION@", about.encode())
    others[_SERVICE_WORKER] = worker
    return {**others, SUMS: _sums(others)}


def _sums(files: Mapping[str, bytes]) -> bytes:
    """Return the hashes of files as the program `sha256sum` prints them, sorted by name."""
    lines = (f"{sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items()))
    return "".join(lines).encode()


def _assets() -> dict[str, bytes]:
    paths = (path for path in (_HERE / "assets").rglob("*") if path.is_file())
    names = {path: path.relative_to(_HERE / "assets").as_posix() for path in paths}
    texts = {code: {key: _pattern(code, text) for key, text in SHELL.items()} for code in NAMES}
    return {
        name if name in _AT_TOP else f"app/{name}": path.read_bytes()
        for path, name in names.items()
    } | {"app/texts.json": json.dumps(texts, ensure_ascii=False).encode(), **_icons()}


def _icons() -> dict[str, bytes]:
    """Return the icons of the installed site; systems cut the shape of a maskable one."""
    icon = (_HERE.parent / "assets" / "icon.svg").read_text(encoding="utf-8")
    icons = (("192", icon, 192), ("512", icon, 512), ("maskable", icon.replace(' rx="6"', ""), 512))
    return {
        f"icons/{name}.png": bytes(svg_to_bytes(svg_string=svg, width=width))
        for name, svg, width in icons
    }


def _pattern(code: str, text: Message) -> str:
    """Return a translated sentence with the names of its facts in braces."""
    return Language(code).say(text.with_facts(percent="{percent}", reason="{reason}"))


# --- Python


def _python_files() -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each file that Python needs in a browser."""
    for package in ("engine", "pbem"):
        for path in (_ROOT / package).rglob("*"):
            name = path.relative_to(_ROOT).as_posix()
            if path.suffix in _DATA_SUFFIXES and not name.startswith(_NOT_IN_BROWSERS):
                yield name, path.read_bytes()
    for requirement in _REQUIREMENTS:
        for file in distribution(requirement).files or ():
            # Without the compiled library MarkupSafe uses its own Python code.
            if file.suffix == ".py" or "LICEN" in file.name.upper():
                yield file.as_posix(), file.read_binary()


def _pack(files: Mapping[str, bytes]) -> bytes:
    """Return a tar.xz archive of files by name."""
    result = BytesIO()
    # To unpack it takes little more memory than the dictionary, which is larger than the files.
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": 2**23}]
    with (
        lzma.open(result, "wb", filters=filters) as stream,
        tarfile.open(fileobj=stream, mode="w") as tar,
    ):
        # Similar files next to each other compress better.
        for name in sorted(files, key=lambda name: (PurePosixPath(name).suffix, name)):
            entry = tarfile.TarInfo(name)
            entry.size = len(files[name])
            # The cache of games knows the program by the sizes and times of its files.
            entry.mtime = crc32(files[name])
            tar.addfile(entry, BytesIO(files[name]))
    return result.getvalue()


# --- npm


def _fetch_packages() -> dict[str, bytes]:
    """Return the files of npm packages, which npm keeps in its own cache after the first time."""
    npm = shutil.which("npm")
    if npm is None:
        raise UsageError(
            "The site is built with npm, which is not installed. Install Node.js from "
            "https://nodejs.org, and run this again."
        )
    with TemporaryDirectory() as folder:
        shutil.copytree(_HERE / "npm", folder, dirs_exist_ok=True)
        command = [npm, "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"]
        status, errors = capture(command, Path(folder))
        if status:
            # npm prints a code first, and then sentences.
            reasons = re.findall(r"^npm error (?!code )(\S.*)$", errors, re.MULTILINE)
            raise UsageError(
                "npm could not fetch Python for browsers: {reason}. Connect to the Internet, and "
                "run this again.",
                reason=reasons[0].rstrip(".") if reasons else f"npm {status}",
            )
        packages = Path(folder, "node_modules")
        return {**_pyodide(packages / "pyodide"), **_noble(packages / "@noble", _CRYPTOGRAPHY)}


def _pyodide(folder: Path) -> dict[str, bytes]:
    """Return the interpreter, with a lock file that offers no other packages."""
    lock = json.loads((folder / _PYODIDE_LOCK).read_bytes())
    files = {name: (folder / name).read_bytes() for name in _PYODIDE}
    for name in _PYODIDE_LARGE:
        files[name + COMPRESSED] = gzip.compress((folder / name).read_bytes(), mtime=0)
    files[_PYODIDE_LOCK] = json.dumps({**lock, "packages": {}}).encode()
    return {f"pyodide/{name}": data for name, data in files.items()}


def _noble(folder: Path, names: Iterable[str]) -> dict[str, bytes]:
    """Return modules with all modules that they import, and with relative imports only.

    Workers have no import maps, so they cannot resolve the names of packages.
    """
    files: dict[str, bytes] = {}
    queue = list(names)
    while queue:
        name = queue.pop()
        text = (folder / name).read_text(encoding="utf-8")
        text = _PACKAGE_IMPORT.sub(rf"\1{'../' * name.count('/')}", text)
        files[name] = text.encode()
        imports = (posixpath.join(name, "..", path) for path in _IMPORT.findall(text))
        queue.extend({posixpath.normpath(path) for path in imports} - files.keys())
    licences = {f"{name.partition('/')[0]}/LICENSE" for name in files}
    files |= {name: (folder / name).read_bytes() for name in licences}
    return {f"noble/{name}": data for name, data in files.items()}
