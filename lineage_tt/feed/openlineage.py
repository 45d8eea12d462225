"""Versions as OpenLineage events: a consumer that reads OpenLineage can keep the same lineage as the store.

OpenLineage has no valid time. A version of a task becomes a JobEvent with all lineage of the task, as known at that
version, at the later of its system time and its ``effective_at``; a table that the task no longer writes gets an entry
without inputs. A version of a dataset, of a fact, an alias or an annotation becomes a DatasetEvent with what is then
known about the dataset; a facet whose last content was removed is ``_deleted``. An edge that a person rejects is in no
event, and the tasks that state it are sent again. ``eventTime`` is the version's system time, so it increases with the
version. The facet ``lineage_tt`` has the version and its ``effective_at``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, Protocol

import orjson

from lineage_tt.events import store_urn
from lineage_tt.feed.current_state import Believed, CurrentState
from lineage_tt.feed.records import VERSION_HEADER, Record
from lineage_tt.model.answers import FeedEntry
from lineage_tt.model.edges import REJECTED, column_node, column_of, dataset_of, is_star, name_of, split_dataset
from lineage_tt.model.facts import COLUMN, DESCRIPTION, LABEL, OWNER, FactTuple, fields_of, task_node
from lineage_tt.model.names import CURATED, is_reserved
from lineage_tt.model.times import format_instant

PRODUCER: Final = "https://github.com/lineage-tt/lineage-tt"
_SPEC: Final = "https://openlineage.io/spec"
_EVENT: Final = f"{_SPEC}/2-0-2/OpenLineage.json#/$defs"
_LINEAGE: Final = f"{_SPEC}/facets/1-0-0/LineageFacet.json#/$defs/LineageJobFacet"
_TASK: Final = task_node("")
_ALIASES, _, _NOTES = CURATED
#: The keys of facts that give other names of a dataset, and its former name.
ALIAS: Final = "alias"
RENAMED_FROM: Final = "renamed_from"


class Followed(Believed, Protocol):
    """A store whose versions are sent."""

    @property
    def id(self) -> str:
        """The store's identity."""


class OpenLineageFeed:
    """Turns the versions of one store, in order, into OpenLineage events; a version costs only what it concerns."""

    def __init__(self, store: Followed) -> None:
        self._jobs = store_urn(store.id)
        self._state = CurrentState(store)

    def events(self, entry: FeedEntry) -> list[dict[str, Any]]:
        """Return the events of a version: for its task, or for what it is about; empty where it concerns nothing.

        A rejection of an edge concerns every task that states the edge, and the names of a dataset that it separates.
        """
        if not entry.changes and not entry.facts:
            return []
        self._state.move(entry)
        events = _EventsOf(self._state, self._jobs, entry)
        if entry.task_id is None:
            return events.of_nodes([entry.node or ""])
        if entry.task_id.startswith((_ALIASES, _NOTES)):
            return events.of_nodes([fact[1] for fact in entry.facts])
        ends = [change[1:3] for change in entry.changes if change[4] == REJECTED]
        tasks = self._state.touched(ends) if ends else []
        if len(ends) < len(entry.changes) or not ends:
            tasks.append(entry.task_id)
        left = {_whole(change[2]) for change in entry.changes}
        rejected = {_whole(target) for _, target in ends}
        result = [events.job(task, left if task == entry.task_id else rejected) for task in tasks]
        return result + events.of_nodes(self._state.aliased(ends, ALIAS))


