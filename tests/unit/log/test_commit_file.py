"""The commit file of an append: what Delta reads in it, and what other writers do."""

from __future__ import annotations

import json
from typing import Any

from lineage_tt.log.commit_file import (
    MAX_TOUCHED,
    append_bytes,
    is_plain,
    replacing_bytes,
    source_id,
    statistics,
    touched_by,
    touches,
)
from lineage_tt.model.format import LogRow


def row(version: int, **fields: object) -> LogRow:
    """Return an accepted row about a task, with other fields."""
    known: dict[str, Any] = dict.fromkeys(LogRow._fields)
    known |= {"version": version, "status": "accepted", "kind": "task", "task_id": f"t{version}", **fields}
    return LogRow(**known)


def test_a_commit_adds_one_file_and_the_sources_places() -> None:
    """The lines are Delta's actions in order: information, transactions, the file with its statistics."""
    kept = statistics(row(5), row(9), 5)
    lines = [json.loads(line) for line in append_bytes("f.parquet", 77, kept, {"x": 1}, {"app": 3}, 12).split(b"\n")]

    assert [next(iter(line)) for line in lines] == ["commitInfo", "txn", "add"]
    assert lines[0]["commitInfo"]["timestamp"] == 12
    assert lines[1] == {"txn": {"appId": "app", "version": 3}}
    assert (lines[2]["add"]["path"], lines[2]["add"]["size"]) == ("f.parquet", 77)
    assert json.loads(lines[2]["add"]["stats"]) == {
        "numRecords": 5, "minValues": {"version": 5}, "maxValues": {"version": 9}, "nullCount": {},
    }  # fmt: skip


def test_a_commit_that_replaces_files_changes_no_data() -> None:
    """What is taken away and what is added are both marked as no change of data, the former with its time."""
    kept = statistics(row(5), row(9), 5)
    data = replacing_bytes([("f.parquet", 77, kept)], ["a.parquet", "b.parquet"], {"x": 1}, {"app": 3}, 12)
    lines = [json.loads(line) for line in data.split(b"\n")]

    assert [next(iter(line)) for line in lines] == ["commitInfo", "txn", "remove", "remove", "add"]
    assert [line["remove"] for line in lines[2:4]] == [
        {"path": name, "dataChange": False, "deletionTimestamp": 12} for name in ("a.parquet", "b.parquet")
    ]
    assert (lines[4]["add"]["path"], lines[4]["add"]["dataChange"]) == ("f.parquet", False)


def test_a_small_plain_commit_names_its_subjects() -> None:
    """What is written is read back: ids of tasks as texts, other subjects as their parts."""
    rows = [row(1), row(2, kind="fact", task_id=None, subject="db:a", fact_key="label")]

    assert touches(touched_by(rows)) == ["t1", ("fact", "db:a", "label")]


def test_a_commit_that_others_must_read_names_nothing() -> None:
    """Rejected rows, retracts, declarations, derived versions, columns and stars concern more than their subjects."""
    odd: list[dict[str, object]] = [
        {"status": "rejected"}, {"op": "retract"}, {"kind": "dataset"}, {"derived_from": 1},
        {"outputs": [("db:a", [])]}, {"stars": [("db:a", None)]},
    ]  # fmt: skip

    assert is_plain(row(1))
    assert [touches(touched_by([row(1), row(2, **fields)])) for fields in odd] == [None] * len(odd)
    assert touches(touched_by([row(n) for n in range(MAX_TOUCHED + 1)])) is None
    assert touches(touched_by([row(1, task_id="t" * 40_000)])) is None


def test_a_source_has_one_application_id() -> None:
    """It is the same in every process, of a bounded length, and another one for another source."""
    assert source_id("file:///a") == source_id("file:///a")
    assert source_id("file:///a") != source_id("file:///b")
    assert len(source_id("x" * 10_000)) < 100
