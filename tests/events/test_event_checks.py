"""Results of checks in OpenLineage events are facts of what they look at, and an equal result is not a new one."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from openlineage_stated import events_of
from run_events import HOUR, START, Event, dataset, event, policies, take

from lineage_tt import Store
from lineage_tt.model.facts import check_name, check_status


def assertion(kind: str, success: bool, column: str | None = None, **more: Any) -> Event:
    """An item of dataQualityAssertions; the column is left out where there is none."""
    return {"assertion": kind, "success": success, **({"column": column} if column else {}), **more}


def checked(at: int, *items: Event, run: str = "r", ends: str = "COMPLETE", job: str = "checks") -> list[Event]:
    """A run that checks the dataset ``a``, as openlineage-dbt and Great Expectations send it."""
    facet = {"dataQualityAssertions": {"assertions": list(items)}}
    used = dataset("a") | {"inputFacets": facet}
    return [event("START", at, job, run), event(ends, at + 60_000_000, job, run, inputs=[used])]


def statuses(store: Store, at: int | None = None) -> dict[tuple[str, str], str | None]:
    """The status of each check in force, by node and name."""
    return {
        (fact.node, name): check_status(fact.value)
        for fact in store.as_of(at).facts()
        if (name := check_name(fact.key)) is not None
    }


def taken(folder: Path, *events: Event) -> Store:
    """The store that took these events in, none of them rejected."""
    assert {receipt.status for receipt in take(folder, events)} <= {"accepted"}
    return Store.open(folder)


def test_assertions_are_facts_of_columns_and_datasets(tmp_path: Path) -> None:
    """The name is that of the check, else its kind; a failure of severity warn is a warning."""
    items = (
        assertion("not_null", True, "x"), assertion("unique", False, "x", severity="error"),
        assertion("row_count", False, severity="warn"), assertion("custom_sql", False, name="no_orphans"),
    )  # fmt: skip
    store = taken(tmp_path, *checked(START, *items))

    assert statuses(store) == {
        ("db:a#x", "not_null"): "passed", ("db:a#x", "unique"): "failed", ("db:a", "row_count"): "warned",
        ("db:a", "no_orphans"): "failed",
    }  # fmt: skip


def test_a_result_holds_until_a_run_ends_otherwise(tmp_path: Path) -> None:
    """What the runs saw, and how many there were, does not count."""
    outcomes = [True, False, False, False, True]
    runs = [
        checked(START + n * HOUR, assertion("unique", good, "x", actual=str(n)), run=f"r{n}")
        for n, good in enumerate(outcomes)
    ]
    store = taken(tmp_path, *itertools.chain(*runs))

    assert [statuses(store, START + n * HOUR)["db:a#x", "unique"] for n in range(5)] == [
        "passed", "failed", "failed", "failed", "passed",
    ]  # fmt: skip
    assert store.fetch("SELECT count(*) FROM log WHERE fact_key = 'check:unique'") == [(3,)]


def test_runs_that_come_in_any_order_say_the_same(tmp_path: Path) -> None:
    """A late pass between two failures splits them."""
    runs = [
        checked(START + n * HOUR, assertion("unique", good, "x"), run=f"r{n}")
        for n, good in enumerate([False, True, False])
    ]
    for place, order in enumerate(itertools.permutations(range(3))):
        folder = tmp_path / str(place)
        for n in order:
            take(folder, runs[n])
        store = Store.open(folder)
        found = [statuses(store, START + n * HOUR)["db:a#x", "unique"] for n in range(3)]
        assert found == ["failed", "passed", "failed"], order


def test_a_run_that_does_not_make_a_check_leaves_its_result(tmp_path: Path) -> None:
    """Two jobs that check one table do not end each other's results."""
    one = checked(START, assertion("unique", False, "x"), job="one")
    two = checked(START + HOUR, assertion("not_null", True, "x"), job="two")
    store = taken(tmp_path, *one, *two)

    assert statuses(store) == {("db:a#x", "unique"): "failed", ("db:a#x", "not_null"): "passed"}


def test_a_run_that_failed_still_says_what_its_checks_found(tmp_path: Path) -> None:
    """Engines end a job of checks with FAIL where a check fails; its lineage does not count all the same."""
    facet = {"dataQualityAssertions": {"assertions": [assertion("unique", False, "x")]}}
    used = dataset("a") | {"inputFacets": facet}
    store = taken(
        tmp_path, event("START", START), event("FAIL", START + 60_000_000, inputs=[used], outputs=[dataset("b")])
    )

    assert statuses(store) == {("db:a#x", "unique"): "failed"}
    assert store.as_of().edges() == []


def test_the_worst_of_checks_of_one_name_counts(tmp_path: Path) -> None:
    """Producers name checks by their kind, and there may be two of a kind on a column."""
    items = assertion("accepted_values", False, "x"), assertion("accepted_values", True, "x")
    for place, order in enumerate((items, items[::-1])):
        store = taken(tmp_path / str(place), *checked(START, *order))
        assert statuses(store) == {("db:a#x", "accepted_values"): "failed"}


def test_checks_of_a_dataset_s_own_facet_and_of_outputs(tmp_path: Path) -> None:
    """Before 1-1 the facet was one of the dataset, and some producers check what they wrote."""
    before = dataset("a", dataQualityAssertions={"assertions": [assertion("unique", False, "x")]})
    written = dataset("b") | {"outputFacets": {"dataQualityAssertions": {"assertions": [assertion("rows", True)]}}}
    store = taken(tmp_path, event("COMPLETE", START, inputs=[before], outputs=[written]))

    assert statuses(store) == {("db:a#x", "unique"): "failed", ("db:b", "rows"): "passed"}


