"""What the results of dbt's tests say, and of which node."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from dbt_projects import node

from ingest.dbt.artifacts import Artifacts
from ingest.dbt.checks import Result, keys, place_of, results
from ingest.dbt.relations import Relations
from lineage_tt.model.messages import RejectedMessage

AT = "2026-03-01T01:00:00Z"


def a_test(name: str, *inputs: str, **more: Any) -> dict[str, Any]:
    """A test of models by their names."""
    return node("test", name, depends_on={"nodes": [f"model.shop.{each}" for each in inputs]}, **more)


def relations(*tests: dict[str, Any]) -> Relations:
    """Two models with tests."""
    nodes = [node("model", "orders"), node("model", "lines"), *tests]
    return Relations({"nodes": {each["unique_id"]: each for each in nodes}}, "duckdb", "d")


def said_by(*given: Any, of: dict[str, Any] | None = None, at: str | None = AT) -> list[Result | RejectedMessage]:
    """What run results say of the test ``t``, or of others where they name them."""
    tests = relations(of or a_test("t", "orders"), a_test("a", "lines"))
    whole = [{"unique_id": "test.shop.t", **each} if isinstance(each, dict) else each for each in given]
    run = {"metadata": {"generated_at": at} if at else {}, "results": whole}
    return list(results(Artifacts({"metadata": {}, "nodes": {}}, {}, run), tests))


def one(*given: Any, **more: Any) -> Result:
    """The only result."""
    (found,) = said_by(*given, **more)
    assert isinstance(found, Result)
    return found


def ended(*times: str) -> list[dict[str, str]]:
    """The steps of a test that ended at these times."""
    return [{"name": "execute", "completed_at": each} for each in times]


@pytest.mark.parametrize(
    ("more", "inputs", "place"),
    [({"attached_node": "model.shop.orders", "column_name": "id"}, ["orders", "lines"], "d:wh.main.orders#id"),
     ({"attached_node": "model.shop.orders"}, ["lines"], "d:wh.main.orders"),
     ({"attached_node": "model.shop.orders", "column_name": "lower(id)"}, [], "d:wh.main.orders"),
     ({"attached_node": "model.shop.orders", "column_name": None}, [], "d:wh.main.orders"),
     ({"column_name": "id"}, ["lines"], "d:wh.main.lines#id"),
     ({"column_name": "id"}, ["orders", "lines"], "dbt:test.shop.t"),
     ({"attached_node": "model.shop.gone"}, ["lines"], "d:wh.main.lines"), ({}, [], "dbt:test.shop.t")],
)  # fmt: skip
def test_a_check_is_of_what_its_test_is_attached_to(more: dict[str, Any], inputs: list[str], place: str) -> None:
    """Of a column that is a plain name, else of the table; where nothing is stated, of the one table read or itself."""
    test = a_test("t", *inputs, **more)

    assert place_of("test.shop.t", test, relations(test)) == place


def test_all_tests_of_the_manifest_have_a_key() -> None:
    """Those too that did not run; in the order of their ids."""
    found = keys(relations(a_test("b", "orders", column_name="id"), a_test("a", "lines", "orders")))

    assert list(found) == [("dbt:test.shop.a", "check:test.shop.a"), ("d:wh.main.orders#id", "check:test.shop.b")]


@pytest.mark.parametrize(
    ("word", "status"),
    [("pass", "passed"), ("Success", "passed"), ("FAIL", "failed"), ("warn", "warned"), ("error", "error"),
     ("runtime error", "error"), ("skipped", None), ("no-op", None), ("partial success", None), ("reused", None),
     ("exploded", "error")],
)  # fmt: skip
def test_a_result_has_one_of_four_words(word: str, status: str | None) -> None:
    """A test that was skipped says nothing about the data; a word that is not known does not leave it passed."""
    found = said_by({"status": word})

    statuses = [orjson.loads(each.content["values"][0])["status"] for each in found if isinstance(each, Result)]
    assert (statuses, len(found)) == ([status] if status else [], len(statuses))


@pytest.mark.parametrize(
    ("args", "entry", "says"),
    [({"which": "generate"}, {"status": "success", "failures": None}, False), ({"which": "compile"}, {}, False),
     ({"rpc_method": "docs.generate"}, {}, False), ({}, {"status": "success", "failures": None}, False),
     ({"which": "build"}, {"status": "success", "failures": 0}, True), ({"which": "test"}, {}, True), (None, {}, True)],
)  # fmt: skip
def test_a_test_that_was_only_compiled_says_nothing(args: Any, entry: dict[str, Any], says: bool) -> None:
    """``dbt docs generate`` gives every test the status success: tests that failed in the build before had passed."""
    tests = relations(a_test("t", "orders"))
    run = {"metadata": {"generated_at": AT}, "args": args,
           "results": [{"unique_id": "test.shop.t", "status": "pass", **entry}]}  # fmt: skip

    assert bool(list(results(Artifacts({"metadata": {}, "nodes": {}}, {}, run), tests))) is says


@pytest.mark.parametrize(
    ("test", "value"),
    [({"test_metadata": {"name": "not_null", "namespace": None}}, {"kind": "not_null"}),
     ({"test_metadata": {"name": "sorted", "namespace": "dbt_utils"}}, {"kind": "dbt_utils.sorted"}),
     ({"test_metadata": {"name": "unique", "namespace": ""}}, {"kind": "unique"}),
     ({"test_metadata": {"name": "unique", "namespace": 7}}, {"kind": "unique"}),
     ({}, {"kind": "singular"}), ({"test_metadata": {"name": None}}, {"kind": "singular"}),
     ({"config": {"severity": "WARN"}}, {"kind": "singular", "severity": "warn"}),
     ({"config": {"severity": "fatal"}}, {"kind": "singular"})],
)  # fmt: skip
def test_a_value_says_what_sort_of_test_it_is(test: dict[str, Any], value: dict[str, str]) -> None:
    """Its name with the package that it comes from, and what a failure of it does."""
    found = one({"status": "fail"}, of=a_test("t", "orders") | test)

    assert orjson.loads(found.content["values"][0]) == value | {"status": "failed"}


def test_the_number_of_failures_is_no_part_of_what_is_compared() -> None:
    """It differs from run to run, so that an equal result would look like a new one."""
    found = one({"status": "fail", "failures": 6})

    assert found.figures == {"failures": 6}
    assert found.content == one({"status": "fail", "failures": None}).content
    assert one({"status": "fail", "failures": "6"}).figures == {}


def test_a_result_is_of_the_moment_when_its_last_step_ended() -> None:
    """To the microsecond; where no step says that, of the end of the run."""
    steps = ended("2020-01-01T00:00:00Z", "2026-02-01T00:00:00.1234567Z")

    assert one({"status": "pass", "timing": steps}).at == "2026-02-01T00:00:00.123456Z"
    assert one({"status": "pass", "timing": []}).at == one({"status": "pass", "timing": [{}, None]}).at == AT


def test_results_come_in_the_order_of_time() -> None:
    """Those of one moment in the order of their names, whatever the order in the file and the zone of their times."""
    later, early = ended("2026-03-01T02:00:00+01:00"), ended("2026-03-01T00:30:00Z")
    found = said_by(
        {"status": "pass", "timing": later}, {"unique_id": "test.shop.a", "status": "fail", "timing": ended(AT)},
        {"status": "fail", "timing": early},
    )  # fmt: skip

    assert [(each.content["key"], each.at) for each in found if isinstance(each, Result)] == [
        ("check:test.shop.t", "2026-03-01T00:30:00Z"), ("check:test.shop.a", AT),
        ("check:test.shop.t", "2026-03-01T02:00:00+01:00"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("result", "at", "words"),
    [({"status": 7}, AT, "has none"), ({}, AT, "has none"), ({"status": "fail"}, None, "when the test ended"),
     ({"status": "fail", "timing": ended("yesterday")}, AT, "yesterday"),
     ({"status": "fail", "timing": ended("2026-03-02T00:00:00")}, AT, "2026-03-02T00:00:00")],
)  # fmt: skip
def test_a_result_that_cannot_be_read_is_kept_and_the_others_count(
    result: dict[str, Any], at: str | None, words: str
) -> None:
    """Its test is named, and nothing is left out in silence."""
    letter, other = said_by(result, {"unique_id": "test.shop.a", "status": "fail", "timing": ended(AT)}, at=at)

    assert isinstance(letter, RejectedMessage)
    assert isinstance(other, Result)
    assert words in letter.detail
    assert letter.task_id == orjson.loads(letter.raw)["unique_id"] == "test.shop.t"


def test_results_of_nothing_that_is_known_say_nothing() -> None:
    """Of models, of tests that the manifest lacks, and of other shapes."""
    unknown = ["model.shop.orders", "test.shop.gone", ["test.shop.t"], None]

    assert said_by(None, 7, [], *({"unique_id": each, "status": "fail"} for each in unknown)) == []
    empty = Artifacts({"metadata": {}, "nodes": {}}, {}, {"results": 7})
    assert list(results(empty, relations())) == []
