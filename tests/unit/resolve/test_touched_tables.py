"""What an incomplete text touches without an edge, as problems."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ingest.resolve.touched_tables import MAX_UNTRACED, aimed, untraced
from ingest.sql.result import Extraction
from lineage_tt.model.completeness.gaps import NO_TARGET, UNTRACED_READ, UNTRACED_WRITE
from lineage_tt.model.edges import Edge
from lineage_tt.model.messages import TaskChange

TEXT = TaskChange("e", "t", "update", 5, sql="INSERT INTO d.b SELECT * FROM d.a", dialect="hive", namespace="n")


def found(coverage: str, **more: Any) -> Extraction:
    """An extraction of that coverage."""
    names = ("edges", "problems", "reads", "writes", "outputs", "lookups", "statements")
    plain: dict[str, Any] = dict.fromkeys(names, ())
    return Extraction(coverage=coverage, **plain | more)


def subjects(extraction: Extraction, message: TaskChange = TEXT) -> set[tuple[str, str]]:
    """Code and dataset of each problem."""
    return {(problem.code, problem.subject) for problem in untraced(extraction, message)}


def test_a_complete_text_touches_nothing_unseen() -> None:
    """Every dataset of it has its edges, or none is made."""
    assert subjects(found("complete", reads=("n:d.a",), writes=("n:d.b",))) == set()


def test_datasets_without_an_edge_are_named() -> None:
    """Those with one are not; reads and writes apart."""
    edge = Edge("n:d.a#x", "n:d.b#y")
    partial = found("partial", reads=("n:d.a", "n:d.c"), writes=("n:d.b", "n:d.o"), edges=(edge,))

    assert subjects(partial) == {(UNTRACED_READ, "n:d.c"), (UNTRACED_WRITE, "n:d.o")}


def test_a_text_that_could_not_be_read_is_searched_for_names() -> None:
    """The target of its message counts where it writes none."""
    assert subjects(found("opaque")) == {(UNTRACED_READ, "n:d.a"), (UNTRACED_WRITE, "n:d.b")}
    aimed = TaskChange(
        "e", "t", "update", 5, sql="SELECT * FROM d.a WHERE (", dialect="hive", namespace="n", target="n:d.o"
    )
    assert (UNTRACED_WRITE, "n:d.o") in subjects(found("opaque"), aimed)


def test_a_bare_select_without_a_target_is_partial() -> None:
    """It was complete without an edge, so that nothing downstream of its sources named the task."""
    query = TaskChange("e", "t", "update", 5, sql="SELECT a FROM d.a", dialect="hive", namespace="n")
    found_ = aimed(found("complete", reads=("n:d.a",)), query)

    assert (found_.coverage, [problem.code for problem in found_.problems]) == ("partial", [NO_TARGET])
    assert subjects(found_, query) == {(UNTRACED_READ, "n:d.a")}


@pytest.mark.parametrize(
    ("given", "target"),
    [
        (found("complete", reads=("n:d.a",)), "n:d.o"),
        (found("complete", reads=("n:d.a",), writes=("n:d.b",)), None),
        (found("complete"), None),
        (found("opaque", reads=("n:d.a",)), None),
    ],
    ids=["with a target", "writes", "reads nothing", "not read"],
)
def test_other_texts_are_left_as_they_are(given: Extraction, target: str | None) -> None:
    """A script that also writes, one that reads nothing, and one that says already why it is not complete."""
    assert aimed(given, replace(TEXT, target=target)) is given


@pytest.mark.parametrize(("count", "problems"), [(MAX_UNTRACED, MAX_UNTRACED), (MAX_UNTRACED + 3, MAX_UNTRACED + 1)])
def test_many_datasets_are_counted(count: int, problems: int) -> None:
    """In one more problem, without a subject."""
    made = list(untraced(found("partial", reads=tuple(f"n:d.t{n}" for n in range(count))), TEXT))

    assert len(made) == problems
    if count > MAX_UNTRACED:
        assert (made[-1].detail, made[-1].subject) == ("and 3 datasets more", "")
