"""Templates filled in a player's language: all that comes from outside is escaped."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pbem.text.language import Language
from pbem.text.phrases import signed

_FOLDER = Path(__file__).parent


class Templates:
    """The templates of the board, in which `say` says a message in a language.

    Those in the folder `also` stand before them.
    """

    def __init__(self, language: Language, also: Path | None = None) -> None:
        self.language = language
        self._environment = _environment(also)

    def fill(self, template: str, /, **facts: object) -> Markup:
        """A template of `templates/` about these facts, as markup."""
        # Said each time, and no part of the environment: each template is compiled once for all.
        found = self._environment.get_template(template)
        return Markup(found.render(facts, say=self.language.say))


def asset(name: str) -> str:
    """The text of a file of `assets/`, as it stands."""
    return _FOLDER.joinpath("assets", name).read_text(encoding="utf-8")


@cache
def _environment(also: Path | None) -> Environment:
    environment = Environment(
        loader=FileSystemLoader([*filter(None, [also]), _FOLDER / "templates"]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Filled by thousands: nobody looks each time whether the file has changed.
        auto_reload=False,
    )
    # A minus is as wide as a plus, which a hyphen is not.
    environment.filters["signed"] = lambda number: signed(number).replace("-", "−")
    return environment
