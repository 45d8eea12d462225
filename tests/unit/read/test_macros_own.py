"""Sessions for our own queries: what a query names is made when it first does, the macros once in a process."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from steps import calls_of

from lineage_tt import Store
from lineage_tt.log.verify import verified_files
from lineage_tt.model.errors import CorruptError
from lineage_tt.read.macros import own
from lineage_tt.testing import task_change

NOON = 1_700_000_000_000_000
COUNT = "SELECT count(*) FROM changes"


def files_of(folder: Path, *sources: str) -> list[Path]:
    """The data files of a store with an edge of each source."""
    store = Store.create(folder)
    store.append([task_change(f"of {source}", "online", NOON, [(f"n:{source}", "n:b#x")]) for source in sources])
    return verified_files(store.opened_log)


def scripts_of(session: own.Session, query: str) -> int:
    """How many statements of the set-up a query makes."""
    return calls_of(lambda: session.fetch(query, {}))["run_script"]


def test_a_macro_is_made_once_in_a_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second session makes views alone, and nothing twice."""
    monkeypatch.setattr(own, "_databases", {})
    files = files_of(tmp_path, "a#x")
    query = "SELECT source FROM edges_as_of(now())"
    with own.connect(files) as first, own.connect(files) as second:
        assert first.fetch(query, {}) == [("n:a#x",)]
        assert (scripts_of(second, query), scripts_of(second, query)) == (2, 0)
        assert second.fetch(query, {}) == [("n:a#x",)]


def test_a_question_makes_no_more_than_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What asks of the log alone, as ``ingest`` does at its end, begins sooner."""
    monkeypatch.setattr(own, "_databases", {})
    with own.connect(files_of(tmp_path, "a#x")) as session:
        assert scripts_of(session, "SELECT count(*) FROM log") == 1
        assert scripts_of(session, "SELECT count(*) FROM changes JOIN log USING (version)") == 1
        assert scripts_of(session, "SELECT star_of('n:a#x')") == 1


def test_a_session_reads_from_other_files(tmp_path: Path) -> None:
    """In the place of those that it was opened over, also where its views were made before."""
    with own.connect(files_of(tmp_path / "one", "a#x")) as session:
        assert session.fetch(COUNT, {}) == [(1,)]
        session.read_from(files_of(tmp_path / "other", "a#x", "b#x"))

        assert session.fetch(COUNT, {}) == [(2,)]


@pytest.mark.long
def test_a_database_of_macros_is_replaced_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it remembers of files does not grow for ever: others follow, and a session that is open stays."""
    monkeypatch.setattr(own, "MAX_SESSIONS", 2)
    monkeypatch.setattr(own, "_databases", {})
    files = files_of(tmp_path, "a#x")
    opened = [own.connect(files) for _ in range(5)]
    calls = calls_of(lambda: opened.extend(own.connect(files) for _ in range(4)))

    assert calls["connect_alone"] == 2
    assert [each.fetch(COUNT, {}) for each in opened] == [[(1,)]] * 9


def test_a_file_that_is_gone_is_damage(tmp_path: Path) -> None:
    """The error names it, as with macros of its own."""
    with own.connect([tmp_path / "gone.parquet"]) as session, pytest.raises(CorruptError, match="cannot be read"):
        session.fetch("FROM log", {})


@pytest.mark.long
def test_a_database_that_refuses_all_is_replaced(tmp_path: Path) -> None:
    """After an error of its own DuckDB refuses every session of a database: the next session gets another one."""
    files = files_of(tmp_path, "a#x")
    own.connect(files).close()
    database = own._databases[os.getpid()].macros
    database.close()

    with own.connect(files) as session:
        assert session.fetch(COUNT, {}) == [(1,)]
    assert own._databases[os.getpid()].macros is not database
