"""Settings of all tests."""

from __future__ import annotations

import gc
import os
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from pbem.cli.console import set_language
from pbem.text.compiling import compile_catalogues
from pbem.text.language import SOURCE
from tests import requirements
from tests.engine.replay import MISSING
from tests.record_cache import cache_records

# Each worker imports every module, which would be slow without bytecode.
sys.dont_write_bytecode = False

MEMORY = Path("/dev/shm")
"""A folder in memory, if available, because tests write thousands of libraries."""
MIN_FREE_BYTES = 2**30
"""The minimum free space of the folder in memory."""
WITH_PROGRAMS = {"browser", "office"}
"""Fixtures that start other programs: Chromium, and Dovecot."""

# Benchmarks measure time, so examples have no deadline. Every run tries the same examples; the long
# run tries others each time.
settings.register_profile("acres", deadline=None, derandomize=True)
settings.load_profile("acres")


def pytest_configure(config: pytest.Config) -> None:
    """Compile changed catalogues, write to memory, speak English, in UTC, by default."""
    if not hasattr(config, "workerinput"):
        compile_catalogues()
        if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= MIN_FREE_BYTES:
            os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    os.environ["ACRES_LANG"] = "en"
    os.environ["TZ"] = "UTC"
    if hasattr(time, "tzset"):
        time.tzset()
    cache_records()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Collect no doctests from test files, which have none."""
    collectors = yield
    return [collector for collector in collectors if type(collector) is pytest.Module]


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark tests that need a browser or a mail server as slow."""
    if WITH_PROGRAMS & {*getattr(item, "fixturenames", ())}:
        item.add_marker(pytest.mark.slow)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the slow files that open pages first, and together, so that they share a browser."""
    with_pages = {item.path for item in items if "browser" in getattr(item, "fixturenames", ())}
    items.sort(key=lambda item: item.path not in with_pages)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None]:
    """Exclude the collected tests from garbage collections, and make these rarer.

    Garbage collection took a fifteenth of the time of all tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(20_000, 20, 50)


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    """Speak English again after each test."""
    yield
    set_language(SOURCE)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """End the shared browser, which any file may have started, before other files."""
    if pages := sys.modules.get("tests.board.browser"):
        pages.end_after(item, nextitem)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the missing programs, and the recorded games that were not replayed."""
    skipped = [str(test.longrepr) for test in terminalreporter.getreports("skipped")]
    programs = Counter(
        re.findall(rf"(\w+ is {re.escape(requirements.MISSING)}.*?\))", "\n".join(skipped))
    )
    for missing, tests in programs.items():
        terminalreporter.line(f"{tests} tests were left out: {missing}")
    reasons = "\n".join(skipped)
    games = sorted(set(re.findall(re.escape(MISSING) + r"([\w-]+)", reasons)))
    if games:
        line = f"{len(games)} recorded games were not replayed, being {MISSING}{', '.join(games)}"
        terminalreporter.line(line)
