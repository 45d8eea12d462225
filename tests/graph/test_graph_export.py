"""A walk's other forms: Arrow, polars, networkx, JSON, a table for a notebook."""

from __future__ import annotations

from graph_story import DAYS

from lineage_tt import Store
from lineage_tt.graph import Graph
from lineage_tt.graph.answers.export import edges_arrow, nodes_arrow
from lineage_tt.testing import task_change

REVENUE = "bi:board/1#revenue"


def test_arrow_and_polars_hold_what_the_steps_hold(graph: Graph) -> None:
    """One row an edge, in the order of the steps, instants as instants; nodes with their steps."""
    walk = graph.as_of(DAYS[0]).lineage(REVENUE)
    edges, frame = walk.edges_arrow(), walk.edges_polars()

    assert edges["source"].to_pylist() == [step.edge.source for step in walk.steps]
    assert str(edges.schema.field("valid_from").type) == "timestamp[us, tz=UTC]"
    assert frame.rows() == [tuple(row.values()) for row in edges.to_pylist()]
    assert dict(zip(*walk.nodes_polars().select("node", "steps").get_columns(), strict=True)) == walk.nodes
    assert walk.nodes_arrow().num_rows == len(walk.nodes)
    assert graph.as_of(DAYS[0]).lineage(REVENUE, depth=0).edges_arrow().num_rows == 0


def test_no_rows_are_tables_with_the_same_columns() -> None:
    """So that whoever appends them needs not look."""
    none, one = edges_arrow([]), nodes_arrow([(1, "up", "d:a#x")])

    assert none.num_rows == 0
    assert none.column_names[:4] == ["direction", "steps", "task_id", "source"]
    assert nodes_arrow([]).schema == one.schema
    assert one.to_pylist() == [{"node": "d:a#x", "direction": "up", "steps": 1}]


def test_networkx_has_the_nodes_and_edges(graph: Graph) -> None:
    """A directed multigraph: the start has no steps, an edge carries its task, version and interval."""
    walk = graph.as_of(DAYS[0]).upstream(REVENUE)
    made = walk.to_networkx()

    assert {node: steps for node, steps in made.nodes(data="steps") if node != REVENUE and steps} == walk.nodes
    assert made.nodes[REVENUE]["steps"] == 0
    assert made.number_of_edges() == len(walk)
    ((_, _, edge),) = made.in_edges(REVENUE, data=True)
    assert (edge["task_id"], edge["expression"], edge["version"]) == ("report", "SUM(amount)", 2)


def test_a_notebook_shows_text_as_text(store: Store) -> None:
    """Names and expressions are escaped; a long walk is cut and says so."""
    hostile = [("x:a#<script>alert(1)</script>", f"x:b#c{i}", "DIRECT", "TRANSFORMATION", "a < b") for i in range(60)]
    store.append([task_change("<b>", "online", DAYS[0], hostile)])
    shown = store.graph().as_of(DAYS[0]).downstream(hostile[0][0])._repr_html_()

    assert "<script>" not in shown
    assert "<b>&lt;" not in shown
    assert shown.count('marker-end="url(#tip)"') == 60
    assert "a &lt; b" in shown
    assert "and 10 more edges" in shown
