"""A club's site: static pages of the standings, of each member and of each game, and a feed.

Nothing on them is requested from another host, and only the pages of boards have scripts.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date
from hashlib import sha256
from os import cpu_count
from pathlib import Path
from typing import NamedTuple

from engine.message import Phrase, with_label
from engine.sides import Side
from pbem import VERSION
from pbem.board.page import DatedAudit, render_page
from pbem.board.templates import Templates, read_asset
from pbem.board.typography import font_css
from pbem.club.club_file import LADDER
from pbem.club.club_sources import read_newest_files
from pbem.club.club_text import (
    SIGNATURE,
    STANDINGS,
    is_signed_document,
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
from pbem.savefile.disk import read_file, reserve_file
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.json_data import Facts
from pbem.text.facts.position_facts import scenes
from pbem.text.language import Language
from pbem.text.phrases import day_in_numbers, row_text, texts
from pbem.text.rules.editions import rules_name

_TEMPLATES = Path(__file__).parent / "templates"
STYLES = ("colours.css", "board.css", "page.css")
MANIFEST = "manifest.json"
MAX_ENTRIES = 50
"""The maximum number of results in the feed."""


class SiteFolder:
    """The folder of a site. Its `MANIFEST` has the hash and the source of each file in it.

    So a file is made again only if its source has changed, and old files are removed, but none that
    anybody else wrote. Raises UsageError if the folder has other files.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, str] = {}
        self._written: set[str] = set()
        manifest = path / MANIFEST
        with report_os_errors(path, NOT_WRITTEN), suppress(ValueError, TypeError):
            if manifest.exists():
                self._known = dict(json.loads(manifest.read_bytes()))
            elif path.exists() and any(path.iterdir()):
                raise UsageError("{file} has other files in it: name a new folder.", file=path)

    def write(self, name: str, content: str | bytes, source: str = "") -> None:
        """Write a file; `source` identifies what it is made of, if that takes long."""
        path, data = self._path / name, content.encode() if isinstance(content, str) else content
        with report_os_errors(path, NOT_WRITTEN):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        self._known[name] = f"{_hash(path)} {source}"
        self._written.add(name)

    def keep(self, names: Iterable[str], source: str) -> bool:
        """Keep files of the same source; return False if one has to be written."""
        for name in names:
            if self._known.get(name) != f"{_hash(self._path / name)} {source}":
                return False
            self._written.add(name)
        return True

    def remove_old_files(self) -> None:
        """Remove the files that were neither written nor kept this time."""
        for name in self._known.keys() - self._written:
            path = self._path / name
            is_inside = path.resolve().is_relative_to(self._path.resolve())
            if is_inside and str(self._known[name]).startswith(_hash(path)):
                with report_os_errors(path, NOT_WRITTEN):
                    path.unlink()
            del self._known[name]

    def write_manifest(self) -> None:
        """Write what is known of the files."""
        data = json.dumps(self._known, indent=0, sort_keys=True).encode()
        with reserve_file(self._path / MANIFEST, len(data), replace=True) as file:
            file.commit(data)


def _hash(path: Path) -> str:
    with report_os_errors(path):
        return sha256(path.read_bytes()).hexdigest() if path.is_file() else "none"


class Link(NamedTuple):
    """A text with the page that it leads to; empty for none."""

    text: Phrase
    page: str


