"""Lineage as a graph for Graphviz (``dot``) and Mermaid: a box for each dataset, its columns
inside; a dataset without columns is a plain node.

An arrow is dashed where all of its edges are INDIRECT, or all are star edges joined to a column (marked ``by star``).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from lineage_tt.answers import Lineage
from lineage_tt.cli.render.ink import shown
from lineage_tt.edges import DIRECT, column_of, dataset_of

_NOT_PLAIN = re.compile(r"[^\w .:/\-]")


def _boxes(found: Lineage) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return a short id for each node, and the nodes of each dataset."""
    nodes = {end for step in found.steps for end in (step.edge.source, step.edge.target)} | set(found.start)
    boxes: dict[str, list[str]] = defaultdict(list)
    for node in sorted(nodes):
        boxes[dataset_of(node)].append(node)
    return {node: f"n{i}" for i, node in enumerate(sorted(nodes), 1)}, boxes


def _arrows(found: Lineage) -> list[tuple[str, str, str, bool]]:
    """Return (source, target, label, whether the line is solid) for each pair of nodes with an edge."""
    kinds: dict[tuple[str, str], dict[str, bool]] = defaultdict(dict)
    stored: set[tuple[str, str]] = set()
    for step in found.steps:
        edge, ends = step.edge, step.edge[1:3]
        named = kinds[ends]
        kind = edge.subtype or edge.type
        named[kind] = named.get(kind, False) or (edge.type == DIRECT and not step.by_star)
        if not step.by_star:
            stored.add(ends)
    arrows = []
    for ends, named in sorted(kinds.items()):
        words = [*sorted(named), *(() if ends in stored else ("by star",))]
        arrows.append((*ends, ", ".join(words), any(named.values())))
    return arrows


def _name(node: str) -> str:
    """Return what a node is called inside its dataset's box."""
    return column_of(node) or "(dataset)"


def dot(found: Lineage) -> Iterator[str]:
    """Yield the lines of a Graphviz digraph."""
    ids, boxes = _boxes(found)
    yield "digraph lineage {"
    yield '  graph [rankdir=LR, fontname="sans-serif"];'
    yield '  node [shape=box, style=rounded, fontname="sans-serif"];'
    yield '  edge [fontname="sans-serif", fontsize=9];'
    for i, (dataset, nodes) in enumerate(boxes.items(), 1):
        if nodes == [dataset]:
            bold = ", penwidth=2" if dataset in found.start else ""
            yield f"  {ids[dataset]} [label={_dot_text(dataset)}{bold}];"
            continue
        yield f"  subgraph cluster_{i} {{"
        yield f"    label={_dot_text(dataset)};"
        for node in nodes:
            bold = ", penwidth=2" if node in found.start else ""
            yield f"    {ids[node]} [label={_dot_text(_name(node))}{bold}];"
        yield "  }"
    for source, target, kinds, direct in _arrows(found):
        dashed = "" if direct else ", style=dashed"
        yield f"  {ids[source]} -> {ids[target]} [label={_dot_text(kinds)}{dashed}];"
    yield "}"


def _dot_text(text: str) -> str:
    return '"' + shown(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def mermaid(found: Lineage) -> Iterator[str]:
    """Yield the lines of a Mermaid flowchart."""
    ids, boxes = _boxes(found)
    yield "flowchart LR"
    for i, (dataset, nodes) in enumerate(boxes.items(), 1):
        if nodes == [dataset]:
            yield f"  {ids[dataset]}[{_mermaid_text(dataset)}]"
            continue
        yield f"  subgraph d{i}[{_mermaid_text(dataset)}]"
        for node in nodes:
            yield f"    {ids[node]}[{_mermaid_text(_name(node))}]"
        yield "  end"
    for source, target, kinds, direct in _arrows(found):
        arrow = "-->" if direct else "-.->"
        yield f"  {ids[source]} {arrow}|{_mermaid_text(kinds)}| {ids[target]}"
    for node in found.start:
        yield f"  style {ids[node]} stroke-width:3px"


def _mermaid_text(text: str) -> str:
    return '"' + _NOT_PLAIN.sub(lambda m: f"#{ord(m.group())};", shown(text)) + '"'
