"""Nodes of a small dbt project, as far as they are read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

#: Writes a target folder and returns it.
Write = Callable[..., Path]


def node(kind: str, name: str, **more: Any) -> dict[str, Any]:
    """A node of a manifest as dbt writes it, as far as it is read."""
    return {
        "unique_id": f"{kind}.shop.{name}", "resource_type": kind, "package_name": "shop", "name": name, "alias": name,
        "database": "wh", "schema": "main", "relation_name": f'"wh"."main"."{name}"', "language": "sql",
        "original_file_path": f"{kind}s/{name}.sql", "tags": [], "columns": {}, "config": {},
        "depends_on": {"nodes": [], "macros": []}, **more,
    }  # fmt: skip


def model(name: str, sql: str, *inputs: str, **more: Any) -> dict[str, Any]:
    """A compiled model."""
    return node("model", name, compiled_code=sql, raw_code=sql, depends_on={"nodes": list(inputs)}, **more)


def catalog_of(**tables: dict[str, str]) -> dict[str, Any]:
    """A catalog: columns with types by unique id, dots of which are written as two underscores."""
    return {"nodes": {
        name.replace("__", "."): {"columns": {
            column: {"name": column, "type": kind, "index": at} for at, (column, kind) in enumerate(columns.items(), 1)
        }} for name, columns in tables.items()
    }, "sources": {}}  # fmt: skip
