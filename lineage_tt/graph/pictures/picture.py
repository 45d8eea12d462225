"""A picture: boxes for datasets with a row for each column, and lines for edges, all with their positions."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from lineage_tt.graph.arrays.names import Floats
from lineage_tt.graph.layout.layered import Boxes, layered
from lineage_tt.graph.pictures.arrows import Arrow, arrows_by_ends
from lineage_tt.model.answers import Basis, Lineage
from lineage_tt.model.completeness import sentence
from lineage_tt.model.edges import dataset_of, name_of
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.names import natural_order, shown

#: The most boxes and lines that are drawn: a person cannot take in more.
MAX_BOXES: Final = 3_000
MAX_LINES: Final = 60_000
#: Sizes in pixels, for text of 12 pixels.
HEADER: Final = 38.0
ROW: Final = 20.0
_LETTER: Final = 6.7
_SMALL_LETTER: Final = 5.8
_BOLD_LETTER: Final = 7.7
_WIDE_LETTER: Final = 12.5
_MARGIN: Final = 24.0
_ALL_COLUMNS: Final = "all columns (*)"
_NARROWEST: Final = 110.0
_WIDEST: Final = 320.0

#: How a box, row or line changed between the first point and the last.
Change = Literal["same", "added", "removed", "changed"]


class Row(NamedTuple):
    """A column in a box; ``uncertain``: the walk ended here because lineage is not known."""

    node: str
    label: str
    y: float
    start: bool
    uncertain: bool
    change: Change


class Box(NamedTuple):
    """A dataset: its corner and size in pixels, and a row for each of its columns in the picture.

    ``mark`` is a class of boxes that the drawing colours, such as ``breaking``.
    """

    dataset: str
    namespace: str
    label: str
    x: float
    y: float
    width: float
    height: float
    layer: int
    start: bool
    uncertain: bool
    change: Change
    rows: tuple[Row, ...]
    mark: str = ""


class Line(NamedTuple):
    """An arrow with the points through which it runs; ``present`` says at which points in time it exists.

    ``shown`` is the arrow at the last of these points.
    """

    shown: Arrow
    change: Change
    present: tuple[bool, ...]
    points: tuple[tuple[float, float], ...]


class Picture(NamedTuple):
    """The common picture of several answers. ``incomplete`` has a sentence for each answer that is not complete."""

    bases: tuple[Basis, ...]
    start: tuple[str, ...]
    width: float
    height: float
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]
    incomplete: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the picture as plain objects, lengths in pixels."""
        return {
            "points": [basis.to_json() for basis in self.bases],
            "start": list(self.start),
            "width": self.width,
            "height": self.height,
            "boxes": [_without_mark(box) | {"rows": [row._asdict() for row in box.rows]} for box in self.boxes],
            "lines": [
                {
                    "source": line.shown.source, "target": line.shown.target, "kinds": list(line.shown.kinds),
                    "direct": line.shown.solid, "by_star": line.shown.by_star, "certain": line.shown.certain,
                    "tasks": list(line.shown.tasks), "expressions": list(line.shown.expressions),
                    "change": line.change, "present": list(line.present), "points": line.points,
                }
                for line in self.lines
            ],
            "incomplete": list(self.incomplete),
        }  # fmt: skip


def picture(*answers: Lineage, beside: Collection[tuple[str, str]] | None = None) -> Picture:
    """Return the picture of answers to one question at one or more points; the layout is that of their union.

    ``beside``: pairs of nodes that count for the layout as if they were drawn, such as those of other points.
    Differences between the first and the last point are marked as changes. Raises InvalidRequestError if there are
    more than ``MAX_BOXES`` boxes or ``MAX_LINES`` lines to draw.
    """
    if not answers:
        raise InvalidRequestError("a picture needs at least one answer")
    drawn = [arrows_by_ends(lineage) for lineage in answers]
    pairs = sorted({ends for by_ends in drawn for ends in by_ends}.union(beside or ()))
    starts = {node for lineage in answers for node in lineage.start}
    nodes_of = [{node for ends in by_ends for node in ends} | set(answers[i].start) for i, by_ends in enumerate(drawn)]
    nodes = sorted(set().union(*nodes_of, *(beside or ())), key=_row_order)
    datasets = sorted({dataset_of(node) for node in nodes})
    if len(datasets) > MAX_BOXES or len(pairs) > MAX_LINES:
        raise InvalidRequestError(
            f"{len(datasets):,} datasets and {len(pairs):,} arrows are more than a picture holds",
            hint="bound the walk with a depth, or ask at table level",
        )
    uncertain = set().union(*(lineage.completeness.uncertain_nodes for lineage in answers))
    number = {dataset: i for i, dataset in enumerate(datasets)}
    rows: list[list[str]] = [[] for _ in datasets]
    labels: list[list[str]] = [[] for _ in datasets]
    port: dict[str, float] = {}
    box_of: dict[str, int] = {}
    for node in nodes:
        dataset, mark, column = node.partition("#")
        box_of[node] = i = number[dataset]
        port[node] = HEADER + ROW * len(rows[i]) + ROW / 2 if mark else HEADER / 2
        if mark:
            rows[i].append(node)
            labels[i].append(_ALL_COLUMNS if column == "*" else shown(column))
    heights = np.array([HEADER + ROW * len(mine) for mine in rows])
    room = _MARGIN + (2 * _LETTER if len(answers) > 1 or beside is not None else 0)  # a sign goes before what changed
    widths = np.array([_width(dataset, mine, room) for dataset, mine in zip(datasets, labels, strict=True)])
    ends = np.array([(box_of[a], box_of[b]) for a, b in pairs], np.int32).reshape(-1, 2)
    ports = np.array([(port[a], port[b]) for a, b in pairs], np.float64).reshape(-1, 2)
    placed = layered(Boxes(widths, heights, ends, ports))
    first, last = nodes_of[0], nodes_of[-1]

    def row(node: str, label: str) -> Row:
        return Row(node, label, port[node], node in starts, node in uncertain, _change(node, first, last))

    def box(i: int, dataset: str) -> Box:
        x, y, width, height = (round(float(each[i]), 1) for each in (placed.x, placed.y, widths, heights))
        change = _change_of_dataset(dataset, rows[i], first, last)
        return Box(
            dataset, *_names(dataset), x, y, width, height, int(placed.layer[i]), dataset in starts,
            dataset in uncertain, change,
            tuple(row(node, label) for node, label in zip(rows[i], labels[i], strict=True) if node in seen),
        )  # fmt: skip

    seen = set().union(*nodes_of)
    shown_here = {dataset_of(node) for node in seen}
    boxes = tuple(box(i, dataset) for i, dataset in enumerate(datasets) if dataset in shown_here)
    points, cuts = _rounded(placed.points), placed.point_first.tolist()
    lines = []
    for e, pair in enumerate(pairs):
        there = tuple([pair in by_ends for by_ends in drawn])
        if not any(there):
            continue
        at = len(there) - 1 - there[::-1].index(True)
        route = tuple(points[cuts[e] : cuts[e + 1]])
        lines.append(Line(drawn[at][pair], _change_of_line(pair, drawn), there, route))
    words = tuple(line for lineage in answers if (line := sentence.line(lineage.completeness)) is not None)
    return Picture(
        tuple(each.basis for each in answers), tuple(sorted(starts)), round(placed.width, 1), round(placed.height, 1),
        boxes, tuple(lines), tuple(dict.fromkeys(words)),
    )  # fmt: skip


