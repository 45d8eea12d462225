"""UPDATE, DELETE and MERGE, and what an upsert assigns."""

from __future__ import annotations

import pytest
from scripted import pairs, reasons, running, tree, ways

from ingest.sql import extract
from ingest.sql.statements.changes import delete, merge, update


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


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("MATCHED THEN DELETE", {}),
        ("MATCHED AND t.c > u.e THEN UPDATE SET b = t.b + u.d", {"t": "t#a t#c u#a u#e", "t#b": "t#b u#d"}),
        ("NOT MATCHED THEN INSERT (b, a) VALUES (u.d, u.a)", {"t#a": "u#a", "t#b": "u#d"}),
        ("NOT MATCHED THEN INSERT VALUES (u.e, u.d, u.a)", {"t#a": "u#e", "t#b": "u#d", "t#c": "u#a"}),
        ("NOT MATCHED THEN INSERT *", {"t#a": "u#a", "t#d": "u#d", "t#e": "u#e"}),
    ],
)
def test_each_branch_of_a_merge_writes_its_own(when: str, expected: dict[str, str]) -> None:
    """The condition of the join decides in each; a star goes by names, values without names by position."""
    run = running("spark")
    done = merge(run, tree(run, f"MERGE INTO t USING u ON t.a = u.a WHEN {when}"))

    assert pairs(done.edges) == {"t": "t#a u#a", **expected}
    assert (done.kind, done.reads, done.writes) == ("merge", {"n:d.u"}, {"n:d.t"})


def test_a_condition_that_replaces_rows_decides_about_the_target() -> None:
    """Databricks' INSERT … REPLACE WHERE removes the rows that it holds for."""
    run = running("databricks")
    done = run.run(tree(run, "INSERT INTO t REPLACE WHERE b = 1 SELECT a, d, e FROM u"))

    assert ways(done.edges, "t") == {"t#b": "FILTER"}
    assert done.reads == {"n:d.u"}


def test_conditions_of_oracles_merge_are_filters():
    """``UPDATE … WHERE`` and ``DELETE WHERE`` of a branch decide about rows of the target."""
    sql = (
        "MERGE INTO t USING s ON (t.a = s.a) WHEN MATCHED THEN UPDATE SET b = s.b WHERE s.c = 1 DELETE WHERE t.c = 2"
        " WHEN NOT MATCHED THEN INSERT (a) VALUES (s.a) WHERE s.b > 0"
    )
    world = {"n:S": ("A", "B", "C"), "n:T": ("A", "B", "C")}
    found = extract(sql, dialect="oracle", namespace="n", columns=world)

    assert {"n:S#B", "n:S#C", "n:T#C"} == {edge.source for edge in found.edges if edge.subtype == "FILTER"}
    assert found.coverage == "complete"


def test_update_from(lineage):
    """UPDATE … FROM: assignments are values, the condition filters."""
    found = lineage("UPDATE t SET b = u.d, c = t.c + 1 FROM u WHERE t.a = u.a", "postgres")

    assert found.names("d.t") == {"b": "u#d", "c": "t#c"}
    assert found.decisions("d.t") == {"FILTER": "t#a u#a"}


def test_update_of_an_alias(lineage):
    """The target of UPDATE may be an alias of a table in FROM."""
    found = lineage("UPDATE z SET z.b = u.d FROM t z JOIN u ON z.a = u.a", "tsql")

    assert found.names("d.t") == {"b": "u#d"}


def test_merge(lineage):
    """MERGE: both branches' values, the join condition and the branch conditions."""
    found = lineage(
        "MERGE INTO t USING (SELECT * FROM u) s ON t.a = s.a WHEN MATCHED AND s.e > 1 THEN UPDATE SET b = s.d "
        "WHEN NOT MATCHED THEN INSERT (a, c) VALUES (s.a, s.e)"
    )

    assert found.names("d.t") == {"a": "u#a", "b": "u#d", "c": "u#e"}
    assert found.decisions("d.t") == {"JOIN": "t#a u#a", "FILTER": "u#e"}


def test_merge_with_a_star(lineage):
    """UPDATE SET * and INSERT * take the source's columns by name."""
    found = lineage(
        "MERGE INTO t USING t2 ON t.a = t2.a WHEN MATCHED THEN UPDATE SET *", columns={"n:d.t2": ["a", "b"]}
    )

    assert found.names("d.t") == {"a": "t2#a", "b": "t2#b"}


@pytest.mark.parametrize("dialect", ["bigquery", "spark", "tsql"])
def test_a_branch_of_merge_sees_the_rows_that_are_there(lineage, dialect):
    """Not matched by the source: the target's alone; not matched at all: the source's."""
    sql = (
        "MERGE INTO t USING u ON t.a = u.a"
        " WHEN NOT MATCHED BY SOURCE AND a > 1 THEN UPDATE SET b = a"
        " WHEN NOT MATCHED AND a > 3 THEN INSERT (a, c) VALUES (a, e);"
    )
    result = lineage(sql, dialect=dialect)
    assert result.names("d.t") == {"a": "u#a", "b": "t#a", "c": "u#e"}
    assert result.decisions("d.t") == {"FILTER": "t#a u#a", "JOIN": "t#a u#a"}
    assert result.found.coverage == "complete"
    both = lineage("MERGE INTO t USING u ON t.a = u.a WHEN MATCHED AND a > 1 THEN UPDATE SET b = e", dialect=dialect)
    assert both.codes() == {"ambiguous-column"}


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
