"""Catalogues of messages, made from the program: python -m pbem.cli.catalogues update|compile|open.

`update` brings what the program says now into every catalogue, and leaves out what it says no more;
`compile` makes of them what the program reads; `open` lists what is not translated, which is said
in English until it is, and exits with 1 where there is any. docs/languages.md. Needs babel.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pbem.cli.position.map_sheet import sheet_data
from pbem.words.compiling import LOCALE, compile_catalogues
from pbem.words.language import DOMAIN, NAMES, SOURCE
from pbem.words.rules.editions import differing, edition_data
from pbem.words.rules.tables import every_entry
from pbem.words.rules.topic import topics

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog, Message

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "pbem")
Calls: TypeAlias = dict[str, tuple[int | None, int, int]]
MESSAGES: Calls = {
    "Message": (None, 0, 1),
    "mark": (None, 0, 1),
    "Message.within": (0, 1, 2),
    "mark_in": (0, 1, 2),
    "Message.counted": (None, 0, 2),
    "Message.counted_within": (0, 1, 3),
}
"""What is called with literals that are messages: the argument that is the context, and from which
to which other the message."""
FAILURES = {"Failure", "Objection"}
"""What is made with the text of a message, as errors are; what derives from one is as well."""
COMMENT = "Translators:"
DEEDS = {"deed", "Way"}
"""What is called with literals that are a message for each person: `pbem.words.history`."""
PERSONS = ("you", "they")
"""The contexts of a sentence about what somebody does: the reader, or a side."""
AGAINST_READER = "they to you"
"""The context of one in which a side does something to the reader, who is its {foe}."""


class Said(NamedTuple):
    """A message: its text, or two where it is about a number, its context, and where it is said.

    `comments` are for translators.
    """

    message: str | tuple[str, ...]
    context: str | None
    place: str
    comments: list[str]


def said() -> Iterator[Said]:
    """All that the program can say: what its sources mark, its commands, topics and data."""
    sources = {path: path.read_text(encoding="utf-8") for path in _sources()}
    trees = {path: ast.parse(source) for path, source in sources.items()}
    failures = dict.fromkeys(failures_in(trees.values()), (None, 0, 1))
    for path, tree in trees.items():
        yield from _marked(path, tree, sources[path].split("\n"), MESSAGES | failures)
    yield from _of_commands()
    yield from _of_topics()
    yield from _of_editions()
    yield from _of_tables()
    yield from _of_sheets()
    yield from _of_orders()
    yield from _of_data()


def template() -> Catalog:
    """A catalogue of all messages, without translations."""
    from babel.messages.catalog import Catalog

    catalogue = Catalog(domain=DOMAIN, project="acres", charset="utf-8", fuzzy=False)
    for message, context, place, comments in said():
        catalogue.add(message, locations=[(place, 0)], auto_comments=comments, context=context)
    return catalogue


def update(language: str) -> None:
    """Bring the catalogue of a language up to what the program says now."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po, write_po

    path = LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    if path.exists():
        with path.open("rb") as file:
            catalogue = read_po(file, locale=language)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        catalogue = Catalog(locale=language, domain=DOMAIN, project="acres", charset="utf-8")
    catalogue.update(template(), no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    catalogue.header_comment = f"# What acres says, in {NAMES[language]}: docs/languages.md."
    with path.open("wb") as file:
        write_po(file, catalogue, width=100, no_location=True, sort_output=True)


def still_open(language: str, said: Catalog) -> Iterator[str]:
    """What is open in a language, of what a catalogue without translations says that is `said`."""
    from babel.messages.pofile import read_po

    with (LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    for message in said:
        if not message.id:
            continue
        there = catalogue.get(message.id, message.context)
        if there is None or there.pluralizable != message.pluralizable:
            yield f"new: {_named(message)}"
        elif not _is_translated(there):
            yield f"not translated: {_named(message)}"
    for message in catalogue:
        if message.id and said.get(message.id, message.context) is None:
            yield f"said no more: {_named(message)}"


def _is_translated(message: Message) -> bool:
    forms = [message.string] if isinstance(message.string, str) else list(message.string or [""])
    return all(forms) and not message.fuzzy


def _named(message: Message) -> str:
    text = message.id if isinstance(message.id, str) else message.id[0]
    return f"{message.context}: {text}" if message.context else text


def list_open() -> bool:
    """Print what is open in every language; return whether anything is."""
    all_said, found = template(), False
    for language in sorted(NAMES.keys() - {SOURCE}):
        lines = list(still_open(language, all_said))
        print(f"{NAMES[language]}: {len(lines)} open")
        for line in lines:
            print(f"  {line}")
        found = found or bool(lines)
    return found


# --- what is marked


def _sources() -> list[Path]:
    return sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))