class ClubSite:
    """The pages of a club, which are written into the folder `out` at a `time`.

    Raises UsageError if the folder has other files.
    """

    def __init__(self, standings: Standings, language: Language, out: Path, time: str) -> None:
        self._folder = SiteFolder(out)
        self._standings, self._club = standings, standings.club
        self._language, self._time = language, time
        self._templates = Templates(language, _TEMPLATES)
        self._labels = texts("club-page")
        self._document = standings_document(standings)
        self._is_signed = is_signed_document(self._document, self._club)
        self._members = {
            member.name: Link(display_name(member.name), f"members/{member.key}.html")
            for member in self._club.member
        }

    def write(
        self, jobs: int | None, progress: Callable[[Sequence[int]], Iterable[int]] = iter
    ) -> None:
        """Write all pages with some processes, None for one per core.

        The numbers of the boards that changed pass through `progress`, each after the one before is
        written. Raises InputError if a file of a game is not there any more.
        """
        rows = [*self._standings.pairings, *self._standings.uncounted]
        # Games of other players are nobody's business here.
        games = [(row, row.game) for row in rows if row.game and row.is_of_members]
        self._folder.write_manifest()
        try:
            self._write_boards([game for _, game in games], jobs, progress)
            for row, game in games:
                self._write_game(row, game)
            for place in self._standings.places:
                self._write_member(place)
            self._write_index()
            self._folder.remove_old_files()
        finally:
            self._folder.write_manifest()

    def _write_boards(
        self,
        games: Sequence[ClubGame],
        jobs: int | None,
        progress: Callable[[Sequence[int]], Iterable[int]],
    ) -> None:
        due: dict[bytes, tuple[list[str], str]] = {}
        for game in games:
            names = [f"games/{game.unique_id}-board.html"]
            names += [f"games/{game.unique_id}.toml"] if self._club.verify else []
            source = f"{game.newest.hex()} {VERSION} {self._language.code}"
            if not self._folder.keep(names, source):
                due[game.newest] = names, source
        newest = read_newest_files(game for game in games if game.newest in due)
        tasks = (
            (file, *due[game.newest], self._language.code, self._time) for game, file in newest
        )
        with processes(jobs) as executor:
            results = run_tasks(executor, _render_board, tasks, 2 * (jobs or cpu_count() or 1))
            for _, (source, files) in zip(progress(range(len(due))), results, strict=True):
                for name, data in files.items():
                    self._folder.write(name, data, source)

    def _render(self, name: str, template: str = "club_page.html", **facts: object) -> None:
        """Write the page `name`, rendered by a template."""
        values = {
            "lang": self._language.code,
            "labels": self._labels,
            "home": display_name(self._club.name),
            "up": "../" * name.count("/"),
            "is_signed": self._is_signed,
            "made": row_text("club", "made", version=VERSION, date=day_in_numbers(self._time)),
        }
        self._folder.write(name, self._templates.render(template, **values | facts))

    def _section(self, key: str, **content: object) -> Facts:
        """Return a part of a page: its heading, texts, curves, and a table."""
        empty: Facts = dict.fromkeys(("texts", "curves", "columns", "rows"), ())
        return empty | {"heading": self._labels[key]} | content

    def _games(self, key: str, rows: Iterable[Pairing]) -> Facts:
        """Return a section with a table of games."""
        columns = [row_text("club-columns", name) for name in ("round", "game", "result")]
        cells = [(row.round or "–", _link(row), result_text(row)) for row in rows]
        return self._section(key, columns=columns, rows=cells)

    # --- pages

    def _write_game(self, row: Pairing, game: ClubGame) -> None:
        stem, verify = f"games/{row.id}", self._club.verify.rstrip("/")
        links = [Link(self._labels["board"], f"{stem}-board.html")]
        for number, proof in enumerate(one.evidence for one in game.accusations if one.evidence):
            links.append(Link(self._labels["evidence"], f"{stem}-{number}.toml"))
            self._folder.write(links[-1].page, proof)
        if verify:
            links.append(Link(self._labels["file"], f"{stem}.toml"))
            links.append(Link(self._labels["verify"], f"{verify}/#/audit"))
        first, last = day_in_numbers(game.first), day_in_numbers(game.last)
        turns = sum(game.turns.values())
        duration = row_text("club", "duration", turns=turns, first=first, last=last)
        rules = rules_name(game.edition, game.house_rules)
        section = self._section("result", texts=(result_text(row), rules, duration, row.id, *links))
        self._render(f"{stem}.html", title=row.title, sections=[section])

    def _write_member(self, place: Place) -> None:
        name, standings = place.name, self._standings
        own = [key for key, owner in self._club.names_by_key.items() if owner == name]
        curves = [self._curve(name)] if name in standings.ratings.curves else []
        sections = [
            self._section("standings", texts=(place_text(place), *own)),
            self._section("ratings", curves=curves),
            self._games("games", (r for r in standings.pairings if name in r.names.values())),
        ]
        link = self._members[name]
        self._render(link.page, title=link.text, sections=sections)

    def _write_index(self) -> None:
        standings, ratings, club = self._standings, self._standings.ratings, self._club
        columns = [row_text("club-columns", name) for name in Place._fields]
        places = [(place.rank, self._members[place.name], *place[2:]) for place in standings.places]
        ladder = standings.ladder if club.pairing == LADDER else ()
        curves = [self._curve(name) for name in ratings.curves]
        sides = [with_label(rules_name(*of), side_text(x)) for of, x in ratings.sides.items()]
        numbers = [str(number) for number in range(1, len(places) + 1)]
        about, about_cross = self._labels["about-ratings"], self._labels["about-cross"]
        sections = [
            self._section("standings", columns=columns, rows=places),
            self._section("ladder", rows=[*enumerate(map(self._members.get, ladder), 1)]),
            self._section("ratings", texts=[about], curves=curves),
            self._section("sides", texts=sides),
            self._section(
                "cross", texts=[about_cross], columns=columns[:2] + numbers, rows=self._cross_rows()
            ),
            self._games("games", standings.pairings),
            self._games("uncounted", standings.uncounted),
        ]
        days = (day_in_numbers(f"{day}T12:00:00Z") for day in (club.begins, club.ends))
        season = row_text("club", "season-of", **dict(zip(("begins", "ends"), days, strict=True)))
        self._render("index.html", title=display_name(club.name), home=season, sections=sections)
        entries = [
            {"id": row.id, "link": _link(row), "result": result_text(row), "time": row.time}
            for row in reversed(standings.decided)
            if row.game
        ]
        self._render("feed.xml", "club_feed.xml", club=club, entries=entries[:MAX_ENTRIES])
        styles = [*map(read_asset, STYLES), _TEMPLATES.with_name("club.css").read_text("utf-8")]
        self._folder.write("club.css", "\n".join((font_css(self._language), *styles)))
        self._folder.write(STANDINGS, self._document)
        if self._is_signed:
            self._folder.write(SIGNATURE, read_file(club.path.with_name(SIGNATURE)))

    def _cross_rows(self) -> list[tuple[object, ...]]:
        """Return the results of each member against each other, as the British | as the French."""
        results = defaultdict[tuple[str, str], list[list[str]]](lambda: [[], []])
        for row in self._standings.decided:
            for index, side in enumerate(Side):
                won = str(int(row.winner is side))
                results[row.names[side], row.names[side.opponent]][index].append(won)
        rows = []
        for number, name in enumerate((place.name for place in self._standings.places), 1):
            against = (results.get((name, place.name), ()) for place in self._standings.places)
            cells = [" | ".join(map(" ".join, parts)) for parts in against]
            rows.append((number, self._members[name], *cells))
        return rows

    def _curve(self, name: str) -> Facts:
        ratings = self._standings.ratings
        rating = rating_text(ratings.players[name])
        return {"name": self._members[name], "rating": rating} | draw_curve(ratings.curves[name])


