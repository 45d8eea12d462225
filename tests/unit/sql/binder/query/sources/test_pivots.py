"""PIVOT and UNPIVOT: which columns stay, which are used up, and what the new ones are made of."""

from __future__ import annotations

import pytest
from bound import Bound, listed, ways

from ingest.sql.binder.names.scope import Scope, Source
from ingest.sql.binder.query.sources.pivots import pivot_statement, pivoted, summarized
from ingest.sql.binder.relations.relations import Relation


def _pivoted(clause: str, given: str = "t", dialect: str = "spark") -> tuple[Bound, Relation]:
    bound = Bound(given, dialect)
    table = bound.tree(f"SELECT 1 FROM {given} {clause}").args["from_"].this
    return bound, pivoted(table.args["pivots"][0], bound.scope.sources[0], bound.walk, bound.scope)


def _statement(sql: str) -> tuple[Bound, Relation]:
    bound = Bound("", "duckdb")
    return bound, pivot_statement(bound.walk, bound.tree(sql), Scope())


def _ways(relation: Relation) -> dict[str, dict[str, str]]:
    return {column.name: ways(column.flow()) for column in relation.columns}


def test_a_pivots_columns_are_aggregates_under_a_condition() -> None:
    """The FOR column decides about each; what is neither stays, and groups."""
    bound, found = _pivoted("PIVOT (sum(c) FOR b IN (1 AS x, 2 AS y))")

    made = {"t#c": "AGGREGATION", "t#b": "CONDITIONAL"}
    assert _ways(found) == {"a": {"t#a": "IDENTITY"}, "x": made, "y": made}
    assert ways(found.effects.predicates) == {"t#a": "GROUP_BY"}
    assert found.rows == bound.walk.catalog.starred == {"n:d.t"}
    assert bound.problems() == []


def test_several_aggregates_take_turns() -> None:
    """Each value has one column of each, in the order of the aggregates."""
    _, found = _pivoted("PIVOT (sum(c) AS s, max(a) AS m FOR b IN ('x', 'y'))")

    assert [(column.name, sorted(ways(column.flow()))) for column in found.columns] == [
        ("x_s", ["t#b", "t#c"]), ("x_m", ["t#a", "t#b"]), ("y_s", ["t#b", "t#c"]), ("y_m", ["t#a", "t#b"]),
    ]  # fmt: skip


@pytest.mark.parametrize("values", ["ANY", "SELECT d FROM u"])
def test_columns_that_the_data_says_are_not_known(values: str) -> None:
    """They come from the aggregate all the same."""
    bound = Bound("", "snowflake", {"n:d.T": ("A", "B", "C")})
    table = bound.tree(f"SELECT 1 FROM t PIVOT (sum(c) FOR b IN ({values}))").args["from_"].this
    relation = bound.walk.dataset("n:d.T")
    found = pivoted(table.args["pivots"][0], Source("t", (), relation), bound.walk, Scope())

    assert [(column.name, sorted(column.flow())) for column in found.columns] == [
        ("A", ["n:d.T#A"]), ("*", ["n:d.T#B", "n:d.T#C"]),
    ]  # fmt: skip


def test_unknown_columns_that_stay_leave_out_those_used_up() -> None:
    """Of a table that nobody described, in PIVOT as in UNPIVOT."""
    for clause in ("PIVOT (sum(c) FOR b IN (1))", "UNPIVOT (v FOR n IN (b, c))"):
        star = _pivoted(clause, "nowhere")[1].columns[0]
        assert star.name == "*", clause
        assert star.excluded == {"b", "c"}, clause


def test_an_unpivots_value_comes_from_all_the_columns_it_unites() -> None:
    """Their names are the data of a new column, which comes from none; the others stay."""
    bound, found = _pivoted("UNPIVOT (v FOR n IN (b, c))")

    assert listed(found.columns) == [("a", "t#a"), ("n", ""), ("v", "t#b t#c")]
    assert (found.effects.predicates, bound.walk.catalog.starred) == ({}, {"n:d.t"})


def test_an_unpivot_of_several_values_unites_them_by_place() -> None:
    """Each value has the columns at its place in every tuple; a column that is in several is used up once."""
    assert listed(_pivoted("UNPIVOT ((v, k) FOR n IN ((a, b) AS ab, (b, c) AS bc))")[1].columns) == [
        ("n", ""), ("v", "t#a t#b"), ("k", "t#b t#c"),
    ]  # fmt: skip


