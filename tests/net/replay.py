"""Replaying scripts, and choosing the scripts for test runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from itertools import chain, islice, zip_longest
from typing import TypeVar

from pbem.text.compiling import compile_catalogues
from tests.net.recordings import allowed, differences, recordings
from tests.net.scripts import scripts
from tests.net.world import Recording, record_script

T = TypeVar("T")


def replay_script(name: str) -> str:
    """Replay a script, and return its diff from the recording."""
    script = scripts().get(name)
    if script is None:
        return f"There is no script called {name}."
    return differences(name, recordings().get(name, {}), record_script(script))


def map_in_processes(do: Callable[[str], T], names: Iterable[str]) -> Iterator[T]:
    """Apply a function to each of these scripts, with one process for each processor."""
    compile_catalogues()
    with ProcessPoolExecutor() as processes:
        yield from processes.map(do, names)


def record_by_name(name: str) -> Recording:
    """Run a script, and return its recording."""
    return record_script(scripts()[name])


def check_names() -> Iterator[str]:
    """Yield errors in the names of scripts, recordings and allowed differences."""
    for name in scripts().keys() - recordings().keys():
        yield f"{name} is not recorded: python -m tests.net.record {name}"
    for name in recordings().keys() - scripts().keys():
        yield f"There is a recording of {name}, and no such script."
    for entry in allowed():
        if entry.script not in scripts():
            yield f"allowed.toml: there is no script called {entry.script}."


def choose_scripts(number: int) -> set[str]:
    """Return the names of a number of scripts, evenly from all subjects."""
    by_subject: dict[str, list[str]] = {}
    for name in sorted(scripts(), key=lambda name: sha256(name.encode()).digest()):
        if not scripts()[name].long:
            by_subject.setdefault(scripts()[name].subject, []).append(name)
    in_turn = chain.from_iterable(zip_longest(*by_subject.values()))
    return {*islice(filter(None, in_turn), number)}