def _link(row: Pairing) -> Link:
    """Return a link to the page of a game; only games of members have one."""
    if row.is_of_members:
        return Link(row.title, f"games/{row.id}.html" if row.game else "")
    return Link(row.id[:8], "")


def draw_curve(curve: Sequence[CurvePoint]) -> Facts:
    """Return the drawing of a rating with its band of two deviations, as paths of SVG.

    Its unit is a day from left to right, and a point upwards, from the lower to the upper mark.
    """
    weeks = [date.fromisoformat(at.week) for at in curve]
    days = [(week - weeks[0]).days for week in weeks]
    low, middle, high = ([at.points + by * at.deviation for at in curve] for by in (-2, 0, 2))
    bottom, top = min(*low, MEAN) // 100 * 100, -(max(*high, MEAN) // -100) * 100
    below, line, above = (
        [f"{day} {-height}" for day, height in zip(days, heights, strict=True)]
        for heights in (low, middle, high)
    )
    return {
        "box": f"0 {-top} {days[-1] or 1} {top - bottom}",
        "marks": (top, bottom),
        "mean": f"M0 {-MEAN}H{days[-1] or 1}",
        "band": f"M{'L'.join(above + below[::-1])}Z",
        "line": f"M{'L'.join(line)}",
        "dots": "".join(f"M{point}h0" for point in line),
    }


def _render_board(
    data: bytes, names: Sequence[str], source: str, code: str, time: str
) -> tuple[str, dict[str, bytes]]:
    """Return the board of a game and its newest file, by their names, with their source."""
    language = Language(code)
    audited = DatedAudit(audit(data), time)
    chronicle = Chronicle(Look(audited.report.match))
    scene_list = scenes(chronicle)
    page = render_page(chronicle, scene_list, language, audited, len(scene_list) - 1)
    return source, dict(zip(names, (page.encode(), data), strict=False))
