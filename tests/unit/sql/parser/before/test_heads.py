"""Clauses at the head of INSERT, DELETE, MERGE and CREATE."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.before import heads


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("insert into t with label x (a) select 1", "insert into t ( a ) select 1"),
     ("insert overwrite t temporary partition (p) select 1", "insert overwrite t partition ( p ) select 1"),
     ("insert overwrite table t partition (p = 1) if not exists select 1",
      "insert overwrite table t partition ( p = 1 ) select 1"),
     ("insert into t (a) overriding system value select 1", "insert into t ( a ) select 1"),
     ("insert into t properties ('a' = 'b') select 1", "insert into t select 1"),
     ("insert into t select 1 from u zorder by a, b", "insert into t select 1 from u"),
     ("insert into t select properties from u", "insert into t select properties from u")],
)  # fmt: skip
def test_an_insert_keeps_its_table_columns_and_query(sql: str, plain: str) -> None:
    """Labels, options and orders go; words of the query stay."""
    assert text_of(heads.plain_insert(tokens_in(sql, "doris"))) == plain


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("delete from d.t partition p where a", "delete from d . t where a"),
     ("delete from t partitions (p, q) where a", "delete from t where a"),
     ("delete from t where a", "delete from t where a")],
)  # fmt: skip
def test_a_delete_looks_at_all_partitions(sql: str, plain: str) -> None:
    """One name or several in brackets."""
    assert text_of(heads.plain_delete(tokens_in(sql, "doris"))) == plain


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("merge with schema evolution into t using s on a when matched then delete",
      "merge into t using s on a when matched then delete"),
     ("merge into t using s on a remove duplicates", "merge into t using s on a WHEN NOT MATCHED THEN INSERT *"),
     ("merge into t using s on a when matched then update set b = 1 delete where c",
      "merge into t using s on a when matched then update set b = 1 where c"),
     ("merge into t using s on a when matched then update set b = 1 where d delete where c",
      "merge into t using s on a when matched then update set b = 1 where d AND c")],
)  # fmt: skip
def test_a_merges_conditions_stay(sql: str, plain: str) -> None:
    """That of DELETE WHERE decides as a WHERE does, with another one beside it."""
    dialect = engine_of(rules_or_standard("oracle")).dialect

    assert text_of(heads.plain_merge(tokens_in(sql, "oracle"), dialect)) == plain


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("create foreign table t (a int) server s options (b 'c')", "create table t ( a int )"),
     ("create table t deep clone u", "create table t clone u"),
     ("create table t as pivot u on a", "create table t as SELECT * FROM ( pivot u on a )"),
     ("create materialized view v grace period interval '1' hour when stale inline as select 1",
      "create materialized view v as select 1"),
     ("create materialized view v build immediate refresh fast as select 1", "create materialized view v as select 1"),
     ("create materialized view v to t populate as select 1", "create materialized view v to t as select 1"),
     ("create table t as select 1 distributed by (a)", "create table t as select 1"),
     ("create table t as select 1 distributed randomly", "create table t as select 1"),
     ("create table t as select distributed from u", "create table t as select distributed from u"),
     ("create sink s as select 1 with (a = 'b')", "CREATE VIEW s AS select 1"),
     ("create sink if not exists s from d.t with (a = 'b')", "CREATE VIEW s AS SELECT * FROM d . t"),
     ("create sink s into d.t as select 1", "INSERT INTO d . t select 1"),
     ("create temporary view v using parquet options (path '/x')",
      "create temporary view v AS SELECT * FROM parquet . /x"),
     ("create or refresh streaming table t (constraint c expect (a > 1) on violation drop row, b int) as select 1",
      "create table t ( b int ) as SELECT * FROM ( select 1 ) WHERE ( a > 1 )"),
     ("create live table t (constraint c expect (a > 1)) as select 1", "create table t as select 1")],
)  # fmt: skip
def test_a_create_keeps_its_name_columns_and_query(sql: str, plain: str) -> None:
    """A sink is a view, or fills its table; a constraint that leaves rows out is a filter."""
    assert text_of(heads.plain_create(tokens_in(sql, "spark"))) == plain


@pytest.mark.parametrize(
    ("sql", "plain"),
    [
        ("create macro f(a, b := 2, c := [1, 'x']) as a", "create macro f ( a , b , c ) as a"),
        ("create or replace temp macro m.f(b := 2) as table select b", "create or replace temp macro m . f ( b ) "
         "as table select b"),
        ("create macro f() as (a)", "create macro f ( ) as ( a )"),
        ("create function f(a int, b) as g(c := a)", "create function f ( a int , b ) as g ( c := a )"),
    ],
)  # fmt: skip
def test_a_macro_keeps_its_parameters_without_their_defaults(sql: str, plain: str) -> None:
    """Of the body nothing is left out."""
    assert text_of(heads.plain_create(tokens_in(sql, "duckdb"))) == plain


def test_an_argument_that_a_call_leaves_out_is_a_constant(lineage) -> None:
    """One that it gives by name is the argument."""
    macro = "CREATE MACRO f(p, q := 2) AS p * q"
    result = lineage(f"{macro}; SELECT f(a) AS x, f(a, q := b) AS y FROM t", dialect="duckdb")

    assert result.names() == {"x": "t#a", "y": "t#a t#b"}
    assert result.found.coverage == "complete"


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE SEARCH INDEX i ON d.t (a, b)",
        "CREATE SEARCH INDEX IF NOT EXISTS i ON d.t (ALL COLUMNS) OPTIONS (analyzer = 'LOG_ANALYZER')",
        "CREATE OR REPLACE VECTOR INDEX i ON d.t (a) STORING (b) OPTIONS (index_type = 'IVF')",
    ],
)
def test_an_index_of_bigquery_moves_no_rows(lineage, sql: str) -> None:
    """Of words or of vectors, as any other."""
    result = lineage(sql, dialect="bigquery")

    assert (result.found.edges, result.found.writes, result.found.coverage) == ((), (), "complete")


@pytest.mark.parametrize("change", [heads.plain_insert, lambda tokens: heads.plain_merge(tokens, None)])
@pytest.mark.parametrize("whose", ["system", "user"])
def test_whose_values_an_identity_has_goes(change, whose: str) -> None:
    """Of an INSERT and of a MERGE's; a column may be called so."""
    sql = f"insert into t (a, b) overriding {whose} value select a, overriding from u"
    assert text_of(change(tokens_in(sql, "postgres"))) == "insert into t ( a , b ) select a , overriding from u"


