"""The report as one HTML page that loads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final

from lineage_tt.graph.pictures.picture import marked_tables
from lineage_tt.graph.pictures.svg import svg
from lineage_tt.impact.render.mermaid_page import touched
from lineage_tt.impact.render.words import (
    TITLES,
    basis_line,
    column_words,
    counts_line,
    incomplete_line,
    path_words,
    reason_lines,
    unmapped_line,
    verdict_line,
)
from lineage_tt.impact.report import Report
from lineage_tt.model.names import shown

#: The most datasets that are drawn.
MAX_DRAWN: Final = 200
_STYLE: Final = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em;color:#1f2328}"
    "table{border-collapse:collapse;width:100%;margin:1em 0}td,th{border-bottom:1px solid #d1d9e0;padding:.35em .6em;"
    "text-align:left;vertical-align:top}code{font-size:.9em;word-break:break-all}.breaking{background:#ffebe9}"
    ".potentially_breaking{background:#fff8c5}.unknown{background:#eaeef2}"
)


def page(report: Report) -> str:
    """Return the report as an HTML document."""
    return "\n".join(_lines(report)) + "\n"


def _t(text: object) -> str:
    return escape(shown(text))


def _lines(report: Report) -> Iterator[str]:
    title = f"Lineage impact: {TITLES[report.verdict]}"
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield f"<title>{title}</title><style>{_STYLE}</style></head><body>"
    yield f'<h1 class="{report.verdict}">{title}</h1><p><b>{_t(verdict_line(report))}</b></p>'
    yield f"<p>{_t(counts_line(report))}</p>"
    yield from _picture(report)
    gate = "passed" if report.gate.passed else "failed: " + "; ".join(report.gate.tripped)
    yield f"<p>Gate {_t(gate)}</p>"
    yield from _table(
        "Findings",
        ("class", "kind", "what", "way", "owners", "file"),
        (
            (f.class_, f.class_, f.kind, f.reason, path_words(f.path), ", ".join(f.owners), f.file or "")
            for f in report.findings
        ),
    )
    yield from _table(
        "Tasks",
        ("class", "task", "change", "columns", "why"),
        ((t.class_, t.class_, t.task_id, t.op, column_words(t, 50), "; ".join(reason_lines(t))) for t in report.tasks),
    )
    yield from _table(
        "Downstream",
        ("class", "dataset", "columns", "tasks", "owners", "priority", "way"),
        (
            (r.class_, r.class_, r.dataset, ", ".join(r.columns), ", ".join(r.tasks), ", ".join(r.owners),
             r.priority or "", path_words(r.path))
            for r in report.readers
        ),
    )  # fmt: skip
    yield from _table(
        "Labels",
        ("label", "reaches", "owners", "way"),
        (("", each.label, each.node, ", ".join(each.owners), path_words(each.path)) for each in report.labels),
    )
    yield from _table(
        "Backfill, in this order",
        ("task", "datasets", "why"),
        (("", each.task_id, ", ".join(each.datasets), each.reason) for each in report.backfill),
    )
    if report.unmapped:
        yield from _table(unmapped_line(report), ("file",), (("", path) for path in report.unmapped))
    if incomplete := incomplete_line(report):
        yield f"<p>{_t(incomplete)}</p>"
    yield from _table("Notes", ("note",), (("", note) for note in report.notes))
    yield from _table("Allow-list", ("entry",), (("", words) for words in report.gate.expired))
    yield f"<p><small>{_t(basis_line(report))}</small></p></body></html>"


def _picture(report: Report) -> Iterator[str]:
    """Yield a drawing of the datasets that the release touches; nothing if it touches none."""
    classes, links, left_out = touched(report, MAX_DRAWN)
    if not classes:
        return
    yield '<figure style="margin:1em 0;overflow:auto">'
    yield from svg(marked_tables(classes, links))
    more = f", and {left_out:,} more that are not drawn" if left_out else ""
    yield f"<figcaption>{len(classes):,} datasets that the release touches{more}</figcaption></figure>"


def _table(title: str, heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    listed = list(rows)
    if not listed:
        return
    yield f"<h2>{title} ({len(listed):,})</h2><table><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr>"
    for kind, *cells in listed:
        yield f'<tr class="{kind}">{"".join(f"<td>{_t(cell)}</td>" for cell in cells)}</tr>'
    yield "</table>"
