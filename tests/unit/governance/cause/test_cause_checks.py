"""What checks found: results as facts, when they passed before, and what they make of a change."""

from __future__ import annotations

import pytest

from lineage_tt.governance.cause.checks import Check, checks_of, evidence, with_dataset, with_passes
from lineage_tt.model.answers import FactAsOf

SEEN = {"d:b#x": {"d:a#x", "d:a"}, "d:c": {"d:z"}}


def check(status: str, since: int, node: str = "d:b#x", name: str = "rows", passed: int | None = None) -> Check:
    """A result of a check since a time."""
    return Check(node, name, status, since, 1, passed)


def factor(at: int, *checks: Check, nodes: tuple[str, ...] = ("d:a#x",)) -> float:
    """How much likelier checks make a change at a time."""
    return evidence(at, nodes, checks, SEEN)[0]


def test_results_are_read_from_facts_in_order() -> None:
    """A value that is none is unreadable, never passed; other facts are not results."""
    said = [
        ("d:b", "check:rows", '{"status":"failed"}'), ("d:a", "check:rows", "nonsense"),
        ("d:a", "check:a:b", '{"status":"passed"}'), ("d:a", "owner", "ana"), ("d:a", "checked", "x"),
    ]  # fmt: skip
    facts = [FactAsOf(*fact, "fact", "s", version, 5, None) for version, fact in enumerate(said, 1)]

    assert checks_of(facts) == [
        Check("d:a", "a:b", "passed", 5, 3), Check("d:a", "rows", "unreadable", 5, 2),
        Check("d:b", "rows", "failed", 5, 1),
    ]  # fmt: skip


def test_a_failed_check_has_the_last_time_it_passed_before() -> None:
    """Of its own node and name; not when it passed since, nor when it was warned."""
    passes = [
        check("passed", 1), check("passed", 4), check("passed", 9), check("warned", 7),
        check("passed", 8, name="other"), check("passed", 8, node="d:c"),
    ]  # fmt: skip
    failed, fresh, well = with_passes([check("failed", 9), check("failed", 1), check("passed", 9)], passes)

    assert (failed.passed, fresh.passed, well.passed) == (4, None, None)


@pytest.mark.parametrize(
    ("checks", "expected"),
    [
        ([], 1.0),
        ([check("failed", 10)], 2.0),
        ([check("failed", 9)], 1.0),
        ([check("passed", 10)], 0.3),
        ([check("passed", 9)], 0.8),
        ([check("warned", 10)], 1.0),
        ([check("unreadable", 10)], 1.0),
        ([check("failed", 12, passed=10)], 0.3),
        ([check("failed", 12, passed=9)], 2.0),
        ([check("failed", 10), check("failed", 11, name="more")], 2.0),
        ([check("passed", 9), check("passed", 11, name="more")], 0.3),
        ([check("passed", 11), check("passed", 9, name="more")], 0.3),
        ([check("failed", 10), check("passed", 11, name="more")], 0.6),
    ],
)
def test_checks_weigh_a_change_by_when_they_changed(checks: list[Check], expected: float) -> None:
    """Of a change at 10: failing since then or later, passing since, having passed in between; each kind once."""
    assert factor(10, *checks) == pytest.approx(expected)


def test_a_check_that_did_not_see_the_change_says_nothing() -> None:
    """It sees what feeds its node; one of a node that nothing feeds sees nothing."""
    checks = [check("failed", 10, node="d:c"), check("passed", 10, node="d:unknown")]

    assert factor(10, *checks) == 1.0
    assert factor(10, *checks, nodes=()) == 1.0
    assert factor(10, *checks, nodes=("d:q", "d:z")) == 2.0


def test_the_checks_that_began_to_fail_are_named() -> None:
    """Those that the change may have made fail."""
    checks = [check("failed", 9, name="early"), check("failed", 10), check("failed", 12, name="clear", passed=11)]

    assert evidence(10, ["d:a"], checks, SEEN)[1] == [checks[1]]


def test_nodes_are_joined_by_their_datasets() -> None:
    """A dataset is its own."""
    assert with_dataset(["d:a#x", "d:a#y", "d:b"]) == {"d:a#x", "d:a#y", "d:a", "d:b"}
    assert with_dataset([]) == set()
