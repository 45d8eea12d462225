"""Functions in FROM: whose rows they make, of arguments, of tables, of files, and which may read anything."""

from __future__ import annotations

from typing import Any

import pytest
from bound import Bound, listed

from ingest.sql import extract
from ingest.sql.binder.query.sources.table_functions import TableFunctions, of_cells
from ingest.sql.binder.relations.relations import Relation


def _rows(call: str, dialect: str = "spark", given: str = "") -> tuple[Bound, Relation]:
    bound = Bound(given, dialect)
    node = bound.tree(f"SELECT 1 FROM {call}").args["from_"].this
    return bound, TableFunctions(bound.walk).rows(node, bound.scope)


def _shown(found: Relation) -> list[tuple[str, str, bool]]:
    return [
        (name, sources, column.hidden)
        for (name, sources), column in zip(listed(found.columns) or (), found.columns, strict=True)
    ]


@pytest.mark.parametrize(
    ("dialect", "call", "columns"),
    [
        ("spark", "range(1, 9)", [("id", "", False)]),
        ("spark", "explode(array(1, 2))", [("col", "", False), ("*", "", True)]),
        ("postgres", "json_to_recordset((SELECT a FROM t))", [("*", "t#a", False)]),
    ],
)
def test_a_functions_rows_come_from_its_arguments(dialect: str, call: str, columns: list[Any]) -> None:
    """What it calls its columns is a guess where that depends on a type: another name is found, too."""
    bound, found = _rows(call, dialect)

    assert _shown(found) == columns
    assert bound.problems() == []


@pytest.mark.parametrize(
    ("dialect", "call", "subject"),
    [("postgres", "mystery(1)", "mystery"), ("oracle", "TABLE(pkg.f(1))", "F"), ("oracle", "TABLE(f(1))", "F"),
     ("trino", "TABLE(f(k => 1))", "f"), ("trino", "TABLE(mine(input => TABLE(t)))", "mine")],
)  # fmt: skip
def test_a_function_that_nobody_knows_may_read_anything(dialect: str, call: str, subject: str) -> None:
    """It is reported by its name."""
    problems = [(code, name.lower()) for code, name in _rows(call, dialect)[0].problems()]

    assert ("opaque-call", subject.lower()) in problems


def test_what_a_function_makes_of_tables_may_be_all_of_them() -> None:
    """Their columns may pass through, and others come from all of them."""
    bound, found = _rows("TABLE(mine(input => TABLE(t), other => TABLE(u)))", "trino")

    whole = "t#a t#b t#c u#a u#d u#e"
    assert listed(found.columns) == [
        ("a", "t#a"), ("b", "t#b"), ("c", "t#c"), ("a", "u#a"), ("d", "u#d"), ("e", "u#e"), ("*", whole),
    ]  # fmt: skip
    assert found.effects.reads == found.rows == {"n:d.t", "n:d.u"}
    assert bound.problems() == [("opaque-call", "mine")]


def test_a_table_less_some_columns_and_numbers_are_known() -> None:
    """Trino's exclude_columns and sequence."""
    bound, found = _rows("TABLE(exclude_columns(input => TABLE(t), columns => DESCRIPTOR(B)))", "trino")
    assert (listed(found.columns), bound.problems()) == ([("a", "t#a"), ("c", "t#c")], [])

    assert listed(_rows("TABLE(sequence(1, 9))", "trino")[1].columns) == [("sequential_number", "")]


def test_a_window_of_a_table_keeps_its_rows() -> None:
    """With the word TABLE or without."""
    for dialect, call in (("flink", "TABLE(TUMBLE(TABLE(t), DESCRIPTOR(b), INTERVAL '1' HOUR))"),
                          ("risingwave", "TUMBLE(t, b, INTERVAL '1 HOUR')")):  # fmt: skip
        bound, found = _rows(call, dialect)
        assert [name for name, _ in listed(found.columns) or ()][:4] == ["a", "b", "c", "window_start"], dialect
        assert bound.problems() == [], dialect


