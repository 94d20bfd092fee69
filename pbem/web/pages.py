"""What every page is made with, and how it is answered."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from engine.message import Failure, Message, Said
from pbem.board.templates import Templates
from pbem.play.analysis import new_helper
from pbem.play.robot import take_note
from pbem.play.robot_folder import Answered
from pbem.text.language import Language
from pbem.web.desk import Desk
from pbem.web.events import Events
from pbem.web.guard import Doors
from pbem.web.letters import Letters
from pbem.web.robots import News, Robots, Troubles
from pbem.web.watch import Watch
from pbem.web.worker import Worker

_FOLDER = Path(__file__).parent
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

    `desk` is where things are done, `events` tells the pages, `doors` makes addresses that are good
    once; `watch` sees what comes, also into folders that are `watched`. `templates` are those of
    `pbem/web` and, behind them, of `pbem/board`. The `robots` answer in a thread of their own, and
    in that of the `post` letters are sent, which takes a while, as it does in `hindsight`, where
    games are looked back at; `letters` are there if it `fetches` any.
    """

    def __init__(
        self,
        desk: Desk,
        events: Events,
        doors: Doors,
        language: Language,
        watched: Sequence[Path] = (),
        *,
        fetches: bool = False,
    ) -> None:
        self.desk = desk
        self.events = events
        self.doors = doors
        self.language = language
        self.watch = Watch(desk, events, language, watched)
        self.letters = Letters(desk, self.watch) if fetches else None
        self.templates = Templates(language, _FOLDER / "templates")
        self.robots = Robots(desk.home, desk.command, self._robot_told)
        self.helper = new_helper()
        self.hindsight = Worker("hindsight")
        self.post = Worker("post")
        desk.told = self._written

    def begin(self) -> None:
        """Have those begin that work beside the pages."""
        self.robots.start()

    def end(self) -> None:
        """Let them finish what they are at."""
        self.robots.stop()
        self.helper.stop()

    def _written(self, path: Path) -> None:
        """Have a file noticed that was written at the desk."""
        if self.robots.plays(path):
            self.robots.wake()

    def _robot_told(self, news: News) -> None:
        if isinstance(news, Troubles):
            for said in news.told:
                self.events.tell("said", text=self.language.say(said))
            self.events.tell("games")
        else:
            self.desk.put(lambda: self._answered(news))

    def _answered(self, answered: Answered) -> None:
        """Note a file that the robot has written, and have it shown."""
        # Whoever opens the game is told what is wrong with it, or with the library.
        with suppress(Failure):
            take_note(self.desk.own(), answered.path, self.desk.home)
        self.events.tell("games")
        self.events.tell("game", game=answered.game.hex())

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
