"""Rows between tables and files, in a form that the parser reads."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.before import loads

HIVE = engine_of(rules_or_standard("hive")).dialect


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("unload ('select a from t where b = ''x''') to '/p' options", "COPY ( select a from t where b = 'x' ) to '/p'"),
     ("unload (select a from t) to '/p'", "COPY ( select a from t ) to '/p'"),
     ("unload (select a) into '/p'", None), ("unload ('select a') to", None), ("unload", None)],
)  # fmt: skip
def test_unload_is_a_copy_of_its_query(sql: str, plain: str | None) -> None:
    """A query in quotes is read as one; a statement without a path stays."""
    tokens = tokens_in(sql, "trino")

    assert text_of(loads.copy_of_unload(tokens, HIVE)) == (plain or text_of(tokens))


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("select a from t into outfile 'x' fields terminated by ','", "COPY ( select a from t ) TO 'x'"),
     ("select a into outfile 'x' from t", "COPY ( select a from t ) TO 'x'"),
     ("select outfile from t", None), ("select a into outfile", None)],
)  # fmt: skip
def test_outfile_may_come_before_the_source(sql: str, plain: str | None) -> None:
    """Options go; a column of that name is none."""
    tokens = tokens_in(sql, "mysql")

    assert text_of(loads.copy_of_outfile(tokens)) == (plain or text_of(tokens))


def test_an_insert_into_files_is_a_copy() -> None:
    """To its path, whatever other options there are; without one it stays."""
    found = loads.copy_of_files(tokens_in("insert into files('format' = 'csv', 'path' = 'x') select a from t", "mysql"))
    pathless = tokens_in("insert into files('format' = 'csv') select a from t", "mysql")

    assert text_of(found) == "COPY ( select a from t ) TO 'x'"
    assert loads.copy_of_files(pathless) == pathless


def test_mysqls_load_is_hives() -> None:
    """Columns and what happens to duplicates go; Hive's own stays."""
    found = loads.plain_load(tokens_in("load data local infile 'x' replace into table d.t (a, b)", "mysql"))
    hives = tokens_in("load data inpath 'x' into table t")

    assert text_of(found) == "load data INPATH 'x' into table d . t"
    assert loads.plain_load(hives) == hives


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("create materialized view v as select 1 with no data", "create materialized view v as select 1"),
     ("create table t as select 1 with data", "create table t as select 1"),
     ("create table t as select 1 with no data", "create table t as select 1 with no data"),
     ("create view v as select data", "create view v as select data")],
)  # fmt: skip
def test_only_a_table_stays_empty_without_data(sql: str, plain: str) -> None:
    """A view is refreshed later, from the same query."""
    assert text_of(loads.without_data(tokens_in(sql, "postgres"))) == plain


def test_append_from_moves_rows_by_name() -> None:
    """Another ALTER stays."""
    other = tokens_in("alter table a add column b int", "redshift")
    found = loads.insert_of_append(tokens_in("alter table d.a append from e.b ignoreextra", "redshift"), HIVE)

    assert text_of(found) == "INSERT INTO d . a BY NAME SELECT * FROM e . b"
    assert loads.insert_of_append(other, HIVE) == other


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("insert overwrite directory '/x' using parquet select 1", "insert overwrite directory '/x' select 1"),
     ("insert overwrite directory using csv options (path '/y', a 'b') select 1",
      "insert overwrite directory '/y' select 1"),
     ("insert overwrite directory '/x' using csv options (a 'b') select 1", "insert overwrite directory '/x' select 1"),
     ("insert overwrite table t select 1 from a join b using (c)",
      "insert overwrite table t select 1 from a join b using ( c )")],
)  # fmt: skip
def test_a_directory_is_its_path(sql: str, plain: str) -> None:
    """Given before the format or among the options."""
    assert text_of(loads.plain_directory(tokens_in(sql, "spark"))) == plain


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("copy (select a from t) to stdout with (format csv)", "select a from t"),
     ("copy d.t to stdout", "SELECT * FROM d . t"), ("copy t (a, b) to stdout csv", "SELECT a , b FROM t"),
     ("copy t to '/x'", "copy t to '/x'"), ("copy t from stdin", "copy t from stdin"),
     ("copy t from '/x' file_format = a.b.c on_error = skip", "copy t from '/x' file_format = 'a.b.c' on_error = skip"),
     ("copy t from '/x' file_format = f", "copy t from '/x' file_format = f")],
)  # fmt: skip
def test_rows_copied_to_the_client_are_a_query(sql: str, plain: str) -> None:
    """What goes to STDOUT is read, and feeds nothing; the name of a format is no table."""
    assert text_of(loads.plain_copied(tokens_in(sql, "postgres"))) == plain
