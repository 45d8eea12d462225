"""What engines take and the parser does not know so well: clauses, types, arguments, columns without names."""

from __future__ import annotations

import duckdb
import pytest

from ingest.sql.dialects.dialects import Names
from ingest.sql.parser.after.json_tables import plain_json_tables

ON_ERROR = "DEFAULT 'n' ON EMPTY NULL ON ERROR"


@pytest.mark.parametrize(
    ("dialect", "table"),
    [
        ("mysql", f"JSON_TABLE(t.b, '$[*]' COLUMNS (x INT PATH '$.x', y VARCHAR(10) PATH '$.y' {ON_ERROR}))"),
        ("mysql", "JSON_TABLE(t.b, '$' COLUMNS (r FOR ORDINALITY, x INT EXISTS PATH '$.x' ERROR ON ERROR, y INT))"),
        ("trino", "JSON_TABLE(b, '$' AS p COLUMNS (x INT, NESTED PATH '$' AS q COLUMNS (y INT)) PLAN (p OUTER q))"),
        ("trino", "JSON_TABLE(b FORMAT JSON, '$' COLUMNS (x INT, y INT FORMAT JSON WITHOUT WRAPPER) ERROR ON ERROR)"),
        ("oracle", "JSON_TABLE(b FORMAT JSON, '$' ERROR ON ERROR COLUMNS (x NUMBER, y NUMBER NULL ON ERROR))"),
        ("postgres", "JSON_TABLE(b, '$' PASSING 1 AS n COLUMNS (x int PATH '$.x' DEFAULT -1 ON ERROR, y int))"),
    ],
)  # fmt: skip
def test_what_json_table_does_on_errors_moves_no_column(lineage, dialect, table):
    """The clauses of SQL:2016 that say what happens where something lacks are left out before the parser sees them."""
    known = {"n:d.T": ("A", "B", "C")} if dialect == "oracle" else {"n:d.t": ("a", "b", "c")}
    told = lineage(f"SELECT a, x, y FROM t, {table} j", dialect=dialect, columns=known)
    assert {c.lower(): s.lower() for c, s in told.names().items()} == {"a": "t#a", "x": "t#b", "y": "t#b"}
    assert told.found.coverage == "complete"


def test_what_is_passed_to_json_table_is_among_its_columns_sources(lineage):
    """A path may name it."""
    sql = (
        "SELECT x FROM t, JSON_TABLE(a, 'lax $[$i]' PASSING b AS i, c FORMAT JSON AS j COLUMNS (x INT) EMPTY ON ERROR)"
    )
    told = lineage(sql, dialect="trino")
    assert told.names() == {"x": "t#a t#b t#c"}


def test_columns_called_as_the_clauses_of_json_table_are(lineage):
    """Of a column ``path`` the word is a name first."""
    columns = "path VARCHAR(9) PATH '$.p' NULL ON ERROR, format INT PATH '$.f', passing INT"
    told = lineage(f"SELECT path, format, passing FROM t, JSON_TABLE(b, '$' COLUMNS ({columns})) j", dialect="mysql")
    assert told.names() == {"path": "t#b", "format": "t#b", "passing": "t#b"}


def test_a_default_that_is_a_column_is_not_lost_without_a_word(lineage):
    """A default value is a source of its column: such a JSON_TABLE is left as it is, and said not to be read."""
    told = lineage("SELECT x FROM t, JSON_TABLE(a, '$' COLUMNS (x INT DEFAULT b ON EMPTY))", dialect="trino")
    assert told.codes() == {"syntax"}
    assert told.tables() == {("t", "o")}


@pytest.mark.parametrize("cut", range(3, 40))
def test_a_json_table_that_is_broken_off_stays_what_it_was(cut):
    """However few of its tokens are there."""
    sql = f"SELECT x FROM JSON_TABLE(a, '$' AS p PASSING b AS i COLUMNS (x INT {ON_ERROR}, NESTED '$' COLUMNS (y INT)))"
    tokens = Names("mysql", "n", "").dialect.tokenize(sql)[:cut]
    plain = plain_json_tables(tokens)
    assert plain is None or len(plain) < len(tokens)


