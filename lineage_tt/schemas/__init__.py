"""The JSON Schemas of what the store publishes, one file for each version of each."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Final

NAMES: Final = {"lineage-changed": "lineage-changed.v1.json", "lineage-state": "lineage-state.v1.json",
    "lineage-labels-changed": "lineage-labels-changed.v1.json",
}  # fmt: skip


def event_schemas() -> dict[str, dict[str, Any]]:
    """Return the published schemas of events by name, each in its newest version."""
    folder = files(__name__)
    return {name: json.loads((folder / file).read_text(encoding="utf-8")) for name, file in NAMES.items()}
