"""A net under all rules: no statement that names tables ends without an edge and without a reason."""

from __future__ import annotations

import pytest
from scripted import parsed, running

from ingest.sql import extract
from ingest.sql.statements.net import CODE, overlooked
from ingest.sql.statements.run import Outcome

MATCHED = "t USING s ON t.a = s.a WHEN MATCHED THEN"
WORLD = {"n:s": ("a", "b", "c"), "n:t": ("a", "b", "c")}


def found_missing(sql: str, dialect: str = "spark", asked: tuple[str, ...] = ()) -> str:
    """Return the subject of what the net finds in a statement of which rules asked for some tables only."""
    run = running(dialect)
    (item,) = parsed(run, sql)
    run.walk.names.looked_up.clear()
    run.walk.names.looked_up |= set(asked)
    problem = overlooked(run, item, Outcome("other"), doubtful=True)
    assert problem is None or (problem.code, problem.line) == (CODE, 1)
    return "" if problem is None else problem.subject


@pytest.mark.parametrize(
    ("sql", "asked", "missing"),
    [
        ("SELECT a FROM t JOIN u ON t.a = u.a", ("n:d.t",), "n:d.u"),
        ("SELECT a FROM t JOIN u ON t.a = u.a", ("n:d.t", "n:d.u"), ""),
        ("INSERT INTO o SELECT a FROM t", ("n:d.t",), "n:d.o"),
        ("INSERT OVERWRITE TABLE o SELECT a FROM t", ("n:d.o",), "n:d.t"),
        ("UPDATE t SET a = 1", (), "n:d.t"),
        ("MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE", ("n:d.u",), "n:d.t"),
    ],
)
def test_a_table_after_a_word_that_names_one_is_missed(sql: str, asked: tuple[str, ...], missing: str) -> None:
    """Where no rule asked for it."""
    assert found_missing(sql, asked=asked) == missing


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT extract(day FROM a)",
        "SELECT a IS NOT DISTINCT FROM b",
        "WITH q AS (SELECT 1 AS a) SELECT a FROM q",
        "SHOW TABLES FROM d",
        "INSERT OVERWRITE DIRECTORY '/x' SELECT 1",
        "SELECT 1 FROM parquet.`/x/y`",
        "CREATE TABLE k (a INT)",
    ],
)
def test_the_same_words_in_other_places_name_no_table(sql: str) -> None:
    """FROM inside a function, named queries, what is shown, folders and files."""
    assert found_missing(sql, asked=("n:d.k",)) == ""


def test_rows_that_were_read_and_written_without_an_edge_are_a_reason() -> None:
    """However a rule came to that."""
    run = running("spark")
    (item,) = parsed(run, "INSERT INTO o SELECT a FROM t")
    run.walk.names.looked_up |= {"n:d.o", "n:d.t"}
    problem = overlooked(run, item, Outcome("insert", [], {"n:d.t"}, {"n:d.o"}), doubtful=True)

    assert problem is not None
    assert problem.detail == "rows go from n:d.t to n:d.o, but how is not known"


@pytest.mark.parametrize(
    ("sql", "reported"),
    [("SELECT dw.refresh_totals(1)", "dw.refresh_totals"), ("SELECT dw.f(a) FROM t", ""), ("SELECT upper('x')", "")],
)
def test_a_function_of_the_users_own_called_alone_may_change_something(sql: str, reported: str) -> None:
    """Over a table it makes values."""
    found = extract(sql, dialect="postgres", namespace="n", columns=WORLD)

    assert "".join(problem.subject for problem in found.problems if problem.code == "opaque-call") == reported


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("oracle", "ALTER TABLE t FROBNICATE WITH TABLE s"),
        ("clickhouse", "ALTER TABLE t REPLACE SOMETHING WITH TABLE s"),
        ("spark", "SET x = 1 INSERT INTO t SELECT a, b, c FROM s"),
        ("mysql", "OPTIMIZE TABLE t INSERT INTO t SELECT a, b, c FROM s"),
        ("snowflake", "ALTER TASK k MODIFY AS INSERT INTO t SELECT a, b, c FROM s"),
        ("snowflake", "CREATE ALERT k IF (EXISTS (SELECT a FROM s)) THEN INSERT INTO t SELECT a, b, c FROM s"),
        ("clickhouse", "ALTER TABLE t MOVE PARTITION 202401TO TABLE s"),
        ("clickhouse", "ALTER TABLE t MOVE PARTITION 202401 TOTABLE s"),
        ("clickhouse", "ALTER TABLE t ATTACH PARTITION 202401FROM s"),
        ("clickhouse", "ALTER TABLE t FETCH PARTITION 202401 FROM '/zookeeper/s'"),
        ("snowflake", "ALTER TABLE t SWAPWITH s"),
        ("redshift", "ALTER TABLE t APPENDFROM s"),
        ("tsql", "ALTER TABLE t SWITCHTO s"),
        ("postgres", "CREATE TABLE t AS EXECUTE q(1)"),
        ("postgres", "PREPARE q AS INSERT INTO t SELECT a, b, c FROM s"),
        ("clickhouse", "INSERT INTO t VALUES ({'k': ARRAY<INT64>[a IN (SELECT b FROM t)]})"),
    ],
)
def test_text_that_is_taken_as_one_command_is_reported(dialect, sql):
    """Whatever the parser swallows as a command, a query or a change in it gives an edge or a reason."""
    found = extract(sql, dialect=dialect, namespace="n", columns=WORLD)

    assert found.coverage != "complete"
    assert {problem.code for problem in found.problems} & {"not-understood", "unsupported-statement", "syntax"}


