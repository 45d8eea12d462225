"""Results of checks in events: of which node, and what of them is the same for all runs that end alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import orjson
import pytest

from ingest.events.openlineage.checks import joined, of_dataset, of_run, steady, unread
from ingest.events.openlineage.datasets import Content, Member
from ingest.events.openlineage.merging import Dataset, JobName, Picture


def assertion(kind: str, success: bool = True, column: str | None = None, **more: Any) -> dict[str, Any]:
    """An item of dataQualityAssertions."""
    return {"assertion": kind, "success": success, "column": column, **more}


def facet(*items: Any) -> dict[str, Any]:
    """A facet of a dataset."""
    return {"dataQualityAssertions": {"assertions": list(items)}}


def run(*tests: Any, inputs: dict[str, Any] | None = None, outputs: dict[str, Any] | None = None) -> Picture:
    """A run that made these tests, and has the dataset ``db:a`` with these facets."""
    sides = [{"db:a": Dataset("db", "a", given)} if given else {} for given in (inputs, outputs)]
    return Picture(JobName("etl", "job"), {}, sides[0], sides[1], {"test": {"tests": list(tests)}})


def shown(found: Iterable[tuple[Member, Content]]) -> dict[tuple[str, str], Any]:
    """What the results say: by node and key the value."""
    result = {}
    for (kind, node, key), content in found:
        ((about, key_, value),) = content.facts
        assert (kind, content.op, about, key_) == ("fact", "set", node, key)
        result[node, key] = orjson.loads(value)
    return result


def status_of(*items: dict[str, Any]) -> list[str]:
    """The status of each check, in order of their names."""
    return [value["status"] for value in shown(of_dataset("db:a", facet(*items))).values()]


def test_a_check_is_of_the_column_that_it_names() -> None:
    """Else of the dataset; its name is its own, else its kind."""
    found = of_dataset("db:a", facet(assertion("not_null", True, "x"), assertion("sql", False, name="no orphans")))

    assert shown(found) == {
        ("db:a", "check:no orphans"): {"kind": "sql", "status": "failed"},
        ("db:a#x", "check:not_null"): {"kind": "not_null", "status": "passed"},
    }


@pytest.mark.parametrize(
    ("success", "severity", "value"),
    [(False, "WARN", {"severity": "warn", "status": "warned"}),
     (False, "error", {"severity": "error", "status": "failed"}),
     (True, "warn", {"severity": "warn", "status": "passed"}), (False, "fatal", {"status": "failed"}),
     (False, None, {"status": "failed"})],
)  # fmt: skip
def test_a_failure_that_only_warns_is_a_warning(success: bool, severity: str | None, value: dict[str, str]) -> None:
    """Severities that are not known are left out."""
    found = shown(of_dataset("db:a", facet(assertion("rows", success, severity=severity))))

    assert found == {("db:a", "check:rows"): {"kind": "rows", **value}}


def test_the_worst_of_several_checks_of_one_name_counts() -> None:
    """A failure before a warning before a pass, in any order."""
    passed, warned, failed = assertion("r"), assertion("r", False, severity="warn"), assertion("r", False)

    assert status_of(passed, failed, warned) == status_of(failed, passed) == ["failed"]
    assert status_of(warned, passed) == ["warned"]
    assert status_of(passed, assertion("s", False)) == ["passed", "failed"]


def test_a_run_s_tests_are_of_its_task() -> None:
    """But for those that an assertion names, too; a test that was skipped says nothing."""
    tests = [{"name": "soft", "status": "FAIL", "severity": "warn", "type": "sql"}, {"name": "left", "status": "skip"},
             {"name": "said", "status": "fail"}, {"name": "fine", "status": "success"}]  # fmt: skip
    found = of_run(run(*tests, inputs=facet(assertion("unique", False, name="said"))), "task:t")

    assert shown(found) == {
        ("db:a", "check:said"): {"kind": "unique", "status": "failed"},
        ("task:t", "check:soft"): {"kind": "sql", "severity": "warn", "status": "warned"},
        ("task:t", "check:fine"): {"status": "passed"},
    }


def test_a_dataset_that_is_read_and_written_has_the_checks_of_both() -> None:
    """The worst of one name counts over both sides."""
    found = of_run(run(inputs=facet(assertion("a", False), assertion("b")), outputs=facet(assertion("a"))), "task:t")

    assert {key: value["status"] for (_, key), value in shown(found).items()} == {
        "check:a": "failed", "check:b": "passed",
    }  # fmt: skip


@pytest.mark.parametrize(
    "given",
    [{"assertions": None}, {"assertions": [None, 7, [], {}]}, [], "x", {"assertions": [assertion("")]},
     {"_deleted": True, "assertions": [assertion("a")]}],
)  # fmt: skip
def test_a_facet_of_another_shape_says_nothing(given: Any) -> None:
    """Nor does one that was deleted; of a list the items that can be read count."""
    assert shown(of_dataset("db:a", {"dataQualityAssertions": given})) == {}
    assert status_of(assertion("a"), {"assertion": ["b"], "success": True}) == ["passed"]


def test_a_text_is_no_name_of_a_check() -> None:
    """Names are kept whatever the store keeps of texts: a statement gives a fingerprint, a literal is masked."""
    query, expression = "select * from people where ssn = '078'", "name <> 'Ada'"
    keys = [key for _, key in shown(of_dataset("db:a", facet(assertion(query), assertion(expression))))]

    assert sorted(len(each) for each in keys) == [len("check:sql-") + 12, len("check:name <> '?' sql-") + 12]
    assert not any(word in key for key in keys for word in ("select", "078", "Ada"))
    assert shown(of_dataset("db:a", facet(assertion("name <> 'Eva'")))).keys().isdisjoint({("db:a", k) for k in keys})


def test_what_differs_from_run_to_run_is_left_out() -> None:
    """Values seen, and the order in which the checks were listed; null is as not there."""
    one = {"assertions": [assertion("b", True, "x", actual=7), assertion("a", name="n", severity="warn"), None],
           "_producer": "p"}  # fmt: skip
    other = {"assertions": [{"assertion": "a", "success": True, "name": "n", "severity": "warn"},
                            {"assertion": "b", "success": True, "column": "x"}]}  # fmt: skip

    assert steady("dataQualityAssertions", one) == steady("dataQualityAssertions", other) == other
    tests = {"tests": [{"name": "a", "status": "pass", "type": "t", "severity": "warn", "actual": 1}]}
    assert steady("test", tests) == {"tests": [{"name": "a", "status": "pass", "type": "t", "severity": "warn"}]}


def test_texts_are_masked_when_an_event_is_read() -> None:
    """Of names and assertions; the name of a column is none."""
    given = {"assertions": [assertion("x <> 'Ada'", True, "o'x'", name="y <> 'Ada'")]}
    (item,) = steady("dataQualityAssertions", given)["assertions"]

    assert item["column"] == "o'x'"
    assert item["assertion"].startswith("x <> '?' sql-")
    assert item["name"].startswith("y <> '?' sql-")
    assert steady("dataQualityAssertions", {"assertions": [item]}) == {"assertions": [item]}


@pytest.mark.parametrize("given", [7, None, {}, {"assertions": {}}, {"tests": [assertion("a")]}])
def test_a_wrong_facet_stays_as_it_is(given: Any) -> None:
    """It is reported with the event that has it."""
    assert steady("dataQualityAssertions", given) == given


def test_assertions_of_all_uses_are_joined() -> None:
    """Those that are not lists add nothing."""
    facets = [{"assertions": [1, 2]}, None, {"assertions": None}, {}, {"assertions": [2]}]

    assert joined(facets) == {"assertions": [1, 2, 2]}
    assert joined([]) == {"assertions": []}


@pytest.mark.parametrize(
    ("success", "status"),
    [(True, "passed"), (False, "failed"), (1, "passed"), (0, "failed"), ("true", "passed"), ("False", "failed"),
     ("FAIL", "failed"), ("passed", "passed"), (None, "error"), ("perhaps", "error"), ("", "error"), (2, "error"),
     ([], "error"), ({}, "error"), (1.5, "error")],
)  # fmt: skip
def test_a_success_that_says_neither_is_an_error_of_the_check(success: Any, status: str) -> None:
    """It was left out, so that an earlier *passed* stayed in force; its place is named."""
    item = {"assertion": "a", "success": success}
    named = list(unread("dataQualityAssertions", {"assertions": [assertion("b"), item]}))

    assert status_of(item) == [status]
    assert [words.startswith("assertions.1.success: ") for words in named] == [True] * (status == "error")


@pytest.mark.parametrize(
    ("name", "facet", "words"),
    [("dataQualityAssertions", [], "must be an object"), ("dataQualityAssertions", {}, "assertions: is missing"),
     ("test", {"tests": {}}, "tests: must be a list"), ("test", {"tests": [7]}, "tests.0: must be an object"),
     ("test", {"tests": [{"status": "pass"}]}, "tests.0.name: is missing"),
     ("test", {"tests": [{"name": "a", "status": "ok?"}]}, "tests.0.status: 'ok?' is not known"),
     ("dataQualityAssertions", {"assertions": [{"success": True}]}, "assertions.0.assertion: is missing")],
)  # fmt: skip
def test_what_cannot_be_read_in_a_facet_of_checks_has_its_place(name: str, facet: Any, words: str) -> None:
    """The rest of the facet counts."""
    (found,) = unread(name, facet)

    assert found.startswith(words)
    assert (
        list(unread("test", {"tests": [{"name": "a", "status": "Runtime Error"}, {"name": "b", "status": ""}]})) == []
    )
