"""Lineage as a picture: what is drawn where, what changed between two points, and names that nobody should trust."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from drawn import walk

from lineage_tt.graph.pictures import picture as pictures
from lineage_tt.graph.pictures.page import page
from lineage_tt.graph.pictures.picture import picture
from lineage_tt.graph.pictures.svg import svg
from lineage_tt.model.completeness.summary import End, Gap, Reason, summed
from lineage_tt.model.errors import InvalidRequestError

NAMESPACE = "{http://www.w3.org/2000/svg}"
HOSTILE = 'x:</title><script>alert("1")</script>&amp;\x00\u202e'


def test_columns_are_rows_of_their_dataset() -> None:
    """A box for each dataset, a row for each column in it, the start marked, a line from row to row."""
    drawn = picture(walk(("hive:a#x", "hive:b#y"), ("hive:a#z", "hive:b")))

    a, b = drawn.boxes
    assert (a.dataset, a.namespace, a.label) == ("hive:a", "hive", "a")
    assert [(row.node, row.label, row.start) for row in a.rows] == [
        ("hive:a#x", "x", True),
        ("hive:a#z", "z", False),
    ]
    assert a.x + a.width < b.x
    to_dataset, to_column = sorted(drawn.lines, key=lambda line: line.shown.target)
    assert to_column.points == ((a.x + a.width, a.y + a.rows[0].y), (b.x, b.y + b.rows[0].y))
    assert to_dataset.points[-1] == (b.x, b.y + 19.0)  # the middle of the head


def test_what_is_at_both_points_stands_still() -> None:
    """Two points make one layout: the boxes and lines of each have the places of the union."""
    before = walk(("hive:a#x", "hive:b#y"), ("hive:b#y", "hive:c#z"))
    after = walk(("hive:a#x", "hive:b#y"), ("hive:b#y", "hive:d#z"), at=5)
    both, alone = picture(before, after), picture(after)

    assert {box.dataset: box.change for box in both.boxes} == {
        "hive:a": "same", "hive:b": "same", "hive:c": "removed", "hive:d": "added",
    }  # fmt: skip
    assert {(line.shown.target, line.change, line.present) for line in both.lines} == {
        ("hive:b#y", "same", (True, True)),
        ("hive:c#z", "removed", (True, False)),
        ("hive:d#z", "added", (False, True)),
    }
    assert both.bases == (before.basis, after.basis)
    assert {box.change for box in alone.boxes} == {"same"}


def test_an_edge_of_another_kind_is_a_change() -> None:
    """Both points have the line, and what it stands for differs: the picture shows the later and says so."""
    drawn = picture(walk(("hive:a#x", "hive:b#y")), walk(("hive:a#x", "hive:b#y"), kind="AGGREGATION", at=5))

    (line,) = drawn.lines
    assert (line.change, line.shown.kinds, line.present) == ("changed", ("AGGREGATION",), (True, True))


def test_lines_say_how_sure_they_are() -> None:
    """Filters and joins are dashed, and so is what only tasks state that are not complete; the foot says why."""
    gap = Gap("t", 1, "partial", (Reason("syntax", "odd", ""),))
    end = End("hive:b#y", "down", "unknown-targets", "task t reads it")
    found = walk(("hive:a#x", "hive:b#y"), kind="FILTER")._replace(completeness=summed([gap], [end]))
    document = ElementTree.fromstring("\n".join(svg(picture(found))))
    (line,) = [path for path in document.iter(f"{NAMESPACE}path") if path.get("marker-end")]

    assert (line.get("class") or "").split() == ["indirect", "unsure", "same"]
    assert "not complete" in (line.findtext(f"{NAMESPACE}title") or "")
    assert "incomplete: task t on the way is partial" in (document.findtext(f"{NAMESPACE}desc") or "")
    assert any("uncertain" in (text.get("class") or "") for text in document.iter(f"{NAMESPACE}text"))


def test_names_are_text_and_nothing_else() -> None:
    """Tags, quotes, control and bidirectional characters of a name make no element and no broken document."""
    drawn = picture(walk((HOSTILE, f"{HOSTILE}2#<b>"), (HOSTILE, "x:ok#\"'><img src=x onerror=alert(1)>")))
    lines = "\n".join(svg(drawn))
    document = ElementTree.fromstring(lines)
    html = "\n".join(page(drawn))

    tags = {element.tag.removeprefix(NAMESPACE) for element in document.iter()}
    assert tags == {"svg", "title", "desc", "style", "defs", "marker", "path", "g", "rect", "text"}
    for text in (lines, html):
        assert not re.search(r"<(script|img|b)\b", text)
        assert not set(text) & {"\x00", "\u202e"}
    assert "default-src 'none'" in html
    assert "://" not in html.replace("http://www.w3.org/2000/svg", "")


def test_an_edge_of_a_dataset_to_itself_is_a_loop() -> None:
    """An incremental load reads its own table: its line leaves and enters on the same side."""
    drawn = picture(walk(("hive:a#x", "hive:a#x"), ("hive:a#x", "hive:a#y")))

    assert {len({x for x, _ in line.points}) for line in drawn.lines} == {1}
    assert "\n".join(svg(drawn)).count('marker-end="url(#tip)"') == 2


def test_a_cycle_is_drawn_with_one_line_back() -> None:
    """Two tables that feed each other stand side by side; one of the lines runs from right to left."""
    drawn = picture(walk(("hive:a#x", "hive:b#y"), ("hive:b#y", "hive:a#x")))

    assert sorted(line.points[0][0] < line.points[-1][0] for line in drawn.lines) == [False, True]


def test_more_than_a_picture_holds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says how to ask for less."""
    monkeypatch.setattr(pictures, "MAX_BOXES", 2)

    with pytest.raises(InvalidRequestError, match="3 datasets") as refused:
        picture(walk(("hive:a#x", "hive:b#y"), ("hive:b#y", "hive:c#y")))
    assert "table level" in (refused.value.hint or "")


def test_long_and_wide_names_fit_into_their_box() -> None:
    """A name of 400 letters is cut with an ellipsis; its title has the whole. Chinese letters count as wide."""
    drawn = picture(walk((f"hive:{'a' * 400}#x", "hive:看板收入日报汇总表#收入")))
    document = ElementTree.fromstring("\n".join(svg(drawn)))

    assert max(box.width for box in drawn.boxes) == 320.0
    labels = [text.text or "" for text in document.iter(f"{NAMESPACE}text")]
    assert any(label.endswith("…") and len(label) < 50 for label in labels)
    assert any("a" * 400 in (title.text or "") for title in document.iter(f"{NAMESPACE}title"))
    assert "看板收入日报汇总表" in labels
