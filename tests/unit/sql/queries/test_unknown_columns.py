"""Tables of unknown columns: what a text says of them for certain, and where it says that it does not know."""

from __future__ import annotations

import pytest

from ingest.sql import Extraction, extract

WITH_BARE_FIELDS = (
    *("", "athena", "bigquery", "clickhouse", "databricks", "doris", "duckdb", "flink", "hive", "presto", "redshift"),
    *("spark", "starrocks", "trino", "vertica"),
)
KNOWN = {"n:d.k": ("id", "amount")}


def read(sql: str, dialect: str = "hive") -> Extraction:
    """Extract a text; of all tables only ``k(id, amount)`` is known."""
    return extract(sql, dialect=dialect, namespace="n", default_database="d", columns=KNOWN)


def sources(found: Extraction, column: str) -> set[str]:
    """Return what feeds a column of ``d.o``."""
    return {edge.source.removeprefix("n:d.") for edge in found.edges if edge.target == f"n:d.o#{column}"}


def unknown(found: Extraction) -> set[tuple[str, str]]:
    """Return the code and subject of each problem."""
    return {(problem.code, problem.subject) for problem in found.problems}


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("INSERT INTO o SELECT a AS x FROM u", "hive"),
        ("INSERT INTO o SELECT u.a AS x, v.b AS y FROM u JOIN v ON u.id = v.id", "hive"),
        (
            "INSERT OVERWRITE TABLE o PARTITION (dt='1') SELECT a AS x, sum(b) AS y FROM u WHERE c > 1 GROUP BY a",
            "hive",
        ),
        ("INSERT INTO o SELECT q.a AS x FROM (SELECT * FROM u WHERE b = 1) q", "hive"),
        ("WITH q AS (SELECT * FROM u) INSERT INTO o SELECT a AS x FROM q", "spark"),
        ("INSERT INTO o SELECT amount AS x, b AS y FROM k JOIN u ON k.id = u.id", "hive"),
        ("INSERT INTO o SELECT a AS x FROM u WHERE b IN (SELECT c FROM v WHERE d = 1)", "hive"),
        ("INSERT INTO o SELECT a AS x FROM u WHERE EXISTS (SELECT * FROM v WHERE v.id = u.id)", "hive"),
        ("CREATE VIEW o AS SELECT date_trunc('month', t) AS x, count(*) AS y FROM u GROUP BY x", "postgres"),
        ("CREATE TABLE o AS SELECT e AS x FROM u LATERAL VIEW explode(arr) l AS e", "spark"),
        ("MERGE INTO o USING u ON o.id = u.id WHEN MATCHED THEN UPDATE SET o.x = u.a", "spark"),
    ],
)
def test_a_name_that_one_table_can_have_is_certain(sql: str, dialect: str) -> None:
    """A qualified name, or one that a single table in sight can have, needs no declared columns."""
    found = read(sql, dialect)

    assert set() == unknown(found)
    assert found.coverage == "complete"
    assert sources(found, "x")


@pytest.mark.parametrize(
    ("sql", "dialect", "problem"),
    [
        ("CREATE TABLE o AS SELECT * FROM u", "hive", ("unknown-columns", "n:d.u")),
        ("INSERT INTO o SELECT q.* FROM (SELECT * FROM u) q", "hive", ("unknown-columns", "n:d.u")),
        ("CREATE TABLE o AS SELECT to_json(u) AS x FROM u", "postgres", ("unknown-columns", "n:d.u")),
        ("CREATE TABLE o AS SELECT id AS x FROM k UNION ALL SELECT * FROM u", "spark", ("unknown-columns", "n:d.u")),
        ("CREATE VIEW o AS SELECT x FROM (SELECT * FROM u UNION ALL SELECT * FROM v) q", "spark",
         ("unknown-columns", "n:d.v")),
        ("CREATE TABLE o AS SELECT x FROM u AS q(x, y)", "postgres", ("unknown-columns", "n:d.u")),
        ("INSERT INTO o SELECT a, sum(b) FROM u GROUP BY a", "hive", ("unknown-columns", "n:d.o")),
        ("INSERT INTO o SELECT u.a, v.a FROM u JOIN v ON u.id = v.id", "hive", ("unknown-columns", "n:d.o")),
        ("INSERT INTO o SELECT a AS x FROM u JOIN v ON u.id = v.id", "hive", ("ambiguous-column", "a")),
        ("INSERT INTO o SELECT a + 1 AS b, b * 2 AS x FROM u", "spark", ("ambiguous-column", "b")),
        ("INSERT INTO o SELECT k.id AS x FROM k WHERE k.id IN (SELECT amount FROM u)", "hive",
         ("ambiguous-column", "amount")),
        ("CREATE TABLE d.o AS SELECT key AS x FROM d.u, UNNEST(params) AS p", "bigquery", ("ambiguous-column", "key")),
    ],
)  # fmt: skip
def test_what_depends_on_unknown_columns_says_so(sql: str, dialect: str, problem: tuple[str, str]) -> None:
    """A star, a place among columns, and a name that several tables may have depend on columns that are not known."""
    found = read(sql, dialect)

    assert problem in unknown(found)
    assert found.coverage == "partial"


