"""Columns that nobody declares are inferred from the statements in force, and are marked as such."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import hive_warehouse
import pytest
from hive_warehouse import DAY, START

from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import NodeChange, TaskChange

END = START + 80 * DAY


@pytest.fixture(scope="module")
def resolver() -> Iterator[SqlResolver]:
    """What resolves SQL, in this process."""
    with SqlResolver(0) as made:
        yield made


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory, resolver: SqlResolver) -> Store:
    """A store that has read the warehouse."""
    store = Store.create(tmp_path_factory.mktemp("warehouse"))
    store.append(hive_warehouse.messages(), resolver=resolver)
    return store


def columns(store: Store, dataset: str, at: int = END, version: int | None = None) -> list[tuple[str, str]]:
    """Return a dataset's columns in order, each with its origin."""
    return [(column.column, column.origin) for column in store.as_of(at, version=version).columns(dataset)]


def task(event: str, name: str, text: str, at: int = START) -> TaskChange:
    """A message of a task's SQL."""
    return TaskChange(event, name, "update", at, sql=text, dialect="hive", namespace="hive")


def test_only_stars_over_unknown_columns_leave_tasks_partial(warehouse: Store) -> None:
    """Of 30 tasks whose tables nobody declares, those that name their columns are complete."""
    messages = hive_warehouse.messages()
    partial = {task.task_id for task in warehouse.as_of(END).tasks() if task.coverage != "complete"}

    assert (len(messages), len({message.task_id for message in messages})) == (57, 30)
    assert set(hive_warehouse.BY_STAR) == partial


def test_an_insert_names_the_columns_of_its_target_in_order(warehouse: Store) -> None:
    """Aliases and columns in the query's order, then the partition columns."""
    names = ["order_id", "user_id", "created_at", "amount", "paid", "channel", "dt"]

    assert [(name, "inferred") for name in names] == columns(warehouse, "hive:dwd.orders")


def test_readers_name_the_columns_of_sources(warehouse: Store) -> None:
    """A source that only readers know has the columns that they name."""
    named = ["day"]

    assert [(name, "inferred") for name in named] == columns(warehouse, "hive:src_cal.days")


@pytest.mark.long
def test_a_star_hands_names_on_to_both_sides(warehouse: Store) -> None:
    """What readers name of the copy, the source has; what is filled beside the star, it does not."""
    orders = {name for name, _ in columns(warehouse, "hive:src_mall.orders")}

    assert {"amount", "created_at", "id", "user_id"} == orders
    assert "user_id" not in {name for name, _ in columns(warehouse, "hive:ods.refunds")}
    assert {"order_id", "refund_amount"} <= {name for name, _ in columns(warehouse, "hive:dwd.refunds")}


@pytest.mark.long
def test_columns_are_inferred_as_of_the_point(warehouse: Store) -> None:
    """Before a task is in force, or was known, nothing is inferred from it."""
    assert columns(warehouse, "hive:ads.revenue", at=START) == []
    assert columns(warehouse, "hive:ads.revenue", version=5) == []
    assert columns(warehouse, "hive:ads.revenue") != []
    assert columns(warehouse, "hive:ads.months", at=START + 91 * DAY) == []


@pytest.mark.long
def test_a_declaration_replaces_inferred_columns_from_its_valid_time_on(tmp_path: Path, resolver: SqlResolver) -> None:
    """With both times: what was inferred before the declaration was known, or is in force, stays."""
    store = Store.create(tmp_path)
    store.append([task("e1", "t", "INSERT INTO b.t SELECT x, y AS z FROM a.s")], resolver=resolver)
    declared = [Field("p"), Field("q")]
    store.append([NodeChange("d1", "dataset", "hive:b.t", "define", START + DAY, fields=declared)], resolver=resolver)

    assert columns(store, "hive:b.t", START) == [("x", "inferred"), ("z", "inferred")]
    assert columns(store, "hive:b.t", START + DAY) == [("p", "declared"), ("q", "declared")]
    assert columns(store, "hive:b.t", START + DAY, version=1) == [("x", "inferred"), ("z", "inferred")]
    assert columns(store, "hive:a.s", START + DAY) == [("x", "inferred"), ("y", "inferred")]


def test_inferred_columns_are_no_statement_for_readers_of_sql(tmp_path: Path, resolver: SqlResolver) -> None:
    """A star over a table with inferred columns stays a star: the table may have more."""
    store = Store.create(tmp_path)
    store.append([task("e1", "t", "INSERT INTO b.t SELECT x FROM a.s")], resolver=resolver)
    store.append([task("e2", "u", "CREATE TABLE c.u AS SELECT * FROM b.t")], resolver=resolver)
    view = Store.open(tmp_path).as_of(START)

    assert ("hive:b.t#*", "hive:c.u#*") in {(edge.source, edge.target) for edge in view.edges()}
    assert columns(store, "hive:c.u", START) == [("x", "inferred")]
    assert view.columns(inferred=False) == []