def marked_tables(marks: Mapping[str, str], links: Collection[tuple[str, str]]) -> Picture:
    """Return the picture of datasets, each with its mark, and the links between them, without columns or a point."""
    datasets, pairs = sorted(marks), sorted(links)
    number = {dataset: i for i, dataset in enumerate(datasets)}
    room = _MARGIN + 2 * _BOLD_LETTER  # a sign goes before the name
    widths = np.array([_width(dataset, (), room) for dataset in datasets])
    ends = np.array([[number[end] for end in pair] for pair in pairs], np.int32).reshape(-1, 2)
    placed = layered(Boxes(widths, np.full(len(datasets), HEADER), ends, np.full(ends.shape, HEADER / 2)))
    xs, ys, wide = (np.round(each, 1).tolist() for each in (placed.x, placed.y, widths))
    boxes = tuple(
        Box(
            dataset, *_names(dataset), xs[i], ys[i], wide[i], HEADER, int(placed.layer[i]), False, False, "same", (),
            marks[dataset],
        )
        for i, dataset in enumerate(datasets)
    )  # fmt: skip
    points = _rounded(placed.points)
    lines = tuple(
        Line(
            Arrow(*pair, (), True, False, True, (), ()), "same", (True,),
            tuple(points[placed.point_first[e] : placed.point_first[e + 1]]),
        )
        for e, pair in enumerate(pairs)
    )  # fmt: skip
    return Picture((), (), round(placed.width, 1), round(placed.height, 1), boxes, lines, ())


def _rounded(points: Floats) -> list[tuple[float, float]]:
    """Return points (x, y) to a tenth of a pixel; all at once, as there may be a hundred thousand."""
    xs, ys = np.round(points, 1).T.tolist()
    return list(zip(xs, ys, strict=True))


def _names(dataset: str) -> tuple[str, str]:
    """Return a dataset's namespace and its name, as they are shown."""
    label = name_of(dataset)
    return shown(dataset[: len(dataset) - len(label) - 1]), shown(label)


def _without_mark(box: Box) -> dict[str, Any]:
    fields = box._asdict()
    del fields["mark"]
    return fields


def text_width(text: str, letter: float = _LETTER) -> float:
    """Return the approximate width of a text in pixels; the font is not known, so it fits the usual ones."""
    if text.isascii():
        return len(text) * letter
    wide = sum(1 for c in text if unicodedata.east_asian_width(c) in "WF")
    return (len(text) - wide) * letter + wide * _WIDE_LETTER * letter / _LETTER


def _width(dataset: str, labels: Sequence[str], room: float) -> float:
    label = name_of(dataset)
    natural = max(
        text_width(shown(label), _BOLD_LETTER),
        text_width(shown(dataset[: len(dataset) - len(label)]), _SMALL_LETTER),
        max(map(text_width, labels), default=0.0),
    )
    return min(max(natural + room, _NARROWEST), _WIDEST)


def _row_order(node: str) -> tuple[Any, ...]:
    """Return the sort key of nodes: dataset, the star node first, then columns by name, with numbers by value."""
    dataset, _, column = node.partition("#")
    return dataset, column != "*", natural_order(column), node


def _change(node: str, first: set[str], last: set[str]) -> Change:
    if node in first:
        return "same" if node in last else "removed"
    return "added" if node in last else "same"


def _change_of_dataset(dataset: str, rows: Sequence[str], first: set[str], last: set[str]) -> Change:
    before, after = (bool(present & {dataset, *rows}) for present in (first, last))
    if before == after:
        return "same"
    return "added" if after else "removed"


def _change_of_line(pair: tuple[str, str], drawn: Sequence[dict[tuple[str, str], Arrow]]) -> Change:
    before, after = drawn[0].get(pair), drawn[-1].get(pair)
    if before == after:
        return "same"
    if before is None or after is None:
        return "added" if before is None else "removed"
    return "changed"
