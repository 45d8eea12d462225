"""The commit file of an append, as deltalake would write it.

The Delta protocol (PROTOCOL.md, "Delta Log Entries") makes a commit of one file of JSON lines that must not be there
yet. deltalake builds the whole table's state anew around each such file, twice: with 300 commits that took 16 of an
append's 25 ms, and it grows with the log. An append of ours needs none of it, since it goes behind exactly the commit
that it was planned against.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import orjson

from lineage_tt.clock import unique_name
from lineage_tt.commits import KEY

if TYPE_CHECKING:
    from lineage_tt.format import LogRow


def append_bytes(
    name: str, size: int, statistics: str, meta: Mapping[str, Any], transactions: Mapping[str, int], now: int
) -> bytes:
    """Return the commit that adds one data file.

    ``statistics`` are Delta's, as JSON; ``transactions`` map application ids to versions; ``now`` is in milliseconds.
    """
    info = {
        "timestamp": now,
        "operation": "WRITE",
        "operationParameters": {"mode": "Append", "partitionBy": "[]"},
        "engineInfo": KEY,
        KEY: meta,
    }
    add = {
        "path": name, "partitionValues": {}, "size": size, "modificationTime": 0, "dataChange": True,
        "stats": statistics,
    }  # fmt: skip
    noted = [{"txn": {"appId": app, "version": version}} for app, version in transactions.items()]
    return b"\n".join(map(orjson.dumps, [{"commitInfo": info}, *noted, {"add": add}]))


def meta_of(
    form: int, previous: str, first: int, last: int, system_time: int, checksum: bytes,
    files: list[str], sources: dict[str, tuple[int, str]], writer: str = "",
) -> dict[str, Any]:  # fmt: skip
    """Return what a commit of ours says about itself."""
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


def statistics(first: LogRow, last: LogRow, count: int) -> str:
    """Return what Delta keeps about a data file of so many rows, as JSON."""
    lowest = {"version": first.version}
    highest = {"version": last.version}
    return orjson.dumps({"numRecords": count, "minValues": lowest, "maxValues": highest, "nullCount": {}}).decode()


def source_id(source: str) -> str:
    """Return the application id under which a source's place is kept."""
    return f"{KEY}.source.{hashlib.sha256(source.encode()).hexdigest()[:32]}"
