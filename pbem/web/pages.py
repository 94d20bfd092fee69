"""Everything that pages share: how they are made, and how their scripts are answered.

An answer to a script is `{"parts": {element id: html}, "said": sentence for whoever listens, …}`;
what went wrong has a status of 4xx and `said`, and if another page is needed first, `go`, its
address.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from engine.message import Message, Phrase
from pbem.board.templates import Templates
from pbem.errors import WrongUse
from pbem.text.language import Language
from pbem.web.desk import Desk
from pbem.web.host import Host

# --- answers to scripts


MAX_JSON = 256 * 1024
"""In bytes: what a page sends is a few words, or notes."""


async def sent(request: Request, *names: str) -> dict[str, Any]:
    """Return what a page has sent, with a value under each of these names; raises WrongUse."""
    data = await request.body()
    try:
        found = json.loads(data) if len(data) <= MAX_JSON else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or any(name not in found for name in names):
        raise makes_no_sense()
    return found


async def sent_texts(request: Request, *names: str) -> list[str]:
    """The texts that a page has sent under these names; raises WrongUse."""
    found = await sent(request, *names)
    texts = [found[name] for name in names]
    if not all(isinstance(text, str) for text in texts):
        raise makes_no_sense()
    return texts


def makes_no_sense() -> WrongUse:
    """The error for what no page of this program sends."""
    return WrongUse("The page sent something that makes no sense here: reload it.")


def answer(
    language: Language,
    parts: Mapping[str, str] | None = None,
    said: Phrase = "",
    *,
    status: int = 200,
    **more: Any,
) -> JSONResponse:
    """An answer to the script of a page, with what else it needs."""
    told = {"parts": dict(parts or {}), "said": language.say(said), **more}
    return JSONResponse(told, status_code=status)


# --- pages


_P = ParamSpec("_P")
_T = TypeVar("_T")
_FOLDER = Path(__file__).parent
MOST_NEWS = 5
"""How much of what came is shown; what is older is in the list of games anyway."""
LABELS = {
    "games": Message("Your games"),
    "skip": Message("Skip to the content"),
    "dark": Message("Dark"),
    "light": Message("Light"),
    "another": Message("Open in another browser"),
    "another_told": Message("This address can be used once, in a browser on this computer:"),
    "busy": Message("One moment, please."),
    "gone": Message(
        "The program behind this page has ended. Run {command} again; nothing is lost.",
        command="acres board",
    ),
}
"""What stands around every page."""


class Pages:
    """All pages together: `routes(pages)` of the module of each has its addresses.

    `desk` is the player's, and `host` has all else that they need; `news` is what was told last,
    the newest first. `templates` are those of `pbem/web` and, behind them, of `pbem/board`.
    """

    def __init__(self, desk: Desk, host: Host, language: Language) -> None:
        self.desk = desk
        self.host = host
        self.events = host.events
        self.language = language
        self.news: deque[Phrase] = deque(maxlen=MOST_NEWS)
        self.templates = Templates(language, _FOLDER / "templates")
        desk.told = self._written

    async def run(self, function: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Call a function at the desk, behind what is asked for already, and return its result."""
        task = partial(self.desk.call, partial(function, *args, **kwargs))
        return await self.host.run("desk", task)

    async def run_beside(self, queue: str, function: Callable[..., _T], *args: object) -> _T:
        """Call a function that touches nothing at the desk, for which nobody there waits."""
        return await self.host.run(queue, partial(self.desk.explained, partial(function, *args)))

    def put(self, function: Callable[[], object]) -> None:
        """Have a function called at the desk that raises nothing; from any thread."""
        self.host.put("desk", partial(self.desk.call, function))

    def tell(self, said: Phrase) -> None:
        """Tell the player something, wherever they are."""
        self.news.appendleft(said)
        self.events.tell("said", text=self.language.say(said))
        self.events.tell("games")

    def is_for_robot(self, path: Path) -> bool:
        """Return True if a file with that path is one of a game with the robot."""
        return self.host.robot is not None and path.parent in self.host.robot.folders.values()

    def _written(self, path: Path) -> None:
        """Have a file noticed that was written at the desk."""
        if self.host.robot is not None and self.is_for_robot(path):
            self.host.robot.wake()

    def fill(self, template: str, /, **facts: object) -> Markup:
        """A template about these facts."""
        return self.templates.fill(template, **facts)

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
        """A page: a template that extends `frame.html`, about these facts.

        `script` is the name of its module in `pbem/web/assets`, `styles` are names of what it needs
        there or in `pbem/board/assets` beside `colours.css`, `page.css` and `frame.css`.
        """
        html = self.fill(
            template,
            lang=self.language.code,
            frame=LABELS,
            title=title,
            scripts=[*map(asset_path, filter(None, ("frame.js", script)))],
            styles=[*map(asset_path, ("colours.css", "page.css", "frame.css", *styles))],
            **facts,
        )
        return HTMLResponse(str(html), status_code=status)

    def outside(self) -> Response:
        """The page for a browser that is not in; it has no styles, for these are inside."""
        told = (
            Message(
                "This page can be used only in the browser in which it was opened: an address that "
                "{command} gives is good for one browser, once.",
                command="acres board",
            ),
            Message(
                "To get in here, choose “Open in another browser” at the foot of the page there, "
                "and paste the address that it shows; or run {command} again.",
                command=self.desk.command + " board",
            ),
        )
        html = self.fill("outside.html", lang=self.language.code, title=LABELS["games"], told=told)
        return HTMLResponse(str(html), status_code=403)


# --- styles and scripts, by where they lie below pbem/: so one module finds another

_KINDS = (".css", ".js")


def asset_path(name: str) -> str:
    """The path at which an asset of `pbem/web` is served or, behind these, one of `pbem/board`."""
    paths = [f"/{room}/assets/{name}" for room in ("web", "board")]
    return next(path for path in paths if path in assets())


@cache
def assets() -> dict[str, str]:
    """The texts of all by their paths: nothing else that a browser names is looked up."""
    below = _FOLDER.parent
    folders = (below / room / "assets" for room in ("web", "board"))
    files = (path for folder in folders for path in folder.rglob("*") if path.suffix in _KINDS)
    return {f"/{path.relative_to(below).as_posix()}": path.read_text("utf-8") for path in files}
