"""What every page is made with, and how it is answered."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from engine.message import Message, Said
from pbem.board.templates import Templates
from pbem.web.desk import Desk
from pbem.web.events import Events
from pbem.web.guard import Doors
from pbem.words.language import Language

_FOLDER = Path(__file__).parent
LABELS = {
    "games": Message("Your games"),
    "skip": Message("To the content"),
    "dark": Message("Dark"),
    "light": Message("Light"),
    "another": Message("Open in another browser"),
    "another_told": Message("This address can be used once, in a browser on this computer:"),
    "gone": Message(
        "The program behind this page has ended. Run {command} again; nothing is lost.",
        command="acres board",
    ),
    "asleep": Message("The program behind this page does not answer; it is asked again."),
}
"""What stands around every page."""


class House:
    """The house of which each room is a page: `routes(house)` of its module has its addresses.

    `desk` is where things are done, `events` tells the pages, `doors` makes addresses that are good
    once; `templates` are those of `pbem/web` and, behind them, of `pbem/board`.
    """

    def __init__(self, desk: Desk, events: Events, doors: Doors, language: Language) -> None:
        self.desk = desk
        self.events = events
        self.doors = doors
        self.language = language
        self.templates = Templates(language, _FOLDER / "templates")

    def fill(self, template: str, /, **facts: object) -> Markup:
        """A template about these facts."""
        return self.templates.fill(template, **facts)

    def page(
        self,
        template: str,
        /,
        *,
        title: Said,
        script: str = "",
        styles: tuple[str, ...] = (),
        status: int = 200,
        **facts: object,
    ) -> Response:
        """A page: a template that extends `frame.html`, about these facts.

        `script` is the path of its module in `assets/`, `styles` are what it needs beside
        `colours.css`, `page.css` and `house.css`.
        """
        html = self.fill(
            template,
            lang=self.language.code,
            frame=LABELS,
            title=title,
            script=script,
            styles=styles,
            **facts,
        )
        return HTMLResponse(str(html), status_code=status)

    def outside(self) -> Response:
        """The page for a browser that is not in; it has no styles, for these are inside."""
        told = (
            Message(
                "This page is open to nobody but the browser in which it was opened: an address "
                "that {command} gives is good for one browser, once.",
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


def own_asset(name: str) -> str | None:
    """The text of a file in `assets/`; None where there is none of that name."""
    return _assets().get(name)


@cache
def _assets() -> dict[str, str]:
    """All of them by their names: no path that a browser sends is ever looked up on the disk."""
    folder = _FOLDER / "assets"
    files = (path for path in folder.rglob("*") if path.suffix in (".css", ".js"))
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files}
