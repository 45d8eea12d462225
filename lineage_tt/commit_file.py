"""The commit file of an append, as deltalake would write it.

The Delta protocol (PROTOCOL.md, "Delta Log Entries") makes a commit of one file of JSON lines that must not be there
yet. deltalake builds the whole table's state anew around each such file, twice: with 300 commits that took 16 of an
append's 25 ms, and it grows with the log. An append of ours needs none of it, since it goes behind exactly the commit
that it was planned against.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from lineage_tt.commits import KEY


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
