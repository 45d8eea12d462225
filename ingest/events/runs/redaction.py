"""How much of texts the journal keeps: as the store's policy says, from the moment an event is taken in.

SQL is read when its run is decided, and again when more becomes known about the run. So its literals are masked when it
is taken in. Where texts are dropped, the SQL is dropped once all its runs are decided: a later event of such a run is
decided only by what engines say about columns. Fingerprints are those of the events as they came, whatever is kept of
them: the same events make the same versions under each policy.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import orjson

from ingest.sql.text.redact import mask_literals
from lineage_tt.model.errors import UnavailableError
from lineage_tt.model.messages import Problem
from lineage_tt.model.redaction.documents import redacted_bytes, redacted_json
from lineage_tt.model.redaction.messages import redacted_edges, redacted_facts, without_quotes
from lineage_tt.model.redaction.policy import TextPolicy, TextState
from lineage_tt.model.redaction.texts import DROPPED_TEXT, redacted_expression, redacted_words
from lineage_tt.write.past.tighten.purge import clean

#: Where columnLineage and lineage have expressions: in each transformation, or, in releases 1-0, once for a column.
_TRANSFORMATIONS: Final = "transformations"
_EXPRESSION: Final = "transformationDescription"
#: Shapes that still have a text, and all of whose runs are decided.
_DECIDED: Final = """
    SELECT s.id, s.body FROM shapes AS s WHERE NOT EXISTS (
        SELECT 1 FROM events AS e JOIN runs AS r ON r.id = e.run WHERE e.shape = s.id AND (r.dirty OR r.state IS NULL))
"""


def redacted_body(body: bytes | None, policy: TextPolicy) -> bytes | None:
    """Return what an event says of lineage, the SQL of its job and the expressions of columns without literals."""
    if body is None or policy is TextPolicy.KEEP:
        return body
    document = orjson.loads(body)
    facet = _sql_facet(document)
    query = facet.pop("query", None) if facet is not None else None
    redacted = _without_expressions(orjson.loads(redacted_bytes(orjson.dumps(document), policy)), policy)
    if isinstance(query, str):
        _sql_facet(redacted)["query"] = query if query == DROPPED_TEXT else mask_literals(query)  # type: ignore[index]
    return orjson.dumps(redacted, option=orjson.OPT_SORT_KEYS)


def redacted_extras(extras: bytes | None, policy: TextPolicy) -> bytes | None:
    """Return what an event holds beside the lineage; of facets (a plan may quote what it reads) only the names."""
    if extras is None or policy is TextPolicy.KEEP:
        return extras
    document = orjson.loads(extras)
    if "left_out" in document:
        return extras
    return orjson.dumps({"left_out": sorted(f"{name}.{each}" for name, inside in document.items() for each in inside)})


def redacted_content(packed: bytes, policy: TextPolicy) -> bytes:
    """Return a content with the expressions, the words and the values of facts that are kept."""
    if policy is TextPolicy.KEEP:
        return packed
    document = orjson.loads(packed)
    if "edges" in document:
        document["edges"] = redacted_edges([(s, t, k, u, e) for s, t, k, u, e in document["edges"]], policy)
        document["problems"] = [list(without_quotes(Problem(*problem))) for problem in document["problems"]]
    if "facts" in document:
        document["facts"] = list(redacted_facts([(node, key, value) for node, key, value in document["facts"]], policy))
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS)


def redacted_about(about: bytes, policy: TextPolicy) -> bytes:
    """Return what is kept beside a task's message."""
    if policy is TextPolicy.KEEP:
        return about
    return (redacted_json(about.decode(), policy) or "{}").encode()


def redacted_message(packed: bytes, policy: TextPolicy) -> bytes:
    """Return a message on its way to the log; what is refused as the log will hold it."""
    if policy is TextPolicy.KEEP:
        return packed
    document = orjson.loads(packed)
    if "refused" in document:
        refused = document["refused"]
        refused["raw"] = redacted_bytes(refused["raw"].encode("latin-1"), policy, quoted=True).decode("latin-1")
        refused["detail"] = redacted_words(refused["detail"], policy)
        return orjson.dumps(document)
    if document.get("content"):
        document["content"] = redacted_content(document["content"].encode(), policy).decode()
    if document.get("origin"):
        document["origin"]["about"] = redacted_about(document["origin"]["about"].encode(), policy).decode()
    return orjson.dumps(document)


