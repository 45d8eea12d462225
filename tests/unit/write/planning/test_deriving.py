"""Re-resolution in a plan: statements whose columns changed get rows of their own, in the same commit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from planned import Planner, define, retract, star
from stars import star_resolver

from lineage_tt.model.facts import Shape
from lineage_tt.model.messages import Lineage, Problem, TaskChange
from lineage_tt.write.catalog.lineages import Lineages
from lineage_tt.write.catalog.reresolve import Cause, Resolution
from lineage_tt.write.planning.deriving import MAX_TIMES, Deriving
from lineage_tt.write.planning.plan import Plan

CAUSE = Cause("why", "a newer parser")


def sources(row: Any) -> list[str]:
    """What a row's edges read."""
    return [edge[0] for edge in row.edges]


def test_a_statement_follows_the_columns_that_it_reads() -> None:
    """Its row names the version it is derived of and the event that caused it."""
    planner = Planner()
    planner.plan(star("t", 10))
    plan = planner.plan(define("d", 10, "x", "y"))
    own, derived = plan.rows

    assert isinstance(plan, Deriving)
    assert plan.receipts[0].derived == 1
    assert (derived.derived_from, derived.cause, derived.effective_at) == (1, "d", 10)
    assert sources(derived) == ["n:a#x", "n:a#y"]
    assert (own.version, derived.version, derived.sql) == (2, 3, None)
    assert plan.cites_itself


def test_columns_that_change_later_are_read_from_then_on() -> None:
    """The statement itself is not touched before that time."""
    planner = Planner()
    planner.plan(define("d1", 0, "x"), star("t", 10))
    plan = planner.plan(define("d2", 20, "x", "z"))

    assert [(row.effective_at, sources(row)) for row in plan.rows[1:]] == [(20, ["n:a#x", "n:a#z"])]


def test_a_change_that_nobody_reads_derives_nothing() -> None:
    """Of another dataset, or one that says the same."""
    planner = Planner()
    planner.plan(define("d1", 0, "x"), star("t", 10))

    assert [r.derived for r in planner.plan(define("d2", 5, "x"), define("d3", 5, "q", dataset="n:q")).receipts] == [
        0,
        0,
    ]


def test_what_is_derived_is_followed_to_its_end() -> None:
    """A statement that reads what another writes comes after it, in the same plan."""
    planner = Planner()
    planner.plan(star("t", 10), star("u", 10, "n:out_t"))
    plan = planner.plan(define("d", 0, "x"))

    assert [(row.task_id, sources(row)) for row in plan.rows[1:]] == [("t", ["n:a#x"]), ("u", ["n:out_t#x"])]


def test_statements_in_a_circle_end() -> None:
    """Each makes the other's columns longer: they are left after some times, and then their lineage says so."""

    def longer(waiting: Sequence[tuple[TaskChange, Mapping[str, Shape]]]) -> list[Lineage]:
        made = []
        for message, known in waiting:
            read = message.sql or ""
            names = tuple(str(name) for name in known.get(read, ()))
            more = (*names, f"c{len(names)}")
            made.append(Lineage(outputs=[(f"n:out_{message.task_id}", more)], lookups=[(read, known.get(read))],
                                stars=[read]))  # fmt: skip
        return made

    planner = Planner(longer)
    planner.plan(star("t", 10, "n:out_u"))
    plan = planner.plan(star("u", 10, "n:out_t"))

    assert 1 < len(plan.rows) <= 2 * MAX_TIMES + 1
    coverages = [row.coverage for row in plan.rows]
    assert coverages.count("complete") > 2 * MAX_TIMES - 4, "those before the last are complete"
    assert coverages[-1] == "partial"
    assert [problem.code for problem in plan.rows[-1].problems] == ["unknown-columns"]
    assert f"still changed after {MAX_TIMES} re-resolutions" in plan.rows[-1].problems[0].detail


def test_a_retract_of_columns_takes_back_what_was_derived() -> None:
    """The statement is resolved with what is known without them."""
    planner = Planner()
    writes = star("t", 10)
    planner.plan(define("d", 0, "x"), writes, star("u", 20, "n:out_t"))
    plan = planner.plan(retract(writes))

    assert [(row.task_id, sources(row)) for row in plan.rows[1:]] == [("u", [])]


def test_a_correction_counts_what_came_of_it() -> None:
    """A better answer is a version; the same, a worse one and one that a limit cut are none."""
    planner = Planner()
    text = star("t", 10)
    first = planner.plan(define("d", 0, "x"), text)
    edges = first.rows[1].edges
    made = Resolution(2, 2, "t", 10, "complete", [("n:out_t", ("x",))], [])

    def result(lineage: Lineage, *, accept_worse: bool = False) -> tuple[int, int, int, int]:
        plan = Plan(planner.version, planner.known, planner.catalog, planner.stars, planner, {}, None, None,
                    first.texts)  # fmt: skip
        found = plan.correct([made], CAUSE, Lineages(lambda waiting: [lineage for _ in waiting]),
                             accept_worse=accept_worse)  # fmt: skip
        planner.known["t"].rewind(planner.version)
        planner.catalog.remove_after(planner.version)
        return tuple(found)  # type: ignore[return-value]

    same = star_resolver([(text, {"n:a": ("x",)})])[0]
    better = Lineage([*edges, ("n:a#z", "n:out_t#z", "DIRECT", "IDENTITY", "")], outputs=[("n:out_t", ("x", "z"))])
    worse = Lineage((), "opaque", [Problem("syntax", "")])
    assert result(same) == (0, 0, 0, 0)
    assert result(better) == (1, 0, 0, 0)
    assert result(worse) == (0, 1, 0, 0)
    assert result(worse, accept_worse=True) == (1, 0, 0, 0)
    assert result(Lineage((), "opaque", [Problem("timeout", "")])) == (0, 0, 1, 0)
    planner.statement_of[2] = TaskChange("t/10", "t", "update", 10)
    assert result(better) == (0, 0, 0, 1)


def test_what_a_limit_cut_keeps_what_was_known() -> None:
    """Marked as such, and taken for read with the columns that are there now."""
    planner = Planner()
    planner.plan(define("d1", 0, "x"), star("t", 10))
    planner.resolver = lambda waiting: [Lineage((), "opaque", [Problem("timeout", "late")]) for _ in waiting]
    plan = planner.plan(define("d2", 0, "x", "z"))
    derived = plan.rows[1]

    assert (sources(derived), derived.coverage) == (["n:a#x"], "partial")
    assert "this is what was known before" in derived.problems[0].detail
    assert planner.plan(define("d3", 0, "x", "z")).receipts[0].derived == 0
