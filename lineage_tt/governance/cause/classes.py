"""What a change did to what feeds a node: its class, the nodes it touched, and words for it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, Literal, NamedTuple

from lineage_tt.governance.cause.flow import Flow
from lineage_tt.governance.cause.ports import Statement, TextChange
from lineage_tt.model.answers import EdgeAsOf
from lineage_tt.model.edges import DIRECT, column_node, column_of, dataset_of

Class = Literal[
    "values",
    "sources",
    "rows",
    "started",
    "stopped",
    "columns",
    "unreadable",
    "text",
    "other-rows",
    "other-columns",
    "layout",
]
#: How likely a change of a class makes a value wrong, all else equal. ``scripts/verify-root-cause`` chose the numbers
#: on other faults than those that it reports.
WEIGHTS: Final[dict[Class, float]] = {
    "values": 1.0, "sources": 1.0, "rows": 0.8, "stopped": 0.7, "started": 0.7, "columns": 0.6, "unreadable": 0.6,
    "text": 0.4, "other-rows": 0.5, "other-columns": 0.02, "layout": 0.002,
}  # fmt: skip
#: The classes in words.
WORDS: Final[dict[Class, str]] = {
    "values": "computes values otherwise", "sources": "reads other columns", "rows": "takes other rows",
    "started": "began to write", "stopped": "went offline", "columns": "columns changed",
    "unreadable": "its text cannot be read any more", "text": "its text changed",
    "other-rows": "takes other rows, where this column was not seen to come from them",
    "other-columns": "changed columns that do not feed this one", "layout": "changed in layout alone",
}  # fmt: skip
#: Reasons for a change of text that concern rows, not the value of one column.
_ROWS: Final = frozenset({"filter", "join", "grouping", "limit", "sampling", "source", "union", "statement"})
#: Numbers, texts and names aside, an edge as it is compared.
EdgeValue = tuple[str, str, str, str, str]


class Did(NamedTuple):
    """What a change did: its class, the nodes of the flow that it touched, the edges it added and removed."""

    class_: Class
    nodes: frozenset[str]
    added: tuple[EdgeValue, ...] = ()
    removed: tuple[EdgeValue, ...] = ()
    reasons: tuple[str, ...] = ()


def of_task(
    statement: Statement, earlier: Statement | None, before: Sequence[EdgeAsOf], after: Sequence[EdgeAsOf],
    written: frozenset[str], flow: Flow, text: TextChange | None,
) -> Did:  # fmt: skip
    """Return what a task's change did, given the edges into the nodes of the flow before and after it.

    ``written`` are the nodes of the flow that the task writes at the time asked about, or at the start of the window.
    ``text`` is how its text differs; None where one of the two has no text, or the texts are equal.
    """
    one, other = ({edge[1:6] for edge in edges if flow.of(edge.target)} for edges in (before, after))
    added, removed = tuple(sorted(other - one)), tuple(sorted(one - other))
    targets = frozenset(edge[1] for edge in (*one, *other)) or written
    stopped = statement.op == "offline" or (statement.op == "retract" and not other and one)
    if stopped:
        return Did("stopped" if one else "other-columns", targets, added, removed)
    if earlier is None or earlier.op == "offline":
        return Did("started" if other else "other-columns", targets, added, removed)
    if text is not None and text.same and not added and not removed:
        return Did("layout", frozenset())
    if one and not other and statement.coverage == "opaque":
        return Did("unreadable", targets, added, removed)
    reasons = text.reasons if text is not None else ()
    named = _named(text, targets, flow)
    if added or removed:
        return _of_edges(added, removed, reasons, named)
    if text is None:  # edges alone, or the same text again
        return Did("other-columns" if statement.sql_sha256 is None else "layout", frozenset(), reasons=reasons)
    if text.columns is None:
        return Did("text", targets, reasons=reasons)
    if not named:
        rows = bool(_ROWS.intersection(reasons))
        return Did("other-rows" if rows else "other-columns", targets if rows else frozenset(), reasons=reasons)
    return Did("rows" if reasons and set(reasons) <= _ROWS else "values", named, reasons=reasons)


def _of_edges(
    added: tuple[EdgeValue, ...], removed: tuple[EdgeValue, ...], reasons: tuple[str, ...], named: frozenset[str]
) -> Did:
    changed = {*added, *removed}
    direct = {edge for edge in changed if edge[2] == DIRECT}
    nodes = frozenset(edge[1] for edge in direct or changed) | named
    if not direct:
        return Did("rows", nodes, added, removed, reasons)
    pairs = [{edge[:2] for edge in edges if edge[2] == DIRECT} for edges in (added, removed)]
    return Did("values" if pairs[0] == pairs[1] else "sources", nodes, added, removed, reasons)


def _named(text: TextChange | None, targets: Collection[str], flow: Flow) -> frozenset[str]:
    """Return the columns of the flow that a change of text names, ignoring case."""
    if text is None or text.columns is None:
        return frozenset()
    names = {name.lower() for name in text.columns}
    datasets = {dataset_of(node) for node in targets}
    result = {node for node in flow.parts if dataset_of(node) in datasets and (column_of(node) or "").lower() in names}
    if names and not result and not _columns(flow, datasets):
        result = {node for node in targets if column_of(node) is None}
    return frozenset(result)


def _columns(flow: Flow, datasets: Collection[str]) -> bool:
    """Return whether the flow goes through columns of these datasets that are known by name."""
    return any(dataset_of(node) in datasets and column_of(node) is not None for node in flow.parts)


def of_dataset(dataset: str, before: dict[str, str], after: dict[str, str], flow: Flow) -> Did:
    """Return what a declaration did: columns dropped, retyped or added, of those that feed the node."""
    changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    gone = {name for name in changed if name in before}
    nodes = {column_node(dataset, name) for name in gone}
    touched = frozenset(node for node in nodes if node in flow.parts)
    reasons = tuple(
        [f"{name} dropped" for name in sorted(gone - after.keys())]
        + [f"{name}: {before[name]} → {after[name]}" for name in sorted(gone & after.keys())]
        + [f"{name} added" for name in sorted(changed - before.keys())]
    )
    if touched:
        return Did("columns", touched, reasons=reasons)
    return Did("other-columns" if changed else "layout", frozenset(), reasons=reasons)
