"""Try mutants in forked processes: `python -m tests.mutation.forked TEST...`.

The tests are collected once. Each line of standard input is JSON with a source `file`, its mutated
`source`, the `tests` to run and the `limit` in seconds. The answer is a line: 1 if a test fails, 0
if none does, `LATE` after the limit, or `FRESH` if the mutant changes more than functions and needs
a new process.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType

import pytest

OPTIONS = ("-xq", "-n0", "-pno:cacheprovider", "-mnot long")
LATE, FRESH = -1, 99
"""Other answers than exit statuses: the limit has passed, or a new process is needed."""


def changed_functions(before: CodeType, after: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Yield pairs of code objects of differing functions, outermost first.

    Raises ValueError if code differs that runs at the import of the module.
    """
    if _own_content(before) != _own_content(after):
        raise ValueError("the module itself differs")
    for old, new in zip(_nested(before), _nested(after), strict=True):
        if old.co_flags & 3 == 3:  # optimized and with new locals: a function, not a class
            if not _is_alike(old, new):
                yield from _pairs(old, new)
        else:
            yield from changed_functions(old, new)


def _pairs(before: CodeType, after: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    yield before, after
    inner = {code.co_qualname: code for code in _nested(after)}
    for code in _nested(before):
        if code.co_qualname in inner:
            yield from _pairs(code, inner[code.co_qualname])


def _nested(code: CodeType) -> list[CodeType]:
    return [value for value in code.co_consts if isinstance(value, CodeType)]


def _own_content(code: CodeType) -> tuple[object, ...]:
    """Return the content of a code object without nested functions."""
    plain = [
        "" if isinstance(value, CodeType) else (type(value), repr(value))
        for value in code.co_consts
    ]
    return code.co_code, code.co_names, code.co_varnames, plain


def _is_alike(before: CodeType, after: CodeType) -> bool:
    nested, others = _nested(before), _nested(after)
    return (
        _own_content(before) == _own_content(after)
        and len(nested) == len(others)
        and all(map(_is_alike, nested, others))
    )


def replace_functions(file: Path, source: str) -> None:
    """Replace the code of all imported functions of a file by that of its mutated source.

    Raises ValueError if more than functions differ.
    """
    name = str(file.resolve())
    now = compile(file.read_text("utf-8"), name, "exec", dont_inherit=True)
    pairs = list(changed_functions(now, compile(source, name, "exec", dont_inherit=True)))
    if not pairs:
        raise ValueError("no function differs")
    gc.unfreeze()
    new = {(old.co_qualname, old.co_firstlineno): code for old, code in pairs}
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and function.__code__.co_filename == name:
            code = function.__code__
            if (replacement := new.get((code.co_qualname, code.co_firstlineno))) is not None:
                function.__code__ = replacement


class Server:
    """A plugin for pytest that answers requests instead of running the tests it has collected."""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Answer requests line by line, on the original standard output."""
        items = {item.nodeid: item for item in session.items}
        print("ready", file=ANSWERS, flush=True)
        for line in sys.stdin:
            request = json.loads(line)
            tests = [items[name] for name in request["tests"] if name in items]
            child = os.fork()
            if not child:
                os.setsid()
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                os._exit(_run(tests, Path(request["file"]), request["source"]))
            print(_wait(child, request["limit"]), file=ANSWERS, flush=True)
        return True


def _run(tests: list[pytest.Item], file: Path, source: str) -> int:
    """Run tests with a mutant up to the first failure, and return 1 after a failure."""
    try:
        replace_functions(file, source)
    except ValueError:
        return FRESH
    for test, following in zip(tests, [*tests[1:], None], strict=True):
        test.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
        if test.session.testsfailed:
            return 1
    return 0


def _wait(child: int, limit: float) -> int:
    """Return the exit status of a child process, or `LATE` after a limit in seconds."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return LATE


if __name__ == "__main__":
    ANSWERS = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.exit(pytest.main([*OPTIONS, "-s", *sys.argv[1:]], plugins=[Server()]))
