"""The levels by name: what a command or a route lists before it rolls anything up."""

from __future__ import annotations

from typing import Final, Literal, get_args

from lineage_tt.model.answers import ShownLevel

GroupLevel = Literal["system", "cluster", "namespace", "layer", "domain", "owner", "dataset", "task"]
LEVELS: Final[tuple[GroupLevel, ...]] = get_args(GroupLevel)
#: What a walk may be shown at: as it went, or with its edges summed between groups.
AnyLevel = Literal[ShownLevel, GroupLevel]
WALKED: Final[tuple[ShownLevel, ...]] = get_args(ShownLevel)
