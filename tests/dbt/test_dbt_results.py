"""Results of dbt's tests are facts of what they look at, with the time at which the test ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from dbt_projects import Write, model, node

from ingest.dbt.ingesting import ingest_target
from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.model.facts import check_name, check_status

ORDERS = model("orders", "select 1 as id")
NOT_NULL = node(
    "test", "not_null_orders_id", attached_node="model.shop.orders", column_name="id", config={"severity": "ERROR"},
    test_metadata={"name": "not_null", "kwargs": {"column_name": "id"}},
    depends_on={"nodes": ["model.shop.orders"]},
)  # fmt: skip
COUNTED = node("test", "counted", attached_node="model.shop.orders", depends_on={"nodes": ["model.shop.orders"]})
COLUMN, KEY = "duckdb:wh.main.orders#id", "check:test.shop.not_null_orders_id"


def ran(folder: Path, at: str, *results: tuple[Any, ...]) -> Path:
    """Write run results: (test, status) or (test, status, failures), all ended at a time."""
    said = [
        {"unique_id": f"test.shop.{name}", "status": status, "failures": rest[0] if rest else None,
         "timing": [{"name": "compile", "completed_at": "2020-01-01T00:00:00Z"},
                    {"name": "execute", "completed_at": at}]}
        for name, status, *rest in results
    ]  # fmt: skip
    content = {"metadata": {"generated_at": at}, "results": said, "args": {}}
    (folder / "run_results.json").write_text(json.dumps(content), encoding="utf-8")
    return folder


def statuses(store: Store, at: str) -> dict[tuple[str, str], str | None]:
    """The status of each check in force at a time, by node and name."""
    return {
        (fact.node, name): check_status(fact.value)
        for fact in store.as_of(at).facts()
        if (name := check_name(fact.key)) is not None
    }


def test_a_failed_test_is_a_fact_of_its_column_until_it_passes(
    write: Write, tmp_path: Path, resolver: SqlResolver
) -> None:
    """It holds from the end of the run that failed to the end of the run that passed, both as known when it came."""
    store = Store.create(tmp_path / "store")
    folder = write(ORDERS, NOT_NULL)
    ingest_target(store, ran(folder, "2026-03-01T01:00:00Z", ("not_null_orders_id", "fail", 6)), resolver)
    known = store.version
    ingest_target(store, ran(folder, "2026-03-02T01:00:00Z", ("not_null_orders_id", "pass", 0)), resolver)

    check = COLUMN, "test.shop.not_null_orders_id"
    assert statuses(store, "2026-03-01T00:59:59Z") == {}
    assert statuses(store, "2026-03-01T01:00:00Z") == {check: "failed"}
    assert statuses(store, "2026-03-02T01:00:00Z") == {check: "passed"}
    before = store.as_of("2026-03-02T01:00:00Z", version=known)
    (fact,) = [fact for fact in before.facts() if fact.key == KEY]
    assert fact.value == '{"kind":"not_null","severity":"error","status":"failed"}'


def test_times_in_nanoseconds_are_read_to_the_microsecond(write: Write, tmp_path: Path, resolver: SqlResolver) -> None:
    """Fusion writes nine digits, in the manifest and in the results."""
    store = Store.create(tmp_path / "store")
    folder = write(ORDERS, NOT_NULL, at="2026-03-01T00:00:00.772845590Z")

    found = ingest_target(
        store, ran(folder, "2026-03-01T01:00:00.123456789Z", ("not_null_orders_id", "fail")), resolver
    )

    assert found.rejected == 0
    assert statuses(store, "2026-03-01T01:00:00.123455Z") == {}
    assert statuses(store, "2026-03-01T01:00:00.123456Z") == {(COLUMN, "test.shop.not_null_orders_id"): "failed"}


def test_equal_results_make_no_version(write: Write, tmp_path: Path, resolver: SqlResolver) -> None:
    """A test that fails every hour, with another count of rows each time, failed once: from the first time on."""
    store = Store.create(tmp_path / "store")
    folder = write(ORDERS, NOT_NULL)
    for hour in range(6):
        ran(folder, f"2026-03-01T0{hour}:00:00Z", ("not_null_orders_id", "fail", hour + 1))
        ingest_target(store, folder, resolver)

    assert store.fetch("SELECT count(*) FROM log WHERE fact_key = $key", key=KEY) == [(1,)]
    again = ingest_target(store, folder, resolver)
    assert (again.accepted, again.received) == (0, 0)


def test_a_result_that_comes_late_lands_where_it_belongs(write: Write, tmp_path: Path, resolver: SqlResolver) -> None:
    """An older run's result is in force up to the later one's."""
    store = Store.create(tmp_path / "store")
    folder = write(ORDERS, NOT_NULL)
    ingest_target(store, ran(folder, "2026-03-03T00:00:00Z", ("not_null_orders_id", "pass")), resolver)
    ingest_target(store, ran(folder, "2026-03-02T00:00:00Z", ("not_null_orders_id", "fail")), resolver)

    check = COLUMN, "test.shop.not_null_orders_id"
    assert statuses(store, "2026-03-02T12:00:00Z") == {check: "failed"}
    assert statuses(store, "2026-03-03T00:00:00Z") == {check: "passed"}


@pytest.mark.parametrize("status", ["skipped", "no-op"])
def test_a_skipped_test_leaves_the_result_before_it(
    write: Write, tmp_path: Path, resolver: SqlResolver, status: str
) -> None:
    """dbt skips tests of models that failed to build: that says nothing about the data."""
    store = Store.create(tmp_path / "store")
    folder = write(ORDERS, NOT_NULL)
    ingest_target(store, ran(folder, "2026-03-02T00:00:00Z", ("not_null_orders_id", "fail")), resolver)
    ingest_target(store, ran(folder, "2026-03-03T00:00:00Z", ("not_null_orders_id", status)), resolver)

    assert list(statuses(store, "2026-03-04T00:00:00Z").values()) == ["failed"]


def test_a_test_that_is_gone_checks_nothing_any_more(write: Write, tmp_path: Path, resolver: SqlResolver) -> None:
    """A test that a later manifest lacks has no result from then on; one that only did not run keeps its own."""
    store = Store.create(tmp_path / "store")
    both = ran(
        write(ORDERS, NOT_NULL, COUNTED), "2026-03-02T00:00:00Z", ("not_null_orders_id", "fail"), ("counted", "fail")
    )
    ingest_target(store, both, resolver)
    left = write(ORDERS, COUNTED, at="2026-03-05T00:00:00Z")
    ingest_target(store, ran(left, "2026-03-05T01:00:00Z"), resolver)

    assert set(statuses(store, "2026-03-04T00:00:00Z").values()) == {"failed"}
    assert statuses(store, "2026-03-05T00:00:00Z") == {("duckdb:wh.main.orders", "test.shop.counted"): "failed"}


@pytest.mark.parametrize(
    "result",
    [
        {"status": 7},
        {"status": "fail", "timing": [{"completed_at": "yesterday"}]},
        {"status": "fail", "timing": [{"completed_at": "2026-03-02T00:00:00"}]},
    ],
)
def test_a_result_that_cannot_be_read_is_a_dead_letter(
    write: Write, tmp_path: Path, resolver: SqlResolver, result: dict[str, Any]
) -> None:
    """The others count, and nothing is left out in silence."""
    store = Store.create(tmp_path / "store")
    folder = ran(write(ORDERS, NOT_NULL, COUNTED), "2026-03-02T00:00:00Z", ("counted", "fail"))
    content = json.loads((folder / "run_results.json").read_text())
    content["results"].append({"unique_id": "test.shop.not_null_orders_id", **result})
    (folder / "run_results.json").write_text(json.dumps(content), encoding="utf-8")

    summary = ingest_target(store, folder, resolver)

    assert summary.rejected == 1
    assert list(statuses(store, "2026-03-02T00:00:00Z").values()) == ["failed"]


@pytest.mark.parametrize("content", [[], {"results": 7}, {"results": [None, 7, "x", {}, {"unique_id": []}]}])
def test_run_results_of_another_shape_say_nothing(
    write: Write, tmp_path: Path, resolver: SqlResolver, content: Any
) -> None:
    """What names no test of the manifest is none; an array is not an artifact, and refused as a whole."""
    folder = write(ORDERS, NOT_NULL)
    (folder / "run_results.json").write_text(json.dumps(content), encoding="utf-8")
    store = Store.create(tmp_path / "store")

    if isinstance(content, list):
        with pytest.raises(Exception, match="not an artifact of dbt"):
            ingest_target(store, folder, resolver)
    else:
        ingest_target(store, folder, resolver)

    assert statuses(store, "2026-03-02T00:00:00Z") == {}
