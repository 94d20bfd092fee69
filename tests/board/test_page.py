"""The page of a game: self-contained, equal to the engine's game, and isolated."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from markupsafe import Markup, escape

from engine.position import score
from engine.sides import Side
from pbem.board.templates import fill_frame
from pbem.play.game_file import GameFile
from pbem.play.look import Look
from pbem.protocol.hand import positions
from pbem.protocol.match import Match
from pbem.text.board import position_text
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import scenes
from pbem.text.history.log import Log
from pbem.text.language import NAMES, Language
from pbem.text.phrases import names
from tests.board.pages import Page, page_of
from tests.play.matches import any_order, begin, play
from tests.sample import sample

SAVES = Path(__file__).parents[2] / "saves" / "practice"
MAX_BYTES = 400_000
"""The maximum size of the page of a game of 120 turns, in bytes."""
DEFERRED_IDS = {"faces-of-cards", "words-on-cards", "graph-table", "turns"}
"""The ids of the parts that only a script shows."""


@pytest.fixture(scope="module")
def match() -> Match:
    return GameFile.read((SAVES / "game-130.toml").read_bytes()).match


@pytest.fixture(scope="module")
def page(match: Match) -> Page:
    return Page(page_of(match))


# --- isolation


@pytest.mark.slow
def test_policy_allows_only_the_scripts_and_styles_of_the_page(page: Page) -> None:
    (policy,) = [
        node.attributes["content"]
        for node in page.tagged("meta")
        if node.attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    allowed = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert allowed["default-src"] == "'none'"
    assert allowed["base-uri"] == allowed["form-action"] == "'none'"
    style, script = re.search(r"<style>(.*?)</style>", page.html, re.S), page.html
    assert style is not None
    (code,) = re.findall(r"<script>(.*?)</script>", script, re.S)
    assert allowed["style-src"] == f"'{_hash(style[1])}'"
    assert allowed["script-src"] == f"'{_hash(code)}'"
    assert set(allowed) <= {
        *("default-src", "style-src", "script-src", "img-src"),
        *("font-src", "base-uri", "form-action"),
    }
    assert {allowed.get("img-src", "data:"), allowed.get("font-src", "data:")} == {"data:"}


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def test_no_element_has_a_handler_style_or_foreign_address(page: Page) -> None:
    texts = {text for scene in page.scenes for text in scene.values()}
    for part in (page, *(Page(f"<body>{text}</body>") for text in texts)):
        for node in part.all:
            for name, value in node.attributes.items():
                assert not name.startswith("on") and name != "style", (node.tag, name)
                if name in ("href", "src", "action", "xlink:href"):
                    assert value.startswith(("#", "data:")), value
            assert node.tag not in ("iframe", "object", "embed", "form", "base", "link")


def test_styles_load_nothing(page: Page) -> None:
    (style,) = [node.text for node in page.tagged("style")]
    assert "@import" not in style
    assert all(url.startswith(("data:", "#")) for url in re.findall(r"url\([\"']?([^)]*)", style))


# --- content


@pytest.mark.slow
def test_scene_has_the_text_of_the_plain_screen(match: Match, page: Page) -> None:
    played, english = scenes(Chronicle(Look(match))), Language("en")
    assert len(played) == len(page.scenes)
    for scene, parts in zip(played, page.scenes, strict=True):
        message = position_text(english, scene.state, scene.facts, names(scene.state))
        lines = [" ".join(english.say(line.text).split()) for line in message if line.text]
        texts = [Page(text).all for id, text in parts.items() if id.startswith("line-") and text]
        assert [node.text for (node,) in texts][: len(lines)] == lines


def test_turns_have_the_text_of_the_log(match: Match, page: Page) -> None:
    log = list(Log(Chronicle(Look(match))).sections())
    turns = Page(f"<ol>{page.scenes[0]['turns']}</ol>")
    links = turns.tagged("a")
    assert [link.text for link in links] == [str(section.heading) for section in log]
    assert [link.attributes["href"] for link in links] == [f"#turn={n}" for n in range(len(log))]
    (*_, text) = [node.text for node in turns.tagged("ol")]
    assert all(" ".join(str(line).split()) in text for section in log for line in section.lines)


def test_points_and_money_are_those_of_the_engine(match: Match, page: Page) -> None:
    (*_, (_, state)) = positions(match)
    for side in Side:
        assert page.scenes[-1][f"points-{side.value}"] == str(score(state, side).total)
        assert page.scenes[-1][f"money-{side.value}"] == str(state.players[side].money)
    cells = [cell.text for cell in Page(page.scenes[0]["graph-table"]).tagged("td")]
    both_sides = [(key, side) for key in ("points", "money") for side in Side]
    text = [scene[f"{key}-{side.value}"] for scene in page.scenes for key, side in both_sides]
    assert cells == text


@pytest.mark.slow
def test_requested_position_is_shown_without_scripts(match: Match, page: Page) -> None:
    for static, turn in ((page, len(page.scenes) - 1), (Page(page_of(match, turn=41)), 41)):
        body = static.html.partition('<script type="text/plain"')[0]
        for id, text in page.scenes[turn].items():
            if id in DEFERRED_IDS:
                continue
            assert re.search(rf'id="{id}"[^<>]*>{re.escape(text)}</', body), id
        assert static.by_id("slider").attributes["value"] == str(turn)
        assert static.by_id("turn-heading").text.startswith(f"Turn {turn}:")


def test_headings_and_landmarks_are_in_order(page: Page) -> None:
    levels = [int(item.tag[1]) for item in page.tagged("h1", "h2", "h3", "h4")]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert len(page.tagged("main")) == len(page.tagged("header")) == 1
    # These replace some faces, and the names of cards without texts.
    long_parts = DEFERRED_IDS - {"faces-of-cards", "words-on-cards"}
    deferred = [item for id in long_parts for item in Page(page.scenes[0][id]).all]
    ids = [item.attributes["id"] for item in [*page.all, *deferred] if "id" in item.attributes]
    assert len(ids) == len(set(ids))
    for node in page.all:
        for name in ("aria-labelledby", "aria-describedby", "for"):
            assert all(id in ids for id in node.attributes.get(name, "").split())


@pytest.mark.slow
@pytest.mark.parametrize("code", sample(NAMES, first=1))
def test_page_declares_its_language(match: Match, code: str) -> None:
    page = page_of(match, code=code)
    assert page.startswith(f'<!doctype html>\n<html lang="{code}">')
    assert len(page.encode()) < MAX_BYTES


def test_page_lists_keys_and_proofs(match: Match, page: Page) -> None:
    text = page.html.partition('class="proved"')[2]
    for entrant in match.entrants.values():
        assert entrant.key[:8].hex(" ", 2) in text
    assert match.id.hex() in text
    assert "Everything in this file is proved." in text
    assert "2026-11-22T12:00:00Z" in text


def test_new_game_has_a_page() -> None:
    match = begin(3, lists=2)
    assert Page(page_of(match)).by_id("slider").attributes["max"] == "0"
    match = play(match, any_order(Random(3)), turns=1, seed=3)
    assert len(Page(page_of(match)).scenes) >= 1


def test_part_without_a_place_is_an_error() -> None:
    with pytest.raises(LookupError):
        fill_frame(Markup('<p id="here"></p>'), {"nowhere": Markup("told")})


def test_text_like_a_placeholder_is_not_filled() -> None:
    frame = Markup('<p id="one"></p><p id="two"></p>')
    text = {"one": Markup(escape('<p id="two"></p>')), "two": Markup("told")}
    assert fill_frame(frame, text).endswith('<p id="two">told</p>')


def test_curve_label_says_end_or_now(page: Page) -> None:
    running = Page(page_of(GameFile.read((SAVES / "game-041.toml").read_bytes()).match))
    for node, text, other_page in ((page, "in the end", "now"), (running, "now", "in the end")):
        curves = [label for label in labels(node) if " to begin with, " in label]
        assert len(curves) == 2
        assert all(f" {text}, " in curve and f" {other_page}, " not in curve for curve in curves)


def labels(page: Page) -> list[str]:
    return [node.attributes["aria-label"] for node in page.all if "aria-label" in node.attributes]


def test_page_without_scripts_has_its_card_faces(match: Match) -> None:
    page = page_of(match, turn=41)
    static = Page(page)
    drawn = {node.attributes["id"] for node in static.all if "id" in node.attributes}
    used = {node.attributes["href"] for node in static.tagged("use") if "href" in node.attributes}
    assert {use.removeprefix("#") for use in used} <= drawn
    assert any(use.startswith("#card-") for use in used - {"#card-map"})
    all_faces = Page(page).scenes[0]["faces-of-cards"]
    assert all_faces.count('<g id="head-') > sum("head-" in id for id in drawn)
