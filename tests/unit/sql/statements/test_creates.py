"""CREATE and DROP: what they make known of tables, and what CREATE … AS writes."""

from __future__ import annotations

import pytest
from scripted import pairs, ran, reasons, running, tree

from ingest.sql import extract
from ingest.sql.statements import creates


@pytest.mark.parametrize(
    ("dialect", "sql", "columns", "partitions"),
    [
        ("hive", "CREATE TABLE k (x INT, Y INT)", "x y", ""),
        ("hive", "CREATE TABLE k (x INT) PARTITIONED BY (dt STRING, hr INT)", "x dt hr", "dt hr"),
        ("trino", "CREATE TABLE k (x int, y int) WITH (partitioned_by = ARRAY['x'])", "x y", ""),
        ("spark", "CREATE TABLE k (dt STRING, x INT) USING csv PARTITIONED BY (dt)", "x dt", "dt"),
        ("spark", "CREATE TABLE k (dt STRING, x INT) USING iceberg PARTITIONED BY (dt)", "dt x", ""),
        ("mysql", "CREATE TABLE k (x INT, PRIMARY KEY (x), KEY i (x))", "x", ""),
        ("hive", "CREATE TABLE k LIKE t", "a b c", ""),
        ("flink", "CREATE TABLE k (z INT) LIKE t", "a b c z", ""),
        ("clickhouse", "CREATE TABLE k AS t ENGINE = MergeTree ORDER BY a", "a b c", ""),
        ("snowflake", 'CREATE TABLE "k" CLONE "t"', "a b c", ""),
        ("trino", "CREATE TABLE k AS SELECT a AS x, b FROM t WITH NO DATA", "x b", ""),
    ],
)
def test_a_create_makes_its_columns_known(dialect: str, sql: str, columns: str, partitions: str) -> None:
    """In the order in which the engine keeps them; where partition columns are the last ones, which those are."""
    run = running(dialect)
    done = ran(run, sql)

    assert run.catalog.columns("n:d.k") == tuple(columns.split())
    assert run.catalog.partitions("n:d.k") == tuple(partitions.split())
    assert (done.writes, reasons(run)) == ({"n:d.k"}, [])


def test_partition_columns_alone_are_not_all_columns() -> None:
    """A serde may declare the others."""
    run = running("hive")
    ran(run, "CREATE TABLE k PARTITIONED BY (dt STRING)")

    assert (run.catalog.columns("n:d.k"), run.catalog.partitions("n:d.k")) == (None, ("dt",))


def test_a_table_that_is_there_stays_what_it_is() -> None:
    """IF NOT EXISTS over a known table declares no other columns."""
    run = running("hive")
    ran(run, "CREATE TABLE IF NOT EXISTS t (x INT)")
    ran(run, "CREATE TABLE IF NOT EXISTS k (x INT)")

    assert (run.catalog.columns("n:d.t"), run.catalog.columns("n:d.k")) == (("a", "b", "c"), ("x",))


def test_computed_columns_take_no_place_in_an_insert() -> None:
    """Flink computes them itself, those that LIKE brings too."""
    run = running("flink")
    made = "CREATE TABLE j (x INT, y AS x + 1); CREATE TABLE k (z INT) LIKE j"
    done = ran(run, f"{made}; INSERT INTO k SELECT a, b FROM t")

    assert pairs(done.edges) == {"j#y": "j#x", "k#x": "t#a", "k#z": "t#b"}


