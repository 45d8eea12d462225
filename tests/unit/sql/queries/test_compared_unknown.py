"""Two versions of a text over tables of which no column is known: what can be compared is, and nothing is guessed."""

from __future__ import annotations

import pytest

from ingest.sql.compare.compare import compare
from lineage_tt.impact.texts import Side


def side(query: str) -> Side:
    """Return a text that fills a table, all columns unknown."""
    return Side(f"INSERT OVERWRITE TABLE t {query}", "hive", "hive", "d")


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ("SELECT a, b FROM x", "SELECT a, c FROM x", ()),
        ("SELECT a, b FROM x", "SELECT a, b + 1 AS b FROM x", ("b",)),
        ("SELECT a, b FROM x WHERE c > 1", "SELECT a, b FROM x WHERE c > 2", ("a", "b")),
        ("SELECT a, b FROM x", "SELECT a, b FROM y", ("a", "b")),
        ("SELECT x.a, y.b FROM x JOIN y ON x.k = y.k", "SELECT x.a, y.c AS b FROM x JOIN y ON x.k = y.k", ("b",)),
        ("SELECT a, b FROM (SELECT a, b + 1 AS b FROM x)", "SELECT a, b FROM (SELECT a, b + 2 AS b FROM x)", ("b",)),
    ],
)  # fmt: skip
def test_one_source_has_the_columns_that_are_named(before: str, after: str, changed: tuple[str, ...]) -> None:
    """A column that stays as it was counted as changed where no columns were known."""
    found = compare(side(before), side(after))

    assert (found.comparable, found.changed, found.same) == (True, changed, False)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("SELECT a, b FROM x JOIN y ON x.k = y.k", "SELECT a, c FROM x JOIN y ON x.k = y.k"),
        ("SELECT a, b FROM (SELECT * FROM x) q", "SELECT a, b FROM (SELECT a, c AS b FROM x) q"),
    ],
)
def test_a_column_of_several_sources_is_not_guessed(before: str, after: str) -> None:
    """Which source such a column is of is not known: the texts count as different throughout."""
    found = compare(side(before), side(after))

    assert not found.same
    assert not found.comparable
