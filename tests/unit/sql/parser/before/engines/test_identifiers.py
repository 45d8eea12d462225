"""``IDENTIFIER(…)`` as the name that it says, or that shows what it depends on."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.before.engines.identifiers import plain_identifiers, without_value


@pytest.mark.parametrize(
    ("dialect", "sql", "plain", "unknown"),
    [
        ("snowflake", "select a from identifier('d.' || 't')", "select a from d . t", []),
        ("databricks", "select a from identifier('`d e`.t')", "select a from d e . t", []),
        ("databricks", "insert into identifier(:o) select a", "insert into ${o} select a", ["o"]),
        ("databricks", "use catalog identifier(:c)", "use catalog ${c}", ["c"]),
        ("databricks", "select a from identifier(:c || '.d.' || :t)", "select a from ${c} . d . ${t}", ["c", "t"]),
        ("databricks", "select a from identifier(:c || '_x.t')", "select a from ${c}_x . t", ["c"]),
        ("databricks", "select a from identifier('${c.d}.{{ e }}')", "select a from ${c_d} . {{e}}", ["c.d", "e"]),
        ("databricks", "select a from identifier(name)", "select a from ${name}", ["name"]),
        ("databricks", "select identifier(:c).a from t", "select ${c} . a from t", ["c"]),
        ("snowflake", "select a from identifier(null)", "select a from identifier ( null )", []),
        ("databricks", "select a from identifier(lower(:c))", "select a from ${lower(:c)}", ["lower(:c)"]),
        ("databricks", "select identifier from t", "select identifier from t", []),
        ("databricks", "insert into identifier(a, b) select", "insert into identifier ( a , b ) select", []),
        ("databricks", "create table identifier (a int)", "create table identifier ( a int )", []),
        ("databricks", "with identifier(a) as (select b)", "with identifier ( a ) as ( select b )", []),
        ("databricks", "select a from identifier('t'", "select a from identifier ( 't'", []),
    ],
)
def test_a_name_shows_what_it_depends_on(dialect: str, sql: str, plain: str, unknown: list[str]) -> None:
    """Of a parameter, a variable or a template part only a run knows the value; the parts that are known stay."""
    tokens = tokens_in(sql, dialect)

    assert text_of(plain_identifiers(tokens, engine_of(rules_or_standard(dialect)).dialect)) == plain
    assert without_value(tokens) == unknown


@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        ("INSERT INTO IDENTIFIER(:o) SELECT t.a FROM t", {("t", "${o}")}),
        ("INSERT INTO IDENTIFIER('${c}.o') SELECT t.a FROM t", {("t", "n:${c}.o")}),
        ("CREATE TABLE IDENTIFIER(:c || '.o') AS SELECT t.a FROM t", {("t", "n:${c}.o")}),
        ("MERGE INTO IDENTIFIER(:o) x USING t ON x.a = t.a WHEN MATCHED THEN UPDATE SET b = t.b",
         {("t", "${o}"), ("${o}", "${o}")}),
        ("DELETE FROM IDENTIFIER(:o) WHERE a = 1", {("${o}", "${o}")}),
        ("USE IDENTIFIER(:s); INSERT INTO o SELECT a FROM d.t", {("t", "n:${s}.o")}),
        ("DECLARE v STRING; INSERT INTO IDENTIFIER(v) SELECT t.a FROM t", {("t", "${v}")}),
    ],
)  # fmt: skip
def test_a_table_that_a_parameter_names_is_not_known(lineage, sql, tables):
    """It was a table called ``identifier``, in a complete answer: all tasks that are handed a name wrote that one."""
    result = lineage(sql, "databricks", target=None)

    assert result.tables() == tables
    assert result.codes() == {"template"}
