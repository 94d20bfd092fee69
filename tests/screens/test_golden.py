"""Every screen shows its golden text: English by default; others if slow or long."""

from __future__ import annotations

import sys

import pytest

from tests.mail.dovecot import program
from tests.requirements import skip_without
from tests.screens.screens import choose_screens, difference, screens, strays

SOME = choose_screens()
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="paths look otherwise there")


def _is_quick(name: str) -> bool:
    """Return whether a screen is in English and needs no mail server."""
    return name.startswith("en/") and not screens()[name].has_mail_server


@pytest.mark.parametrize(
    "name",
    [
        *(name for name in SOME if _is_quick(name)),
        *(pytest.param(name, marks=pytest.mark.slow) for name in SOME if not _is_quick(name)),
        *(pytest.param(name, marks=pytest.mark.long) for name in screens() if name not in SOME),
    ],
)
def test_screen_shows_its_golden_text(name: str) -> None:
    if screens()[name].has_mail_server and program() is None:
        skip_without("Dovecot", "dovecot-imapd")
    differs = difference(name)
    assert not differs, f"{differs}\n\nIf that is wanted: python -m tests.screens --update {name}"


def test_every_text_belongs_to_a_screen() -> None:
    assert strays() == []
