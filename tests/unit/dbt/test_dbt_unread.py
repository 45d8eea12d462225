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


def found(
    *nodes: dict[str, Any], results: Any = None, catalog: Any = None, **sections: Any
) -> list[tuple[str, int, str]]:
    """What of a project has no effect."""
    manifest = {"metadata": {}, "nodes": {each["unique_id"]: each for each in nodes}} | sections
    run = {"results": results}
    listed = unread(Artifacts(manifest, catalog or {}, run), Relations(manifest, "duckdb", "d"))
    return [(each.code, each.number, each.example) for each in listed]


def test_a_project_that_is_read_whole_has_none() -> None:
    """Nodes without lineage are dbt's own, and tests may be skipped."""
    kinds = ("analysis", "operation", "semantic_model", "saved_query", "unit_test", "function")
    results = [{"unique_id": "test.shop.t", "status": "skipped"}, {"unique_id": "operation.shop.x", "status": "odd"}]

    assert found(ORDERS, node("test", "t"), *(node(kind, "x") for kind in kinds), results=results) == []
    assert found(results=None) == found(results=[], catalog={"nodes": {}, "sources": None}) == []


def test_a_function_is_there_for_what_depends_on_it() -> None:
    """dbt 1.11 has them in a section of their own; a model that calls one depended on what the manifest lacks."""
    function = node("function", "f", depends_on={"nodes": ["model.shop.gone"]})
    functions = {"function.shop.f": function}

    ((code, count, example),) = found(ORDERS, model("m", "SELECT 1", "function.shop.f"), functions=functions)
    assert (code, count) == ("unknown-dependency", 1)
    assert example.startswith("'function.shop.f' depends on 'model.shop.gone'")


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
     ([ORDERS], [{"unique_id": "unit_test.shop.u", "status": "pass"}], "unknown-test", "the manifest lacks 'unit_"),
     ([ORDERS], {"x": 1}, "unreadable-result", "results of the run results is not a list"),
     ([ORDERS], [5], "unreadable-result", "result 0 of the run results does not say what it is of"),
     ([ORDERS], [{"status": "pass"}], "unreadable-result", "result 0 of the run results"),
     ([ORDERS], [{"unique_id": "model.shop.orders", "status": "error"}], "not-built", "'model.shop.orders' failed"),
     ([ORDERS], [{"unique_id": "model.shop.orders", "status": "skipped"}], "not-built", "'model.shop.orders' was skip"),
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


@pytest.mark.parametrize(
    "section", ["sources", "exposures", "metrics", "semantic_models", "saved_queries", "functions"]
)
@pytest.mark.parametrize("value", [[1], "x", 5, []])
def test_a_section_that_is_no_object_is_counted(section: str, value: Any) -> None:
    """All that is in it is left out."""
    assert found(ORDERS, **{section: value}) == [("unreadable-node", 1, f"{section} is not an object")]


@pytest.mark.parametrize(
    ("catalog", "words"),
    [({"nodes": {"model.shop.orders": {"columns": {"x": 5}}}}, "the catalog's column 'x' of 'model.shop.orders' has"),
     ({"sources": {"source.a.b": {"columns": {"x": {"type": "int"}}}}}, "the catalog's column 'x' of 'source.a.b' has"),
     ({"nodes": {"model.shop.orders": {"columns": [1]}}}, "the catalog's columns of 'model.shop.orders' are not an"),
     ({"nodes": {"model.shop.orders": 5}}, "the catalog's columns of 'model.shop.orders' are not an object"),
     ({"sources": [1]}, "sources of the catalog is not an object")],
)  # fmt: skip
def test_columns_that_cannot_be_read_are_counted(catalog: Any, words: str) -> None:
    """The others of the relation would look like all of them."""
    ((code, count, example),) = found(ORDERS, catalog=catalog)

    assert (code, count) == ("unreadable-column", 1)
    assert example.startswith(words)


def test_a_unit_test_that_did_not_pass_is_counted() -> None:
    """It is of the text and of rows of its own, so that it is no check of a table."""
    results = [
        {"unique_id": f"unit_test.shop.{name}", "status": status} for name, status in (("a", "fail"), ("b", "pass"))
    ]
    units = {each["unique_id"]: node("unit_test", "x") for each in results}

    assert found(ORDERS, results=results, unit_tests=units) == [
        ("unit-test", 1, "'unit_test.shop.a' is a unit test: its result, 'fail', is not kept")
    ]


def test_tests_that_were_only_compiled_and_writes_beside_models_are_counted() -> None:
    """Nothing of them is kept."""
    hook = node("model", "m", config={"post-hook": [{"sql": "insert into log select 1"}]})
    results = [{"unique_id": "test.shop.t", "status": "success", "failures": None}]

    assert found(node("test", "t"), hook, results=results) == [
        ("not-run", 1, "'test.shop.t' was compiled, not run: no result is kept; ingest those of dbt build, too"),
        ("side-write", 1, "a post-hook of 'model.shop.m' writes a table: it has no lineage"),
    ]


def test_a_run_counts_them(tmp_path: Path) -> None:
    """Beside what the messages themselves have."""
    metadata = {"generated_at": "2026-03-01T00:00:00Z", "project_name": "shop", "adapter_type": "duckdb"}
    nodes = {"model.shop.m": model("m", "SELECT 1 AS x", "model.shop.n")}
    (tmp_path / "manifest.json").write_text(json.dumps({"metadata": metadata, "nodes": nodes}))
    summary = ingest_target(Store.create(tmp_path / "s"), tmp_path, SqlResolver(workers=0))

    assert (summary.accepted, summary.problems["unknown-dependency"][0]) == (1, 1)
