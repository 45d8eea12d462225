"""Damage at rest: whatever byte is flipped, cut off or swapped, no wrong answer is given, and check names it."""

from __future__ import annotations

import os
import random
import shutil
import time
from pathlib import Path

import pytest
from rounds import rounds

from lineage_tt import LineageError, Store
from lineage_tt.maintenance.check import check
from lineage_tt.model.errors import CorruptError
from lineage_tt.model.messages import RejectedMessage
from lineage_tt.storage.write_queue import FOLDER
from lineage_tt.testing import ManualClock, task_change

NOON = "2024-05-01T12:00:00Z"
DEEP = os.environ.get("LINEAGE_TT_PROFILE") == "deep"
SEED = time.time_ns() if DEEP else 20_240_501
ROUNDS = 12 if DEEP else 1  # some 40 flips each
COMMITS = 33  # one checkpoint, and a tail after it


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a checkpoint, a tail, retracts and dead letters, to be copied."""
    folder = tmp_path_factory.mktemp("template") / "lineage"
    store = Store.create(folder, clock=ManualClock())
    for number in range(COMMITS):
        batch = [task_change(f"t{number % 5}", "update", NOON, [(f"n:a#c{number}", "n:b#x")], event_id=f"e{number}")]
        store.append([*batch, RejectedMessage(b"bad %d" % number, "not-json", "")])
    return folder


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Path:
    """A copy of that store."""
    return shutil.copytree(template, tmp_path / "lineage")


def answers(folder: Path) -> object:
    """Everything that the store answers."""
    store = Store.open(folder)
    return store.version, store.as_of(NOON).edges(), store.log(), list(store.changes()), store.history("n:b")


def files(folder: Path) -> list[Path]:
    """All files of a store."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


@pytest.mark.long
def test_a_flipped_bit_never_gives_a_wrong_answer(folder: Path) -> None:
    """One random bit in any file: the answers are the same, or there is an error; and check finds it (D01)."""
    print("seed", SEED)
    generator = random.Random(SEED)
    truth = answers(folder)
    # no answer depends on the turns of writers
    everything = [path for path in files(folder) if path.parent.name != FOLDER]
    kinds = {path.suffix + ("/log" if path.parent.name == "_delta_log" else "") for path in everything}
    assert len(kinds) >= 4
    errors = 0
    # data files are many and alike: the other kinds are hit more often than their share
    data = [path for path in everything if path.parent.name != "_delta_log" and path.suffix == ".parquet"]
    other = [path for path in everything if path not in data]
    struck = [*other, *data[::8]]
    for path in struck * ROUNDS if DEEP else generator.sample(struck, rounds(len(struck), 16)):
        whole = path.read_bytes()
        place = generator.randrange(len(whole))
        flipped = whole[place] ^ (1 << generator.randrange(8))
        path.write_bytes(whole[:place] + bytes([flipped]) + whole[place + 1 :])
        where = f"{path.name}, byte {place}: {whole[place]} became {flipped}"
        try:
            found = answers(folder)
        except LineageError:
            errors += 1
        else:
            assert found == truth, where
        assert any(finding.kind == "damage" for finding in check(folder)), where
        path.write_bytes(whole)

    assert errors > rounds(4) * ROUNDS  # damage to commits before the checkpoint concerns no answer
    assert answers(folder) == truth
    assert check(folder) == []


@pytest.mark.parametrize("change", ["cut", "extended", "deleted", "swapped", "older"])
def test_a_data_file_that_is_not_what_was_written(folder: Path, change: str) -> None:
    """A data file cut, extended, deleted, swapped or put back to an older one is an error that names it (D02)."""
    data = sorted((folder / "log").glob("*.parquet"))
    victim, other = data[3], data[7]
    if change == "cut":
        victim.write_bytes(victim.read_bytes()[:-1])
    elif change == "extended":
        victim.write_bytes(victim.read_bytes() + b"\0")
    elif change == "deleted":
        victim.unlink()
    elif change == "swapped":
        first, second = victim.read_bytes(), other.read_bytes()
        victim.write_bytes(second)
        other.write_bytes(first)
    else:
        shutil.copy(data[2], victim)

    with pytest.raises(CorruptError, match="versions 7 to 8 are damaged"):
        answers(folder)
    assert (7, 8) in {(f.first_version, f.last_version) for f in check(folder) if f.kind == "damage"}


def test_a_writer_does_not_build_on_damage(folder: Path) -> None:
    """Nothing is appended to a task whose past cannot be read as it was written."""
    data = sorted((folder / "log").glob("*.parquet"))
    for place in range(100, 2000, 200):
        whole = data[3].read_bytes()
        data[3].write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])

        with pytest.raises(CorruptError, match="versions 7 to 8 are damaged"):
            Store.open(folder, clock=ManualClock()).append([task_change("t3", "offline", NOON)])
        data[3].write_bytes(whole)


@pytest.mark.long
def test_a_missing_checkpoint_note_changes_no_answer(folder: Path) -> None:
    """Without Delta's note of the checkpoint the log answers from its commits; check misses it."""
    truth = answers(folder)
    (folder / "log" / "_delta_log" / "_last_checkpoint").unlink()

    assert answers(folder) == truth
    assert [finding.path for finding in check(folder)] == ["_last_checkpoint"]


def test_a_missing_checkpoint_is_an_error(folder: Path) -> None:
    """Without the checkpoint that the note names, nothing is answered."""
    (folder / "log" / "_delta_log" / f"{32:020d}.checkpoint.parquet").unlink()

    with pytest.raises(CorruptError, match="Checkpoint"):
        answers(folder)
    assert any(finding.kind == "damage" for finding in check(folder))


@pytest.mark.long
def test_a_checkpoint_of_another_store_is_found(folder: Path, tmp_path: Path) -> None:
    """A checkpoint that names other data files gives no answer without those that belong to the log."""
    store = Store.create(tmp_path / "other", clock=ManualClock())
    for number in range(32):
        store.append([task_change("other", "update", NOON, [("n:q#x", f"n:r#{number}")], event_id=str(number))])
    name = "_delta_log/00000000000000000032.checkpoint.parquet"
    shutil.copy(tmp_path / "other" / "log" / name, folder / "log" / name)

    with pytest.raises(LineageError):
        answers(folder)
    assert any(finding.kind == "damage" for finding in check(folder))
