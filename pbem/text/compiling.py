"""Compilation of message catalogues, run when the package is built. Needs babel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

LOCALE = Path(__file__).parent / "locale"


def catalogues() -> Iterator[Path]:
    """Yield the path of each catalogue, an acres.po under `locale`."""
    yield from sorted(LOCALE.glob("*/LC_MESSAGES/*.po"))


def compile_catalogues() -> list[Path]:
    """Compile each catalogue that is newer than its .mo file; return the paths of all .mo files."""
    # Imported lazily: babel is only installed for building and testing packages.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = []
    for path in catalogues():
        target = path.with_suffix(".mo")
        compiled.append(target)
        if target.exists() and target.stat().st_mtime_ns > path.stat().st_mtime_ns:
            continue
        with path.open("rb") as file:
            catalogue = read_po(file, locale=path.parts[-3])
        new_file = target.with_suffix(".mo.new")
        with new_file.open("wb") as file:
            write_mo(file, catalogue)
        # Replaced in one step, so that other processes read either the old or the new file.
        new_file.replace(target)
    return compiled
