"""UNNEST: a column for each array, or the fields of its elements, called as each engine calls them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from bound import WORLD, Bound, listed

from ingest.sql.binder.names.scope import Source
from ingest.sql.binder.query.sources.unnested import unnested
from lineage_tt.model.facts import Shape

TYPED: Mapping[str, Shape] = {
    "n:d.k": (("s", "ARRAY<ROW(p INT, q INT)>"), ("n", "ARRAY<INT>"), ("m", "MAP<INT, INT>"), "o"),
    "n:d.j": (("s", "ARRAY<STRUCT<p INT64, q INT64>>"), ("n", "ARRAY<INT64>")),
}


def _unnested(text: str, dialect: str = "trino", given: str = "w") -> tuple[Bound, Source]:
    bound = Bound(given, dialect, {**WORLD, **TYPED})
    node = bound.tree(f"SELECT 1 FROM {given}, {text}")
    (join,) = node.args["joins"]
    return bound, unnested(bound.walk, join.this, bound.scope)


def _shown(text: str, dialect: str = "trino", given: str = "w") -> list[tuple[str, str]]:
    bound, source = _unnested(text, dialect, given)
    assert bound.problems() == []
    return listed(source.relation.columns) or []


def test_each_array_is_a_column_under_its_name() -> None:
    """Its fields are those of the array; the position of an element comes from none."""
    assert _shown("UNNEST(arr, st) AS q(v, k)") == [("v", "w#arr"), ("k", "w#st")]
    assert _shown("UNNEST(arr) WITH ORDINALITY AS q(v, n)") == [("v", "w#arr"), ("n", "")]
    (column,) = _unnested("UNNEST(arr) AS q(v)")[1].relation.columns
    assert sorted(column.field("f").flow()) == ["n:d.w#arr.f"]


def test_more_names_than_arrays_go_by_the_types_of_the_arrays() -> None:
    """A row gives its fields, a map key and value, an array of plain elements one; the other array what is left."""
    assert _shown("UNNEST(s, n, m) AS q(a, b, c, d, e)", given="k") == [
        ("a", "k#s.p"), ("b", "k#s.q"), ("c", "k#n"), ("d", "k#m"), ("e", "k#m"),
    ]  # fmt: skip
    assert _shown("UNNEST(n, o) AS q(a, b, c)", given="k") == [("a", "k#n"), ("b", "k#o"), ("c", "k#o")]
    assert _shown("UNNEST(arr) AS q(a, b)") == [("a", "w#arr"), ("b", "w#arr")]


def test_names_that_fit_no_types_come_from_all_arrays() -> None:
    """That is reported: which array each one is of is not known."""
    bound, source = _unnested("UNNEST(arr, st) AS q(a, b, c)")

    assert listed(source.relation.columns) == [("a", "w#arr w#st"), ("b", "w#arr w#st"), ("c", "w#arr w#st")]
    assert bound.problems() == [("unknown-columns", "")]


@pytest.mark.parametrize(
    ("dialect", "text", "columns"),
    [
        ("duckdb", "unnest(arr)", [("unnest", "w#arr"), ("*", "w#arr.*")]),
        ("postgres", "unnest(arr) AS e", [("e", "w#arr"), ("*", "w#arr.*")]),
        ("trino", "UNNEST(arr)", [("*", "w#arr.*")]),
        ("trino", "UNNEST(ARRAY[x, y])", [("_col0", "w#x w#y")]),
        ("duckdb", "unnest([x, y])", [("unnest", "w#x w#y")]),
        ("trino", "UNNEST(map(ARRAY[x], ARRAY[y]))", [("_col0", "w#x w#y"), ("_col1", "w#x w#y")]),
    ],
)
def test_columns_without_names_are_called_as_the_engine_calls_them(
    dialect: str, text: str, columns: list[tuple[str, str]]
) -> None:
    """Beside an element that may be a struct its fields may be named."""
    assert _shown(text, dialect) == columns


def test_fields_of_a_declared_row_have_their_own_names() -> None:
    """All at once where the engine lays structs out."""
    assert _shown("UNNEST(s)", given="k") == [("p", "k#s.p"), ("q", "k#s.q")]


def test_bigquerys_alias_is_the_element_itself() -> None:
    """Its fields can be named, too; a star has them alone, and the offset beside them."""
    source = _unnested("UNNEST(s) AS e WITH OFFSET AS pos", "bigquery", "j")[1]
    assert [(column.name, column.hidden) for column in source.relation.columns] == [
        ("e", True), ("p", False), ("q", False), ("pos", False),
    ]  # fmt: skip
    assert (source.alias, listed(source.relation.visible())) == ("e", [("p", "j#s.p"), ("q", "j#s.q"), ("pos", "")])

    unknown = _unnested("UNNEST(arr) AS e WITH OFFSET", "bigquery")[1]
    assert listed(unknown.relation.columns) == [("e", "w#arr"), ("*", "w#arr.*"), ("offset", "")]


def test_an_array_called_as_its_table_is_the_column() -> None:
    """A row of the table is not an array: of one whose columns are not known it is a column of that name."""
    assert _shown("UNNEST(events) AS e", "bigquery", "events") == [("e", "events#events"), ("*", "events#events.*")]


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("trino", "SELECT y FROM (SELECT u.* FROM t, UNNEST(ARRAY[b], ARRAY[c]) u) q(y, z)", {"y": "t#b"}),
        ("trino", "SELECT x, z FROM (SELECT * FROM t, UNNEST(ARRAY[1])) q(x, y, z, n)", {"x": "t#a", "z": "t#c"}),
        ("trino", "SELECT k FROM (SELECT u.* FROM t, UNNEST(map(ARRAY[b], ARRAY[c])) u) q(k, v)", {"k": "t#b t#c"}),
        ("postgres", "SELECT e FROM w, unnest(arr) AS e", {"e": "w#arr"}),
        ("postgres", "SELECT e.f FROM w, unnest(arr) AS e", {"f": "w#arr.f"}),
        ("duckdb", "SELECT unnest FROM w, unnest(arr)", {"unnest": "w#arr"}),
        ("duckdb", "SELECT u.unnest FROM t, unnest([a, b]) u", {"unnest": "t#a t#b"}),
    ],
)  # fmt: skip
def test_an_array_in_from_without_names_for_its_columns(lineage, dialect, sql, expected):
    """Several arrays make as many columns; a plain element's is called ``unnest``, in Postgres as its source is."""
    result = lineage(sql, dialect=dialect)
    assert result.names() == expected
    assert result.found.coverage == "complete"