@pytest.mark.parametrize(
    ("dialect", "columns", "expected"),
    [
        ("clickhouse", "x DateTime, g Date MATERIALIZED toDate(x), h Int8 ALIAS g, i Date DEFAULT toDate(x), "
         "u UUID DEFAULT generateUUIDv4(), z DateTime DEFAULT now()", {"k#g": "k#x", "k#h": "k#g", "k#i": "k#x"}),
        ("tsql", "x INT DEFAULT (0), g AS (x + 1) PERSISTED, z DATETIME DEFAULT GETDATE()", {"k#g": "k#x"}),
        ("postgres", "id serial, x text, g text GENERATED ALWAYS AS (lower(x)) STORED, n int", {"k#g": "k#x"}),
        ("mysql", "x JSON, g INT AS (x->>'$.n') STORED, z TIMESTAMP DEFAULT CURRENT_TIMESTAMP", {"k#g": "k#x"}),
        ("databricks", "x TIMESTAMP, g DATE GENERATED ALWAYS AS (CAST(x AS DATE))", {"k#g": "k#x"}),
        ("duckdb", "x INT, g INT AS (x * 2)", {"k#g": "k#x"}),
        ("flink", "x BIGINT, g AS TO_TIMESTAMP_LTZ(x, 3), p AS PROCTIME()", {"k#g": "k#x"}),
    ],
)  # fmt: skip
def test_a_computed_column_comes_from_others_of_its_table(dialect: str, columns: str, expected: dict[str, str]) -> None:
    """Who reads it reads what they were filled from; lineage ended there, as complete. Constants come from nothing."""
    run = running(dialect)

    assert pairs(ran(run, f"CREATE TABLE k ({columns})").edges) == expected
    assert reasons(run) == []


def test_a_table_that_is_there_has_its_computed_columns() -> None:
    """A script that creates it again where it is not says the same of them."""
    run = running("postgres")
    text = "CREATE TABLE IF NOT EXISTS k (x int, g int GENERATED ALWAYS AS (x * 2) STORED)"

    assert [pairs(ran(run, text).edges) for _ in range(2)] == [{"k#g": "k#x"}] * 2


def test_a_formula_may_name_what_is_no_column() -> None:
    """Those of Snowflake's external tables name ``value``, the row of a file."""
    run = running("snowflake")
    text = "CREATE EXTERNAL TABLE k (x NUMBER AS (value:c1::NUMBER), y NUMBER AS (x * 2)) LOCATION = @s/p"

    assert pairs(ran(run, text).edges) == {"K#Y": "K#X"}
    assert reasons(run) == []


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("postgres", "CREATE TABLE k (x) AS SELECT a, b FROM t", {"k#x": "t#a", "k#b": "t#b"}),
        ("hive", "CREATE TABLE k AS SELECT a, b + 1 FROM t", {"k#a": "t#a", "k#c1": "t#b"}),
        ("spark", "CREATE TABLE k USING parquet PARTITIONED BY (a) AS SELECT a, b FROM t",
         {"k#a": "t#a", "k#b": "t#b"}),
        ("clickhouse", "CREATE MATERIALIZED VIEW v TO u AS SELECT b AS d, a AS x FROM t", {"u#d": "t#b", "u#x": "t#a"}),
        ("duckdb", "CREATE TABLE k AS WITH q AS (SELECT a FROM t) SELECT a AS x FROM q", {"k#x": "t#a"}),
        ("clickhouse", "CREATE TABLE u AS t ENGINE = Distributed('c', 'd', 't')",
         {f"{one}#{c}": f"{other}#{c}" for one, other in ("tu", "ut") for c in "abc"}),
        ("trino", "CREATE TABLE k AS SELECT a FROM t WITH NO DATA", {}),
        ("hive", "CREATE TABLE k LIKE t", {}),
    ],
)  # fmt: skip
def test_a_create_with_a_query_writes_its_rows(dialect: str, sql: str, expected: dict[str, str]) -> None:
    """Names of a list are the first columns'; ``LIKE`` and ``WITH NO DATA`` bring no rows."""
    run = running(dialect)

    assert pairs(ran(run, sql).edges) == expected


def test_partition_columns_of_a_created_query_come_last() -> None:
    """The rows of later inserts by position find them there."""
    run = running("spark")
    ran(run, "CREATE TABLE k USING parquet PARTITIONED BY (a) AS SELECT a, b FROM t")

    assert run.catalog.columns("n:d.k") == ("b", "a")


