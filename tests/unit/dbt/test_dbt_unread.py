"""What of a dbt project has no effect is counted, each kind of it with an example."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from dbt_projects import model, node

from ingest.dbt.artifacts import Artifacts
from ingest.dbt.ingesting import ingest_target
from ingest.dbt.relations import Relations
from ingest.dbt.unread import unread
from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store

ORDERS = node("model", "orders")


def found(*nodes: dict[str, Any], results: Any = (), **sections: Any) -> list[tuple[str, int, str]]:
    """What of a project has no effect."""
    manifest = {"metadata": {}, "nodes": {each["unique_id"]: each for each in nodes}} | sections
    run = {"results": results}
    listed = unread(Artifacts(manifest, {}, run), Relations(manifest, "duckdb", "d"))
    return [(each.code, each.number, each.example) for each in listed]


def test_a_project_that_is_read_whole_has_none() -> None:
    """Nodes without lineage are dbt's own, and tests may be skipped."""
    kinds = ("analysis", "operation", "semantic_model", "saved_query", "unit_test")
    results = [{"unique_id": "test.shop.t", "status": "skipped"}, {"unique_id": "operation.shop.x", "status": "odd"}]

    assert found(ORDERS, node("test", "t"), *(node(kind, "x") for kind in kinds), results=results) == []
    assert found(results=None) == found(results=[None, 7, {"unique_id": 3}]) == []


def test_dependencies_that_the_manifest_lacks_are_counted() -> None:
    """An exposure that names a model wrongly had no edge, and nothing said so."""
    board = node("exposure", "board", depends_on={"nodes": ["model.shop.order", "model.shop.orders", "source.a.b"]})

    ((code, count, example),) = found(ORDERS, exposures={board["unique_id"]: board})
    assert (code, count) == ("unknown-dependency", 2)
    assert example == "'exposure.shop.board' depends on 'model.shop.order', which the manifest lacks"


@pytest.mark.parametrize(
    ("nodes", "results", "code", "words"),
    [([node("view", "v")], [], "unknown-resource-type", "'view.shop.v' is of resource_type 'view'"),
     ([node("test", "t")], [{"unique_id": "test.shop.t", "status": "exploded"}], "unknown-status", "status 'exploded'"),
     ([ORDERS], [{"unique_id": "test.shop.t", "status": "pass"}], "unknown-test", "the manifest lacks 'test.shop.t'"),
     ([model("m", "SELECT 1", "model.shop.n")], [], "unknown-dependency", "'model.shop.m' depends on 'model.shop.n'")],
)  # fmt: skip
def test_what_is_not_known_has_a_code(nodes: list[dict[str, Any]], results: list[Any], code: str, words: str) -> None:
    """Names come from the project: only their beginnings are shown."""
    ((name, count, example),) = found(*nodes, results=results)

    assert (name, count) == (code, 1)
    assert example.startswith(words)


def test_nodes_that_are_no_objects_are_counted() -> None:
    """They were left out before anything looked at them."""
    assert found(sources={"source.shop.a.b": 7}) == [
        ("unreadable-node", 1, "sources.'source.shop.a.b' is not an object")
    ]


def test_a_run_counts_them(tmp_path: Path) -> None:
    """Beside what the messages themselves have."""
    metadata = {"generated_at": "2026-03-01T00:00:00Z", "project_name": "shop", "adapter_type": "duckdb"}
    nodes = {"model.shop.m": model("m", "SELECT 1 AS x", "model.shop.n")}
    (tmp_path / "manifest.json").write_text(json.dumps({"metadata": metadata, "nodes": nodes}))
    summary = ingest_target(Store.create(tmp_path / "s"), tmp_path, SqlResolver(workers=0))

    assert (summary.accepted, summary.problems["unknown-dependency"][0]) == (1, 1)
