"""The database that a process opens once: connections apart from each other, and a new one where it is needed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.read.macros import database
from lineage_tt.read.macros.database import FILES, Database
from lineage_tt.testing import task_change


def name_of(made: Database) -> str:
    """Return what two connections to one database have in common: a table that the first one creates."""
    with made.connection() as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS number AS SELECT uuid()::VARCHAR AS id")
        ((name,),) = connection.execute("FROM number").fetchall()
    return str(name)


def test_all_connections_are_to_one_database() -> None:
    """It is opened once; what a connection keeps for itself, another does not see."""
    made = Database({})
    with made.connection() as first, made.connection() as second:
        first.execute("CREATE TEMP TABLE own AS SELECT 1")
        tables = second.execute("SELECT table_name FROM duckdb_tables()").fetchall()

    assert tables == []
    assert name_of(made) == name_of(made)


def test_after_a_failure_another_database_is_opened() -> None:
    """A connection that is open remains usable."""
    made = Database({})
    before = name_of(made)
    with made.connection() as connection:
        made.forget()
        assert connection.execute("FROM number").fetchall() == [(before,)]

    assert name_of(made) != before


def test_after_many_connections_another_database_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """DuckDB keeps a note of every connection, also of closed ones."""
    monkeypatch.setattr(database, "MAX_CONNECTIONS", 2)
    made = Database({})
    first, second, third = name_of(made), name_of(made), name_of(made)

    assert first == second
    assert third != first


@pytest.mark.skipif(sys.platform != "linux", reason="processes fork on Linux alone")
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_forked_process_opens_its_own() -> None:
    """The threads of its parent's database are not there."""
    made = Database({})
    before = name_of(made)
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(write, name_of(made).encode())
        os._exit(0)
    os.close(write)
    with open(read, encoding="ascii") as answer:
        theirs = answer.read()
    os.waitpid(pid, 0)

    assert len(theirs) == len(before)
    assert theirs != before
    assert name_of(made) == before


def test_what_was_read_of_files_is_not_kept() -> None:
    """Otherwise a writer would grow with each file that it reads."""
    with FILES.connection() as connection:
        settings = connection.execute(
            "SELECT name, value FROM duckdb_settings() WHERE name IN ('enable_external_file_cache', "
            "'parquet_metadata_cache', 'preserve_insertion_order') ORDER BY ALL"
        ).fetchall()

    assert settings == [
        ("enable_external_file_cache", "false"), ("parquet_metadata_cache", "false"),
        ("preserve_insertion_order", "false"),
    ]  # fmt: skip


FORK = """
import os, sys
from lineage_tt import Store
from lineage_tt.testing import task_change
store = Store.open(sys.argv[1])
{work}
pid = os.fork()
if pid == 0:
    sys.exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes fork on Linux alone")
@pytest.mark.parametrize(
    "work",
    [
        "store.append([task_change('t', 'online', 2, [('n:c#x', 'n:b#x')])])",
        "store.fetch('SELECT count(*) FROM changes')",
        "store.sql('SELECT count(*) FROM changes')",
    ],
    ids=["write", "read", "sql"],
)
def test_a_forked_process_ends_as_any(tmp_path: Path, work: str) -> None:
    """Closing its parent's database would wait for threads that are not there, or crash."""
    Store.create(tmp_path / "s").append([task_change("t", "online", 1, [("n:a#x", "n:b#x")])])
    words = [sys.executable, "-W", "ignore", "-c", FORK.format(work=work), str(tmp_path / "s")]

    assert subprocess.run(words, capture_output=True, text=True, timeout=60, check=True).stdout == "7\n"