@pytest.mark.parametrize(
    ("dialect", "sql", "reason"),
    [
        ("mysql", "CREATE DATABASE k AS SELECT a FROM t", "unsupported-statement"),
        ("hive", "CREATE TABLE k LIKE nowhere", "unknown-columns"),
        ("postgres", "CREATE INDEX i ON t (a)", ""),
        ("postgres", "CREATE SCHEMA k", ""),
        ("postgres", "CREATE TRIGGER g AFTER INSERT ON t EXECUTE FUNCTION f()", "opaque-call"),
    ],
)
def test_what_else_is_created_has_no_rows_or_a_reason(dialect: str, sql: str, reason: str) -> None:
    """An index or a schema has none; what a trigger runs is not looked into."""
    run = running(dialect)
    done = ran(run, sql)

    assert done.edges == []
    assert [code for code, _ in reasons(run)] == ([reason] if reason else [])


@pytest.mark.parametrize(
    ("dialect", "sql", "twice"),
    [
        ("duckdb", "CREATE TABLE v (a INT, b INT, a TEXT)", "a"),
        ("postgres", "CREATE TEMP TABLE v (a INT, A INT)", "a"),
        ("hive", "CREATE TABLE v (a INT, p STRING) PARTITIONED BY (p STRING)", "p"),
        ("spark", "CREATE TABLE v (a INT, p STRING) USING parquet PARTITIONED BY (p)", ""),
        ("postgres", """CREATE TABLE v (a INT, "A" INT)""", ""),
        ("duckdb", "CREATE TABLE v (a INT, b INT, PRIMARY KEY (a), UNIQUE (a, b))", ""),
    ],
)
def test_a_column_that_is_declared_twice_is_reported(dialect: str, sql: str, twice: str) -> None:
    """Every engine rejects it; a partition column may be named again where the table's columns are listed."""
    run = running(dialect)
    ran(run, sql)

    assert [problem.detail.split(" of ")[0] for problem in run.walk.problems if problem.code == "repeated-column"] == (
        [twice] if twice else []
    )


@pytest.mark.parametrize("sql", ["DROP TABLE t", "DROP TABLE IF EXISTS t, u", "DROP VIEW t"])
def test_what_is_dropped_is_known_no_more(sql: str) -> None:
    """Each table that a DROP names."""
    run = running("postgres")
    done = ran(run, sql)

    assert (run.catalog.columns("n:d.t"), done.kind, done.writes) == (None, "ddl", set())
    assert run.catalog.columns("n:d.u") == (None if "u" in sql[-2:] else ("a", "d", "e"))


def test_a_dropped_index_is_no_table() -> None:
    """``DROP INDEX t`` leaves a table of that name."""
    run = running("postgres")
    node = tree(run, "DROP INDEX t")
    creates.drop(run, node)

    assert run.catalog.columns("n:d.t") == ("a", "b", "c")


def declared(sql: str, dialect: str = "hive") -> dict[str, dict[str, str]]:
    """The types by dataset (without its database) and column, where ``t`` is known from outside."""
    known = {"n:d.t": ("a", ("s", "STRUCT<x: INT>"))}
    found = extract(sql, dialect=dialect, namespace="n", default_database="d", columns=known)
    return {dataset.removeprefix("n:d."): dict(types) for dataset, types in found.types}


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        (
            "hive",
            "CREATE TABLE u (a INT COMMENT 'x', s STRUCT<x: INT>) PARTITIONED BY (dt STRING)",
            {"u": {"a": "INT", "s": "STRUCT<x: INT>", "dt": "STRING"}},
        ),
        ("trino", "CREATE TABLE u (a bigint, s ROW(x integer))", {"u": {"a": "BIGINT", "s": "ROW(x INTEGER)"}}),
        ("duckdb", "CREATE TABLE u (a INT, s STRUCT(x INT)[])", {"u": {"a": "INT", "s": "STRUCT(x INT)[]"}}),
        ("tsql", "CREATE TABLE u (a INT) ; CREATE VIEW v AS SELECT a FROM u", {"u": {"a": "INTEGER"}}),
        ("postgres", "CREATE TABLE u (a numeric(18, 2) NOT NULL, CHECK (a > 0))", {"u": {"a": "DECIMAL(18, 2)"}}),
        ("hive", "CREATE TABLE u LIKE t", {"u": {"s": "STRUCT<x: INT>"}}),
        ("hive", "CREATE TABLE u (a INT); CREATE TABLE v LIKE u", {"u": {"a": "INT"}, "v": {"a": "INT"}}),
        ("hive", "CREATE TABLE u AS SELECT a FROM t", {}),
        ("hive", "CREATE TABLE u (a INT); DROP TABLE u", {}),
        ("hive", "CREATE TEMPORARY TABLE u (a INT)", {}),
        # damaged types that sqlglot's parser takes: its generator refuses the one, the other is not a type to it
        ("hive", "CREATE TABLE u (a INT, b ARRAY<DOUBLE>())", {"u": {"a": "INT"}}),
        ("hive", "CREATE TABLE u (a INT, b DECIMAL(5f(f(,3))))", {"u": {"a": "INT"}}),
        ("hive", "CREATE TABLE IF NOT EXISTS t (a INT, s STRUCT<y: INT>)", {}),
    ],
)
def test_what_a_create_declares(dialect: str, sql: str, expected: dict[str, dict[str, str]]) -> None:
    """All types as the dialect writes them, of what is there in the end and is not temporary."""
    assert declared(sql, dialect) == expected


