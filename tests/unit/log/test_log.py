"""The log on disk: commits that chain, and what happens when one of them is not what was written."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import deltalake
import orjson
import pyarrow as pa
import pytest
from filled import NOON, fill, message

from lineage_tt import LineageError, Store
from lineage_tt.log.commits import commit_path, read_head
from lineage_tt.log.log import Log
from lineage_tt.maintenance.check import check
from lineage_tt.model.errors import CorruptError, InvalidRequestError, UnavailableError
from lineage_tt.model.format import FORMAT_VERSION
from lineage_tt.model.messages import SourcePosition
from lineage_tt.storage import failpoints
from lineage_tt.testing import ManualClock


def refuses(folder: Path, words: str = "log") -> str:
    """Say how opening and appending fail; both must, as corrupt."""
    said = []
    for attempt in (Store.open, Store.create):
        with pytest.raises(CorruptError, match=words) as raised:
            attempt(folder).append([message(99)])
        said.append(raised.value.message)
    return said[0]


def test_a_sound_store_opens(folder: Path) -> None:
    """The copy is sound: it opens, answers and takes in more."""
    store = Store.open(folder, clock=ManualClock())

    assert len(store.as_of(NOON).edges()) == 5
    assert store.append([message(5)])[0].version == 6
    assert check(folder) == []


@pytest.mark.long
@pytest.mark.parametrize("delta_version", [0, 1, 3, 5])
def test_a_commit_file_cut_anywhere_is_found(folder: Path, delta_version: int) -> None:
    """A commit file cut to nothing, or at every tenth byte, is corrupt: never an empty version (C06, C07)."""
    path = commit_path(folder / "log", delta_version)
    whole = path.read_bytes()
    for length in range(0, len(whole), 10):
        path.write_bytes(whole[:length])

        with pytest.raises(CorruptError, match="log"):
            Store.open(folder)
        if length % 1000 == 0:
            assert any(f.kind == "damage" for f in check(folder)), length
    path.write_bytes(whole[:40])
    assert f"commit {delta_version} of the log" in refuses(folder)


def test_an_open_store_finds_a_cut_commit_when_it_moves_on(folder: Path) -> None:
    """A store that is open already refuses to refresh onto, or to append after, a commit file cut to nothing."""
    store = Store.open(folder, clock=ManualClock())
    fill(folder, 6)
    commit_path(folder / "log", 6).write_bytes(b"")

    with pytest.raises(CorruptError, match="commit 6"):
        store.refresh()
    with pytest.raises(LineageError, match="commit 6"):
        store.append([message(99)])
    assert not commit_path(folder / "log", 7).exists()
    assert len(store.as_of(NOON).edges()) == 5


@pytest.mark.parametrize("delta_version", [0, 2, 4, 5])
def test_a_missing_commit_is_found(folder: Path, delta_version: int) -> None:
    """A commit taken out of the middle, or off the end, is missed (C07)."""
    commit_path(folder / "log", delta_version).unlink()

    refuses(folder, "missing")
    assert any(f.kind == "damage" for f in check(folder))


def test_a_store_without_its_commits_is_not_created_anew(folder: Path) -> None:
    """Where all commit files are gone but data is there, nothing is created over it."""
    before = sorted(p.name for p in (folder / "log").iterdir())
    shutil.rmtree(folder / "log" / "_delta_log")
    with pytest.raises((CorruptError, UnavailableError)):
        Store.create(folder)

    assert sorted(p.name for p in (folder / "log").iterdir()) == [n for n in before if n != "_delta_log"]


def test_a_foreign_commit_is_found(folder: Path) -> None:
    """A commit that somebody else's Delta writer appended is not one of ours (two writers, one table)."""
    table = deltalake.DeltaTable(folder / "log")
    row: dict[str, list[object]] = {field.name: [None] for field in pa.schema(table.schema().to_arrow())}
    row |= {"version": [6], "system_time": [0], "status": ["accepted"], "content_sha256": [b""], "checksum": [b""]}
    schema = pa.schema(table.schema().to_arrow())
    deltalake.write_deltalake(table, pa.table(row, schema=schema), mode="append")

    assert "commit 6" in refuses(folder)


def test_a_commit_copied_over_another_is_found(folder: Path) -> None:
    """Two files of one content, one of them in the other's place (C07, D02)."""
    shutil.copy(str(commit_path(folder / "log", 2)), str(commit_path(folder / "log", 3)))

    refuses(folder, "altered|begins")


def test_a_commit_rewritten_with_the_same_meaning_is_found(folder: Path) -> None:
    """A commit file is the bytes that were written: another layout of the same JSON is an alteration."""
    path = commit_path(folder / "log", 3)
    path.write_bytes(path.read_bytes().replace(b'{"add":', b'{ "add":'))

    refuses(folder, "commit 3 of the log was altered")


def test_the_last_commit_altered_is_found_by_the_head(folder: Path) -> None:
    """No commit follows the last one; the head file holds its hash."""
    path = commit_path(folder / "log", 5)
    path.write_bytes(path.read_bytes().replace(b'"engineInfo":"lineage_tt"', b'"engineInfo":"lineage_xx"'))

    refuses(folder, "commit 5 of the log was altered")


def test_a_damaged_head_is_found(folder: Path) -> None:
    """Every byte of the head file counts."""
    path = folder / "log" / "_head.json"
    whole = path.read_bytes()
    for place in range(0, len(whole), 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])

        with pytest.raises(CorruptError, match="head file"):
            Store.open(folder)
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with pytest.raises(CorruptError, match="head file"):
            Store.open(folder)


