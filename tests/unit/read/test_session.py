"""DuckDB sessions over stores that are open at once: nothing of one store is seen in another."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.model.errors import CorruptError, InvalidRequestError
from lineage_tt.read.macros import session
from lineage_tt.read.macros.asof import setup_sql
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
    """Two open stores answer in turn from their own files, also after one of them has new messages."""
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


def test_a_script_over_a_file_that_is_gone_is_damage(tmp_path: Path) -> None:
    """The error names the file."""
    with pytest.raises(CorruptError, match=r"gone\.parquet"):
        session.connect_with(setup_sql([tmp_path / "gone.parquet"]))


def test_instants_are_in_utc_whatever_the_machine_has() -> None:
    """A new session is in UTC before any script runs."""
    with session.connect_with("") as connection:
        assert session.run(connection, "SELECT make_timestamptz(0)")[1] == [("1970-01-01 00:00:00+00",)]
