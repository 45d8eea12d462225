"""``lineage-tt sql``: any query over the store, and the set-up that any DuckDB runs."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from commandline import REPORT, SALES, call, make_store, spawn


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small store."""
    return make_store(tmp_path_factory.mktemp("sql") / "store")


def test_text_is_an_aligned_table(store: Path) -> None:
    """Text output has a heading and a line a row, numbers to the right."""
    said = spawn(
        "sql", "SELECT task_id, count(*) AS n FROM log WHERE task_id IS NOT NULL GROUP BY ALL ORDER BY 1", store=store
    )

    assert said.out.splitlines() == ["task_id  n", "board    1", "odd      2", "sales    2"]


def test_the_query_may_come_on_standard_input(store: Path) -> None:
    """Without a query, or with -, it is read from standard input."""
    piped = spawn("sql", stdin="SELECT max(version) AS v FROM log", store=store)
    dash = spawn("sql", "-", stdin="SELECT max(version) AS v FROM log", store=store)

    assert piped.out == dash.out == "v\n6\n"


def test_json_keeps_columns_nesting_and_bytes(store: Path) -> None:
    """JSON holds columns and rows; instants are text, structs objects, bytes hex, and no value is lost."""
    row = "version, changes[1] AS c, rejected_bytes AS b, 'nan'::DOUBLE AS n"
    query = f"SELECT {row} FROM log WHERE version IN (2, 5) ORDER BY 1"

    found = call("sql", query, "--format", "json", store=store).result

    assert found["columns"] == ["version", "c", "b", "n"]
    (_, change, _, number), (_, _, refused, _) = found["rows"]
    assert (change["source"], change["target"], number) == (f"{SALES}#revenue", REPORT, "NaN")
    assert change["valid_from"].startswith("2024-01-02 00:00:00")
    assert bytes.fromhex(refused) == b'{"event_id": "cut off \xff'


def test_every_column_of_the_log_can_be_read(store: Path) -> None:
    """FROM log gives all columns, in each format."""
    as_csv = list(csv.reader(io.StringIO(call("sql", "FROM log ORDER BY version", "--format", "csv", store=store).out)))

    assert [row[0] for row in as_csv] == ["version", *"123456"]
    assert len({len(row) for row in as_csv}) == 1
    assert call("sql", "FROM log", store=store).status == 0


def test_the_macros_answer_as_of_a_point(store: Path) -> None:
    """edges_as_of is there, in the store's own terms."""
    point = "'2024-02-10T00:00:00Z', '2024-03-01T00:01:30Z'"
    query = f"SELECT expression FROM edges_as_of({point}) WHERE subtype = 'AGGREGATION'"

    assert call("sql", query, "--format", "json", store=store).result["rows"] == [["SUM(amount)"]]


def test_the_setup_runs_in_a_bare_duckdb(store: Path) -> None:
    """What --print-setup prints is plain SQL: a DuckDB that knows nothing of us answers with it."""
    import duckdb

    setup = spawn("sql", "--print-setup", store=store).out
    with duckdb.connect() as bare:
        bare.execute(setup)
        found = bare.execute("SELECT target FROM lineage([$node], now(), depth := 1)", {"node": f"{SALES}#revenue"})

        assert found.fetchall() == [(REPORT,)]


def test_a_wrong_query_is_a_wrong_call(store: Path) -> None:
    """DuckDB's words come with exit status 2, as a message and as an object."""
    said = call("sql", "SELEC 1", "--format", "json", store=store)

    assert said.status == 2
    assert "syntax error" in said.err.splitlines()[0]
    assert said.error["kind"] == "invalid request"


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\uff1d1"])
def test_csv_cells_that_a_spreadsheet_would_run_are_shown(store: Path, cell: str) -> None:
    """An apostrophe goes before them, in headings too, unless they are asked for as they are; numbers stay numbers."""
    query = f"SELECT '{cell}' AS \"=heading\", -1 AS number, 'a=b' AS plain, ['{cell}'] AS listed"

    def rows(*options: str) -> list[list[str]]:
        return list(
            csv.reader(io.StringIO(call("sql", query, "--format", "csv", *options, store=store).out, newline=""))
        )

    heading, row = rows()
    assert heading == ["'=heading", "number", "plain", "listed"]
    assert row[:3] == [f"'{cell}", "-1", "a=b"]
    assert row[3].startswith("[")
    assert rows("--raw-cells")[1][0] == cell
