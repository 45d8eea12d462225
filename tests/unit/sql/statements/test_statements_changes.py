"""UPDATE and DELETE, and what an upsert assigns."""

from __future__ import annotations

import pytest
from scripted import pairs, reasons, running, tree, ways

from ingest.sql.statements.changes import delete, update


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("spark", "UPDATE t SET b = 1", {}),
        ("postgres", "UPDATE t SET (b, c) = (SELECT d, e FROM u WHERE u.a = t.a)",
         {"t": "t#a u#a", "t#b": "u#d", "t#c": "u#e"}),
        ("postgres", "UPDATE t SET (b, c) = (a, 1)", {"t#b": "t#a"}),
        ("postgres", "UPDATE t AS x SET b = x.a WHERE x.c = 1", {"t": "t#c", "t#b": "t#a"}),
        ("mysql", "UPDATE t SET b = 1 ORDER BY c LIMIT 3", {"t": "t#c"}),
        ("mysql", "UPDATE t SET b = 1 ORDER BY c", {}),
        ("tsql", "UPDATE x SET b = y.d FROM t AS x JOIN u AS y ON x.a = y.a", {"t": "t#a u#a", "t#b": "u#d"}),
    ],
)  # fmt: skip
def test_an_update_writes_what_it_assigns(dialect: str, sql: str, expected: dict[str, str]) -> None:
    """Values go to columns, decisions to the table; an order decides only where there is a limit."""
    run = running(dialect)
    done = update(run, tree(run, sql))

    assert (done.kind, pairs(done.edges), done.writes) == ("update", expected, {"n:d.t"})
    assert done.reads == ({"n:d.u"} if "u#" in str(expected) else set())
    assert reasons(run) == []


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("postgres", "DELETE FROM t", {}),
        ("postgres", "DELETE FROM t WHERE b > 1", {"t": "t#b"}),
        ("postgres", "DELETE FROM t USING u WHERE t.a = u.a", {"t": "t#a u#a"}),
        ("mysql", "DELETE t, u FROM t JOIN u ON t.a = u.a WHERE t.b = 1", {"t": "t#a t#b u#a", "u": "t#a t#b u#a"}),
    ],
)
def test_what_decides_about_a_delete_goes_to_each_table(dialect: str, sql: str, expected: dict[str, str]) -> None:
    """A table whose rows all go is written from nothing."""
    run = running(dialect)
    done = delete(run, tree(run, sql))

    assert (done.kind, pairs(done.edges)) == ("delete", expected)
    assert done.writes == {f"n:d.{table}" for table in expected} | {"n:d.t"}


def test_rows_of_a_named_query_over_several_tables_are_of_none() -> None:
    """Which table T-SQL's DELETE changes then is a reason for doubt."""
    run = running("tsql")
    done = delete(run, tree(run, "WITH q AS (SELECT t.a, u.d FROM t JOIN u ON t.a = u.a) DELETE FROM q"))

    assert (done.edges, done.writes) == ([], set())
    assert reasons(run) == [("not-understood", "")]


def test_a_condition_that_replaces_rows_decides_about_the_target() -> None:
    """Databricks' INSERT … REPLACE WHERE removes the rows that it holds for."""
    run = running("databricks")
    done = run.run(tree(run, "INSERT INTO t REPLACE WHERE b = 1 SELECT a, d, e FROM u"))

    assert ways(done.edges, "t") == {"t#b": "FILTER"}
    assert done.reads == {"n:d.u"}


@pytest.mark.parametrize(
    ("insert", "expected"),
    [
        ("INTO t REPLACE USING (a) SELECT a, d, e FROM u", "t#a u#a"),
        ("INTO t REPLACE USING (A, b) SELECT e, d, a FROM u", "t#a t#b u#d u#e"),
        ("INTO t BY NAME REPLACE USING (a) SELECT d AS b, e + 1 AS a FROM u", "t#a u#e"),
        ("INTO t (c, a) REPLACE USING (a) SELECT d, e FROM u", "t#a u#e"),
        ("INTO t REPLACE USING (a) TABLE u", "t#a u#a"),
        ("INTO t REPLACE USING (a) VALUES (1, 2, 3)", "t#a"),
        ("INTO nowhere REPLACE USING (a) SELECT a, d FROM u", "nowhere#a u#a"),
    ],
)
def test_columns_by_which_rows_are_replaced_match_them(lineage, insert: str, expected: str) -> None:
    """Databricks' INSERT … REPLACE USING had no edge for them, as a MERGE has for those of its ON."""
    found = lineage(f"INSERT {insert}", "databricks", target=None)

    assert found.decisions(f"d.{insert.split()[1]}") == {"JOIN": expected}
    assert found.found.coverage == "complete"


