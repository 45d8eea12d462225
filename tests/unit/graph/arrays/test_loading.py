"""The log as columns of numbers."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lineage_tt import Store
from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.loading import joined, numbers, read, unpaired
from lineage_tt.graph.arrays.rows import FOREVER
from lineage_tt.model.errors import CorruptError
from lineage_tt.testing import ManualClock, task_change

NOON = 1_714_564_800_000_000


def files_of(store: Store) -> list[Any]:
    """The data files of a store's log."""
    return list(store.opened_log.files())


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Three versions: two edges, the same again, one of them gone."""
    made = Store.create(tmp_path / "s", clock=ManualClock(NOON))
    both = [("d:a#x", "d:b#x"), ("d:a#y", "d:b#y")]
    for at, edges in enumerate((both, both, both[:1])):
        made.append([task_change("t", "update", NOON + at, edges)])
    return made


def test_each_change_has_the_numbers_of_its_texts_and_its_version(store: Store) -> None:
    """A version without changes has its system time all the same."""
    names = Dictionary()
    changes, times = joined([*read(files_of(store), 0, names)])

    rows = zip(
        changes.sign.tolist(), names.nodes.texts(changes.source.tolist()), names.nodes.texts(changes.target.tolist()),
        (changes.valid_from - NOON).tolist(), changes.valid_to.tolist(), changes.version.tolist(), strict=True,
    )  # fmt: skip
    assert sorted(rows, key=lambda row: (row[5], row)) == [
        (1, "d:a#x", "d:b#x", 0, FOREVER, 1), (1, "d:a#y", "d:b#y", 0, FOREVER, 1),
        (-1, "d:a#y", "d:b#y", 0, FOREVER, 3), (1, "d:a#y", "d:b#y", 0, NOON + 2, 3),
    ]  # fmt: skip
    assert len(times) == 3
    assert names.nodes.find("d:a") >= 0


def test_only_versions_after_the_one_given_are_read(store: Store) -> None:
    """Files with earlier ones among them are cut; where nothing is new there is no piece."""
    files, names = files_of(store), Dictionary()

    found = [piece.changes.version.tolist() for piece in read(files, 2, names)]

    assert [version for versions in found for version in versions] == [3, 3]
    assert [*read(files, 3, names)] == []
    assert joined([])[0].sign.tolist() == []


def test_a_file_that_lies_in_order_of_tasks_is_read_in_order_of_versions(store: Store, tmp_path: Path) -> None:
    """As compaction clusters them."""
    (first, *_), mixed = files_of(store), tmp_path / "mixed.parquet"
    table = pa.concat_tables([pq.read_table(path, partitioning=None) for path in files_of(store)])
    pq.write_table(table.take(random.sample(range(3), 3)), mixed)

    (piece,) = read([mixed], 0, Dictionary())

    assert first.exists()
    assert piece.first == 1
    assert piece.changes.version.tolist() == sorted(piece.changes.version.tolist())


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """Cut or missing."""
    broken = tmp_path / "1-2-abc.parquet"
    broken.write_bytes(b"PAR1")

    for path in (broken, tmp_path / "none.parquet"):
        with pytest.raises(CorruptError, match=path.name):
            list(read([path], 0, Dictionary()))


def test_no_value_is_for_ever() -> None:
    """Of instants and of integers, in one array or several."""
    given = pa.array([5, None], pa.timestamp("us", "UTC"))

    assert numbers(given).tolist() == [5, FOREVER]
    assert numbers(pa.chunked_array([given, given])).tolist() == [5, FOREVER] * 2
    assert numbers(pa.array([1, 2], pa.int32())).flags.writeable


def test_a_change_that_takes_away_what_was_never_there_names_its_version() -> None:
    """The log is damaged then."""
    assert "version 7 removes an edge" in str(unpaired(7))
