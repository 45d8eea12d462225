"""A query event of Trino's or Presto's HTTP or Kafka listener as an OpenLineage run event.

Releases differ in which fields they send, and a few have other names in Presto; what is missing is left out. The
OpenLineage listener leaves out who asked and the session's catalog and schema, which are kept here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ingest.events.openlineage.queries import CONTEXT, QUERY, UNRESOLVED_NAME
from ingest.events.openlineage.spec.models import UNKNOWN_TYPE
from ingest.events.openlineage.unread import UNREAD
from lineage_tt.model.names import clipped
from lineage_tt.model.times import iso_of_seconds

#: What the Kafka listener puts a query event into.
_WRAPPER: Final = "eventPayload"
_STATES: Final = {"FINISHED": "COMPLETE"}
PRODUCER: Final = "https://github.com/trinodb/trino"
#: A greater number is not a time in any unit, and may be too large to divide.
MAX_MILLISECONDS: Final = 10**15


class NoQueryError(ValueError):
    """The object is not a query event, or says nothing about what a query read and wrote."""


def as_run_event(document: Mapping[str, Any], namespace: str | None = None) -> dict[str, Any]:
    """Return a query event as a run event; ``namespace`` is that of the server, where its own URI is not used.

    Raises NoQueryError for what is not a query event, ValueError for one whose ``endTime`` is not a time.
    """
    event = _unwrapped(document)
    metadata, context = _object(event, "metadata"), _object(event, "context")
    query_id = metadata.get("queryId")
    if not isinstance(query_id, str) or not query_id:
        if "queryId" in event:
            raise NoQueryError("a split event says nothing about lineage: set log-split=false for the listener")
        raise NoQueryError("not a query event of Trino or Presto: metadata.queryId is missing")
    ended = _time(event.get("endTime"))
    if ended is None and event.get("endTime") not in (None, ""):
        raise ValueError("endTime: must be a time, as text or as a number of seconds or milliseconds since 1970")
    engine = "PRESTO" if str(context.get("serverVersion") or "").startswith("0.") else "TRINO"
    place = namespace or _namespace(metadata, context, engine)
    reads, writes = _object(event, "ioMetadata"), _object(_object(event, "ioMetadata"), "output")
    began = _time(event.get("createTime")) or _time(event.get("executionStartTime"))
    result: dict[str, Any] = {
        "eventType": "START" if ended is None else _STATES.get(str(metadata.get("queryState")), "FAIL"),
        "eventTime": ended or began,
        "producer": PRODUCER,
        "run": {"runId": query_id, "facets": _run_facets(context, engine)},
        "job": {"namespace": place, "name": QUERY, "facets": _job_facets(metadata, engine)},
        "inputs": [*_inputs(place, metadata, reads)],
        "outputs": [_output(place, writes, reads, _object(event, "statistics"))] if _name(writes) else [],
    }
    if ended is not None and began is not None:
        result["began"] = began
    if unread := tuple(_unread(metadata, reads, writes, has_ended=ended is not None)):
        result[UNREAD] = unread
    return result


def _unread(
    metadata: Mapping[str, Any], reads: Mapping[str, Any], writes: Mapping[str, Any], *, has_ended: bool
) -> Iterator[tuple[str, str]]:
    """Yield the code and the words of what the event names and a run event cannot say."""
    state = metadata.get("queryState")
    if has_ended and state not in (*_STATES, "FAILED"):
        given = "is missing" if state is None else f"{clipped(str(state))} is not known"
        words = f"metadata.queryState {given}, so that the query counts as failed: use FINISHED or FAILED"
        yield UNKNOWN_TYPE, words
    places = [
        *(f"metadata.tables.{n}" for n, each in enumerate(_objects(metadata, "tables")) if not _name(each)),
        *(f"ioMetadata.inputs.{n}" for n, each in enumerate(_objects(reads, "inputs")) if not _name(each)),
        *(["ioMetadata.output"] if writes and not _name(writes) else []),
        *(
            f"ioMetadata.output.columns.{column}.sourceColumns.{n}"
            for column, each in enumerate(_columns(writes))
            for n, source in enumerate(_listed(each, "sourceColumns"))
            if not (_name(source) and _column(source))
        ),
    ]
    if places:
        more = f" (and {len(places) - 1} more)" if len(places) > 1 else ""
        yield UNRESOLVED_NAME, f"{places[0]} has no effect{more}: its name lacks the catalog, schema, table or column"


def _unwrapped(document: Mapping[str, Any]) -> Mapping[str, Any]:
    inside = document.get(_WRAPPER)
    return inside if "metadata" not in document and isinstance(inside, Mapping) else document


def _namespace(metadata: Mapping[str, Any], context: Mapping[str, Any], engine: str) -> str:
    scheme, _, rest = str(metadata.get("uri") or "").partition("://")
    server = rest.partition("/")[0] if scheme and rest else ""
    return f"{engine.lower()}://{server or context.get('serverAddress') or context.get('environment') or 'unknown'}"


def _run_facets(context: Mapping[str, Any], engine: str) -> dict[str, Any]:
    context_fields = {
        "query_type": context.get("queryType"), "user": context.get("user"), "source": context.get("source"),
        "client_tags": context.get("clientTags"), "catalog": context.get("catalog"), "schema": context.get("schema"),
    }  # fmt: skip
    return {
        "processing_engine": {"name": engine.lower(), "version": context.get("serverVersion")},
        CONTEXT: {name: value for name, value in context_fields.items() if value},
    }


def _job_facets(metadata: Mapping[str, Any], engine: str) -> dict[str, Any]:
    facets: dict[str, Any] = {"jobType": {"processingType": "BATCH", "integration": engine, "jobType": "QUERY"}}
    prepared, query = metadata.get("preparedQuery"), metadata.get("query")
    text = prepared if isinstance(prepared, str) and prepared.strip() else query  # that of EXECUTE names no table
    if isinstance(text, str):
        facets["sql"] = {"query": text}
    return facets


def _inputs(place: str, metadata: Mapping[str, Any], reads: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """Yield the tables that the text names; where the event does not list them, those that were read."""
    scanned = {_name(each): each for each in _objects(reads, "inputs") if _name(each)}
    named = {
        _name(each): each
        for each in _objects(metadata, "tables")
        if _name(each) and each.get("directlyReferenced") is not False
    }
    for name, each in (named or scanned).items():
        types = {_column(c): c.get("type") for c in _objects(scanned.get(name) or {}, "columns")}
        columns = [column for c in _columns(each) if (column := _column(c))]
        fields = [{"name": c, **({"type": types[c]} if types.get(c) else {})} for c in columns]
        yield {"namespace": place, "name": name, "facets": {"schema": {"fields": fields}} if fields else {}}


def _output(
    place: str, writes: Mapping[str, Any], reads: Mapping[str, Any], statistics: Mapping[str, Any]
) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    lineage: dict[str, Any] = {}
    for each in _columns(writes):
        column = _column(each)
        if not column:
            continue
        kind = each.get("columnType") or each.get("type") if isinstance(each, Mapping) else None
        fields[column] = {"name": column, **({"type": kind} if kind else {})}
        if isinstance(each, Mapping) and isinstance(each.get("sourceColumns"), list):
            sources = _listed(each, "sourceColumns")
            lineage[column] = {"inputFields": [_field(place, s) for s in sources if _name(s) and _column(s)]}
    scanned = [
        {"namespace": place, "name": _name(table), "field": _column(column)}
        for table in _objects(reads, "inputs")
        for column in _columns(table)
        if _name(table) and _column(column)
    ]
    facets: dict[str, Any] = {"schema": {"fields": list(fields.values())}} if fields else {}
    facets["columnLineage"] = {"fields": lineage, "dataset": scanned}
    counted = {"rowCount": statistics.get("writtenRows"), "size": statistics.get("writtenBytes")}
    figures = {name: value for name, value in counted.items() if isinstance(value, int)}
    result: dict[str, Any] = {"namespace": place, "name": _name(writes), "facets": facets}
    return result | ({"outputFacets": {"outputStatistics": figures}} if figures else {})


def _field(place: str, source: Mapping[str, Any]) -> dict[str, Any]:
    return {"namespace": place, "name": _name(source), "field": _column(source)}


def _name(table: Any) -> str:
    """Return a table's name with catalog and schema, the empty text where a part is missing."""
    if not isinstance(table, Mapping):
        return ""
    parts = [table.get("catalogName") or table.get("catalog"), table.get("schema") or table.get("schemaName"),
             table.get("table") or table.get("tableName")]  # fmt: skip
    words = [part for part in parts if isinstance(part, str) and part]
    return ".".join(words) if len(words) == len(parts) else ""


def _column(column: Any) -> str:
    if isinstance(column, str):
        return column
    if not isinstance(column, Mapping):
        return ""
    name = column.get("columnName") or column.get("column") or column.get("name")
    return name if isinstance(name, str) else ""


def _columns(table: Mapping[str, Any]) -> list[Any]:
    for name in ("columns", "columnObjects"):
        if isinstance(table.get(name), list):
            return list(table[name])
    return []


def _listed(parent: Any, name: str) -> list[Any]:
    value = parent.get(name) if isinstance(parent, Mapping) else None
    return value if isinstance(value, list) else []


def _object(parent: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = parent.get(name)
    return value if isinstance(value, Mapping) else {}


def _objects(parent: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    value = parent.get(name)
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def _time(value: Any) -> str | None:
    """Return an instant as ISO 8601: text is taken as it is, numbers are seconds or milliseconds since 1970.

    ValueError for a number outside the years 0001 to 9999.
    """
    if isinstance(value, str) and value:
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return iso_of_seconds(value / 1000 if 10**11 < value < MAX_MILLISECONDS else value)
