"""What holds for all tests."""

import os
import re
import sys
from collections.abc import Generator, Iterator

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

from pbem.cli.console import speak
from pbem.words.compiling import compile_catalogues
from pbem.words.language import SOURCE
from tests.engine.recorded import MISSING

# Each worker reads every test and every module, which without bytecode is most of its start.
sys.dont_write_bytecode = False

# Machines are shared, and how long something takes is for benchmarks.
settings.register_profile("acres", deadline=None)
settings.load_profile("acres")


def pytest_configure(config: pytest.Config) -> None:
    """Compile catalogues that were changed; tests are in English, where they say nothing else."""
    if not hasattr(config, "workerinput"):
        compile_catalogues()
    os.environ["ACRES_LANG"] = "en"


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Examples stand in what is tested: those who read every test for them find none."""
    found = yield
    return [each for each in found if not isinstance(each, DoctestModule)]


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    """Whatever a test speaks, the next one begins in English."""
    yield
    speak(SOURCE)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which real games were not replayed."""
    reasons = "\n".join(str(test.longrepr) for test in terminalreporter.getreports("skipped"))
    games = sorted(set(re.findall(re.escape(MISSING) + r"([\w-]+)", reasons)))
    if games:
        line = f"{len(games)} recorded games were not replayed, being {MISSING}{', '.join(games)}"
        terminalreporter.line(line)