def test_a_column_that_nothing_fills_matches_no_rows(lineage) -> None:
    """It is reported."""
    found = lineage("INSERT INTO t (b) REPLACE USING (a) SELECT d FROM u", "databricks", target=None)

    assert found.decisions("d.t") == {"JOIN": "t#a"}
    assert found.codes() == {"unknown-column"}


def test_update_from(lineage):
    """UPDATE … FROM: assignments are values, the condition filters."""
    found = lineage("UPDATE t SET b = u.d, c = t.c + 1 FROM u WHERE t.a = u.a", "postgres")

    assert found.names("d.t") == {"b": "u#d", "c": "t#c"}
    assert found.decisions("d.t") == {"FILTER": "t#a u#a"}


def test_update_of_an_alias(lineage):
    """The target of UPDATE may be an alias of a table in FROM."""
    found = lineage("UPDATE z SET z.b = u.d FROM t z JOIN u ON z.a = u.a", "tsql")

    assert found.names("d.t") == {"b": "u#d"}


def test_an_upsert_assigns_from_the_row_not_inserted(lineage):
    """ON CONFLICT DO UPDATE: excluded.x is the value that was to be inserted."""
    found = lineage("INSERT INTO t (a, b) SELECT a, d FROM u ON CONFLICT (a) DO UPDATE SET b = excluded.b", "postgres")

    assert found.names("d.t") == {"a": "u#a", "b": "u#d"}


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("mysql", "INSERT INTO u (a, d) VALUES (1, 2) ON DUPLICATE KEY UPDATE d = d + e", {"d": "u#d u#e"}),
        ("mysql", "INSERT INTO u (a, d) SELECT a, b FROM t ON DUPLICATE KEY UPDATE d = c + d",
         {"a": "t#a", "d": "t#b t#c u#d"}),
        ("mysql",
         "INSERT INTO u (a, d) SELECT a, sum(b) FROM t GROUP BY a ON DUPLICATE KEY UPDATE d = d + VALUES(d), e = a",
         {"a": "t#a", "d": "t#b u#d", "e": "u#a"}),
        ("mysql", "INSERT INTO u (a, d) VALUES (1, 2) AS new (p, q) ON DUPLICATE KEY UPDATE d = p + q + e",
         {"d": "u#e"}),
        ("duckdb", "INSERT INTO u SELECT a, b, c FROM t ON CONFLICT (a) DO UPDATE SET d = d + excluded.e",
         {"a": "t#a", "d": "t#b t#c u#d", "e": "t#c"}),
        ("sqlite", "INSERT INTO u SELECT a, b, c FROM t WHERE true ON CONFLICT (a) DO UPDATE SET d = d + 1",
         {"a": "t#a", "d": "t#b u#d", "e": "t#c"}),
    ],
)  # fmt: skip
def test_a_name_alone_in_what_a_conflict_updates_is_the_targets(lineage, dialect, sql, expected):
    """So say MariaDB, DuckDB and SQLite; MySQL's may be a column of the query's own sources."""
    result = lineage(sql, dialect=dialect)
    assert result.names("d.u") == expected
    assert result.found.coverage == "complete"


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("postgres", "INSERT INTO u SELECT a, b, c FROM t ON CONFLICT (a) DO UPDATE SET d = d + 1"),
        ("mysql", "INSERT INTO u (a, d) SELECT a, b FROM t ON DUPLICATE KEY UPDATE d = a"),
    ],
)
def test_a_name_that_the_engine_refuses_there_is_reported(lineage, dialect, sql):
    """Postgres has both rows in sight, MySQL the target's and the sources'."""
    assert lineage(sql, dialect=dialect).codes() == {"ambiguous-column"}


