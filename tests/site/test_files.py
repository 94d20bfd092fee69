"""The files of the site in a browser: offline, updated with consent, and from nowhere else."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, expect

from pbem.web.site.build import SUMS, open_server, seal, site_hash
from tests.cli.commands import do
from tests.site.visiting import LONG

REFUSAL = re.compile("^.*(?:Refused to|violates the following Content Security Policy).*$", re.M)


@contextmanager
def serving(folder: Path, port: int = 0) -> Iterator[int]:
    """Serve a folder in the block, and yield the port."""
    with open_server(folder, port) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


class _Recorder(BaseHTTPRequestHandler):
    """A proxy that lists the requests to other origins, and answers none."""

    requests: list[str]

    def __getattr__(self, name: str) -> object:
        if name.startswith("do_"):
            return lambda: self.requests.append(f"{self.command} {self.path}")
        raise AttributeError(name)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Return the browser of somebody who has visited nothing.

    Fails if it requests anything from another origin, or if a script fails or is refused.
    """
    _Recorder.requests, errors = [], list[str]()
    with ThreadingHTTPServer(("127.0.0.1", 0), _Recorder) as proxy:
        Thread(target=proxy.serve_forever, daemon=True).start()
        server = {"server": f"http://127.0.0.1:{proxy.server_port}", "bypass": "127.0.0.1"}
        with browser.new_context(locale="en-GB", proxy=server) as context:  # type: ignore[arg-type]
            context.set_default_timeout(LONG)
            context.on("weberror", lambda error: errors.append(str(error.error)))
            context.on("console", lambda m: errors.extend(REFUSAL.findall(m.text)))
            yield context
        proxy.shutdown()
    assert (_Recorder.requests, errors) == ([], [])


def open_site(context: BrowserContext, address: str) -> tuple[Page, FrameLocator]:
    """Open the site in a new tab, wait for its first page, and return the tab and the page."""
    page = context.new_page()
    page.goto(address)
    frame = page.frame_locator("#page")
    expect(frame.locator("main")).to_be_visible(timeout=LONG)
    return page, frame


def become_a_player(frame: FrameLocator) -> None:
    """Make an identity on the first page."""
    frame.get_by_label("Your name").fill("Anna")
    frame.locator("button.main").click()
    expect(frame.locator("#games")).to_be_attached(timeout=LONG)


def check_with_axe(page: Page) -> None:
    """Fail if axe-core finds a fault in the shell or in the page in it."""
    # First in the frame, and then in all, which finds the other one.
    for each in (*page.frames[1:], page):
        found = Axe().run(each)
        assert found.violations_count == 0, found.generate_report()


def value_of(page: Page, name: str) -> Any:
    """Return a global value of the shell, as soon as a script has set it."""
    # A policy of the shell forbids the functions that Playwright waits for.
    wait = """async (name) => {
        while (!window[name]) await new Promise((resolve) => setTimeout(resolve, 50));
        return typeof window[name] === "function" || window[name];
    }"""
    return page.evaluate(wait, name)


