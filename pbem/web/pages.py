"""Shared parts of all pages: filling templates, reading requests, responses to scripts.

A response to a script is `{"parts": {element id: html}, "said": sentence for screen readers, …}`.
An error has a status of 4xx and `said`; if another page is needed first, `go` is its address.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from engine.message import Message, Phrase, TranslatableError
from pbem.board.templates import Templates
from pbem.errors import InputError, UsageError
from pbem.play.config import CHOICES, SITE, Config
from pbem.play.robot import note_robot_file
from pbem.text.language import Language
from pbem.web.active_game import ActiveGame
from pbem.web.game_service import GameService
from pbem.web.host import Host

# --- responses to scripts


MAX_JSON_BYTES = 256 * 1024
"""The maximum length of a JSON body in bytes; pages send a few words, or notes."""


async def read_json(request: Request, *names: str) -> dict[str, Any]:
    """Return the JSON object that a page sent. Raises UsageError if a name is missing."""
    data = await request.body()
    try:
        content = json.loads(data) if len(data) <= MAX_JSON_BYTES else None
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or any(name not in content for name in names):
        raise malformed_request()
    return content


async def read_texts(request: Request, *names: str) -> list[str]:
    """Return the strings that a page sent under `names`. Raises UsageError."""
    content = await read_json(request, *names)
    texts = [content[name] for name in names]
    if not all(isinstance(text, str) for text in texts):
        raise malformed_request()
    return texts


def malformed_request() -> UsageError:
    """Return the error for a request that no page of this program sends."""
    return UsageError("The page sent something that makes no sense here: reload it.")


def make_response(
    language: Language,
    parts: Mapping[str, str] | None = None,
    message: Phrase = "",
    *,
    status: int = 200,
    **values: Any,
) -> JSONResponse:
    """Return a response to the script of a page, with further JSON values in `values`."""
    content = {"parts": dict(parts or {}), "said": language.say(message), **values}
    return JSONResponse(content, status_code=status)


# --- pages


_P = ParamSpec("_P")
_T = TypeVar("_T")
_FOLDER = Path(__file__).parent
TEMPLATES = _FOLDER / "templates"
"""The folder with the templates of pages, which use those of `pbem/board` too."""
MAX_NEWS = 5
"""The maximum number of arrivals shown; the list of games includes older ones."""
LABELS = {
    "games": Message("Your games"),
    "your_turn": Message("Your turn"),
    "rules": Message("Rules"),
    "settings": Message("Settings"),
    "skip": Message("Skip to the content"),
    "dark": Message("Dark"),
    "light": Message("Light"),
    "busy": Message("One moment, please."),
    "checking": Message("Checking the file"),
    "scripts": Message("To play here, allow scripts for this page, and reload it."),
    "gone": Message(
        "The program behind this page has ended. Run {command} again; nothing is lost.",
        command="acres board",
    ),
    "new_version": Message(
        "There is a new version of these pages: {version}. Its hash is {hash}. Nothing changes "
        "until you agree.",
        version="{version}",
        hash="{hash}",
    ),
    "use_version": Message("Use the new version"),
}
"""The texts of the frame of every page."""
REFUSALS = {
    "address": (
        Message(
            "This page can be used only in the browser in which it was opened: an address that "
            "{command} gives is good for one browser, once."
        ),
        Message(
            "To get in here, choose “Open in another browser” in the settings there, and paste the "
            "address that it shows; or run {command} again."
        ),
    ),
    "cookie": (
        Message(
            "This browser keeps no cookie for this page. Allow cookies for {name}, and run "
            "{command} again."
        ),
    ),
    "link": (Message("Paste this address into the address bar of your browser, to open it."),),
    "port": (
        Message(
            "The program has another port. To use it through ssh, forward the same port on both "
            "sides: {forward}. Choose it with {command} --port."
        ),
    ),
}
"""The sentences of the page for a browser without access, by reason."""


class Pages:
    """The state and the helpers that all pages share; each page module has `routes(pages)`.

    `service` has the player's games, and `host` everything else that pages need. `choices` are
    the player's `CHOICES` in the settings. `news` has the latest sentences announced to the player,
    newest first, each with the id of the game whose state it tells, or empty. `templates` are those
    of `pbem/web` and, as a fallback, of `pbem/board`.
    """

    def __init__(self, service: GameService, host: Host, language: Language) -> None:
        self.service = service
        self.host = host
        self.events = host.events
        self.choices: dict[str, str] = {}
        # Settings with a mistake are reported on their own page.
        with suppress(InputError):
            value = Config.read(service.home.config_path).value
            self.choices = {n: value(n) for n, values in CHOICES.items() if value(n) in values}
        self.news: list[tuple[Phrase, bytes]] = []
        self.speak(language)
        service.on_file_written = self._wake_robot

    def speak(self, language: Language) -> None:
        """Fill all pages from now on in a language."""
        self.language = language
        self.templates = Templates(language, TEMPLATES, root=self.host.root)

    async def run(self, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Call a function in the queue of the game service, and return its result."""
        task = partial(self.service.call, partial(function, *args, **kwargs))
        return await self.host.run("service", task)

    async def run_in_queue(self, queue: str, function: Callable[..., _T], *args: object) -> _T:
        """Call a function in another queue and return its result.

        The game service stays free meanwhile.
        """
        with self.service.explaining():
            return await self.host.run(queue, partial(function, *args))

    def put(self, function: Callable[[], object]) -> None:
        """Queue a call of the game service that raises nothing, from any thread."""
        self.host.put("service", partial(self.service.call, function))

    def announce(self, message: Phrase, game: bytes = b"") -> None:
        """Show the player a sentence, on every open page. It replaces an earlier one on `game`."""
        others = (item for item in self.news if not game or item[1] != game)
        self.news = [(message, game), *others][:MAX_NEWS]
        self.events.send("said", text=self.language.say(message))
        self.events.send("games")

    def is_for_robot(self, path: Path) -> bool:
        """Return True if the file at `path` belongs to a game with the robot."""
        return self.host.robot is not None and path.parent in self.host.robot.folders.values()

    def _wake_robot(self, path: Path) -> None:
        """Wake the robot if a written file is for it."""
        if self.host.robot is not None and self.is_for_robot(path):
            self.host.robot.wake()

    def note_robot_file(self, path: Path, game: str) -> None:
        """Record a file that the robot wrote in a game in the library, and notify the pages."""
        service = self.service
        # The page of the game reports problems with the file or the library.
        with suppress(TranslatableError):
            note_robot_file(service.store(), path, service.home)
            active = ActiveGame(service.session(), service.open(game), service.on_file_written)
            if message := active.sign_step():
                self.announce(message, bytes.fromhex(game))
        self.events.send("games")
        self.events.send("game", game=game)

    def site(self) -> str:
        """Return the address at which others can answer in a browser; empty if there is none."""
        with suppress(InputError):
            if site := Config.read(self.service.home.config_path).value(SITE):
                return site
        return self.host.site

    def fill(self, template: str, /, **facts: object) -> Markup:
        """Return a template filled with the values `facts`."""
        return self.templates.render(template, **facts)

    def page(
        self,
        template: str,
        /,
        *,
        title: Phrase,
        script: str = "",
        styles: tuple[str, ...] = (),
        status: int = 200,
        **facts: object,
    ) -> Response:
        """Return a page: a template that extends `frame.html`, filled with the values `facts`.

        `script` is the name of its module in `pbem/web/assets`. `styles` are names of style sheets
        there or in `pbem/board/assets`, in addition to `colours.css`, `page.css` and `frame.css`.
        """
        site_script = "site.js" if self.events.is_broadcast else ""
        html = self.fill(
            template,
            lang=self.language.code,
            choices=self.choices,
            frame=LABELS,
            title=title,
            key=self.host.access.key,
            is_broadcast=self.events.is_broadcast,
            scripts=[*map(asset_path, filter(None, ("frame.js", script, site_script)))],
            icons=[*map(asset_path, ("icon.svg", "icon-turn.svg"))],
            styles=[*map(asset_path, ("colours.css", "page.css", "frame.css", *styles))],
            **facts,
        )
        return HTMLResponse(str(html), status_code=status)

    def no_access(self, reason: str) -> Response:
        """Return the page for a browser without access, for a reason in `REFUSALS`.

        It has no styles, because they need the cookie too.
        """
        host, command = next(iter(self.host.access.origins)), f"{self.service.command} board"
        name, _, port = host.partition(":")
        facts = {"command": command, "name": name, "forward": f"ssh -L {port}:{host}"}
        lines = [line.with_facts(**facts) for line in REFUSALS[reason]]
        html = self.fill(
            "outside.html", lang=self.language.code, title=LABELS["games"], lines=lines
        )
        return HTMLResponse(str(html), status_code=421 if reason == "port" else 403)


# --- styles and scripts

_SUFFIXES = (".css", ".js", ".svg")


def asset_path(name: str) -> str:
    """Return the URL path of an asset of `pbem/web` or, as a fallback, of `pbem/board`."""
    paths = [f"/{module}/assets/{name}" for module in ("web", "board")]
    return next(path for path in paths if path in assets())


@cache
def assets() -> dict[str, str]:
    """Return the texts of all assets by URL path.

    The paths are those below `pbem/`, so that modules can import each other.
    """
    root = _FOLDER.parent
    folders = (root / module / "assets" for module in ("web", "board"))
    files = (path for folder in folders for path in folder.rglob("*") if path.suffix in _SUFFIXES)
    return {f"/{path.relative_to(root).as_posix()}": path.read_text("utf-8") for path in files}
