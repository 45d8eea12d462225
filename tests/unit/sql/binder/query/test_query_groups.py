"""What GROUP BY groups by: what it lists, in sets or not, or all that is not an aggregate."""

from __future__ import annotations

import pytest
from bound import Bound

from ingest.sql.binder.query.groups import always_null, grouping, holds_aggregate, is_word


def _grouped(sql: str, dialect: str = "spark") -> tuple[list[str], bool]:
    bound = Bound(dialect=dialect)
    parts, listed = grouping(bound.tree(sql), bound.walk.rules.grouping)
    return [part.sql() for part in parts], listed


@pytest.mark.parametrize(
    ("clause", "parts"),
    [
        ("b, a + 1, b", ["b", "a + 1", "b"]),
        ("a, ROLLUP (b, (c, 1))", ["a", "b", "c", "1"]),
        ("CUBE ((a), b)", ["a", "b"]),
        ("GROUPING SETS ((a, b), c, ())", ["a", "b", "c"]),
        ("GROUPING SETS (ROLLUP (a, b), CUBE (c))", ["a", "b", "c"]),
        ("(1), ((b))", ["1", "b"]),
        ("(1, 2)", ["(1, 2)"]),
    ],
)
def test_what_is_listed_is_grouped_by_in_sets_or_not(clause: str, parts: list[str]) -> None:
    """In the order of the text; a number in a set is a place in the select list, as outside of one."""
    assert _grouped(f"SELECT 1 FROM t GROUP BY {clause}") == (parts, True)


def test_brackets_list_what_is_grouped_by_but_in_spark() -> None:
    """There they hold one row."""
    assert _grouped("SELECT 1 FROM t GROUP BY (1, b), ((2))", "duckdb") == (["1", "b", "2"], True)


def test_all_is_the_largest_parts_of_the_outputs_without_an_aggregate() -> None:
    """Aliases, constants and windows are none; an aggregate's own arguments are not grouped by."""
    sql = (
        "SELECT a AS x, b + max(c) * d AS y, 1, count(*), sum(e) FILTER (WHERE f), rank() OVER (ORDER BY g), h + 1"
        " FROM t GROUP BY ALL"
    )

    assert _grouped(sql) == (["a", "b", "d", "h + 1"], False)


def test_a_word_of_the_engine_is_all_where_it_is_alone_and_in_no_quotes() -> None:
    """Trino's AUTO; in other engines and beside others it is a column."""
    auto = "SELECT a, count(*) FROM t GROUP BY"

    assert _grouped(f"{auto} Auto", "trino") == (["a"], False)
    assert _grouped(f"{auto} auto", "spark") == (["auto"], True)
    assert _grouped(f"{auto} auto, a", "trino") == (["auto", "a"], True)
    assert _grouped(f'{auto} "auto"', "trino") == (['"auto"'], True)
    assert _grouped(f"{auto} t.auto", "trino") == (["t.auto"], True)


def test_what_is_in_no_grouping_set_is_null_in_every_row() -> None:
    """Of Hive's form, which lists before it sets; a number is not a text of an item."""
    tree = Bound(dialect="hive").tree

    assert always_null(tree("SELECT a FROM t GROUP BY a, b, c + 1, 4 GROUPING SETS ((a), (c + 1))")) == {"b"}
    assert always_null(tree("SELECT a FROM t GROUP BY a, b GROUPING SETS (a, (b))")) == frozenset()
    assert always_null(tree("SELECT a FROM t GROUP BY a, b")) == frozenset()
    assert always_null(tree("SELECT a FROM t")) == frozenset()


@pytest.mark.parametrize(
    ("text", "holds"),
    [("a + 1", False), ("max(a) + 1", True), ("coalesce(a, sum(b))", True), ("row_number() OVER (ORDER BY a)", True),
     ("(SELECT max(d) FROM u)", False), ("percentile_approx(a, 0.5)", True), ("upper(a)", False),
     ("CASE WHEN a > 1 THEN min(b) END", True)],
)  # fmt: skip
def test_an_aggregate_is_found_wherever_it_is_but_in_a_query_of_its_own(text: str, holds: bool) -> None:
    """In arguments, branches and windows."""
    assert holds_aggregate(Bound().item(text)) == holds


def test_a_bare_word_is_one_name_without_quotes() -> None:
    """In any case of letters."""
    items = Bound(dialect="trino").tree('SELECT ALLES, "alles", t.alles, alles + 1, other FROM t').expressions

    assert [is_word(item, "alles") for item in items] == [True, False, False, False, False]


@pytest.mark.parametrize("dialect", ["spark", "databricks", "duckdb"])
@pytest.mark.parametrize(
    ("outputs", "grouped"),
    [
        ("a, count(b) AS n", "t#a"),
        ("a + c AS x, sum(b) AS n", "t#a t#c"),
        ("a + max(b) AS n", "t#a"),
        ("a, 1 AS one, sum(b) FILTER (WHERE c > 1) AS n", "t#a"),
        ("t.*", "t#a t#b t#c"),
    ],
)
def test_group_by_all_groups_by_what_is_no_aggregate(lineage, dialect, outputs, grouped):
    """GROUP BY ALL groups by the parts of the select list without an aggregate."""
    assert {"GROUP_BY": grouped} == lineage(f"SELECT {outputs} FROM t GROUP BY ALL", dialect).decisions()


def test_group_by_all_of_aggregates_only_groups_by_nothing(lineage):
    """Where every output is an aggregate, GROUP BY ALL makes one row."""
    assert lineage("SELECT count(*) AS n, max(b) AS m, 1 AS one FROM t GROUP BY ALL").decisions() == {}


def test_group_by_all_does_not_look_for_aggregates_in_subqueries(lineage):
    """The aggregate of a subquery is none of the SELECT around it: its value is grouped by."""
    found = lineage("SELECT (SELECT max(d) FROM u) AS m, count(b) AS n FROM t GROUP BY ALL")

    assert found.decisions() == {"GROUP_BY": "u#d"}
