"""Files of the log in the place of others: nothing that it says changes, whoever is at work beside."""

from __future__ import annotations

from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from lineage_tt import Store
from lineage_tt.log import log as log_module
from lineage_tt.log.arrow import batches
from lineage_tt.log.log import Log
from lineage_tt.log.retention import Horizon, carried, in_meta, refuse
from lineage_tt.log.rewriting.rewrite import Run, replace, runs
from lineage_tt.log.rewriting.vacuum import vacuum
from lineage_tt.maintenance.check import check
from lineage_tt.model.errors import ConflictError, UnavailableError
from lineage_tt.storage import failpoints
from lineage_tt.testing import ManualClock, task_change

NOON = 1_714_564_800_000_000


def filled(path: Path, commits: int = 12) -> Store:
    """A store with that many commits of one message."""
    store = Store.create(path, clock=ManualClock(NOON))
    append(store, commits)
    return store


def append(store: Store, commits: int) -> None:
    """Append that many messages of three tasks, each alone."""
    for number in range(store.version, store.version + commits):
        edges = [(f"n:a#c{number % 5}", "n:b#x"), ("n:a#c9", f"n:b#y{number % 2}")]
        store.append([task_change(f"t{number % 3}", "update", NOON + number, edges, event_id=f"e{number}")])


def joined(log: Log, run: Run, target: Path) -> Path:
    """One file with the rows of a run, clustered by task as compaction writes them."""
    wanted = [path for path in log.files() if path.name in run.names]
    table = pq.read_table([str(path) for path in wanted], partitioning=None)
    pq.write_table(table.sort_by([("task_id", "ascending"), ("version", "ascending")]), target)
    return target


def rewrite(log: Log, folder: Path) -> int:
    """Rewrite all runs of small files."""
    return replace(log, [(run, joined(log, run, folder / f"{run.first}.parquet")) for run in runs(log)])


def test_small_files_in_a_row_are_a_run_and_one_alone_is_none(tmp_path: Path) -> None:
    """What is rewritten is files that follow each other; a second look finds nothing to do."""
    store = filled(tmp_path / "s", 1)
    assert runs(store.opened_log) == []
    append(store, 4)
    (run,) = runs(store.opened_log)
    assert (run.first, run.last, len(run.names)) == (1, 5, 5)

    rewrite(store.opened_log, tmp_path)
    assert runs(store.opened_log) == []
    assert [r.first for r in runs(store.opened_log, horizon=3)] == [1]


@pytest.mark.long
def test_answers_feed_and_check_are_the_same_over_the_new_file(tmp_path: Path) -> None:
    """Rows out of order in a file change nothing: edges, log, feed, chain of checksums, and the next append."""
    store = filled(tmp_path / "s")
    before = store.as_of(NOON + 7).edges(), store.log(), list(store.changes())
    assert rewrite(store.opened_log, tmp_path) == 12
    again = Store.open(tmp_path / "s", clock=ManualClock(NOON))

    assert len(again.opened_log.files()) == 1
    assert (again.as_of(NOON + 7).edges(), again.log(), list(again.changes())) == before
    assert check(tmp_path / "s") == []
    append(again, 3)
    assert again.version == 15
    assert check(tmp_path / "s") == []


def test_rows_come_in_order_of_version_however_they_lie(tmp_path: Path) -> None:
    """``batches`` sorts a clustered file, and yields one in order as it is."""
    log = filled(tmp_path / "s").opened_log
    (run,) = runs(log)
    path = joined(log, run, tmp_path / "joined.parquet")
    stored = pq.read_table(path, partitioning=None)["version"].to_pylist()
    found = [v for b in batches(pq.ParquetFile(path), 5) for v in b.column("version").to_pylist()]

    assert stored != sorted(stored)
    assert found == list(range(1, 13))
    assert pc.count_distinct(pq.read_table(path, partitioning=None)["task_id"]).as_py() == 3


def test_an_append_that_comes_first_is_kept_and_the_rewriting_follows(tmp_path: Path) -> None:
    """A writer's commit between plan and commit costs another try, and loses nothing."""
    store = filled(tmp_path / "s")
    late = Log.open(tmp_path / "s" / "log")
    prepared = [(run, joined(late, run, tmp_path / "j.parquet")) for run in runs(late)]
    append(store, 2)
    replace(late, prepared)
    again = Store.open(tmp_path / "s")

    assert again.version == 14
    assert len(again.opened_log.files()) == 3
    store.refresh()
    append(store, 1)
    assert check(tmp_path / "s") == []


def test_of_two_rewritings_of_the_same_files_one_gives_up(tmp_path: Path) -> None:
    """The second finds its files replaced, takes its own away, and says so (W09)."""
    filled(tmp_path / "s")
    first, second = Log.open(tmp_path / "s" / "log"), Log.open(tmp_path / "s" / "log")
    prepared = [(run, joined(second, run, tmp_path / "j.parquet")) for run in runs(second)]
    rewrite(first, tmp_path)
    with pytest.raises(ConflictError):
        replace(second, prepared)

    assert check(tmp_path / "s") == []
    assert len(Log.open(tmp_path / "s" / "log").files()) == 1


@pytest.mark.long
def test_replaced_files_go_after_the_grace_and_an_open_reader_answers_on(tmp_path: Path) -> None:
    """Within the grace they stay; after it they are removed, and a store opened before reads what took their place."""
    store = filled(tmp_path / "s")
    before = store.as_of(NOON + 7, version=9).edges()
    rewrite(Log.open(tmp_path / "s" / "log"), tmp_path)
    assert vacuum(tmp_path / "s" / "log", 1).files == 0
    assert vacuum(tmp_path / "s" / "log", 0).files == 12

    assert store.as_of(NOON + 7, version=9).edges() == before
    assert check(tmp_path / "s") == []


def test_an_append_that_slept_too_long_gives_itself_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its data file may have been taken for garbage: it commits nothing, and the same call again succeeds (W05)."""
    store = filled(tmp_path / "s", 2)
    monkeypatch.setattr(log_module, "OLDEST_PENDING", 0.01)
    with failpoints.armed("p3:data:sleep:50"), pytest.raises(UnavailableError, match="timed out"):
        append(store, 1)
    monkeypatch.undo()

    append(store, 1)
    assert store.version == 3
    assert check(tmp_path / "s") == []


@pytest.mark.long
def test_a_horizon_is_carried_on_by_every_commit(tmp_path: Path) -> None:
    """Set by one commit, it is there after later appends and for whoever opens the log."""
    store = filled(tmp_path / "s")
    horizon = Horizon(5, store.basis(version=5).system_time)
    log = store.opened_log
    prepared = [(run, joined(log, run, tmp_path / "j.parquet")) for run in runs(log, horizon.version)]
    replace(log, prepared, horizon)
    append(store, 2)

    assert Log.open(tmp_path / "s" / "log").horizon == horizon
    assert Store.open(tmp_path / "s").horizon == horizon
    assert in_meta(carried({"horizon": [5, 6]})) == Horizon(5, 6)
    assert refuse(store.basis(version=5), horizon).version == 5
