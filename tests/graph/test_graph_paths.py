"""Ways between two nodes: shortest first, with whole datasets on them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from graph_story import DAYS

from lineage_tt import Store
from lineage_tt.graph.answers import paths
from lineage_tt.graph.answers.paths import Path
from lineage_tt.testing import task_change

REVENUE, STATUS = "bi:board/1#revenue", "hive:ods.orders#status"


def test_there_is_no_way_from_a_node_to_itself_but_round_a_circle(store: Store) -> None:
    """A circle is one way, from the node back to it; each way goes over an edge once."""
    view = store.graph().as_of(DAYS[0])
    assert view.paths(REVENUE, REVENUE) == []

    store.append([task_change("round", "online", DAYS[0], [(REVENUE, "hive:dw.orders#amount")])])
    (way,) = store.graph().as_of(DAYS[0]).paths(REVENUE, REVENUE)

    assert isinstance(way, Path)
    assert way.nodes == (REVENUE, "hive:dw.orders#amount", REVENUE)
    assert len(way) == 2


def test_the_shortest_way_and_all_ways(store: Store) -> None:
    """Ways are found shortest first; each edge continues from the one before; a column counts as its dataset."""
    store.append([task_change("copy", "online", DAYS[0], [("hive:ods.orders#amount", REVENUE)])])
    view = store.graph().as_of(DAYS[0])
    ways = view.paths("hive:ods.orders#amount", REVENUE)

    assert [path.nodes[1:] for path in ways] == [(REVENUE,), ("hive:dw.orders#amount", REVENUE)]
    assert view.shortest_path("hive:ods.orders#amount", REVENUE) == ways[0]
    assert view.shortest_path(REVENUE, "hive:ods.orders#amount") is None
    through = view.shortest_path(STATUS, REVENUE)
    assert through is not None
    assert through.nodes == (STATUS, "hive:dw.orders", REVENUE)
    assert [len(path) for path in view.paths("hive:ods.orders#amount", REVENUE, longest=1)] == [1]
    tables = view.shortest_path("hive:ods.orders", "bi:board/1", level="table")
    assert tables is not None
    assert tables.nodes == ("hive:ods.orders", "bi:board/1")
    assert {s.edge.target for s in view.between(STATUS, REVENUE).steps} == {"hive:dw.orders", REVENUE}


def test_a_search_that_stops_says_so(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are too many ways to look at, the ways found were returned as if they were all."""
    layers = [[f"hive:l{layer}.t{number}#x" for number in range(4)] for layer in range(4)]
    pairs = [(one, other) for above, below in pairwise(layers) for one in above for other in below]
    ends = [("hive:start#x", each) for each in layers[0]] + [(each, "hive:end#x") for each in layers[-1]]
    store.append([task_change("many", "online", DAYS[0], [*pairs, *ends])])
    view = store.graph().as_of(DAYS[0])

    every = view.paths("hive:start#x", "hive:end#x", limit=1000)
    assert (len(every), every.truncated) == (256, False)
    assert not view.paths("hive:start#x", "hive:end#x", limit=10).truncated
    monkeypatch.setattr(paths, "MAX_LOOKED_AT", 100)
    some = view.paths("hive:start#x", "hive:end#x", limit=1000)

    assert 0 < len(some) < 256
    assert some.truncated
    assert repr(some).endswith("] and perhaps more: the search stopped")
    assert not view.paths("hive:start#x", "hive:end#x", limit=1).truncated
