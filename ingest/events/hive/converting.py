"""A line of Hive's LineageLogger as an OpenLineage run event.

The hook lists vertices (columns) and edges between them: PROJECTION edges carry values, PREDICATE edges decide about
the rows that are written. A query has no id; the hash of its text and its time identify it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ingest.events.openlineage.queries import UNRESOLVED_NAME, fingerprint
from ingest.events.openlineage.unread import UNREAD
from lineage_tt.model.times import iso_of_seconds

PRODUCER: Final = "https://github.com/apache/hive"
#: Milliseconds; ten thousand years.
MAX_DURATION: Final = 10**15
#: How the expression of an edge begins that Hive adds to gather statistics: its value is not in the table.
_STATISTICS: Final = "compute_stats("
#: Queries that write a folder: the hook does not say which.
_DIRECTORY: Final = re.compile(r"\binsert\s+overwrite\s+(?:local\s+)?directory\b", re.IGNORECASE)
_NO_PATH: Final = (UNRESOLVED_NAME, "INSERT OVERWRITE DIRECTORY has no effect: the line does not name the folder")
_AGGREGATES: Final = re.compile(
    r"\b(?:sum|count|min|max|avg|collect_set|collect_list|std\w*|var\w*|percentile\w*|corr|covar\w*|ndv|histogram\w*)\s*\(",
    re.IGNORECASE,
)


def looks_like(line: Mapping[str, Any]) -> bool:
    """Return whether an object is a line of the LineageLogger."""
    return isinstance(line.get("vertices"), list) and isinstance(line.get("edges"), list)


def as_run_event(line: Mapping[str, Any], namespace: str | None = None) -> dict[str, Any]:
    """Return a line as a run event; tables are in ``namespace``, by default ``hive``.

    ValueError for a line without a time, or with an impossible one.
    """
    place = namespace or "hive"
    began = line.get("timestamp")
    if isinstance(began, bool) or not isinstance(began, (int, float)):
        raise ValueError("timestamp: must be a number of seconds since 1970")
    began_at = iso_of_seconds(began)
    text = str(line.get("queryText") or "")
    vertices = ((v.get("id"), _column(v)) for v in line["vertices"] if isinstance(v, Mapping) and _is_id(v.get("id")))
    names = {number: column for number, column in vertices if column is not None}
    edges = [each for each in line["edges"] if isinstance(each, Mapping) and not _is_of_statistics(each)]
    written = {names[t][0]: None for each in edges for t in _ids(each, "targets") if t in names}
    outputs = [_output(place, table, edges, names) for table in written]
    read = {names[s][0]: None for each in edges for s in _ids(each, "sources") if s in names}
    query = str(line.get("hash") or hashlib.md5(text.encode(), usedforsecurity=False).hexdigest())
    tables = ",".join(sorted(written))
    facets: dict[str, Any] = {"jobType": {"processingType": "BATCH", "integration": "HIVE", "jobType": "QUERY"}}
    into_folder = not written and _DIRECTORY.search(text) is not None
    return {
        "eventType": "COMPLETE",
        "eventTime": iso_of_seconds(began + _took(line.get("duration"))),
        "began": began_at,
        "producer": PRODUCER,
        "run": {"runId": f"{query}@{began}", "facets": {"processing_engine": {"name": "hive"}}},
        "job": {
            "namespace": place,
            "name": f"{tables or 'reads/' + ','.join(sorted(read))}/{fingerprint(text, 'hive')}",
            "facets": facets | ({"sql": {"query": text}} if text else {}),
        },
        "inputs": [{"namespace": place, "name": table} for table in read] if written else [],
        "outputs": outputs,
        **({UNREAD: (_NO_PATH,)} if into_folder else {}),
    }


def _output(
    place: str, table: str, edges: Sequence[Mapping[str, Any]], names: Mapping[Any, tuple[str, str]]
) -> dict[str, Any]:
    """Return a table that is written, with the columns that feed each of its columns and those that decide about it."""
    fields: dict[str, dict[str, list[Any]]] = {}
    deciding: list[dict[str, Any]] = []
    for each in edges:
        targets = [named[1] for t in _ids(each, "targets") if (named := names.get(t)) and named[0] == table]
        sources = [named for s in _ids(each, "sources") if (named := names.get(s))]
        if not targets:
            continue
        if str(each.get("edgeType")).upper() == "PREDICATE":
            kind = "JOIN" if len({name for name, _ in sources}) > 1 else "FILTER"
            deciding += _fields(place, sources, "INDIRECT", kind, each.get("expression"))
            continue
        for column in targets:
            inputs = fields.setdefault(column, {"inputFields": []})["inputFields"]
            inputs += _fields(place, sources, "DIRECT", _subtype(each), each.get("expression"))
    facet = {"fields": fields, "dataset": deciding}
    return {"namespace": place, "name": table, "facets": {"columnLineage": facet}}


def _fields(
    place: str, sources: Sequence[tuple[str, str]], kind: str, subtype: str, expression: Any
) -> Iterator[dict[str, Any]]:
    how = {"type": kind, "subtype": subtype, "description": expression if isinstance(expression, str) else None}
    for table, column in sources:
        yield {"namespace": place, "name": table, "field": column, "transformations": [how]}


def _is_of_statistics(edge: Mapping[str, Any]) -> bool:
    expression = edge.get("expression")
    return isinstance(expression, str) and expression.lstrip().lower().startswith(_STATISTICS)


def _subtype(edge: Mapping[str, Any]) -> str:
    expression = edge.get("expression")
    return subtype_of(expression) if isinstance(expression, str) and expression else "IDENTITY"


def subtype_of(expression: str) -> str:
    """Return how an expression makes its value."""
    return "AGGREGATION" if _AGGREGATES.search(expression) else "TRANSFORMATION"


def _column(vertex: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return a vertex as a table and its column, None for one that belongs to no table."""
    name = vertex.get("vertexId")
    parts = name.split(".", 2) if isinstance(name, str) else []
    if str(vertex.get("vertexType", "COLUMN")).upper() != "COLUMN" or len(parts) != 3 or not all(parts):
        return None
    return f"{parts[0]}.{parts[1]}", parts[2]


def _ids(edge: Mapping[str, Any], name: str) -> list[Any]:
    ids = edge.get(name)
    return [each for each in ids if _is_id(each)] if isinstance(ids, list) else []


def _is_id(value: Any) -> bool:
    return isinstance(value, (int, str))


def _took(duration: Any) -> float:
    """Return milliseconds as seconds, 0 where there are none; ValueError for more than any possible duration."""
    if isinstance(duration, bool) or not isinstance(duration, (int, float)):
        return 0.0
    if not abs(duration) <= MAX_DURATION:
        raise ValueError("duration: out of range")
    return duration / 1000
