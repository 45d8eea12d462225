"""A picture as SVG: one self-contained file, for light and dark mode, with its words as text.

It has no script and loads nothing. Names are escaped; a title on each line and box shows them in full.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from lineage_tt.graph.pictures.picture import HEADER, ROW, Box, Line, Picture, Row, text_width
from lineage_tt.model.answers import Basis
from lineage_tt.model.names import shown
from lineage_tt.model.times import format_instant

_PAD: Final = 16.0
_FOOT: Final = 20.0
#: The sign that marks a change, in addition to its colour.
_GLYPHS: Final = {"added": "+", "removed": "−", "changed": "~", "same": ""}
_LEGEND: Final = "solid: values flow; dashed: decides about rows, or not certain; dotted: column names are assumed"
#: How many expressions and tasks the title of a line lists.
_LISTED: Final = 5

STYLE: Final = """
.lineage{--ink:#1b1f24;--faint:#59636e;--line:#5b6b7d;--box:#fff;--head:#eef2f6;--edge:#c4ccd5;--start:#0a5fd0;
--added:#0b6e4f;--removed:#b3261e;--changed:#8a5a00;background:#fafbfc;
font:12px system-ui,"Segoe UI","Noto Sans","PingFang SC","Microsoft YaHei",sans-serif}
@media (prefers-color-scheme:dark){.lineage{--ink:#e6e9ed;--faint:#9aa6b2;--line:#90a0b0;--box:#1d2329;--head:#272f37;
--edge:#414b56;--start:#6cb0ff;--added:#5fd3a2;--removed:#ff8a80;--changed:#f0c060;background:#14181c}}
.lineage text{fill:var(--ink)}.lineage .faint{fill:var(--faint);font-size:10px}.lineage .name{font-weight:600}
.lineage .box{fill:var(--box);stroke:var(--edge)}
.lineage .start>.box{stroke:var(--start);stroke-width:2}.lineage text.start{fill:var(--start);font-weight:600}
.lineage .uncertain>.box{stroke-dasharray:5 4;stroke:var(--faint)}.lineage text.uncertain{font-style:italic}
.lineage path{fill:none;stroke:var(--line);stroke-width:1.3;opacity:.75}.lineage path:hover{stroke-width:3;opacity:1}
.lineage .table>path.head{fill:var(--head);stroke:none;opacity:1}
.lineage .indirect{stroke-dasharray:6 4}.lineage .star{stroke-dasharray:2 3}
.lineage .unsure{stroke-dasharray:6 4;opacity:.4}.lineage marker path{fill:var(--line);stroke:none;opacity:1}
.lineage path.added{stroke:var(--added);stroke-width:2;opacity:1}
.lineage path.removed{stroke:var(--removed);stroke-width:2;stroke-dasharray:8 3;opacity:1}
.lineage path.changed{stroke:var(--changed);stroke-width:2;stroke-dasharray:12 3;opacity:1}
.lineage text.added{fill:var(--added)}.lineage text.removed{fill:var(--removed)}
.lineage text.changed{fill:var(--changed)}
.lineage .breaking>.box{stroke:#cf222e}.lineage .breaking>path.head{fill:#ffd7d5}
.lineage .potentially_breaking>.box{stroke:#9a6700}.lineage .potentially_breaking>path.head{fill:#fff8c5}
.lineage .unknown>.box{stroke:#57606a;stroke-dasharray:4}.lineage .unknown>path.head{fill:#eaeef2}
.lineage .breaking text,.lineage .potentially_breaking text,.lineage .unknown text{fill:#1b1f24}
.lineage .compared path.same{opacity:.3}@media print{.lineage{background:#fff}}
""".strip()


def svg(drawn: Picture) -> Iterator[str]:
    """Yield the lines of an SVG document."""
    foot = [*points_of(drawn), *drawn.incomplete, *((_LEGEND,) if drawn.bases else ())]
    widest = max((text_width(words, 6.0) for words in foot), default=0.0)
    width = max(drawn.width, min(widest, 1200.0)) + 2 * _PAD
    height = drawn.height + 2 * _PAD + _FOOT * len(foot)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lineage" role="img" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">'
    )
    yield f"<title>{_text(title_of(drawn))}</title>"
    yield f"<desc>{_text('; '.join(foot))}</desc>"
    yield f"<style>{STYLE}</style>"
    yield (
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto-start-reverse" markerUnits="userSpaceOnUse"><path d="M0 0L8 4L0 8z"/></marker></defs>'
    )
    compared = ' class="compared"' if len(drawn.bases) > 1 else ""
    yield f'<g transform="translate({_PAD:.0f} {_PAD:.0f})"{compared}>'
    for line in sorted(drawn.lines, key=lambda line: line.change != "same"):
        yield _line(line)
    for box in drawn.boxes:
        yield from _box(box)
    yield "</g>"
    for i, words in enumerate(foot):
        y = drawn.height + 2 * _PAD + _FOOT * i + 10
        yield f'<text class="faint" x="{_PAD:.0f}" y="{y:.1f}">{_text(fitted(words, width - 2 * _PAD, 5.4))}</text>'
    yield "</svg>"


def title_of(drawn: Picture) -> str:
    """Return the title of a picture."""
    if not drawn.start:
        return f"{len(drawn.boxes):,} datasets, {len(drawn.lines):,} ways between them"
    names = ", ".join(drawn.start[:3]) + (f" and {len(drawn.start) - 3} more" if len(drawn.start) > 3 else "")
    return f"Lineage of {names}: {len(drawn.boxes):,} datasets, {len(drawn.lines):,} arrows"


def points_of(drawn: Picture) -> list[str]:
    """Return the words for the points of a picture, with the signs for changes between the first and the last."""
    words = list(map(at_point, drawn.bases))
    if len(words) > 1:
        words[0], words[-1] = f"− {words[0]}", f"+ {words[-1]}"
    return words


def at_point(basis: Basis) -> str:
    """Return the words for a point in both times."""
    known = f", as known at version {basis.version}" if basis.version else ""
    return f"valid at {format_instant(basis.valid_at)}{known}"


def fitted(text: str, room: float, letter: float) -> str:
    """Return as much of a text as fits into a width in pixels, with an ellipsis where some is left out."""
    if text_width(text, letter) <= room:
        return text
    length = len(text)
    while length > 1 and text_width(text[:length], letter) > room - letter:
        length -= max(1, length // 16)
    return f"{text[:length]}…"


def line_words(line: Line) -> str:
    """Return what an arrow shows, one fact per line of text: its ends, kinds, tasks and expressions."""
    arrow = line.shown
    words = [f"{arrow.source} → {arrow.target}", arrow.label, _some("task", arrow.tasks) if arrow.tasks else ""]
    words += [*arrow.expressions[:_LISTED], *(("…",) if len(arrow.expressions) > _LISTED else ())]
    if not arrow.certain:
        words.append("the lineage of these tasks is not complete")
    if line.change != "same":
        words.append(f"{line.change} between the two points")
    return "\n".join(filter(None, words))


def _some(kind: str, names: Sequence[str]) -> str:
    more = f" and {len(names) - _LISTED:,} more" if len(names) > _LISTED else ""
    return f"{kind}{'' if len(names) == 1 else 's'} {', '.join(names[:_LISTED])}{more}"


def _line(line: Line) -> str:
    arrow = line.shown
    kind = "star" if arrow.by_star else "direct" if arrow.solid else "indirect"
    sure = "" if arrow.certain else " unsure"
    return (
        f'<path class="{kind}{sure} {line.change}" d="{_curve(line.points)}" marker-end="url(#tip)">'
        f"<title>{_text(line_words(line))}</title></path>"
    )


def _curve(points: Sequence[tuple[float, float]]) -> str:
    """Return the path through points: horizontal at each of them, straight where it stays at one height."""
    (x, y), rest = points[0], points[1:]
    parts = [f"M{x:g} {y:g}"]
    if len(points) == 2 and points[1][0] == x:  # back to its own box
        return f"M{x:g} {y:g}C{x + 44:g} {y - 6:g} {x + 44:g} {points[1][1] + 6:g} {x:g} {points[1][1]:g}"
    for to_x, to_y in rest:
        turn = (to_x - x) / 2
        parts.append(f"H{to_x:g}" if to_y == y else f"C{x + turn:g} {y:g} {to_x - turn:g} {to_y:g} {to_x:g} {to_y:g}")
        x, y = to_x, to_y
    return "".join(parts)


def _box(box: Box) -> Iterator[str]:
    marks = " ".join(
        [
            "table",
            *((box.mark,) if box.mark else ()),
            *(("start",) if box.start else ()),
            *(("uncertain",) if box.uncertain else ()),
        ]
    )
    yield f'<g class="{marks}" transform="translate({box.x:g} {box.y:g})">'
    yield f"<title>{_text(box.dataset)}</title>"
    yield f'<rect class="box" width="{box.width:g}" height="{box.height:g}" rx="5"/>'
    top = f"M1 {HEADER:g}V6a5 5 0 0 1 5-5H{box.width - 6:g}a5 5 0 0 1 5 5V{HEADER:g}z"
    yield f'<path class="head" d="{top}"/>'
    yield f'<text class="faint" x="10" y="14">{_text(fitted(box.namespace, box.width - 20, 5.8))}</text>'
    glyph = _GLYPHS[box.change]
    label = fitted(f"{glyph} {box.label}" if glyph else box.label, box.width - 20, 7.7)
    yield f'<text class="name {box.change}" x="10" y="30">{_text(label)}</text>'
    for row in box.rows:
        yield _row(row, box.width)
    yield "</g>"


def _row(row: Row, width: float) -> str:
    glyph = _GLYPHS[row.change]
    label = fitted(f"{glyph} {row.label}" if glyph else row.label, width - 20, 6.7)
    marks = " ".join(filter(None, (row.change, "start" * row.start, "uncertain" * row.uncertain)))
    return (
        f'<g><title>{_text(row.node)}</title><text class="{marks}" x="10" '
        f'y="{row.y + ROW / 2 - 6:g}">{_text(label)}</text></g>'
    )


def _text(words: str) -> str:
    """Return words as they may be written into SVG and HTML; line breaks stay."""
    return "\n".join(escape(shown(part)) for part in words.split("\n"))
