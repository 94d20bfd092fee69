"""A club's site: static pages of the standings, of each member and of each game, and a feed.

Nothing on them is requested from another host, and only the pages of boards have scripts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from itertools import starmap
from os import cpu_count
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from markupsafe import Markup

from engine.message import Message, Phrase, with_label
from engine.sides import Side
from pbem import VERSION
from pbem.board.page import DatedAudit, render_page, render_proof
from pbem.board.templates import Templates, read_asset
from pbem.board.typography import font_css
from pbem.club.club_file import LADDER
from pbem.club.club_sources import read_newest_file
from pbem.club.club_text import (
    SIGNATURE,
    STANDINGS,
    has_signature,
    pair_text,
    place_text,
    rating_text,
    result_text,
    side_text,
    standings_document,
)
from pbem.club.ratings import MEAN, CurvePoint
from pbem.club.standings import Pairing, Place, Standings
from pbem.club.verdicts import ClubGame
from pbem.club.workers import processes, run_tasks
from pbem.errors import NOT_WRITTEN, UsageError, report_os_errors
from pbem.foreign import display_name
from pbem.play.audit import audit
from pbem.play.look import Look
from pbem.savefile.disk import read_file
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import scenes
from pbem.text.language import Language
from pbem.text.phrases import day_in_numbers, keys, row_text
from pbem.text.rules.editions import rules_name

_FOLDER = Path(__file__).parent
STYLES = ("colours.css", "board.css", "page.css")
STYLE = "club.css"
MAX_ENTRIES = 50
"""The maximum number of results in the feed."""
WIDTH, HEIGHT, MARGIN = 400, 120, 44
"""The size of the drawing of a rating, and its left margin, in its own unit."""


Point: TypeAlias = tuple[float, float]
Mark: TypeAlias = tuple[float, int]


class Link(NamedTuple):
    """A text with the page that it leads to; empty for none."""

    text: Phrase
    page: str


class Curve(NamedTuple):
    """A drawn rating: its name, paths of its line and of its band, points, and marks of a scale."""

    name: Link
    rating: Message
    line: str
    band: str
    points: list[Point]
    marks: list[Mark]


class PageSection(NamedTuple):
    """A part of a page: its heading, paragraphs, links, curves, a table, and markup."""

    heading: Message
    texts: Sequence[Phrase] = ()
    links: Sequence[Link] = ()
    curves: Sequence[Curve] = ()
    columns: Sequence[Phrase] = ()
    rows: Sequence[Sequence[Phrase | int | Link]] = ()
    html: Markup = Markup()


class Entry(NamedTuple):
    """A game on the site: its id, its round, the link to its page, its result and its last time."""

    id: str
    round: int
    link: Link
    result: Phrase
    last: str = ""


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
        self._document = standings_document(standings)
        self._is_signed = has_signature(self._club.path.parent, self._document, self._club)
        self._members = {
            member.name: Link(display_name(member.name), f"members/{member.key}.html")
            for member in self._club.member
        }
        self._games: dict[str, tuple[ClubGame, Entry]] = {}
        for row in standings.pairings:
            if row.game:
                self._games[row.game.unique_id] = row.game, self._entry(row)
        for game, reason in standings.uncounted:
            entry = self._uncounted_entry(game, reason)
            # Games of other players are nobody's business here.
            if entry.link.page:
                self._games[entry.id] = game, entry

    def write(
        self, jobs: int | None, progress: Callable[[Sequence[int]], Iterable[int]] = iter
    ) -> None:
        """Write all pages with some processes, None for one per core.

        The numbers of the games pass through `progress`, each after the game before is written.
        Raises InputError if a file of a game is not there any more.
        """
        styles = [*map(read_asset, STYLES), (_FOLDER / STYLE).read_text(encoding="utf-8")]
        self._write(STYLE, "\n".join((font_css(self._language), *styles)))
        self._write(STANDINGS, self._document)
        if self._is_signed:
            self._write(SIGNATURE, read_file(self._club.path.parent / SIGNATURE))
        else:
            with report_os_errors(self._out, NOT_WRITTEN):
                (self._out / SIGNATURE).unlink(missing_ok=True)
        tasks = ((game, self._language.code, self._time) for game, _ in self._games.values())
        with processes(jobs) as executor:
            results = run_tasks(executor, _render_game, tasks, 2 * (jobs or cpu_count() or 1))
            numbers = progress(range(len(self._games)))
            for _, result in zip(numbers, results, strict=True):
                self._write_game(*result)
        for name in self._members:
            self._write_member(name)
        self._write_index()
        ended = [self._entry(row) for row in self._standings.decided if row.game]
        ended.sort(key=lambda entry: entry.last, reverse=True)
        self._render("feed.xml", "club_feed.xml", club=self._club, entries=ended[:MAX_ENTRIES])

    def _write(self, name: str, content: str | bytes) -> None:
        path = self._out / name
        with report_os_errors(path, NOT_WRITTEN):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def _render(self, name: str, template: str = "club_page.html", **facts: object) -> None:
        """Write the page `name`, rendered by a template."""
        values = {
            "lang": self._language.code,
            "labels": {key: row_text("club-page", key) for key in keys("club-page")},
            "home": display_name(self._club.name),
            "up": "../" * name.count("/"),
            "is_signed": self._is_signed,
            "made": row_text("club", "made", version=VERSION, date=day_in_numbers(self._time)),
        }
        self._write(name, self._templates.render(template, **values | facts))

    def _entry(self, row: Pairing) -> Entry:
        id, last = (row.game.unique_id, row.game.last) if row.game else ("", "")
        link = Link(pair_text(row.names), f"games/{id}.html" if id else "")
        return Entry(id, row.round, link, result_text(row), last)

    def _uncounted_entry(self, game: ClubGame, reason: Message) -> Entry:
        names = {side: self._standings.name_of(who.key) for side, who in game.players.items()}
        id, page = game.unique_id, f"games/{game.unique_id}.html"
        is_ours = len(names) == len(Side) and all(names.values())
        return Entry(id, 0, Link(pair_text(names), page) if is_ours else Link(id[:8], ""), reason)

    # --- pages

    def _write_game(self, id: str, data: bytes, board: str, proved: Markup) -> None:
        game, entry = self._games[id]
        files = [("board", f"games/{id}-board.html", board.encode())]
        evidence = filter(None, (proof.evidence for proof in game.accusations))
        files += [("evidence", f"games/{id}-{n}.toml", proof) for n, proof in enumerate(evidence)]
        files += [("file", f"games/{id}.toml", data)] if self._club.verify else []
        for _, page, content in files:
            self._write(page, content)
        links = [Link(_label(key), page) for key, page, _ in files]
        if self._club.verify:
            links.append(Link(_label("verify"), f"{self._club.verify.rstrip('/')}/#/audit"))
        first, last = day_in_numbers(game.first), day_in_numbers(game.last)
        turns = sum(game.turns.values())
        texts = (
            entry.result,
            rules_name(game.edition, game.house_rules),
            row_text("club", "duration", turns=turns, first=first, last=last),
        )
        sections = [_section("result", texts=texts, links=links), _section("proved", html=proved)]
        self._render(entry.link.page, title=entry.link.text, sections=sections)

    def _write_member(self, name: str) -> None:
        link, standings = self._members[name], self._standings
        place = next(place for place in standings.places if place.name == name)
        own = [key for key, owner in self._club.names_by_key.items() if owner == name]
        curves = [self._curve(name)] if name in standings.ratings.curves else []
        played = [row for row in standings.pairings if name in row.names.values()]
        sections = [
            _section("standings", texts=(place_text(place), *own)),
            _section("ratings", curves=curves),
            _game_section("games", map(self._entry, played)),
        ]
        self._render(link.page, title=link.text, sections=sections)

    def _write_index(self) -> None:
        standings, ratings, club = self._standings, self._standings.ratings, self._club
        names = [place.name for place in standings.places]
        columns = [row_text("club-columns", name) for name in Place._fields]
        curves = [self._curve(name) for name in ratings.curves]
        sides = [with_label(rules_name(*of), side_text(x)) for of, x in ratings.sides.items()]
        ladder = standings.ladder if club.pairing == LADDER else ()
        sections = [
            _section(
                "standings",
                columns=columns,
                rows=[(row.rank, self._members[row.name], *row[2:]) for row in standings.places],
            ),
            _section("ladder", rows=[*enumerate(map(self._members.get, ladder), 1)]),
            _section("ratings", texts=[_label("about-ratings")], curves=curves),
            _section("sides", texts=sides),
            _section(
                "cross",
                texts=[_label("about-cross")],
                columns=[*columns[:2], *(str(number + 1) for number in range(len(names)))],
                rows=[
                    (number, self._members[name], *(self._results(name, other) for other in names))
                    for number, name in enumerate(names, 1)
                ],
            ),
            _game_section("games", map(self._entry, standings.pairings)),
            _game_section("uncounted", starmap(self._uncounted_entry, standings.uncounted)),
        ]
        days = (day_in_numbers(f"{day}T12:00:00Z") for day in (club.begins, club.ends))
        season = row_text("club", "season-of", **dict(zip(("begins", "ends"), days, strict=True)))
        self._render("index.html", title=display_name(club.name), home=season, sections=sections)

    def _results(self, name: str, other: str) -> str:
        """Return the results of a member against another one, as the British | as the French."""
        parts = [
            " ".join(
                str(int(row.winner is side))
                for row in self._standings.decided
                if (row.names[side], row.names[side.opponent]) == (name, other)
            )
            for side in Side
        ]
        return " | ".join(parts) if any(parts) else ""

    def _curve(self, name: str) -> Curve:
        """Return the drawing of a rating with its band of two deviations, by the week."""
        ratings = self._standings.ratings
        points = ratings.curves[name]
        return Curve(self._members[name], rating_text(ratings.players[name]), *draw_curve(points))


def draw_curve(curve: Sequence[CurvePoint]) -> tuple[str, str, list[Point], list[Mark]]:
    """Return the line of a rating, its band, its points, and the heights of the marks of a scale.

    Line and band are paths of SVG.
    """
    weeks = [date.fromisoformat(point.week).toordinal() for point in curve]
    low = min(point.points - 2 * point.deviation for point in curve) // 100 * 100
    high = -(max(point.points + 2 * point.deviation for point in curve) // -100) * 100
    length = weeks[-1] - weeks[0]

    def y(points: float) -> float:
        return float(round(6 + (HEIGHT - 12) * (high - points) / (high - low), 1))

    def path(points: Iterable[tuple[float, float]]) -> str:
        return "M" + "L".join(f"{x} {y(height)}" for x, height in points)

    share = (WIDTH - MARGIN - 6) / (length or 1)
    xs = [round(MARGIN + share * (week - weeks[0]), 1) for week in weeks]
    # A single week becomes a short line.
    ends = [*zip(xs, curve, strict=True)] + [(float(WIDTH - 6), curve[0])] * (not length)
    upper = [(x, point.points + 2 * point.deviation) for x, point in ends]
    lower = [(x, point.points - 2 * point.deviation) for x, point in reversed(ends)]
    line = path((x, point.points) for x, point in ends)
    points = [(x, y(point.points)) for x, point in zip(xs, curve, strict=True)]
    marks = [(y(mark), mark) for mark in sorted({low, high, min(max(low, MEAN), high)})]
    return line, f"{path((*upper, *lower))}Z", points, marks


def _label(key: str) -> Message:
    return row_text("club-page", key)


def _section(key: str, **content: Any) -> PageSection:
    return PageSection(_label(key), **content)


def _game_section(key: str, entries: Iterable[Entry]) -> PageSection:
    columns = [row_text("club-columns", name) for name in ("round", "game", "result")]
    rows = [(entry.round or "–", entry.link, entry.result) for entry in entries]
    return PageSection(_label(key), columns=columns, rows=rows)


def _render_game(game: ClubGame, code: str, time: str) -> tuple[str, bytes, str, Markup]:
    """Return the id of a game, its newest file, the page of its board and its audit in words."""
    data, language = read_newest_file(game), Language(code)
    audited = DatedAudit(audit(data), time)
    chronicle = Chronicle(Look(audited.report.match))
    scene_list = scenes(chronicle)
    page = render_page(chronicle, scene_list, language, audited, len(scene_list) - 1)
    return game.unique_id, data, page, render_proof(Templates(language), *audited)
