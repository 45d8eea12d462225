"""Forms of single engines in words that mean the same."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql import extract
from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.before.engines import several as engines


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("select current date from t with ur", "select current_date from t"),
     ("select a + 7 days, days(a), days from t", "select a + 7 , days ( a ) , days from t"),
     ("select a concat b, concat(a, b) from t with ur", "select a || b , concat ( a , b ) from t"),
     ("select a concat b from t", "select a || b from t"),
     ("select a from t for read only", "select a from t"),
     ("select a from t optimize for 5 rows", "select a from t"),
     ("create table t (a int, period system_time (b, c), period business_time(d, e), period int)",
      "create table t ( a int , period int )"),
     ("create table t as (select 1) data initially deferred", "create table t as ( select 1 )"),
     ("select a from t", "select a from t")],
)  # fmt: skip
def test_db2s_registers_and_durations_are_plain(sql: str, plain: str) -> None:
    """A unit is one only after a number or a value; isolation levels go."""
    assert text_of(engines.plain_db2(tokens_in(sql, "db2"))) == plain


def test_a_declared_table_is_a_temporary_one() -> None:
    """With rows only where its definition does not say that it has none."""
    head = "declare global temporary table session.t as (select a from u)"
    made = "CREATE TEMPORARY table session . t as ( select a from u )"

    assert text_of(engines.plain_temporary(tokens_in(f"{head} with data on commit drop", "hive"))) == made
    assert text_of(engines.plain_temporary(tokens_in(f"{head} definition only", "hive"))) == f"{made} WITH NO DATA"
    assert text_of(engines.plain_temporary(tokens_in("declare a int"))) == "declare a int"


def test_a_query_of_a_change_is_both() -> None:
    """The query reads the changed table; FINAL TABLE of a name changes nothing."""
    parts = engines.changes_and_query(tokens_in("select a from final table (insert into d.t values (1)) as x"))

    assert parts is not None
    assert [text_of(part) for part in parts] == ["insert into d . t values ( 1 )", "select a from d . t as x"]
    assert engines.changes_and_query(tokens_in("select a from final table (t) as x")) is None


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("upsert into t select 1", "INSERT into t select 1"),
     ("select straight_join a from t join [shuffle] u", "select a from t join u"),
     ("select a[b] from t", "select a [ b ] from t")],
)  # fmt: skip
def test_impalas_hints_go(sql: str, plain: str) -> None:
    """An index in brackets is none."""
    assert text_of(engines.plain_impala(tokens_in(sql))) == plain


def test_verticas_limit_of_each_group_filters() -> None:
    """A limit of all rows stays; where a table's rows are kept goes."""
    dialect = engine_of(rules_or_standard("vertica")).dialect
    texts = {
        "select a from t limit 2 over (partition by b)":
            "select a from t QUALIFY row_number ( ) over ( partition by b ) <= 2",
        "select a from t limit 2": "select a from t limit 2",
        "create table t as select 1 segmented by hash(a) all nodes": "create table t as select 1",
    }  # fmt: skip

    for sql, plain in texts.items():
        found = text_of(engines.plain_vertica(tokens_in(sql, "postgres"), dialect))
        assert found is not None
        assert found.replace("partition by", "PARTITION BY") == plain.replace("partition by", "PARTITION BY")


def test_exasols_local_is_a_name() -> None:
    """Only before a dot; without one nothing is changed."""
    tokens = tokens_in("select local.a, local from t")
    found = engines.named_local(tokens)

    assert text_of(found) == "select LOCAL . a , local from t"
    assert text_of(tokens) == "select local . a , local from t"


