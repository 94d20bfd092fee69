"""A first game in Firefox and WebKit: a robot, files out and in, a reload, a second tab."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from pbem.savefile.armour import unarmour
from tests.cli.commands import do
from tests.requirements import skip_without
from tests.site.engines import Engine, firefox, webkit

_STEPS = """
const [...given] = arguments, done = given.pop();
const page = () => document.getElementById("page").contentDocument;
const until = async (find) => {
  for (;;) {
    try {
      const result = find();
      if (result) return result;
    } catch {}
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
const find = (selector, text) => until(() => page().readyState === "complete" &&
  [...page().querySelectorAll(selector)].find((each) =>
    each.checkVisibility() && new RegExp(text).test(each.textContent.trim())));
const pressed = () => new MouseEvent("click", { bubbles: true, cancelable: true });
const click = async (selector, text = "") => (await find(selector, text)).dispatchEvent(pressed());
const see = async (text) => (await find("body", text)) && true;
const fill = async (selector, text) => ((await find(selector, "")).value = text);
const steps = async () => { %s };
steps().then(done, (error) => done({ error: String(error) }));
"""


def walk(engine: Engine, steps: str, *given: object) -> Any:
    """Return the result of steps on the pages of the site, which are in its frame."""
    result = engine.run(_STEPS % steps, *given)
    assert not (isinstance(result, dict) and "error" in result), result
    return result


@pytest.mark.long
@pytest.mark.parametrize(
    ("start", "program", "package"),
    [(firefox, "firefox-esr", "firefox-esr"), (webkit, "WebKitWebDriver", "webkit2gtk-driver")],
    ids=["firefox", "webkit"],
)
def test_a_first_game_in_other_browsers(
    start: Callable[[Path], AbstractContextManager[Engine]],
    program: str,
    package: str,
    site_address: str,
    tmp_path: Path,
) -> None:
    if shutil.which(program) is None:
        skip_without(program, package)
    profile = tmp_path / "profile"
    profile.mkdir()
    with start(profile) as engine:
        # The first visit.
        engine.open(site_address)
        walk(
            engine,
            """
            await fill("#name", "Anna");
            await click("button.main", "Begin");
        """,
        )
        # A turn against the robot, and its answer.
        walk(
            engine,
            """
            await click("a", "^Play against the robot");
            await click("button", "^Begin the game");
            await click("button", "^Take$");
            await click(".own-hand .lit");
            await click("#yes", "money with");
            await click("button", "^End the turn and sign");
            return see("Turn 3:");
        """,
        )
        # A file out: an invitation, after the recovery text is on paper.
        invitation = walk(
            engine,
            """
            await click("nav a", "^Settings");
            await click("a", "^Recovery text");
            await click("button", "^I have it on paper");
            await click("nav a", "^Your games");
            await click("a", "^Invite a friend");
            await click("form.new-game button.main");
            const link = await find("a[href$='/text']", "");
            page().location.href = link.href;
            return (await find("pre", "END ACRES FILE")).textContent;
        """,
        )
        (tmp_path / "new.toml").write_bytes(unarmour(invitation.encode()))
        do("init", "--name", "Béla", home=tmp_path / "bela")
        do(
            "join",
            tmp_path / "new.toml",
            "--output",
            tmp_path / "joined.toml",
            home=tmp_path / "bela",
        )
        # A file in: the answer.
        walk(
            engine,
            """
            page().location.href = given[1];
            const field = await until(() => page().querySelector("#file"));
            await see("Your games");
            const files = new DataTransfer();
            files.items.add(new File([given[0]], "joined.toml"));
            field.files = files.files;
            field.dispatchEvent(new Event("change", { bubbles: true }));
            return see("Béla");
        """,
            (tmp_path / "joined.toml").read_text(encoding="utf-8"),
            site_address,
        )
        # Another visit, and a second tab, have the same player and games.
        engine.open(site_address)
        walk(engine, 'return see("Béla");')
        engine.open_tab()
        engine.open(f"{site_address}settings")
        assert walk(engine, 'return (await find("#name", "")).value;') == "Anna"
