"""A first game with the robot, reloads, several tabs, and storage that is full."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.site.visiting import IDENTITY, LONG, PRACTICE, Visit


@pytest.mark.slow
def test_robot_answers_and_a_second_tab_follows_and_takes_over(
    browser: Browser, site_address: str
) -> None:
    with browser.new_context(locale="en") as context:
        first = Visit(context, site_address).open()
        first.begin()
        first.frame.get_by_role("link", name="Play against the robot").click()
        first.frame.get_by_role("button", name="Begin the game").click()
        first.page.wait_for_url("**/games/*")
        second = Visit(context, site_address).open(first.path)
        first.take_money()
        # Nothing is told in another tab before it is stored.
        expect(second.frame.get_by_role("button", name="End the turn and sign")).to_be_visible()
        first.frame.get_by_role("button", name="End the turn and sign").click()
        for visit in (first, second):
            expect(visit.frame.get_by_text("Turn 3:")).to_be_visible(timeout=LONG)
        first.page.close()
        # The second tab works now: its page goes on, and a reload shows the same game.
        second.frame.get_by_role("button", name="Pass", exact=True).click()
        expect(second.frame.locator("#gone")).to_be_hidden()
        second.page.reload()
        expect(second.frame.get_by_text("Turn 3:")).to_be_visible(timeout=LONG)


@pytest.mark.slow
def test_a_tab_that_sleeps_gives_way_and_writes_nothing(
    browser: Browser, site_address: str
) -> None:
    with browser.new_context(locale="en") as context:
        sleeping = Visit(context, site_address).open()
        sleeping.begin("Anna")
        session = context.new_cdp_session(sleeping.page)
        session.send("Page.setWebLifecycleState", {"state": "frozen"})
        awake = Visit(context, site_address).open("settings")
        awake.frame.get_by_label("Your name").fill("Béla")
        awake.frame.get_by_role("button", name="Save", exact=True).click()
        expect(awake.frame.locator("#said")).to_contain_text("saved", timeout=LONG)
        session.send("Page.setWebLifecycleState", {"state": "active"})
        sleeping.open("settings")
        expect(sleeping.frame.get_by_label("Your name")).to_have_value("Béla")


SEND = """
async () => {
  const address = location.href, body = new Uint8Array();
  const version = (await fetch("SHA256SUMS")).headers.get("Acres-Version");
  const channel = new BroadcastChannel(`acres ${address}`), answered = [];
  const requests = [["a", "another"], ["b", version], ["b", version], ["c", version]];
  const last = new Promise((resolve) => (channel.onmessage = ({ data: { answer } }) => {
    if (answer) answered.push(answer.id);
    if (answer?.id === "c") resolve();
  }));
  const usual = { method: "GET", url: address, headers: [], body };
  for (const [id, version] of requests) channel.postMessage({ request: { id, version, ...usual } });
  await last;
  return answered;
}
"""
"""Sends requests as the service worker does, and returns the ids of those that were answered."""


@pytest.mark.slow
def test_a_request_is_answered_once_and_by_its_own_version(
    browser: Browser, site_address: str
) -> None:
    with browser.new_context(locale="en") as context:
        visit = Visit(context, site_address).open()
        visit.page.evaluate("(path) => history.replaceState(null, '', path)", site_address)
        assert visit.page.evaluate(SEND) == ["b", "c"]


BREAK = """
async () => {
  const broken = "export const startPython = async () => { throw new RangeError('memory'); };";
  const headers = { "Content-Type": "text/javascript" };
  const key = (await caches.keys()).find((name) => name.startsWith(`acres ${location.href}`));
  const cache = await caches.open(key);
  await cache.put("app/python.js", new Response(broken, { headers }));
}
"""
"""Makes the next start of Python fail, as on a device with little memory."""


@pytest.mark.slow
def test_second_worker_that_does_not_start_is_told(browser: Browser, site_address: str) -> None:
    with browser.new_context(locale="en") as context:
        visit = Visit(context, site_address).open()
        visit.page.evaluate("(path) => history.replaceState(null, '', path)", site_address)
        visit.page.evaluate(BREAK)
        visit.begin()
        visit.frame.get_by_role("link", name="Play against the robot").click()
        visit.frame.locator('[name=strength][value="2"]').check()
        visit.frame.get_by_role("button", name="Begin the game").click()
        visit.page.wait_for_url("**/games/*")
        # The page of the game may be too late for this news; the list of games shows it, too.
        visit.frame.get_by_role("link", name="Your games").click()
        expect(visit.frame.locator("body")).to_contain_text("should not have")


@pytest.mark.slow
def test_idle_worker_makes_room_for_an_analysis(browser: Browser, site_address: str) -> None:
    with browser.new_context(locale="en") as context:
        visit = Visit(context, site_address)
        visit.put_home({"identity.toml": IDENTITY})
        visit.open().upload(PRACTICE / "game-130.toml")
        # One worker has drawn all turns.
        expect(visit.frame.locator("#time:not([inert])")).to_be_visible(timeout=LONG)
        visit.frame.locator("#look-back").click()
        expect(visit.frame.locator("#look-back-bar[value]")).to_be_visible(timeout=LONG)
        urls = [worker.url.rpartition("/")[2] for worker in visit.page.workers]
        assert sorted(urls) == ["robot-worker.js", "worker.js"]


REFUSED = "ServiceWorkerContainer.prototype.register = async () => { throw new %s; };"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "advice"),
    [
        (REFUSED % "DOMException('', 'SecurityError')", "outside private windows"),
        (REFUSED % "TypeError('No network')", "No network. Reload"),
        (
            "Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: null })",
            "with https://",
        ),
    ],
)
def test_browser_that_keeps_nothing_is_told_what_to_do(
    browser: Browser, site_address: str, script: str, advice: str
) -> None:
    with browser.new_context(locale="en") as context:
        context.add_init_script(script)
        page = context.new_page()
        page.goto(site_address)
        expect(page.locator("#state")).to_contain_text(advice)


FULL = """
() => {
  const error = new DOMException("", "QuotaExceededError");
  Object.defineProperty(IDBTransaction.prototype, "error", { get: () => error });
  IDBObjectStore.prototype.put = function () {
    this.transaction.abort();
  };
}
"""
"""Refuses to store anything, as a browser does that has no room."""


@pytest.mark.slow
def test_full_storage_is_told_and_nothing_counts_as_saved(
    browser: Browser, site_address: str
) -> None:
    with browser.new_context(locale="en") as context:
        visit = Visit(context, site_address).open()
        visit.worker.evaluate(FULL)
        visit.frame.get_by_label("Your name").fill("Anna")
        visit.frame.get_by_role("button", name="Begin").click()
        expect(visit.page.locator("#state")).to_contain_text("not saved", timeout=LONG)
        visit.open()
        expect(visit.frame.get_by_label("Your name")).to_be_visible(timeout=LONG)
