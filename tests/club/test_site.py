"""The site of a club: its links, its figures, hostile names, and its pages in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from axe_playwright_python.sync_playwright import Axe

from engine.sides import Side
from pbem.club import club_site
from pbem.club.club_audit import read_games
from pbem.club.club_file import Club
from pbem.club.club_site import ClubSite, draw_curve
from pbem.club.ratings import CurvePoint
from pbem.club.standings import Standings
from pbem.club.verdicts import ClubGame
from pbem.errors import UsageError
from pbem.play.signing import sign_document
from pbem.protocol.schema import encode_bytes
from pbem.savefile.save_file import EvidenceFile, SaveFile
from pbem.text.language import Language
from tests.board.browser import Scheme, shared_browser
from tests.club.league import ORGANISER, fork, key, make_club, play, rounds, write

NOW, LATER = "2026-06-01T10:00:00Z", "2026-07-01T10:00:00Z"
AUDIT = "https://play.example.org/acres/#/audit"
"""The page of the static application on which anybody can check a file."""
HOSTILE = "<script>alert(1)</script> & 'x\""
MEMBERS = ("Anna", "Béla", HOSTILE)


class Built(NamedTuple):
    """A club, its standings, and the folder with its site."""

    club: Club
    standings: Standings
    out: Path


def build(folder: Path, language: str = "en", time: str = NOW) -> Built:
    club = Club.read(folder / "club.toml")
    rows = read_games([folder / "games"])
    standings = Standings(club, (row for row in rows if isinstance(row, ClubGame)))
    ClubSite(standings, Language(language), folder / "site", time).write(1)
    return Built(club, standings, folder / "site")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A club with a finished, a provisional and a running game, and one with a stranger."""
    folder = tmp_path_factory.mktemp("club")
    more = rounds(("Anna", "Béla"), (HOSTILE, "Anna"), ("Béla", HOSTILE), ("Béla", "Anna"))
    verify = '"https://play.example.org/acres/"'
    make_club(folder, *MEMBERS, pairing='"swiss"', more=more, verify=verify)
    write(folder, "one", play("Anna", "Béla", until=0))
    write(folder, "two", play(HOSTILE, "Anna", winner=Side.FRENCH, closers=1))
    write(folder, "three", play("Béla", HOSTILE, until=5))
    write(folder, "four", play("Anna", "Mallory", winner=Side.FRENCH))
    return build(folder)


