"""Walks in other forms: Arrow, polars, networkx, a table for a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, Final, Protocol

import pyarrow as pa

from lineage_tt.graph.pictures.picture import picture
from lineage_tt.graph.pictures.svg import svg
from lineage_tt.model.answers import Basis, Direction, Lineage
from lineage_tt.model.completeness import sentence
from lineage_tt.model.completeness.summary import Completeness
from lineage_tt.model.errors import UnavailableError
from lineage_tt.model.times import format_instant

_INSTANT: Final = pa.timestamp("us", tz="UTC")
_EDGES: Final = pa.schema(
    [
        ("direction", pa.string()),
        ("steps", pa.int32()),
        *((name, pa.string()) for name in ("task_id", "source", "target", "type", "subtype", "expression")),
        ("version", pa.int64()),
        ("valid_from", _INSTANT),
        ("valid_to", _INSTANT),
        ("by_star", pa.bool_()),
    ]
)
_NODES: Final = pa.schema([("node", pa.string()), ("direction", pa.string()), ("steps", pa.int32())])
#: How many edges a notebook lists, and with how many edges it draws a picture.
SHOWN: Final = 50
DRAWN: Final = 400


class Exported(Protocol):
    """A walk, as far as other forms need it."""

    basis: Basis
    start: tuple[str, ...]
    direction: Direction

    @property
    def completeness(self) -> Completeness:
        """What the answer does not know."""

    @property
    def nodes(self) -> dict[str, int]:
        """The nodes reached, each with its least number of steps."""

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        """The edges as (direction, steps, the fields of ``EdgeAsOf``, by star)."""

    @property
    def lineage(self) -> Lineage:
        """The walk as an answer."""

    @property
    def truncated(self) -> bool:
        """Whether the limit left out nodes."""

    def __len__(self) -> int:
        """The number of edges."""


def edges_arrow(rows: Sequence[tuple[Any, ...]]) -> pa.Table:
    """Return the rows of a walk as a table."""
    columns = zip(*rows, strict=True) if rows else [()] * len(_EDGES)
    return pa.Table.from_arrays(
        [pa.array(column, field.type) for column, field in zip(columns, _EDGES, strict=True)], schema=_EDGES
    )


def nodes_arrow(nodes: Sequence[tuple[int, str, str]]) -> pa.Table:
    """Return (steps, direction, node) as a table."""
    steps, ways, names = zip(*nodes, strict=True) if nodes else ((), (), ())
    return pa.Table.from_arrays(
        [pa.array(names, pa.string()), pa.array(ways, pa.string()), pa.array(steps, pa.int32())], schema=_NODES
    )


def polars_frame(table: pa.Table) -> Any:
    """Return a table as a polars frame; UnavailableError where polars is not installed."""
    try:
        import polars
    except ImportError:
        raise UnavailableError("polars is not installed", hint="pip install 'lineage-tt[export]'") from None
    return polars.from_arrow(table)


def networkx_graph(walk: Exported) -> Any:
    """Return a ``MultiDiGraph`` of both directions: nodes with ``steps``, edges with the fields of ``EdgeAsOf``.

    An edge's key is its task, type, subtype and expression, so that an edge reached in both directions occurs once.
    """
    try:
        import networkx  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        raise UnavailableError("networkx is not installed", hint="pip install 'lineage-tt[export]'") from None
    graph = networkx.MultiDiGraph(basis=walk.basis, completeness=walk.completeness)
    graph.add_nodes_from(walk.start, steps=0)
    for node, steps in walk.nodes.items():
        graph.add_node(node, steps=steps)
    for direction, steps, *edge in walk.rows:
        task, source, target, kind, subtype, expression, version, valid_from, valid_to, by_star = edge
        graph.add_edge(
            source, target, key=(task, kind, subtype, expression), direction=direction, steps=steps, task_id=task,
            type=kind, subtype=subtype, expression=expression, version=version, valid_from=valid_from,
            valid_to=valid_to, by_star=by_star,
        )  # fmt: skip
    return graph


def html(walk: Exported) -> str:
    """Return what a notebook shows: the point, the size of the answer, the picture, and the first edges."""
    basis = walk.basis.to_json()
    rows = []
    for direction, steps, task, source, target, kind, subtype, expression, version, *valid, star in walk.rows[:SHOWN]:
        since, until = (format_instant(at) or "" for at in valid)
        words = " ".join(filter(None, (kind, subtype, "by star" if star else "")))
        cells = (direction, steps, source, target, words, expression, task, version, since, until)
        grey = " style='color:#999'" if task in walk.completeness.uncertain_tasks else ""
        rows.append(f"<tr{grey}>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>")
    more = f"<p>… and {len(walk) - SHOWN:,} more edges</p>" if len(walk) > SHOWN else ""
    cut = "<p>truncated at the limit: continue with <code>cursor</code></p>" if walk.truncated else ""
    incomplete = sentence.line(walk.completeness)
    cut += "" if incomplete is None else f"<p>{escape(incomplete)}</p>"
    drawing = "" if len(walk) > DRAWN else f"<div style='overflow:auto'>{''.join(svg(picture(walk.lineage)))}</div>"
    heads = ("", "steps", "source", "target", "kind", "expression", "task", "version", "valid from", "valid to")
    return (
        f"<div><p><b>{walk.direction}</b> from {escape(', '.join(walk.start))}, valid at {basis['valid_at']}, as known "
        f"at version {basis['version']}: {len(walk.nodes):,} nodes, {len(walk):,} edges</p>{drawing}<table><thead><tr>"
        + "".join(f"<th>{head}</th>" for head in heads)
        + f"</tr></thead><tbody>{''.join(rows)}</tbody></table>{more}{cut}</div>"
    )