@pytest.mark.parametrize(
    ("dialect", "sql", "named"),
    [
        ("clickhouse", "INSERT INTO t SELECT a, b, c FROM s ORDER BY a WITH FILL STEP q", "q"),
        ("snowflake", "copy into t from (select $1, c.k, $2 from @st/x f left join codes c on c.k = $1)", "n:CODES"),
    ],
)
def test_a_column_in_a_clause_that_no_rule_looks_into_is_a_reason(dialect, sql, named):
    """Names that the parser took for columns, and that nothing resolved, were left out of a complete answer."""
    found = extract(sql, dialect=dialect, namespace="n", columns=WORLD)

    assert named in [problem.subject for problem in found.problems if problem.code == "not-understood"]


def test_what_another_statement_of_the_script_names_counts_for_that_one_alone():
    """A table that a statement before read hid that the rule for the next one overlooked it."""
    sql = "INSERT INTO t SELECT a, b, c FROM s; ALTER TABLE t FROBNICATE WITH TABLE s"

    assert "not-understood" in {p.code for p in extract(sql, dialect="oracle", namespace="n", columns=WORLD).problems}


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("postgres", "SELECT extract(day FROM a), trim(both 'x' FROM b) FROM s WHERE a IS DISTINCT FROM b"),
        ("bigquery", "SELECT x FROM s, UNNEST([1, 2]) AS x"),
        ("spark", "WITH q AS (SELECT a FROM s) SELECT a FROM q"),
        ("spark", "WITH unused AS (SELECT a FROM t) SELECT a FROM s"),
        ("trino", "SHOW TABLES FROM s"),
        ("postgres", "GRANT SELECT, INSERT ON t TO u"),
        ("hive", "EXPLAIN SELECT a FROM s"),
        ("spark", "INSERT OVERWRITE DIRECTORY '/x' SELECT a FROM s"),
        ("mysql", "CREATE TABLE k (a int REFERENCES s (a) ON UPDATE CASCADE)"),
        ("postgres", "SELECT a FROM s FOR UPDATE"),
        ("postgres", "CREATE INDEX i ON s (a)"),
        ("postgres", "DELETE FROM t"),
        ("postgres", "INSERT INTO t VALUES (1, 2, 3)"),
        ("mysql", "UPDATE t SET a = 1"),
        ("spark", "CREATE TABLE k LIKE s"),
        ("duckdb", "UNPIVOT s ON a, b INTO NAME n VALUE v"),
    ],
)
def test_statements_that_say_all_are_complete(dialect, sql):
    """FROM inside a function, names of WITH queries, rights and kinds without lineage are not a reason for doubt."""
    found = extract(sql, dialect=dialect, namespace="n", target="n:o", columns=WORLD)

    assert (found.coverage, found.problems) == ("complete", ())


def test_the_columns_of_a_table_that_is_copied_without_rows_must_be_known():
    """CREATE TABLE … LIKE has no lineage, but what it makes known is wanting where the other's columns are."""
    found = extract("CREATE TABLE k LIKE nowhere", dialect="spark", namespace="n", columns=WORLD)

    assert [(problem.code, problem.subject) for problem in found.problems] == [("unknown-columns", "n:nowhere")]


@pytest.mark.parametrize("dialect", ["hive", "spark", "trino", "snowflake", "postgres", "duckdb", "oracle", "tsql"])
@pytest.mark.parametrize("before", ["INSERT INTO t", "CREATE TABLE k AS", "CREATE VIEW k AS", ""])
def test_a_misspelt_where_is_not_dropped(dialect, before):
    """The parser takes ``b = 1`` after CREATE TABLE … AS for an option of the table."""
    found = extract(f"{before} SELECT a FROM s WHER b = 1", dialect=dialect, namespace="n", columns=WORLD)

    assert {problem.code for problem in found.problems} & {"syntax", "unsupported-statement"}


