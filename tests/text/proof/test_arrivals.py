"""Every kind of arrival has a sentence and facts."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.errors import InputError
from pbem.play.inbox import Arrival, ArrivalKind, Inbox
from pbem.play.incoming import IncomingFile
from pbem.play.store import Store
from pbem.text.proof.arrivals import (
    Digest,
    arrival_facts,
    arrival_text,
    arrival_warnings,
    folder_news,
)
from tests.fuzz.games import find_game

NOW = "2026-11-28T12:00:00Z"


@pytest.mark.parametrize("kind", ArrivalKind)
def test_every_kind_of_arrival_has_one_message(kind: ArrivalKind, tmp_path: Path) -> None:
    game = find_game("second")
    inbox = Inbox(Store(tmp_path / "library", game.authors[0].public_key), tmp_path)
    (new,) = inbox.add(IncomingFile(game.data, location="the attachment"))
    assert new.kind is ArrivalKind.NEW
    came = new._replace(kind=kind)
    if kind in (ArrivalKind.TOO_LARGE, ArrivalKind.WITHOUT_FILE):
        came = came._replace(match=None)
    elif kind.is_refused or kind is ArrivalKind.FAILED:
        came = came._replace(match=None, entry=None, error=InputError("It is damaged."))
    output = str(arrival_text(came, "acres"))
    assert output.isprintable() and "{" not in output and len(output) > 8
    assert arrival_facts(came, NOW)["what"] == kind.value
    assert all(map(str, [*arrival_warnings(came, NOW), *folder_news(came, NOW, "acres")]))
    texts, stands = list[Arrival](), list[object]()
    digest = Digest(texts.append, stands.append)
    digest.report([came])
    digest.report_states()
    digest.report_states()
    assert (len(texts), len(stands)) == (1, int(kind.is_awaited))
    assert digest.has_refused == kind.is_refused
    assert digest.has_any
