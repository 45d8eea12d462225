"""Asking a store: points, errors, and the doubles that users test with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import duckdb
import pytest

from lineage_tt.model.errors import InvalidRequestError, UnknownNodeError, VersionNotReachedError
from lineage_tt.model.times import parse_instant
from lineage_tt.storage import failpoints
from lineage_tt.storage.failpoints import FailpointError
from lineage_tt.store import Store
from lineage_tt.testing import ManualClock, task_change

NOON = "2024-05-01T12:00:00Z"
A, B = ("hive:dw.a#x", "hive:dw.b#x"), ("hive:dw.b#x", "hive:dw.c")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store of two versions, an hour apart in both times."""
    clock = ManualClock(NOON)
    store = Store.create(tmp_path / "lineage", clock=clock)
    store.append([task_change("t", "online", NOON, [A])])
    clock.advance(3_600_000_000)
    store.append([task_change("t", "update", "2024-05-01T13:00:00Z", [A, B])])
    return store


def test_a_point_is_now_unless_given(store: Store) -> None:
    """Without a point the answer is of now, as known now, and its basis says which that was."""
    noon = parse_instant(NOON)

    assert store.basis() == (noon + 3_600_000_000, 2, noon + 3_600_000_000)
    assert store.basis("-1h") == (noon, 2, noon + 3_600_000_000)
    assert store.basis("now", "-1h") == (noon + 3_600_000_000, 1, noon)
    assert store.basis(NOON, "2024-05-01T11:59:59.999999Z") == (noon, 0, 0)
    assert store.basis(NOON, version=1) == (noon, 1, noon)


def test_an_empty_store_answers(tmp_path: Path) -> None:
    """Nothing is in force in a store that has heard nothing, as of any point."""
    store = Store.create(tmp_path)

    assert store.as_of().edges() == []
    assert store.as_of(version=0).tasks() == []
    assert list(store.changes()) == []
    assert store.sql("SELECT count(*) FROM log")[1] == [(0,)]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda s: s.basis(version=3), VersionNotReachedError),
        (lambda s: s.basis(version=-1), VersionNotReachedError),
        (lambda s: s.basis(system_at=NOON, version=1), InvalidRequestError),
        (lambda s: s.basis("2024-05-01"), InvalidRequestError),
        (lambda s: s.basis(10**30), InvalidRequestError),
        (lambda s: s.basis(NOON, -(10**30)), InvalidRequestError),
        (lambda s: s.as_of().upstream("hive:dw.nothing#x"), UnknownNodeError),
        (lambda s: s.as_of().upstream(), InvalidRequestError),
        (lambda s: s.as_of().upstream("hive:dw.a", depth=-1), InvalidRequestError),
        (lambda s: s.history("hive:dw.nothing"), UnknownNodeError),
        (lambda s: s.dead_letter(1), InvalidRequestError),
        (lambda s: s.sql("SELEC 1"), InvalidRequestError),
        (lambda s: s.changes(after=9), VersionNotReachedError),
    ],
)
def test_a_wrong_call_says_so(store: Store, call: object, error: type[Exception]) -> None:
    """What cannot be answered is an error of its own kind, not an empty answer."""
    with pytest.raises(error):
        call(store)  # type: ignore[operator]


def test_near_names_are_suggested(store: Store) -> None:
    """A name misspelt is answered with the names that look like it."""
    with pytest.raises(UnknownNodeError, match=r"did you mean hive:dw\.a#x"):
        store.as_of().upstream("hive:dw.a#xx")


def test_a_bare_duckdb_reads_the_store(store: Store) -> None:
    """The printed set-up is plain SQL: a DuckDB without us gives the same answers by name and default."""
    with duckdb.connect() as connection:
        connection.execute(store.setup_sql())
        now = connection.execute("SELECT source, target FROM edges_as_of('2024-05-01 13:00:00Z') ORDER BY ALL")
        assert now.fetchall() == [A, B]
        then = connection.execute("SELECT source FROM edges_as_of('2024-05-01 13:00:00Z', '2024-05-01 12:30:00Z')")
        assert then.fetchall() == [(A[0],)]
        walk = "FROM lineage(['hive:dw.a'], '2024-05-01 13:00:00Z')"
        walked = connection.execute(f"SELECT steps, target {walk} ORDER BY steps")
        assert walked.fetchall() == [(1, B[0]), (2, B[1])]
        told = connection.execute("SELECT version FROM edge_history('hive:dw.c')")
        assert told.fetchall() == [(2,)]


def test_blame_names_the_message_that_began_it(store: Store) -> None:
    """The edge of now was begun by the first message, though the second stated it again."""
    assert [found.entry.version for found in store.blame(*A)] == [1]
    assert [found.entry.version for found in store.blame(*B)] == [2]


def test_a_manual_clock_stands_until_it_is_moved() -> None:
    """It tells the instant it was set to, and moves both ways."""
    clock = ManualClock(NOON)

    assert clock.now() == clock.now() == parse_instant(NOON)
    clock.advance(-1)
    assert clock.now() == parse_instant(NOON) - 1
    clock.set(5)
    assert clock.now() == 5


def test_a_task_change_in_one_line_is_the_same_each_time() -> None:
    """The same call makes the same message, so that it counts once."""
    assert task_change("t", "online", NOON, [A]) == task_change("t", "online", NOON, [A])
    assert task_change("t", "online", NOON, [A]).event_id != task_change("t", "offline", NOON).event_id


def test_an_armed_point_acts_once_and_at_its_pass() -> None:
    """``raise@2`` lets the first pass by; after the block nothing is armed."""
    with failpoints.armed("p3:before:raise@2"):
        failpoints.reach("p3:before")
        with pytest.raises(FailpointError):
            failpoints.reach("p3:before")
        failpoints.reach("p3:before")
    with failpoints.armed("p3:before:raise"):
        pass
    failpoints.reach("p3:before")


def test_a_question_with_bound_parameters_answers_with_datetimes(store: Store) -> None:
    """Instants come as datetimes in UTC, in lists and structs too, with nothing installed for it."""
    point = datetime(2024, 5, 3, tzinfo=UTC)

    rows = store.ask("SELECT $point::TIMESTAMPTZ, [$point::TIMESTAMPTZ], 1", point=point)

    assert [(point, [point], 1)] == rows
    assert store.ask("SELECT min(system_time) > $point FROM log", point=point)[0][0] in (True, False)
    with pytest.raises(InvalidRequestError, match="nosuch"):
        store.ask("SELECT nosuch FROM log")


def test_a_point_may_be_a_datetime_with_a_zone(store: Store) -> None:
    """The same instant in any zone is the same point; a datetime without a zone is refused."""
    berlin = datetime(2024, 5, 3, 2, tzinfo=timezone(timedelta(hours=2)))

    assert store.as_of("2024-05-03T00:00:00Z").basis == store.as_of(berlin).basis
    with pytest.raises(InvalidRequestError, match="no zone"):
        store.as_of(datetime(2024, 5, 3))  # noqa: DTZ001
    with pytest.raises(InvalidRequestError, match="not a time"):
        store.as_of(1.5)  # type: ignore[arg-type]
