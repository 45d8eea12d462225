"""Versions as OpenLineage events: a follower that reads OpenLineage keeps the lineage that the store has.

OpenLineage knows no valid time. A version of a task becomes a JobEvent with all lineage that the task has, as known at
that version, when it is recorded or from its ``effective_at`` on, whichever is later; a table that it no longer writes
gets an entry without inputs. A version of a dataset, or of a fact, becomes a DatasetEvent with what is then known of
the dataset. ``eventTime`` is the version's system time: later versions have later ones. The facet ``lineage_tt`` has
the version and its ``effective_at``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, Protocol

import orjson

from lineage_tt.events import store_urn
from lineage_tt.feed.records import VERSION_HEADER, Record
from lineage_tt.model.answers import FeedEntry
from lineage_tt.model.edges import column_of, dataset_of, is_star, split_dataset
from lineage_tt.model.facts import DESCRIPTION, LABEL, OWNER, task_node
from lineage_tt.model.times import format_instant

PRODUCER: Final = "https://github.com/lineage-tt/lineage-tt"
_SPEC: Final = "https://openlineage.io/spec"
_EVENT: Final = f"{_SPEC}/2-0-2/OpenLineage.json#/$defs"
_LINEAGE: Final = f"{_SPEC}/facets/1-0-0/LineageFacet.json#/$defs/LineageJobFacet"
_TASK: Final = task_node("")
_EDGES: Final = """
    SELECT source, target, "type", subtype, expression
    FROM edges_as_of(make_timestamptz($valid_at), make_timestamptz($system_at)) WHERE task_id = $task ORDER BY ALL
"""
_COLUMNS: Final = """
    SELECT "column", "type" FROM columns_as_of(make_timestamptz($valid_at), make_timestamptz($system_at))
    WHERE dataset = $node
"""
_FACTS: Final = """
    SELECT key, value FROM facts_as_of(make_timestamptz($valid_at), make_timestamptz($system_at))
    WHERE node = $node ORDER BY ALL
