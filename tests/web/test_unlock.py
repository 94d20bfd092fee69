"""A sealed identity: the page asks for its passphrase, and keeps it nowhere."""

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


@pytest.mark.parametrize("then", ["//evil.example", "https://evil.example", "/\\evil.example"])
def test_it_leads_to_no_other_site(sealed: Serving, then: str) -> None:
    page = sealed.browser().ask(f"/unlock?then={then}")
    assert 'data-then="/"' in page.text and "evil" not in page.text


@pytest.mark.parametrize("page", ["/games/0a", "/"])
def test_script_leads_back_to_the_page_on_which_it_runs(sealed: Serving, page: str) -> None:
    browser = sealed.browser()
    options = {"side": "british", "edition": "second", "lists": "1"}
    refused = browser.post("/new/friend", options, acres_page=page)
    assert (refused.status, refused.data["go"]) == (401, f"/unlock?then={page}")
    assert browser.post("/new/friend", options).data["go"] == "/unlock?then=/"


def test_only_the_right_passphrase_opens(sealed: Serving) -> None:
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
