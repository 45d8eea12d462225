"""Which messages bring a store up to what a dbt project says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from dbt_projects import catalog_of, node

from ingest.dbt.artifacts import Artifacts
from ingest.dbt.ingesting import messages, relations_of, source_of
from lineage_tt import Store
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import Message, NodeChange, RejectedMessage, TaskChange

MARCH, APRIL, MAY = (f"2026-0{month}-01T00:00:00Z" for month in (3, 4, 5))
CODES, ZONES = node("seed", "codes"), node("seed", "zones")
COLUMNS = catalog_of(seed__shop__codes={"id": "INT"}, seed__shop__zones={"id": "INT"})
CHECK = node("test", "t", attached_node="seed.shop.codes", depends_on={"nodes": ["seed.shop.codes"]})


def project(
    *nodes: dict[str, Any], at: str = MARCH, catalog: Any = None, results: Any = None, **said: Any
) -> Artifacts:
    """A project of these nodes as a run at a time leaves it."""
    metadata = {"generated_at": at, "project_name": "shop", "adapter_type": "duckdb", **said}
    manifest = {"metadata": metadata, "nodes": {each["unique_id"]: each for each in nodes}}
    return Artifacts(manifest, catalog or {}, results or {})


def shown(found: Sequence[Message]) -> list[tuple[str, str]]:
    """What messages are about, and what they do."""
    return [
        (each.task_id, each.op) if isinstance(each, TaskChange)
        else (each.node + (f" {each.fact_key}" if each.fact_key else ""), each.op) if isinstance(each, NodeChange)
        else (str(each.task_id), each.code)
        for each in found
    ]  # fmt: skip


def take(store: Store, artifacts: Artifacts, source: str = "dbt:shop") -> list[tuple[str, str]]:
    """Append what a project says and the store does not hold; return what that was."""
    found = messages(store, artifacts, source)
    assert {receipt.status for receipt in store.writer.append(found, source=source)} <= {"accepted", "rejected"}
    return shown(found)


def test_a_project_and_its_target_are_a_source() -> None:
    """The target is that of the run, or the one that is given; a name that no row can hold is refused."""
    ran = project(results={"args": {"target": "dev"}})

    assert [source_of(project()), source_of(ran), source_of(ran, "ci")] == ["dbt:shop", "dbt:shop:dev", "dbt:shop:ci"]
    with pytest.raises(InvalidRequestError, match="too long"):
        source_of(project(), "x" * 5000)


def test_what_the_store_holds_is_not_said_again(tmp_path: Path) -> None:
    """A later run that says the same gives no message; one that says something else gives that alone."""
    store = Store.create(tmp_path)
    assert take(store, project(CODES, ZONES)) == [("seed.shop.codes", "online"), ("seed.shop.zones", "online")]

    assert take(store, project(CODES, ZONES, at=APRIL)) == []
    assert take(store, project(CODES, ZONES | {"tags": ["x"]}, at=MAY)) == [
        ("duckdb:wh.main.zones label", "set"), ("seed.shop.zones", "update"),
    ]  # fmt: skip


def test_what_is_gone_ends_and_may_come_back(tmp_path: Path) -> None:
    """A task goes offline, and online again with what it said before; it ends once."""
    store = Store.create(tmp_path)
    take(store, project(CODES, ZONES))

    assert take(store, project(CODES, at=APRIL)) == [("seed.shop.zones", "offline")]
    assert take(store, project(CODES, at="2026-04-02T00:00:00Z")) == []
    assert take(store, project(CODES, ZONES, at=MAY)) == [("seed.shop.zones", "online")]


def test_another_source_s_tasks_are_left_alone(tmp_path: Path) -> None:
    """A build of another target that selects less takes nothing from this one."""
    store = Store.create(tmp_path)
    take(store, project(CODES, ZONES))

    assert take(store, project(CODES, at=APRIL), "dbt:shop:ci") == [("seed.shop.codes", "update")]
    assert take(store, project(CODES, ZONES, at=MAY)) == []


def test_what_two_sources_say_of_one_table_holds_as_the_last_one_says_it(tmp_path: Path) -> None:
    """Each of them says it again where the other one said something else, and ends only what it said last."""
    store = Store.create(tmp_path)
    raw = node("source", "s", description="raw")
    key = "duckdb:wh.main.s description"
    assert take(store, project(raw)) == [(key, "set")]
    assert take(store, project(raw | {"description": "odd"}, at=APRIL), "dbt:shop:dev") == [(key, "set")]
    assert take(store, project(raw, at=MAY)) == [(key, "set")]
    assert take(store, project(raw, at=MAY)) == []

    assert take(store, project(at="2026-06-01T00:00:00Z"), "dbt:shop:dev") == []
    assert take(store, project(at="2026-06-02T00:00:00Z")) == [(key, "clear")]


def test_a_result_of_another_target_on_the_same_table_does_not_last(tmp_path: Path) -> None:
    """The test passed in March, fails for another target in April, and passes in May: it has passed."""
    store = Store.create(tmp_path)
    take(store, project(CODES, CHECK, results=ran(("pass", MARCH))))
    key = ("duckdb:wh.main.codes check:test.shop.t", "set")

    assert key in take(store, project(CODES, CHECK, results=ran(("fail", APRIL))), "dbt:shop:dev")
    assert take(store, project(CODES, CHECK, results=ran(("pass", MAY)))) == [key]


def test_an_older_manifest_is_compared_with_what_preceded_it(tmp_path: Path) -> None:
    """What a later one said does not count for it."""
    store = Store.create(tmp_path)
    take(store, project(CODES, at=APRIL))

    assert take(store, project(CODES, ZONES, at=MARCH)) == [
        ("seed.shop.codes", "online"),
        ("seed.shop.zones", "online"),
    ]
    assert take(store, project(CODES, ZONES, at=MARCH)) == []


def test_columns_end_with_a_catalog_only(tmp_path: Path) -> None:
    """A run without one does not say which columns there are; a fact that is gone is cleared in any case."""
    store = Store.create(tmp_path)
    both = take(store, project(CODES, ZONES, node("source", "s", description="raw"), catalog=COLUMNS))
    assert both[:3] == [
        ("duckdb:wh.main.codes", "define"), ("duckdb:wh.main.zones", "define"), ("duckdb:wh.main.s description", "set"),
    ]  # fmt: skip

    assert take(store, project(CODES, at=APRIL)) == [
        ("duckdb:wh.main.s description", "clear"), ("seed.shop.zones", "offline"),
    ]  # fmt: skip
    assert take(store, project(CODES, at=MAY, catalog=COLUMNS)) == [("duckdb:wh.main.zones", "drop")]


def test_a_node_that_cannot_be_read_is_not_gone(tmp_path: Path) -> None:
    """What it said before holds; facts stay, too, since it may be the one that says them."""
    store = Store.create(tmp_path)
    take(store, project(CODES | {"tags": ["x"]}, ZONES))
    deep: list[Any] = []
    for _ in range(600):
        deep = [deep]
    found = messages(store, project(CODES | {"meta": deep}, at=APRIL), "dbt:shop")

    ended = [each for each in found if not isinstance(each, RejectedMessage)]
    assert len(ended) < len(found)
    assert shown(ended) == [("seed.shop.zones", "offline")]


def ran(*results: tuple[str, str]) -> dict[str, Any]:
    """The results of the test at these times."""
    said = [{"unique_id": "test.shop.t", "status": word, "timing": [{"completed_at": at}]} for word, at in results]
    return {"results": said}


def test_a_result_counts_where_it_differs_from_the_one_before(tmp_path: Path) -> None:
    """In the order of time, whatever the order in which results come; a test that did not run keeps its own."""
    store = Store.create(tmp_path)
    key = ("duckdb:wh.main.codes check:test.shop.t", "set")
    first = take(store, project(CODES, CHECK, results=ran(("fail", APRIL), ("pass", MARCH), ("fail", MAY))))
    assert first[2:] == [key, key]

    assert take(store, project(CODES, CHECK, results=ran(("fail", "2026-06-01T00:00:00Z")))) == []
    assert take(store, project(CODES, CHECK, results=ran(("fail", "2026-02-01T00:00:00Z")))) == [key]
    assert take(store, project(CODES, CHECK, at=MAY)) == []
    assert take(store, project(CODES, at="2026-07-01T00:00:00Z")) == [(key[0], "clear"), ("test.shop.t", "offline")]


@pytest.mark.parametrize(("status", "first"), [("error", []), ("skipped", [("seed.shop.codes", "online")])])
def test_what_a_run_did_not_build_is_as_before(tmp_path: Path, status: str, first: list[tuple[str, str]]) -> None:
    """It takes effect with the run that builds it; a relation that a run skipped at first may not have changed."""
    store = Store.create(tmp_path)
    changed = CODES | {"description": "other"}
    results = {"results": [{"unique_id": "seed.shop.codes", "status": status}]}
    assert take(Store.create(tmp_path / "other"), project(CODES, results=results)) == first

    take(store, project(CODES))
    assert take(store, project(changed, at=APRIL, results=results)) == [("duckdb:wh.main.codes description", "set")]
    assert take(store, project(changed, at=MAY)) == [("seed.shop.codes", "update")]


def test_a_message_names_the_run_that_caused_it(tmp_path: Path) -> None:
    """Its time is that of the manifest, and so is the end of its id: the same content may come back later."""
    (found,) = messages(Store.create(tmp_path), project(CODES, invocation_id="4f"), "dbt:shop")
    (other,) = messages(Store.open(tmp_path), project(CODES, at=APRIL, invocation_id="x" * 100), "dbt:shop")

    assert isinstance(found, TaskChange)
    assert isinstance(other, TaskChange)
    assert (found.cause, other.cause) == ("dbt invocation 4f", "dbt")
    assert found.event_id.partition("@")[0] == other.event_id.partition("@")[0]
    assert found.event_id.endswith(f"@{MARCH}")


def test_a_model_in_python_is_not_complete(tmp_path: Path) -> None:
    """dbt says which tables it reads: what feeds its columns counted as known."""
    program = node("model", "p", language="python", depends_on={"nodes": ["seed.shop.codes"]})
    idle = node("model", "q", language="python")

    first, _, *_ = messages(Store.create(tmp_path), project(program, idle, CODES), "dbt:shop")

    assert isinstance(first, TaskChange)
    assert first.lineage is not None
    assert (first.task_id, first.lineage.coverage) == ("model.shop.p", "partial")
    assert [(each.code, each.subject) for each in first.lineage.problems] == [("table-level", "duckdb:wh.main.p")]
    assert take(Store.open(tmp_path), project(program, idle, CODES)) == [
        ("model.shop.p", "online"), ("model.shop.q", "online"), ("seed.shop.codes", "online")
    ]  # fmt: skip
    assert take(Store.open(tmp_path), project(program, idle, CODES)) == []


@pytest.mark.parametrize(
    ("said", "words"),
    [({"adapter_type": "exotic"}, "adapter 'exotic'"), ({"at": "yesterday"}, "the manifest's generated_at")],
)  # fmt: skip
def test_a_project_that_cannot_be_placed_is_refused(tmp_path: Path, said: dict[str, Any], words: str) -> None:
    """An adapter whose SQL nobody reads, unless a dialect is given; a time that is none."""
    store = Store.create(tmp_path)
    with pytest.raises(InvalidRequestError, match=words):
        messages(store, project(CODES, **said), "dbt:shop")

    exotic = project(CODES, adapter_type="exotic")
    assert shown(messages(store, exotic, "dbt:shop", relations_of(exotic, dialect="spark"))) == [
        ("seed.shop.codes", "online")
    ]
