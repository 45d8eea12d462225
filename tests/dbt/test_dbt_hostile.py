"""Artifacts as dbt does not write them: a node that cannot be read is a dead letter, and its neighbours stay."""

from __future__ import annotations

import copy
import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dbt_projects import Write, catalog_of, model, node

from ingest.dbt import messages
from ingest.dbt.artifacts import Artifacts
from ingest.dbt.ingesting import ingest_target
from ingest.dbt.messages import contents
from ingest.dbt.relations import Relations
from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import RejectedMessage

SEED = int(os.environ.get("LINEAGE_TT_SEED", "1"))
WRONG: list[Any] = [None, 5, -1, 2**63, 1.5, True, "", [], {}, "x" * 5000, ["a"], [["a"]], {"a": "b"}, [{}], [None]]
NODES = [
    node("source", "raw", source_name="raw", owner=["x"]),
    model("m", "select a from wh.main.raw", "source.shop.raw"),
    node("model", "r", raw_code="select a from {{ ref('m') }}, {{ source('raw', 'raw') }}", contract={"enforced": True},
         columns={"a": {"name": "a", "tags": ["x"], "data_type": "int"}}),
    node("seed", "s"),
    node("exposure", "e", depends_on={"nodes": ["model.shop.m"]}),
    node("semantic_model", "sm", depends_on={"nodes": ["model.shop.m"]}, measures=[{"name": "q", "expr": "a"}]),
    node("metric", "k", depends_on={"nodes": ["semantic_model.shop.sm"]},
         type_params={"input_measures": [{"name": "q"}]}),
    node("test", "t", column_name="a", attached_node="model.shop.m", depends_on={"nodes": ["model.shop.m"]},
         test_metadata={"kwargs": {"field": "a"}}),
]  # fmt: skip


def places(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in nested lists and objects."""
    for key, inside in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield (*above, key)
        yield from places(inside, (*above, key))


def with_value(value: Any, place: tuple[Any, ...], other: Any) -> Any:
    """A copy with another value at a place."""
    result = copy.deepcopy(value)
    held = result
    for key in place[:-1]:
        held = held[key]
    held[place[-1]] = other
    return result


def test_no_value_in_a_node_ends_the_others() -> None:
    """Each field of each node, and of the catalog, with values of other types: all other nodes are read as before."""
    draw = random.Random(SEED)
    print(f"seed {SEED}")
    catalog = catalog_of(model__shop__m={"a": "int", "b": "int"})
    said = {"nodes": {each["unique_id"]: each for each in NODES}, "catalog": catalog}
    tasks = {each["unique_id"] for each in NODES if each["resource_type"] not in ("source", "semantic_model")}
    for place in [each for each in places(said) if each not in (("nodes",), ("catalog",))]:
        changed = with_value(said, place, draw.choice(WRONG))
        manifest = {"metadata": {"generated_at": "2026-01-01T00:00:00Z"}, "nodes": changed["nodes"]}
        relations = Relations(manifest, "duckdb", "duckdb", changed["catalog"])
        found = list(contents(Artifacts(manifest, changed["catalog"], {}), relations))

        read = {each["task_id"] for each in found if not isinstance(each, RejectedMessage) and each["kind"] == "task"}
        assert tasks - read <= {place[1]}, place


def test_a_node_on_which_the_code_fails_is_a_dead_letter(
    write: Write, tmp_path: Path, resolver: SqlResolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is kept whole, what it said before holds on, and its neighbours are ingested."""
    store = Store.create(tmp_path / "store")
    orders, others = model("orders", "select 1 as a"), model("others", "select 1 as a")
    ingest_target(store, write(orders, others), resolver)
    real = messages._lineage

    def failing(unique_id: str, *given: Any) -> Any:
        if unique_id == "model.shop.orders":
            raise KeyError("a bug")
        return real(unique_id, *given)

    monkeypatch.setattr(messages, "_lineage", failing)
    later = [orders, model("others", "select 2 as b")]
    summary = ingest_target(store, write(*later, at="2026-04-01T00:00:00Z"), resolver)

    letters = [letter for letter in store.dead_letters() if letter.code == "internal-error"]
    assert (summary.accepted, summary.rejected) == (1, 1)
    assert [json.loads(letter.raw)["unique_id"] for letter in letters] == ["model.shop.orders"]
    assert {task.task_id for task in store.as_of("2026-06-01T00:00:00Z").tasks()} == {
        "model.shop.orders", "model.shop.others",
    }  # fmt: skip


def test_a_project_with_a_name_too_long_is_refused(write: Write, tmp_path: Path, resolver: SqlResolver) -> None:
    """The name is in each row of the log."""
    store = Store.create(tmp_path / "store")

    with pytest.raises(InvalidRequestError, match="too long"):
        ingest_target(store, write(*NODES), resolver, target="x" * 5000)
    assert store.version == 0


@pytest.mark.parametrize("levels", [300, 600])
def test_a_node_that_is_nested_too_deep_is_a_dead_letter(
    write: Write, tmp_path: Path, resolver: SqlResolver, levels: int
) -> None:
    """Deeper than JSON is written: the node is refused in words, its neighbours are ingested."""
    store = Store.create(tmp_path / "store")
    deep = json.loads("[" * levels + "]" * levels)
    summary = ingest_target(store, write(model("a", "select 1 as a", meta=deep), model("b", "select 1 as a")), resolver)

    assert (summary.accepted, summary.rejected) == (1, 1)
    assert "nested too deep" in store.dead_letters()[0].detail