@pytest.mark.parametrize("columns", ["", "(a, b) "])
def test_an_insert_that_overrides_an_identity_has_its_edges(lineage, columns: str) -> None:
    """It was a syntax error."""
    sql = f"INSERT INTO u {columns}OVERRIDING SYSTEM VALUE SELECT a, b FROM t"
    told = lineage(sql, dialect="postgres", columns={"n:d.t": ("a", "b"), "n:d.u": ("a", "b")})
    assert told.names("d.u") == {"a": "t#a", "b": "t#b"}
    assert told.found.coverage == "complete"


def test_whose_values_an_identity_has_goes_after_many_columns(lineage) -> None:
    """However long the list of columns is."""
    names = [f"c{place}" for place in range(60)]
    sql = f"INSERT INTO o ({', '.join(names)}) OVERRIDING USER VALUE SELECT {', '.join(names)} FROM t"
    told = lineage(sql, dialect="postgres", columns={"n:d.t": tuple(names)})

    assert told.names("d.o") == {name: f"t#{name}" for name in names}
    assert told.found.coverage == "complete"


def test_all_changes_of_a_merge_may_override_an_identity() -> None:
    """As many as there are."""
    branch = "when not matched and a = 1 then insert ( a )"
    sql = f"merge into t using s on b {f'{branch} overriding user value values ( 1 ) ' * 1500}"
    plain = f"merge into t using s on b {f'{branch} values ( 1 ) ' * 1500}".strip()
    assert text_of(heads.plain_merge(tokens_in(sql, "postgres"), None)) == plain


@pytest.mark.parametrize(
    ("sql", "target", "names"),
    [
        ("INSERT INTO o (overriding, value) SELECT a, b FROM t", "d.o", {"overriding": "t#a", "value": "t#b"}),
        ("INSERT INTO o (overriding, b, value) SELECT a, b, c FROM t", "d.o",
         {"overriding": "t#a", "b": "t#b", "value": "t#c"}),
        ("INSERT INTO overriding (value) SELECT a FROM t", "d.overriding", {"value": "t#a"}),
        ("MERGE INTO o USING t ON o.a = t.a WHEN NOT MATCHED THEN INSERT (overriding, value) VALUES (t.a, t.b)", "d.o",
         {"overriding": "t#a", "value": "t#b"}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dialect", ["postgres", "spark", "duckdb"])
def test_columns_and_tables_may_be_called_overriding(lineage, sql: str, target: str, names, dialect: str) -> None:
    """Only with SYSTEM or USER in the middle do the three words say whose values an identity has."""
    told = lineage(sql, dialect=dialect)

    assert told.names(target) == names
    assert told.found.coverage == "complete"


@pytest.mark.parametrize("dialect", ["vertica", "postgres", "redshift"])
@pytest.mark.parametrize(
    "head",
    [
        "CREATE LOCAL TEMP TABLE q",
        "CREATE LOCAL TEMPORARY TABLE q ON COMMIT PRESERVE ROWS",
        "CREATE OR REPLACE LOCAL TEMPORARY TABLE q",
    ],
)
def test_a_local_temporary_table_is_looked_through(lineage, dialect: str, head: str) -> None:
    """It was a statement that is not understood, and then a stored table."""
    told = lineage(f"{head} AS SELECT a FROM t WHERE b > 1; INSERT INTO o SELECT a FROM q", dialect=dialect)
    assert (told.names(), told.decisions()) == ({"a": "t#a"}, {"FILTER": "t#b"})
    assert told.found.coverage == "complete"


@pytest.mark.parametrize("clause", ["with check option", "with local check option", "with cascaded check option"])
def test_what_a_view_checks_of_written_rows_goes(clause: str) -> None:
    """Its name, where a constraint has one, goes as well; a WITH of another kind stays."""
    view = "create view v as select a from t where b = 1"

    assert text_of(heads.plain_create(tokens_in(f"{view} {clause}", "mysql"))) == view
    assert text_of(heads.plain_create(tokens_in(f"{view} {clause} constraint c", "oracle"))) == view
    assert text_of(heads.plain_create(tokens_in(f"{view} with no data", "mysql"))) == f"{view} with no data"