@pytest.mark.parametrize(
    ("call", "reads"),
    [("read_csv('x/a.csv')", {"file:x/a.csv"}), ("read_parquet(['a.parquet', 's3://b/c.parquet'])",
     {"file:a.parquet", "s3://b:c.parquet"})],
)  # fmt: skip
def test_files_are_read_as_one_table(call: str, reads: set[str]) -> None:
    """Each is a dataset of its own; columns of one name are one."""
    bound, found = _rows(call, "duckdb")

    assert found.effects.reads == found.rows == reads
    assert [column.name for column in found.columns] == ["*"]
    assert sorted(found.columns[0].flow()) == sorted(f"{dataset}#*" for dataset in reads)
    assert bound.problems() == []


def test_the_changes_of_a_table_are_its_rows_and_what_changed_them() -> None:
    """Databricks' table_changes, where a text names the table."""
    bound, found = _rows("table_changes('t', 2)", "databricks")
    assert [name for name, _ in listed(found.columns) or ()] == [
        "a", "b", "c", "_change_type", "_commit_version", "_commit_timestamp",
    ]  # fmt: skip
    assert (found.effects.reads, bound.problems()) == ({"n:d.t"}, [])

    assert _rows("table_changes(x, 2)", "databricks")[0].problems()[0][0] == "opaque-call"


def test_rows_of_a_function_have_the_names_that_an_alias_gives() -> None:
    """Then nothing is a guess; of STACK each comes from its own values."""
    bound = Bound("w")
    functions = TableFunctions(bound.walk)

    def named(call: str, *names: str) -> list[tuple[str, str]] | None:
        return listed(
            functions.generated(bound.item(call), bound.scope, [bound.item(name).this for name in names]).columns
        )

    assert named("posexplode(arr)", "p", "v") == [("p", "w#arr"), ("v", "w#arr")]
    assert named("stack(2, x, 'p', y, st)", "k", "v") == [("k", "w#x w#y"), ("v", "w#st")]
    assert named("explode(arr)") == [("col", "w#arr"), ("*", "w#arr")]


def test_the_number_of_a_row_comes_from_nothing() -> None:
    """What JSON_TABLE counts its rows with; its other columns come from the document."""
    bound, found = _rows("JSON_TABLE(t.b, '$' COLUMNS (r FOR ORDINALITY, x INT PATH '$.x'))", "mysql", "t")

    assert (listed(found.visible()), bound.problems()) == ([("r", ""), ("x", "t#b")], [])


def test_a_column_of_cells_has_one_of_their_values_in_each_row() -> None:
    """Its text lists them; of none it comes from nothing."""
    bound = Bound("t")
    column = of_cells(bound.walk, "z", [bound.item("a"), bound.item("b + 1"), bound.item("'x'")], bound.scope)

    assert listed([column]) == [("z", "t#a t#b")]
    assert column.text.startswith("d.t.a, d.t.b + ")
    assert of_cells(bound.walk, "z", [], bound.scope).flow() == {}


@pytest.mark.parametrize(
    ("dialect", "call"),
    [
        ("trino", "cat.sch.mine(1)"),
        ("trino", "mine(input => TABLE(t), k => 1)"),
        ("oracle", "pkg.f(1)"),
        ("oracle", "f(1)"),
    ],
)
def test_rows_of_a_function_that_nobody_knows_are_opaque(lineage, dialect, call):
    """TABLE(f(…)): it may read tables of its own."""
    assert "opaque-call" in lineage(f"SELECT * FROM TABLE({call}) x", dialect=dialect).codes()


def test_an_unknown_table_function_is_opaque(lineage):
    """A function in FROM that is not known may read tables of its own, and the answer says so."""
    found = lineage("SELECT k FROM mystery(1)", "postgres")

    assert found.codes() == {"opaque-call"}


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT q.a, q.more FROM ds.f(TABLE t) AS q", {"a": "t#a", "more": "t#a t#b t#c"}),
        ("SELECT q.a FROM ds.f(3, TABLE t, 'x') AS q", {"a": "t#a"}),
    ],
)
def test_a_table_given_to_a_table_function_feeds_its_rows(lineage, sql, expected):
    """Its columns may pass through; what the function makes of them nobody knows, and that is reported."""
    result = lineage(sql, dialect="bigquery")
    assert expected == result.names()
    assert "opaque-call" in result.codes()
    assert "syntax" not in result.codes()


