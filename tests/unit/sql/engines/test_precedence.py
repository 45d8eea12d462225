"""A select item that is called as a column, a row as a column, columns of several sources: what the engine takes.

Each probe tells by its rows which of both was meant. DuckDB and SQLite are asked here; Postgres 15, MariaDB 10.11,
ClickHouse 26.9 (chdb) and Spark 4.2 were asked with the same probes, BigQuery's answers are those of ZetaSQL's tests.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

WORLD = {"n:d.t": ("a", "b", "v"), "n:d.u": ("b", "w")}
TABLES = [
    "CREATE TABLE t (a INT, b INT, v INT)",
    "INSERT INTO t VALUES (1, 10, 100), (1, 20, 200), (2, 10, 300), (2, 10, 400)",
    "CREATE TABLE u (b INT, w INT)",
    "INSERT INTO u VALUES (10, 7), (20, 8)",
]
#: clause → statement, kind of edge and its target's column, sources as (item, column), first rows as (item, column)
PROBES: dict[str, tuple[str, str, str, tuple[str, str], tuple[list[int], list[int]]]] = {
    "group": ("SELECT a % 1 AS b, count(*) AS n FROM t GROUP BY b ORDER BY n", "GROUP_BY", "", ("a", "b"),
              ([0, 4], [0, 1])),
    "grouped": ("SELECT 7 AS b, count(*) AS n FROM t GROUP BY b + 0 ORDER BY n", "GROUP_BY", "", ("", "b"),
                ([7, 4], [7, 1])),
    "having": ("SELECT sum(a) AS b FROM t GROUP BY t.b HAVING b > 5 ORDER BY 1", "FILTER", "", ("a", "b"), ([], [1])),
    "where": ("SELECT a + 100 AS b FROM t WHERE b > 50", "FILTER", "", ("a", "b"), ([101], [])),
    "order": ("SELECT -a AS b FROM t ORDER BY b LIMIT 1", "SORT", "", ("a", "b"), ([-2], [-1])),
    "ordered": ("SELECT -a AS b FROM t ORDER BY b + 0, t.v LIMIT 1", "SORT", "", ("a v", "b v"), ([-2], [-1])),
    "window": ("SELECT a * 0 AS b, count(*) OVER (PARTITION BY b) AS n FROM t ORDER BY n LIMIT 1", "WINDOW", "n",
               ("a", "b"), ([0, 4], [0, 1])),
    "select": ("SELECT a + 100 AS b, b + 1 AS c FROM t ORDER BY c LIMIT 1", "TRANSFORMATION", "c", ("a", "b"),
               ([101, 102], [101, 11])),
    "qualify": ("SELECT a * 0 AS b, row_number() OVER (ORDER BY t.v) AS n FROM t QUALIFY b > 5 ORDER BY n", "FILTER",
                "", ("a", "b"), ([], [0, 1])),
}  # fmt: skip
#: dialect → the clauses in which the item is taken, and those in which the column is
TAKEN = {
    "postgres": ("order", "group grouped having where ordered window select"),
    "mysql": ("order", "group grouped having where ordered window select"),
    "clickhouse": ("group grouped having where order ordered window select qualify", ""),
    "spark": ("order ordered qualify", "group grouped having where window select"),
    "databricks": ("order ordered qualify", "group grouped having where window select"),
    "bigquery": ("group having order ordered qualify", "grouped where window"),
}
AMBIGUOUS = {
    "select": "SELECT b FROM t JOIN u ON t.b = u.b",
    "where": "SELECT v FROM t, u WHERE t.b = u.b AND b > 0",
    "on": "SELECT v FROM t JOIN u ON b > 0",
    "group": "SELECT w AS b, count(*) FROM t JOIN u ON t.b = u.b GROUP BY b",
    "having": "SELECT max(t.v) AS b FROM t JOIN u ON t.b = u.b GROUP BY u.w HAVING b > 0",
    "derived": "SELECT v FROM t JOIN (SELECT b AS v FROM u) AS z ON t.b = z.v",
}
#: dialect → the clauses in which an engine takes one of several columns, or the item, where others refuse
SETTLED = {
    "mysql": "group having",
    "spark": "having",
    "databricks": "having",
    "bigquery": "group having",
    "clickhouse": "select where on group having derived",
}


@pytest.fixture(params=["duckdb", "sqlite"])
def engine(request: pytest.FixtureRequest) -> Iterator[tuple[str, Any]]:
    """An engine with the tables, and its name."""
    connection: Any = duckdb.connect() if request.param == "duckdb" else sqlite3.connect(":memory:")
    for statement in TABLES:
        connection.execute(statement)
    yield request.param, connection
    connection.close()


def _sources(lineage: Any, dialect: str, clause: str) -> str:
    sql, kind, column, _, _ = PROBES[clause]
    told = lineage(sql, dialect=dialect, columns=WORLD)
    assert not told.found.problems
    target = f"n:d.o#{column}" if column else "n:d.o"
    named = {e.source.rpartition("#")[2] for e in told.found.edges if e.subtype == kind and e.target == target}
    return " ".join(sorted(named - {"v"} if clause == "qualify" else named))


@pytest.mark.parametrize("clause", PROBES)
def test_the_engine_and_we_take_the_same(lineage, engine, clause):
    """Asked now: the rows tell; a statement that the engine refuses names the column, which it misses in GROUP BY."""
    dialect, connection = engine
    sql, _, _, sources, rows = PROBES[clause]
    try:
        first = list(connection.execute(sql).fetchone() or [])
    except (duckdb.Error, sqlite3.Error):
        first = []
        if clause == "qualify":  # SQLite has none
            return
        assert clause == "group"
        taken = 1
    else:
        assert first in rows
        taken = rows.index(first)
    assert _sources(lineage, dialect, clause) == sources[taken]


@pytest.mark.parametrize(("dialect", "clause"), [(d, clause) for d in TAKEN for clause in " ".join(TAKEN[d]).split()])
def test_what_other_engines_were_seen_to_take_is_taken(lineage, dialect, clause):
    """The item or the column."""
    taken = 0 if clause in TAKEN[dialect][0].split() else 1
    assert _sources(lineage, dialect, clause) == PROBES[clause][3][taken]


#: HAVING of a name that an item and a column have, with the column whose value decides, by what is grouped by
UNGROUPED = [
    ("SELECT b, sum(a) AS v FROM t GROUP BY b HAVING v > 50", "a", []),
    ("SELECT b, sum(a) AS v FROM t GROUP BY b HAVING v > 4", "a", [(10, 5)]),
    ("SELECT b, sum(a) AS v FROM t GROUP BY b HAVING v > 4 AND max(v) > 4", "a v", [(10, 5)]),
    ("SELECT b, sum(a) AS v FROM t GROUP BY b HAVING count(*) FILTER (WHERE v > 50) > 2", "t v", [(10, 5)]),
    ("SELECT b, sum(a) AS v FROM t GROUP BY b, v HAVING v > 350", "v", [(10, 2)]),
    ("SELECT v AS q, sum(a) AS v FROM t GROUP BY q HAVING v > 350", "v", [(400, 2)]),
    ("SELECT v AS q, sum(a) AS v FROM t GROUP BY 1 HAVING v > 350", "v", [(400, 2)]),
    ("SELECT v AS q, sum(a) AS v FROM t GROUP BY ALL HAVING v > 350", "v", [(400, 2)]),
    ("SELECT sum(a) AS v FROM t HAVING v > 50", "a", []),
]


@pytest.mark.parametrize(("sql", "sources", "rows"), UNGROUPED)
def test_duckdb_takes_an_item_in_having_unless_the_column_is_grouped_by(lineage, sql, sources, rows):
    """The column was taken, and reported as one that is not grouped by."""
    with duckdb.connect() as connection:
        for statement in TABLES:
            connection.execute(statement)
        assert connection.execute(sql).fetchall() == rows

    for dialect in ("duckdb", "spark", "mysql"):  # Spark 4.2 gave the same; MySQL's manual says so
        if dialect == "mysql" and ("FILTER" in sql or "ALL" in sql):
            continue
        told = lineage(sql, dialect=dialect, columns=WORLD)
        assert told.decisions().get("FILTER") == " ".join(
            f"t#{each}" if each != "t" else each for each in sources.split()
        )
        assert told.codes() == set()


@pytest.mark.parametrize("clause", AMBIGUOUS)
def test_a_column_of_several_known_sources_is_told_where_the_engine_refuses_it(lineage, engine, clause):
    """It is not guessed."""
    dialect, connection = engine
    with pytest.raises((duckdb.Error, sqlite3.Error), match=r"(?i)ambiguous"):
        connection.execute(AMBIGUOUS[clause])
    told = lineage(AMBIGUOUS[clause], dialect=dialect, columns=WORLD)
    assert told.codes() == {"ambiguous-column"}


@pytest.mark.parametrize("dialect", [*TAKEN, "hive", "trino", "tsql"])
@pytest.mark.parametrize("clause", AMBIGUOUS)
def test_an_ambiguous_column_is_told_but_where_the_engine_settles_it(lineage, dialect, clause):
    """ClickHouse takes the first source's; some take the item in GROUP BY and HAVING."""
    told = lineage(AMBIGUOUS[clause], dialect=dialect, columns=WORLD)
    settled = clause in SETTLED.get(dialect, "").split()
    assert told.codes() == (set() if settled else {"ambiguous-column"})


