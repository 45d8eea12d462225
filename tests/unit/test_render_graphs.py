"""Graphviz and Mermaid."""

from __future__ import annotations

import re

from lineage_tt.answers import Basis, EdgeAsOf, Lineage, Step
from lineage_tt.cli.render.graphs import dot, mermaid

ODD = 'x:a"b\\c`<i>#q]"\n-->'


def found(*ends: tuple[str, str]) -> Lineage:
    """Return a walk over these pairs, each with two kinds of edges."""
    steps = [
        Step("down", 1, EdgeAsOf("t", source, target, "DIRECT", kind, "", 1, 0, None))
        for source, target in ends
        for kind in ("IDENTITY", "AGGREGATION")
    ]
    return Lineage(Basis(0, 1, 0), (ends[0][0],), tuple(steps))


def test_odd_names_stay_inside_their_quotes() -> None:
    """Quotes, backslashes and line breaks of a name cannot end the label that it stands in."""
    for line in dot(found((ODD, "x:b#c"))):
        assert len(re.findall(r'(?<!\\)(?:\\\\)*"', line)) % 2 == 0
    for line in mermaid(found((ODD, "x:b#c"))):
        assert set(re.sub(r'"[^"]*"', "", line)) <= set("abcdefghijklmnopqrstuvwxyzLR0123456789 []|->:")


def test_parallel_edges_are_one_arrow() -> None:
    """Edges between the same nodes are drawn once, with all their kinds."""
    drawn = [line for line in dot(found(("x:a#b", "x:c#d"))) if "->" in line]

    assert drawn == ['  n1 -> n2 [label="AGGREGATION, IDENTITY"];']


def test_start_nodes_stand_out_even_without_edges() -> None:
    """A node that nothing feeds is still drawn."""
    alone = Lineage(Basis(0, 1, 0), ("x:a#b",), ())

    assert '    n1 [label="b", penwidth=2];' in list(dot(alone))
    assert "  style n1 stroke-width:3px" in list(mermaid(alone))


def test_a_dataset_without_columns_is_a_plain_node() -> None:
    """At table level no box is drawn around each dataset."""
    tables = found(("x:a", "x:b"))

    assert not any("subgraph" in line for line in [*dot(tables), *mermaid(tables)])
    assert '  n1 [label="x:a", penwidth=2];' in list(dot(tables))
    assert '  n2["x:b"]' in list(mermaid(tables))
