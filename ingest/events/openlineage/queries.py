"""The names of queries: Trino numbers every query, but queries that do the same are one task.

A query is named by who sent it and by what it writes; where the client has no name, by what it writes and by its text
without literals, comments and layout. A query that writes nothing is a read.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from ingest.sql.text.redact import mask_literals

#: The job of queries to which nobody gave a name.
QUERY: Final = "query"
#: The facet of a run that says who sent the query, and in which catalog and schema.
CONTEXT: Final = "trino_query_context"
#: The facet of a job, of our own, that says what a query drops or renames where its full name is not known.
UNRESOLVED: Final = "lineage_tt_unresolved"
#: The code of the problem that such a query has.
UNRESOLVED_NAME: Final = "unresolved-name"
#: The fields of the run's facet that are kept with a task's events: the rest differs from run to run.
STEADY: Final = ("query_type", "user", "source", "client_tags", "catalog", "schema")
#: Engines whose queries these are, as ``jobType.integration`` has them.
ENGINES: Final = frozenset({"TRINO", "PRESTO"})
#: Types of queries that write some columns, or remove rows; and those that leave a table's content as it was.
_PARTIAL: Final = frozenset({"UPDATE", "DELETE", "MERGE"})
_CHANGES: Final = re.compile(
    r"(?:\s|--[^\n]*+\n?+|/\*.*?(?:\*/|\Z)|(?!))*+(update|delete|merge)\b", re.IGNORECASE | re.DOTALL
)
_SOME_COLUMNS: Final = re.compile(
    r"\s*insert\s+into\s+[\w.\"$]+\s*\((?!\s*(?:\(|select\b|with\b|values\b|table\b))", re.IGNORECASE
)
_REWRITES: Final = frozenset({"ANALYZE", "ALTER_TABLE_EXECUTE"})
_QUERY_ID: Final = re.compile(r"\d{8}_\d{6}_\d{5}_[0-9a-z]{5}")
#: What clients and tools call themselves, whatever job they run.
_CLIENTS: Final = re.compile(
    r"(?:trino|presto)(?:-cli|-jdbc|-odbc|-go(?:-client)?|-js(?:-client)?|-python(?:-client)?|-ui|-client)?|"
    r"nodejs-client|jdbc|odbc|cli|sqlalchemy|airflow|dbt|dbt-trino|dbt-presto|superset|apache superset|metabase|"
    r"redash|hue|dbeaver.*|datagrip.*|tableau.*|power ?bi.*|spark|",
    re.IGNORECASE,
)
_VERSION: Final = re.compile(r"[-_/ ]v?\d+(?:\.\d+)+\S*$")
_LISTS: Final = re.compile(r"('\?'|\b0\b)(?:\s*,\s*(?:'\?'|\b0\b))+")
_ALL: Final = re.compile(
    r"(?:\bselect(?:\s+(?:all|distinct))?\s*|,\s*|\.\s*)\*|[\w\")]\s+table\s+[\w.\"]+\s*;?\s*$", re.IGNORECASE
)
#: Texts that define a view in place of its former definition: whatever they say, they are one task.
_DEFINES_VIEW: Final = re.compile(
    r"create (?:or replace )?(?:materialized )?view (?!if not exists )|"
    r"alter view (?:\"[^\"]*\"|`[^`]*`|[^\s\"`])+ as "
)
_COMMENTS: Final = re.compile(r"--[^\n]*|/\* \?\s*\*/")


def of_engine(facets: Any) -> bool:
    """Return whether a job's facets are those of a query of Trino or Presto."""
    return _integration(facets) in ENGINES


def of_hive(facets: Any) -> bool:
    """Return whether a job's facets are those of a query of Hive."""
    return _integration(facets) == "HIVE"


def _integration(facets: Any) -> str:
    kind = facets.get("jobType") if isinstance(facets, Mapping) else None
    return str(kind.get("integration")).upper() if isinstance(kind, Mapping) else ""


def unresolved(facets: Any) -> tuple[str, str] | None:
    """Return the problem of a query that drops or renames something whose full name is not known; else None."""
    change = facets.get(UNRESOLVED) if isinstance(facets, Mapping) else None
    if not isinstance(change, Mapping):
        return None
    return UNRESOLVED_NAME, (
        f"the event does not say of which catalog and schema {change.get('name')!r} is, "
        f"so that its {change.get('change')} has no effect: name them in [openlineage.sessions] of the mapping file"
    )


def is_query_id(name: Any) -> bool:
    """Return whether a name is the number that a server gave a query."""
    return isinstance(name, str) and _QUERY_ID.fullmatch(name) is not None


