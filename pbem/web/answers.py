"""What is answered to the script of a page, and what it sends: JSON.

An answer is `{"parts": {element id: html}, "said": sentence for whoever listens, …}`, with those
parts that may differ from what the page shows; what went wrong has a status of 4xx and `said`, and
if another page is needed first, `go`, its address.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse

from engine.message import Said
from pbem.errors import WrongUse
from pbem.text.language import Language

MAX_JSON = 256 * 1024
"""In bytes: what a page sends is a few words, or notes."""


async def sent(request: Request, *names: str) -> dict[str, Any]:
    """What a page has sent, with a value under each of these names; raises WrongUse."""
    data = await request.body()
    try:
        found = json.loads(data) if len(data) <= MAX_JSON else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or any(name not in found for name in names):
        raise makes_no_sense()
    return found


async def sent_texts(request: Request, *names: str) -> list[str]:
    """The texts that a page has sent under these names; raises WrongUse."""
    found = await sent(request, *names)
    texts = [found[name] for name in names]
    if not all(isinstance(text, str) for text in texts):
        raise makes_no_sense()
    return texts


def makes_no_sense() -> WrongUse:
    """The error for what no page of this program sends."""
    return WrongUse("The page sent something that makes no sense here: reload it.")


def answer(
    language: Language,
    parts: Mapping[str, str] | None = None,
    said: Said = "",
    *,
    status: int = 200,
    **more: Any,
) -> JSONResponse:
    """An answer to the script of a page, with what else it needs."""
    told = {"parts": dict(parts or {}), "said": language.say(said), **more}
    return JSONResponse(told, status_code=status)
