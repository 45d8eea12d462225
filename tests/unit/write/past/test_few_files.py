"""The histories that a writer reads back from few files are those that DuckDB reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest.pipeline import Ingester
from lineage_tt import Store
from lineage_tt.log.log import Log
from lineage_tt.log.rewriting import rewrite
from lineage_tt.log.verify import last_version
from lineage_tt.model.messages import Subject
from lineage_tt.testing import task_change
from lineage_tt.write.past import few_files, history
from lineage_tt.write.subjects.tasks import PastMessage

SAMPLE = Path(history.__file__).parents[2] / "sample"
AT = {"effective_at": "2026-01-01T00:00:00Z"}
STAR = {"sql": "INSERT INTO d.t SELECT * FROM d.s", "dialect": "hive", "namespace": "h", "default_database": "d"}
A = {"name": "a"}
OTHERS = [
    AT | {"kind": "dataset", "event_id": "1", "dataset": "h:d.s", "op": "define", "columns": [A, {"name": "b"}]},
    AT | STAR | {"event_id": "2", "task_id": "star", "op": "online"},
    AT | {"kind": "dataset", "event_id": "3", "dataset": "h:d.s", "op": "define", "columns": [A, {"name": "c"}],
          "effective_at": "2026-02-01T00:00:00Z"},
    {"event_id": "4", "task_id": "star", "op": "retract", "retracts": "unheard-of"},
    {"event_id": "5", "task_id": "star", "op": "retract", "retracts": "2"},
]  # fmt: skip
NOON = 1_714_564_800_000_000
HOUR = 3_600_000_000


def states(log: Log, subjects: list[Subject], after: int = 0) -> tuple[dict[Subject, object], dict[Subject, object]]:
    """Return what both ways of reading find of these subjects."""
    few = few_files.task_histories(log, subjects, after)
    many = history.task_histories(log, subjects, after)
    return {each: few[each].state() for each in few}, {each: many[each].state() for each in many}


@pytest.mark.long
def test_histories_of_few_files_are_those_of_duckdb(tmp_path: Path) -> None:
    """Tasks, datasets and facts, retracts, stars, derived versions, rejected messages: each subject alone and all."""
    (tmp_path / "others.jsonl").write_bytes(b"\n".join(map(orjson.dumps, OTHERS)))
    with Ingester(Store.create(tmp_path / "s"), workers=1, batch=16) as ingester:
        for file in (SAMPLE / "retail.jsonl", SAMPLE / "governance.jsonl", tmp_path / "others.jsonl"):
            ingester.ingest_file(str(file))
    log = Store.open(tmp_path / "s").opened_log
    rows = list(Store.open(tmp_path / "s").log())
    assert {row.kind for row in rows} >= {"task", "dataset", "fact"}
    assert {row.status for row in rows} == {"accepted", "rejected"}
    assert {"star"} == {row.task_id for row in rows if row.op == "retract" and row.event_id == "5"}
    assert [row.derived_from is not None for row in rows if row.task_id == "star"].count(True)
    subjects = sorted(history.load(log).tasks, key=str)
    assert few_files.are_few(log)
    assert {type(each) for each in subjects} == {str, tuple}

    few, many = states(log, [*subjects, "unheard-of"])

    assert few == many
    assert few.keys() == set(subjects)
    for each in subjects:
        alone, expected = states(log, [each])
        assert alone == expected


def clustered(store: Store, folder: Path, rows: int) -> None:
    """Put one file that is clustered by task in the place of the log's files, with so many rows in a row group."""
    [run] = rewrite.runs(store.opened_log)
    table = pa.concat_tables([pq.read_table(store.log_path / name) for name in run.names])
    path = folder / "clustered.parquet"
    pq.write_table(table.sort_by([("task_id", "ascending"), ("version", "ascending")]), path, row_group_size=rows)
    rewrite.replace(store.opened_log, [(run, path)])


@pytest.mark.parametrize("max_rows", [few_files.MAX_ROWS, 8])
def test_of_a_clustered_file_only_row_groups_with_the_subject_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, max_rows: int
) -> None:
    """A task's rows are in one or two of them; where they are in more rows than the most, DuckDB reads them."""
    store = Store.create(tmp_path / "s")
    for number in range(40):
        task = f"t{number % 5}"
        edges = [(f"n:a#x{number}", f"n:{task}#y")]
        store.append([task_change(task, "update", NOON + number * HOUR, edges, event_id=f"e{number}")])
    clustered(store, tmp_path, 4)
    log = Store.open(tmp_path / "s").opened_log
    asked: list[list[Subject]] = []
    messages_of = history.messages_of

    def noted(log: Log, subjects: Iterable[Subject], after: int = 0) -> Iterator[tuple[Subject, Iterable[PastMessage]]]:
        asked.append(sorted(subjects, key=str))
        return messages_of(log, asked[-1], after)

    monkeypatch.setattr(history, "messages_of", noted)
    monkeypatch.setattr(few_files, "MAX_ROWS", max_rows)
    few = {each: found.state() for each, found in few_files.task_histories(log, ["t2", "t3"]).items()}
    one = few_files.task_histories(log, ["t1"])

    assert asked == ([["t2", "t3"]] if max_rows == 8 else [])
    assert few == states(log, ["t2", "t3"])[1]
    assert [len(found.versions()) for found in one.values()] == [8]


def test_only_files_after_a_version_are_read(tmp_path: Path) -> None:
    """A subject of which the first versions hold nothing is found whole in the files after them."""
    store = Store.create(tmp_path / "s")
    for number in range(6):
        task = "old" if number < 3 else "new"
        edges = [("n:a#x", f"n:b#y{number}")]
        store.append([task_change(task, "update", NOON + number * HOUR, edges, event_id=f"e{number}")])
    log = store.opened_log

    few, many = states(log, ["new"], after=3)

    assert few == many == states(log, ["new"])[0]
    assert [last_version(path) for path in log.files() if last_version(path) > 3] == [4, 5, 6]