@pytest.mark.parametrize(
    "call",
    ["JSON_TABLE(t.a, '$' COLUMNS (sku INT PATH '$.x', \"q\" INT PATH '$.y'))",
     "XMLTABLE('/a' PASSING t.a COLUMNS sku INT PATH 'x', \"q\" INT PATH 'y')"],
)  # fmt: skip
def test_the_columns_that_a_function_defines_are_spelled_as_the_dialect_compares_them(call: str) -> None:
    """Those in quotes stay as they are."""
    _, found = _rows(call, "oracle", "t")

    assert [column.name for column in found.columns if not column.is_open] == ["SKU", "q"]


@pytest.mark.parametrize("model", ["d.m", "`n.d.m`"])
def test_what_a_model_predicts_comes_from_it_too(lineage, model: str) -> None:
    """The function is no table, and what the model has learnt is in none of its columns."""
    sql = f"CREATE TABLE o AS SELECT predicted_y, a FROM ML.PREDICT(MODEL {model}, (SELECT a, b FROM t))"
    result = lineage(sql, dialect="bigquery", target=None)

    assert result.names() == {"predicted_y": "t#a t#b", "a": "t#a"}
    assert {source.rpartition(".")[2] for source, _ in result.tables()} == {"m", "t"}
    assert result.found.coverage == "complete"


def test_a_function_of_a_package_is_no_table(lineage) -> None:
    """Whatever the parser calls it."""
    for call in ("ML.FORECAST(MODEL d.m, STRUCT(3 AS horizon))", "ML.GENERATE_TEXT(MODEL d.m, (SELECT a FROM t))"):
        result = lineage(f"CREATE TABLE o AS SELECT z FROM {call}", dialect="bigquery", target=None)

        assert "not-understood" not in result.codes()
        assert not any("ml." in source.lower() for source, _ in result.tables())


VIEW = "CREATE VIEW d.v AS SELECT a FROM t WHERE b = {p:UInt8};"


@pytest.mark.parametrize("source", ["v(p = 3)", "d.v(p = 3)", "d.v(p = 3) AS q", "d.v(p = 3, q = 'x')"])
def test_a_view_with_arguments_has_the_views_rows(lineage, source):
    """ClickHouse's parameterized view was reported as an opaque function, and its parameter as an unknown column."""
    told = lineage(f"{VIEW} INSERT INTO d.o SELECT a FROM {source}", dialect="clickhouse")
    assert told.names() == {"a": "v#a"}
    assert told.found.coverage == "complete"


def test_elsewhere_a_call_with_named_arguments_is_a_function(lineage):
    """What it reads is not known."""
    assert "opaque-call" in lineage("SELECT a FROM v(p => 3)", dialect="postgres").codes()


@pytest.mark.parametrize("known", [{}, {"n:EMP": ("NAME", "IDS")}])
@pytest.mark.parametrize("source", ["emp e, TABLE(e.ids)", "emp e CROSS JOIN TABLE(e.ids) x"])
def test_the_plain_values_of_a_collection_are_oracles_column_value(
    known: dict[str, tuple[str, ...]], source: str
) -> None:
    """Also where the table beside it is not known: no table's column is called so."""
    sql = f"INSERT INTO o (v, n) SELECT COLUMN_VALUE, e.name FROM {source}"
    found = extract(sql, dialect="oracle", namespace="n", columns=known)

    assert {(edge.source, edge.target) for edge in found.edges} == {("n:EMP#IDS", "n:O#V"), ("n:EMP#NAME", "n:O#N")}
    assert found.coverage == "complete"