def steady(body: dict[str, Any]) -> None:
    """Sort the lists in a run's body: what Trino lists as sets comes in any order.

    For a table that is written in part, the listed columns are not the table's columns; a table that is only rewritten
    or analysed does not count as written.
    """
    context = (body.get("run") or {}).get(CONTEXT) or {}
    kind = str(context.get("query_type")).upper()
    if kind in _REWRITES or not (body["inputs"] or any(_says_something(each) for each in body["outputs"])):
        body["outputs"] = []  # as well as of CREATE TABLE IF NOT EXISTS where the table exists: nothing was done
    sql = ((body["job"].get("facets") or {}).get("sql") or {}).get("query")
    if kind in _PARTIAL or (isinstance(sql, str) and _SOME_COLUMNS.match(sql)):
        for dataset in body["outputs"]:
            (dataset.get("facets") or {}).pop("schema", None)
    body["inputs"] = sorted(body["inputs"], key=lambda each: (str(each["namespace"]), str(each["name"])))
    for dataset in body["inputs"]:
        facets = dataset.get("facets") or {}
        facets |= {"schema": _visible(_sorted(facets["schema"], "fields"))} if "schema" in facets else {}
    for dataset in body["outputs"]:
        facets = dataset.get("facets") or {}
        lineage = facets.get("columnLineage")
        if isinstance(lineage, Mapping):
            lineage = _sorted(lineage, "dataset")
            if isinstance(lineage.get("fields"), Mapping):
                fields = {n: _sorted(each, "inputFields") for n, each in lineage["fields"].items()}
                lineage = {**lineage, "fields": fields}
            facets["columnLineage"] = lineage


def _sorted(facet: Any, name: str) -> Any:
    items = facet.get(name) if isinstance(facet, Mapping) else None
    return {**facet, name: sorted(items, key=repr)} if isinstance(items, list) else facet


def _says_something(dataset: Mapping[str, Any]) -> bool:
    facets = dataset.get("facets") or {}
    parts = [("schema", "fields"), ("columnLineage", "fields"), ("columnLineage", "dataset")]
    if "lifecycleStateChange" in facets:
        return True
    return any(isinstance(facets.get(name), Mapping) and facets[name].get(each) for name, each in parts)


def _visible(schema: Any) -> Any:
    """Return a schema without the columns that a connector adds to every table: ``$path`` and the like."""
    fields = schema.get("fields") if isinstance(schema, Mapping) else None
    if not isinstance(fields, list):
        return schema
    return {**schema, "fields": [f for f in fields if not (isinstance(f, dict) and str(f.get("name")).startswith("$"))]}


def client_of(context: Mapping[str, Any]) -> str:
    """Return who sent a query, as far as that names a job: its source and its client tags; else the empty text."""
    source = _VERSION.sub("", str(context.get("source") or "").strip())
    tags = context.get("client_tags")
    words = sorted(tags.split(",") if isinstance(tags, str) else map(str, tags if isinstance(tags, list) else ()))
    tags_ = [word.strip() for word in words if word.strip() not in ("", "[]")]
    named = [] if _CLIENTS.fullmatch(source) else [source]
    return "/".join([*named, *([",".join(tags_)] if tags_ else [])])


def change_of(context: Mapping[str, Any], sql: str) -> str:
    """Return ``update``, ``delete`` or ``merge`` for a query that changes rows of a table, else the empty text.

    It does not replace what an INSERT of the same client says of the table, so it is a task of its own. Older releases
    do not report the type of a query; its text does.
    """
    kind = str(context.get("query_type") or "").upper()
    if kind:
        return kind.lower() if kind in _PARTIAL else ""
    match = _CHANGES.match(sql)
    return match[1].lower() if match else ""


def session_of(run: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the catalog and schema of names that have none, nothing where they are not known."""
    context = run.get(CONTEXT)
    session = (context.get("catalog"), context.get("schema")) if isinstance(context, Mapping) else ()
    return tuple(str(each).lower() for each in session) if all(session) else ()


def has_star(sql: str) -> bool:
    """Return whether a text may select all columns of something."""
    return _ALL.search(sql) is not None


@lru_cache(maxsize=8192)
def fingerprint(sql: str, dialect: str = "trino") -> str:
    """Return a digest of a text without its literals, comments, layout and case: twelve hexadecimal digits.

    For all texts that define a view it is ``view``.
    """
    text = _COMMENTS.sub(" ", mask_literals(sql, dialect))
    text = _LISTS.sub(r"\1", " ".join(text.split()).lower().rstrip("; "))
    if _DEFINES_VIEW.match(text):
        return "view"
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