def test_a_column_of_the_query_around_is_no_struct_of_the_inner_table() -> None:
    """``o.id`` inside of a subquery over a table of unknown columns is the outer table's column."""
    found = read("INSERT INTO t SELECT o.a AS x FROM o WHERE EXISTS (SELECT 1 FROM i WHERE i.id = o.id)")

    assert {"n:d.o#id", "n:d.i#id"} == {edge.source for edge in found.edges if edge.type == "INDIRECT"}


def test_an_item_made_of_the_column_that_is_called_so_leaves_the_name_to_the_column() -> None:
    """``lower(name) AS name, name || 'x'``: the table has a column ``name``, and it goes before the item."""
    found = read("CREATE TABLE o AS SELECT lower(name) AS name, name || 'x' AS x FROM u", "spark")

    assert [(edge.subtype, edge.expression) for edge in found.edges if edge.target == "n:d.o#x"] == [
        ("TRANSFORMATION", "d.u.name || ?")
    ]
    assert found.coverage == "complete"


def test_a_query_names_the_columns_of_the_table_that_it_fills() -> None:
    """The aliases and columns of a query, and partition columns last, are told of a target of unknown columns."""
    found = read("INSERT OVERWRITE TABLE o PARTITION (dt='1', hr) SELECT a, b AS x, *, h FROM u")

    assert found.filled == (("n:d.o", ("a", "x", "dt", "hr")),)
    assert read("INSERT INTO k SELECT a, b FROM u").filled == ()


def starred(found: Extraction) -> list[tuple[str, str, str]]:
    """Return (source, target, expression) of each star edge."""
    return [
        (e.source.removeprefix("n:d."), e.target.removeprefix("n:d."), e.expression)
        for e in found.edges
        if e.target.endswith("#*")
    ]


@pytest.mark.parametrize(
    ("sql", "dialect", "left_out"),
    [
        ("CREATE TABLE o AS SELECT * EXCEPT (ssn, mail) FROM u", "bigquery", "mail, ssn"),
        ("CREATE TABLE o AS SELECT u.* EXCEPT (mail) FROM u JOIN k ON u.id = k.id", "databricks", "mail"),
        ("CREATE TABLE o AS SELECT * EXCLUDE mail FROM u", "duckdb", "mail"),
        ("CREATE TABLE o AS SELECT * EXCLUDE (mail) FROM u", "redshift", "mail"),
        ("CREATE TABLE o AS SELECT * REPLACE (1 AS mail) FROM u", "bigquery", "mail"),
        ("CREATE TABLE o AS SELECT * RENAME (mail AS x) FROM u", "duckdb", "mail"),
        ("CREATE TABLE o AS SELECT `(ds|pt)?+.+` FROM u", "hive", "ds, pt"),
        ("CREATE TABLE o AS SELECT * EXCEPT (a) FROM (SELECT * EXCEPT (b) FROM u) q", "bigquery", "a, b"),
        ("CREATE TEMP TABLE t AS SELECT * EXCEPT (a) FROM u; CREATE TABLE o AS SELECT * FROM t", "bigquery", "a"),
        ('CREATE TABLE o AS SELECT * EXCLUDE ("a,b", "50%") FROM u', "duckdb", "50%25, a%2Cb"),
    ],
)
def test_a_star_says_which_columns_it_leaves_out(sql: str, dialect: str, left_out: str) -> None:
    """EXCEPT, EXCLUDE, what REPLACE and RENAME take, and Hive's pattern for all but some: in the star edge's text."""
    assert starred(read(sql, dialect)) == [("u#*", "o#*", f"* EXCEPT ({left_out})")]


