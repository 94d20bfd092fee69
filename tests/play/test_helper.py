"""The helper process: its results, errors and end."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from threading import Thread
from typing import NoReturn

import pytest

from pbem.play.helper import Helper, HelperEndedError

PATIENCE = 60.0
ORPHAN = """
import os, signal, sys, time
from threading import Thread
from pbem.play.helper import Helper
helper = Helper()
print(helper.call(os.getpid), flush=True)
if "busy" in sys.argv:
    Thread(target=helper.call, args=[time.sleep, 600], daemon=True).start()
    time.sleep(0.5)
os.kill(os.getpid(), signal.SIGKILL)
"""


class UnpicklableError(Exception):
    """An error that can be pickled but not unpickled."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(one + other)


def refuse(word: str) -> None:
    raise ValueError(f"not {word}")


class Unpicklable:
    def __reduce__(self) -> NoReturn:
        raise TypeError("it stays here")


def fail() -> None:
    raise UnpicklableError("hard to ", "read")


@pytest.fixture(scope="module")
def helper() -> Iterator[Helper]:
    helper_process = Helper()
    yield helper_process
    helper_process.stop()


def test_helper_computes_in_one_other_process(helper: Helper) -> None:
    first = helper.call(os.getpid)
    assert first != os.getpid()
    assert helper.call(os.getpid) == first
    with pytest.raises(ValueError, match="not many"):
        helper.call(refuse, "many")
    assert helper.call(int, "7", base=8) == 7


def test_killed_helper_raises_and_starts_again(helper: Helper) -> None:
    first = helper.call(os.getpid)
    with pytest.raises(HelperEndedError) as ended:
        helper.call(os.kill, first, signal.SIGTERM)
    assert not ended.value.is_stopped
    assert helper.call(os.getpid) not in (first, os.getpid())


def test_unpicklable_values_raise(helper: Helper, capfd: pytest.CaptureFixture[str]) -> None:
    pid = helper.call(os.getpid)
    for function, arguments in ((Unpicklable, ()), (repr, (Unpicklable(),))):
        with pytest.raises(TypeError, match="it stays here"):
            helper.call(function, *arguments)
    assert helper.call(os.getpid) == pid
    with pytest.raises(HelperEndedError):
        helper.call(fail)
    assert helper.call(abs, -1) == 1
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another system")
def test_result_of_an_interrupted_call_is_dropped(helper: Helper) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    assert helper.call(abs, -1) == 1
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            helper.call(time.sleep, 0.5)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert helper.call(abs, -7) == 7


def test_stopping_a_helper_ends_a_waiting_call() -> None:
    helper, messages = Helper(), list[str]()
    assert helper.call(abs, -1) == 1

    def wait() -> None:
        try:
            helper.call(time.sleep, 10 * PATIENCE)
        except HelperEndedError as error:
            messages.append(f"stopped: {error.is_stopped}")

    thread = Thread(target=wait)
    thread.start()
    helper.stop()
    thread.join(PATIENCE)
    assert messages == ["stopped: True"]
    with pytest.raises(HelperEndedError):
        helper.call(abs, -1)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another system")
@pytest.mark.parametrize("course", [pytest.param("idle", marks=pytest.mark.long), "busy"])
def test_helper_ends_with_a_killed_program(course: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", ORPHAN, course],
        stdout=subprocess.PIPE,
        timeout=PATIENCE,
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        # After other tests this process may be the parent of orphans.
        with suppress(ChildProcessError):
            os.waitpid(int(ended.stdout), os.WNOHANG)
        try:
            os.kill(int(ended.stdout), 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("it runs on")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another system")
def test_helper_ignores_ctrl_c(helper: Helper) -> None:
    pid = helper.call(os.getpid)
    os.kill(pid, signal.SIGINT)
    assert helper.call(os.getpid) == pid
