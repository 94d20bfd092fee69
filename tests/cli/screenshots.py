"""The pictures of the README: `python -m tests.cli.screenshots` draws them again into docs/.

Each is the screen of a terminal, drawn by rich as an SVG without external fonts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import unescape
from io import StringIO
from itertools import groupby
from pathlib import Path
from re import findall, split, sub
from tempfile import TemporaryDirectory

from pyte.screens import Char
from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text

from tests.cli.commands import ROOT, copy_practice_save
from tests.cli.screen import Row, Terminal, is_faint, text_of

FOLDER = ROOT / "docs" / "pictures"
# Six tenths of the height, as in all common fonts for terminals, so that lines join.
ASPECT = 0.6
HEIGHT = 20
"""The height of a character in a picture, in pixels, as in rich."""
BLANK = Char(" ")
NOTHING = r' clip-path="[^"]*"|<text [^>]*>\n</text>'
"""Needless parts of rich's SVG: the clipping of lines, and line breaks."""
RUN = r'<text class="[^"]*-r\d+" x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>'
_NAMES = {"brown": "yellow"}
_BASIC = ["black", "red", "green", "brown", "blue", "magenta", "cyan", "white"]
BASIC = {name: _NAMES.get(name, name) for name in _BASIC} | {
    f"bright{name}": f"bright_{_NAMES.get(name, name)}" for name in _BASIC
}
"""The colours of a terminal, from pyte's names to rich's."""
TEMPLATE = """\
<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{
font-family: "DejaVu Sans Mono", Menlo, "Cascadia Mono", Consolas, monospace;
font-size: {char_height}px;
}}
.{unique_id}-title {{ font: bold 16px sans-serif; }}
{styles}
</style>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


@dataclass(frozen=True)
class Picture:
    """A terminal, the keys pressed in it, and the name of its picture.

    The British of the old practice game use it after some records of the game.
    """

    name: str
    command: str
    columns: int
    records: int
    drive: Callable[[Terminal], object] = Terminal.wait_for_exit
    rows: int = 100

    def take(self) -> list[Text]:
        """Run the command, and return the lines on the screen."""
        with TemporaryDirectory() as name:
            folder = Path(name)
            copy_practice_save(self.records, folder)
            terminal = Terminal.acres(
                *self.command.split()[1:],
                folder=folder,
                columns=self.columns,
                rows=self.rows,
                ACRES_HOME="british",
                FORCE_COLOR="1",
            )
            with terminal:
                self.drive(terminal)
                rows = terminal.cells[-self.rows :]
                while not text_of(rows[-1]):
                    rows.pop()
                return [_styled_text(row) for row in rows]

    def draw(self) -> str:
        """Return the picture as an SVG."""
        console = Console(record=True, width=self.columns, file=StringIO())
        console.print(Text(f"$ {self.command}", "bold"))
        for line in self.take():
            console.print(line, no_wrap=True, overflow="crop")
        svg = console.export_svg(
            title="acres", code_format=TEMPLATE, font_aspect_ratio=ASPECT, unique_id=self.name
        )
        return sub(NOTHING, "", svg)


def lead(terminal: Terminal) -> None:
    """Reinforce a siege by numbers, and begin to type the next order."""
    for prompt, keys in (("> ", ["5", "enter"]), ("> ", ["d"])):
        terminal.wait_at(prompt)
        terminal.press(*keys)
    terminal.settle()


PICTURES = [
    Picture("position", "acres turn show game-067.toml", 100, 68),
    Picture("turn", "acres turn apply game-063.toml", 80, 64, lead, rows=60),
    Picture("log", "acres log game-067.toml --from 45", 80, 68),
]


def texts(svg: str) -> list[str]:
    """Return the lines of text in a picture, without colours and fonts."""
    lines: dict[float, str] = {}
    for x, y, text in findall(RUN, svg):
        line = lines.get(float(y), "")
        column = round(float(x) / (HEIGHT * ASPECT))
        lines[float(y)] = line + " " * (column - cell_len(line)) + unescape(text)
    return [line.replace("\xa0", " ").rstrip() for line in lines.values()]


def main() -> None:
    """Draw all pictures into their folder."""
    FOLDER.mkdir(exist_ok=True)
    for picture in PICTURES:
        file = FOLDER / f"{picture.name}.svg"
        file.write_text(picture.draw(), encoding="utf-8")
        print(file.relative_to(ROOT))


def _styled_text(row: Row) -> Text:
    cells = [row.get(column, BLANK) for column in range(max(row, default=-1) + 1)]
    line = Text()
    for style, run in groupby(cells, key=_style):
        # Gaps are separate, so that each word starts at its column in every renderer.
        for part in split(r"( {2,}|^ | $)", "".join(cell.data for cell in run)):
            line.append(part, style)
    line.rstrip()
    return line


def _style(cell: Char) -> Style:
    return Style(
        color=_colour(cell.fg),
        bgcolor=_colour(cell.bg),
        bold=cell.bold,
        dim=is_faint(cell),
        italic=cell.italics,
        underline=cell.underscore,
        reverse=cell.reverse,
    )


def _colour(name: str) -> str | None:
    """Return the name in rich of a colour of pyte."""
    if name == "default":
        return None
    if name in BASIC:
        return BASIC[name]
    return f"#{name}"


if __name__ == "__main__":
    main()
