"""A small store with a story: two tasks, an edit, a correction of the past, columns and whole datasets."""

from __future__ import annotations

from pathlib import Path

import pytest
from graph_story import DAYS, NIGHTLY, REPORT

from lineage_tt import Store
from lineage_tt.graph import Graph
from lineage_tt.testing import ManualClock, task_change


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """The nightly load, the report, and an edit of the load by which the amount comes from elsewhere."""
    store = Store.create(tmp_path / "s", clock=ManualClock(DAYS[0]))
    store.append([task_change("nightly", "online", DAYS[0], NIGHTLY), task_change("report", "online", DAYS[0], REPORT)])
    edited = [NIGHTLY[0], ("kafka:prod/payments#value", "hive:dw.orders#amount"), NIGHTLY[2]]
    store.append([task_change("nightly", "update", DAYS[1], edited)])
    return store


@pytest.fixture
def graph(store: Store) -> Graph:
    """The store's graph."""
    return store.graph()