class _EventsOf:
    """What is in force at a version, in OpenLineage's terms."""

    def __init__(self, state: CurrentState, jobs: str, entry: FeedEntry) -> None:
        self._state = state
        self._jobs = jobs
        self._at = max(entry.effective_at or 0, entry.system_time)
        self._head = {"eventTime": format_instant(entry.system_time), "producer": PRODUCER}
        self._entry = entry

    def of_nodes(self, nodes: Iterable[str]) -> list[dict[str, Any]]:
        """Return an event for each dataset, or task, of some nodes; the product's own nodes are left out."""
        result = []
        for node in dict.fromkeys(map(dataset_of, nodes)):
            if node.startswith(_TASK):
                result.append(self.job(node.removeprefix(_TASK), ()))
            elif ":" in node and not is_reserved(node):
                result.append(self.dataset(node))
        return result

    def job(self, task_id: str, left: Iterable[str]) -> dict[str, Any]:
        """Return the event of a task; those of ``left`` that it does not write get an entry without inputs."""
        entries: dict[str, dict[str, Any]] = {}
        sources: dict[str, None] = {}
        rows = self._state.edges(task_id, self._at)
        written = {_whole(target) for _, target, *_ in rows}
        for node in sorted(written.union(left)):
            entries[node] = {**self._end(node), "inputs": []}
        for source, target, kind, subtype, expression in rows:
            entry = entries[_whole(target)]
            entry_input = self._input(source, kind, subtype, expression)
            column = None if is_star(target) or target.startswith(_TASK) else column_of(target)
            fields = entry["inputs"] if column is None else _field(entry, column)
            if not _joined(fields, entry_input):
                fields.append(entry_input)
            if not source.startswith(_TASK):
                sources[dataset_of(source)] = None
        facets = self._described(task_node(task_id), "Job")
        if entries:
            facets["lineage"] = {"_producer": PRODUCER, "_schemaURL": _LINEAGE, "entries": list(entries.values())}
        return {
            **self._head,
            "schemaURL": f"{_EVENT}/JobEvent",
            "job": {"namespace": self._jobs, "name": task_id, "facets": facets},
            "inputs": [_name(node) for node in sources],
            "outputs": [_name(node) for node in entries if node in written and not node.startswith(_TASK)],
        }

    def dataset(self, node: str) -> dict[str, Any]:
        """Return the event of a dataset: what is known about it, with its columns where they are declared."""
        facets = self._described(node, "Dataset")
        facts = self._state.facts(node, self._at)
        described = {name: value for name, key, value in facts if key == DESCRIPTION}
        columns = [
            {"name": field.name, **({"type": field.type} if field.type else {}),
             **({"description": text} if (text := described.get(column_node(node, field.name))) else {})}
            for field in fields_of(fact for fact in facts if _is_declared(fact)) if not field.nested
        ]  # fmt: skip
        if columns:
            schema = f"{_SPEC}/facets/1-2-0/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet"
            facets["schema"] = {"_producer": PRODUCER, "_schemaURL": schema, "fields": columns}
        former = [value for name, key, value in facts if (name, key) == (node, RENAMED_FROM) and ":" in value]
        if former and any(fact[0] > 0 and fact[2] == RENAMED_FROM for fact in self._entry.facts):
            change = {"lifecycleStateChange": "RENAME", "previousIdentifier": _name(former[-1])}
            facets["lifecycleStateChange"] = _facet("LifecycleStateChange", "Dataset", **change)
        return {**self._head, "schemaURL": f"{_EVENT}/DatasetEvent", "dataset": {**_name(node), "facets": facets}}

    def _described(self, node: str, of: str) -> dict[str, Any]:
        """Return what is stated about a node as facets, with those whose last content this version removed."""
        stated: dict[str, list[tuple[str, str]]] = {}
        for name, key, value in self._state.facts(node, self._at):
            stated.setdefault(key, []).append((name, value))
        result: dict[str, Any] = {"lineage_tt": self._version(of)}
        result |= {
            _FACETS[key]: {"_producer": PRODUCER, "_schemaURL": f"{_EVENT}/{of}Facet", "_deleted": True}
            for sign, name, key, *_ in self._entry.facts
            if sign < 0 and dataset_of(name) == node and key in _FACETS and (of, key) not in _NOT_OF_JOBS
        }
        own = {key: [value for name, value in values if name == node] for key, values in stated.items()}
        if own.get(OWNER):
            result["ownership"] = _facet("Ownership", of, owners=[{"name": name} for name in own[OWNER]])
        if own.get(DESCRIPTION):
            result["documentation"] = _facet("Documentation", of, description=own[DESCRIPTION][-1])
        if stated.get(LABEL):
            result["tags"] = _facet("Tags", of, tags=[_tag(name, label) for name, label in stated[LABEL]])
        known = [value for value in own.get(ALIAS, ()) if ":" in value]
        names = [value for value in known if not self._state.parted(node, value, self._at)]
        if names and of == "Dataset":
            identifiers = [{**_name(value), "type": "TABLE"} for value in names]
            result["symlinks"] = _facet("Symlinks", of, identifiers=identifiers)
        elif known and of == "Dataset":
            result["symlinks"] = {"_producer": PRODUCER, "_schemaURL": f"{_EVENT}/{of}Facet", "_deleted": True}
        return result

    def _version(self, of: str) -> dict[str, Any]:
        effective_at = format_instant(self._entry.effective_at)
        return {
            "_producer": PRODUCER, "_schemaURL": f"{_EVENT}/{of}Facet", "version": self._entry.version,
            **({"effectiveAt": effective_at} if effective_at else {}),
        }  # fmt: skip

    def _input(self, source: str, kind: str, subtype: str, expression: str) -> dict[str, Any]:
        how = {"type": kind, "subtype": subtype, **({"description": expression} if expression else {})}
        column = None if is_star(source) or source.startswith(_TASK) else column_of(source)
        field = {"field": column} if column is not None else {}
        return {**self._end(_whole(source)), **field, "transformations": [how]}

    def _end(self, node: str) -> dict[str, str]:
        """Return a dataset or a task as an input or output of data."""
        if node.startswith(_TASK):
            return {"namespace": self._jobs, "name": node.removeprefix(_TASK), "type": "JOB"}
        return {**_name(node), "type": "DATASET"}