def test_names_in_upper_case_are_left_out_in_upper_case() -> None:
    """The columns left out are spelled as the dialect spells columns: walks compare names as they are."""
    found = extract("CREATE TABLE o AS SELECT * EXCLUDE mail FROM u", dialect="snowflake", namespace="n")

    assert [edge.expression for edge in found.edges] == ["* EXCEPT (MAIL)"]


def test_what_replace_and_rename_make_has_edges_of_its_own() -> None:
    """The replaced column comes from its expression, the renamed one from the column of the old name."""
    replaced = read("CREATE TABLE o AS SELECT * REPLACE (upper(a) AS b) FROM u", "bigquery")
    renamed = extract("CREATE TABLE d.o AS SELECT u.* RENAME (a AS b) FROM d.u", dialect="snowflake", namespace="n")

    assert sources(replaced, "b") == {"u#a"}
    assert [edge.source for edge in renamed.edges if edge.target.endswith("#B")] == ["n:D.U#A"]


def test_each_side_of_a_union_leaves_out_its_own() -> None:
    """One star leaves a column out, the other brings it."""
    found = read("CREATE TABLE o AS SELECT * EXCEPT (a) FROM u UNION ALL SELECT * FROM v", "databricks")

    assert starred(found) == [("u#*", "o#*", "* EXCEPT (a)"), ("v#*", "o#*", "")]


def test_a_column_left_out_is_not_written_by_another_statements_star() -> None:
    """Of two statements that fill a table, the one with EXCEPT does not bring what the other names."""
    found = read("INSERT INTO o (a) SELECT x FROM v; INSERT INTO o SELECT * EXCEPT (a) FROM u", "bigquery")

    assert sources(found, "a") == {"v#x"}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT id AS name, name AS x FROM u", {"u"}),
        ("SELECT id AS name, name || 'k' AS x FROM u JOIN k ON k.id = u.k", set()),
        ("SELECT 1 AS name, name AS x FROM u", set()),
        ("SELECT upper(name) AS name, name AS x FROM u", {"u#name"}),
    ],
)
@pytest.mark.parametrize("dialect", ["databricks", "redshift", "duckdb"])
def test_a_name_that_is_an_items_or_a_columns_has_no_guessed_column(sql: str, expected: set[str], dialect: str) -> None:
    """The engine prefers a column, if there is one; the item's column was reported beside the doubt."""
    found = read(f"CREATE VIEW o AS {sql}", dialect)

    assert sources(found, "x") == expected
    assert (("ambiguous-column", "name") in unknown(found)) is (expected != {"u#name"})


@pytest.mark.parametrize(
    "dialect",
    ["tsql", "fabric", "mysql", "postgres", "materialize", "snowflake", "oracle", "teradata", "db2", "sqlite"],
)
@pytest.mark.parametrize(
    "sql", ["INSERT INTO o (a) SELECT q.z FROM u", "INSERT INTO o (a) SELECT u.b FROM u, v, w.u2 WHERE q.z = 1"]
)
def test_a_name_whose_source_is_missing_is_no_field_of_a_struct(dialect: str, sql: str) -> None:
    """A misspelt alias was taken for a column of the one unknown source, in an answer that was complete."""
    found = read(sql, dialect)

    assert (found.coverage, {code for code, _ in unknown(found)}) == ("partial", {"unknown-column"})
    assert not any("q" in edge.source.lower() for edge in found.edges)


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        *((dialect, "q.z") for dialect in WITH_BARE_FIELDS),
        *((dialect, "(q).z") for dialect in ("postgres", "materialize")),
        *((dialect, "u.q.z") for dialect in ("oracle", "postgres", "tsql")),
        ("tsql", "q.Lat"),
    ],
)  # fmt: skip
def test_a_field_of_a_struct_is_one_where_the_engine_has_it(dialect: str, text: str) -> None:
    """Others want brackets or the source in front; of T-SQL's own types some fields have names that are known."""
    found = read(f"INSERT INTO o (a) SELECT {text} FROM u", dialect)

    assert found.coverage == "complete"
    assert {edge.source.lower().partition("#")[2] for edge in found.edges} == {
        text.lower().replace("(q)", "q").replace("u.", "")
    }
