"""The set-up script over a snapshot and its tail."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from lineage_tt.log.retention import Horizon
from lineage_tt.model.errors import BeyondHorizonError
from lineage_tt.read.macros.asof import relation
from lineage_tt.read.macros.own import connect_alone
from lineage_tt.read.macros.session import BEYOND, connect_with, fetch
from lineage_tt.read.macros.snapshot import beyond, fields, instant, parts, setup_with
from lineage_tt.read.snapshots.snapshot import COLUMNS

HORIZON = Horizon(5, 1_700_000_000_000_000)


class Covers:
    """A snapshot without rows that covers the log up to version 7."""

    version = 7
    system_time = 1_700_000_060_000_000

    def relation(self, name: str) -> str:
        """A relation without rows, but for one version."""
        if name == "versions":
            return f"(SELECT 6::BIGINT AS version, {instant(1_700_000_030_000_000)} AS system_time)"
        columns = ", ".join(f'NULL::{kind} AS "{column}"' for column, kind in COLUMNS[name].items())
        return f"(SELECT {columns} WHERE false)"

    closed = relation


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    """A session over it, with a horizon."""
    return connect_with(setup_with([], Covers(), [], HORIZON))


@pytest.mark.parametrize(("seconds", "version"), [(60, 7), (99, 7), (59, 6), (30, 6), (29, None)])
def test_a_system_time_is_the_last_version_known_then(
    connection: duckdb.DuckDBPyConnection, seconds: int, version: int | None
) -> None:
    """From the snapshot's system time on the version is the snapshot's, whatever came later."""
    at = 1_700_000_000_000_000 + seconds * 1_000_000

    assert fetch(connection, f"SELECT version_at({instant(at)})", {}) == [(version,)]


def test_a_point_before_the_horizon_is_rejected(connection: duckdb.DuckDBPyConnection) -> None:
    """The error says what was dropped, and up to when."""
    query = f"FROM edges_as_of(now(), {instant(HORIZON.system_time - 1)})"
    with pytest.raises(BeyondHorizonError, match=r"up to 2023-11-14T22:13:20Z \(version 5\)"):
        fetch(connection, query, {})

    assert fetch(connection, f"FROM edges_as_of(now(), {instant(HORIZON.system_time)})", {}) == []


def test_without_a_horizon_every_point_is_answered() -> None:
    """A snapshot without a horizon answers at every system time."""
    free = connect_with(setup_with([], Covers(), [], None))

    assert fetch(free, "FROM edges_as_of(now(), make_timestamptz(0))", {}) == []
    assert beyond(None) == BEYOND
    assert beyond(HORIZON).startswith(BEYOND)


@pytest.mark.parametrize("name", sorted(parts()))
def test_every_part_of_the_set_up_is_made_with_what_it_needs(name: str) -> None:
    """Each view and macro is created alone in a new database, over the snapshot where the whole script has it so."""
    over = {"files": lambda: relation(()), **fields(Covers(), list, HORIZON)}
    with connect_alone(parts(), over) as session:
        connection = session.ready_for(name)
        made = {row[0] for row in fetch(connection, "SELECT view_name FROM duckdb_views()", {})}
        made |= {row[0] for row in fetch(connection, "SELECT function_name FROM duckdb_functions()", {})}
    assert name in made


def test_nodes_and_history_are_read_from_what_is_kept(tmp_path: Path) -> None:
    """Nodes and histories come from snapshot and tail, and not from the whole log."""
    script = setup_with([], Covers(), [], None)

    assert script.count("CREATE OR REPLACE VIEW nodes") == 2
    assert "FROM known_ends" in script.rpartition("CREATE OR REPLACE VIEW nodes")[2]
    assert "FROM known_changes" in script.rpartition("CREATE OR REPLACE MACRO edge_history")[2]
