"""Extraction of messages from sources and data, and the state of their translations.

A front end adds its own messages. docs/languages.md describes the work of a translator. Needs
babel.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po

from engine.catalogue import read_data
from engine.orders import ORDERS
from pbem.text.compiling import LOCALE
from pbem.text.language import DOMAIN, NAMES
from pbem.text.narration import THEY, THEY_TO_YOU, YOU, all_sentences
from pbem.text.phrases import keys, row_text, table_sources
from pbem.text.rules.editions import edition_rows
from pbem.text.rules.topic import topics

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "pbem")
Calls: TypeAlias = dict[str, tuple[int | None, int, int]]
MESSAGES: Calls = {
    "Message": (None, 0, 1),
    "mark": (None, 0, 1),
    "Message.within": (0, 1, 2),
    "mark_in": (0, 1, 2),
    "Message.counted": (None, 0, 2),
}
"""The functions whose literal arguments are messages.

The numbers are the index of the argument with the context, or None, and the first index and the end
of the arguments with the message.
"""
PRINTING = {
    f"console.{name}"
    for name in (
        "say",
        "say_unwrapped",
        "say_below",
        "heading",
        "item",
        "warn",
        "fail",
        "note_written",
    )
}
"""The functions that print a message, and take its text as `Message` does."""
FAILURES = {"TranslatableError", "Objection"}
"""The classes constructed with the text of a message, in addition to their subclasses."""
COMMENT = "Translators:"


class SourceMessage(NamedTuple):
    """A message of the sources: its text, or its singular and plural, and its context.

    `comments` are for translators.
    """

    message: str | tuple[str, ...]
    context: str | None
    comments: list[str]


def source_messages() -> Iterator[SourceMessage]:
    """Yield all messages marked in sources and in data, except those of front ends."""
    sources = {path: path.read_text(encoding="utf-8") for path in _sources()}
    trees = {path: ast.parse(source) for path, source in sources.items()}
    calls = MESSAGES | dict.fromkeys(error_classes(trees.values()) | PRINTING, (None, 0, 1))
    for path, tree in trees.items():
        yield from _marked_messages(tree, sources[path].split("\n"), calls)
    yield from _data_messages()


def template(messages: Iterable[SourceMessage]) -> Catalog:
    """Return a catalogue of `messages` without translations."""
    catalogue = Catalog(domain=DOMAIN, project="acres", charset="utf-8", fuzzy=False)
    for message, context, comments in messages:
        catalogue.add(message, auto_comments=comments, context=context)
    return catalogue


def update(language: str, template: Catalog) -> None:
    """Add new messages to the catalogue of a language, and remove unused ones."""
    path = _path(language)
    if path.exists():
        catalogue = _read(language)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        catalogue = Catalog(locale=language, domain=DOMAIN, project="acres", charset="utf-8")
    catalogue.update(template, no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    catalogue.header_comment = f"# What acres says, in {NAMES[language]}: docs/languages.md."
    # Babel would check braces as Python formats, which have no forms such as {place:genitive}.
    for message in catalogue:
        message.flags.discard("python-brace-format")
    with path.open("wb") as file:
        # Sort by text, without line breaks and places, so that moved code changes nothing.
        write_po(file, catalogue, width=sys.maxsize, no_location=True, sort_output=True)


def _path(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def _read(language: str) -> Catalog:
    with _path(language).open("rb") as file:
        return read_po(file, locale=language)


def untranslated(language: str, template: Catalog) -> Iterator[str]:
    """Yield a line for each new, untranslated or unused message of a language.

    `template` is the catalogue without translations.
    """
    catalogue = _read(language)
    for message in template:
        if not message.id:
            continue
        translated = catalogue.get(message.id, message.context)
        if translated is None or translated.pluralizable != message.pluralizable:
            yield f"new: {_label(message)}"
        elif translated.fuzzy or not _is_complete(translated.string):
            yield f"not translated: {_label(message)}"
    for message in catalogue:
        if message.id and template.get(message.id, message.context) is None:
            yield f"said no more: {_label(message)}"


def _is_complete(text: object) -> bool:
    return all(text) if isinstance(text, list | tuple) else bool(text)


def _label(message: Message) -> str:
    text = message.id if isinstance(message.id, str) else message.id[0]
    return f"{message.context}: {text}" if message.context else text


# --- messages in sources


def _sources() -> list[Path]:
    return sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))


def error_classes(trees: Iterable[ast.Module]) -> set[str]:
    """Return the names of all error classes constructed with the text of a message."""
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    names, previous_count = set(FAILURES), 0
    while len(names) > previous_count:
        previous_count = len(names)
        names |= {c.name for c in classes if names & {ast.unparse(base) for base in c.bases}}
    return names


def _marked_messages(tree: ast.Module, lines: list[str], calls: Calls) -> Iterator[SourceMessage]:
    """Yield the messages marked in a source, even in f-strings, which babel's extractor ignores."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        function = ast.unparse(call.func)
        literals = [str(arg.value) if isinstance(arg, ast.Constant) else None for arg in call.args]
        if function in calls:
            context, first, end = calls[function]
            message = tuple(text for text in literals[first:end] if text is not None)
            context_text = None if context is None else literals[context]
            # A message that is not a literal is marked elsewhere.
            if len(message) == end - first and (context is None or context_text):
                text_or_plural = message if len(message) > 1 else message[0]
                yield SourceMessage(text_or_plural, context_text, _comments(lines, call.lineno))