def test_the_columns_of_duckdbs_pivot_are_known_where_it_lists_values() -> None:
    """Else the data says which there are; with GROUP BY alone what it lists stays."""
    _, found = _statement("PIVOT t ON b IN (1, 2) USING sum(c) AS s")
    made = {"t#b": "CONDITIONAL", "t#c": "AGGREGATION"}
    assert _ways(found) == {"a": {"t#a": "IDENTITY"}, "1_s": made, "2_s": made}
    assert ways(found.effects.predicates) == {"t#a": "GROUP_BY"}

    assert [name for name, _ in listed(_statement("PIVOT t ON b USING sum(c)")[1].columns) or ()] == ["a", "*"]
    assert [name for name, _ in listed(_statement("PIVOT t ON b IN (x) USING sum(c)")[1].columns) or ()] == ["a", "*"]
    grouped = _statement("PIVOT w ON x IN (1) USING sum(y) GROUP BY arr")[1]
    assert listed(grouped.columns) == [("arr", "w#arr"), ("1", "w#x w#y")]


def test_the_columns_of_duckdbs_unpivot_are_named_or_called_name_and_value() -> None:
    """Stars and patterns name several at once."""
    assert listed(_statement("UNPIVOT t ON b, c INTO NAME n VALUE v")[1].columns) == [
        ("a", "t#a"), ("n", ""), ("v", "t#b t#c"),
    ]  # fmt: skip
    assert listed(_statement("UNPIVOT t ON * EXCLUDE (a)")[1].columns) == [
        ("a", "t#a"), ("name", ""), ("value", "t#b t#c"),
    ]  # fmt: skip


def test_a_summary_has_figures_over_all_values() -> None:
    """A row for each column: its name and type come from none."""
    bound = Bound("", "duckdb")
    found = summarized(bound.walk, bound.tree("SUMMARIZE t").this, None)

    assert [column.name for column in found.columns][:4] == ["column_name", "column_type", "min", "max"]
    assert found.columns[0].flow() == found.columns[1].flow() == {}
    whole = {"t#a": "AGGREGATION", "t#b": "AGGREGATION", "t#c": "AGGREGATION"}
    assert {str(ways(column.flow())) for column in found.columns[2:]} == {str(whole)}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT * FROM t PIVOT (sum(c) FOR b IN (1 AS x, 2 AS y))", {"a": "t#a", "x": "t#b t#c", "y": "t#b t#c"}),
        ("SELECT * FROM t UNPIVOT (v FOR n IN (b, c))", {"a": "t#a", "v": "t#b t#c"}),
        (
            "SELECT * FROM t UNPIVOT ((v, k) FOR n IN ((a, b) AS ab, (b, c) AS bc))",
            {"v": "t#a t#b", "k": "t#b t#c"},
        ),
    ],
)
def test_pivots(lineage, sql, expected):
    """PIVOT's columns come from the aggregate and, as a condition, the FOR column; UNPIVOT's from all it unites."""
    assert expected == lineage(sql).names()


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("UNPIVOT t ON b, c INTO NAME n VALUE v", {"a": "t#a", "v": "t#b t#c"}),
        ("UNPIVOT t ON * EXCLUDE (a) INTO NAME n VALUE v", {"a": "t#a", "v": "t#b t#c"}),
        ("UNPIVOT t ON COLUMNS('b|c')", {"a": "t#a", "value": "t#b t#c"}),
        ("UNPIVOT t ON (a, b), (b, c) INTO NAME n VALUE v1, v2", {"v1": "t#a t#b", "v2": "t#b t#c"}),
        ("SELECT v FROM (UNPIVOT t ON b INTO NAME n VALUE v)", {"v": "t#b"}),
    ],
)
def test_the_columns_of_duckdbs_unpivot_are_known(lineage, sql, expected):
    """Those that stay, the name and the values: nothing of it depends on the data, as PIVOT's columns do."""
    result = lineage(sql, dialect="duckdb")
    assert expected == result.names()
    assert result.found.coverage == "complete"


def test_the_keys_of_a_pivot_are_spelled_as_the_dialect_compares_them() -> None:
    """In lower case in DuckDB, in the statement as in the clause."""
    _, found = _statement("PIVOT t ON b IN (1) USING sum(c) GROUP BY A")
    _, clause = _pivoted("PIVOT (sum(c) FOR b IN (1) GROUP BY A)", dialect="duckdb")

    assert found.columns[0].name == clause.columns[0].name == "a"


def test_bigquery_puts_an_underscore_before_a_number(lineage):
    """``_1`` was a column that no source is known to have."""
    result = lineage(
        "SELECT a, _1 FROM t PIVOT (SUM(c) FOR b IN (1, 2 AS y))", "bigquery", columns={"n:d.t": ["a", "b", "c"]}
    )

    assert result.names() == {"a": "t#a", "_1": "t#b t#c"}
    assert result.found.coverage == "complete"


