"""Signed records that no program can read: the finding names the error of their author."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import InputError
from pbem.play.message import extract_files
from pbem.protocol.match import Match
from pbem.protocol.primitives import Tag, tagged_hash
from pbem.protocol.schema import canonical_json, encode_bytes, lay_out
from tests.attacks.positions import find_record_with
from tests.cli.commands import acres, is_one_sentence
from tests.mail.programs import of_kind
from tests.play.matches import identities

Plain = dict[str, Any]
Change = Callable[[Plain], None]


MAIL = of_kind("text/plain")


def _last(steps: list[Plain], **changes: object) -> None:
    steps[-1].update(changes)


ERRORS: dict[str, tuple[Change, str]] = {
    "an unknown key": (lambda record: record.update(note="x"), "there is no key"),
    "another type": (lambda record: record.update(time=5), "time must be"),
    "no time": (lambda record: record.pop("time"), "time is missing"),
    "no step": (lambda record: record.update(steps=[]), "steps must be"),
    "no steps at all": (lambda record: record.pop("steps"), "steps is missing"),
    "an unknown key in a step": (lambda record: _last(record["steps"], note="x"), "number {last} "),
    "another type in a step": (lambda record: _last(record["steps"], kind=3), "number {last} "),
    "a step without its last key": (
        lambda record: record["steps"].append({"kind": "order"}),
        "number {last} (order): order is missing",
    ),
    "a step of nothing": (
        lambda record: record["steps"].append({}),
        "number {last} is of no known kind",
    ),
    "a text of nothing": (
        lambda record: record["steps"].append({"kind": "order", "order": ""}),
        "number {last} (order): order must be",
    ),
}


def _document(change: Change) -> tuple[Plain, int]:
    """Return a file whose last record is changed and signed again, and the number of its steps."""
    match = _match()
    *before, last = [record.to_plain() for record in match.records]
    plain: Plain = {**last, "steps": [dict(step) for step in last["steps"]]}  # type: ignore[arg-type, union-attr]
    change(plain)
    content = {key: value for key, value in plain.items() if key != "signature"}
    author = identities()[match.last.index % 2]
    digest = tagged_hash(Tag.RECORD, canonical_json(content))
    plain["signature"] = encode_bytes(author.sign(Tag.SIGNATURE, digest))
    document: Plain = {"format": "acres-save", "version": 1, "record": [*before, plain]}
    return document, len(plain.get("steps", []))


def _match() -> Match:
    from pbem.protocol import steps

    return find_record_with(3, steps.Open)


@pytest.mark.parametrize("name", ERRORS)
@pytest.mark.parametrize("command", ["audit", "show"])
def test_signed_error_of_form_is_located(name: str, command: str, tmp_path: Path) -> None:
    """Without the boxes, which anybody can remove, the file is not reported as cut off."""
    change, reason = ERRORS[name]
    document, steps = _document(change)
    file = tmp_path / "game.toml"
    file.write_text(lay_out(document))
    words = ["audit", file] if command == "audit" else ["turn", "show", file]
    refused = acres(*words, home=tmp_path)
    assert refused.status == 2
    assert is_one_sentence(refused.err)
    assert f"Record {_match().last.index} cannot be read: " in refused.err
    assert reason.format(last=steps) in refused.err
    assert not any(word in refused.err for word in ("damaged", "breaks off", "again"))


@pytest.mark.parametrize("name", ERRORS)
def test_signed_error_of_form_in_a_message_is_located(name: str) -> None:
    change, reason = ERRORS[name]
    document, steps = _document(change)
    with pytest.raises(InputError) as refused:
        extract_files(MAIL(lay_out(document).encode()))
    sentence = str(refused.value)
    assert f"Record {_match().last.index} cannot be read: " in sentence
    assert reason.format(last=steps) in sentence
    assert "damaged" not in sentence


def test_truncated_record_is_reported_as_cut(tmp_path: Path) -> None:
    """The signature covers more steps than the file still has."""
    plain: list[dict[str, Any]] = [record.to_plain() for record in _match().records]
    last = plain[-1]["steps"][-1]
    text = lay_out({"format": "acres-save", "version": 1, "record": plain})
    end = text.rindex(f'kind = "{last["kind"]}"')
    file = tmp_path / "game.toml"
    for cut in (text[:end], text[: end + len(f'kind = "{last["kind"]}"\n')]):
        file.write_text(cut)
        refused = acres("audit", file)
        assert refused.status == 2
        assert "it breaks off" in refused.err
        with pytest.raises(InputError, match="is damaged: ask for it to be sent again"):
            extract_files(MAIL(cut.encode()))
