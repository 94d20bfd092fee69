"""A club's site: static pages of the standings, of each member and of each game, and a feed.

Nothing on them is asked of another host, and they need no script, except for the pages of boards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple
from datetime import date
from functools import cached_property
from os import cpu_count
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from engine.message import Message, Phrase
from engine.sides import Side
from pbem import VERSION
from pbem.board.page import DatedAudit, render_page, render_proof
from pbem.board.templates import Templates, read_asset
from pbem.board.typography import font_css
from pbem.club.checks import pair_text
from pbem.club.club_file import LADDER
from pbem.club.games import ClubGame
from pbem.club.ratings import CurvePoint
from pbem.club.reading import read_newest_file
from pbem.club.report import estimate_text, place_text, result_text, side_text, standings_document
from pbem.club.standings import Pairing, Standings
from pbem.club.workers import processes, run_tasks
from pbem.errors import NOT_WRITTEN, UsageError, report_os_errors
from pbem.foreign import display_name
from pbem.play.audit import audit
from pbem.play.look import Look
from pbem.play.signing import is_signed
from pbem.protocol.schema import decode_bytes
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import scenes
from pbem.text.language import Language
from pbem.text.phrases import day_in_numbers
from pbem.text.rules.editions import rules_name

_FOLDER = Path(__file__).parent
STYLE = "club.css"
STANDINGS, SIGNATURE = "standings.json", "standings.json.sig"
MAX_ENTRIES = 50
"""The maximum number of results in the feed."""
LABELS = {
    "standings": Message("Standings"),
    "ladder": Message("The ladder"),
    "cross": Message("Everybody against everybody"),
    "about_cross": Message(
        "Each row has the results of a member, as the British | as the French: 1 is a victory, 0 a "
        "defeat."
    ),
    "ratings": Message("Ratings"),
    "about_ratings": Message(
        "1500 is the mean, and the stronger of two players who are 200 points apart wins three "
        "games of four. After ± and in the band is the uncertainty: in 95 of 100 cases the rating "
        "is within it. A player with few games is hardly known yet."
    ),
    "sides": Message("The British against equal opponents"),
    "games": Message("Games"),
    "round": Message("Round"),
    "game": Message("Game"),
    "result": Message("Result"),
    "uncounted": Message("What does not count"),
    "proved": Message("What is proved"),
    "board": Message("Play the game back on the board"),
    "file": Message("The file of the game"),
    "evidence": Message("The evidence of two different turns"),
    "verify": Message("Verify this yourself: open the file there"),
    "feed": Message("Feed of results"),
    "data": Message("Standings as data"),
    "signature": Message("The organiser’s signature"),
    "texts": (Message("Member"), Message("Game"), Message("Result")),
    "columns": (
        Message("Rank"),
        Message("Member"),
        Message("Points"),
        Message("Tie-break"),
        Message("Won"),
        Message("Lost"),
        Message("As the British"),
        Message("Provisional"),
    ),
}
"""The headings and links of the pages."""


class Curve(NamedTuple):
    """A drawn rating: the paths of its line and its band, its points, and marks of a scale."""

    line: str
    band: str
    points: list[tuple[float, float]]
    scale: list[tuple[float, int]]
    width: int = 400
    height: int = 120


class Link(NamedTuple):
    """The name of a member, with the page."""

    name: Message
    page: str


class Row(NamedTuple):
    """A game on a page: its id, round, players and result, the time of its end, and its page."""

    id: str
    round: int
    title: Message
    result: Phrase
    last: str
    page: str


class Site:
    """The pages of a club, which are written into the folder `out` at a `time`.

    Raises UsageError if the folder has other files.
    """

    def __init__(self, standings: Standings, language: Language, out: Path, time: str) -> None:
        if out.exists() and any(out.iterdir()) and not (out / STYLE).exists():
            raise UsageError("{file} has other files in it: name a new folder.", file=out)
        self._standings, self._club = standings, standings.club
        self._out, self._language, self._time = out, language, time
        self._templates = Templates(language, _FOLDER / "templates")
        self._document = standings_document(standings)
        self._members = {
            member.name: Link(display_name(member.name), f"members/{member.key}.html")
            for member in self._club.member
        }
        # Of the games that do not count, those of other players are nobody's business here.
        self._games = [(row.game, self._row(row)) for row in standings.pairings if row.game]
        self._uncounted = [self._uncounted_row(game, why) for game, why in standings.uncounted]
        self._games += [
            (game, row)
            for (game, _), row in zip(standings.uncounted, self._uncounted, strict=True)
            if row.page
        ]

    def write(self, jobs: int | None, progress: Callable[[Sequence[int]], Iterable[int]]) -> None:
        """Write all pages with some processes, None for one per core.

        The numbers of the games pass through `progress`, each after the game before is written.
        Raises InputError if a file of a game is not there any more.
        """
        style = font_css(self._language) + read_asset("colours.css")
        self._write(STYLE, style + (_FOLDER / STYLE).read_text(encoding="utf-8"))
        self._write(STANDINGS, self._document)
        if self._signature:
            self._write(SIGNATURE, self._signature)
        rows = {row.id: (game, row) for game, row in self._games}
        tasks = ((id, game, self._language.code, self._time) for id, (game, _) in rows.items())
        with processes(jobs) as executor:
            results = run_tasks(executor, _render_game, tasks, 2 * (jobs or cpu_count() or 1))
            numbers = progress(range(len(rows)))
            for _, (id, data, board, proved) in zip(numbers, results, strict=True):
                self._write_game(*rows[id], data, board, Markup(proved))
        for name in self._members:
            self._write_member(name)
        self._write_index()
        ended = [self._row(pairing) for pairing in self._standings.decided if pairing.game]
        newest = sorted(ended, key=lambda row: row.last, reverse=True)
        self._render(
            "feed.xml",
            organiser=self._club.organiser,
            season=self._club.begins.isoformat(),
            updated=newest[0].last if newest else f"{self._club.begins}T00:00:00Z",
            games=newest[:MAX_ENTRIES],
        )

    @cached_property
    def _signature(self) -> bytes:
        """The organiser's signature of the standings; empty if it is not beside `club.toml`."""
        try:
            signature = (self._club.path.parent / SIGNATURE).read_bytes()
            is_valid = is_signed(
                self._document,
                decode_bytes(signature.decode("ascii").strip()),
                bytes.fromhex(self._club.organiser),
            )
        except (OSError, ValueError):
            return b""
        return signature if is_valid else b""

    def _write(self, name: str, content: str | bytes) -> None:
        path = self._out / name
        with report_os_errors(path, NOT_WRITTEN):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def _render(self, name: str, template: str = "", **facts: object) -> None:
        """Write the page `name`, rendered by a template."""
        values = {
            "lang": self._language.code,
            "labels": LABELS,
            "title": display_name(self._club.name),
            "subtitle": display_name(self._club.name),
            "up": "../" * name.count("/"),
            "is_signed": bool(self._signature),
            "made": Message(
                "Made by acres {version} on {date}.",
                version=VERSION,
                date=day_in_numbers(self._time),
            ),
        }
        rendered = self._templates.render(template or f"club_{name}", **values | facts)
        self._write(name, rendered)

    def _row(self, pairing: Pairing) -> Row:
        game = pairing.game
        id, last = (game.unique_id, game.last) if game else ("", "")
        page = f"games/{id}.html" if game else ""
        return Row(id, pairing.round, pair_text(pairing.names), result_text(pairing), last, page)

    def _uncounted_row(self, game: ClubGame, reason: Message) -> Row:
        names = {side: self._standings.name_of(who.key) for side, who in game.players.items()}
        if len(names) < len(Side) or not all(names.values()):
            return Row(game.unique_id, 0, Message("{id}", id=game.id.hex()[:8]), reason, "", "")
        page = f"games/{game.unique_id}.html"
        return Row(game.unique_id, 0, pair_text(names), reason, game.last, page)

    # --- pages

    def _write_game(
        self, game: ClubGame, row: Row, data: bytes, board: str, proved: Markup
    ) -> None:
        folder = f"games/{row.id}"
        evidence = [proof.evidence for proof in game.accusations if proof.evidence]
        for number, proof in enumerate(evidence, 1):
            self._write(f"{folder}-evidence-{number}.toml", proof)
        self._write(f"{folder}-board.html", board)
        if self._club.verify:
            self._write(f"{folder}.toml", data)
        self._render(
            row.page,
            "club_game.html",
            title=row.title,
            result=row.result,
            rules=rules_name(game.edition, game.house_rules),
            duration=Message.counted(
                "{count} turn, from {first} to {last}",
                "{count} turns, from {first} to {last}",
                sum(game.turns.values()),
                first=day_in_numbers(game.first),
                last=day_in_numbers(game.last),
            ),
            board=f"{row.id}-board.html",
            file=f"{row.id}.toml",
            evidence=[f"{row.id}-evidence-{number + 1}.toml" for number in range(len(evidence))],
            verify=self._club.verify,
            proved=proved,
        )

    def _write_member(self, name: str) -> None:
        link, ratings = self._members[name], self._standings.ratings
        self._render(
            link.page,
            "club_member.html",
            title=link.name,
            place=place_text(next(row for row in self._standings.places if row.name == name)),
            keys=[key for key, owner in self._club.names_by_key.items() if owner == name],
            rating=estimate_text(ratings.players[name]) if name in ratings.players else "",
            drawn=draw_curve(ratings.curves[name]) if name in ratings.curves else None,
            games=[self._row(row) for row in self._standings.pairings if row.has(name)],
        )

    def _write_index(self) -> None:
        standings, ratings, club = self._standings, self._standings.ratings, self._club
        begins, ends = (day_in_numbers(f"{day}T12:00:00Z") for day in (club.begins, club.ends))
        names = [place.name for place in standings.places]
        self._render(
            "index.html",
            subtitle=Message("Season from {begins} to {ends}", begins=begins, ends=ends),
            places=[(self._members[place.name], astuple(place)) for place in standings.places],
            ladder=[self._members[name] for name in standings.ladder]
            if club.pairing == LADDER
            else (),
            ratings=[
                (self._members[name], estimate_text(rating), draw_curve(ratings.curves[name]))
                for name, rating in sorted(
                    ratings.players.items(), key=lambda item: -item[1].points
                )
            ],
            sides=[
                (rules_name(*rules), side_text(worth)) for rules, worth in ratings.sides.items()
            ],
            cross=[
                (self._members[name], [self._cross_cell(name, other) for other in names])
                for name in names
            ],
            games=[self._row(row) for row in standings.pairings],
            uncounted=self._uncounted,
        )

    def _cross_cell(self, name: str, other: str) -> str:
        """Return the results of a member against another one, as the British | as the French."""
        parts = [
            " ".join(
                str(int(row.winner is side))
                for row in self._standings.decided
                if (row.names[side], row.names[side.opponent]) == (name, other)
            )
            for side in Side
        ]
        return f"{parts[0]} | {parts[1]}" if any(parts) else ""


