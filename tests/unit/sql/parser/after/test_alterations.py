"""ALTER TABLE read action by action."""

from __future__ import annotations

import pytest
from token_texts import tokens_in

from ingest.sql import extract
from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.after.alterations import altered, is_lost
from ingest.sql.parser.attempts import attempt


def columns_after(dialect: str, change: str) -> tuple[str, str]:
    """Return the columns of a table t(a, b, c) after a change, and how much of it is understood."""
    if dialect == "clickhouse":
        made = "CREATE TABLE t (a Int32, b Int32, c Int32) ENGINE = Memory"
    else:
        made = "CREATE TABLE t (a INT, b INT, c INT)"
    found = extract(f"{made}; ALTER TABLE t {change}", dialect=dialect, namespace="n")
    return " ".join(next(iter(dict(found.outputs).values()))).lower(), found.coverage


@pytest.mark.parametrize(
    ("dialect", "change", "expected"),
    [
        ("postgres", "ADD COLUMN z INT, ALTER COLUMN b SET STATISTICS 100", "a b c z"),
        ("postgres", "ADD COLUMN z INT, OWNER TO x, DROP COLUMN b", "a c z"),
        ("postgres", "ADD z INT, ADD CONSTRAINT k CHECK (a > 0), ENABLE ROW LEVEL SECURITY", "a b c z"),
        ("postgres", "RENAME b TO z", "a z c"),
        ("mysql", "ADD COLUMN z INT, ADD PARTITION (PARTITION p VALUES LESS THAN (2000))", "a b c z"),
        ("mysql", "ADD COLUMN z INT, AUTO_INCREMENT = 5, CONVERT TO CHARACTER SET utf8", "a b c z"),
        ("tsql", "DROP CONSTRAINT k, COLUMN b", "a c"),
        ("tsql", "DROP COLUMN b, c, CONSTRAINT k", "a"),
        ("tsql", "DROP CONSTRAINT b, c", "a b c"),
        ("tsql", "ADD CONSTRAINT k CHECK (a > 0), z INT", "a b c z"),
        ("bigquery", "RENAME COLUMN a TO x, RENAME COLUMN c TO z", "x b z"),
        ("clickhouse", "RENAME COLUMN a TO x, COMMENT COLUMN b 'y'", "x b c"),
        (
            "clickhouse",
            "ADD COLUMN z Int32 CODEC(ZSTD) AFTER b, DROP INDEX i, MODIFY COLUMN a REMOVE DEFAULT",
            "a b z c",
        ),
        ("clickhouse", "ON CLUSTER k ADD COLUMN z Int32, MODIFY TTL d + INTERVAL 1 DAY", "a b c z"),
        ("hive", "CHANGE b z INT AFTER c", "a c z"),
        ("hive", "CHANGE COLUMN c c INT COMMENT 'x' FIRST", "c a b"),
        ("hive", "CHANGE COLUMN b z STRUCT<x: INT, y: MAP<STRING, INT>> AFTER c CASCADE", "a c z"),
        ("hive", "PARTITION (p = 1) CHANGE b z INT AFTER a", "a z c"),
        ("hive", "CHANGE form z INT AFTER a", "a b c"),
        ("hive", "REPLACE COLUMNS (a INT COMMENT 'it''s', z STRUCT<x: INT>)", "a z"),
        ("hive", "ADD COLUMNS (z INT COMMENT 'it''s')", "a b c z"),
        ("spark", "ALTER COLUMN c FIRST", "c a b"),
        ("spark", "CHANGE COLUMN a AFTER b", "b a c"),
        ("databricks", "ALTER COLUMN a AFTER nowhere", "a b c"),
        ("oracle", "MODIFY (a INT)", "a b c"),
        ("oracle", "MODIFY a INT4 NOT NULL", "a b c"),
        ("oracle", "MODIFY (a DEFAULT 3, b NOT NULL)", "a b c"),
        ("oracle", "ADD (z INT) MODIFY (a INT)", "a b c z"),
        ("oracle", "DROP (a, c)", "b"),
        ("oracle", "SET UNUSED (a, c) ONLINE", "b"),
        ("oracle", "SET UNUSED COLUMN a", "b c"),
        ("db2", "ADD COLUMN y INT ADD COLUMN z INT", "a b c y z"),
        ("db2", "ALTER COLUMN b SET DATA TYPE BIGINT ADD COLUMN z INT", "a b c z"),
        ("teradata", "DROP c, ADD z INT NULL", "a b z"),
        ("teradata", "RENAME c TO z", "a b z"),
        ("impala", "DROP c", "a b"),
        ("flink", "DROP (a, c)", "b"),
        ("flink", "ADD (y INT COMMENT 'x' FIRST, z STRING AFTER b, PRIMARY KEY (a) NOT ENFORCED)", "y a b z c"),
        ("flink", "MODIFY (c BIGINT FIRST)", "c a b"),
        ("maxcompute", "CHANGE COLUMN c c BIGINT FIRST", "c a b"),
        ("snowflake", "ADD COLUMN y INT COMMENT 'x', comment STRING, ADD SEARCH OPTIMIZATION", "a b c y comment"),
        ("snowflake", "ALTER a SET NOT NULL, COLUMN b SET DATA TYPE BIGINT", "a b c"),
    ],
)
def test_the_columns_are_those_after_all_actions(dialect: str, change: str, expected: str) -> None:
    """One action that the parser leaves as text hid the others, or all of them, in a complete answer."""
    assert columns_after(dialect, change) == (expected, "complete")


