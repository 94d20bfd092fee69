"""Every screen shows its golden text: in two languages by default, in all with `-m long`."""

from __future__ import annotations

import sys

import pytest

from tests.mail.dovecot import program
from tests.requirements import skip_without
from tests.screens.screens import default_screens, difference, screens, strays

USUAL = default_screens()
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="paths look otherwise there")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in USUAL else pytest.mark.long) for name in screens()],
)
def test_screen_shows_its_golden_text(name: str) -> None:
    if screens()[name].has_mail_server and program() is None:
        skip_without("Dovecot", "dovecot-imapd")
    differs = difference(name)
    assert not differs, f"{differs}\n\nIf that is wanted: python -m tests.screens --update {name}"


def test_every_text_belongs_to_a_screen() -> None:
    assert strays() == []
