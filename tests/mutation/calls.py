"""Record which tests execute which lines: `python -m tests.mutation.calls ROOM FILE TEST...`.

It runs the tests once and writes JSON to FILE: `seconds` by test, and `lines`, which has the tests
that execute each line of each source file in the room. Failing tests are omitted; the empty name is
for code before the first test.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest
from coverage import Coverage


class Recorder:
    """A plugin for pytest that records lines by test with coverage."""

    def __init__(self, room: str) -> None:
        self.coverage = Coverage(data_file=None, config_file=False, include=[room, f"{room}/*"])
        self.seconds: dict[str, float] = defaultdict(float)
        self.failed: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Record the lines of a test, its fixtures and their teardown under its name."""
        self.coverage.switch_context(item.nodeid)
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the duration of a test, and its failure."""
        self.seconds[report.nodeid] += report.duration
        if not report.passed:
            self.failed.add(report.nodeid)

    def lines(self) -> dict[str, dict[int, list[str]]]:
        """Return the passing tests by source file and line."""
        data = self.coverage.get_data()
        return {
            str(Path(file).relative_to(Path.cwd())): {
                line: [test for test in tests if test not in self.failed]
                for line, tests in data.contexts_by_lineno(file).items()
            }
            for file in data.measured_files()
        }


def main(room: str, file: str, *tests: str) -> None:
    """Run the tests and write the file."""
    recorder = Recorder(room)
    recorder.coverage.start()
    pytest.main(["-n0", "-pno:cacheprovider", "-mnot long", *tests], plugins=[recorder])
    recorder.coverage.stop()
    Path(file).write_text(json.dumps({"seconds": recorder.seconds, "lines": recorder.lines()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
