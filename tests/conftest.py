"""What holds for all tests."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from pbem.cli.console import speak
from pbem.words.compiling import compile_catalogues
from pbem.words.language import SOURCE

# Machines are shared, and how long something takes is for benchmarks.
settings.register_profile("acres", deadline=None)
settings.load_profile("acres")


def pytest_configure(config) -> None:
    """Compile catalogues that were changed; tests are in English, where they say nothing else."""
    if not hasattr(config, "workerinput"):
        compile_catalogues()
    os.environ["ACRES_LANG"] = "en"


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    """Whatever a test speaks, the next one begins in English."""
    yield
    speak(SOURCE)
