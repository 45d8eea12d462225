"""Rules of how many read and write a table."""

from __future__ import annotations

import pytest
from ruled import Case, Pair, fact, tables_of, violations

from lineage_tt.governance.config import Config
from lineage_tt.governance.points.plain import plain_point
from lineage_tt.governance.rules.checks import degrees
from lineage_tt.governance.rules.engine import check
from lineage_tt.governance.rules.settings import Settings
from lineage_tt.model.answers import TaskAsOf

CASES: list[Case] = [
    ("two_writers", [("t", "db:a", "db:b"), ("u", "db:c", "db:b")], [("db:b", "t", "u")]),
    ("two_writers", [("t", "db:a", "db:b"), ("t", "db:c", "db:b")], None),
    ("direct_join_to_source", [("t", "db:s", "db:m"), ("u", "db:m", "db:x"), ("u", "db:s", "db:x")],
     [("db:x", "db:s")]),
    ("direct_join_to_source", [("t", "db:s", "db:m"), ("u", "db:m", "db:x")], None),
    ("duplicate_sources", [("t", "db:Orders", "db:x"), ("t", "db:orders", "db:x")], [("db:Orders", "db:orders")]),
    ("duplicate_sources", [("t", "db:orders", "db:x"), ("t", "other:orders", "db:x")], None),
    ("multiple_sources_joined", [("t", "db:s", "db:x"), ("t", "db:r", "db:x")], [("db:x", "db:r", "db:s")]),
    ("source_fanout", [("t", "db:s", "db:x"), ("u", "db:s", "db:y")], [("db:s", "db:x", "db:y")]),
    ("source_fanout", [("t", "db:s", "db:x"), ("u", "db:x", "db:y")], None),
    ("model_fanin", [("t", f"db:{a}", "db:x") for a in "abc"], [("db:x",)]),
    ("model_fanout", [("t", "db:x", f"db:{a}") for a in "abc"], [("db:x",)]),
    ("unused_models", [("t", "db:a", "db:b"), ("u", "db:a", "bi:board")], [("db:b",)]),
    ("exposure_parents_materializations", [("t", "db:a", "bi:b")], [("bi:b", "db:a")]),
    ("exposure_parents_materializations", [("t", "db:a", "db:v_1"), ("u", "db:v_1", "bi:b")], [("bi:b", "db:v_1")]),
    ("exposure_parents_materializations", [("t", "db:a", "db:x"), ("u", "db:x", "bi:b"), ("v", "bi:b", "db:y")],
     None),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "edges", "expected"), CASES)
def test_a_rule_finds_what_violates_it(rule: str, edges: list[Pair], expected: list[tuple[str, ...]] | None) -> None:
    """Subject and what else it concerns; nothing where the rule is kept."""
    assert violations(*edges).get(rule) == expected


def test_a_limit_is_broken_by_more_than_it_and_names_who_writes() -> None:
    """Two of two is allowed; a table that is made of itself as well counts its others alone."""
    three = tables_of(("t", "db:a", "db:x"), ("u", "db:b", "db:x"), ("t", "db:x", "db:x"))

    assert list(degrees.model_fanin(three, Settings(max_fanin=2))) == []
    (found,) = degrees.model_fanin(three, Settings(max_fanin=1))
    assert found == ("db:x", (), "made of 2 tables, more than 1", ("t", "u"))
    assert (
        list(degrees.model_fanout(tables_of(("t", "db:a", "db:x"), ("t", "db:a", "db:y")), Settings(max_fanout=2)))
        == []
    )


def test_an_end_and_a_table_that_reads_itself_are_judged_by_who_else_reads() -> None:
    """A board is an end; what only its own task reads again is read by nobody."""
    tables = tables_of(("t", "db:a", "db:x"), ("t", "db:x", "db:x"), ("u", "db:a", "bi:board"))

    found = list(degrees.unused_models(tables, Settings(ends=("bi:*",))))
    assert [(each.subject, each.tasks) for each in found] == [("db:x", ("t",))]


def test_a_declared_dataset_that_is_used_by_nobody_is_named() -> None:
    """One that is read or written is not, whether it is declared or not."""
    declared = (fact("db:lost#c", "column", "{}"), fact("db:a#c", "column", "{}"), fact("db:b#c", "column", "{}"))
    tables = tables_of(("t", "db:a", "db:b"), facts=declared)

    assert [each.subject for each in degrees.unused_sources(tables, Settings())] == ["db:lost"]


def test_sources_are_alike_but_for_case_and_quotes() -> None:
    """Three spellings of one name in one place; what a task makes is not a source."""
    tables = tables_of(("t", 'db:"Orders"', "db:x"), ("t", "db:orders", "db:x"), ("t", "db:`ORDERS`", "db:x"),
                       ("u", "db:s", "db:S"), ("v", "db:S", "db:x"))  # fmt: skip

    (found,) = degrees.duplicate_sources(tables, Settings())
    assert (found.subject, *found.others) == ('db:"Orders"', "db:`ORDERS`", "db:orders")


def test_an_end_names_sources_and_views_apart() -> None:
    """A view that no task makes is a source; one that a fact calls a view counts as one."""
    facts = (fact("db:w", "kind", "view"), fact("db:v", "kind", "VIEW"))
    tables = tables_of(("t", "db:v", "bi:b"), ("u", "db:s", "db:w"), ("t", "db:w", "bi:b"), facts=facts)

    found = list(degrees.exposure_parents_materializations(tables, Settings(ends=("bi:*",))))
    assert [(each.others, each.detail) for each in found] == [
        (("db:v",), "made of a source directly"), (("db:w",), "made of a view directly"),
    ]  # fmt: skip


def test_a_task_that_reads_nothing_known_is_a_root_model() -> None:
    """Its lineage is complete, and it has no edge; one whose lineage is not known says nothing."""

    def task(task_id: str, coverage: str, edges: int) -> TaskAsOf:
        return TaskAsOf(task_id, 1, "online", 0, 0, None, "e", None, coverage, edges, None, None, None, None, 1)

    tasks = [task("numbers", "complete", 0), task("load", "complete", 2), task("script", "opaque", 0)]
    found = check(plain_point([], tasks=tasks), Config()).violations
    assert [(each.rule, each.subject) for each in found] == [("root_models", "task:numbers")]
