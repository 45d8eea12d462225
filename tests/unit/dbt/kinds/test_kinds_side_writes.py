"""What a dbt project writes beside its models is named."""

from __future__ import annotations

from typing import Any

import pytest
from dbt_projects import node

from ingest.dbt.kinds.side_writes import writes_beside
from ingest.dbt.relations import Relations


def found(*nodes: dict[str, Any]) -> list[str]:
    """What a project of these nodes writes beside its models."""
    return list(writes_beside(Relations({"nodes": {each["unique_id"]: each for each in nodes}}, "duckdb", "d")))


@pytest.mark.parametrize(
    ("sql", "writes"),
    [("insert into audit.log select id from {{ this }}", True), ("MERGE INTO a USING b ON true", True),
     ("create or replace transient table t as select 1", True), ("create table if not exists t (a int)", True),
     ("UPDATE a.b SET x = 1", True), ("grant select on {{ this }} to role r", False), ("analyze {{ this }}", False),
     ("update {{ this }} set x = 1", True), ("update {{ target.schema }}.a set x = 1", True),
     ("grant create table, create view on schema s to role r", False), ("create view to_do as select 1", True),
     ("delete from {{ this }} where old", False), ("{{ audit() }}", False), ("", False)],
)  # fmt: skip
def test_a_hook_that_fills_a_table_is_named(sql: str, writes: bool) -> None:
    """It has no effect on lineage, and nothing said so; what grants, tidies up or calls a macro is not named."""
    hook = node("model", "m", config={"post-hook": [{"sql": sql, "transaction": True}]})

    assert found(hook) == (["a post-hook of 'model.shop.m' writes a table: it has no lineage"] if writes else [])


def test_hooks_come_in_several_shapes_and_operations_and_exports_count() -> None:
    """A text alone, a list of texts; what runs before and after all models; a saved query that becomes a table."""
    plain = node("snapshot", "s", config={"pre-hook": "insert into a select 1", "post-hook": [7, None]})
    operation = node("operation", "shop-on-run-end-0", raw_code="insert into audit.runs select 1")
    query, idle = node("saved_query", "q", exports=[{"name": "x"}]), node("saved_query", "p", exports=[])

    assert found(plain, operation, query, idle, node("model", "m", config=None)) == [
        "a pre-hook of 'snapshot.shop.s' writes a table: it has no lineage",
        "'operation.shop.shop-on-run-end-0' writes a table: it has no lineage",
        "'saved_query.shop.q' is exported as a table: it has no lineage",
    ]
