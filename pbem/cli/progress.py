"""A sign of life while something takes long, on standard error, and only where somebody looks on.

What is done within a second shows nothing and costs nothing. After that there is a bar, and in
plain mode a sentence now and then. Once it is done, or Ctrl-C is pressed, the bar is gone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Thread
from typing import TypeVar

from engine.message import Message, mark
from pbem.cli import console
from pbem.protocol.match import Passing

MOMENT = 1.0
"""Seconds that nobody minds."""
EVERY = 5.0
"""Seconds between two sentences in plain mode."""
FRAME = 0.1
"""Seconds between two looks of the bar."""
CHECKING = mark("Checking: {done} of {total} records.")
CHECKING_FILES = mark("Checking: {done} of {total} files.")
PONDERING = mark("Looking back: {done} of {total} turns.")
PONDERING_ORDERS = mark("Looking closer: {done} of {total} orders.")
LOOKING = mark("Looking for what you can do.")

ThingT = TypeVar("ThingT")


class Progress:
    """How far something has come, told in a marked message with the numbers {done} and {total}.

    Where several things are passed on, one after the other, each may have a message of its own.
    """

    def __init__(self, sentence: str, *later: str) -> None:
        self.sentence = sentence
        self._sentences = iter((sentence, *later))
        self.done = 0
        self.total: int | None = None

    def passing(self, things: Sequence[ThingT]) -> Iterator[ThingT]:
        """Yield these things, one after the other; each is done when the next is asked for."""
        self.sentence = next(self._sentences, self.sentence)
        self.done, self.total = 0, len(things)
        for thing in things:
            yield thing
            self.done += 1

    def told(self) -> str:
        """Return how far it is, in words."""
        return console.told(Message(self.sentence, done=self.done, total=self.total or 0))


@contextmanager
def progress(*sentences: str) -> Iterator[Progress]:
    """Tell how far it has come, if what is done inside takes long."""
    course = Progress(*sentences)
    if not sys.stderr.isatty():
        yield course
        return
    ended = Event()
    teller = Thread(target=_tell, args=(course, ended), daemon=True)
    teller.start()
    try:
        yield course
    finally:
        ended.set()
        teller.join()


@contextmanager
def checking_records() -> Iterator[Passing]:
    """Tell how far it has come, if the records that are passed on inside take long to check."""
    with progress(CHECKING) as course:
        yield course.passing


def _tell(course: Progress, ended: Event) -> None:
    if ended.wait(MOMENT):
        return
    if console.is_plain():
        console.say_aside(course.told())
        while not ended.wait(EVERY):
            console.say_aside(course.told())
        return
    from rich import progress as bars

    columns = (bars.BarColumn(20), bars.TextColumn("{task.description}", markup=False))
    with bars.Progress(*columns, console=console.progress_console(), transient=True) as bar:
        task = bar.add_task(course.told(), total=course.total)
        while not ended.wait(FRAME):
            bar.update(task, description=course.told(), completed=course.done, total=course.total)
