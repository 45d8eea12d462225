"""DuckDB sessions over stores: the macros are made once in a process, and nothing of one store is seen in another."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from steps import calls_of

from lineage_tt import Store
from lineage_tt.log.verify import verified_files
from lineage_tt.model.errors import CorruptError, InvalidRequestError
from lineage_tt.read.macros import session
from lineage_tt.testing import task_change

NOON = 1_700_000_000_000_000


def store_of(folder: Path, source: str) -> Store:
    """A store with one edge."""
    store = Store.create(folder)
    store.append([task_change("t", "online", NOON, [(f"n:{source}#x", "n:b#x")])])
    return store


def sources(store: Store) -> list[str]:
    """The sources of the edges now."""
    return [edge.source for edge in store.as_of().edges()]


def test_stores_that_are_open_at_once_answer_from_their_own_files(tmp_path: Path) -> None:
    """Asked in turn, and after one of them has moved on."""
    one, other = store_of(tmp_path / "one", "a"), store_of(tmp_path / "other", "c")
    assert [sources(one), sources(other), sources(one)] == [["n:a#x"], ["n:c#x"], ["n:a#x"]]
    one.append([task_change("u", "online", NOON, [("n:z#x", "n:b#x")])])

    assert [sources(one), sources(other)] == [["n:a#x", "n:z#x"], ["n:c#x"]]


@pytest.mark.long
def test_what_a_user_creates_is_of_no_other_store(tmp_path: Path) -> None:
    """A table, a view and a macro of the names of ours, made by a query: other stores' answers stay as they were."""
    one, other = store_of(tmp_path / "one", "a"), store_of(tmp_path / "other", "c")
    before = [sources(one), sources(other)]
    one.sql("CREATE TABLE mine AS SELECT 1 AS x")
    one.sql("CREATE OR REPLACE VIEW changes AS SELECT 1 AS x")
    one.sql("CREATE OR REPLACE MACRO rectangles_as_of(valid_at, system_at := 0) AS TABLE SELECT 1 AS x")

    assert sources(other) == before[1]
    with pytest.raises(InvalidRequestError, match="mine"):
        other.sql("FROM mine")
    assert [sources(Store.open(tmp_path / name)) for name in ("one", "other")] == before


def test_macros_are_made_once(tmp_path: Path) -> None:
    """The second session of a process runs the views alone; so does a store that moved on."""
    files = verified_files(store_of(tmp_path, "a").opened_log)
    session.connect(files).close()
    calls = calls_of(lambda: session.connect(files).close())

    assert (calls["views_sql"], calls["shared_sql"]) == (1, 0)


def test_a_question_without_macros_makes_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What asks of the log alone, as ``ingest`` does at its end, begins sooner; a macro makes them all."""
    store_of(tmp_path, "a")
    monkeypatch.setattr(session, "_databases", {})
    store = Store.open(tmp_path)
    calls = calls_of(lambda: store.fetch("SELECT count(*) FROM changes JOIN log USING (version)"))
    assert calls["shared_sql"] == 0

    assert calls_of(lambda: store.fetch("FROM nodes"))["shared_sql"] == 1
    assert store.fetch("SELECT count(*) FROM log") == [(1,)]


@pytest.mark.long
def test_a_database_of_macros_is_replaced_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it remembers of files does not grow for ever: others follow, and a session that is open stays."""
    monkeypatch.setattr(session, "MAX_SESSIONS", 2)
    monkeypatch.setattr(session, "_databases", {})
    files = verified_files(store_of(tmp_path, "a").opened_log)
    opened = [session.connect(files) for _ in range(5)]
    calls = calls_of(lambda: opened.extend(session.connect(files) for _ in range(4)))

    assert calls["shared_sql"] == 2
    assert [session.fetch(each, "SELECT count(*) FROM changes", {}) for each in opened] == [[(1,)]] * 9


def test_a_file_that_is_gone_is_damage(tmp_path: Path) -> None:
    """The error names it, as with macros of its own."""
    with pytest.raises(CorruptError, match="cannot be read"):
        session.connect([tmp_path / "gone.parquet"])


@pytest.mark.long
def test_a_database_that_refuses_all_is_replaced(tmp_path: Path) -> None:
    """After an error of its own DuckDB refuses every session of a database: the next session gets another one."""
    store = store_of(tmp_path, "a")
    assert sources(store) == ["n:a#x"]
    database, _ = session._databases[os.getpid()]
    database.close()

    assert sources(Store.open(tmp_path)) == ["n:a#x"]
    assert session._databases[os.getpid()][0] is not database
