"""The pictures of the README show the current output."""

import re

import pytest

from tests.sample import sample

pytest.importorskip("pexpect")
pytest.importorskip("pyte")

from tests.cli.commands import ROOT
from tests.cli.screenshots import FOLDER, PICTURES, Picture, texts


@pytest.mark.slow
@pytest.mark.parametrize("picture", sample(PICTURES, first=1), ids=lambda picture: picture.name)
def test_pictures_are_current(picture: Picture) -> None:
    # `python -m tests.cli.screenshots` draws them again.
    drawn = (FOLDER / f"{picture.name}.svg").read_text(encoding="utf-8")
    assert texts(drawn)[0] == f"$ {picture.command}"
    assert texts(drawn) == texts(picture.draw())


def test_pictures_refer_to_no_other_resources() -> None:
    for picture in PICTURES:
        drawn = (FOLDER / f"{picture.name}.svg").read_text(encoding="utf-8")
        assert re.findall(r"https?://[^\"]*", drawn) == ["http://www.w3.org/2000/svg"]


def test_pages_show_every_picture() -> None:
    pages = [ROOT / "README.md", ROOT / "docs" / "turns.md"]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    names = re.findall(r"\((?:docs/)?pictures/([^)]*)\.svg\)", text)
    assert sorted(names) == sorted(picture.name for picture in PICTURES)
