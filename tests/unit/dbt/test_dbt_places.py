"""Whose the plain ids of a package are, and which sources are in the same place."""

from __future__ import annotations

from typing import Any

import pytest
from dbt_projects import model, node

from ingest.dbt.places import Held, elsewhere
from ingest.dbt.relations import Relations

PROD, DEV = "dbt:shop", "dbt:shop:dev"
ORDERS, CODES = model("orders", "select 1 as a"), node("seed", "codes")
TEST = node("test", "t", unique_id="test.checks.t", depends_on={"nodes": ["model.shop.orders"]})
HERE = {
    "model.shop.orders": Held(PROD, "duckdb:wh.main.orders"), "seed.shop.codes": Held(PROD, "duckdb:wh.main.codes"),
}  # fmt: skip
AWAY = {task: Held(held.source, f"duckdb:wh.dev.{task}") for task, held in HERE.items()}


def relations(*nodes: dict[str, Any]) -> Relations:
    """The nodes of a project."""
    return Relations({"nodes": {each["unique_id"]: each for each in nodes}}, "duckdb", "duckdb")


@pytest.mark.parametrize(
    ("held", "source", "found"),
    [({}, DEV, set()), (AWAY, PROD, set()), (AWAY, DEV, {"shop"}), (HERE, DEV, set()),
     (HERE | {"seed.shop.codes": Held(PROD, "duckdb:wh.dev.codes")}, DEV, {"shop"}),
     (HERE | {"seed.shop.codes": Held(PROD, None)}, DEV, set()),
     ({"model.other.orders": Held(PROD, "duckdb:wh.dev.orders")}, DEV, set()),
     ({"exposure.shop.e": Held(PROD, "dbt:exposure.shop.e")}, DEV, set())],
)  # fmt: skip
def test_a_source_is_elsewhere_where_it_writes_other_relations(
    held: dict[str, Held], source: str, found: set[str]
) -> None:
    """The first source keeps the ids wherever its relations move; one of mostly the same relations shares them."""
    assert elsewhere(relations(ORDERS, CODES), source, held) == found


def test_a_package_of_tests_goes_with_the_relations_that_it_looks_at() -> None:
    """It writes none itself; one that this source was the first to state stays."""
    held = AWAY | {"test.checks.t": Held(PROD, "dbt:test.checks.t")}

    assert elsewhere(relations(ORDERS, TEST), DEV, held) == {"shop", "checks"}
    assert elsewhere(relations(ORDERS, TEST), DEV, AWAY | {"test.checks.t": Held(DEV, None)}) == {"shop"}


def test_the_id_of_a_task_elsewhere_ends_in_its_source() -> None:
    """So has the end node of a test; a relation of the warehouse is what it is."""
    found = relations(ORDERS, TEST, node("exposure", "e"))
    found.set_place(DEV, frozenset(["checks"]))

    assert [found.task("model.shop.orders"), found.task("test.checks.t")] == [
        "model.shop.orders",
        "test.checks.t@shop:dev",
    ]
    assert found.dataset("test.checks.t") == "dbt:test.checks.t@shop:dev"
    assert found.dataset("exposure.shop.e") == "dbt:exposure.shop.e"