def draw_curve(curve: Sequence[CurvePoint]) -> Curve:
    """Return the drawing of a rating with its band of two deviations, by the week."""
    weeks = [date.fromisoformat(point.week).toordinal() for point in curve]
    low = min(point.points - 2 * point.deviation for point in curve) // 100 * 100
    high = -(max(point.points + 2 * point.deviation for point in curve) // -100) * 100
    left, right, height = 44, Curve._field_defaults["width"] - 6, Curve._field_defaults["height"]

    def y(points: float) -> float:
        return float(round(6 + (height - 12) * (high - points) / (high - low), 1))

    # A single week becomes a short line.
    length = weeks[-1] - weeks[0]
    xs = [round(left + (right - left) * (week - weeks[0]) / (length or 1), 1) for week in weeks]
    ends = [*zip(xs, curve, strict=True), *([] if length else [(float(right), curve[0])])]
    upper = [f"{x} {y(point.points + 2 * point.deviation)}" for x, point in ends]
    lower = [f"{x} {y(point.points - 2 * point.deviation)}" for x, point in reversed(ends)]
    line = "L".join(f"{x} {y(point.points)}" for x, point in ends)
    marks = sorted({low, high, *([1500] if low < 1500 < high else [])})
    return Curve(
        f"M{line}",
        f"M{'L'.join((*upper, *lower))}Z",
        [(x, y(point.points)) for x, point in zip(xs, curve, strict=True)],
        [(y(mark), mark) for mark in marks],
    )


def _render_game(id: str, game: ClubGame, code: str, time: str) -> tuple[str, bytes, str, str]:
    """Return the id of a game, its newest file, the page of its board and its audit in words."""
    data, language = read_newest_file(game), Language(code)
    report = audit(data)
    chronicle = Chronicle(Look(report.match))
    scene_list = scenes(chronicle)
    page = render_page(
        chronicle, scene_list, language, DatedAudit(report, time), len(scene_list) - 1
    )
    return id, data, page, str(render_proof(Templates(language), report, time))
