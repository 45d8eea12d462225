"""What edges show of a task without a text."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from plain_base import PlainBase, change, edge, release, text

from lineage_tt.impact.release.edits import column_changes, own_class
from lineage_tt.impact.release.given_edges import (
    meanings_of_edges,
    missing_sources,
    new_targets,
    reasons_of_edges,
)
from lineage_tt.impact.release.release import Change
from lineage_tt.impact.report import ADDITIVE, BREAKING, NONE, POTENTIALLY

A, B = "n:a", "n:b"
BOARD = (f"{A}#x", B)


def reasons(before: Sequence[tuple[str, ...]], after: Sequence[tuple[str, ...]], **more: dict[str, str]) -> list[str]:
    """Return the reasons of a change of one task's edges."""
    made = change("t", before, after)
    return reasons_of_edges(release(PlainBase(), made, **more), made)


@pytest.mark.parametrize(
    ("after", "said"),
    [([(f"{A}#y", B)], "n:b is made no longer of n:a#x, now of n:a#y"),
     ([BOARD, (f"{A}#y", B)], "n:b is made now of n:a#y"),
     ([], "n:b is made no longer of n:a#x"),
     ([(*BOARD, "DIRECT", "AGGREGATION")], "n:b is made of n:a#x in another way"),
     ([(*BOARD, "DIRECT", "IDENTITY", "x + 1")], "n:b is made of n:a#x in another way"),
     ([(*BOARD, "INDIRECT", "FILTER")], "n:b is made no longer of n:a#x"),
     ([BOARD, (*BOARD, "INDIRECT", "FILTER")], "what decides about its rows changes (filter)")],
)  # fmt: skip
def test_a_dataset_made_of_other_nodes_is_a_change(after: list[tuple[str, ...]], said: str) -> None:
    """Whether a source comes, goes, or is used in another way; what the task writes means something else."""
    made = change("t", [BOARD], after)
    whole = release(PlainBase(), made)

    assert reasons_of_edges(whole, made)[0] == said
    assert own_class(whole, made, column_changes(whole, made))[0] == POTENTIALLY


def test_edges_of_columns_give_no_reason_of_their_own() -> None:
    """They show in the columns; nor does a source that is only renamed, or what stays."""
    assert reasons([(f"{A}#x", f"{B}#x")], [(f"{A}#y", f"{B}#x")]) == []
    assert reasons([BOARD], [(f"{A}#z", B)], renames={f"{A}#x": f"{A}#z"}) == []
    assert reasons([BOARD], [BOARD]) == []


def test_a_column_means_something_else_where_its_edges_differ() -> None:
    """An edge into the whole dataset affects every column that stays; a new task changes none."""

    def meant(before: Sequence[tuple[str, ...]], after: Sequence[tuple[str, ...]]) -> list[str]:
        made = change("t", before, after)
        return [each.column for each in meanings_of_edges(release(PlainBase(), made), B, ["x", "y"], made)]

    both = [(f"{A}#x", f"{B}#x"), (f"{A}#y", f"{B}#y")]
    assert meant(both, [both[0], (f"{A}#x", f"{B}#y")]) == ["y"]
    assert meant(both, [*both, BOARD]) == ["x", "y"]
    assert meant([], both) == []


def test_a_dataset_that_the_task_begins_to_write_is_new() -> None:
    """Nothing that was there changes; a task with a text shows it in its columns."""
    made = change("t", [BOARD], [BOARD, (f"{A}#x", "n:c")])
    whole = release(PlainBase(), made)

    assert new_targets(made) == ["n:c"]
    assert own_class(whole, made, column_changes(whole, made)) == (ADDITIVE, ["it also writes n:c"])
    assert own_class(whole, same := change("t", [BOARD], [BOARD]), [])[0] == NONE
    assert new_targets(same) == []
    assert new_targets(change("t", [BOARD], [(f"{A}#x", "n:c")], sql="x")) == []


def missing(made: Change, base: PlainBase) -> list[tuple[str, str, str]]:
    """Return the findings about sources that are not there."""
    return [(each.class_, each.subject, each.reason) for each in missing_sources(release(base, made), made)]


def test_a_column_that_its_dataset_does_not_have_breaks_the_task() -> None:
    """Whether the task is new or edited; the nearest column is named."""
    base = PlainBase(columns={A: ("amount", "x")})
    found = [(BREAKING, f"{A}#amont", "it reads amont of n:a, which has no such column; did you mean amount?")]

    assert missing(change("t", [], [(f"{A}#amont", B)]), base) == found
    assert missing(change("t", [(f"{A}#amount", B)], [(f"{A}#amont", B)]), base) == found


@pytest.mark.parametrize(
    "made",
    [change("t", [], [(f"{A}#X", B)]),
     change("t", [], [(f"{A}#x.city", B)]),
     change("t", [], [(A, B), (f"{A}#*", f"{B}#*")]),
     change("t", [(f"{A}#gone", B)], [(f"{A}#gone", B)]),
     change("t", [], [(f"{A}#made", B)]),
     change("t", [], [("n:unknown#y", B)]),
     change("t", [], [("n:open#y", B)]),
     change("t", [], [(f"{A}#gone", B)], sql="SELECT 1")],
    ids=["other case", "field", "star", "as before", "made by a task", "no columns", "star into it", "text"],
)  # fmt: skip
def test_a_column_that_may_be_there_is_no_finding(made: Change) -> None:
    """Nor is one that the task read before; what a text reads is resolved with the text."""
    base = PlainBase(
        edge("w", "n:s#a", f"{A}#made"),
        edge("w", "n:s#*", "n:open#*"),
        columns={A: ("x",), "n:open": ("z",)},
        texts=[text("w")],
    )

    assert missing(made, base) == []
