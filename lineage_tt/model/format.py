"""The log's row: its columns, its Arrow form and its checksum. ``docs/reference/format.md`` describes it.

A row's checksum is SHA-256 over the previous row's checksum followed by the row as one canonical JSON array: the values
of ``LogRow``'s columns in order without ``checksum`` itself, instants as integer microseconds, structs as arrays of
their fields, binary as lower-case hex, absent as null, UTF-8, no white space. So no row can be altered, dropped, moved
or inserted without every later checksum being wrong.

Rows hold edges and changes as plain tuples (``EdgeTuple``), not as named ones: the write path makes hundreds of
thousands per second, and a plain tuple takes a quarter of the time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import orjson

from lineage_tt.model.edges import EdgeTuple
from lineage_tt.model.facts import FactChangeTuple, FactTuple
from lineage_tt.model.messages import Problem

#: The newest format that is read, and the format of a store that keeps all texts. A store that ever had another policy
#: (``model.redaction.policy``) has the newer format: releases without policies must not write to it.
FORMAT_VERSION: Final = 2
PLAIN_FORMAT: Final = 1
GENESIS: Final = bytes(32)

#: sign, source, target, type, subtype, expression, valid_from, valid_to
ChangeTuple = tuple[int, str, str, str, str, str, int, int | None]


class LogRow(NamedTuple):
    """One message as it is stored in the log; the order of the fields is the order of the columns."""

    version: int
    system_time: int
    status: str
    event_id: str | None = None
    task_id: str | None = None
    op: str | None = None
    effective_at: int | None = None
    source_version: int | None = None
    retracts: str | None = None
    produced_at: int | None = None
    recorded_at: int | None = None
    actor: str | None = None
    reason: str | None = None
    cause: str | None = None
    source: str | None = None
    source_position: int | None = None
    dialect: str | None = None
    namespace: str | None = None
    default_database: str | None = None
    target: str | None = None
    params: str | None = None
    attributes: str | None = None
    sql: str | None = None
    sql_sha256: str | None = None
    parser: str | None = None
    coverage: str | None = None
    problems: Sequence[Problem] = ()
    outputs: Sequence[tuple[str, Sequence[str]]] = ()
    edges: Sequence[EdgeTuple] = ()
    changes: Sequence[ChangeTuple] = ()
    kind: str | None = None
    subject: str | None = None
    fact_key: str | None = None
    facts: Sequence[FactTuple] = ()
    fact_changes: Sequence[FactChangeTuple] = ()
    stars: Sequence[tuple[str, str | None]] = ()
    derived_from: int | None = None
    content_sha256: bytes = b""
    rejected_code: str | None = None
    rejected_detail: str | None = None
    rejected_bytes: bytes | None = None
    checksum: bytes = b""


_FACT_TYPE: Final = 'node VARCHAR, "key" VARCHAR, "value" VARCHAR'
_EDGE_TYPE: Final = 'source VARCHAR, target VARCHAR, "type" VARCHAR, subtype VARCHAR, expression VARCHAR'
#: The columns with DuckDB's names for their types.
COLUMN_TYPES: Final[dict[str, str]] = dict.fromkeys(LogRow._fields, "VARCHAR") | {
    "version": "BIGINT",
    "system_time": "TIMESTAMPTZ",
    "effective_at": "TIMESTAMPTZ",
    "source_version": "BIGINT",
    "produced_at": "TIMESTAMPTZ",
    "recorded_at": "TIMESTAMPTZ",
    "source_position": "BIGINT",
    "problems": 'STRUCT(code VARCHAR, detail VARCHAR, subject VARCHAR, line INTEGER, "column" INTEGER)[]',
    "outputs": "STRUCT(dataset VARCHAR, columns VARCHAR[])[]",
    "edges": f"STRUCT({_EDGE_TYPE})[]",
    "changes": f"STRUCT(sign TINYINT, {_EDGE_TYPE}, valid_from TIMESTAMPTZ, valid_to TIMESTAMPTZ)[]",
    "facts": f"STRUCT({_FACT_TYPE})[]",
    "fact_changes": f"STRUCT(sign TINYINT, {_FACT_TYPE}, valid_from TIMESTAMPTZ, valid_to TIMESTAMPTZ)[]",
    "stars": "STRUCT(dataset VARCHAR, columns_digest VARCHAR)[]",
    "derived_from": "BIGINT",
    "content_sha256": "BLOB",
    "rejected_bytes": "BLOB",
    "checksum": "BLOB",
}


#: hashlib releases the interpreter lock for 2,048 bytes and more, and a busy thread waits 5 ms to get it back.
_PIECE: Final = 2047


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else list(value)  # bytes, or a named tuple


def canonical(row: Sequence[Any]) -> bytes:
    """Return the row, a LogRow or its values in order, without its checksum as canonical JSON."""
    return orjson.dumps(row[:-1], default=_plain)


def chain_checksum(previous: bytes, row: Sequence[Any]) -> bytes:
    """Return the checksum of ``row`` after the row whose checksum is ``previous`` (GENESIS before version 1)."""
    digest = hashlib.sha256(previous)
    text = memoryview(canonical(row))
    for start in range(0, len(text), _PIECE):
        digest.update(text[start : start + _PIECE])
    return digest.digest()
