"""The pictures of the guide are there, are shown in it, and weigh what they may."""

from __future__ import annotations

import re

import pytest

from tests.board.screenshots import LARGEST
from tests.cli.using import ROOT
from tests.web.screenshots import PICTURES, file_of

GUIDE = (ROOT / "docs" / "guide.md").read_text("utf-8")


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_webp_and_small(name: str) -> None:
    data = file_of(name).read_bytes()
    assert data[:4] == b"RIFF"
    assert data[8:12] == b"WEBP"
    assert len(data) <= LARGEST


def test_the_guide_shows_just_these() -> None:
    assert re.findall(r"\(pictures/([\w-]+)\.webp\)", GUIDE) == [*PICTURES]