@pytest.mark.parametrize("dialect", ["spark", "databricks"])
def test_an_unnamed_literal_is_no_alias(dialect):
    """Spark calls the column of ``'orders'`` so, but the name in ``sum(orders)`` is the table's column."""
    found = extract("CREATE TABLE k AS SELECT 'orders', sum(orders) FROM w", dialect=dialect, namespace="n")

    assert "n:w#orders" in {edge.source for edge in found.edges}


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("mysql", "INSERT INTO t PARTITION (p1) SELECT a, b, c FROM s", "a b c"),
        ("starrocks", "INSERT OVERWRITE t TEMPORARY PARTITION (p1) SELECT a, b, c FROM s", "a b c"),
        ("starrocks", "INSERT INTO t WITH LABEL x (b) SELECT a FROM s", "b"),
        ("doris", "INSERT INTO t PARTITION (p1, p2) WITH LABEL x (a, b) SELECT a, b FROM s", "a b"),
        ("oracle", "INSERT INTO t PARTITION (p1) SELECT a, b, c FROM s", "a b c"),
        ("hive", "INSERT OVERWRITE TABLE t PARTITION (c = '1') IF NOT EXISTS SELECT a, b FROM s", "a b"),
        ("clickhouse", "INSERT INTO t SELECT x, y, c FROM s ARRAY JOIN a AS x, b AS y", "a b c"),
        (
            "databricks",
            "MERGE WITH SCHEMA EVOLUTION INTO t USING s ON t.a = s.a WHEN MATCHED THEN UPDATE SET *",
            "a b c",
        ),
        ("clickhouse", "CREATE MATERIALIZED VIEW v TO t AS SELECT a, b AS c FROM s", "a c"),
        ("duckdb", "CREATE OR REPLACE TABLE t AS UNPIVOT s ON a, b INTO NAME n VALUE v", "c v"),
        ("duckdb", "CREATE OR REPLACE TABLE t AS SELECT min, avg FROM (SUMMARIZE s)", "avg min"),
        ("databricks", "CREATE OR REPLACE TABLE t DEEP CLONE s", "a b c"),
        ("clickhouse", "CREATE TABLE t CLONE AS s", "a b c"),
        ("trino", "CREATE MATERIALIZED VIEW t GRACE PERIOD INTERVAL '1' HOUR AS SELECT a FROM s", "a"),
    ],
)
def test_forms_of_single_engines(dialect, sql, expected):
    """Each says which columns of t get values from s, and leaves nothing in doubt."""
    world = WORLD if dialect != "oracle" else {"n:S": ("A", "B", "C"), "n:T": ("A", "B", "C")}
    found = extract(sql, dialect=dialect, namespace="n", columns=world)
    written = {edge.target.lower() for edge in found.edges if edge.type == "DIRECT"}

    assert {f"n:t#{name}" for name in expected.split()} == written
    assert (found.coverage, found.problems) == ("complete", ())


def test_a_query_into_an_unlogged_table_is_understood(lineage):
    """The word was taken for a table that nothing wrote."""
    told = lineage("SELECT a INTO UNLOGGED o FROM t", dialect="postgres")
    assert told.names() == {"a": "t#a"}
    assert told.found.coverage == "complete"


@pytest.mark.parametrize(
    ("dialect", "name", "node"),
    [
        ("snowflake", 'raw."Order Items"', "n:RAW.Order Items"),
        ("snowflake", 'raw."order items"', "n:RAW.order items"),
        ("oracle", 'raw."Order-Items"', "n:RAW.Order-Items"),
        ("postgres", 'raw."Order-Items"', "n:raw.Order-Items"),
        ("tsql", "raw.[Order Items]", "n:raw.order items"),
        ("bigquery", "`raw.Order-Items`", "n:raw.Order-Items"),
        ("duckdb", 'raw."Order Items"', "n:raw.order items"),
    ],
)
def test_the_case_of_a_quoted_name_is_kept(dialect, name, node):
    """A name with a space or a hyphen was looked for in another case, and said not to be found."""
    read = extract(f"INSERT INTO t (a) SELECT a FROM {name}", dialect=dialect, namespace="n")
    filled = extract(f"INSERT INTO {name} (a) SELECT a FROM s", dialect=dialect, namespace="n")
    changed = extract(f"UPDATE {name} SET a = 1 WHERE b = 2", dialect=dialect, namespace="n")

    assert (read.coverage, read.reads) == ("complete", (node,))
    assert (filled.coverage, filled.writes) == ("complete", (node,))
    assert (changed.coverage, changed.writes) == ("complete", (node,))


@pytest.mark.parametrize(
    "sql",
    [
        "COPY INTO t FROM @st FILE_FORMAT = sch.fmt",
        "COPY INTO t (a) FROM (SELECT $1 FROM @st) FILE_FORMAT = db.sch.fmt ON_ERROR = CONTINUE",
        "CREATE EXTERNAL TABLE t (a INT AS (value:a::int)) LOCATION = @st FILE_FORMAT = sch.fmt",
    ],
)
def test_the_schema_of_a_file_format_is_understood(sql):
    """With a name of one part the statement was read, with its schema in front it was not."""
    found = extract(sql, dialect="snowflake", namespace="n")

    assert (found.coverage, found.writes) == ("complete", ("n:T",))
    assert "file:@st" in {*found.reads, *(place for _, place in found.places)}
