"""Loads and merges in words of single engines, as statements that every dialect has."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.scripts.ingestions import plainly


def plain(sql: str, dialect: str) -> list[str | None] | None:
    """Return the statements as texts."""
    parts = plainly(tokens_in(sql, dialect), engine_of(rules_or_standard(dialect)).dialect)
    return None if parts is None else [text_of(part) for part in parts]


def test_applied_changes_are_a_merge_on_the_keys() -> None:
    """Of each key the last row counts; what deletes rows decides about them as a filter does."""
    sql = "apply changes into d.t from stream(s) keys (k, l) apply as delete when op = 'D' sequence by e"
    source = "SELECT * FROM s WHERE op = 'D' QUALIFY row_number ( ) OVER ( ORDER BY e ) = 1"
    on = "applied_to . k = applied . k AND applied_to . l = applied . l"

    assert plain(sql, "databricks") == [
        f"MERGE INTO d . t AS applied_to USING ( {source} ) AS applied ON {on} "
        "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
    ]


def test_a_history_of_changes_has_when_each_row_held() -> None:
    """Type 2 adds two columns of the sequence to the listed ones."""
    sql = "auto cdc into t from s keys (k) sequence by e columns (a) stored as scd type 2"
    made = plain(sql, "databricks")

    assert made is not None
    assert "( SELECT a , e AS __START_AT , e AS __END_AT FROM s QUALIFY" in str(made[0])


@pytest.mark.parametrize(
    "sql",
    ["apply changes into t from s sequence by e", "apply changes into t from s keys (k)", "apply changes into t",
     "update t set a = 1", "insert into t values (1)", "load data inpath 'x' into table t"],
)  # fmt: skip
def test_what_lacks_a_part_is_left_to_the_parser(sql: str) -> None:
    """Neither a half-written statement nor a usual one is changed."""
    assert plain(sql, "databricks") is None


def test_a_labelled_load_fills_tables_of_its_database() -> None:
    """A table with a database of its own keeps it, and each file is a load."""
    sql = 'load label d.l (data infile("p", "q") into table t, data infile("r") into table e.u)'

    assert plain(sql, "doris") == [
        "LOAD DATA INPATH 'p' INTO TABLE d . t",
        "LOAD DATA INPATH 'q' INTO TABLE d . t",
        "LOAD DATA INPATH 'r' INTO TABLE e . u",
    ]


def test_a_routine_load_reads_a_topic_of_the_first_broker() -> None:
    """Without the topic nothing is known of where rows come from."""
    options = '"kafka_broker_list" = "b:9092,c:9092"'

    assert plain(f'create routine load d.job on t from kafka ({options}, "kafka_topic" = "x")', "doris") == [
        "LOAD DATA INPATH 'kafka://b:9092/x' INTO TABLE d . t"
    ]
    assert plain(f"create routine load d.job on t from kafka ({options})", "doris") is None


def test_an_import_reads_each_of_its_files() -> None:
    """The server is not a file."""
    assert plain("import into d.t from csv at 'srv' file 'a.csv' file 'b.csv'", "exasol") == [
        "LOAD DATA INPATH 'a.csv' INTO TABLE d . t",
        "LOAD DATA INPATH 'b.csv' INTO TABLE d . t",
    ]


def test_returning_into_is_the_change_and_a_query_of_its_table() -> None:
    """RETURNING alone sets no variable."""
    assert plain("delete from d.t where a = 1 returning b into strict v", "postgres") == [
        "delete from d . t where a = 1",
        "SELECT b into v FROM d . t",
    ]
    assert plain("insert into t values (1) returning a", "postgres") is None


def test_an_update_or_else_insert_is_two_statements() -> None:
    """Teradata runs the INSERT where no row was there."""
    assert plain("update t set a = 1 where k = 2 else insert into t values (2, 1)", "teradata") == [
        "update t set a = 1 where k = 2",
        "insert into t values ( 2 , 1 )",
    ]
