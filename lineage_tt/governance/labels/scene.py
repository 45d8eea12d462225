"""A scene: one set of rules by which labels spread. A store may be viewed in several scenes.

In ``governance.toml``:

    [labels]
    levels = ["public", "internal", "confidential", "secret"]   # ordered: a node has the highest that comes to it
    carry = ["DIRECT"]                                           # or ["DIRECT", "INDIRECT"]
    direction = "down"                                           # or up, both
    stop_functions = ["sha256", "mask_*"]                        # a value inside such a call goes no further
    stop_masking = true                                          # nor one that its producer says is masked
    stop_aggregation = false                                     # nor one that is aggregated
    stop_nodes = ["tmp:*"]                                       # such nodes take no label from others
    depth = 3                                                    # at most this many steps
    only = ["pii", "gdpr-*"]                                     # other labels do not spread; levels always do

    [labels.scenes.strict]                                       # the same keys again, for another scene
    carry = ["DIRECT", "INDIRECT"]
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any, Final, Literal, NamedTuple, cast

from lineage_tt.governance.rules.config_tables import ConfigTables, refuse_unknown, texts_of
from lineage_tt.model.edges import DIRECT, INDIRECT
from lineage_tt.model.errors import InvalidRequestError

Way = Literal["down", "up", "both"]
DEFAULT: Final = "default"
#: The most levels: each level is one bit.
MAX_LEVELS: Final = 32
_KEYS: Final[dict[str, type | tuple[type, ...]]] = {
    "levels": list, "carry": list, "direction": str, "stop_functions": list, "stop_masking": bool,
    "stop_aggregation": bool, "stop_nodes": list, "depth": int, "only": list,
}  # fmt: skip


class Scene(NamedTuple):
    """How labels spread; ``depth`` None means no limit."""

    name: str = DEFAULT
    levels: tuple[str, ...] = ()
    carry: tuple[str, ...] = (DIRECT,)
    direction: Way = "down"
    stop_functions: tuple[str, ...] = ()
    stop_masking: bool = True
    stop_aggregation: bool = False
    stop_nodes: tuple[str, ...] = ()
    depth: int | None = None
    only: tuple[str, ...] = ()

    def spreads(self, label: str) -> bool:
        """Return whether a label spreads at all in this scene."""
        return not self.only or label in self.levels or any(fnmatchcase(label, pattern) for pattern in self.only)


def scenes_of(config: ConfigTables) -> list[str]:
    """Return the names of the configuration's scenes; the unnamed one is ``default``."""
    scenes = config.table("labels").get("scenes", {})
    return [DEFAULT, *map(str, scenes)] if isinstance(scenes, dict) else [DEFAULT]


def scene_of(config: ConfigTables, name: str | None = None) -> Scene:
    """Return a scene of the configuration, the unnamed one for None.

    Raises InvalidRequestError for a scene that does not exist, and for invalid rules.
    """
    table = config.table("labels")
    scenes = table.pop("scenes", {})
    if not isinstance(scenes, dict):
        raise InvalidRequestError(f"{config.name}: labels.scenes is not a table", hint="write [labels.scenes.NAME]")
    if name is None or name == DEFAULT:
        return _scene(table, DEFAULT, f"{config.name}: [labels]")
    if name not in scenes:
        known = ", ".join([DEFAULT, *map(str, scenes)])
        raise InvalidRequestError(f"{config.name} has no scene {name!r}", hint=f"it has {known}")
    if not isinstance(scenes[name], dict):
        raise InvalidRequestError(f"{config.name}: labels.scenes.{name} is not a table")
    return _scene(table | scenes[name], name, f"{config.name}: [labels.scenes.{name}]")


def _scene(table: Mapping[str, Any], name: str, where: str) -> Scene:
    refuse_unknown(table, _KEYS, where)
    levels = texts_of(table, "levels", where)
    if len(set(levels)) != len(levels):
        raise InvalidRequestError(f"{where}: levels has a level twice", hint="name each once, the lowest first")
    if len(levels) > MAX_LEVELS:
        raise InvalidRequestError(f"{where}: there are more than {MAX_LEVELS} levels")
    carry = texts_of(table, "carry", where, (DIRECT,))
    if not carry or not {*carry} <= {DIRECT, INDIRECT}:
        raise InvalidRequestError(f"{where}: carry is {list(carry)}", hint="give DIRECT, INDIRECT or both")
    direction = table.get("direction", "down")
    if direction not in ("down", "up", "both"):
        raise InvalidRequestError(f"{where}: direction is {direction!r}", hint="give down, up or both")
    depth = table.get("depth")
    if depth is not None and depth < 0:
        raise InvalidRequestError(f"{where}: depth is {depth}", hint="give 0 or more, or leave it out")
    return Scene(
        name, levels, carry, cast("Way", direction), texts_of(table, "stop_functions", where),
        table.get("stop_masking", True), table.get("stop_aggregation", False), texts_of(table, "stop_nodes", where),
        depth, texts_of(table, "only", where),
    )  # fmt: skip