def test_a_create_with_a_query_declares_the_types_of_its_columns_too() -> None:
    """They are those of the list, whatever the query gives."""
    found = extract("CREATE TABLE d.u (a INT64, s ARRAY<STRUCT<x INT64>>) AS SELECT 1, []", dialect="bigquery",
                    namespace="n", default_database="")  # fmt: skip
    assert found.types == (("n:d.u", (("a", "INT64"), ("s", "ARRAY<STRUCT<x INT64>>"))),)


@pytest.mark.parametrize(
    ("dialect", "using", "expected"),
    [
        ("spark", "", {"q": "t#a", "p": "t#b"}),
        ("spark", "USING parquet", {"q": "t#a", "p": "t#b"}),
        ("spark", "STORED AS orc", {"q": "t#a", "p": "t#b"}),
        ("spark", "USING delta", {"p": "t#a", "q": "t#b"}),
        ("spark", "USING iceberg", {"p": "t#a", "q": "t#b"}),
        ("databricks", "", {"p": "t#a", "q": "t#b"}),
    ],
)
def test_partition_columns_come_last_in_tables_of_files(lineage, dialect, using, expected):
    """INSERT goes by position, and Spark moves the columns that partition its files after the others."""
    made = f"CREATE TABLE n (p INT, q INT) {using} PARTITIONED BY (p)"
    result = lineage(f"{made}; INSERT INTO n SELECT a, b FROM t", dialect=dialect)
    assert expected == result.names("d.n")
    filled = f"CREATE TABLE n {using} PARTITIONED BY (p) AS SELECT a AS p, b AS q FROM t"
    result = lineage(
        f"{filled}; INSERT OVERWRITE o SELECT * FROM n", dialect=dialect, columns={"n:d.o": ["first", "last"]}
    )
    moved = expected["q"] == "t#a"
    assert result.names() == ({"first": "n#q", "last": "n#p"} if moved else {"first": "n#p", "last": "n#q"})


def test_a_global_temporary_view_is_read_under_its_database(lineage):
    """``CREATE GLOBAL TEMPORARY VIEW v`` makes ``global_temp.v``, which is not a table that stays."""
    result = lineage("CREATE GLOBAL TEMPORARY VIEW v AS SELECT a, b FROM t; SELECT * FROM global_temp.v")
    assert result.names() == {"a": "t#a", "b": "t#b"}
    assert result.tables() == {("t", "o")}


def test_a_table_made_of_values_has_their_columns(lineage):
    """``CREATE TABLE … AS VALUES (…) AS v(p, q)`` was a table of unknown columns."""
    result = lineage("CREATE TABLE n AS VALUES (1, 2), (3, 4) AS v(p, q); SELECT * FROM n")
    assert result.names() == {"p": "n#p", "q": "n#q"}
    assert result.found.coverage == "complete"