@pytest.mark.parametrize(
    ("sql", "plain"),
    [
        ("select a from remote('h', d.t) as r", "select a from d . t as r"),
        ("select a from remoteSecure('h:9440', 'd', 't', 'user', 'word')", "select a from d . t"),
        ("select a from remote('h', 'd.t', 'user')", "select a from d . t"),
        ("select a from u, clusterAllReplicas('c', d, t) r", "select a from u , d . t r"),
        ("select a from cluster(c, system.parts, rand())", "select a from system . parts"),
        ("select a from remote('h', numbers(5))", "select a from numbers ( 5 )"),
        ("select a from cluster('c', view(select a from t))", "select a from ( select a from t )"),
        ("select a from u join dictionary('d.x') y using (a)", "select a from u join d . x y using ( a )"),
        ("insert into function remote('h', d.t) select 1", "insert into d . t select 1"),
        ("insert into table function remote('h', d.t) (a) select 1", "insert into table d . t ( a ) select 1"),
        ("select cluster, remote from t", "select cluster , remote from t"),
        ("select a from remote('h')", "select a from remote ( 'h' )"),
        ("create view view as select 1", "create view view as select 1"),
    ],
)
def test_clickhouses_functions_that_show_a_table_are_its_name(sql: str, plain: str) -> None:
    """Where the argument is another function, they are that one's call."""
    assert text_of(engines.plain_shown(tokens_in(sql, "clickhouse"))) == plain


@pytest.mark.parametrize("called", ["cluster('{c}', currentDatabase(), 't')", "remote('h', currentDatabase(), t)"])
def test_clickhouses_current_database_is_none_in_front_of_a_table(called: str) -> None:
    """It is that of the session, as for a table without one."""
    tokens = engines.plain_shown(tokens_in(f"select a from {called} as r", "clickhouse"))
    assert text_of(tokens) == "select a from t as r"


@pytest.mark.parametrize(
    "called",
    [
        "remote('h', f(), t)",
        "remote('h', d, f())",
        "remote('h', currentDatabase(), f())",
        "remote('h', '{{ db }}.t')",
        "remote('h', '{{ db }}', 't')",
        "cluster('c', '${db}', 't')",
        "cluster('c', 'd.', 't')",
    ],
)
def test_a_table_that_clickhouses_functions_do_not_name_plainly_is_not_known(lineage, called: str) -> None:
    """A function may make a part of its name, or a template."""
    told = lineage(f"INSERT INTO x SELECT a FROM {called}", dialect="clickhouse")

    assert told.found.coverage != "complete"
    assert (told.found.reads, told.codes() & {"opaque-call"}) == ((), {"opaque-call"})


@pytest.mark.parametrize(
    "sql",
    [
        "insert into cluster ( a , b , c ) select a , b , c from t",
        "insert into d . loop ( a , b ) select a , b from t",
        "insert into table dictionary ( a ) select a from t",
        "with cluster ( a , b ) as ( select 1 , 2 ) select * from cluster",
        "with q as ( select a from t ) , loop ( a , b ) as ( select 1 , 2 ) select * from q , loop",
        "insert into x ( k , view ) select k , view from t",
        "with q as ( select a from view ) select * from q",
        "select a , cluster ( b , c , d ) from t order by a , loop ( b )",
        "select a from t array join loop ( b ) as c",
    ],
)
def test_what_has_the_name_of_such_a_function_keeps_it(sql: str) -> None:
    """A table, a query in WITH, a column or a function of one's own."""
    assert engines.plain_shown(tokens := tokens_in(sql, "clickhouse")) == tokens


@pytest.mark.parametrize(
    ("sql", "plain"),
    [
        ("select 1 from a join b on x, loop(d.t)", "select 1 from a join b on x , d . t"),
        ("select 1 from (select 1, 2) q, loop(d.t)", "select 1 from ( select 1 , 2 ) q , d . t"),
        ("select 1 from view(select 1) q, loop(d.t)", "select 1 from ( select 1 ) q , d . t"),
        ("select 1 where a in remote('h', d.t)", "select 1 where a in d . t"),
    ],
)
def test_such_a_function_comes_after_a_comma_in_from_as_well(sql: str, plain: str) -> None:
    """What is in brackets before it has clauses of its own."""
    assert text_of(engines.plain_shown(tokens_in(sql, "clickhouse"))) == plain


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE projection AS SELECT encoding, a FROM t",
        "CREATE VIEW projection AS SELECT encoding, a FROM t",
        "CREATE OR REPLACE VIEW projection AS SELECT encoding, a FROM t",
        "CREATE PROJECTION projection (encoding, a ENCODING rle) AS SELECT encoding, a FROM t",
    ],
)
def test_verticas_tables_and_columns_may_have_the_names_of_clauses(lineage, sql: str) -> None:
    """PROJECTION is a kind only right after CREATE, ENCODING a clause only after a column."""
    told = lineage(sql, dialect="vertica", columns={"n:d.t": ("a", "encoding")})

    assert told.names("d.projection") == {"a": "t#a", "encoding": "t#encoding"}
    assert told.found.coverage == "complete"