@pytest.mark.parametrize("dialect", ["postgres", "sqlite", "duckdb"])
@pytest.mark.parametrize("action", ["UPDATE SET d = excluded.d", "NOTHING"])
def test_what_names_a_partial_index_decides_about_no_row(lineage, dialect, action):
    """``ON CONFLICT (a) WHERE e IS NULL`` was a condition that is not understood."""
    sql = "INSERT INTO u (a, d) SELECT a, b FROM t WHERE true ON CONFLICT (a) WHERE {} IS NULL DO " + action
    result = lineage(sql.format("e"), dialect)
    assert (result.names("d.u"), result.decisions("d.u")) == ({"a": "t#a", "d": "t#b"}, {})
    assert result.found.coverage == "complete"

    assert lineage(sql.format("u.nope"), dialect).codes() == {"unknown-column"}


def test_what_an_upsert_asks_of_the_row_that_is_there_decides(lineage):
    """ON CONFLICT DO UPDATE … WHERE, and what its subqueries read."""
    result = lineage(
        "INSERT INTO o (x, y) SELECT a, b FROM t"
        " ON CONFLICT (x) DO UPDATE SET y = (SELECT max(d) FROM u) WHERE o.z > 1",
        dialect="postgres",
    )
    assert result.decisions() == {"FILTER": "o#z"}
    assert result.found.reads == ("n:d.t", "n:d.u")


@pytest.mark.parametrize(
    ("sql", "columns", "decisions"),
    [
        (
            "WITH q AS (SELECT a, row_number() OVER (ORDER BY b) AS rn FROM t) DELETE FROM q WHERE rn > 1",
            {},
            {"FILTER": "t#b"},
        ),
        ("WITH q AS (SELECT a, b FROM t WHERE c > 1) UPDATE q SET a = b + 1", {"a": "t#b"}, {"FILTER": "t#c"}),
    ],
)
def test_a_change_of_a_named_query_changes_the_table_that_it_reads(lineage, sql, columns, decisions):
    """T-SQL's way to take out rows that are there twice."""
    result = lineage(sql, dialect="tsql")
    assert columns == result.names("d.t")
    assert decisions == result.decisions("d.t")
    assert result.found.writes == ("n:d.t",)


@pytest.mark.parametrize(
    ("inserted", "assigned", "expected"),
    [
        ("SELECT a, b FROM t", "e = VALUES(d) + t.c", "t#a t#b t#c"),
        ("SELECT a, b FROM t", "e = values(`d`)", "t#a t#b"),
        ("SELECT a, b FROM t AS new", "e = new.c", "t#b t#c"),
        ("VALUES ((SELECT max(a) FROM t), 1) AS new", "e = new.d + u.a", "t#a u#a"),
        ("VALUES ((SELECT max(a) FROM t), 1) AS new(p, q)", "e = new.p + q", "t#a"),
    ],
)
def test_what_is_written_on_a_conflict_may_come_from_the_row_that_is_not(lineage, inserted, assigned, expected):
    """MySQL's ON DUPLICATE KEY UPDATE: VALUES(d), a name for the row, and the sources of the query."""
    result = lineage(f"INSERT INTO u (d, e) {inserted} ON DUPLICATE KEY UPDATE {assigned}", dialect="mysql")
    assert result.names("d.u")["e"] == expected
    assert result.found.coverage == "complete"


@pytest.mark.parametrize("sql", ["DELETE FROM t", "UPDATE t SET b = 1", "UPDATE t SET b = d FROM u"])
def test_bigquery_changes_no_rows_without_a_condition(lineage, sql):
    """A change of all rows has one that always holds; other engines take it without."""
    assert lineage(sql, dialect="bigquery").codes() == {"syntax"}
    assert lineage(f"{sql} WHERE true", dialect="bigquery").codes() == set()
    assert lineage(sql, dialect="postgres").codes() == set()


def test_a_branch_of_bigquerys_merge_needs_no_where(lineage):
    """Its own condition is in WHEN."""
    sql = "MERGE t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET b = d WHEN NOT MATCHED BY SOURCE THEN DELETE"

    assert lineage(sql, dialect="bigquery").found.problems == ()
