"""Sessions for our own queries: what a query names is made when it first does, the macros once in a process."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
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


def made_by(work: Callable[[], object]) -> int:
    """How many views and macros a question makes."""
    return calls_of(work)["_make"]


def test_a_macro_is_made_once_in_a_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A macro that one store's question made is there for other stores, and only views are made for each of them."""
    monkeypatch.setattr(own, "_macros", own.shared_macros())
    for name in ("one", "other"):
        files_of(tmp_path / name, "a#x")
    query = "SELECT source FROM edges_as_of(now())"
    first, second = Store.open(tmp_path / "one"), Store.open(tmp_path / "other")

    assert first.fetch(query) == [("n:a#x",)]
    assert [made_by(lambda: second.fetch(query)) for _ in range(2)] == [2, 0]
    second.append([task_change("later", "online", NOON, [("n:b#x", "n:c#x")])])
    assert made_by(lambda: second.fetch(query)) == 2
    assert sorted(second.fetch(query)) == [("n:a#x",), ("n:b#x",)]


def test_a_question_makes_no_more_than_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A query of the log alone, as ``ingest`` asks at its end, makes a view and no macro; a second one reuses it."""
    monkeypatch.setattr(own, "_macros", own.shared_macros())
    with own.connect(files_of(tmp_path, "a#x")) as session:
        for query in (
            "SELECT count(*) FROM log",
            "SELECT count(*) FROM changes JOIN log USING (version)",
            "SELECT star_of('n:a#x')",
        ):
            assert made_by(partial(session.fetch, query, {})) == 1


def test_a_session_reads_from_other_files(tmp_path: Path) -> None:
    """Given other files, a session answers from those, also by views that it made before."""
    with own.connect(files_of(tmp_path / "one", "a#x")) as session:
        assert session.fetch(COUNT, {}) == [(1,)]
        session.read_from(files_of(tmp_path / "other", "a#x", "b#x"))

        assert session.fetch(COUNT, {}) == [(2,)]


@pytest.mark.long
def test_a_database_of_macros_is_replaced_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After its last session a new database follows, so that memory stays bounded; open sessions keep the old one."""
    monkeypatch.setattr(own, "MAX_SESSIONS", 2)
    monkeypatch.setattr(own, "_macros", own.shared_macros())
    files = files_of(tmp_path, "a#x")
    opened = [own.connect(files) for _ in range(5)]
    calls = calls_of(lambda: opened.extend(own.connect(files) for _ in range(4)))

    assert calls["connect_alone"] == 2
    assert [each.fetch(COUNT, {}) for each in opened] == [[(1,)]] * 9


def test_a_file_that_is_gone_is_damage(tmp_path: Path) -> None:
    """A query over a data file that is not there raises an error that names the file."""
    with own.connect([tmp_path / "gone.parquet"]) as session, pytest.raises(CorruptError, match=r"gone\.parquet"):
        session.fetch("FROM log", {})


@pytest.mark.long
def test_a_database_that_refuses_all_is_replaced(tmp_path: Path) -> None:
    """When DuckDB refuses all sessions of a database, as after an internal error, the next session gets another one."""
    files = files_of(tmp_path, "a#x")
    own.connect(files).close()
    database = own._macros.value
    assert database is not None
    database.close()

    with own.connect(files) as session:
        assert session.fetch(COUNT, {}) == [(1,)]
    assert own._macros.value is not database


def test_a_database_is_seen_by_all_of_its_connections(tmp_path: Path) -> None:
    """A view or macro that one query needs is made once, for the connections of all threads."""
    store = Store.open(files_of(tmp_path / "store", "a#x")[0].parents[1])
    database = store.database()
    query = "SELECT source FROM edges_as_of(now())"

    assert made_by(lambda: database.ready_for(query)) > 2
    assert made_by(lambda: database.ready_for(query)) == 0
    with database.another() as one, database.another() as other:
        assert one.execute(query).fetchall() == other.execute(query).fetchall() == [("n:a#x",)]


def test_a_users_query_may_name_everything(tmp_path: Path) -> None:
    """Quoted names, too, which are not looked for in our own queries; an impact report makes less."""
    store = Store.open(files_of(tmp_path / "store", "a#x")[0].parents[1])
    some = made_by(lambda: store.database().ready_for("FROM tasks_as_of(now())"))
    rest = made_by(lambda: store.connection())

    assert 0 < some < rest
    assert store.ask('SELECT source FROM "edges_as_of"(now())') == [("n:a#x",)]
    assert made_by(lambda: store.connection()) == 0
