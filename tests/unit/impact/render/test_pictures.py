"""The pictures of a release: what each task reads and writes with what changes, and the datasets it touches."""

from __future__ import annotations

from typing import Any

import pytest
from plain_base import edge
from reports import SALES, reader, report, task

from lineage_tt.impact.render import pictures as module
from lineage_tt.impact.render.pictures import pictures
from lineage_tt.impact.report import BREAKING, NONE, EdgeChange

A = "hive:ods.a"


def lines(drawn: Any) -> list[tuple[str, str, str]]:
    """Return the arrows of a picture: source, target, change."""
    return sorted((each["source"], each["target"], each["change"]) for each in drawn["lines"])


def test_a_task_has_its_edges_with_what_comes_and_goes() -> None:
    """What stays is the same, what the release adds and removes is marked."""
    before = [edge("t", f"{A}#x", f"{SALES}#x"), edge("t", f"{A}#y", f"{SALES}#y"), edge("u", f"{A}#z", "n:z")]
    changes = (EdgeChange("removed", f"{A}#y", f"{SALES}#y", "DIRECT IDENTITY", None),
               EdgeChange("added", f"{A}#w", f"{SALES}#w", None, "DIRECT AGGREGATION sum(w)"))  # fmt: skip

    own = pictures(report([task("t", edges=changes)]), before)["own"]["t"]

    assert lines(own) == [
        (f"{A}#w", f"{SALES}#w", "added"),
        (f"{A}#x", f"{SALES}#x", "same"),
        (f"{A}#y", f"{SALES}#y", "removed"),
    ]


def test_an_edge_of_another_expression_is_drawn_as_changed() -> None:
    """Its words are taken apart as they were put together: type, subtype, and an expression with blanks."""
    before = [edge("t", f"{A}#x", f"{SALES}#x", "DIRECT", "TRANSFORMATION", "x + 1")]
    changed = EdgeChange(
        "changed", f"{A}#x", f"{SALES}#x", "DIRECT TRANSFORMATION x + 1", "DIRECT AGGREGATION sum(x + 1)"
    )

    own = pictures(report([task("t", edges=(changed,))]), before)["own"]["t"]

    (line,) = own["lines"]
    assert (line["change"], line["kinds"], line["expressions"]) == ("changed", ["AGGREGATION"], ["sum(x + 1)"])


@pytest.mark.parametrize(("bound", "most"), [("MAX_LINES", 3), ("MAX_BOXES", 2)])
def test_a_task_with_too_much_to_draw_is_named(monkeypatch: pytest.MonkeyPatch, bound: str, most: int) -> None:
    """Beside it is the number of its edges; a task without edges has no picture and is not named."""
    monkeypatch.setattr(module, bound, most)
    before = [edge("many", f"{A}{place}#x", f"{SALES}#{place}") for place in range(3)]
    fewer = [edge("few", f"{A}#x", f"{SALES}#x")]

    drawn = pictures(report([task("many"), task("none"), task("few")]), [*before, *fewer])

    assert list(drawn["own"]) == ["few"]
    assert drawn["undrawn"] == {"many": 3}


def test_touched_datasets_have_their_class_as_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those beyond the bound are counted."""
    monkeypatch.setattr(module, "MAX_DRAWN", 2)
    made = report([task("t", BREAKING, writes=(SALES,))], readers=[reader("n:b"), reader("n:c")])

    touched = pictures(made, [])["touched"]

    assert {box["dataset"]: box["mark"] for box in touched["boxes"]} == {SALES: "breaking", "n:b": "breaking"}
    assert touched["left_out"] == 1
    assert not {"points", "incomplete"} & touched.keys()


def test_a_release_that_touches_nothing_has_no_drawing() -> None:
    """There is a key for it all the same."""
    assert pictures(report([task("t", NONE, writes=(SALES,))]), []) == {"own": {}, "undrawn": {}, "touched": None}
