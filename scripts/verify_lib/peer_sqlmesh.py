"""What SQLMesh's plan would call a change of one query: run by the Python of an environment that has ``sqlmesh``.

Reads a JSON list of {"before", "after"} (queries in DuckDB's dialect) on standard input, writes a JSON list of
unmodified, non-breaking, breaking, or refused (it could not read the query).
"""

from __future__ import annotations

import json
import sys


def category(before: str, after: str) -> str:
    from sqlmesh.core.dialect import parse
    from sqlmesh.core.model import load_sql_based_model

    try:
        old, new = (
            load_sql_based_model(parse(f"MODEL (name db.t, dialect duckdb); {text}")) for text in (before, after)
        )
        if old.data_hash == new.data_hash:
            return "unmodified"
        return "non-breaking" if new.is_breaking_change(old) is False else "breaking"
    except Exception:
        return "refused"


if __name__ == "__main__":
    json.dump([category(each["before"], each["after"]) for each in json.load(sys.stdin)], sys.stdout)
