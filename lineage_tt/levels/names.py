"""The levels by name: what a command or a route lists before it rolls anything up."""

from __future__ import annotations

from typing import Final, Literal

GroupLevel = Literal["system", "cluster", "namespace", "layer", "domain", "owner", "dataset", "task"]
LEVELS: Final = ("system", "cluster", "namespace", "layer", "domain", "owner", "dataset", "task")
#: What a walk may be shown at: as it went, or with its edges summed between groups.
AnyLevel = Literal["column", "table", "task", "system", "cluster", "namespace", "layer", "domain", "owner", "dataset"]
WALKED: Final = ("column", "table", "task")
