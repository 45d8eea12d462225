"""Lineage as a graph for Graphviz (``dot``) and Mermaid. Each dataset is a box with its columns inside; a dataset
without columns is a plain node.

An arrow is dashed where all of its edges are INDIRECT, or all are star edges joined to a column (marked ``by star``).
It is grey and dashed where all of its edges belong to tasks that are not complete. A node at which the walk stopped
because lineage is not known has a grey and dashed border. A comment holds the last line of the text answer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from lineage_tt.graph.pictures.arrows import arrows
from lineage_tt.model.answers import Lineage
from lineage_tt.model.completeness import sentence
from lineage_tt.model.edges import column_of, dataset_of
from lineage_tt.model.names import shown

_GREY = "#999999"
_NOT_PLAIN = re.compile(r"[^\w .:/\-]")


def _boxes(lineage: Lineage) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return a short id for each node, and the nodes of each dataset."""
    nodes = {end for step in lineage.steps for end in (step.edge.source, step.edge.target)} | set(lineage.start)
    boxes: dict[str, list[str]] = defaultdict(list)
    for node in sorted(nodes):
        boxes[dataset_of(node)].append(node)
    return {node: f"n{i}" for i, node in enumerate(sorted(nodes), 1)}, boxes


def _name(node: str) -> str:
    """Return the name of a node inside its dataset's box."""
    return column_of(node) or "(dataset)"


def dot(lineage: Lineage) -> Iterator[str]:
    """Yield the lines of a Graphviz digraph."""
    ids, boxes = _boxes(lineage)
    yield "digraph lineage {"
    yield '  graph [rankdir=LR, fontname="sans-serif"];'
    yield '  node [shape=box, style=rounded, fontname="sans-serif"];'
    yield '  edge [fontname="sans-serif", fontsize=9];'
    for i, (dataset, nodes) in enumerate(boxes.items(), 1):
        if nodes == [dataset]:
            yield f"  {ids[dataset]} [label={_dot_text(dataset)}{_dot_border(dataset, lineage)}];"
            continue
        yield f"  subgraph cluster_{i} {{"
        yield f"    label={_dot_text(dataset)};"
        for node in nodes:
            yield f"    {ids[node]} [label={_dot_text(_name(node))}{_dot_border(node, lineage)}];"
        yield "  }"
    for arrow in arrows(lineage):
        dashed = "" if arrow.solid and arrow.certain else ", style=dashed"
        grey = "" if arrow.certain else f", color={_dot_text(_GREY)}, fontcolor={_dot_text(_GREY)}"
        yield f"  {ids[arrow.source]} -> {ids[arrow.target]} [label={_dot_text(arrow.label)}{dashed}{grey}];"
    words = sentence.line(lineage.completeness)
    if words is not None:
        yield f"  // {shown(words)}"
    yield "}"


def _dot_border(node: str, lineage: Lineage) -> str:
    """Return the border that marks a node: a wide one for a start, a dashed one for an end of known lineage."""
    bold = ", penwidth=2" if node in lineage.start else ""
    unknown = node in lineage.completeness.uncertain_nodes
    return bold + (f', style="rounded,dashed", color={_dot_text(_GREY)}' if unknown else "")


def _dot_text(text: str) -> str:
    return '"' + shown(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def mermaid(lineage: Lineage) -> Iterator[str]:
    """Yield the lines of a Mermaid flowchart."""
    ids, boxes = _boxes(lineage)
    yield "flowchart LR"
    for i, (dataset, nodes) in enumerate(boxes.items(), 1):
        if nodes == [dataset]:
            yield f"  {ids[dataset]}[{_mermaid_text(dataset)}]"
            continue
        yield f"  subgraph d{i}[{_mermaid_text(dataset)}]"
        for node in nodes:
            yield f"    {ids[node]}[{_mermaid_text(_name(node))}]"
        yield "  end"
    drawn = arrows(lineage)
    for arrow in drawn:
        line = "-->" if arrow.solid and arrow.certain else "-.->"
        yield f"  {ids[arrow.source]} {line}|{_mermaid_text(arrow.label)}| {ids[arrow.target]}"
    if grey := [str(place) for place, arrow in enumerate(drawn) if not arrow.certain]:
        yield f"  linkStyle {','.join(grey)} stroke:{_GREY}"
    for node in lineage.start:
        yield f"  style {ids[node]} stroke-width:3px"
    for node in sorted(lineage.completeness.uncertain_nodes & ids.keys()):
        yield f"  style {ids[node]} stroke:{_GREY},stroke-dasharray:5 5"
    words = sentence.line(lineage.completeness)
    if words is not None:
        yield f"  %% {shown(words)}"


def _mermaid_text(text: str) -> str:
    return '"' + _NOT_PLAIN.sub(lambda m: f"#{ord(m.group())};", shown(text)) + '"'