@pytest.mark.parametrize(
    ("dialect", "source"),
    [
        ("tsql", "CROSS APPLY dbo.fn(t.b) f"),
        ("tsql", "OUTER APPLY fn(t.b) AS f"),
        ("postgres", "CROSS JOIN LATERAL fn(t.b) f"),
        ("snowflake", ", LATERAL fn(t.b) f"),
        ("snowflake", ", TABLE(fn(t.b) OVER (PARTITION BY t.a)) f"),
        ("duckdb", ", LATERAL fn(t.b) f"),
        ("spark", ", LATERAL fn(t.b) f"),
    ],
)
def test_a_function_beside_a_table_may_read_others(lineage, dialect, source):
    """T-SQL's functions that give tables are queries; APPLY of one that is not known was complete."""
    result = lineage(f"INSERT INTO d.o (a, c) SELECT t.a, f.c FROM t {source}", dialect=dialect)

    assert result.codes() == {"opaque-call"}


@pytest.mark.parametrize(
    ("dialect", "source"),
    [
        ("tsql", "CROSS APPLY STRING_SPLIT(t.b, ',') f"),
        ("tsql", "CROSS APPLY t.b.nodes('/x') f(c)"),
        ("tsql", "CROSS APPLY sys.dm_exec_sql_text(t.b) f"),
        ("postgres", "CROSS JOIN LATERAL ST_Dump(t.b) f"),
        ("postgres", ", LATERAL pg_catalog.fn(t.b) f"),
        ("postgres", ", LATERAL jsonb_populate_recordset(NULL::d.x, t.b) f"),
        ("snowflake", ", LATERAL STRTOK_SPLIT_TO_TABLE(t.b) f"),
        ("hive", "LATERAL VIEW fn(t.b) f AS c"),
    ],
)
def test_a_function_that_only_makes_rows_leaves_no_doubt(lineage, dialect, source):
    """Nor does one of Hive's, which are programs without access to tables."""
    assert lineage(f"INSERT INTO d.o SELECT t.a FROM t {source}", dialect=dialect).codes() == set()


def test_the_schema_of_a_function_in_table_is_no_column(lineage):
    """``TABLE(db.sch.fn('x'))`` was reported to name an unknown column ``db.sch``."""
    result = lineage("INSERT INTO d.o (a) SELECT f.a FROM TABLE(db.sch.fn('x')) f", dialect="snowflake")

    assert result.codes() == {"opaque-call"}


@pytest.mark.parametrize(
    ("rows", "items", "expected"),
    [
        ("ROWS FROM (generate_series(1, far.n), generate_series(2, far.m)) AS s(p, q)", "p, s.q",
         {"p": "far#n", "q": "far#m"}),
        ("LATERAL ROWS FROM (unnest(far.n), unnest(far.m)) AS s(p, q)", "p, s.q", {"p": "far#n", "q": "far#m"}),
        ("ROWS FROM (jsonb_each(far.n), generate_series(1, far.m)) AS s(p, q, r)", "q AS p, r AS q",
         {"p": "far#n", "q": "far#m"}),
        ("ROWS FROM (jsonb_each(far.n)) WITH ORDINALITY AS s(k, v)", "v AS p, ordinality AS q", {"p": "far#n"}),
        ("ROWS FROM (unnest(far.n), unnest(far.m)) WITH ORDINALITY AS s(p, q, i)", "i AS p, q", {"q": "far#m"}),
        ("ROWS FROM (json_to_recordset(far.n) AS (x INT, y TEXT), generate_series(1, far.m))",
         "y AS p, generate_series AS q", {"p": "far#n", "q": "far#m"}),
    ],
)  # fmt: skip
def test_functions_side_by_side_have_the_columns_of_each(lineage, rows, items, expected):
    """ROWS FROM gave no columns: those that an alias names were unknown."""
    told = lineage(f"INSERT INTO o (p, q) SELECT {items} FROM far, {rows}", "postgres")

    assert told.names() == expected
    assert told.found.coverage == "complete"


def test_functions_side_by_side_may_be_unknown(lineage):
    """One that nobody knows makes one column where there are as many names as functions."""
    rows = "ROWS FROM (mystery(far.a), generate_series(1, far.b)) AS s(p, q)"
    told = lineage(f"INSERT INTO o (p, q) SELECT p, q FROM far, {rows}", "postgres")

    assert told.names() == {"p": "far#a", "q": "far#b"}
    assert told.codes() == {"opaque-call"}
