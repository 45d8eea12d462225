"""When edges at datasets begin and end: from the graph's arrays the same as from the log."""

from __future__ import annotations

import random
from itertools import count
from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.graph.walks.moments import moments
from lineage_tt.model.messages import TaskChange
from lineage_tt.read.overtime import change_points
from lineage_tt.testing import ManualClock, task_change

DAY = 86_400_000_000
START = 1_704_067_200_000_000
DATASETS = [f"h:d.t{number}" for number in range(5)]


def change(choose: random.Random, number: int) -> TaskChange:
    """Return a message of one of four tasks at a random day: edges between columns or datasets, or none."""
    ends = [dataset + column for dataset in DATASETS for column in ("", "#a", "#b", "#*")]
    edges = [(choose.choice(ends[:8]), choose.choice(ends[8:])) for _ in range(choose.randint(0, 3))]
    task, at = choose.randint(1, 4), START + choose.randint(0, 20) * DAY
    return task_change(f"task{task}", "update" if edges else "offline", at, edges, event_id=str(number))


@pytest.mark.parametrize("seed", range(6))
def test_moments_are_those_of_the_log(tmp_path: Path, seed: int) -> None:
    """At every version, in the base and in the tail: all times of the log, and others only where edges meet."""
    choose, numbers = random.Random(seed), count(1)
    store = Store.create(tmp_path / "s", clock=ManualClock(START))
    store.append([change(choose, next(numbers)) for _ in range(12)])
    graph = store.graph()
    store.append([change(choose, next(numbers)) for _ in range(12)])
    graph.refresh()

    for version in {1, 5, 12, 13, 20, store.version}:
        found = moments(graph.state, graph.names, [*DATASETS, "h:d.unknown"], version)
        assert found.pop("h:d.unknown") == []
        for dataset, times in found.items():
            expected = [p.valid_at for p in change_points(store.fetch, [dataset], version, whole=True)]
            met = {
                at
                for (at,) in store.fetch(
                    "SELECT DISTINCT epoch_us(unnest([valid_from, valid_to])) FROM changes WHERE version <= $version"
                    " AND $dataset IN (dataset_of(source), dataset_of(target))",
                    version=version,
                    dataset=dataset,
                )
            }
            assert times == sorted(set(times)), (seed, version)
            assert set(expected) <= set(times) <= met, (seed, version, dataset)
