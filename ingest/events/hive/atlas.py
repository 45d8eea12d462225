"""A message of an Atlas hook (topic ``ATLAS_HOOK``) as an OpenLineage run event.

A process with its inputs and outputs is a run of a task; the column lineage beside it is that of its outputs. A message
only about tables is a run of a task that defines them: their columns, their owner, what was dropped or renamed.
Message, entity and attribute names are those of Atlas' notifications, version 1 and 2.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import orjson

from ingest.events.hive.converting import subtype_of
from ingest.events.hive.entities import Entity, Message, Name, name_of
from ingest.events.openlineage.queries import fingerprint

PRODUCER: Final = "https://github.com/apache/atlas"
_CHANGES: Final = {"ENTITY_CREATE": "CREATE", "ENTITY_DELETE": "DROP"}
#: Times in the names that the hook gives to processes.
_TIMES: Final = re.compile(r"[:@]\d{9,}")


def as_run_event(document: Mapping[str, Any], namespace: str | None = None) -> dict[str, Any]:
    """Return a message as a run event; tables of Hive are in ``namespace``, by default ``hive``.

    ValueError for one that has no time, or whose message cannot be unpacked.
    """
    place = namespace or "hive"
    message = Message(document)
    processes = [each for each in message.entities if each.is_process] if message.kind != "ENTITY_DELETE" else []
    tables = [each for each in message.entities if each.is_table and (not processes or each.attributes.get("columns"))]
    at = _time(document.get("msgCreationTime"))
    starts = [start for each in processes if (start := _time(each.attributes.get("startTime"))) is not None]
    ends = [end for each in processes if (end := _time(each.attributes.get("endTime"))) is not None]
    began = min(starts, default=at)
    ended = max([*ends, *starts], default=at)
    if began is None or ended is None:
        raise ValueError("msgCreationTime: must be a number of milliseconds since 1970")
    described = _of_processes(processes, tables, message, place) if processes else _of_tables(tables, message, place)
    digest = hashlib.blake2b(orjson.dumps(document, option=orjson.OPT_SORT_KEYS), digest_size=8).hexdigest()
    query = next((each.text("queryId") for each in processes if each.text("queryId")), digest)
    return {
        "eventType": "COMPLETE",
        "eventTime": _instant(ended),
        "began": _instant(began),
        "producer": PRODUCER,
        "run": {"runId": f"{query}@{began}", "facets": {}},
        **described,
    }


def _of_processes(
    processes: Sequence[Entity], tables: Sequence[Entity], message: Message, place: str
) -> dict[str, Any]:
    inputs: dict[Name, dict[str, Any]] = {}
    outputs: dict[Name, dict[str, Any]] = {}
    entries = []
    for process in processes:
        read, written = (_names(message.those(process.attributes, which), place) for which in ("inputs", "outputs"))
        inputs |= {name: _dataset(name) for name in read}
        outputs |= {name: _dataset(name) for name in written}
        entries += [
            {**_dataset(name), "type": "DATASET", "inputs": [{**_dataset(each), "type": "DATASET"} for each in read]}
            for name in written
        ]
    described = {name: each for each in tables if (name := name_of(each, place)) is not None}
    for name, dataset in {**inputs, **outputs}.items():
        if name in described:
            dataset["facets"] = _facets(described[name], message)
    columns = _columns(message, place)
    for name in outputs.keys() & columns.keys():
        outputs[name].setdefault("facets", {})["columnLineage"] = {"fields": columns[name]}
    text = next((query for each in processes if (query := each.text("queryText", "query"))), "")
    first = processes[0]
    facets: dict[str, Any] = {
        "jobType": {"processingType": "BATCH", "integration": first.kind.partition("_")[0].upper(), "jobType": "QUERY"}
    }
    if text:
        facets["sql"] = {"query": text}
    if len(processes) > 1:  # each says what feeds its own outputs
        for entry in entries:
            fields = columns.get(Name(entry["namespace"], entry["name"]))
            entry |= (
                {"fields": {c: {"inputs": [_typed(i) for i in f["inputFields"]]} for c, f in fields.items()}}
                if fields
                else {}
            )
        facets["lineage"] = {"entries": entries}
    return {
        "job": {"namespace": place, "name": _job(first, text, inputs, outputs), "facets": facets},
        "inputs": list(inputs.values()),
        "outputs": list(outputs.values()),
    }


def _job(process: Entity, text: str, inputs: Mapping[Name, Any], outputs: Mapping[Name, Any]) -> str:
    """Return the name of a task: as for a line of the LineageLogger, so that both hooks say the same of one query."""
    named = ",".join(sorted(name.name for name in outputs)) or "reads/" + ",".join(sorted(n.name for n in inputs))
    if text:
        return f"{named}/{fingerprint(text, 'hive')}"
    return _TIMES.sub("", process.name.rpartition("@")[0] or process.name) or named


def _of_tables(tables: Sequence[Entity], message: Message, place: str) -> dict[str, Any]:
    outputs = []
    names = {name: each for each in tables if (name := name_of(each, place)) is not None}
    former = name_of(message.former, place) if message.former is not None and message.former.is_table else None
    if former is not None and not names:  # an update that names the table and says nothing more about it
        names = {former: Entity(message.former.kind, message.former.name)} if message.former else {}
    for name, entity in names.items():
        change: dict[str, Any] = {"lifecycleStateChange": _CHANGES.get(message.kind, "ALTER")}
        if former is not None and former != name:
            change = {"lifecycleStateChange": "RENAME", "previousIdentifier": _dataset(former)}
        outputs.append({**_dataset(name), "facets": {**_facets(entity, message), "lifecycleStateChange": change}})
    kind = {"processingType": "BATCH", "integration": "HIVE", "jobType": "DDL"}
    listed = ",".join(sorted(name.name for name in ([former] if former is not None else names)))
    return {
        "job": {"namespace": place, "name": f"tables/{listed}" if listed else "other", "facets": {"jobType": kind}},
        "inputs": [],
        "outputs": outputs,
    }


def _facets(table: Entity, message: Message) -> dict[str, Any]:
    """Return what is stated about a table: its columns in order, its owner, its description."""
    result: dict[str, Any] = {}
    parts = [*message.those(table.attributes, "columns"), *message.those(table.attributes, "partitionKeys")]
    fields: dict[str, dict[str, Any]] = {}
    for each in sorted(parts, key=_position):
        column = each.text("name") or each.name.rpartition("@")[0].rpartition(".")[2]
        if column and column not in fields:
            stated = {"type": each.text("type", "dataType"), "description": each.text("comment", "description")}
            fields[column] = {"name": column, **{key: value for key, value in stated.items() if value}}
    if fields:
        result["schema"] = {"fields": list(fields.values())}
    if owner := table.text("owner"):
        result["ownership"] = {"owners": [{"name": owner}]}
    if words := table.text("comment", "description"):
        result["documentation"] = {"description": words}
    return result


def _position(column: Entity) -> int:
    place = column.attributes.get("position")
    return place if isinstance(place, int) else 0


def _columns(message: Message, place: str) -> dict[Name, dict[str, dict[str, Any]]]:
    """Return the lineage of columns that a message states, by table and column that is written."""
    columns: dict[Name, dict[str, dict[str, Any]]] = {}
    for each in message.entities:
        if not each.is_column_lineage:
            continue
        sources = [n for e in message.those(each.attributes, "inputs") if (n := name_of(e, place)) and n.column]
        how = {"type": "DIRECT", "subtype": _subtype(each), "description": each.text("expression")}
        for entity in message.those(each.attributes, "outputs"):
            target = name_of(entity, place)
            if target is None or target.column is None:
                continue
            fields = columns.setdefault(Name(target.namespace, target.name), {})
            listed = fields.setdefault(target.column, {"inputFields": []})["inputFields"]
            listed += [
                {"namespace": n.namespace, "name": n.name, "field": n.column, "transformations": [how]} for n in sources
            ]
    return columns


def _subtype(each: Entity) -> str:
    if each.text("depenendencyType", "dependencyType").upper() == "SIMPLE":  # Atlas' own spelling, and the right one
        return "IDENTITY"
    expression = each.text("expression")
    return subtype_of(expression) if expression else "TRANSFORMATION"


def _names(entities: Sequence[Entity], place: str) -> list[Name]:
    return list(dict.fromkeys(_datasets(entities, place)))


def _datasets(entities: Sequence[Entity], place: str) -> Iterator[Name]:
    for each in entities:
        if (name := name_of(each, place)) is not None:
            yield Name(name.namespace, name.name)


def _dataset(name: Name) -> dict[str, Any]:
    return {"namespace": name.namespace, "name": name.name}


def _typed(source: Mapping[str, Any]) -> dict[str, Any]:
    return {**source, "type": "DATASET"}


def _time(value: Any) -> int | None:
    """Return an instant as milliseconds since 1970; None for one that is missing, or is before 1971."""
    if isinstance(value, str) and value.lstrip("-").isdigit():
        value = int(value)
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return None
        value = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or not 31_536_000_000 < value < 253_402_300_800_000
    ):
        return None
    return int(value)


def _instant(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat()