def drop_decided(db: sqlite3.Connection) -> int:
    """Drop the texts of shapes all of whose runs are decided; return how many there were."""
    dropped = []
    for shape, body in db.execute(_DECIDED).fetchall():
        document = orjson.loads(body) if body else None
        facet = _sql_facet(document) if document is not None else None
        if facet is not None and facet.get("query") not in (None, DROPPED_TEXT):
            facet["query"] = DROPPED_TEXT
            dropped.append((orjson.dumps(document, option=orjson.OPT_SORT_KEYS), shape))
    db.executemany("UPDATE shapes SET body = ? WHERE id = ?", dropped)
    return len(dropped)


def tighten(path: Path, state: TextState) -> None:
    """Rewrite a journal after its store's policy was tightened for history; leave nothing old in its files.

    The file records that this was done. A missing journal is left out. Raises UnavailableError where others use it.
    """
    if state.tightened is None or not path.exists():
        return
    policy = state.tightened.policy
    try:
        db = sqlite3.connect(path, isolation_level=None, timeout=30)
        try:
            if db.execute("PRAGMA application_id").fetchone()[0] == state.epoch:
                return
            db.execute("PRAGMA secure_delete = ON")
            db.execute("BEGIN IMMEDIATE")
            for table, key, column, redact in _COLUMNS:
                _rewrite(db, table, key, column, redact, policy)
            if policy is TextPolicy.DROP:
                drop_decided(db)
            db.execute("COMMIT")
            clean(db)
            db.execute(f"PRAGMA application_id = {state.epoch}")
        finally:
            db.close()
    except sqlite3.Error as error:
        raise UnavailableError(
            f"the journal of events {path.name} cannot be rewritten: {error}",
            hint="stop what takes events in, then run the same command again",
        ) from None


_COLUMNS: Final[list[tuple[str, str, str, Callable[[Any, TextPolicy], Any]]]] = [
    ("shapes", "id", "body", redacted_body),
    ("shapes", "id", "extras", redacted_extras),
    ("contents", "fingerprint", "packed", redacted_content),
    ("meanings", "key", "about", redacted_about),
    ("outbox", "id", "message", redacted_message),
]


def _rewrite(
    db: sqlite3.Connection,
    table: str,
    key: str,
    column: str,
    redact: Callable[[Any, TextPolicy], Any],
    policy: TextPolicy,
) -> None:
    last: Any = None
    while rows := db.execute(
        f"SELECT {key}, {column} FROM {table} WHERE {column} IS NOT NULL AND ({key} > :last OR :last IS NULL) "
        f"ORDER BY {key} LIMIT 1000", {"last": last},
    ).fetchall():  # fmt: skip
        changed = [(redacted, name) for name, data in rows if (redacted := redact(data, policy)) != data]
        db.executemany(f"UPDATE {table} SET {column} = ? WHERE {key} = ?", changed)
        last = rows[-1][0]


def _without_expressions(document: Any, policy: TextPolicy, name: str = "") -> Any:
    """Return what an event says, the expressions of its transformations as the log will hold them."""
    if isinstance(document, dict):
        return {
            key: redacted_expression(each, policy)
            if isinstance(each, str) and (key == _EXPRESSION or (key == "description" and name == _TRANSFORMATIONS))
            else _without_expressions(each, policy, key)
            for key, each in document.items()
        }
    return [_without_expressions(each, policy, name) for each in document] if isinstance(document, list) else document


def _sql_facet(document: Any) -> dict[str, Any] | None:
    job = document.get("job") if isinstance(document, dict) else None
    facets = job.get("facets") if isinstance(job, dict) else None
    facet = facets.get("sql") if isinstance(facets, dict) else None
    return facet if isinstance(facet, dict) else None
