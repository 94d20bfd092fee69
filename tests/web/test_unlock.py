"""The page that asks for the passphrase of a sealed identity."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.play import keyfile
from pbem.play.keyfile import Cost
from tests.cli.commands import do
from tests.web.serving import Serving, serving

PASSPHRASE = "four words in a row"


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    home = tmp_path_factory.mktemp("sealed") / "home"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keyfile, "DEFAULT_COST", Cost(2**14, 1, 1))
        patch.setenv("ACRES_PASSPHRASE", PASSPHRASE)
        do("init", "--name", "Anna", "--passphrase", home=home)
    with serving(home) as started:
        yield started


@pytest.mark.parametrize("target", ["//evil.example", "https://evil.example", "/\\evil.example"])
def test_unlocking_redirects_to_no_other_site(sealed: Serving, target: str) -> None:
    page = sealed.browser().ask(f"/unlock?then={target}")
    assert 'data-then="/"' in page.text and "evil" not in page.text


@pytest.mark.parametrize("page", ["/games/0a", "/"])
def test_locked_script_returns_to_its_page(sealed: Serving, page: str) -> None:
    browser = sealed.browser()
    options = {"side": "british", "edition": "second", "lists": "1"}
    response = browser.post("/new/friend", options, acres_page=page)
    assert (response.status, response.data["go"]) == (401, f"/unlock?then={page}")
    assert browser.post("/new/friend", options).data["go"] == "/unlock?then=/"


def test_only_the_right_passphrase_unlocks(sealed: Serving) -> None:
    browser, service = sealed.browser(), sealed.pages.service
    for wrong in ("", "five words in a row", PASSPHRASE + " "):
        answer = browser.post("/unlock", {"passphrase": wrong})
        assert answer.status == 403
        assert "not the passphrase" in answer.data["said"]
        assert not wrong or wrong not in answer.text
    for nonsense in ({}, {"passphrase": 3}, ["passphrase"]):
        assert browser.post("/unlock", nonsense).status == 409
    assert browser.post("/unlock", {"passphrase": PASSPHRASE}).status == 200
    assert service.identity().name == "Anna"
    assert browser.ask("/unlock").headers["location"] == "/"
    assert PASSPHRASE not in repr(vars(service))