@pytest.mark.parametrize(
    ("sql", "plain"),
    [
        ("copy t (a) from local '/f' delimiter ','", "copy t ( a ) from '/f' delimiter ','"),
        ("copy t from '/f'", "copy t from '/f'"),
        ("copy local from '/f'", "copy local from '/f'"),
        ("export to parquet(compression = 'zlib', directory = '/x') over (partition by a) as select a from t",
         "COPY ( select a from t ) TO '/x'"),
        ("export to parquet(compression = 'zlib') as select a from t",
         "export to parquet ( compression = 'zlib' ) as select a from t"),
        ("create projection d.p (a encoding rle, b) as select a, b from t segmented by hash(a) all nodes",
         "create VIEW d . p ( a , b ) as select a , b from t"),
    ],
)  # fmt: skip
def test_verticas_copies_are_plain(sql: str, plain: str) -> None:
    """A projection is a copy of rows that may be read by its name; files are where ``directory`` says."""
    dialect = engine_of(rules_or_standard("vertica")).dialect
    assert text_of(engines.plain_vertica(tokens_in(sql, "vertica"), dialect)) == plain


@pytest.mark.parametrize(
    ("sql", "target", "names"),
    [
        ("EXPORT TO PARQUET(directory = '/x') AS SELECT a FROM t", "file:/x", {"a"}),
        ("CREATE PROJECTION p (a ENCODING RLE, z) AS SELECT a, b FROM t ORDER BY a", "n:d.p", {"a", "z"}),
    ],
)
def test_verticas_copies_have_edges(lineage, sql: str, target: str, names: set[str]) -> None:
    """They were statements that are not understood."""
    found = lineage(sql, dialect="vertica").found
    assert {edge.target for edge in found.edges if edge.type == "DIRECT"} == {f"{target}#{name}" for name in names}
    assert found.coverage == "complete"


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("update low_priority ignore t set a = b", "update t set a = b"),
     ("delete low_priority quick ignore from t where a = 1", "delete from t where a = 1"),
     ("insert delayed ignore into t select 1", "insert ignore into t select 1"),
     ("insert high_priority t select 1", "insert t select 1"),
     ("replace low_priority into t select 1", "INSERT into t select 1"),
     ("delete from a, d.b using t as a join d.b", "delete a , d . b FROM t as a join d . b"),
     ("delete a.*, b from t as a join b", "delete a , b FROM t as a join b"),
     ("create table t (key (c)) ignore select a as c from u", "create table t ( key ( c ) ) select a as c from u"),
     ("create table t replace as (select 1)", "create table t as ( select 1 )"),
     ("delete from t", "delete from t"),
     ("update t set quick = 1", "update t set quick = 1"),
     ("create table t (a int)", "create table t ( a int )")],
)  # fmt: skip
def test_mysqls_priorities_go_and_targets_come_first(sql: str, plain: str) -> None:
    """A word is a priority only in front of the table; IGNORE of an INSERT is the parser's."""
    dialect = engine_of(rules_or_standard("mysql")).dialect

    assert text_of(engines.plain_mysql(tokens_in(sql, "mysql"), dialect)) == plain


def test_mysql_deletes_from_the_tables_that_its_list_names() -> None:
    """A name before USING is that of one of the tables after it, or its alias; no table of that name is written."""
    found = extract("DELETE FROM x, u USING t AS x JOIN u ON x.a = u.a", dialect="mysql", namespace="n")

    assert (found.coverage, found.writes) == ("complete", ("n:t", "n:u"))
    assert {(e.source, e.target) for e in found.edges} == {
        (source, target) for source in ("n:t#a", "n:u#a") for target in ("n:t", "n:u")
    }