def failures_in(trees: Iterable[ast.Module]) -> set[str]:
    """The names of all errors that are raised with the text of a message."""
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    found, before = set(FAILURES), 0
    while len(found) > before:
        before = len(found)
        found |= {c.name for c in classes if found & {ast.unparse(base) for base in c.bases}}
    return found


def _marked(path: Path, tree: ast.Module, lines: list[str], calls: Calls) -> Iterator[Said]:
    """What a source marks; babel's own reader of sources sees nothing inside of f-strings."""
    place = path.relative_to(ROOT).as_posix()
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        called = ast.unparse(call.func)
        literals = [str(arg.value) if isinstance(arg, ast.Constant) else None for arg in call.args]
        if called in DEEDS:
            for literal in filter(None, literals):
                yield from _persons(literal, place)
        if called in calls:
            context, first, end = calls[called]
            message = tuple(text for text in literals[first:end] if text is not None)
            within = None if context is None else literals[context]
            # What is said by a name is marked elsewhere.
            if len(message) == end - first and (context is None or within):
                told = message if len(message) > 1 else message[0]
                yield Said(told, within, place, _comments(lines, call.lineno))


def _comments(lines: list[str], line: int) -> list[str]:
    """What the lines above a line, counted from 1, say to translators."""
    above: list[str] = []
    for text in reversed(lines[: line - 1]):
        if not text.strip().startswith("#"):
            break
        above.insert(0, text.strip().lstrip("# "))
    told = " ".join(above)
    return [told.removeprefix(COMMENT).strip()] if told.startswith(COMMENT) else []


def _persons(message: str, place: str) -> Iterator[Said]:
    against = (AGAINST_READER,) if "{foe}" in message else ()
    for context in (*PERSONS, *against):
        yield Said(message, context, place, [])


# --- what is said by data


def _of_commands() -> Iterator[Said]:
    from pbem.cli.console import spoken
    from pbem.cli.help import EXAMPLES, texts_of
    from pbem.cli.main import commands

    # Commands that are put together late are so in the language of the moment.
    with spoken(SOURCE):
        for text in texts_of(commands(SOURCE)):
            yield Said(text.message, text.context, "pbem/cli/main.py", [])
    for examples in EXAMPLES.values():
        for _, purpose in examples:
            yield Said(purpose, None, "pbem/cli/help.py", [])


def _of_topics() -> Iterator[Said]:
    place = "pbem/words/rules/topics"
    for group in dict.fromkeys(topic.group for topic in topics().values()):
        yield Said(group, None, place, [])
    for topic in topics().values():
        for text in (topic.title, *topic.text):
            yield Said(text, None, place, [f"acres rules {topic.id}"])
        for word in dict.fromkeys((topic.id, *topic.also)):
            yield Said(word, "topic", place, ["What a topic can be asked for by."])


def _of_editions() -> Iterator[Said]:
    place = "pbem/words/rules/editions.toml"
    for name in edition_data()["named"].values():
        yield Said(name, None, place, [])
    for row in differing():
        yield Said(row.label, None, place, [])
        for value in row.values.values():
            yield Said(value, "rule", place, [])
        if row.unlimited:
            yield Said(row.unlimited, None, place, [])
            yield Said((row.one, row.many), None, place, [])


def _of_tables() -> Iterator[Said]:
    for message in every_entry():
        yield Said(message.text, message.context, "pbem/words/rules/tables.toml", [])


def _of_sheets() -> Iterator[Said]:
    place = "pbem/cli/position/sheets.toml"
    for name in sheet_data()["forts"]:
        yield Said(name, "map", place, [])
    for name, about in sheet_data()["waters"].items():
        yield Said(name, "map", place, [about] if about else [])


def _of_orders() -> Iterator[Said]:
    from engine.orders import ORDERS

    for kind in ORDERS.values():
        yield Said(kind.english(), "verb", "engine/orders.py", [(kind.__doc__ or "").strip()])


def _of_data() -> Iterator[Said]:
    from engine.catalogue import read_data

    for row in read_data("board.toml")["location"]:
        yield Said(row["name"], "location", "engine/data/board.toml", [])
    for row in read_data("editions.toml")["edition"]:
        yield Said(row["name"], None, "engine/data/editions.toml", [])
    for row in read_data("house-rules.toml")["rule"]:
        for text in (row["what"], *row.get("excludes", {}).values()):
            yield Said(text, None, "engine/data/house-rules.toml", [row["id"]])


def main(arguments: list[str]) -> int:
    """Update all catalogues, or those of the languages named, compile all, or list what is open."""
    match arguments:
        case ["open"]:
            return int(list_open())
        case ["compile"]:
            compile_catalogues()
        case ["update", *languages] if set(languages) <= NAMES.keys() - {SOURCE}:
            for language in languages or NAMES.keys() - {SOURCE}:
                update(language)
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