@pytest.mark.parametrize(
    ("dialect", "change"),
    [
        ("postgres", "ADD COLUMN z FROBNI CATE"),
        ("postgres", "ADD COLUMN z INT, ADD FROBNICATE y INT"),
        ("postgres", "ADD COLUMN z INT, INSRT INTO x SELECT a FROM b"),
        ("hive", "CHANGE a z"),
        ("spark", "ALTER COLUMN a.x AFTER b"),
    ],
)
def test_an_action_on_columns_that_is_not_read_is_a_problem(dialect: str, change: str) -> None:
    """The columns stay as they were before; whether they are so is not known."""
    columns, coverage = columns_after(dialect, change)

    assert columns == "a b c"
    assert coverage != "complete"


@pytest.mark.parametrize(
    ("dialect", "change"),
    [
        ("hive", "ADD IF NOT EXISTS PARTITION (p = 1) PARTITION (p = 2)"),
        ("hive", "SET TBLPROPERTIES ('a' = 'b')"),
        ("hive", "CHANGE b COMMENT 'a word'"),
        ("mysql", "CHANGE b COMMENT 'a word'"),
        ("spark", "CHANGE COLUMN b SET NOT NULL"),
        ("spark", "CHANGE COLUMN b DROP DEFAULT"),
        ("snowflake", "ADD ROW ACCESS POLICY p ON (a)"),
        ("snowflake", "DROP ROW ACCESS POLICY p"),
        ("snowflake", "CLUSTER BY (a, b)"),
        ("oracle", "ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS"),
        ("oracle", "MODIFY PARTITION p ADD VALUES (1)"),
        ("teradata", "MODIFY PRIMARY INDEX (a)"),
        ("doris", "ADD ROLLUP r (a, b)"),
        ("flink", "MODIFY WATERMARK FOR ts AS ts"),
        ("db2", "ALTER COLUMN a DROP NOT NULL ALTER COLUMN b SET NOT NULL"),
        ("redshift", "ALTER DISTSTYLE KEY DISTKEY a, ALTER SORTKEY (b)"),
    ],
)
def test_what_is_no_column_changes_none(dialect: str, change: str) -> None:
    """Whatever an engine has beside columns."""
    assert columns_after(dialect, change) == ("a b c", "complete")


@pytest.mark.parametrize(
    "sql", ["select a from t", "alter view v rename to w", "alter table t", "alter table", "alter"]
)
def test_other_statements_have_no_actions(sql: str) -> None:
    """Nor has one that is not finished."""
    dialect = engine_of(rules_or_standard("hive")).dialect

    assert altered(tokens_in(sql), lambda tokens: attempt(sql, tokens, dialect)) is None


@pytest.mark.parametrize(
    ("sql", "lost"),
    [
        ("alter table t drop (a)", True),
        ("alter table t rename a to b", True),
        ("alter table t drop column a", False),
        ("alter table t rename to b", False),
        ("select a from t", False),
    ],
)
def test_a_part_of_a_tree_may_be_text(sql: str, lost: bool) -> None:
    """Or a name may be taken for another one."""
    (node,), _ = attempt(sql, tokens_in(sql, "oracle"), engine_of(rules_or_standard("oracle")).dialect)

    assert is_lost(node) == lost
