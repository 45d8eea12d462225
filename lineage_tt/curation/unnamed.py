"""What people state about nodes and edges that nothing else names: it is kept, without effect until they are named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Protocol

from lineage_tt.model.edges import ALIAS, REJECTED
from lineage_tt.model.errors import UnknownNodeError
from lineage_tt.model.names import meaning, near_names

#: The prefix of a task's node.
_TASK: Final = "task:"
#: The sentence for a statement that was already in force, or for the end of one that was not.
NOTHING_CHANGED: Final = "nothing changes: that was so already"
#: From this similarity on, a name may be a typing error. New names are common, so less similar names are not suggested.
_ALIKE: Final = 0.9
#: The known task whose id is most like one.
_NEAR_TASK: Final = f"""
    SELECT task_id FROM (SELECT DISTINCT task_id FROM log WHERE status = 'accepted' AND task_id IS NOT NULL)
    WHERE jaro_winkler_similarity(task_id, $task) >= {_ALIKE}
    ORDER BY jaro_winkler_similarity(task_id, $task) DESC, task_id LIMIT 1"""
#: Everything ever stated about the opposite edge between two names of one thing.
_BACK: Final = f"""
    SELECT DISTINCT subtype FROM changes
    WHERE source = $target AND target = $source AND subtype IN ('{ALIAS}', '{REJECTED}')"""


class Known(Protocol):
    """What a store knows at its current version."""

    @property
    def version(self) -> int:
        """The version that it answers from."""
        ...

    def check_nodes(self, nodes: Iterable[str]) -> None:
        """Raise UnknownNodeError, with the nearest names, for a node that nothing names."""
        ...

    def fetch(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        ...


def nothing_names(known: Known, nodes: Sequence[str]) -> Iterator[str]:
    """Yield a sentence for each node that no message names, with the nearest names; nothing for an empty store."""
    for node in nodes if known.version else ():
        if node.startswith(_TASK):
            task = node.removeprefix(_TASK)
            if not known.fetch("SELECT 1 FROM log WHERE task_id = $task LIMIT 1", task=task):
                near = [alike for (alike,) in known.fetch(_NEAR_TASK, task=task)]
                yield f"no message of task {task} has come so far{meaning(near)}"
            continue
        try:
            known.check_nodes([node])
        except UnknownNodeError as error:
            yield f"nothing names {node} so far{meaning(near_names(node, error.near, _ALIKE, 2))}"


def no_fact_has(known: Known, key: str) -> Iterator[str]:
    """Yield a sentence if no fact ever had a key, with the nearest key; nothing for an empty store."""
    keys = [each for (each,) in known.fetch("SELECT DISTINCT key FROM fact_changes")] if known.version else [key]
    if key not in keys:
        yield f"no fact ever had the key {key}{meaning(near_names(key, keys))}"


def is_edgeless(known: Known, source: str, target: str) -> bool:
    """Return whether there was never an edge from a node or its columns to another node or its columns."""
    ((edges,),) = known.fetch(
        "SELECT count(*) FROM changes WHERE (source = $source OR starts_with(source, $source || '#'))"
        " AND (target = $target OR starts_with(target, $target || '#'))", source=source, target=target,
    )  # fmt: skip
    return not edges


def nothing_changed(known: Known, version: int) -> Iterator[str]:
    """Yield a sentence that a statement changed nothing, if neither its version nor a later one changed anything."""
    ((changes,),) = known.fetch(
        "SELECT (SELECT count(*) FROM changes WHERE version >= $version)"
        " + (SELECT count(*) FROM fact_changes WHERE version >= $version)", version=version,
    )  # fmt: skip
    if not changes:
        yield NOTHING_CHANGED


def no_effect(known: Known, source: str, target: str) -> Iterator[str]:
    """Yield why a rejection of edges has no effect so far, or only part of its effect."""
    doubts = list(nothing_names(known, [source, target]))
    yield from doubts
    if not doubts and is_edgeless(known, source, target):
        yield f"no edge goes from {source} to {target} so far: the rejection waits for one"
    if known.fetch(_BACK, source=source, target=target) == [(ALIAS,)]:
        yield f"{source} and {target} are names of one thing: reject {target} -> {source}, too"
