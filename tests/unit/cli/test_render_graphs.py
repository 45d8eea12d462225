"""Graphviz and Mermaid."""

from __future__ import annotations

import re

from lineage_tt.cli.render.graphs import dot, mermaid
from lineage_tt.model.answers import Basis, EdgeAsOf, Lineage, Step
from lineage_tt.model.completeness.summary import End, Gap, Reason, summed

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
    """Quotes, backslashes and line breaks of a name cannot end the label that it is in."""
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


def uncertain(*ends: tuple[str, str]) -> Lineage:
    """Return the walk with its task ``t`` partial, and its last node an end for want of knowledge."""
    gap = Gap("t", 1, "partial", (Reason("syntax", 'odd "words"\n-->', ""),))
    end = End(ends[-1][1], "down", "unknown-targets", "task t reads it")
    return found(*ends)._replace(completeness=summed([gap], [end]))


def test_edges_of_tasks_that_are_not_complete_are_grey_and_dashed() -> None:
    """So are the borders of nodes at which the walk stopped for want of knowledge; a comment says why."""
    walk = uncertain(("x:a#b", "x:c#d"))
    drawn, flow = list(dot(walk)), list(mermaid(walk))

    assert any("n1 -> n2" in line and "style=dashed" in line and 'color="#999999"' in line for line in drawn)
    assert '    n2 [label="d", style="rounded,dashed", color="#999999"];' in drawn
    assert [line for line in drawn if "// incomplete: task t on the way is partial" in line]
    assert '  n1 -.->|"AGGREGATION#44; IDENTITY"| n2' in flow
    assert "  linkStyle 0 stroke:#999999" in flow
    assert "  style n2 stroke:#999999,stroke-dasharray:5 5" in flow
    assert [line for line in flow if line.startswith("  %% incomplete: ")]
    assert not any("\n" in line for line in [*drawn, *flow])


def test_an_edge_that_a_complete_task_has_too_is_certain() -> None:
    """What one task states beyond doubt is not drawn grey because another one may."""
    walk = uncertain(("x:a#b", "x:c#d"))
    sure = Step("down", 1, EdgeAsOf("u", "x:a#b", "x:c#d", "DIRECT", "IDENTITY", "", 1, 0, None))
    drawn = list(mermaid(walk._replace(steps=(*walk.steps, sure))))

    assert '  n1 -->|"AGGREGATION#44; IDENTITY"| n2' in drawn
    assert not any("linkStyle" in line for line in drawn)
