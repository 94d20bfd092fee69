"""The pictures of pages are there, are shown, and weigh what they may."""

import re

import pytest

from tests.board.screenshots import FOLDER, LARGEST, SCREENSHOTS
from tests.cli.using import ROOT
from tests.web.screenshots import PICTURES

OF_PAGES, OF_GUIDE = [each.name for each in SCREENSHOTS], [*PICTURES]
SHOWN = {"README.md": OF_PAGES, "docs/board.md": OF_PAGES, "docs/guide.md": OF_GUIDE}


@pytest.mark.parametrize("name", [*OF_PAGES, *OF_GUIDE])
def test_a_picture_is_light(name: str) -> None:
    """Where a page looks otherwise now, the `screenshots` beside its tests are taken again."""
    data = (FOLDER / f"{name}.webp").read_bytes()
    assert (data[:4], data[8:12]) == (b"RIFF", b"WEBP")
    assert len(data) <= LARGEST


def test_each_picture_is_shown_and_no_other_lies_there() -> None:
    shown = dict[str, list[str]]()
    for path, names in SHOWN.items():
        shown[path] = re.findall(r"pictures/([\w-]+)\.webp\)", (ROOT / path).read_text("utf-8"))
        assert set(shown[path]) <= {*names}
    assert shown["docs/guide.md"] == OF_GUIDE
    assert {name for names in shown.values() for name in names} == {*OF_PAGES, *OF_GUIDE}
    assert {path.stem for path in FOLDER.glob("*.webp")} == {*OF_PAGES, *OF_GUIDE}
