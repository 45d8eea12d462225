"""The select list: the columns that each item makes, and what they are called."""

from __future__ import annotations

import pytest
from bound import Bound, listed, sources

from ingest.sql.binder.query.items import Items

Listed = list[tuple[str, str]]


def _bound(items: str, given: str = "t", dialect: str = "spark", after: str = "") -> tuple[Bound, Listed]:
    bound = Bound(given, dialect)
    columns = Items(bound.walk).select_list(bound.tree(f"SELECT {items} FROM {given} {after}"), bound.scope)
    return bound, listed(columns) or []


def test_an_item_is_called_as_it_says() -> None:
    """By its alias, its column or its field, as the dialect spells them; a star's columns keep their names."""
    bound, found = _bound("b AS x, t.A, st.f.g, u.*, w.x", "t, u, w")

    assert found == [
        ("x", "t#b"),
        ("a", "t#a"),
        ("g", "w#st.f.g"),
        ("a", "u#a"),
        ("d", "u#d"),
        ("e", "u#e"),
        ("x", "w#x"),
    ]
    assert bound.problems() == []


@pytest.mark.parametrize(
    ("dialect", "names"),
    [("hive", ["_c0", "b", "_c2", "_c3"]), ("trino", ["_col0", "b", "_col2", "_col3"]),
     ("postgres", ["?column?", "b", "max", "?column?"]), ("bigquery", ["f0_", "b", "f1_", "f2_"])],
)  # fmt: skip
def test_an_item_without_a_name_is_called_as_its_engine_calls_it(dialect: str, names: list[str]) -> None:
    """By its place, by its number among those without names, or after its function."""
    assert [name for name, _ in _bound("a + 1, b, max(c), 1", dialect=dialect)[1]] == names


def test_an_item_may_see_the_names_of_those_before_it() -> None:
    """A column of a source goes first; in ClickHouse the names of those after it are seen, too."""
    assert _bound("b AS z, z AS y, c AS a, a AS x")[1] == [("z", "t#b"), ("y", "t#b"), ("a", "t#c"), ("x", "t#a")]
    assert _bound("z AS y, b AS z", dialect="clickhouse")[1] == [("y", "t#b"), ("z", "t#b")]


def test_a_literal_names_nothing_that_can_be_said() -> None:
    """Spark's column after a literal is not a name for the items after it."""
    assert _bound("'q', q", "nowhere")[1][1] == ("q", "nowhere#q")


def test_what_no_grouping_set_has_is_null() -> None:
    """Its column comes from nothing."""
    found = _bound("a, b, b + 1 AS z", dialect="hive", after="GROUP BY a, b GROUPING SETS ((a))")[1]

    assert found == [("a", "t#a"), ("b", ""), ("z", "t#b")]


def test_columns_excluded_after_the_list_are_gone() -> None:
    """Redshift's EXCLUDE; of unknown columns these are left out."""
    assert _bound("*, b AS z EXCLUDE (b, Z)", dialect="redshift")[1] == [("a", "t#a"), ("c", "t#c")]
    bound = Bound("nowhere", "redshift")
    star, _ = Items(bound.walk).select_list(bound.tree("SELECT *, a AS z EXCLUDE (b) FROM nowhere"), bound.scope)
    assert star.name == "*"
    assert star.excluded == star.parts[0].left_out == {"b"}


@pytest.mark.parametrize(
    ("items", "dialect", "columns"),
    [
        ("posexplode(arr) AS (k, v)", "spark", [("k", "w#arr"), ("v", "w#arr")]),
        ("stack(2, x, 'p', y, st) AS (k, v)", "spark", [("k", "w#x w#y"), ("v", "w#st")]),
        ("explode(arr)", "spark", [("col", "w#arr")]),
        ("inline(array(struct(x AS p, y AS q)))", "spark", [("p", "w#x w#y"), ("q", "w#x w#y")]),
        ("inline(arr)", "spark", [("*", "w#arr")]),
        ("unnest({'p': x, 'q': y}) AS ignored", "duckdb", [("p", "w#x"), ("q", "w#y")]),
        ("(x)", "trino", [("x", "w#x")]),
        ("(x)", "hive", [("x", "w#x")]),
    ],
)
def test_one_item_may_make_several_columns(items: str, dialect: str, columns: Listed) -> None:
    """A generator's as they are named, of STACK each from its own values, of a struct laid out its fields."""
    assert _bound(items, "w", dialect)[1] == columns


