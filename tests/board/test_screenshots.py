"""The pictures of pages exist, are used, and are small enough."""

import re

import pytest

from tests.board.screenshots import FOLDER, LARGEST, SCREENSHOTS
from tests.cli.commands import ROOT
from tests.web.screenshots import PICTURES

OF_PAGES, OF_GUIDE = [item.name for item in SCREENSHOTS], [*PICTURES]
SHOWN = {"README.md": OF_PAGES, "docs/board.md": OF_PAGES, "docs/guide.md": OF_GUIDE}


@pytest.mark.parametrize("name", [*OF_PAGES, *OF_GUIDE])
def test_screenshot_is_a_small_webp(name: str) -> None:
    """To take them again, run the modules `screenshots` beside the tests."""
    data = (FOLDER / f"{name}.webp").read_bytes()
    assert (data[:4], data[8:12]) == (b"RIFF", b"WEBP")
    assert len(data) <= LARGEST


def test_every_screenshot_is_used() -> None:
    pictures = dict[str, list[str]]()
    for path, names in SHOWN.items():
        pictures[path] = re.findall(r"pictures/([\w-]+)\.webp\)", (ROOT / path).read_text("utf-8"))
        assert set(pictures[path]) <= {*names}
    assert pictures["docs/guide.md"] == OF_GUIDE
    assert {name for names in pictures.values() for name in names} == {*OF_PAGES, *OF_GUIDE}
    assert {path.stem for path in FOLDER.glob("*.webp")} == {*OF_PAGES, *OF_GUIDE}