def change(folder: Path, version: str) -> str:
    """Write another version of the site over one, and return its hash."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    files["app/shell.css"] += f"/* {version} */".encode()
    for name, data in seal(files, version).items():
        (folder / name).write_bytes(data)
    return site_hash(folder)


@pytest.mark.slow
def test_the_site_needs_no_network_after_the_first_visit(
    context: BrowserContext, site_folder: Path
) -> None:
    with serving(site_folder) as port:
        page, frame = open_site(context, f"http://127.0.0.1:{port}/")
        assert page.evaluate("document.cookie") == ""
        check_with_axe(page)
        page.close()
    # The server has ended.
    _, frame = open_site(context, f"http://127.0.0.1:{port}/")
    become_a_player(frame)
    frame.get_by_role("link", name="Rules").click()
    expect(frame.get_by_role("heading", name="Rules", exact=True)).to_be_visible()


@pytest.mark.slow
def test_a_first_visit_that_fails_is_told_and_can_be_repeated(
    context: BrowserContext, site_folder: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(site_folder, tmp_path / "public")
    missing = folder / "app" / "launch.js"
    data = missing.read_bytes()
    missing.unlink()
    with serving(folder) as port:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{port}/")
        expect(page.locator("#state")).to_contain_text("cannot go on", timeout=LONG)
        missing.write_bytes(data)
        page.reload()
        expect(page.frame_locator("#page").locator("main")).to_be_visible(timeout=LONG)


@pytest.mark.slow
def test_another_version_waits_for_the_player(
    context: BrowserContext, site_folder: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(site_folder, tmp_path / "public")
    old_hash = site_hash(folder)
    with serving(folder) as port:
        page, frame = open_site(context, f"http://127.0.0.1:{port}/")
        become_a_player(frame)
        new_hash = change(folder, "99.0")
        frame.get_by_role("link", name="Settings").click()
        expect(frame.locator("#version")).to_contain_text(old_hash)
        page.evaluate("navigator.serviceWorker.getRegistration().then((site) => site.update())")
        expect(frame.locator("#update")).to_contain_text(f"99.0. Its hash is {new_hash}")
        check_with_axe(page)
        # The old version goes on, also after a reload and in another tab, until the player agrees.
        page.reload()
        expect(frame.locator("#version")).to_contain_text(old_hash)
        # It does so even if all pages are closed, and a browser would begin with another one.
        page.close()
        page, frame = open_site(context, f"http://127.0.0.1:{port}/settings")
        expect(frame.locator("#version")).to_contain_text(old_hash)
        expect(frame.locator("#update")).to_contain_text(f"99.0. Its hash is {new_hash}")
        other, other_frame = open_site(context, f"http://127.0.0.1:{port}/settings")
        expect(other_frame.locator("#version")).to_contain_text(old_hash)
        frame.get_by_role("button", name="Use the new version").click()
        for each in (frame, other_frame):
            expect(each.locator("#version")).to_contain_text(new_hash)
            expect(each.locator("#version")).to_contain_text("version 99.0")
            expect(each.locator("#update")).to_be_hidden()
        assert "99.0" in other.evaluate("fetch('app/shell.css').then((found) => found.text())")
        kept = [key for key in page.evaluate("caches.keys()") if key.startswith("acres http")]
        assert len(kept) == 1, "the old files are gone"
        # The player is still there.
        frame.get_by_role("link", name="Your games").click()
        expect(frame.locator("#games")).to_be_attached()


@pytest.mark.long
def test_a_half_changed_site_is_not_kept(
    context: BrowserContext, site_folder: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(site_folder, tmp_path / "public")
    old_hash = site_hash(folder)
    with serving(folder) as port:
        page, frame = open_site(context, f"http://127.0.0.1:{port}/")
        become_a_player(frame)
        old_sums = (folder / SUMS).read_bytes()
        change(folder, "99.0")
        update = "navigator.serviceWorker.getRegistration().then((site) => site.update())"
        failed = f"{update}.then((site) => new Promise((resolve) => site.installing"
        failed += ".addEventListener('statechange', ({ target }) => resolve(target.state))))"
        sums = (folder / SUMS).read_bytes()
        (folder / SUMS).write_bytes(old_sums)
        assert page.evaluate(failed) == "redundant"
        frame.get_by_role("link", name="Settings").click()
        expect(frame.locator("#version")).to_contain_text(old_hash)
        expect(frame.locator("#update")).to_be_hidden()
        (folder / SUMS).write_bytes(sums)
        (folder / "app/shell.css").write_bytes(b"changed on the way")
        assert page.evaluate(failed) == "redundant"
        installing = (
            "navigator.serviceWorker.getRegistration().then((site) => new Promise((resolve) => "
        )
        installing += "site.addEventListener('updatefound', () => site.installing.addEventListener("
        installing += "'statechange', ({ target }) => resolve(target.state)))))"
        page.evaluate(f"globalThis.ended = {installing}")
        frame.get_by_role("button", name="Use the new version").click()
        assert page.evaluate("ended") == "redundant"
        page.reload()
        expect(frame.locator("#version")).to_contain_text(old_hash)


def invitation_of_bela(folder: Path) -> str:
    """Return the text of an invitation by Béla, whose home is in a folder."""
    home, path = folder / "bela", folder / "new.toml"
    do("init", "--name", "Béla", home=home)
    do("new", "--side", "french", "--lists", 1, "--output", path, home=home)
    return path.read_text(encoding="utf-8")


@pytest.mark.long
def test_a_shared_file_waits_for_an_identity(
    context: BrowserContext, site_address: str, tmp_path: Path
) -> None:
    text = invitation_of_bela(tmp_path)
    page, _ = open_site(context, site_address)
    # As a browser does when the system shares a file with an installed site.
    share = """(text) => {
        const form = new FormData();
        form.append("file", new File([text], "new.toml"));
        return fetch("share", { method: "POST", body: form }).then((response) => response.url);
    }"""
    page.evaluate(share, text)
    _, frame = open_site(context, site_address)
    frame.get_by_label("Your name").fill("Anna")
    frame.locator("button.main").click()
    expect(frame.locator("main")).to_contain_text("Béla")
    # Another one is taken at once.
    page.evaluate(share, "no game")
    _, frame = open_site(context, site_address)
    expect(frame.locator("#said")).to_contain_text("new.toml")
    assert page.evaluate("caches.open('acres-shared ' + location.href).then((c) => c.keys())") == []


@pytest.mark.long
def test_files_that_the_system_opens_are_taken(
    context: BrowserContext, site_address: str, tmp_path: Path
) -> None:
    text = invitation_of_bela(tmp_path)
    page, frame = open_site(context, site_address)
    become_a_player(frame)
    context.add_init_script("""
        const handle = (text, name) => ({ getFile: async () => new File([text], name) });
        const setConsumer = (consume) => (window.launch = (...texts) =>
            consume({ files: texts.map((text, number) => handle(text, `${number}.toml`)) }));
        Object.defineProperty(window, "launchQueue", { value: { setConsumer } });
    """)
    page.reload()
    expect(frame.locator("#games")).to_be_attached(timeout=LONG)
    assert value_of(page, "launch")
    page.evaluate("(text) => launch('no game', text)", text)
    expect(frame.locator("main")).to_contain_text("Béla")


@pytest.mark.long
def test_a_file_leaves_by_the_sheet_of_the_system_or_by_mail(
    context: BrowserContext, site_address: str
) -> None:
    context.add_init_script("""
        navigator.canShare = ({ files }) => files[0].name.endsWith(".txt");
        navigator.share = async ({ files: [file], title }) =>
            (top.shared = { text: await file.text(), title });
        window.open = (address, target) => (top.mailed = [address, target]);
    """)
    page, frame = open_site(context, site_address)
    become_a_player(frame)
    frame.get_by_role("link", name="Invite a friend").click()
    frame.locator("form.new-game button.main").click()
    # No file leaves before the identity is saved.
    frame.get_by_role("link", name="Save my identity").click()
    frame.get_by_role("link", name="Recovery text").click()
    frame.get_by_role("button", name="I have it on paper").click()
    frame.get_by_role("link", name="Your games").click()
    frame.locator("#games li a").first.click()
    expect(frame.get_by_role("button", name="Send the file")).to_be_visible()
    check_with_axe(page)
    frame.get_by_role("button", name="Send the file").click()
    shared = value_of(page, "shared")
    assert "BEGIN ACRES FILE" in shared["text"] and "invitation by Anna" in shared["title"]
    frame.get_by_role("button", name="Write the message").click()
    address, target = value_of(page, "mailed")
    assert address.startswith("mailto:?subject=A%20Few%20Acres") and target == "_top"
    assert "acres%20join" in address