def test_unnamed_columns_of_hive(lineage):
    """Hive calls an unnamed column of CREATE TABLE AS cN, one that a star brings out of a subquery _cN."""
    found = lineage("CREATE TABLE k AS SELECT a, b + 1 FROM t", "hive")
    starred = lineage("CREATE TABLE k AS SELECT * FROM (SELECT a, b + 1 FROM t) q", "hive")

    assert found.names("d.k") == {"a": "t#a", "c1": "t#b"}
    assert starred.names("d.k") == {"a": "t#a", "_c1": "t#b"}


@pytest.mark.parametrize(
    ("ddl", "expected"),
    [
        ("CREATE TABLE k (x int, y int)", "x y"),
        ("CREATE TABLE k (x int) PARTITIONED BY (y int)", "x y"),
        ("CREATE TABLE k (x int) PARTITIONED BY (y int); ALTER TABLE k ADD COLUMNS (z int)", "x z y"),
        ("CREATE TABLE k (x int, y int); ALTER TABLE k CHANGE x z int", "z y"),
        ("CREATE TABLE k (x int, y int); ALTER TABLE k REPLACE COLUMNS (z int)", "z"),
        ("CREATE TABLE q (x int, y int); ALTER TABLE q RENAME TO k", "x y"),
        ("CREATE TABLE q (x int, y int); CREATE TABLE k LIKE q", "x y"),
        ("CREATE TABLE k (x uniontype<int, array<string>>, y int) SKEWED BY (x) ON (1) STORED AS DIRECTORIES", "x y"),
    ],
)
def test_ddl_makes_columns_known(lineage, ddl, expected):
    """What CREATE and ALTER say in a script is what a later insert is mapped to, and comes back as outputs."""
    found = lineage(f"{ddl}; INSERT INTO k SELECT * FROM w", "hive")

    names = expected.split()
    assert tuple(names) == dict(found.found.outputs)["n:d.k"]
    assert dict(zip(names, ["w#x", "w#y", "w#arr"], strict=False)) == found.names("d.k")


def test_a_dropped_table_is_forgotten(lineage):
    """After DROP nothing is known of a table's columns."""
    assert "unknown-columns" in lineage("DROP TABLE t; SELECT * FROM t").codes()


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("mysql", "CREATE TABLE o (k INT) SELECT a AS k, b FROM t", {"k": "t#a", "b": "t#b"}),
        ("mysql", "CREATE TABLE o (x INT) SELECT a AS k, b FROM t", {"k": "t#a", "b": "t#b"}),
        ("postgres", "CREATE TABLE o (k) AS SELECT a, b FROM t", {"k": "t#a", "b": "t#b"}),
        ("trino", "CREATE TABLE o (k, l) AS SELECT a, b FROM t", {"k": "t#a", "l": "t#b"}),
    ],
)
def test_columns_that_a_create_does_not_name_are_the_querys(lineage, dialect, sql, expected):
    """PostgreSQL names the first ones; MySQL adds those it lists, by name."""
    assert lineage(sql, dialect=dialect).names() == expected


DST = """CREATE TABLE d.dst (id UInt64, day Date MATERIALIZED toDate(ts), ts DateTime, up String ALIAS upper(u),
    u String, raw String EPHEMERAL, n Int32 DEFAULT 1) ENGINE = Memory;"""


