"""What hatchling does before it packs: the catalogues of messages are compiled."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileCatalogues(BuildHookInterface):  # type: ignore[type-arg]
    """The hook of hatchling that compiles."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile all catalogues, for a wheel as for an installation in place."""
        sys.path.insert(0, self.root)
        from pbem.text.compiling import compile_catalogues

        root = Path(self.root)
        build_data["artifacts"] += [f"/{path.relative_to(root)}" for path in compile_catalogues()]
