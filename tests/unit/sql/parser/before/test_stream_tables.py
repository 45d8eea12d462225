"""Flink's tables over streams in plainer words."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.before.stream_tables import plain_stream


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("create table t (a int, watermark for a as a, b int metadata, c int metadata from 'x', d int metadata virtual)",
      "create table t ( a int , b int , c int , d AS NULL )"),
     ("create table if not exists t (a int) with ('x' = 'y') like d.u (excluding all)",
      "create table if not exists t ( like d . u , a int ) with ( 'x' = 'y' )"),
     ("create table t like u", "create table t ( like u )"),
     ("create table t as select a from u where a like 'x'", "create table t as select a from u where a like 'x'"),
     ("create catalog c with ('x' = 'y')", "create SCHEMA c"),
     ("create temporary system function f as 'x'", "create temporary function f as 'x'"),
     ("select 1 from f(table d.t, descriptor(a), 5)", "select 1 from f ( table ( d . t ) , descriptor ( a ) , 5 )"),
     ("select 1 from f(data => table t partition by a, b, descriptor(c))",
      "select 1 from f ( data => table ( t ) , descriptor ( c ) )"),
     ("select 1 from f(table (t))", "select 1 from f ( table ( t ) )"),
     ("pattern (a b) within interval '1' hour define a as x", "pattern ( a b ) define a as x"),
     ("select a within b", "select a within b")],
)  # fmt: skip
def test_what_has_no_lineage_goes(sql: str, plain: str) -> None:
    """A column that cannot be written is computed; LIKE comes first among the columns; partitions of arguments go."""
    assert text_of(plain_stream(tokens_in(sql, "flink"))) == plain


@pytest.mark.parametrize(
    ("sql", "plain"),
    [
        ("cast(a as row<x int, y string>)", "cast ( a as STRUCT < x int , y string > )"),
        ("cast(a as row<x int 'what', y int comment 'it'>)", "cast ( a as STRUCT < x int , y int comment 'it' > )"),
        ("cast(a as row(x int, y row(z int)))", "cast ( a as STRUCT < x int , y STRUCT < z int > > )"),
        ("row(a, b + 1)", "row ( a , b + 1 )"),
        ("row(a is null, not b)", "row ( a is null , not b )"),
        ("cast(a as array<bytes>)", "cast ( a as array < bytes > )"),
        ("cast(a as multiset<int>)", "cast ( a as multiset < int > )"),
        ("map['a', x, 'b', map['c', y]]", "map ( 'a' , x , 'b' , map ( 'c' , y ) )"),
        ("map['a', x]['a']", "map ( 'a' , x ) [ 'a' ]"),
        ("map['a']", "map [ 'a' ]"),
    ],
)
def test_rows_as_types_and_maps_are_put_as_the_parser_has_them(sql: str, plain: str) -> None:
    """A call of ROW makes a value, and stays; ``map['a']`` is an element of a column."""
    assert text_of(plain_stream(tokens_in(f"select {sql} from t", "flink"))) == f"select {plain} from t"


@pytest.mark.parametrize(
    "kind",
    [
        "ROW<x INT, y STRING>",
        "ROW<x INT 'what', y STRING NOT NULL>",
        "ROW(x INT, y STRING) NOT NULL",
        "ARRAY<ROW<x INT, y ROW<z BYTES>>>",
        "MAP<STRING, ROW<x BYTES, y INT>>",
        "MULTISET<ROW<x INT>>",
        "BYTES",
    ],
)
def test_a_table_with_flinks_types_has_its_columns(lineage, kind: str) -> None:
    """The CREATE TABLE was a syntax error, and the columns of the table were lost."""
    sql = f"CREATE TABLE s (k INT, b {kind}, v AS k + 1) WITH ('connector' = 'kafka'); INSERT INTO o SELECT * FROM s"
    told = lineage(sql, dialect="flink")
    assert told.names() == {"k": "s#k", "b": "s#b", "v": "s#v"}
    assert told.found.coverage == "complete"


def test_a_field_of_a_row_is_known(lineage) -> None:
    """Its type says so; one that it lacks is reported."""
    table = "CREATE TABLE s (b ROW<x INT, y ROW<z INT>>) WITH ('connector' = 'kafka');"
    told = lineage(f"{table} INSERT INTO o SELECT b.x, b.y.z FROM s", dialect="flink")
    assert told.names() == {"x": "s#b.x", "z": "s#b.y.z"}
    assert told.found.coverage == "complete"
    assert lineage(f"{table} INSERT INTO o SELECT b.q FROM s", dialect="flink").codes() == {"unknown-column"}


@pytest.mark.parametrize("known", [{}, {"n:d.t": ("a", "v")}])
def test_a_map_is_made_of_its_values(lineage, known) -> None:
    """The word MAP was taken for a column of the source."""
    told = lineage("SELECT MAP['a', v, 'b', a] AS m, MAP['a', v]['a'] AS n FROM t", dialect="flink", columns=known)
    assert told.names() == {"m": "t#a t#v", "n": "t#v"}
    assert told.found.coverage == "complete"


def test_a_column_may_be_called_bytes(lineage) -> None:
    """The word is a type only where one is."""
    told = lineage("SELECT sum(bytes) AS s, t.bytes, CAST(a AS BYTES) AS x FROM t GROUP BY a, bytes", dialect="flink")
    assert told.names() == {"s": "t#bytes", "bytes": "t#bytes", "x": "t#a"}
