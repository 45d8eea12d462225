"""The graph's arrays read of a snapshot: what the log gives, closing rows of later levels, and what is damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from small_snapshots import compacted, meta_of, rows_of, staged

from lineage_tt import Store
from lineage_tt.graph.arrays.dictionary import Dictionary
from lineage_tt.graph.arrays.rows import NEVER
from lineage_tt.graph.load.from_snapshot import Loaded, load
from lineage_tt.model.errors import CorruptError
from lineage_tt.read.snapshots.commit import commit, place_files
from lineage_tt.read.snapshots.snapshot import NAME, Snapshot
from lineage_tt.testing import ManualClock, task_change


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """a → b until 30, ä → b from 20 on, with an expression; version 2 closes what version 1 opened without an end."""
    made = Store.create(tmp_path, clock=ManualClock(90))
    made.append([task_change("t", "online", 10, [("n:a#x", "n:b#y")])])
    made.append(
        [
            task_change("t", "offline", 30),
            task_change("u", "online", 20, [("n:ä#x", "n:b#y", "DIRECT", "AGGREGATION", "sum(ä.x)")]),
        ]
    )
    return made


def with_rows(store: Store, folder: Path, rows: dict[str, list[tuple[Any, ...]]]) -> Snapshot:
    """A full snapshot of a store with these rows."""
    files = place_files(folder / NAME, staged(folder / "staged", rows), 1, store.version)
    return commit(folder, Snapshot.open(folder), files, meta_of(store), full=True)


def believed(loaded: Loaded, names: Dictionary) -> list[tuple[str, ...]]:
    """The rectangles that were loaded, as texts: source, target, task, subtype, expression, times and versions."""
    state, found = loaded.state, []
    for node in range(state.nodes):
        for row in state.out[state.record[node, 0] : state.record[node + 1, 0]].tolist():
            task, kind, text = names.payloads[row[5] >> 1].tolist()
            ends = state.instants[row[1]], state.instants[row[2]] if row[2] < len(state.instants) else "ever"
            closed = row[4] if row[4] >= 0 else ~row[4]
            found.append((
                *names.nodes.texts([node, row[0]]), *names.tasks.texts([task]), names.kind_words[kind][1],
                *names.expressions.texts([text]), *map(str, ends), str(row[3]),
                str(closed) if closed != NEVER else "never",
            ))  # fmt: skip
    return sorted(found)


EXPECTED = [
    ("n:a#x", "n:b#y", "t", "IDENTITY", "", "10", "30", "2", "never"),
    ("n:a#x", "n:b#y", "t", "IDENTITY", "", "10", "ever", "1", "2"),
    ("n:ä#x", "n:b#y", "u", "AGGREGATION", "sum(ä.x)", "20", "ever", "3", "never"),
]


def test_rectangles_names_and_system_times_are_those_of_the_log(store: Store, tmp_path: Path) -> None:
    """Each once, with the versions that opened and closed it."""
    names = Dictionary()
    loaded = load(compacted(store, tmp_path), names)

    assert believed(loaded, names) == EXPECTED
    assert (loaded.state.version, loaded.system_times.tolist()) == (3, [90, 91, 92])


def test_a_closing_row_of_a_later_level_closes_what_an_older_one_opened(store: Store, tmp_path: Path) -> None:
    """It has no version that opened it."""
    rows = rows_of(store)
    whole = [row for row in rows["source"] if row[-2:] == (1, 2)]
    assert len(whole) == 1
    parted = [*(row for row in rows["source"] if row not in whole), (*whole[0][:-1], None), (*whole[0][:-2], None, 2)]
    names = Dictionary()
    loaded = load(with_rows(store, tmp_path, rows | {"source": parted, "target": parted}), names)

    assert believed(loaded, names) == EXPECTED


def test_a_snapshot_of_no_edges_gives_an_empty_state_of_its_version(tmp_path: Path) -> None:
    """A task that only went offline."""
    store = Store.create(tmp_path, clock=ManualClock(90))
    store.append([task_change("t", "offline", 30)])
    names = Dictionary()
    loaded = load(compacted(store, tmp_path), names)

    assert (believed(loaded, names), loaded.state.version, len(loaded.system_times)) == ([], 1, 1)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ({"versions": lambda rows: rows[:-1]}, "covers version 3 and names 2 versions"),
        ({"nodes": lambda rows: [(number + 1, name) for number, name in rows]}, "nodes are not numbered one by one"),
        ({"tasks": lambda rows: [*rows, (9, "more")]}, "tasks are not numbered one by one"),
    ],
)
def test_a_snapshot_that_contradicts_itself_is_an_error(
    store: Store, tmp_path: Path, damage: dict[str, Any], words: str
) -> None:
    """It says what is wrong, and that the snapshot may be made again."""
    rows = rows_of(store)
    for direction, change in damage.items():
        rows[direction] = change(rows[direction])

    with pytest.raises(CorruptError, match=words):
        load(with_rows(store, tmp_path, rows), Dictionary())


def test_a_closing_row_that_closes_nothing_is_an_error(store: Store, tmp_path: Path) -> None:
    """Of a rectangle that no older level holds."""
    rows = rows_of(store)
    first = rows["source"][0]
    rows["source"] = [*rows["source"], (first[1], first[0], *first[2:-2], None, 3)]

    with pytest.raises(CorruptError):
        load(with_rows(store, tmp_path, rows), Dictionary())
