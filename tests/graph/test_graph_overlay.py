"""The graph as it would be: some tasks' edges replaced, the store and the graph itself untouched."""

from __future__ import annotations

import pytest
from graph_story import DAYS, NIGHTLY

from lineage_tt import Store
from lineage_tt.graph import Graph
from lineage_tt.graph.overlay import Overlay
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.testing import task_change

REVENUE = "bi:board/1#revenue"


def test_a_replaced_task_has_the_new_edges_only(graph: Graph) -> None:
    """From the given time on the load takes the amount from a new table; before it, and in the graph, all is as was."""
    edges = graph.as_of(DAYS[2]).edges()
    would_be = graph.with_({"nightly": [("hive:new.table#sum", "hive:dw.orders#amount")]}, DAYS[2])

    assert isinstance(would_be, Overlay)
    assert would_be.as_of(DAYS[2]).upstream(REVENUE).nodes == {"hive:dw.orders#amount": 1, "hive:new.table#sum": 2}
    assert would_be.as_of(DAYS[0]).upstream(REVENUE).nodes == graph.as_of(DAYS[0]).upstream(REVENUE).nodes
    assert would_be.as_of(DAYS[2], version=2).upstream(REVENUE).nodes == graph.as_of(
        DAYS[2], version=2
    ).upstream(REVENUE).nodes  # fmt: skip
    assert graph.as_of(DAYS[2]).edges() == edges
    assert not graph.knows("hive:new.table#sum")
    assert would_be.knows("hive:new.table")


def test_it_is_what_the_store_would_say(store: Store, graph: Graph) -> None:
    """The overlay's edges and walks equal those of a store to which the same change is appended."""
    edited = [*NIGHTLY[:1], ("hive:dw.orders#id", "bi:board/2#n", "INDIRECT", "JOIN", "")]
    would_be = graph.with_({"nightly": edited, "report": None, "added": [("bi:board/2#n", "m:x#y")]}, DAYS[2])
    store.append(
        [
            task_change("nightly", "update", DAYS[2], edited),
            task_change("report", "offline", DAYS[2]),
            task_change("added", "online", DAYS[2], [("bi:board/2#n", "m:x#y")]),
        ]
    )
    graph.refresh()
    for day in DAYS:
        ours, stored = would_be.as_of(day), graph.as_of(day)
        assert [edge[:6] for edge in ours.edges()] == [edge[:6] for edge in stored.edges()]
        for node in ("hive:ods.orders#id", "hive:dw.orders", REVENUE):
            for level in ("column", "table"):
                found, expected = (view.lineage(node, level=level) for view in (ours, stored))
                assert [(s.direction, s.steps, s.edge[:6]) for s in found.steps] == [
                    (s.direction, s.steps, s.edge[:6]) for s in expected.steps
                ]
    first, second = would_be.basis(DAYS[0]), would_be.basis(DAYS[2])
    stored_diff = graph.diff(graph.basis(DAYS[0]), graph.basis(DAYS[2]))
    assert would_be.diff(first, second)[2:] == stored_diff[2:]


def test_what_is_supposed_is_told_apart(graph: Graph) -> None:
    """A supposed edge has the version behind the graph's last; it stays while the graph itself continues."""
    would_be = graph.with_({"nightly": [("hive:new.table#sum", "hive:dw.orders#amount")]})
    (step,) = would_be.as_of(DAYS[2]).upstream("hive:dw.orders#amount").steps

    assert step.edge.version == graph.version + 1
    assert isinstance(graph.store, Store)
    graph.store.append([task_change("nightly", "offline", DAYS[0], event_id="gone", source_version=9)])
    graph.refresh()
    assert would_be.refresh() == 3
    assert would_be.as_of(DAYS[2]).upstream("hive:dw.orders#amount").steps == (step,)


def test_a_supposition_takes_no_second(graph: Graph) -> None:
    """All changes are given at once."""
    with pytest.raises(InvalidRequestError, match="at once"):
        graph.with_({"report": None}).with_({"nightly": None})
