"""How the pages of this folder become a site: `.venv/bin/sphinx-build -W docs build/site`.

The reference is made from the docstrings of the engine, of `pbem.play` and of the modules that it
hands out values of: a page for each module, written into `reference/` before the others are read.
The pages of the repository that lie outside of this folder are pages of the site too.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import version as installed
from pathlib import Path
from pkgutil import walk_packages
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

project = "acres"
version = release = installed("acres-pbem")
project_copyright = "the authors of acres"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
suppress_warnings = ["misc.highlighting_failure"]  # a sketch of a file leaves out parts, by “…”

highlight_language = "none"

html_theme = "furo"
html_title = "acres"
html_copy_source = html_show_sphinx = False

# A heading is linked to by the words that a forge makes of it.
myst_heading_anchors = 4

# In docstrings a name is set in single backticks; that of something documented leads there.
default_role = "py:obj"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True

DOCUMENTED = ("engine", "pbem.play")
"""The packages that the reference is of."""
PARTS = (
    "pbem.errors",
    "pbem.protocol.fork",
    "pbem.protocol.hand",
    "pbem.protocol.match",
    "pbem.protocol.record",
    "pbem.savefile.save_file",
    "pbem.text.board",
    "pbem.text.facts.position_facts",
    "pbem.text.language",
    "pbem.text.proof.verdict",
)
"""Modules that are in the reference, too: of what reports are made, and positions in words."""
OUTSIDE = {
    "tour": "README.md",
    "contributing": "CONTRIBUTING.md",
    "changelog": "CHANGELOG.md",
    "security": "SECURITY.md",
}
"""The pages that lie in the folder above, by the names that they have here."""


def _write_reference(app: Sphinx) -> None:
    """Write a page for each module of the packages, and delete all others."""
    folder = HERE / "reference"
    folder.mkdir(exist_ok=True)
    pages = {}
    for name in DOCUMENTED:
        package = import_module(name)
        within = sorted(module.name for module in walk_packages(package.__path__, f"{name}."))
        pages[name] = _page(name) + _exported(name) + _contents(within)
        pages |= {module: _page(module, ":members:", ":ignore-module-all:") for module in within}
    pages |= {module: _page(module, ":members:", ":ignore-module-all:") for module in PARTS}
    title = "Reports, and positions in words"
    pages["parts"] = "\n".join([title, "=" * len(title), "", _contents(PARTS)])
    for page in folder.glob("*.rst"):
        if page.stem not in pages:
            page.unlink()
    for name, text in pages.items():
        page = folder / f"{name}.rst"
        # A page that stays as it is need not be made again.
        if not page.exists() or page.read_text("utf-8") != text:
            page.write_text(text, "utf-8")


def _page(module: str, *options: str) -> str:
    lines = [module, "=" * len(module), "", f".. automodule:: {module}"]
    return "\n".join([*lines, *(f"   {option}" for option in options), "", ""])


def _exported(package: str) -> str:
    """Return the public names of a package as a list of links to their documentation."""
    module = import_module(package)
    rows = []
    for name in getattr(module, "__all__", ()):
        thing = getattr(module, name)
        first = (thing.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")
        rows.append(f"- :py:obj:`{name} <{thing.__module__}.{name}>`: {' '.join(first.split())}")
    return "\n".join([f"What ``{package}`` offers:", "", *rows, "", ""]) if rows else ""


def _contents(modules: Iterable[str]) -> str:
    entries = "".join(f"   {name}\n" for name in modules)
    return f".. toctree::\n   :maxdepth: 1\n\n{entries}"


def _skip_alias(
    app: Sphinx, what: str, name: str, thing: object, skip: bool, options: object
) -> bool | None:
    """Leave out fields of named tuples that have only Python's own docstring."""
    return (getattr(thing, "__doc__", None) or "").startswith("Alias for field number") or None


def _separate_endings(
    app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    """Separate a name in backticks from an ending that follows: `order`s."""
    lines[:] = [re.sub(r"(`[^`]+`)(?=\w)", r"\1\\ ", line) for line in lines]


def _read_page(app: Sphinx, page: str, source: list[str]) -> None:
    """Read a page from its place in the repository, and adapt its links to the manual."""
    text = source[0]
    if page in OUTSIDE:
        outside = ROOT / OUTSIDE[page]
        app.env.note_dependency(str(outside))
        text = outside.read_text("utf-8")
        text = re.sub(r"\]\((?!docs/|https?:|#)", "](../", text)
        text = text.replace("](docs/", "](")
    for name, file in OUTSIDE.items():
        text = text.replace(f"](../{file}", f"]({name}.md")
    # Any other file is there to be fetched.
    source[0] = text.replace("](../", "](path:../")


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    app.connect("builder-inited", _write_reference)
    app.connect("source-read", _read_page)
    app.connect("autodoc-process-docstring", _separate_endings)
    app.connect("autodoc-skip-member", _skip_alias)
