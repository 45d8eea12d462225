"""A small dbt project as artifacts, and the shared ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from dbt_projects import Write

from ingest.resolve.resolver import SqlResolver


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a target folder and return it."""

    def written(
        *nodes: dict[str, Any], at: str = "2026-03-01T00:00:00Z", catalog: dict[str, Any] | None = None,
        adapter: str = "duckdb", project: str = "shop", **more: Any,
    ) -> Path:  # fmt: skip
        folder = tmp_path / "target"
        folder.mkdir(exist_ok=True)
        metadata = {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json", "generated_at": at,
                    "project_name": project, "adapter_type": adapter}  # fmt: skip
        held = {each["unique_id"]: each for each in nodes if each["resource_type"] != "source"}
        sources = {each["unique_id"]: each for each in nodes if each["resource_type"] == "source"}
        manifest = {"metadata": metadata, "nodes": held, "sources": sources, **more}
        (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        if catalog is not None:
            (folder / "catalog.json").write_text(json.dumps(catalog), encoding="utf-8")
        return folder

    return written


@pytest.fixture
def resolver() -> Iterator[SqlResolver]:
    """Worker processes that parse SQL."""
    with closing(SqlResolver(1)) as made:
        yield made
