"""Every script does the same as recorded: 8 by default, 60 with `-m slow`, all with `-m long`."""

from __future__ import annotations

import sys

import pytest

from tests.mail.dovecot import program
from tests.net.record import record
from tests.net.recordings import ALLOWED, allowed
from tests.net.replay import check_names, choose_scripts, replay_script
from tests.net.scripts import scripts
from tests.requirements import skip_without
from tests.sample import by_speed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="paths look otherwise there")


@pytest.mark.parametrize("name", by_speed(sorted(scripts()), choose_scripts(8), choose_scripts(60)))
def test_script_matches_its_recording(name: str) -> None:
    if scripts()[name].has_mail_server and program() is None:
        skip_without("Dovecot", "dovecot-imapd")
    difference = replay_script(name)
    assert not difference, difference


def test_scripts_and_recordings_have_the_same_names() -> None:
    assert [*check_names()] == []
    assert sum(not script.is_of_pages for script in scripts().values()) >= 300
    assert sum(script.is_of_pages for script in scripts().values()) >= 60


def test_every_allowed_difference_is_one_line_and_has_a_reason() -> None:
    for entry in allowed():
        assert entry.line[:1] in ("+", "-") and "\n" not in entry.line, entry
        assert entry.reason, entry
    assert ALLOWED.exists()


def test_scripts_are_recorded_by_name_and_never_all_at_once() -> None:
    assert "no script called nonsense" in record(["nonsense"])
    assert "Name the scripts" in record([])
    assert "Name the scripts" in record(list(scripts()))
