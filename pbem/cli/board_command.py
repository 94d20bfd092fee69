"""The command `acres board`: games in a browser, a game as a page, a position as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

from pbem.board.page import DatedAudit, render_page
from pbem.board.picture import DEFAULT_WIDTH, render_png, render_svg
from pbem.cli import console
from pbem.cli.analyse_command import analyse_with_progress, check_can_analyse
from pbem.cli.app import current_app
from pbem.cli.completion import turns
from pbem.cli.file_argument import (
    look_as_player,
    open_incoming,
    optional_file,
    read_checking,
    resolve_file,
    warn_of_game,
)
from pbem.cli.options import flag, number_option, option
from pbem.errors import UsageError, VerificationError
from pbem.foreign import display_path
from pbem.play.analysis import Analysis
from pbem.play.audit import AuditReport, audit
from pbem.play.incoming import STANDARD_INPUT
from pbem.play.look import Look
from pbem.play.signing import check_new
from pbem.protocol.match import ProgressCallback
from pbem.savefile.disk import reserve_file, within
from pbem.sources import now
from pbem.text.facts.chronicle import Chronicle
from pbem.text.facts.position_facts import scenes

MAX_PX = 8000
"""The maximum width of a picture in pixels; larger ones take too long, and no forum shows them."""

BoardFile = Annotated[
    Path | None,
    optional_file(
        "The file your opponent sent, or the message with it. Without it: all your games."
    ),
]
ToPage = Annotated[Path | None, option("OUT.html", "Write the whole game as a page.", "--page")]
ToSvg = Annotated[Path | None, option("OUT.svg", "Write one position as a drawing.", "--svg")]
ToPng = Annotated[Path | None, option("OUT.png", "Write one position as a picture.", "--png")]
Width = Annotated[
    int | None,
    number_option(
        "--width",
        "How many pixels wide that picture is. Default: 1600.",
        metavar="PX",
        limit=MAX_PX,
    ),
]
AtTurn = Annotated[
    int | None,
    number_option(
        "--turn",
        "The position after turn N, 0 for the start. Default: the current one.",
        autocompletion=turns,
    ),
]
WithMyCards = Annotated[
    bool, flag("--with-my-cards", "Show your hand, which nobody else knows, on the page.")
]
WithAnalysis = Annotated[
    bool,
    flag(
        "--analysis",
        "Show on the page who was ahead and when, and what decided the game, as acres analyse "
        "does; that takes about a minute for a long game on two cores.",
    ),
]
Watch = Annotated[
    list[Path] | None,
    option(
        "DIR",
        "Where you save files from your opponents: new ones show up automatically.",
        "--watch",
    ),
]
Port = Annotated[
    int | None,
    number_option(
        "--port", "The port of the pages, to forward it through ssh. Default: any.", limit=65535
    ),
]
NoBrowser = Annotated[bool, flag("--no-browser", "Only print the address: open no browser.")]


def board(
    file: BoardFile = None,
    to_page: ToPage = None,
    to_svg: ToSvg = None,
    to_png: ToPng = None,
    width: Width = None,
    turn: AtTurn = None,
    with_my_cards: WithMyCards = False,
    analysis: WithAnalysis = False,
    watch: Watch = None,
    no_browser: NoBrowser = False,
    port: Port = None,
) -> None:
    """Play in your browser; or write a page of a game, or a picture of a position.

    With nothing else given, your games open in the browser, and with FILE that game; nobody else
    can see them. What is written shows only what is public. A page needs nothing else and contacts
    nobody: you can mail it or put it on the web, and step through the game in it turn by turn.

    $ acres board --watch ~/Downloads  # to play in your browser
    $ acres board game.toml --page game.html  # to be opened in a browser
    $ acres board game.toml --page game.html --analysis  # and what decided it
    $ acres board game.toml --png game.png --turn 41  # turn 41, for a forum
    """
    paths = [path for path in (to_page, to_svg, to_png) if path]
    if not paths and width is None and turn is None and not with_my_cards and not analysis:
        # Imported lazily: the web framework takes long to import.
        from pbem.cli.board_server import play

        file = resolve_file(file) if file is not None else None
        play(file, watch or [], port, open_browser=not no_browser)
        return
    if watch or no_browser or port is not None:
        raise UsageError(
            "--watch, --port and --no-browser are for playing in the browser: leave the file out."
        )
    if width is not None and to_png is None:
        raise UsageError("--width is for a picture: name one with --png, or leave it out.")
    if with_my_cards and to_page is None:
        raise UsageError("--with-my-cards belongs to --page: a picture shows no hand.")
    if analysis and to_page is None:
        raise UsageError(
            "--analysis belongs to --page: name one, or use {command}.",
            command=f"{current_app().command} analyse FILE",
        )
    source = resolve_file(file)
    usual = Path("game") if source == Path(STANDARD_INPUT) else source
    outputs = ((to_page, ".html"), (to_svg, ".svg"), (to_png, ".png"))
    to_page, to_svg, to_png = (to and within(to, usual.with_suffix(end)) for to, end in outputs)
    _check_paths([path for path in (to_page, to_svg, to_png) if path])
    report = _audit_file(source)
    match, language = report.match, console.language()
    if not match.is_joined:
        raise UsageError("This is an invitation: there will be a board once it is accepted.")
    chronicle = Chronicle(look_as_player(match) if with_my_cards else Look(match))
    scene_list = scenes(chronicle)
    scene = scene_list[chronicle.last if turn is None else chronicle.turn(turn).number]
    contents: dict[Path, bytes] = {}
    if to_page:
        dated_audit = DatedAudit(report, now())
        judgement = _analysis(chronicle) if analysis else None
        html = render_page(chronicle, scene_list, language, dated_audit, scene.number, judgement)
        contents[to_page] = html.encode()
    if to_svg:
        contents[to_svg] = render_svg(scene, match, language).encode()
    if to_png:
        contents[to_png] = render_png(scene, match, language, width or DEFAULT_WIDTH)
    _write(contents)
    if to_page:
        console.say("Open the page in a browser; it needs nothing else.")


def _audit_file(file: Path) -> AuditReport:
    """Return the audit of a valid file. Raises the same errors as `read_game`."""
    incoming, store = open_incoming(file), current_app().store

    def read(data: bytes, progress: ProgressCallback) -> AuditReport:
        report = audit(data, progress)
        if report.finding is not None:
            raise VerificationError(report.finding)
        if store is not None:
            store.defer_note(report.match, incoming.path)
        return report

    report = read_checking(incoming, read)
    warn_of_game(report.match)
    return report


def _analysis(chronicle: Chronicle) -> Analysis:
    """Analyse a game with the hands on the page. Raises UsageError if it shows none."""
    match, viewer = chronicle.match, chronicle.viewer
    if viewer is None:
        # The key only selects the error, so nothing has to prove it.
        key = current_app().home.own_key
        viewer = next((side for side, player in match.entrants.items() if player.key == key), None)
    check_can_analyse(match, viewer)
    if not chronicle.known_cards:
        raise UsageError(
            "The page shows nobody's hand, and nothing can be analysed without one: wait until the "
            "game is closed, or let it show yours with {option}.",
            option="--with-my-cards",
        )
    return analyse_with_progress(match, [*chronicle.known_cards.values()])


def _check_paths(paths: Sequence[Path]) -> None:
    """Raise UsageError unless these paths are different new files, one at least."""
    if not paths:
        raise UsageError("Say what to write, such as --page game.html or --png game.png.")
    for path in paths:
        check_new(path)
    if len({path.resolve() for path in paths}) < len(paths):
        raise UsageError("One file cannot be two things: give each a name of its own.")


def _write(pages: dict[Path, bytes]) -> None:
    """Write these new files, all of them, or none if there is not enough room."""
    with ExitStack() as stack:
        files = [stack.enter_context(reserve_file(path, len(data))) for path, data in pages.items()]
        for file in files:
            file.commit(pages[file.path])
            console.note_file(file.path)
    console.say("Written:")
    for path in pages:
        console.say_verbatim(f"  {display_path(path)}")
