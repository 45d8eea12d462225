"""The feed as events: one CloudEvent for each version that changed something, with data in the style of Debezium.

Pure: no broker is needed to make, split or read events. The JSON Schema is published (``lineage-tt schema
lineage-changed``), and docs/reference/events.md describes it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, cast

import orjson

from lineage_tt.model.answers import FeedEntry
from lineage_tt.model.format import ChangeTuple
from lineage_tt.model.times import format_instant, parse_instant

Event = dict[str, Any]

CHANGED: Final = "io.lineage-tt.lineage.changed.v1"
STATE: Final = "io.lineage-tt.lineage.state.v1"
DATASCHEMA: Final = "urn:lineage-tt:schema:lineage-changed:v1"
STATE_SCHEMA: Final = "urn:lineage-tt:schema:lineage-state:v1"
#: The type of events about labels derived under a set of rules (``lineage_tt.governance.labels.feed``).
LABELS_CHANGED: Final = "io.lineage-tt.lineage.labels.changed.v1"
LABELS_SCHEMA: Final = "urn:lineage-tt:schema:lineage-labels-changed:v1"
#: The only class of such an event; a subscription to this class gets these events and no others.
LABELS_CLASS: Final = "derived-label-changed"

#: Kinds of change that a version can make; an event names all that apply.
CLASSES: Final = (
    "edge-added",
    "edge-removed",
    "transformation-changed",
    "column-added",
    "column-removed",
    "column-changed",
    "task-offline",
    "correction-of-the-past",
    "planned-for-the-future",
    "label-changed",
    "owner-changed",
    "description-changed",
    "priority-changed",
    "fact-changed",
)
_FACT_CLASSES: Final = {"label", "owner", "description", "priority"}
#: A node has one value of these facts at a time, so another value is an update. Of other facts it may have several.
_SINGLE: Final = {"column", "description", "priority"}


def store_urn(store_id: str) -> str:
    """Return the ``source`` of a store's events."""
    return f"urn:lineage-tt:store:{store_id}"


def event_of(entry: FeedEntry, store_id: str) -> Event:
    """Return the event of one version: the same store and version always give the same event."""
    changes = list(_edge_changes(entry.task_id or "", entry.changes))
    facts = list(_fact_changes(entry.facts))
    return envelope(entry, store_urn(store_id), str(entry.version), CHANGED, DATASCHEMA) | {
        "data": {
            "version": entry.version,
            "previous_version": entry.previous_version,
            "system_time": format_instant(entry.system_time),
            "effective_at": format_instant(entry.effective_at),
            "kind": entry.kind,
            "task_id": entry.task_id,
            "node": entry.node,
            "event_id": entry.event_id,
            "message_op": entry.op,
            "actor": entry.actor,
            "reason": entry.reason,
            "cause": entry.cause,
            "derived_from": entry.derived_from,
            "classes": _classes(entry, changes, facts),
            "changes": changes,
            "facts": facts,
            "columns_added": list(entry.columns_added),
            "columns_removed": list(entry.columns_removed),
        }
    }


def envelope(entry: FeedEntry, source: str, event_id: str, kind: str, schema: str) -> Event:
    """Return the attributes that every event of a version has: those of CloudEvents, ``sequence``, ``partitionkey``."""
    return {
        "specversion": "1.0",
        "id": event_id,
        "source": source,
        "type": kind,
        "subject": entry.subject,
        "time": format_instant(entry.system_time),
        "datacontenttype": "application/json",
        "dataschema": schema,
        "sequence": f"{entry.version:020d}",
        "partitionkey": entry.subject,
    }


def edge_object(task_id: str, edge: Sequence[str]) -> dict[str, str]:
    """Return an edge in the form of ``before`` and ``after``."""
    source, target, kind, subtype, expression = edge
    return {
        "task_id": task_id,
        "source": source,
        "target": target,
        "type": kind,
        "subtype": subtype,
        "expression": expression,
    }


def _edge_changes(task_id: str, changes: Iterable[ChangeTuple]) -> Iterator[dict[str, Any]]:
    """Yield inserts, deletes and updates; an update replaces an edge by another between the same nodes and instants."""
    went: dict[tuple[Any, ...], list[list[Any]]] = defaultdict(list)
    came: dict[tuple[Any, ...], list[list[Any]]] = defaultdict(list)
    for sign, *edge, valid_from, valid_to in changes:
        (came if sign > 0 else went)[edge[0], edge[1], valid_from, valid_to].append(edge)
    for place in dict.fromkeys([*went, *came]):
        before, after = went.get(place, []), came.get(place, [])
        for number in range(max(len(before), len(after))):
            old = edge_object(task_id, before[number]) if number < len(before) else None
            new = edge_object(task_id, after[number]) if number < len(after) else None
            yield _change(old, new, place[2], place[3])


def _fact_changes(changes: Iterable[tuple[int, str, str, str, int, int | None]]) -> Iterator[dict[str, Any]]:
    went: dict[tuple[Any, ...], list[str]] = defaultdict(list)
    came: dict[tuple[Any, ...], list[str]] = defaultdict(list)
    for sign, node, key, value, valid_from, valid_to in changes:
        place = (node, key, valid_from, valid_to, None if key in _SINGLE else value)
        (came if sign > 0 else went)[place].append(value)
    for place in dict.fromkeys([*went, *came]):
        before, after = went.get(place, []), came.get(place, [])
        for number in range(max(len(before), len(after))):
            old = before[number] if number < len(before) else None
            new = after[number] if number < len(after) else None
            yield {"node": place[0], "key": place[1]} | _change(old, new, place[2], place[3])


