"""What a player looks up in the middle of a turn: the pages of the commands, of this position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from engine.ways import MOST_TRIED, Ways
from pbem.cli import console
from pbem.cli.own_home import program
from pbem.cli.pager import FROM_BEGINNING, paged
from pbem.errors import WrongUse
from pbem.play.answer import Answer
from pbem.view.hindrances import why_not
from pbem.view.obstacles import Explanation
from pbem.view.selection import Selection
from pbem.words.language import Language
from pbem.words.lines import Line
from pbem.words.naming import likelier, meanings
from pbem.words.ordering.explanation import asked_about, verdict, why_told
from pbem.words.ordering.led_turn import nothing_to_look_up, spoken_word
from pbem.words.ordering.selecting import why_not_told
from pbem.words.ordering.suggestion import Suggestion
from pbem.words.phrases import names
from pbem.words.rules import lookup
from pbem.words.rules.pages import Ground
from pbem.words.rules.present import Present
from pbem.words.rules.topic import titles_by_word

Page = Callable[[Language, str, Ground], Iterator[Line]]
PAGES: Mapping[str, Page] = {
    "rules": lookup.page,
    "card": lookup.card,
    "location": lookup.location,
    "help": lookup.anything,
}


def look_up(answer: Answer, word: str, what: str) -> None:
    """Print what there is to know of what is named behind a word, or why an order is not possible.

    Where it is nothing that is known, that is said.
    """
    try:
        lines = list(_told(answer, word, what))
    except WrongUse as error:
        console.say(error.said, style="yellow")
        return
    with paged(FROM_BEGINNING):
        console.say_lines(lines)


def _told(answer: Answer, word: str, what: str) -> Iterable[Line]:
    language, side, name = console.language(), answer.seat.side, names(answer.match.state)
    if not what and word != "rules":
        return [Line(nothing_to_look_up(word, name))]
    if word == "why":
        return _why(answer, asked_about(language, answer.worlds, side, what))
    view = answer.view()
    return PAGES[word](language, what, Ground(view.ruleset, Present(view, side), "", program()))


def _why(answer: Answer, found: Explanation) -> Iterator[Line]:
    """What stands in the way of an order; of one without its cards, which cards are missing."""
    said, worlds = found.said, answer.worlds
    lacks_cards = found.order is None and said.location is not None and not said.cards
    if lacks_cards and not found.is_for_later and Ways(worlds).orders(said, MOST_TRIED) == []:
        yield Line(verdict(found))
        key = f"location:{said.location}"
        reasons = why_not(worlds, found.side, Selection(said.kind), key)
        for line in why_not_told(console.language(), reasons):
            yield line._replace(indent=line.indent + 2)
        return
    yield from why_told(found, None if answer.takes_no_order else answer, program())


def suggested(answer: Answer, word: str, what: str) -> list[Suggestion]:
    """The lines with that word that a name which is being typed can become."""
    language, catalogue = console.language(), answer.match.state.ruleset.catalogue
    if word == "location":
        ids: Iterable[str] = catalogue.locations
    elif word == "card":
        ids = {id for cards in catalogue.cards.values() for id in cards}
    elif word in ("rules", "help"):
        ids = ()
    else:
        return []
    known = {id: language.say(catalogue.name_of(id)) for id in ids}
    if not ids:
        known = {topic: topic for topic in titles_by_word(language)[0]}
    found = likelier(language, what, meanings(language, what, known)) if what else known
    said = language.say(spoken_word(word))
    return [Suggestion(f"{said} {each}", each) for each in sorted({*found.values()})]
