"""Which nodes a run did not build."""

from __future__ import annotations

from typing import Any

import pytest
from dbt_projects import node

from ingest.dbt.artifacts import Artifacts
from ingest.dbt.relations import Relations
from ingest.dbt.runs import not_built, results_of

NODES = [node("model", "m"), node("seed", "s"), node("test", "t"), node("model", "e")]


def ran(*results: Any, made: str | None = None, by: str | None = None) -> Artifacts:
    """A project with these results, and the invocations of both."""
    manifest = {"metadata": {"invocation_id": made}, "nodes": {each["unique_id"]: each for each in NODES}}
    return Artifacts(manifest, {}, {"metadata": {"invocation_id": by}, "results": list(results)})


def result(unique_id: str, status: Any) -> dict[str, Any]:
    """A result as far as it is read."""
    return {"unique_id": unique_id, "status": status}


def found(artifacts: Artifacts) -> tuple[set[str], set[str]]:
    """What failed and what was skipped."""
    failed, skipped = not_built(artifacts, Relations(artifacts.manifest, "duckdb", "duckdb"))
    return set(failed), set(skipped)


def test_results_that_say_what_they_are_of_are_read() -> None:
    """The others are left out."""
    assert results_of(ran(5, {"status": "pass"}, result("model.shop.m", "error"))) == [
        ("model.shop.m", {"unique_id": "model.shop.m", "status": "error"})
    ]


@pytest.mark.parametrize(
    ("status", "failed", "skipped"),
    [("error", True, False), ("Runtime Error", True, False), ("fail", True, False), ("skipped", False, True),
     ("success", False, False), ("partial success", False, False), ("no-op", False, False), (None, False, False)],
)  # fmt: skip
def test_a_relation_was_not_built_where_it_failed_or_was_skipped(status: Any, failed: bool, skipped: bool) -> None:
    """One that was built in part has the new text."""
    expected = ({"model.shop.m"} if failed else set[str](), {"model.shop.m"} if skipped else set[str]())

    assert found(ran(result("model.shop.m", status))) == expected


def test_only_relations_are_built() -> None:
    """A test that failed was run; nothing is known of a node that the manifest lacks."""
    results = [result(each, "error") for each in ("test.shop.t", "model.shop.gone", "seed.shop.s")]

    assert found(ran(*results)) == ({"seed.shop.s"}, set())


@pytest.mark.parametrize(
    ("made", "by", "counts"), [("1", "1", True), ("1", "2", False), (None, "2", True), ("1", None, True)]
)
def test_results_of_another_run_say_nothing_of_this_manifest(made: str | None, by: str | None, counts: bool) -> None:
    """dbt parse writes a manifest, and leaves the results that were there."""
    failed, _ = found(ran(result("model.shop.m", "error"), made=made, by=by))

    assert bool(failed) == counts