@pytest.mark.parametrize(
    ("dialect", "value", "expected"),
    [
        ("trino", "cardinality(CAST(approx_set(a) AS p4hyperloglog))", "t#a"),
        ("trino", "TRY_CAST(a AS sometype(3)) || CAST(b AS sometype)", "t#a t#b"),
        ("trino", "corr(DISTINCT a, b)", "t#a t#b"),
        ("trino", "apply(a, i -> i + b)", "t#a t#b"),
        ("trino", "sum(a) OVER (ORDER BY b ROWS BETWEEN c PRECEDING AND CURRENT ROW)", "t#a t#b t#c"),
        ("spark", "upper(a, upper(b, c))", "t#a t#b t#c"),
    ],
)
def test_functions_and_types_that_the_parser_does_not_know_so_well(lineage, dialect, value, expected):
    """More arguments, unheard-of types, DISTINCT before two arguments, a frame that a column decides."""
    told = lineage(f"SELECT {value} AS z FROM t", dialect=dialect)
    assert told.names() == {"z": expected}
    assert told.found.coverage == "complete"


def test_a_star_of_one_side_leaves_out_what_using_made_one_in_trino(lineage):
    """Elsewhere ``t.*`` has all columns of ``t``."""
    sql = "SELECT t.*, u.* FROM t JOIN u USING (a)"
    assert list(lineage(sql, dialect="trino").names()) == ["b", "c", "d", "e"]
    assert lineage(sql, dialect="postgres").names()["a"] == "t#a u#a"


@pytest.mark.parametrize(
    ("dialect", "sql", "names"),
    [
        ("trino", "SELECT *, 1 FROM t", "a b c _col3"),
        ("trino", "SELECT (SELECT d FROM u), (a), x[1].f, b FROM t, w", "_col0 a _col2 b"),
        ("trino", "SELECT c, v.* FROM t, (VALUES (1, 2)) v", "c _col1 _col2"),
        ("trino", "VALUES ROW(1, 2), (3, 4)", "_col0 _col1"),
        ("trino", "SELECT (ROW(a, b)).*, (SELECT 1) FROM t", "_col0 _col1 _col2"),
        ("trino", "SELECT * FROM (SELECT a + 1, b FROM t)", "_col0 b"),
        ("mysql", "VALUES ROW(1, 2), ROW(3, 4)", "column_0 column_1"),
        ("postgres", "SELECT (a), v.* FROM t, (VALUES (1, 2)) v", "a column1 column2"),
        ("duckdb", "SELECT (a), v.* FROM t, (VALUES (1, 2)) v", "a col0 col1"),
        ("spark", "SELECT (a), v.* FROM t, (VALUES (1, 2)) v", "a col1 col2"),
        ("mysql", "SELECT * FROM JSON_TABLE('[]', '$' COLUMNS (k INT, NESTED '$' COLUMNS (l INT), m INT)) j", "k l m"),
    ],
)  # fmt: skip
def test_columns_without_names_are_called_as_their_engine_calls_them(lineage, dialect, sql, names):
    """Trino counts all columns before one, those of a star included; VALUES has other names in each."""
    told = lineage(sql, dialect=dialect)
    assert dict(told.found.outputs)["n:d.o"] == tuple(names.split())


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [
        ("duckdb", {"x": "t#b", "y": "t#a", "z": "t#c", "q": "u#d"}),
        ("clickhouse", {"x": "t#b", "y": "t#a", "z": "t#c", "q": "u#d"}),
        ("postgres", {"x": "t#a", "y": "t#b", "z": "t#c", "q": "u#d"}),
        ("spark", {"x": "t#a", "y": "t#b", "z": "t#c", "q": "u#d"}),
    ],
)
def test_a_star_shows_what_using_joins_in_front_or_where_the_left_side_has_it(lineage, dialect, expected):
    """INSERT goes by position."""
    known = {"n:d.t": ("b", "a", "c"), "n:d.u": ("a", "d"), "n:d.n": ("x", "y", "z", "q")}
    told = lineage("INSERT INTO n SELECT * FROM t JOIN u USING (a)", dialect=dialect, columns=known)
    assert told.names("d.n") == expected


def test_a_struct_that_duckdb_unnests_stays_one_column(lineage):
    """Its fields are those of the column ``unnest``."""
    told = lineage("SELECT unnest.f, u.* FROM t, unnest([{'f': a, 'g': b}]) u", dialect="duckdb")
    assert list(told.names()) == ["f", "unnest"]