def test_a_row_goes_before_a_column_of_its_name_in_bigquery_alone(lineage):
    """``UNNEST(items) AS item`` in a table that has a column ``item``: the element is meant."""
    known = {"n:d.x": ("item", "items", "k")}
    sql = "SELECT item, x.item AS column FROM x, UNNEST(items) AS item WHERE item > 1"
    told = lineage(sql, dialect="bigquery", columns=known)
    assert told.names() == {"item": "x#items", "column": "x#item"}
    assert told.decisions() == {"FILTER": "x#items"}
    assert told.found.coverage == "complete"
    offset = lineage("SELECT item, k FROM x, UNNEST(items) AS item WITH OFFSET AS k", dialect="bigquery", columns=known)
    assert (offset.names(), offset.found.coverage) == ({"item": "x#items"}, "complete")
    plain = lineage("SELECT b FROM t JOIN (SELECT 99 AS w) AS b ON true", dialect="duckdb", columns=WORLD)
    assert plain.names() == {"b": "t#b"}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT b + 1 AS c, a + 100 AS b FROM t", {"c": "t#a", "b": "t#a"}),
        ("SELECT a + b AS b, b + 1000 AS c FROM t", {"b": "t#a t#b", "c": "t#a t#b"}),
        ("SELECT a AS b, t.b AS d FROM t WHERE t.b > 15", {"b": "t#a", "d": "t#b"}),
        ("SELECT arrayMap(x -> x + b, [v]) AS m, a + 100 AS b FROM t", {"m": "t#a t#v", "b": "t#a"}),
        ("SELECT (SELECT max(b) FROM u) AS m, a + 100 AS b FROM t", {"m": "u#b", "b": "t#a"}),
        ("SELECT c AS b, b AS c FROM t", {"b": "t#b", "c": "t#b"}),
        ("SELECT q.y AS z FROM (SELECT x + 1 AS y, a AS x FROM t) AS q", {"z": "t#a"}),
        ("SELECT a, (SELECT x + 1 AS y, a AS x).1 AS z FROM t", {"a": "t#a", "z": "t#a"}),
    ],
)
def test_clickhouse_knows_an_item_by_its_name_before_its_place(lineage, sql, expected):
    """Inside itself the name is the column's; where items go round in a circle, the engine refuses, we must not."""
    known = {**WORLD, "n:d.t": ("a", "b", "c", "v")} if sql.startswith("SELECT c") else WORLD
    told = lineage(sql, dialect="clickhouse", columns=known)
    assert told.names() == expected
    assert told.found.coverage == "complete"


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT *, a + 1 AS b FROM t WHERE b > 1", "t#a"),
        ("SELECT t.a, b + 1 AS a FROM t WHERE a > 1", "t#b"),
        ("SELECT a AS t, v FROM t WHERE t.b = 1", "t#b"),
    ],
)
def test_columns_of_stars_and_tables_are_no_items_in_clickhouse(lineage, sql, expected):
    """What is called ``b`` by AS goes before the ``b`` of a star; a table's alias in front stays one."""
    assert lineage(sql, dialect="clickhouse", columns=WORLD).decisions() == {"FILTER": expected}


