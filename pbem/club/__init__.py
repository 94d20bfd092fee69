"""A club: many games of many players, audited from the files that its members send.

Called by `cli` alone; calls `board`, `text` and below. It needs no key and reads no secret. See
docs/club.md.
"""

from importlib import import_module
from typing import Any

from pbem.errors import UsageError


def import_extra(module: str, extra: str = "club") -> Any:
    """Return a module of an optional library. Raises UsageError if it is not installed."""
    try:
        return import_module(module)
    except ImportError:
        raise UsageError(
            "This needs {library}, which is not installed: {command}",
            library=module.partition(".")[0],
            command=f"pip install 'acres-pbem[{extra}]'",
        ) from None