def test_what_a_program_makes_may_come_from_all_its_inputs() -> None:
    """It is not looked into; without names its outputs are a key and a value."""
    bound, found = _bound("TRANSFORM (a, b) USING 'p' AS (x, y, z)")
    assert found == [("x", "t#a t#b"), ("y", "t#a t#b"), ("z", "t#a t#b")]
    assert bound.problems() == [("opaque-call", "")]

    assert _bound("TRANSFORM (c) USING 'p'")[1] == [("key", "t#c"), ("value", "t#c")]


def test_a_list_of_nothing_is_a_mistake_but_where_the_engine_takes_it() -> None:
    """PostgreSQL selects rows without columns."""
    for dialect, problems in (("spark", [("syntax", "")]), ("postgres", [])):
        bound = Bound("t", dialect)
        node = bound.tree("SELECT 1 FROM t")
        node.set("expressions", [])
        assert Items(bound.walk).select_list(node, bound.scope) == []
        assert bound.problems() == problems, dialect


def test_trino_counts_all_columns_before_one_without_a_name() -> None:
    """Those of a star included, where the query below gave them no name either."""
    bound = Bound("t", "trino")
    columns = Items(bound.walk).select_list(bound.tree("SELECT *, a + 1, (SELECT d FROM u) FROM t"), bound.scope)

    assert [(column.name, column.position) for column in columns] == [
        ("a", None), ("b", None), ("c", None), ("_col3", 3), ("_col4", 4),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("item", "dialect", "name"),
    [("CAST(b AS string)", "spark", "b"), ("CAST(b AS bigint)", "hive", "_c0"), ("bigint(b)", "spark", "b"),
     ("CAST(b + 1 AS bigint)", "hive", "_c0"), ("decimal(b)", "spark", "b")],
)  # fmt: skip
def test_a_cast_keeps_the_name_of_its_column_where_the_engine_has_it_so(item: str, dialect: str, name: str) -> None:
    """In Spark, also where it is called as the type; of anything but a column it has none to keep."""
    assert _bound(item, dialect=dialect)[1][0][0] == name


def test_columns_of_an_item_are_those_that_it_names() -> None:
    """Where names are listed: a star's, a pattern's, or the one named."""
    bound = Bound("t", "duckdb")
    items = Items(bound.walk)

    assert listed(items.columns_of(bound.item("* EXCLUDE (a)"), bound.scope)) == [("b", "t#b"), ("c", "t#c")]
    assert listed(items.columns_of(bound.item("COLUMNS('a|c')"), bound.scope)) == [("a", "t#a"), ("c", "t#c")]
    assert [sources(column) for column in items.columns_of(bound.item("b"), bound.scope)] == ["t#b"]


def test_clickhouse_calls_an_item_by_its_text_as_it_is_written(lineage):
    """Case tells names apart there; they were put in lower case."""
    told = lineage("CREATE TABLE o AS SELECT toDate(a), uniqExact(B), lower(c) AS z FROM t", dialect="clickhouse")
    assert sorted(told.columns()) == ["toDate(a)", "uniqExact(B)", "z"]
    above = "INSERT INTO o SELECT q.`toDate(a)` FROM (SELECT toDate(a) FROM t) AS q"
    assert lineage(above, dialect="clickhouse").names() == {"toDate(a)": "t#a"}


def test_elsewhere_the_text_is_in_lower_case(lineage):
    """Spark and MySQL compare names without case."""
    assert list(lineage("SELECT Max(A) FROM t", dialect="spark").columns()) == ["max(a)"]