@pytest.mark.parametrize("dialect", ["hive", "spark", "trino", "bigquery", "duckdb", "oracle"])
def test_a_call_behind_a_dot_alone_is_no_fault(lineage, dialect):
    """The parser lets it pass; the fixture looks for faults."""
    lineage("SELECT a FROM t LATERAL VIEW .explode(x) e AS y", dialect=dialect)


@pytest.mark.parametrize(
    ("dialect", "value", "expected"),
    [
        ("postgres", "date_bin('1 day', a, b)", "t#a t#b"),
        ("duckdb", "time_bucket(INTERVAL 1 DAY, a, c)", "t#a t#c"),
        ("hive", "percentile(a, 0.5, b)", "t#a t#b"),
        ("spark", "percentile(a, array(0.5, 0.9), b + c)", "t#a t#b t#c"),
        ("spark", "percentile(a, 0.5)", "t#a"),
    ],
)
def test_a_last_argument_that_the_parser_takes_for_something_else_is_a_source(lineage, dialect, value, expected):
    """Where bins begin; how often each value counts."""
    told = lineage(f"SELECT {value} AS x FROM t", dialect=dialect)
    assert told.names() == {"x": expected}
    assert told.found.coverage == "complete"


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("WITH percentile(x, y, z) AS (SELECT a, b, c FROM t) SELECT x, z FROM percentile", {"x": "t#a", "z": "t#c"}),
        ("SELECT x, z FROM t AS percentile(x, y, z)", {"x": "t#a", "z": "t#c"}),
        ("SELECT x, z FROM t percentile(x, y, z)", {"x": "t#a", "z": "t#c"}),
    ],
)
def test_a_table_called_as_a_function_is_no_call(lineage, sql, expected):
    """Its columns in brackets are not arguments."""
    told = lineage(sql, dialect="spark")
    assert (told.names(), told.found.coverage) == (expected, "complete")


def test_a_bin_that_begins_at_an_unknown_column_is_told(lineage):
    """As any other name."""
    assert lineage("SELECT date_bin('1 day', a, nowhere) AS x FROM t", dialect="postgres").codes() == {"unknown-column"}


def test_columns_by_their_place_in_duckdb(lineage):
    """``#2`` is the second column of what FROM has, with its name; in ORDER BY it is the second item."""
    told = lineage("SELECT #2, #4 AS z FROM t JOIN (SELECT d FROM u) AS q ON true WHERE #1 > 0 ORDER BY #2", "duckdb")
    assert told.names() == {"b": "t#b", "z": "u#d"}
    assert told.decisions() == {"FILTER": "t#a", "SORT": "u#d"}
    assert told.found.coverage == "complete"
    assert lineage("SELECT #9 AS x FROM t", dialect="duckdb").codes() == {"unknown-column"}
    assert "unknown-column" in lineage("SELECT #1 AS x FROM nobody", dialect="duckdb").codes()


@pytest.mark.parametrize(
    "item",
    ["unnest(s)", "unnest(s) AS ignored", "unnest(list, recursive := true)", "unnest(list, recursive := false) AS e"],
)
def test_duckdb_lays_out_a_struct_that_it_unnests(lineage, item):
    """Its fields are columns, by their own names; as DuckDB describes it."""
    connection = duckdb.connect()
    connection.execute("CREATE TABLE z (a INT, s STRUCT(x INT, y INT), list STRUCT(x INT, y INT)[])")
    names = tuple(row[0] for row in connection.execute(f"DESCRIBE SELECT {item}, a FROM z").fetchall())
    known = {"n:d.z": ("a", ("s", "STRUCT(x INT, y INT)"), ("list", "STRUCT(x INT, y INT)[]"))}
    told = lineage(f"SELECT {item}, a FROM z", dialect="duckdb", columns=known)
    of = "list" if "list" in item else "s"
    assert dict(told.found.outputs) == {"n:d.o": names}
    laid_out = {"x": f"z#{of}.x", "y": f"z#{of}.y"} if "false" not in item else {"e": "z#list"}
    assert told.names() == {**laid_out, "a": "z#a"}