@pytest.mark.parametrize("known", [{}, {"n:d.t": ("a", "b")}])
@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("SELECT t.a, v, k FROM t, UNPIVOT t.b AS v AT k", {"a": "t#a", "v": "t#b", "k": "t#b"}),
        ("SELECT q.a, v FROM t AS q, UNPIVOT q.b AS v", {"a": "t#a", "v": "t#b"}),
        ("SELECT v.x AS z FROM t, UNPIVOT t.b AS v AT k", {"z": "t#b"}),
        ("SELECT v FROM (SELECT b FROM t) q, UNPIVOT q.b AS v", {"v": "t#b"}),
    ],
)
def test_the_fields_of_an_object_are_rows(lineage, known, query, names):
    """Redshift's UNPIVOT in FROM was not understood; a value's fields are of no known name in the object."""
    told = lineage(query, dialect="redshift", columns=known)
    assert told.names() == names
    assert told.found.coverage == "complete"


def test_what_an_unpivoted_object_filters_is_a_decision(lineage):
    """Its value may be named in WHERE."""
    told = lineage("SELECT t.a FROM t, UNPIVOT t.b AS v AT k WHERE v > 1", dialect="redshift")
    assert told.decisions() == {"FILTER": "t#b"}
    assert told.names() == {"a": "t#a"}