"""


class Asked(Protocol):
    """A store that is asked for what a version says."""

    @property
    def id(self) -> str:
        """The store's identity."""

    def ask(self, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
        """Run a query with bound parameters."""


def openlineage_event(entry: FeedEntry, store: Asked) -> dict[str, Any] | None:
    """Return one version as an OpenLineage event, None for one that changed nothing OpenLineage has a word for."""
    if not entry.changes and not entry.facts:
        return None
    told = _Told(store, entry)
    if entry.task_id is not None:
        return told.job(entry.task_id, {dataset_of(change[2]) for change in entry.changes})
    node = dataset_of(entry.node or "")
    if node.startswith(_TASK):
        return told.job(node.removeprefix(_TASK), ())
    return told.dataset(node) if ":" in node else None


class _Told:
    """What is in force at a point, in OpenLineage's words."""

    def __init__(self, store: Asked, entry: FeedEntry) -> None:
        self._store = store
        self._point = {"valid_at": max(entry.effective_at or 0, entry.system_time), "system_at": entry.system_time}
        self._head = {"eventTime": format_instant(entry.system_time), "producer": PRODUCER}
        self._entry = entry
        self._jobs = store_urn(store.id)

    def job(self, task_id: str, left: Iterable[str]) -> dict[str, Any]:
        """Return a task; tables of ``left`` that it does not write get no inputs."""
        entries: dict[str, dict[str, Any]] = {}
        sources: dict[str, None] = {}
        rows = self._store.ask(_EDGES, task=task_id, **self._point)
        for node in sorted({dataset_of(target) for _, target, *_ in rows} | set(left)):
            if not node.startswith(_TASK):
                entries[node] = {**_name(node), "type": "DATASET", "inputs": []}
        for source, target, kind, subtype, expression in rows:
            entry = entries.get(dataset_of(target))
            if entry is None:
                continue
            given = self._input(source, kind, subtype, expression)
            column = None if is_star(target) else column_of(target)
            fields = entry["inputs"] if column is None else _field(entry, column)
            if not _joined(fields, given):
                fields.append(given)
            if not source.startswith(_TASK):
                sources[dataset_of(source)] = None
        facets = self._described(task_node(task_id), "Job")
        if entries:
            facets["lineage"] = {"_producer": PRODUCER, "_schemaURL": _LINEAGE, "entries": list(entries.values())}
        written = {dataset_of(target) for _, target, *_ in rows}
        return {
            **self._head,
            "schemaURL": f"{_EVENT}/JobEvent",
            "job": {"namespace": self._jobs, "name": task_id, "facets": facets},
            "inputs": [_name(node) for node in sources],
            "outputs": [_name(node) for node in entries if node in written],
        }

    def dataset(self, node: str) -> dict[str, Any]:
        """Return what is known of a dataset."""
        facets = self._described(node, "Dataset")
        columns = self._store.ask(_COLUMNS, node=node, **self._point)
        if columns:
            schema = f"{_SPEC}/facets/1-1-1/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet"
            fields = [{"name": name, **({"type": kind} if kind else {})} for name, kind in columns]
            facets["schema"] = {"_producer": PRODUCER, "_schemaURL": schema, "fields": fields}
        return {**self._head, "schemaURL": f"{_EVENT}/DatasetEvent", "dataset": {**_name(node), "facets": facets}}

    def _described(self, node: str, of: str) -> dict[str, Any]:
        """Return owners, description and labels of a node as facets."""
        said: dict[str, list[str]] = {}
        for key, value in self._store.ask(_FACTS, node=node, **self._point):
            said.setdefault(key, []).append(value)
        found: dict[str, Any] = {"lineage_tt": self._version(of)}
        if OWNER in said:
            found["ownership"] = _facet("Ownership", of, owners=[{"name": name} for name in said[OWNER]])
        if DESCRIPTION in said:
            found["documentation"] = _facet("Documentation", of, description=said[DESCRIPTION][-1])
        if LABEL in said:
            tags = [dict(zip(("key", "value"), _tag(label), strict=True)) for label in said[LABEL]]
            found["tags"] = _facet("Tags", of, tags=tags)
        return found

    def _version(self, of: str) -> dict[str, Any]:
        effective_at = format_instant(self._entry.effective_at)
        return {
            "_producer": PRODUCER, "_schemaURL": f"{_EVENT}/{of}Facet", "version": self._entry.version,
            **({"effectiveAt": effective_at} if effective_at else {}),
        }  # fmt: skip

    def _input(self, source: str, kind: str, subtype: str, expression: str) -> dict[str, Any]:
        how = {"type": kind, "subtype": subtype, **({"description": expression} if expression else {})}
        if source.startswith(_TASK):
            job = {"namespace": self._jobs, "name": source.removeprefix(_TASK), "type": "JOB"}
            return {**job, "transformations": [how]}
        column = None if is_star(source) else column_of(source)
        field = {"field": column} if column is not None else {}
        return {**_name(dataset_of(source)), "type": "DATASET", **field, "transformations": [how]}


def _name(node: str) -> dict[str, str]:
    namespace, name = split_dataset(node)
    return {"namespace": namespace, "name": name}


def _field(entry: dict[str, Any], column: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = entry.setdefault("fields", {}).setdefault(column, {"inputs": []})["inputs"]
    return found


def _joined(inputs: list[dict[str, Any]], given: dict[str, Any]) -> bool:
    """Put the transformation of an input to those of the same source, where there is one before; return whether."""
    for each in inputs:
        if all(each.get(name) == given.get(name) for name in ("namespace", "name", "type", "field")):
            each["transformations"] += given["transformations"]
            return True
    return False


def _tag(label: str) -> tuple[str, str]:
    key, mark, value = label.partition(":")
    return (key, value) if mark and value else (label, "true")


_VERSIONS: Final = {"Ownership": "1-0-1", "Documentation": "1-1-0", "Tags": "1-0-0"}


def _facet(name: str, of: str, **fields: Any) -> dict[str, Any]:
    kind = f"{name}{of}Facet"
    schema = f"{_SPEC}/facets/{_VERSIONS[name]}/{kind}.json#/$defs/{kind}"
    return {"_producer": PRODUCER, "_schemaURL": schema, **fields}


def openlineage_records(entry: FeedEntry, store: Asked) -> Iterator[Record]:
    """Yield the record of a version's event for a topic, with the version in a header; none where there is no event."""
    event = openlineage_event(entry, store)
    if event is not None:
        whose = ("ce_source", store_urn(store.id).encode())  # a relay continues where the topic is its store's
        version = (VERSION_HEADER, str(entry.version).encode())
        headers = [("content-type", b"application/json"), whose, version]
        yield Record(entry.subject.encode(), orjson.dumps(event), headers)


def openlineage_events(entries: Iterable[FeedEntry], store: Asked) -> Iterator[dict[str, Any]]:
    """Yield the events of versions, in their order."""
    for entry in entries:
        event = openlineage_event(entry, store)
        if event is not None:
            yield event