def test_items_that_name_each_other_often_are_looked_at_once(lineage):
    """Each names the next one twice: looked at again each time, sixty would never end."""
    items = [f"c{n + 1} + c{n + 1} AS c{n}" for n in range(60)]
    told = lineage(f"SELECT {', '.join(items)}, a AS c60 FROM t", dialect="clickhouse", columns=WORLD)
    assert told.names()["c0"] == "t#a"


def test_group_by_all_names_no_items(lineage):
    """What it groups by are the items' own columns, whatever the items are called."""
    told = lineage("SELECT a AS b, b AS a, sum(v) AS v FROM t GROUP BY ALL", dialect="bigquery", columns=WORLD)
    assert told.decisions() == {"GROUP_BY": "t#a t#b"}
    swapped = lineage("SELECT a AS b, v AS a, count(*) AS n FROM t GROUP BY ALL", dialect="bigquery", columns=WORLD)
    assert swapped.decisions() == {"GROUP_BY": "t#a t#v"}


@pytest.mark.parametrize(
    ("sql", "grouped", "sorted_by"),
    [
        ("SELECT b, sum(a) AS s FROM t GROUP BY (1) ORDER BY (2)", "t#b", "t#a"),
        ("SELECT b, a, count(*) AS n FROM t GROUP BY (1, 2) ORDER BY ((1)) DESC", "t#a t#b", "t#b"),
        ("SELECT b, a, count(*) AS n FROM t GROUP BY (1), (t.a)", "t#a t#b", None),
    ],
)
def test_a_number_in_brackets_is_a_place_too(lineage, sql, grouped, sorted_by):
    """It was a constant, and the columns there not grouped by."""
    with duckdb.connect() as connection:
        for statement in TABLES:
            connection.execute(statement)
        assert connection.execute(sql).fetchall()

    for dialect in ("duckdb", "postgres", "trino"):
        told = lineage(f"CREATE TABLE o AS {sql}", dialect=dialect, columns=WORLD)
        assert told.decisions().get("GROUP_BY") == grouped
        assert told.decisions().get("SORT") == sorted_by
        assert told.codes() == set()