def test_a_name_that_bigquerys_pivot_is_given_stays(lineage):
    """It was ``_1``, and the name that the query has was no column."""
    result = lineage("SELECT `1` FROM t PIVOT (SUM(c) FOR b IN (1 AS `1`))", "bigquery", columns={"n:d.t": ["b", "c"]})

    assert result.names() == {"1": "t#b t#c"}
    assert result.found.coverage == "complete"


MADE = {"t#b": "CONDITIONAL", "t#c": "AGGREGATION"}
UNITED = {"t#b": "IDENTITY", "t#c": "IDENTITY"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("t PIVOT (sum(t.c) FOR b IN (1 AS x))", {"a": {"t#a": "IDENTITY"}, "x": MADE}),
        ("t PIVOT (sum(d.t.c) FOR d.t.b IN (1 AS x))", {"a": {"t#a": "IDENTITY"}, "x": MADE}),
        ("t AS q PIVOT (sum(q.c) FOR q.b IN (1 AS x))", {"a": {"t#a": "IDENTITY"}, "x": MADE}),
        ("(SELECT b, c FROM t) AS q PIVOT (sum(q.c) FOR q.b IN (1 AS x)) AS p", {"x": MADE}),
        ("(SELECT b, c FROM t) AS q(k, v) PIVOT (sum(v) FOR k IN (1 AS x))", {"x": MADE}),
        ("(SELECT b, c FROM t) AS q(k, v) PIVOT (sum(q.v) FOR q.k IN (1 AS x)) AS p", {"x": MADE}),
        ("t UNPIVOT (v FOR n IN (t.b, t.c))", {"a": {"t#a": "IDENTITY"}, "v": UNITED}),
        ("t AS q UNPIVOT (v FOR n IN (q.b, q.c)) AS p", {"a": {"t#a": "IDENTITY"}, "v": UNITED}),
        ("t AS q(k, l, m) UNPIVOT (v FOR n IN (l, m)) AS p", {"k": {"t#a": "IDENTITY"}, "v": UNITED}),
    ],
)
def test_columns_of_a_pivot_have_the_names_of_its_source(lineage, given, expected):
    """With the source in front, or as its list calls them; they were unknown columns, and the list the pivot's."""
    told = lineage(f"INSERT INTO o SELECT * FROM {given}")

    assert told.columns() == expected
    assert told.found.coverage == "complete"


def test_columns_of_an_unknown_table_are_its_own_in_a_pivot(lineage):
    """With the table in front they were fields of a struct of its name, in a complete answer."""
    assert lineage("SELECT v FROM far UNPIVOT (v FOR n IN (far.b, far.c))").names() == {"v": "far#b far#c"}
    assert lineage("SELECT x FROM far AS q PIVOT (sum(q.c) FOR b IN (1 AS x))").names() == {"x": "far#b far#c"}


def test_a_pivot_of_a_pivot_reads_what_the_first_one_makes(lineage):
    """Its alias may be in front of them, as DuckDB takes it."""
    told = lineage('SELECT * FROM t PIVOT (sum(c) FOR b IN (1, 2)) AS p UNPIVOT (v FOR n IN (p."1", "2"))', "duckdb")

    assert told.names() == {"a": "t#a", "v": "t#b t#c"}
    assert told.found.coverage == "complete"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("t JOIN v ON t.a = v.k PIVOT (sum(c) FOR l IN (1 AS x))", {"a": "t#a", "b": "t#b", "k": "v#k"}),
        ("t JOIN v ON t.a = v.k PIVOT (sum(t.c) FOR v.l IN (1 AS x)) AS p", {"a": "t#a", "b": "t#b", "k": "v#k"}),
        ("(t JOIN v ON t.a = v.k) PIVOT (sum(t.c) FOR v.l IN (1 AS x))", {"a": "t#a", "b": "t#b", "k": "v#k"}),
        ("t JOIN v ON t.a = v.k PIVOT (sum(c) FOR l IN (1 AS x)) JOIN y ON k = m",
         {"a": "t#a", "b": "t#b", "k": "v#k", "m": "y#m"}),
        ("t JOIN z USING (a) PIVOT (sum(c) FOR l IN (1 AS x))", {"a": "t#a", "b": "t#b"}),
    ],
)  # fmt: skip
def test_a_pivot_after_a_join_is_of_all_that_is_joined(lineage, given, expected):
    """It was left out: its columns were unknown, and those that it uses up stayed."""
    known = {"n:d.t": ["a", "b", "c"], "n:d.v": ["k", "l"], "n:d.y": ["m"], "n:d.z": ["a", "l"]}
    told = lineage(f"INSERT INTO o SELECT * FROM {given}", columns=known)
    by = "z#l" if "JOIN z" in given else "v#l"

    assert told.names() == {**expected, "x": f"t#c {by}"}
    assert told.columns()["x"] == {"t#c": "AGGREGATION", by: "CONDITIONAL"}
    assert told.found.coverage == "complete"
