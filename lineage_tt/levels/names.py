"""The names of the levels, in their own module: a command or route lists them before it rolls anything up."""

from __future__ import annotations

from typing import Final, Literal, get_args

from lineage_tt.model.answers import ShownLevel

GroupLevel = Literal["system", "cluster", "namespace", "layer", "domain", "owner", "dataset", "task"]
LEVELS: Final[tuple[GroupLevel, ...]] = get_args(GroupLevel)
#: The levels at which a walk can be shown: as it went, or with its edges summed between groups.
AnyLevel = Literal[ShownLevel, GroupLevel]
WALKED: Final[tuple[ShownLevel, ...]] = get_args(ShownLevel)