@pytest.mark.parametrize(
    ("sql", "names"),
    [
        ("INSERT INTO d.o SELECT * FROM d.dst", "id n ts u"),
        ("INSERT INTO d.o SELECT *, up, z.day FROM d.dst AS z", "day id n ts u up"),
        ("INSERT INTO d.o SELECT COLUMNS('^(u|up|day)$') FROM d.dst", "u"),
        ("CREATE TABLE d.e AS d.dst; INSERT INTO d.o SELECT * FROM d.e", "id n ts u"),
        ("ALTER TABLE d.dst ADD COLUMN x UInt8 MATERIALIZED id + 1; INSERT INTO d.o SELECT * FROM d.dst", "id n ts u"),
        ("ALTER TABLE d.dst MODIFY COLUMN day Date; INSERT INTO d.o SELECT * FROM d.dst", "day id n ts u"),
        ("ALTER TABLE d.dst RENAME COLUMN day TO d2; INSERT INTO d.o SELECT * FROM d.dst", "id n ts u"),
    ],
)
def test_a_star_leaves_out_what_clickhouse_computes(lineage, sql, names):
    """MATERIALIZED, ALIAS and EPHEMERAL columns are read by their names alone; a star had them, as complete."""
    told = lineage(DST + sql, dialect="clickhouse", columns={})
    assert " ".join(sorted(told.names())) == names
    assert told.found.coverage == "complete"


@pytest.mark.parametrize(
    ("dialect", "columns", "names"),
    [
        ("clickhouse", "x UInt8, g UInt8 MATERIALIZED x + 1, h UInt8 ALIAS x, e UInt8 EPHEMERAL, y UInt8", "x y"),
        ("tsql", "x INT, g AS x + 1, h AS (x * 2) PERSISTED, y INT", "x y"),
        ("sqlite", "x INT, g INT GENERATED ALWAYS AS (x + 1) STORED, h INT AS (x), y INT", "x y"),
        ("duckdb", "x INT, g INT GENERATED ALWAYS AS (x + 1), h INT AS (x), y INT", "x y"),
        ("flink", "x INT, g AS x + 1, y INT", "x y"),
        ("duckdb", "x INT, y INT GENERATED BY DEFAULT AS IDENTITY", "x y"),
    ],
)
def test_an_insert_without_a_list_passes_over_computed_columns(lineage, dialect, columns, names):
    """The values after such a column went to the wrong ones. An identity is a column like others."""
    told = lineage(f"CREATE TABLE d.s ({columns}); INSERT INTO d.s SELECT t.a, t.b FROM t", dialect=dialect)
    assert {n: s for n, s in told.names("d.s").items() if s.startswith("t#")} == dict(
        zip(names.split(), ["t#a", "t#b"], strict=True)
    )
    assert told.found.coverage == "complete"


def test_a_list_of_all_but_some_passes_over_computed_columns(lineage):
    """ClickHouse's ``INSERT INTO t (* EXCEPT (a))``."""
    told = lineage(DST + "INSERT INTO d.dst (* EXCEPT (u)) SELECT a, b, c FROM t", dialect="clickhouse")
    filled = {name: source for name, source in told.names("d.dst").items() if source.startswith("t#")}
    assert filled == {"id": "t#a", "ts": "t#b", "n": "t#c"}


def test_a_table_over_one_with_computed_columns_has_them(lineage):
    """ClickHouse's Distributed shows each column of the table below."""
    over = "CREATE TABLE d.all AS d.dst ENGINE = Distributed(c, d, dst)"
    told = lineage(DST + over, dialect="clickhouse", columns={})
    assert "day" in told.names("d.all")


@pytest.mark.parametrize(
    ("made", "expected", "codes"),
    [
        ("VIEW j USING jdbc OPTIONS (url 'jdbc:x', dbtable 'p.t')", {"id": "j#id"}, {"unknown-source"}),
        ("VIEW j USING org.x.sql.jdbc OPTIONS (url 'jdbc:x', dbtable 'p.t')", {"id": "j#id"}, {"unknown-source"}),
        ("VIEW j USING com.x.spark.excel OPTIONS (path 's3://b/x.xlsx')", {"id": "s3://b:x.xlsx#id"}, set()),
        ("TABLE j USING parquet OPTIONS (path 's3://b/x')", {"id": "s3://b:x#id"}, set()),
    ],
)
def test_a_temporary_view_of_what_lies_elsewhere_says_so(lineage, made, expected, codes):
    """It was taken for an empty table, in which no source is known to have a column."""
    text = f"CREATE TEMPORARY {made}; INSERT INTO o SELECT id FROM j"
    found = lineage(text, "spark", target=None)

    assert (found.names(), found.codes()) == (expected, codes)