def _whole(node: str) -> str:
    """Return the dataset of a node, or the node itself for a task, whose name may contain a #."""
    return node if node.startswith(_TASK) else dataset_of(node)


def _name(node: str) -> dict[str, str]:
    try:
        namespace, name = split_dataset(node)
    except ValueError:  # stores of earlier releases may have such a node: it must not stop what follows it
        namespace, name = "", name_of(node).removeprefix(":")
    return {"namespace": namespace, "name": name}


def _field(entry: dict[str, Any], column: str) -> list[dict[str, Any]]:
    result: list[dict[str, Any]] = entry.setdefault("fields", {}).setdefault(column, {"inputs": []})["inputs"]
    return result


def _joined(inputs: list[dict[str, Any]], fresh: dict[str, Any]) -> bool:
    """Add the transformation of an input to an earlier input of the same source; return whether there is one."""
    for each in inputs:
        if all(each.get(name) == fresh.get(name) for name in ("namespace", "name", "type", "field")):
            each["transformations"] += [how for how in fresh["transformations"] if how not in each["transformations"]]
            return True
    return False


def _tag(node: str, label: str) -> dict[str, str]:
    key, mark, value = label.partition(":")
    column = column_of(node)
    tag = {"key": key, "value": value} if mark and value else {"key": label, "value": "true"}
    return tag if column is None else tag | {"field": column}


def _is_declared(fact: FactTuple) -> bool:
    """Return whether a fact is a column that a dataset message declares; columns of statements have no ids."""
    return fact[1] == COLUMN and '"field_id"' in fact[2]


_VERSIONS: Final = {
    "Ownership": "1-0-1", "Documentation": "1-1-0", "Tags": "1-0-0", "Symlinks": "1-0-1",
    "LifecycleStateChange": "1-0-1",
}  # fmt: skip
#: The facets for facts, by key.
_FACETS: Final = {OWNER: "ownership", DESCRIPTION: "documentation", LABEL: "tags", ALIAS: "symlinks", COLUMN: "schema"}
_NOT_OF_JOBS: Final = {("Job", ALIAS), ("Job", COLUMN)}


def _facet(name: str, of: str, **fields: Any) -> dict[str, Any]:
    kind = f"{name}{of}Facet"
    schema = f"{_SPEC}/facets/{_VERSIONS[name]}/{kind}.json#/$defs/{kind}"
    return {"_producer": PRODUCER, "_schemaURL": schema, **fields}


def openlineage_records(entry: FeedEntry, feed: OpenLineageFeed, store_id: str) -> Iterator[Record]:
    """Yield the records of a version's events for a topic, with the version in a header."""
    for event in feed.events(entry):
        whose = ("ce_source", store_urn(store_id).encode())  # a relay continues only on a topic of its own store
        version = (VERSION_HEADER, str(entry.version).encode())
        headers = [("content-type", b"application/json"), whose, version]
        yield Record(_subject(event).encode(), orjson.dumps(event), headers)


def _subject(event: dict[str, Any]) -> str:
    """Return what an event is about: records of one task, or of one dataset, have the same key."""
    if "job" in event:
        return str(event["job"]["name"])
    return f"{event['dataset']['namespace']}:{event['dataset']['name']}"


def openlineage_events(entries: Iterable[FeedEntry], store: Followed) -> Iterator[dict[str, Any]]:
    """Yield the events of versions, in their order."""
    feed = OpenLineageFeed(store)
    for entry in entries:
        yield from feed.events(entry)
