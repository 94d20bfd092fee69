"""A club's site: static pages of the standings, of each member and of each board, and a feed.

Nothing on them is requested from another host, and only the pages of boards have scripts. All files
are in one folder. A board ends with a comment that names its source, so that it is only drawn again
if that has changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from os import cpu_count
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from engine.message import Phrase, with_label
from pbem import VERSION
from pbem.board.page import DatedAudit, render_page
from pbem.board.templates import Templates, read_asset
from pbem.board.typography import font_css
from pbem.club import club_text
from pbem.club.club_sources import read_newest_files
from pbem.club.ratings import MEAN, CurvePoint
from pbem.club.standings import Pairing, Place, Standings
from pbem.club.verdicts import ClubGame
from pbem.club.workers import processes, run_tasks
from pbem.errors import NOT_WRITTEN, UsageError, report_os_errors
from pbem.foreign import display_name
from pbem.play.audit import audit
from pbem.play.look import Look
from pbem.savefile.disk import read_file, reserve_file
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.json_data import Facts
from pbem.text.facts.position_facts import scenes
from pbem.text.language import Language
from pbem.text.phrases import day_in_numbers, row_text, texts
from pbem.text.rules.editions import rules_name

_FOLDER = Path(__file__).parent
STYLES = ("colours.css", "board.css", "page.css")
STYLE = "club.css"
_PAGE = re.compile(r"(game|member)-[0-9a-f-]{64,}\.(html|toml)|standings\.json\.sig")
"""The names of files that are removed from an older site if it has them no more."""
MAX_ENTRIES = 50
"""The maximum number of results in the feed."""


class PageSection(NamedTuple):
    """A part of a page: the key of its heading, paragraphs, curves, and a table."""

    key: str
    texts: Sequence[Phrase] = ()
    curves: Sequence[Facts] = ()
    columns: Sequence[object] = ()
    rows: Sequence[Sequence[object]] = ()


class ClubSite:
    """The pages of a club, which are written into the folder `out` at a `time`.

    Raises UsageError if the folder has other files.
    """

    def __init__(self, standings: Standings, language: Language, out: Path, time: str) -> None:
        with report_os_errors(out, NOT_WRITTEN):
            is_foreign = out.exists() and any(out.iterdir()) and not (out / STYLE).exists()
        if is_foreign:
            raise UsageError("{file} has other files in it: name a new folder.", file=out)
        self._standings, self._club = standings, standings.club
        self._out, self._language, self._time = out, language, time
        self._templates = Templates(language, _FOLDER / "templates")
        self._labels = texts("club-page")
        self._pages = {one.name: f"member-{one.key}.html" for one in self._club.member}
        self._written: set[str] = set()

    def write(
        self, jobs: int | None, progress: Callable[[Sequence[int]], Iterable[int]] = iter
    ) -> None:
        """Write all pages with some processes, None for one per core.

        The numbers of the boards that changed pass through `progress`, each after the one before is
        written. Raises InputError if a file of a game is not there any more.
        """
        styles = [*map(read_asset, STYLES), (_FOLDER / STYLE).read_text(encoding="utf-8")]
        self._write(STYLE, "\n".join((font_css(self._language), *styles)))
        document = club_text.standings_document(self._standings)
        self._write(club_text.STANDINGS, document)
        if club_text.is_signed_document(document, self._club):
            signature = read_file(self._club.path.with_name(club_text.SIGNATURE))
            self._write(club_text.SIGNATURE, signature)
        # Games of other players are nobody's business here.
        games = [row.game for row in self._standings.rows if row.game and row.is_of_members]
        due = self._due_boards(games)
        newest = read_newest_files(game for game in games if game.newest in due)
        tasks = (
            (file, *due[game.newest], self._language.code, self._time) for game, file in newest
        )
        with processes(jobs) as executor:
            results = run_tasks(executor, _render_board, tasks, 2 * (jobs or cpu_count() or 1))
            for _, files in zip(progress(range(len(due))), results, strict=True):
                for name, content in files.items():
                    self._write(name, content)
        for game in games:
            for number, proof in enumerate(_evidence(game)):
                self._write(f"game-{game.unique_id}-{number}.toml", proof)
        for place in self._standings.places:
            self._write_member(place)
        self._write_index()
        ended = [row for row in reversed(self._standings.decided) if row.game][:MAX_ENTRIES]
        entries = [(row.id, row.title, club_text.result_text(row), row.time) for row in ended]
        self._render("feed.xml", "club_feed.xml", club=self._club, entries=entries)
        with report_os_errors(self._out, NOT_WRITTEN):
            for path in self._out.iterdir():
                if path.name not in self._written and _PAGE.fullmatch(path.name):
                    path.unlink()

    def _write(self, name: str, content: str | bytes) -> None:
        data = content.encode() if isinstance(content, str) else content
        with reserve_file(self._out / name, len(data), replace=True) as file:
            file.commit(data)
        self._written.add(name)

    def _due_boards(self, games: Iterable[ClubGame]) -> dict[bytes, tuple[list[str], str]]:
        """Return the names and the sources of boards that have to be drawn, by the newest file."""
        due = {}
        for game in games:
            source = f"<!-- {game.newest.hex()} {VERSION} {self._language.code} -->"
            # The board is the last one to be written.
            names = [f"game-{game.unique_id}.html"]
            names[:0] = [f"game-{game.unique_id}.toml"] if self._club.verify else []
            paths = [self._out / name for name in names]
            with report_os_errors(self._out):
                is_there = all(path.exists() for path in paths)
                if is_there and paths[-1].read_bytes().endswith(source.encode()):
                    self._written.update(names)
                else:
                    due[game.newest] = names, source
        return due

    def _render(self, name: str, template: str = "club_page.html", **facts: object) -> None:
        """Write the page `name`, rendered by a template."""
        values = {
            "lang": self._language.code,
            "labels": self._labels,
            "home": display_name(self._club.name),
            "is_index": name == "index.html",
            "is_signed": club_text.SIGNATURE in self._written,
            "made": row_text("club", "made", version=VERSION, date=day_in_numbers(self._time)),
        }
        self._write(name, self._templates.render(template, **values | facts))

    # --- pages

    def _link(self, text: Phrase, page: str) -> Markup:
        return Markup('<a href="{}">{}</a>').format(page, self._language.say(text))

    def _member(self, name: str) -> Markup:
        return self._link(display_name(name), self._pages[name])

    def _games(self, key: str, rows: Iterable[Pairing]) -> PageSection:
        """Return a section with a table of games, with links to the boards of those of members."""
        columns = [row_text("club-columns", name) for name in ("round", "game", "result")]
        cells = []
        for row in rows:
            name: Phrase = row.title if row.is_of_members else row.id[:8]
            texts = [club_text.result_text(row)]
            if row.game and row.is_of_members:
                name = self._link(name, f"game-{row.id}.html")
                texts += self._details(row.id, row.game)
            result = Markup(". ").join(map(self._language.say, texts))
            cells.append((row.round or "–", name, result))
        return PageSection(key, columns=columns, rows=cells)

    def _details(self, id: str, game: ClubGame) -> Iterator[Phrase]:
        """Yield the length of a game, and links to the proofs about it."""
        first, last = day_in_numbers(game.first), day_in_numbers(game.last)
        turns = sum(game.turns.values())
        yield row_text("club", "duration", turns=turns, first=first, last=last)
        for number, _ in enumerate(_evidence(game)):
            yield self._link(self._labels["evidence"], f"game-{id}-{number}.toml")
        if verify := self._club.verify.rstrip("/"):
            yield self._link(self._labels["file"], f"game-{id}.toml")
            yield self._link(self._labels["verify"], f"{verify}/#/audit")

    def _write_member(self, place: Place) -> None:
        name, standings = place.name, self._standings
        own = [key for key, owner in self._club.names_by_key.items() if owner == name]
        curves = [self._curve(name)] if name in standings.ratings.curves else []
        sections = [
            PageSection("standings", (club_text.place_text(place), *own)),
            PageSection("ratings", curves=curves),
            self._games("games", (row for row in standings.pairings if name in row.names.values())),
        ]
        self._render(self._pages[name], title=display_name(name), sections=sections)

    def _write_index(self) -> None:
        standings, ratings, club = self._standings, self._standings.ratings, self._club
        columns = [row_text("club-columns", name) for name in Place._fields]
        names = [place.name for place in standings.places]
        table = [(place.rank, self._member(place.name), *place[2:]) for place in standings.places]
        cross = [
            (number, self._member(name), *(standings.score(name, other) for other in names))
            for number, name in enumerate(names, 1)
        ]
        sides = [
            with_label(rules_name(*rules), club_text.side_text(worth))
            for rules, worth in ratings.sides.items()
        ]
        numbered = [*columns[:2], *(str(number + 1) for number in range(len(names)))]
        about, about_cross = self._labels["about-ratings"], self._labels["about-cross"]
        sections = [
            PageSection("standings", columns=columns, rows=table),
            PageSection("ladder", rows=[*enumerate(map(self._member, standings.ladder), 1)]),
            PageSection("ratings", [about], [*map(self._curve, ratings.curves)]),
            PageSection("sides", sides),
            PageSection("cross", [about_cross], columns=numbered, rows=cross),
            self._games("games", standings.pairings),
            self._games("uncounted", standings.uncounted),
        ]
        days = (day_in_numbers(f"{day}T12:00:00Z") for day in (club.begins, club.ends))
        season = row_text("club", "season-of", **dict(zip(("begins", "ends"), days, strict=True)))
        self._render("index.html", title=display_name(club.name), home=season, sections=sections)

    def _curve(self, name: str) -> Facts:
        ratings = self._standings.ratings
        rating = club_text.rating_text(ratings.players[name])
        return {"name": self._member(name), "rating": rating} | draw_curve(ratings.curves[name])


def _evidence(game: ClubGame) -> list[bytes]:
    return [one.evidence for one in game.accusations if one.evidence]


def draw_curve(curve: Sequence[CurvePoint]) -> Facts:
    """Return the drawing of a rating with its band of two deviations, as paths of SVG.

    Its unit is a day from left to right, and a point upwards, from the lower to the upper mark.
    """
    weeks = [date.fromisoformat(at.week).toordinal() for at in curve]
    low, middle, high = ([at.points + by * at.deviation for at in curve] for by in (-2, 0, 2))
    bottom, top = min(*low, MEAN) // 100 * 100, -(max(*high, MEAN) // -100) * 100
    below, line, above = (
        [f"{week - weeks[0]} {-height}" for week, height in zip(weeks, heights, strict=True)]
        for heights in (low, middle, high)
    )
    width = weeks[-1] - weeks[0] or 1
    return {
        "box": f"0 {-top} {width} {top - bottom}",
        "marks": (top, bottom),
        "mean": f"M0 {-MEAN}H{width}",
        "band": f"M{'L'.join(above + below[::-1])}Z",
        "line": f"M{'L'.join(line)}",
        "dots": "".join(f"M{point}h0" for point in line),
    }


def _render_board(
    data: bytes, names: Sequence[str], source: str, code: str, time: str
) -> dict[str, str | bytes]:
    """Return the page of a game's board, after its newest file if there are two names."""
    language = Language(code)
    audited = DatedAudit(audit(data), time)
    chronicle = Chronicle(Look(audited.report.match))
    page = render_page(chronicle, scenes(chronicle), language, audited, chronicle.last)
    return dict(zip(names, (data, f"{page}{source}")[-len(names) :], strict=True))