def _change(old: Any, new: Any, valid_from: int, valid_to: int | None) -> dict[str, Any]:
    return {
        "op": "update" if old is not None and new is not None else "insert" if new is not None else "delete",
        "before": old,
        "after": new,
        "valid_from": _written(valid_from),
        "valid_to": _written(valid_to),
    }


@lru_cache(maxsize=4096)
def _written(instant: int | None) -> str | None:
    """Return an instant as text; most changes of one version share their instants."""
    return format_instant(instant)


def classes_of(entry: FeedEntry) -> list[str]:
    """Return the classes of a version's change, in the order of ``CLASSES``.

    A *correction of the past* changes an interval that begins before the version's system time although the store
    already knew of something later, or at the same instant: a late message, a replaced message, a retract. An ordinary
    message, which arrives shortly after it takes effect, is not a correction. What begins after the system time is
    *planned for the future*.
    """
    return _classes(entry, list(_edge_changes("", entry.changes)), list(_fact_changes(entry.facts)))


_OF_EDGES: Final = {"insert": "edge-added", "delete": "edge-removed", "update": "transformation-changed"}
_OF_COLUMNS: Final = {"insert": "column-added", "delete": "column-removed", "update": "column-changed"}


def _classes(entry: FeedEntry, changes: list[dict[str, Any]], facts: list[dict[str, Any]]) -> list[str]:
    classes = {_OF_EDGES[change["op"]] for change in changes} | _classes_in_time(entry)
    for fact in facts:
        if fact["key"] == "column":
            classes.add(_OF_COLUMNS[fact["op"]])
        else:
            classes.add(f"{fact['key']}-changed" if fact["key"] in _FACT_CLASSES else "fact-changed")
    classes |= {"column-added"} if entry.columns_added else set()
    classes |= {"column-removed"} if entry.columns_removed else set()
    if entry.op == "offline":
        classes.add("task-offline")
    return [name for name in CLASSES if name in classes]


def _classes_in_time(entry: FeedEntry) -> set[str]:
    """Return the classes about time: whether the past is corrected, and whether the future is planned."""
    result = set()
    begun: set[tuple[Any, ...]] | None = None  # what a minus removes from its beginning on
    both: tuple[tuple[Any, ...], ...] = (*entry.changes, *entry.facts)
    for change in both:
        if change[-2] > entry.system_time:
            result.add("planned-for-the-future")
        elif change[-1] is not None or entry.op == "retract":
            result.add("correction-of-the-past")
        elif change[0] < 0:
            if begun is None:
                begun = {each[1:-1] for each in entry.rectangles if each[0] < 0}
            if change[1:-1] in begun:
                result.add("correction-of-the-past")
    return result


# --- reading back -----------------------------------------------------------------------------------------------------


def signed_changes(event: Event) -> Iterator[tuple[int, tuple[str, ...], int, int | None]]:
    """Yield (sign, (task_id, source, target, type, subtype, expression), valid_from, valid_to) of an event's edges.

    Their sum is the lineage: at a valid time an edge is in force where its signs add up to 1.
    """
    for change in event["data"]["changes"]:
        start = parse_instant(change["valid_from"])
        end = parse_instant(change["valid_to"]) if change["valid_to"] is not None else None
        for sign, edge in ((-1, change["before"]), (1, change["after"])):
            if edge is not None:
                yield sign, tuple(edge[name] for name in _EDGE), start, end


_EDGE: Final = ("task_id", "source", "target", "type", "subtype", "expression")


def entry_in(event: Event) -> FeedEntry:
    """Return what a version changed, from its complete event; without ``rectangles``, which events do not have."""
    data = event["data"]
    changes = [(sign, *edge[1:], start, end) for sign, edge, start, end in signed_changes(event)]
    facts = [(sign, *fact, start, end) for sign, fact, start, end in signed_facts(event)]
    return FeedEntry(
        version=data["version"],
        system_time=parse_instant(data["system_time"]),
        task_id=data["task_id"],
        event_id=data["event_id"],
        actor=data["actor"],
        reason=data["reason"],
        cause=data["cause"],
        changes=tuple(cast("list[ChangeTuple]", changes)),
        op=data["message_op"],
        effective_at=None if data["effective_at"] is None else parse_instant(data["effective_at"]),
        previous_version=data["previous_version"],
        kind=data["kind"],
        node=data["node"],
        facts=tuple(facts),
        derived_from=data["derived_from"],
        columns_added=tuple(data["columns_added"]),
        columns_removed=tuple(data["columns_removed"]),
    )


def signed_facts(event: Event) -> Iterator[tuple[int, tuple[str, str, str], int, int | None]]:
    """Yield (sign, (node, key, value), valid_from, valid_to) of an event's facts."""
    for change in event["data"]["facts"]:
        start = parse_instant(change["valid_from"])
        end = parse_instant(change["valid_to"]) if change["valid_to"] is not None else None
        for sign, value in ((-1, change["before"]), (1, change["after"])):
            if value is not None:
                yield sign, (change["node"], change["key"], value), start, end


def encode(event: Event) -> bytes:
    """Return an event, or only its data, as the bytes that are sent."""
    return orjson.dumps(event)
