"""The snapshot as a reader opens it: bound to its commit and its files, levels, closing rows."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import orjson
import pytest
from small_snapshots import compacted, meta_of, staged

from lineage_tt import Store
from lineage_tt.model.errors import CorruptError, InvalidRequestError
from lineage_tt.model.redaction.policy import TextPolicy, TextState, Tightened
from lineage_tt.read.snapshots.commit import commit, place_files
from lineage_tt.read.snapshots.snapshot import COLUMNS, NAME, Snapshot
from lineage_tt.testing import ManualClock, task_change

_NONE: dict[str, list[Any]] = {name: [] for name in COLUMNS}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose one edge was believed and corrected, with a snapshot."""
    folder = tmp_path_factory.mktemp("snapshot")
    store = Store.create(folder, clock=ManualClock(9))
    store.append([task_change("t", "online", 5, [("n:a#x", "n:b#y")])])
    store.append([task_change("t", "update", 5, [("n:a#x", "n:c#y")], event_id="fix")])
    compacted(store, folder)
    return folder


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Path:
    """A copy of that store."""
    return shutil.copytree(template, tmp_path / "store")


def opened(folder: Path) -> Snapshot:
    """The snapshot that is there."""
    found = Snapshot.open(folder)
    assert found is not None
    return found


def test_a_snapshot_says_what_it_covers(template: Path) -> None:
    """Its version, and the checksum that binds it to its log."""
    found, log = opened(template), Store.open(template).opened_log

    assert (found.version, found.system_time, found.checksum) == (2, log.system_time, log.checksum)
    assert (found.horizon, found.epoch, found.levels) == (None, 0, [(1, 2)])
    assert set(found.sizes()) == set(found.names)
    assert [name.split("/")[0] for name in found.named("nodes")] == ["direction=nodes"]


def test_there_is_none(tmp_path: Path) -> None:
    """A store that was never compacted has none; so has one whose texts were rewritten since."""
    assert Snapshot.open(tmp_path) is None


def test_a_snapshot_from_before_texts_were_rewritten_is_none(template: Path) -> None:
    """It may hold texts that are gone."""

    class Log:
        path = template / "log"
        texts = TextState(tightened=Tightened(TextPolicy.DROP, 2, 7))

    assert Snapshot.of(Log()) is None
    assert Snapshot.of(Store.open(template).opened_log) is not None


def test_rectangles_come_closed_and_in_order(template: Path) -> None:
    """By source, or by target; nodes are numbers."""
    rows = opened(template).rectangles("target").select(["target", "opened", "closed"]).to_pylist()

    assert [(row["opened"], row["closed"]) for row in rows] == [(1, 2), (2, None)]
    assert [row["target"] for row in rows] == sorted(row["target"] for row in rows)
    assert opened(template).facts().num_rows == 0


def test_a_closing_row_of_a_later_level_ends_a_rectangle(folder: Path) -> None:
    """The last one of its key that was open then; the table as stored has both rows."""
    store, base = Store.open(folder), opened(folder)
    row = base.rectangles().to_pylist()[-1]
    closing = tuple(row[name] for name in COLUMNS["source"] if name not in ("opened", "closed"))
    more = _NONE | {name: [(*closing, None, 3)] for name in ("source", "target")}
    files = place_files(folder / NAME, staged(folder / "staged", more), 3, 3)
    level = commit(folder, base, files, meta_of(store), full=False)

    assert [(r["opened"], r["closed"]) for r in level.rectangles().to_pylist()] == [(1, 2), (2, 3)]
    assert level.table("source").num_rows == 3


@pytest.mark.parametrize("damage", ["flipped", "missing"])
def test_a_damaged_file_is_found_when_it_is_read(folder: Path, damage: str) -> None:
    """And says how to rebuild it; the files of other partitions are read."""
    found = opened(folder)
    place = folder / NAME / found.named("nodes")[0]
    if damage == "missing":
        place.unlink()
    else:
        data = bytearray(place.read_bytes())
        data[len(data) // 2] ^= 1
        place.write_bytes(data)

    assert found.table("tasks").num_rows == 1
    with pytest.raises(CorruptError, match=r"missing|cut or altered") as raised:
        found.table("nodes")
    assert "compact --full" in (raised.value.hint or "")


@pytest.mark.parametrize(
    ("old", "new"),
    [(b'"files":["', b'"files":["x'), (b'"checksum":"', b'"checksum":"x'), (b"}", b""), (b'"rows"', b'"r')],
)
def test_a_commit_that_is_not_whole_is_found(folder: Path, old: bytes, new: bytes) -> None:
    """It must be ours, and name the files that are in force."""
    place = folder / NAME / "_delta_log" / f"{1:020d}.json"
    data = place.read_bytes()
    assert old in data
    place.write_bytes(data.replace(old, new))

    with pytest.raises(CorruptError):
        opened(folder)


def test_a_newer_format_is_rejected(folder: Path) -> None:
    """With the release to use; it is not called damage."""
    place = folder / NAME / "_delta_log" / f"{1:020d}.json"
    lines = [orjson.loads(line) for line in place.read_bytes().splitlines()]
    for line in lines:
        if "commitInfo" in line:
            line["commitInfo"]["lineage_tt"]["format"] = 99
    place.write_bytes(b"\n".join(map(orjson.dumps, lines)))

    with pytest.raises(InvalidRequestError, match="format 99"):
        opened(folder)
