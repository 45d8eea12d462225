"""The datasets that a release touches and the paths to them, as a Mermaid graph of limited size."""

from __future__ import annotations

import html
from itertools import pairwise
from typing import Final

from lineage_tt.impact.report import BREAKING, CLASSES, NONE, POTENTIALLY, UNKNOWN, Report
from lineage_tt.model.edges import dataset_of
from lineage_tt.model.names import shown

MAX_NODES: Final = 40
_STYLES: Final = {
    BREAKING: "fill:#ffd7d5,stroke:#cf222e",
    POTENTIALLY: "fill:#fff8c5,stroke:#9a6700",
    UNKNOWN: "fill:#eaeef2,stroke:#57606a,stroke-dasharray:4",
}


def page(report: Report) -> str:
    """Return the graph in Mermaid's syntax; changed files that were not judged are one node, and named in comments."""
    lines = graph(report)
    if report.unmapped:
        count = len(report.unmapped)
        lines.append(f'  unjudged["{count:,} changed .sql file{"s" * (count != 1)} not judged: no path rule matches"]')
        # Mermaid reads %%{…}%% as a directive, wherever it is.
        lines += [f"  %% not judged: {shown(path).replace('%%', '% %')}" for path in report.unmapped]
    return "\n".join(lines) + "\n"


def graph(report: Report, most: int = MAX_NODES) -> list[str]:
    """Return the lines of the graph: changed datasets, and readers worst first up to ``most`` nodes."""
    classes, links, left_out = touched(report, most)
    ids = {node: f"n{place}" for place, node in enumerate(classes)}
    lines = ["flowchart LR"]
    lines += [f'  {ids[node]}["{_label(node)}"]:::{class_}' for node, class_ in classes.items()]
    lines += [f"  {ids[source]} --> {ids[target]}" for source, target in links]
    if left_out:
        lines.append(f'  more["… and {left_out:,} more"]')
    lines += [f"  classDef {name} {style}" for name, style in _STYLES.items()]
    return lines


def touched(report: Report, most: int) -> tuple[dict[str, str], list[tuple[str, str]], int]:
    """Return the datasets that a release touches, each with its class, the edges between them, and the number omitted.

    Changed datasets come first, then readers worst first, up to ``most`` datasets.
    """
    classes: dict[str, str] = {}
    for task in report.tasks:
        if task.class_ != NONE:
            for dataset in task.writes:
                classes.setdefault(dataset, task.class_)
    links: dict[tuple[str, str], None] = {}
    drawn = dict(list(classes.items())[:most])
    left_out = len(classes) - len(drawn)
    for reader in report.readers:
        path = [dataset_of(node) for node in reader.path]
        steps = [pair for pair in pairwise(path) if pair[0] != pair[1]]
        fresh = {node for pair in steps for node in pair} - drawn.keys()
        if len(drawn) + len(fresh) > most:
            left_out += 1
            continue
        drawn.update(dict.fromkeys(sorted(fresh), POTENTIALLY))
        if CLASSES.index(reader.class_) < CLASSES.index(drawn.get(reader.dataset, NONE)):
            drawn[reader.dataset] = reader.class_
        links.update(dict.fromkeys(steps))
    return drawn, [pair for pair in links if drawn.keys() >= set(pair)], left_out


def _label(node: str) -> str:
    plain = html.escape(shown(node)[:80], quote=False).replace("`", "ˋ").replace("#", "&num;")
    return plain.replace('"', "&quot;")