def test_a_newer_format_is_refused_with_a_hint(folder: Path) -> None:
    """A store that a newer release wrote is not read as if it were ours, nor called corrupt (D05)."""
    path = commit_path(folder / "log", 5)
    lines = path.read_bytes().splitlines()
    info = orjson.loads(lines[0])
    info["commitInfo"]["lineage_tt"] = {"format": FORMAT_VERSION + 1, "written": "otherwise"}
    path.write_bytes(b"\n".join([orjson.dumps(info), *lines[1:]]))
    (folder / "log" / "_head.json").unlink()

    with pytest.raises(InvalidRequestError, match=rf"format {FORMAT_VERSION + 1}.*use a newer release"):
        Store.open(folder)


def test_a_newer_format_is_refused_by_an_open_store(folder: Path) -> None:
    """A store that is open when a newer release upgrades it does not continue writing (D05)."""
    store = Store.open(folder, clock=ManualClock())
    fill(folder, 6)
    path = commit_path(folder / "log", 6)
    path.write_bytes(path.read_bytes().replace(b'"format":1', b'"format":9'))

    with pytest.raises(InvalidRequestError, match="newer release"):
        store.refresh()


def test_a_head_with_fields_of_a_newer_release_is_read(folder: Path) -> None:
    """Fields of the head file that this release does not know are passed over (D05)."""
    head = read_head(folder / "log")
    assert head is not None
    body = orjson.dumps(orjson.loads(head.to_bytes().split(b"\n")[0]) | {"added_later": 1})
    (folder / "log" / "_head.json").write_bytes(body + b"\n" + hashlib.sha256(body).hexdigest().encode() + b"\n")

    assert read_head(folder / "log") == head


def test_a_commit_file_reads_as_deltalakes(folder: Path) -> None:
    """deltalake finds in the log, file by file, what was appended, with its statistics and transactions."""
    store = fill(folder, 7)
    table = deltalake.DeltaTable(folder / "log")
    actions = pa.table(table.get_add_actions(flatten=True)).sort_by("min.version").to_pylist()

    assert [action["path"] for action in actions] == [path.name for path in store.writer.log.files()]
    assert [(a["num_records"], a["min.version"], a["max.version"]) for a in actions] == [(1, v, v) for v in range(1, 8)]
    assert table.transaction_version("lineage_tt.log") == 7
    assert table.history(1)[0]["operation"] == "WRITE"


def test_a_crash_between_commit_and_acknowledgement_is_healed(folder: Path) -> None:
    """The next writer forces the commit to disk and moves the head; a reader changes nothing."""
    store = Store.open(folder, clock=ManualClock())
    with failpoints.armed("p3:after:raise"), pytest.raises(failpoints.FailpointError):
        store.append([message(5)])
    head = (folder / "log" / "_head.json").read_bytes()
    reader = Store.open(folder)

    assert len(reader.as_of(NOON).edges()) == 6
    assert (folder / "log" / "_head.json").read_bytes() == head
    assert reader.writer.log.acknowledged
    assert (folder / "log" / "_head.json").read_bytes() != head
    assert check(folder) == []


@pytest.mark.long
def test_source_positions_outlive_checkpoints(tmp_path: Path) -> None:
    """Each source's place is in the commit of its rows, and is still known after two checkpoints."""
    store = Store.create(tmp_path, clock=ManualClock())
    store.append([message(0)], positions=[SourcePosition("early", 7, "abc")])
    for number in range(1, 70):
        store.append([message(number)], positions=[SourcePosition("late", number, "")])
    log = Store.open(tmp_path).writer.log

    assert log.source_position("early") == SourcePosition("early", 7, "abc")
    assert log.source_position("late") == SourcePosition("late", 69, "")
    assert log.source_position("never") is None
    assert check(tmp_path) == []


@pytest.mark.long
def test_two_writers_checkpoints_are_sound(tmp_path: Path) -> None:
    """Two writers taking turns over several checkpoints leave nothing that check calls damaged."""
    stores = [Store.create(tmp_path, clock=ManualClock()), Store.open(tmp_path, clock=ManualClock())]
    for number in range(71):
        stores[number % 3 == 0].append([message(number)])

    assert check(tmp_path) == []
    assert Store.open(tmp_path).version == 71


def test_there_is_no_store(tmp_path: Path) -> None:
    """Opening a folder without a store says how to make one."""
    with pytest.raises(UnavailableError, match="lineage-tt ingest"):
        Store.open(tmp_path)
    with pytest.raises(InvalidRequestError, match="local disk"):
        Store.open("gs://bucket/lineage")


def test_a_log_is_created_once(tmp_path: Path) -> None:
    """The second time it is opened as it is; a log without rows has version 0 and is acknowledged."""
    first = Log.create(tmp_path / "log")
    again = Log.create(tmp_path / "log")

    assert (first.version, first.delta_version, first.acknowledged) == (0, 0, True)
    assert (again.version, again.files(), again.sizes()) == (0, [], {})
    assert again.refresh() == []


def test_files_and_their_sizes_are_those_of_the_newest_commit_that_is_known(folder: Path) -> None:
    """A log that was opened before follows when it is refreshed, and not by itself."""
    log = Log.open(folder / "log")
    fill(folder, 6)
    assert (len(log.files()), log.version) == (5, 5)
    fresh = log.refresh()

    assert [commit.meta["last_version"] for commit in fresh] == [6]
    assert log.sizes() == {file.name: file.stat().st_size for file in (folder / "log").glob("*.parquet")}
    assert [path.name for path in log.files()] == sorted(path.name for path in (folder / "log").glob("*.parquet"))
