"""The pictures of pages exist, are used, and are small enough."""

import re

import pytest

from tests.board.screenshots import FOLDER, MAX_BYTES, SCREENSHOTS
from tests.cli.commands import ROOT
from tests.site import screenshots as phone
from tests.web.screenshots import PICTURES

PAGE_PICTURES = [item.name for item in SCREENSHOTS]
GUIDE_PICTURES = [*phone.PICTURES, *PICTURES]
USED_PICTURES = {
    "README.md": PAGE_PICTURES,
    "docs/board.md": PAGE_PICTURES,
    "docs/guide.md": GUIDE_PICTURES,
}


@pytest.mark.parametrize("name", [*PAGE_PICTURES, *GUIDE_PICTURES])
def test_screenshot_is_a_small_webp(name: str) -> None:
    """Run the modules `screenshots` next to the tests to take the pictures again."""
    data = (FOLDER / f"{name}.webp").read_bytes()
    assert (data[:4], data[8:12]) == (b"RIFF", b"WEBP")
    assert len(data) <= MAX_BYTES


def test_every_screenshot_is_used() -> None:
    pictures = dict[str, list[str]]()
    for path, names in USED_PICTURES.items():
        pictures[path] = re.findall(r"pictures/([\w-]+)\.webp\)", (ROOT / path).read_text("utf-8"))
        assert set(pictures[path]) <= {*names}
    assert pictures["docs/guide.md"] == GUIDE_PICTURES
    assert {name for names in pictures.values() for name in names} == {
        *PAGE_PICTURES,
        *GUIDE_PICTURES,
    }
    assert {path.stem for path in FOLDER.glob("*.webp")} == {*PAGE_PICTURES, *GUIDE_PICTURES}
