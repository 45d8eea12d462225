"""Other forms of a statement that the parser did not read."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.after.repair import repaired


def forms(sql: str, dialect: str) -> list[str | None]:
    """Return the forms of a statement in order."""
    return [text_of(form) for form in repaired(tokens_in(sql, dialect), engine_of(rules_or_standard(dialect)))]


@pytest.mark.parametrize(
    ("dialect", "sql", "plain"),
    [("clickhouse", "select a from t limit 1 by a limit 10", "select a from t limit 1 by a"),
     ("hive", "from t map a, b using 'x'", "from t SELECT TRANSFORM ( a , b ) using 'x'"),
     ("snowflake", "select v:using.x, v:end[0], v:not::int, v:on from t",
      "select v : using . x , v : end [ 0 ] , v : not :: int , v : on from t"),
     ("tsql", "update t set a += b", "update t set a = a + ( b )"),
     ("hive", "create table t (a int) strange clause as select 1", "create table t ( a int ) as select 1"),
     ("hive", "create table t (a int) partitioned by (d string) strange clause as select 1",
      "create table t ( a int ) PARTITIONED BY ( d string ) as select 1"),
     ("hive", "values (1) union select 2", "SELECT * FROM values ( 1 ) union select 2"),
     ("spark", "select 1 from t pivot (avg(a) + 1 as b for c in (1))",
      "select 1 from t pivot ( coalesce ( avg ( a ) + 1 ) as b for c in ( 1 ) )"),
     ("spark", "select 1 from f(table d.t)", "select 1 from f ( ( SELECT * FROM d . t ) )")],
)  # fmt: skip
def test_each_fault_has_its_form(dialect: str, sql: str, plain: str) -> None:
    """Nothing that a column comes from is lost."""
    assert forms(sql, dialect) == [plain]


def test_forms_add_up() -> None:
    """Each has one more change than the one before."""
    assert forms("create view v partitioned on (a) default collation unicode as select a", "spark") == [
        "create view v default collation unicode as select a",
        "create view v as select a",
    ]


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [("hive", "select a from t"), ("clickhouse", "select a from t limit 1 by a"),
     ("clickhouse", "select a from (select a from t limit 1 by a) limit 10"),
     ("hive", "create table t strange from u"),
     ("clickhouse", "create materialized view v to t as select 1"),
     ("tsql", "update t set a = b + c")],
)  # fmt: skip
def test_a_statement_without_such_a_fault_has_no_other_form(dialect: str, sql: str) -> None:
    """A query that does not begin as one, and a view's target, must not be lost."""
    assert forms(sql, dialect) == []