class Page(HTMLParser):
    """The links of a page, its ids, and its visible text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "action")]

    def handle_data(self, data: str) -> None:
        self.text += data


def own_pages(out: Path) -> list[Path]:
    """Return the pages of the club, without those of boards."""
    return [path for path in out.rglob("*.html") if not path.name.startswith("game-")]


@pytest.mark.slow
def test_every_link_leads_to_a_file_of_the_site(built: Built) -> None:
    pages = own_pages(built.out)
    # The index and three members.
    assert len(pages) == 4
    boards = {link for path in pages for link in Page(path).links if link.startswith("game-")}
    assert len({link for link in boards if link.endswith(".html")}) == 3
    for path in pages:
        for link in Page(path).links:
            if link != AUDIT:
                assert not re.match(r"[a-z]+:|/", link), f"{path.name}: {link}"
                assert (path.parent / link).is_file(), f"{path.name}: {link}"


@pytest.mark.slow
def test_names_are_text_on_every_page(built: Built) -> None:
    for path in (*own_pages(built.out), *built.out.rglob("game-*.html")):
        assert "<script>alert" not in path.read_text(encoding="utf-8"), path.name
    for path in own_pages(built.out):
        assert "script" not in Page(path).tags
    feed = ElementTree.parse(built.out / "feed.xml").getroot()
    texts = [element.text or "" for element in feed.iter()]
    assert any("<script>alert(1)</script>" in text for text in texts)


@pytest.mark.slow
def test_figures_have_their_numbers_of_games(built: Built) -> None:
    index = Page(built.out / "index.html").text
    assert re.search(r"\d+ ± \d+ \(games: 2\)", index)
    assert re.search(r"\d+ % of games won, probably \d+ to \d+ % \(games: 2\)", index)
    assert f"Mallory has no member’s key: {key('Mallory')}" in index
    assert "provisional, until both have closed it" in index
    assert "in progress" in index
    assert "The ladder" not in index
    assert "What does not count" in index


@pytest.mark.slow
def test_a_game_has_its_board_its_audit_and_its_file(built: Built) -> None:
    links = Page(built.out / "index.html").links
    games = [row.game for row in built.standings.pairings if row.game]
    assert links.count(AUDIT) == len(games) == 3
    for game in games:
        board, file = (f"game-{game.unique_id}.{suffix}" for suffix in ("html", "toml"))
        assert {board, file} <= {*links}
        assert (built.out / file).read_bytes() == Path(game.files[0]).read_bytes()
        page = Page(built.out / board)
        assert "checked: " in page.text
        assert game.id.hex() in page.text


@pytest.mark.slow
def test_the_feed_has_the_results_the_newest_first(built: Built) -> None:
    atom = "{http://www.w3.org/2005/Atom}"
    feed = ElementTree.parse(built.out / "feed.xml").getroot()
    entries = feed.findall(f"{atom}entry")
    updated = [entry.findtext(f"{atom}updated") or "" for entry in entries]
    assert len(entries) == 2
    assert updated == sorted(updated, reverse=True)
    assert feed.findtext(f"{atom}updated") == updated[0]
    assert len({entry.findtext(f"{atom}id") for entry in entries}) == 2


@pytest.mark.slow
def test_a_signature_is_published_if_it_fits(built: Built) -> None:
    folder = built.club.path.parent
    document = (built.out / "standings.json").read_bytes()
    assert json.loads(document)["club"] == "Lake Champlain"
    for signed, is_published in ((document + b"x", False), (document, True)):
        text = encode_bytes(sign_document(signed, ORGANISER))
        (folder / "standings.json.sig").write_text(text, encoding="ascii")
        out = build(folder).out
        assert (out / "standings.json.sig").exists() is is_published
        assert ("standings.json.sig" in Page(out / "index.html").links) is is_published


@pytest.mark.slow
def test_a_cheated_game_is_shown_with_the_evidence(tmp_path: Path) -> None:
    make_club(tmp_path, "Anna", "Béla")
    for name, game in zip(("one", "two"), fork("Anna", "Béla"), strict=True):
        write(tmp_path, name, game)
    built = build(tmp_path)
    page = Page(built.out / "index.html")
    assert "The evidence of two different turns" in page.text
    (evidence,) = (link for link in page.links if link.endswith(".toml"))
    EvidenceFile.read((built.out / evidence).read_bytes()).evidence.check()
    assert "a player signed two different turns" in page.text
    assert "The ladder" in page.text


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    club = make_club(tmp_path, "Anna", "Béla")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("mine")
    with pytest.raises(UsageError, match="has other files in it"):
        ClubSite(Standings(club, []), Language("en"), tmp_path / "site", NOW)
    with pytest.raises(UsageError, match=r"club\.toml cannot be written"):
        ClubSite(Standings(club, []), Language("en"), club.path, NOW)


def test_no_link_is_followed_out_of_the_site(tmp_path: Path) -> None:
    club = make_club(tmp_path, "Anna", "Béla")
    out, mine = build(tmp_path).out, tmp_path / "mine.html"
    mine.write_text("mine")
    for name in ("index.html", f"member-{key('Anna')}.html", f"member-{'a' * 64}.html"):
        (out / name).unlink(missing_ok=True)
        (out / name).symlink_to(mine)
    ClubSite(Standings(club, []), Language("en"), out, NOW).write(1)
    assert mine.read_text() == "mine"
    assert not (out / "index.html").is_symlink()
    assert not (out / f"member-{'a' * 64}.html").is_symlink()


def test_a_curve_stays_within_its_picture() -> None:
    points = [CurvePoint("2026-01-05", 1510, 200), CurvePoint("2026-02-02", 1720, 90)]
    for curve, marks in ((points, (2000, 1100)), (points[1:], (1900, 1500))):
        drawn = draw_curve(curve)
        assert drawn["marks"] == marks
        left, top, width, height = map(int, str(drawn["box"]).split())
        assert (left, top, top + height) == (0, -marks[0], -marks[1])
        for kind in ("mean", "band", "line", "dots"):
            numbers = [*map(int, re.findall(r"-?\d+", str(drawn[kind]).replace("h0", "")))]
            if kind != "mean":
                assert all(0 <= x <= width for x in numbers[::2])
            assert all(top <= y <= top + height for y in numbers[1::2])
    assert draw_curve(points)["line"] == "M0 -1510L28 -1720"
    assert draw_curve(points)["band"] == "M0 -1910L28 -1900L28 -1540L0 -1110Z"
    assert draw_curve(points)["dots"] == "M0 -1510h0M28 -1720h0"
    # The mean is within the picture of whoever never comes near it.
    assert draw_curve([CurvePoint("2026-01-05", 1900, 50)])["marks"] == (2000, 1500)
    assert draw_curve([CurvePoint("2026-01-05", 1100, 50)])["marks"] == (1500, 1000)


@pytest.mark.slow
def test_only_what_has_changed_is_made_again(tmp_path: Path) -> None:
    games = [play("Anna", "Béla", until=5), play("Béla", "Chloé", winner=Side.FRENCH, closers=0)]
    make_club(tmp_path, "Anna", "Béla", "Chloé", verify='"https://play.example.org"')
    for name, game in zip(("one", "two"), games, strict=True):
        write(tmp_path, name, game)
    file = tmp_path / "games" / "one.toml"
    file.write_bytes(SaveFile(tuple(games[0].match.records[:-1])).write())
    built = build(tmp_path)
    rows = sorted(built.standings.pairings, key=lambda row: row.winner is not None)
    out, ids = built.out, [f"game-{row.id}.html" for row in rows]
    texts = [(out / id).read_bytes() for id in ids]

    def boards_made(**changes: str) -> list[bool]:
        build(tmp_path, **changes)
        new = [(out / id).read_bytes() for id in ids]
        made = [one != other for one, other in zip(texts, new, strict=True)]
        texts[:] = new
        return made

    # The time of the audit is on the board.
    assert boards_made(time=LATER) == [False, False]
    write(tmp_path, "one", games[0])
    assert boards_made(time=LATER) == [True, False]
    published = out / ids[0].replace(".html", ".toml")
    assert published.read_bytes() == file.read_bytes()
    assert boards_made(language="fr", time=LATER) == [True, True]
    (out / ids[1]).write_text("<p>cut off", encoding="utf-8")
    assert boards_made(language="fr", time=NOW) == [False, True]
    assert "<p>cut off" not in (out / ids[1]).read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_stopped_site_goes_on(tmp_path: Path) -> None:
    club = make_club(tmp_path, "Anna", "Béla")
    for number in (4, 5):
        write(tmp_path, str(number), play("Anna", "Béla", until=number))
    rows = read_games([tmp_path / "games"])
    standings = Standings(club, (row for row in rows if isinstance(row, ClubGame)))
    drawn: list[int] = []

    def stop_after_one(numbers: Sequence[int]) -> Iterator[int]:
        drawn.append(len(numbers))
        yield from numbers[:1]
        if len(numbers) > 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ClubSite(standings, Language("en"), tmp_path / "site", NOW).write(1, stop_after_one)
    for _ in range(2):
        ClubSite(standings, Language("en"), tmp_path / "site", NOW).write(1, stop_after_one)
    assert drawn == [2, 1, 0]
    assert (tmp_path / "site" / "index.html").is_file()


@pytest.mark.slow
def test_another_version_makes_everything_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_club(tmp_path, "Anna", "Béla")
    write(tmp_path, "one", play("Anna", "Béla", until=4))
    built = build(tmp_path)
    board = built.out / f"game-{built.standings.pairings[0].id}.html"
    before = board.read_bytes()
    monkeypatch.setattr(club_site, "VERSION", "9.9")
    build(tmp_path, time=LATER)
    assert board.read_bytes() != before


@pytest.mark.slow
def test_pages_of_vanished_games_and_members_go_and_nothing_else(tmp_path: Path) -> None:
    make_club(tmp_path, "Anna", "Béla", "Chloé", verify='"https://play.example.org"')
    path = write(tmp_path, "one", play("Anna", "Béla", until=4))
    out = build(tmp_path).out
    before = {*out.iterdir()}
    mine = [out / "CNAME", out / "game-rules.html", out / "game-1.toml", out / "pictures" / "a.png"]
    mine[-1].parent.mkdir()
    for file in mine:
        file.write_text("mine")
    path.unlink()
    make_club(tmp_path, "Béla", "Chloé")
    build(tmp_path)
    gone = {file for file in before if file.name.startswith("game-")}
    assert len(gone) == 2
    assert before - {*out.iterdir()} == {*gone, out / f"member-{key('Anna')}.html"}
    assert all(file.read_text() == "mine" for file in mine)


@pytest.mark.slow
def test_files_are_unpublished_with_the_address_for_checks(tmp_path: Path) -> None:
    write(tmp_path, "one", play("Anna", "Béla", until=4))
    for verify in ('""', '"https://play.example.org"', '""'):
        values = {} if verify == '""' else {"verify": verify}
        make_club(tmp_path, "Anna", "Béla", **values)
        out = build(tmp_path).out
        assert len([*out.glob("game-*.toml")]) == len(values)
        assert len([*out.glob("game-*.html")]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible_and_ask_nobody(built: Built, scheme: Scheme) -> None:
    """No violation of axe-core, no request elsewhere, no message, nothing too wide for a phone."""
    with shared_browser().new_context(
        color_scheme=scheme, viewport={"width": 390, "height": 844}
    ) as context:
        page = context.new_page()
        requests: list[str] = []
        complaints: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        for path in own_pages(built.out):
            page.goto(path.as_uri())
            assert (
                page.evaluate("getComputedStyle(document.body).backgroundColor")
                != "rgba(0, 0, 0, 0)"
            )
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, path.name
        assert complaints == []
        assert all(url.startswith((built.out.as_uri(), "data:")) for url in requests)
        for path in own_pages(built.out):
            page.goto(path.as_uri())
            assert Axe().run(page).response["violations"] == [], path.name
