"""The commit file of an append, or of a compaction, as deltalake would write it.

In the Delta protocol (PROTOCOL.md, "Delta Log Entries"), a commit is one file of JSON lines that must not exist yet.
For each such file, deltalake rebuilds the state of the whole table twice: with 300 commits that took 16 of an append's
25 ms, and it grows with the log. Our appends do not need this, since each follows exactly the commit that it was
planned against. A compaction does not need it either, since it knows what came after it listed the files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

import orjson

from lineage_tt.log.commits import KEY
from lineage_tt.model.clock import unique_name

if TYPE_CHECKING:
    from lineage_tt.model.format import LogRow
    from lineage_tt.model.messages import Subject


#: The first and the last version of a range.
Span = tuple[int, int]
#: The key in a commit's metadata of what ``touched_by`` returns.
TOUCHES: Final = "touches"
#: The key of the versions that come from other writers' offers: the first and the last version, by ticket.
CARRIED: Final = "carried"
MAX_TOUCHED: Final = 1024
MAX_TOUCHED_BYTES: Final = 32 << 10


class Others(Protocol):
    """Rows that other writers wait to append, and that a commit may include after its own rows."""

    @property
    def rows(self) -> Sequence[LogRow]:
        """The rows taken."""

    @property
    def spans(self) -> Mapping[str, Span]:
        """The versions of the rows taken, by the names of the tickets that offered them."""

    def take(self) -> Sequence[LogRow]:
        """Take the rows that can be taken now and return them; their versions follow those of the commit's own rows."""


def append_bytes(
    name: str, size: int, statistics: str, meta: Mapping[str, Any], transactions: Mapping[str, int], now: int
) -> bytes:
    """Return the commit that adds one data file.

    ``statistics`` are Delta's, as JSON; ``transactions`` map application ids to versions; ``now`` is in milliseconds.
    """
    return _commit_bytes(meta, transactions, [_add(name, size, statistics, 0, is_new=True)], now)


def replacing_bytes(
    added: Iterable[tuple[str, int, str]], removed: Iterable[str], meta: Mapping[str, Any],
    transactions: Mapping[str, int], now: int,
) -> bytes:  # fmt: skip
    """Return the commit that replaces files by others, each given by name, size and statistics."""
    gone = [{"remove": {"path": name, "dataChange": False, "deletionTimestamp": now}} for name in removed]
    adds = [_add(name, size, statistics, now, is_new=False) for name, size, statistics in added]
    return _commit_bytes(meta, transactions, [*gone, *adds], now)


def _add(name: str, size: int, statistics: str, modified: int, *, is_new: bool) -> dict[str, Any]:
    return {
        "add": {
            "path": name, "partitionValues": {}, "size": size, "modificationTime": modified, "dataChange": is_new,
            "stats": statistics,
        }
    }  # fmt: skip


def _commit_bytes(
    meta: Mapping[str, Any], transactions: Mapping[str, int], actions: Sequence[Mapping[str, Any]], now: int
) -> bytes:
    info = {
        "timestamp": now,
        "operation": "WRITE",
        "operationParameters": {"mode": "Append", "partitionBy": "[]"},
        "engineInfo": KEY,
        KEY: meta,
    }
    noted = [{"txn": {"appId": app, "version": version}} for app, version in transactions.items()]
    return b"\n".join(map(orjson.dumps, [{"commitInfo": info}, *noted, *actions]))


def meta_of(
    form: int, previous: str, first: int, last: int, system_time: int, checksum: bytes,
    files: list[str], sources: dict[str, tuple[int, str]], writer: str = "",
) -> dict[str, Any]:  # fmt: skip
    """Return the metadata that one of our commits carries."""
    return {
        "format": form,
        "writer": writer or unique_name(),
        "previous": previous,
        "first_version": first,
        "last_version": last,
        "system_time": system_time,
        "checksum": checksum.hex(),
        "files": files,
        "sources": {source: list(place) for source, place in sources.items()},
    }


def touched_by(rows: Sequence[LogRow]) -> dict[str, Any]:
    """Return which subjects a commit is about, if other writers need to know nothing else about it.

    That is the case if all its rows are plain (``is_plain``) and they are not too many. Other writers then need not
    open the commit's data file.
    """
    if len(rows) > MAX_TOUCHED or not all(map(is_plain, rows)):
        return {}
    distinct = dict.fromkeys(row.task_id or (row.kind, row.subject, row.fact_key or "") for row in rows)
    subjects = list(distinct)
    return {TOUCHES: subjects} if len(orjson.dumps(subjects)) <= MAX_TOUCHED_BYTES else {}


def is_plain(row: LogRow) -> bool:
    """Return whether a row is accepted, not derived, withdraws nothing, states no columns and depends on none."""
    return (
        row.status == "accepted"
        and row.kind != "dataset"
        and row.op != "retract"
        and row.derived_from is None
        and not (row.outputs or row.stars)
    )


def touches(meta: Mapping[str, Any]) -> list[Subject] | None:
    """Return the subjects that ``touched_by`` put into a commit, None where the data file must be read."""
    subjects = meta.get(TOUCHES)
    if subjects is None:
        return None
    return [subject if isinstance(subject, str) else tuple(subject) for subject in subjects]


def carried(meta: Mapping[str, Any], ticket: str) -> Span | None:
    """Return the first and the last version of an offer in a commit, None where the commit does not contain it."""
    span = meta.get(CARRIED, {}).get(ticket)
    return (int(span[0]), int(span[1])) if span else None


def statistics(first: LogRow, last: LogRow, count: int) -> str:
    """Return, as JSON, the statistics that Delta keeps about a data file with this many rows."""
    lowest = {"version": first.version}
    highest = {"version": last.version}
    return orjson.dumps({"numRecords": count, "minValues": lowest, "maxValues": highest, "nullCount": {}}).decode()


def source_id(source: str) -> str:
    """Return the application id under which a source's position is kept."""
    return f"{KEY}.source.{hashlib.sha256(source.encode()).hexdigest()[:32]}"
