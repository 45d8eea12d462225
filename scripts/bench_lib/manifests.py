"""How long a large dbt project takes to come in: its artifacts read, its SQL parsed, its messages appended."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from typing import Any

from ingest.dbt.ingesting import ingest_target
from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store

COLUMNS = 15
#: The number of sources, which come first; each model reads up to three tables before it.
SOURCES = 50
AT = "2026-01-01T00:00:00Z"


def measured(work: Path, models: int, workers: int = 2) -> dict[str, Any]:
    """Return the seconds of the first ingest of a project with ``models``, and of one that changes nothing."""
    folder = work / "target"
    folder.mkdir()
    manifest, catalog = project(models)
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (folder / "catalog.json").write_text(json.dumps(catalog), encoding="utf-8")
    store = Store.create(work / "dbt")
    resolver = SqlResolver(workers)
    try:
        begun = time.perf_counter()
        summary = ingest_target(store, folder, resolver)
        first = time.perf_counter() - begun
        tasks = store.as_of(AT).tasks()
        if summary.rejected or len(tasks) != models or any(task.coverage != "complete" for task in tasks):
            raise SystemExit(f"of {models} models {len(tasks)} are tasks, not all complete")
        begun = time.perf_counter()
        if ingest_target(store, folder, resolver).received:
            raise SystemExit("a project that did not change made versions")
        again = time.perf_counter() - begun
    finally:
        resolver.close()
    return {"dbt_models": models, "dbt_manifest_s": round(first, 2), "dbt_unchanged_s": round(again, 2)}


def project(models: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the manifest and the catalog of a project; the same for the same number."""
    draw = random.Random(models)
    names = [f"raw_{n}" for n in range(SOURCES)] + [f"model_{n}" for n in range(models)]
    ids = [f"source.big.raw.{n}" if n.startswith("raw") else f"model.big.{n}" for n in names]
    nodes: dict[str, Any] = {}
    sources: dict[str, Any] = {}
    for place, (name, unique_id) in enumerate(zip(names, ids, strict=True)):
        node = {"resource_type": "source", "name": name, "source_name": "raw", "package_name": "big",
                "relation_name": f'"wh"."main"."{name}"'}  # fmt: skip
        if place < SOURCES:
            sources[unique_id] = node
            continue
        read = draw.sample(range(max(0, place - 200), place), draw.randint(1, 3))
        nodes[unique_id] = node | {
            "resource_type": "model", "language": "sql", "compiled_code": _sql([names[n] for n in read]),
            "depends_on": {"nodes": [ids[n] for n in read]}, "description": f"what {name} holds",
        }  # fmt: skip
    columns = {f"c{n}": {"name": f"c{n}", "type": "BIGINT", "index": n + 1} for n in range(COLUMNS)}
    metadata = {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json", "generated_at": AT,
                "project_name": "big", "adapter_type": "duckdb"}  # fmt: skip
    catalog = {"nodes": {each: {"columns": columns} for each in nodes},
               "sources": {each: {"columns": columns} for each in sources}}  # fmt: skip
    return {"metadata": metadata, "nodes": nodes, "sources": sources}, catalog


def _sql(tables: list[str]) -> str:
    """Return a model in dbt's style: a CTE for each table, a join, an aggregation."""
    ctes = ",\n".join(f't{n} as (\n    select * from "wh"."main"."{table}"\n)' for n, table in enumerate(tables))
    joined = "".join(f"\nleft join t{n} on t0.c0 = t{n}.c0" for n in range(1, len(tables)))
    sums = [f"sum(case when t{n % len(tables)}.c{n} > 0 then t0.c{n} else 0 end) as c{n}" for n in range(1, COLUMNS)]
    chosen = ",\n    ".join(sums)
    return f"with {ctes}\nselect\n    t0.c0,\n    {chosen}\nfrom t0{joined}\nwhere t0.c1 is not null\ngroup by t0.c0"