def _comments(lines: list[str], line: int) -> list[str]:
    """Return the comment for translators above a line, counted from 1."""
    comment_lines: list[str] = []
    for text in reversed(lines[: line - 1]):
        if not text.strip().startswith("#"):
            break
        comment_lines.insert(0, text.strip().lstrip("# "))
    comment = " ".join(comment_lines)
    return [comment.removeprefix(COMMENT).strip()] if comment.startswith(COMMENT) else []


# --- messages in data


def _data_messages() -> Iterator[SourceMessage]:
    for group in dict.fromkeys(topic.group for topic in topics().values()):
        yield SourceMessage(group, None, [])
    for topic in topics().values():
        for text in (topic.title, *topic.text):
            yield SourceMessage(text, None, [])
        for word in dict.fromkeys((topic.id, *topic.also)):
            yield SourceMessage(word, "topic", [])
    for row in edition_rows():
        yield SourceMessage(row.label, None, [])
        for value in row.values.values():
            yield SourceMessage(value, "rule", [])
        if row.unlimited:
            yield SourceMessage(row.unlimited, None, [])
            yield SourceMessage((row.one, row.many), None, [])
    yield from _table_messages()
    # Each sentence is translated for each grammatical person.
    for move in all_sentences():
        for context in (YOU, THEY, *((THEY_TO_YOU,) if "{foe}" in move else ())):
            yield SourceMessage(move, context, [])
    for kind in ORDERS.values():
        meaning = (kind.__doc__ or "").partition("\n")[0]
        yield SourceMessage(kind.english_verb(), "verb", [meaning])
    for location in read_data("board.toml")["location"]:
        yield SourceMessage(location["name"], "location", [])
    for edition in read_data("editions.toml")["edition"]:
        yield SourceMessage(edition["name"], None, [])
    for rule in read_data("house-rules.toml")["rule"]:
        for text in (rule["what"], *rule.get("excludes", {}).values()):
            yield SourceMessage(text, None, [])
        yield SourceMessage(rule["name"], "house rule", [])


def _table_messages() -> Iterator[SourceMessage]:
    """Yield the messages of tables.toml, with the comment of their table for translators."""
    for table, source in table_sources().items():
        comments = _comments(source.partition("\n")[0].split("\n"), 2)
        for key in keys(table):
            message = row_text(table, key)
            yield SourceMessage(message.text, message.context, comments)
