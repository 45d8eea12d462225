"""The set-up script: plain SQL over the log's files, and which part of it a session needs."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from lineage_tt.model.format import COLUMN_TYPES
from lineage_tt.read.macros.asof import parts, quote, relation, setup_sql


@pytest.fixture(scope="module")
def empty() -> duckdb.DuckDBPyConnection:
    """A DuckDB of anybody's with the set-up of an empty log."""
    connection = duckdb.connect()
    connection.execute(setup_sql(()))
    return connection


@pytest.mark.parametrize(
    ("node", "dataset", "column", "star"),
    [("n:a#x", "n:a", "x", False), ("n:a", "n:a", "", False), ("n:a#b#c", "n:a", "b#c", False),
     ("n:a#*", "n:a", "*", True), ("n:a#x#*", "n:a", "x#*", False), ("", "", "", False)],
)  # fmt: skip
def test_nodes_are_split_as_in_python(
    empty: duckdb.DuckDBPyConnection, node: str, dataset: str, column: str, star: bool
) -> None:
    """Dataset and column are split at the first '#', by the macros as by Python."""
    query = "SELECT dataset_of($node), column_of($node), is_star($node), star_of($node)"

    assert empty.execute(query, {"node": node}).fetchone() == (dataset, column, star, f"{dataset}#*")


@pytest.mark.parametrize(
    ("expression", "node", "left_out"),
    [("* EXCEPT (a, b)", "n:t#b", True), ("* EXCEPT (a, b)", "n:t#c", False), ("* EXCEPT (a%2Cb)", "n:t#a,b", True),
     ("* EXCEPT (a%25)", "n:t#a%", True), ("", "n:t#a", False), ("a EXCEPT (a)", "n:t#a", False)],
)  # fmt: skip
def test_a_star_leaves_out_the_columns_that_it_names(
    empty: duckdb.DuckDBPyConnection, expression: str, node: str, left_out: bool
) -> None:
    """A comma or a percent sign in a name is escaped there."""
    found = empty.execute("SELECT leaves_out($e, $n)", {"e": expression, "n": node}).fetchone()

    assert found == (left_out,)


@pytest.mark.parametrize("name", ["edges_as_of", "tasks_as_of", "facts_as_of", "stated_columns_as_of"])
def test_an_empty_log_has_every_macro_and_no_row(empty: duckdb.DuckDBPyConnection, name: str) -> None:
    """Every macro answers without rows over a log without files, of which DuckDB alone reads none."""
    assert empty.execute(f"FROM {name}(now())").fetchall() == []
    assert [row[0] for row in empty.execute("DESCRIBE log").fetchall()] == list(COLUMN_TYPES)


def test_a_path_may_hold_a_quote() -> None:
    """A quote in a file's path does not end the SQL literal."""
    assert quote("a'b") == "'a''b'"
    assert duckdb.connect().execute(f"SELECT {quote(chr(39) * 3)}").fetchall() == [("'''",)]
    assert "'/it''s.parquet'" in relation([Path("/it's.parquet")])


def test_the_parts_are_those_of_the_script(empty: duckdb.DuckDBPyConnection) -> None:
    """Each view and macro that the script creates is there by its name, to be created alone."""
    created = "SELECT view_name FROM duckdb_views() WHERE NOT internal UNION ALL {}"
    macros = "SELECT DISTINCT function_name FROM duckdb_functions() WHERE NOT internal"

    assert sorted(parts()) == sorted(name for (name,) in empty.execute(created.format(macros)).fetchall())
    assert [name for name, text in parts().items() if "{" in text] == ["log"]
