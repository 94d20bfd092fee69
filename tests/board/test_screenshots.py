"""The pictures of pages are there, are shown, and weigh what they may."""

import pytest

from tests.board.screenshots import FOLDER, LARGEST, SCREENSHOTS, Screenshot
from tests.cli.using import ROOT
from tests.web.screenshots import PICTURES, file_of


@pytest.mark.parametrize("picture", SCREENSHOTS, ids=lambda picture: picture.name)
def test_a_picture_is_light_and_shown(picture: Screenshot) -> None:
    """Where a page looks otherwise now, `python -m tests.board.screenshots` takes them again."""
    data = picture.file.read_bytes()
    assert (data[:4], data[8:12]) == (b"RIFF", b"WEBP")
    assert len(data) <= LARGEST
    told = [ROOT / "README.md", ROOT / "docs" / "board.md"]
    assert any(f"pictures/{picture.file.name})" in each.read_text("utf-8") for each in told)


def test_no_other_picture_lies_there() -> None:
    files = [*(each.file for each in SCREENSHOTS), *map(file_of, PICTURES)]
    assert sorted(FOLDER.glob("*.webp")) == sorted(files)
