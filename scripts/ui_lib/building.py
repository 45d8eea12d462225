"""What hatchling runs to build a wheel: the packs of the pages go into it, beside the modules as they are written."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PackedPages(BuildHookInterface[Any]):
    """Adds ``lineage_tt/ui/packed``; an editable install serves the modules of the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the packs to a folder of their own, and name it."""
        if version == "editable":
            return
        sys.path.insert(0, str(Path(self.root) / "scripts"))
        from ui_lib.packing import PACKED, write

        self.made = tempfile.TemporaryDirectory(prefix="lineage-tt-pages-")
        write(Path(self.root) / "lineage_tt" / "ui", Path(self.made.name))
        build_data["force_include"][self.made.name] = f"lineage_tt/ui/{PACKED}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the folder."""
        if version != "editable":
            self.made.cleanup()