def test_the_run_s_test_facet_is_of_the_task(tmp_path: Path) -> None:
    """It names no dataset; what an assertion says too is not said twice, and a skipped test says nothing."""
    tests = [
        {"name": "no_orphans", "status": "fail", "severity": "error", "type": "custom_sql", "actual": "7"},
        {"name": "soft", "status": "fail", "severity": "warn"}, {"name": "left", "status": "skip"},
        {"name": "said", "status": "fail"},
    ]  # fmt: skip
    facet = {"dataQualityAssertions": {"assertions": [assertion("unique", False, "x", name="said")]}}
    used = dataset("a") | {"inputFacets": facet}
    store = taken(tmp_path, event("COMPLETE", START, inputs=[used], run_facets={"test": {"tests": tests}}))

    assert statuses(store) == {
        ("db:a#x", "said"): "failed", ("task:etl/job", "no_orphans"): "failed", ("task:etl/job", "soft"): "warned",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("word", "status"),
    [("error", "error"), ("Runtime Error", "error"), ("broken", "error"), ("FAILURE", "failed"), ("skipped", "passed")],
)
def test_a_test_that_could_not_run_does_not_stay_passed(tmp_path: Path, word: str, status: str) -> None:
    """With a status that is not known the earlier result no longer holds; a test that was left out says nothing."""
    runs = (("pass", START), (word, START + HOUR))
    events = [event("COMPLETE", at, run=f"r{n}", run_facets={"test": {"tests": [{"name": "t", "status": given}]}})
              for n, (given, at) in enumerate(runs)]  # fmt: skip
    store = taken(tmp_path, *events)

    assert statuses(store, START + HOUR) == {("task:etl/job", "t"): status}


@pytest.mark.parametrize(("success", "status"), [(None, "error"), ("perhaps", "error"), ("false", "failed")])
def test_a_check_that_says_neither_does_not_stay_passed(tmp_path: Path, success: Any, status: str) -> None:
    """The item was left out, and the earlier result stayed in force."""
    first, later = {"assertion": "a", "success": True}, {"assertion": "a", "success": success}
    store = taken(tmp_path, *checked(START, first), *checked(START + HOUR, later, run="r2"))

    assert statuses(store, START + 2 * HOUR) == {("db:a", "a"): status}


@pytest.mark.parametrize(
    "facet",
    [
        {"assertions": None}, {"assertions": {}}, {"assertions": [None, 7, [], {}]}, [], "x",
        {"assertions": [{"assertion": "", "success": True}]},
        {"assertions": [{"assertion": ["a"], "success": True, "column": {}}]}, {"_deleted": True},
    ],
)  # fmt: skip
def test_a_facet_of_another_shape_says_nothing(tmp_path: Path, facet: Any) -> None:
    """The event itself is taken, with the lineage that it states."""
    used = dataset("a") | {"inputFacets": {"dataQualityAssertions": facet}}
    store = taken(tmp_path, event("COMPLETE", START, inputs=[used], outputs=[dataset("b")]))

    assert statuses(store) == {}
    assert len(store.as_of().edges()) == 1


def test_a_text_is_no_name_of_a_check(tmp_path: Path) -> None:
    """A name is kept whatever the store keeps of texts: where it is a statement, a fingerprint names the check."""
    query = "select * from people where ssn = '078-05-1120'"
    store = taken(tmp_path, *checked(START, assertion(query, False, name=query)))

    ((node, name),) = statuses(store)
    assert (node, name[:4], "078" in name) == ("db:a", "sql-", False)
    assert all("078" not in fact.value for fact in store.as_of().facts())


def test_results_that_dbt_s_events_state(tmp_path: Path, shared_dir: Path) -> None:
    """Each assertion of the events that openlineage-dbt made is answered, and no other check."""
    events = events_of(shared_dir / "data" / "dbt_openlineage" / "test" / "result.json")
    stated = {
        (f"{used['namespace']}:{used['name']}" + (f"#{item['column']}" if item.get("column") else ""),
         item.get("name") or item["assertion"]): "passed" if item["success"] else "failed"
        for each in events for used in each["inputs"]
        for item in used.get("inputFacets", {}).get("dataQualityAssertions", {}).get("assertions", ())
    }  # fmt: skip
    assert stated, json.dumps(events)[:1000]
    take(tmp_path, events)

    assert statuses(Store.open(tmp_path)) == stated


def test_facets_of_a_job_whose_edges_add_up_do_not(tmp_path: Path) -> None:
    """Under ``union`` the second run of a job with other names, or other results, ended the reading of all events."""
    runs = [
        event(
            "COMPLETE", START + n * HOUR, run=f"r{n}",
            inputs=[dataset("a", symlinks={"identifiers": [{"namespace": "s3", "name": f"a{n}"}]})
                    | {"inputFacets": {"dataQualityAssertions": {"assertions": [assertion("unique", n == 1, "x")]}}}],
            outputs=[dataset("b")],
        )
        for n in range(3)
    ]  # fmt: skip
    take(tmp_path, runs, rules=policies(edges="union"))

    store = Store.open(tmp_path)
    assert [statuses(store, START + n * HOUR)["db:a#x", "unique"] for n in range(3)] == ["failed", "passed", "failed"]
    assert {fact.value for fact in store.as_of().facts() if fact.key == "alias"} == {"s3:a2"}
