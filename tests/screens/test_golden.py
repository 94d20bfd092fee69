"""Every screen shows its golden text: English by default; others if slow or long."""

from __future__ import annotations

import sys

import pytest

from tests.mail.dovecot import program
from tests.requirements import skip_without
from tests.sample import by_speed
from tests.screens.screens import choose_screens, difference, screens, strays

SOME = choose_screens()
QUICK = {name for name in SOME if name[:3] == "en/" and not screens()[name].has_mail_server}
"""The screens in English that need no mail server."""
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="paths look otherwise there")


@pytest.mark.parametrize("name", by_speed(screens(), QUICK, SOME))
def test_screen_shows_its_golden_text(name: str) -> None:
    if screens()[name].has_mail_server and program() is None:
        skip_without("Dovecot", "dovecot-imapd")
    differs = difference(name)
    assert not differs, f"{differs}\n\nIf that is wanted: python -m tests.screens --update {name}"


def test_every_text_belongs_to_a_screen() -> None:
    assert strays() == []
