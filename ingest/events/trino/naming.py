"""The tasks of queries without a name: the places in templates that distinguish them, and the default template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ingest.events.openlineage import queries
from ingest.events.openlineage.merging import Dataset, Picture
from ingest.events.openlineage.spec import facets as f
from ingest.sql.dialects.names import canonical

#: The name of a query where the mapping says nothing about it.
TEMPLATE: Final = "{job.namespace}/{query.name}"
PLACES: Final = (
    "query.name", "query.client", "query.source", "query.tags", "query.user", "query.fingerprint", "query.tables",
)  # fmt: skip


def is_unnamed(picture: Picture) -> bool:
    """Return whether a picture is of a query that has no name but the number of its run."""
    return picture.job.name == queries.QUERY and queries.of_engine(picture.facets)


def is_read(picture: Picture) -> bool:
    """Return whether a picture is of a query that writes nothing: what it read is an observation, and no lineage."""
    return not picture.outputs and queries.of_engine(picture.facets) and queries.UNRESOLVED not in picture.facets


def places(picture: Picture) -> Mapping[str, str]:
    """Return the values of the places in templates that a query has; none for other jobs."""
    if not queries.of_engine(picture.facets):
        return {}
    context: Mapping[str, Any] = picture.run.get(queries.CONTEXT) or {}
    sql = f.read(picture.facets, "sql", f.Sql)
    engine = (picture.job_type.integration or "trino").lower()
    client, tables = queries.client_of(context), _names(picture.outputs)
    fingerprint = queries.fingerprint(sql.query, canonical(engine)) if sql is not None else ""
    if tables and client:
        change = queries.change_of(context, sql.query if sql is not None else "")
        name = "/".join(filter(None, (client, tables, change)))
    elif tables:
        name = f"{tables}/{fingerprint}"
    else:
        name = f"reads/{_names(picture.inputs)}" if picture.inputs else "other"
    tags = context.get("client_tags")
    return {
        "query.name": name,
        "query.client": client,
        "query.source": str(context.get("source") or ""),
        "query.tags": ",".join(sorted(map(str, tags))) if isinstance(tags, list) else str(tags or ""),
        "query.user": str(context.get("user") or ""),
        "query.fingerprint": fingerprint,
        "query.tables": tables,
    }


def _names(datasets: Mapping[str, Dataset]) -> str:
    return ",".join(sorted(each.name for each in datasets.values()))
