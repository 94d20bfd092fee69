"""Compiling catalogues, for the building of the package; babel does the work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

LOCALE = Path(__file__).parent / "locale"


def catalogues() -> Iterator[Path]:
    """Every catalogue there is, as translators write it."""
    yield from sorted(LOCALE.glob("*/LC_MESSAGES/*.po"))


def compile_catalogues() -> list[Path]:
    """Compile every catalogue that is newer than its compiled form; return all of them."""
    # Imported here because it is only there where packages are built and tested.
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
        written = target.with_suffix(".mo.new")
        with written.open("wb") as file:
            write_mo(file, catalogue)
        # In one step, so that a reader meanwhile has the old one or the new one.
        written.replace(target)
    return compiled
