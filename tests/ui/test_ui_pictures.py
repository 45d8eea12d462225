"""The picture on the page, its table and the answer of the service hold the same edges, at every change point."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from browsers import Watched
from services import Served

BOARD = "bi:board/42#revenue"
#: What the page prints, which is the picture: each line's title, and each box's.
_PRINTED = """() => { dispatchEvent(new Event("beforeprint"));
    const found = [...document.querySelectorAll(".g-print path > title")].map(each => each.textContent.split("\\n")[0]);
    const boxes = [...document.querySelectorAll(".g-print g > title")].map(each => each.textContent);
    dispatchEvent(new Event("afterprint")); return [found, boxes]; }"""


@pytest.mark.parametrize("level", ["column", "table"])
def test_picture_table_and_answer_agree_at_every_change_point(watched: Watched, service: Served, level: str) -> None:
    """At every moment at which the board's lineage changes: lines printed, rows saved, edges answered."""
    walk = {"node": BOARD, "direction": "up", "level": level}
    told = service.get("/v1/timeline", params=walk | {"at": "2026-05-01T00:00:00Z"}).json()["result"]["points"]
    moments = [point["valid_at"] for point in told]
    assert len(moments) > 8
    seen = set()
    for moment in moments:
        edges = service.get("/v1/lineage", params=walk | {"valid_at": moment}).json()["result"]["edges"]
        pairs = {(edge["source"], edge["target"]) for edge in edges}
        watched.open("graph", **walk, at=moment)
        watched.page.wait_for_selector("[data-settled='1']")
        lines, boxes = watched.page.evaluate(_PRINTED)
        assert {tuple(line.split(" → ")) for line in lines} == pairs, moment
        assert len(lines) == len(pairs)
        ends = {node.partition("#")[0] for pair in pairs for node in pair}
        assert set(boxes) == ends | {BOARD.partition("#")[0]}, moment
        assert _saved(watched) == pairs, moment
        seen.add(frozenset(pairs))
    assert len(seen) > 4


def _saved(watched: Watched) -> set[tuple[str, str]]:
    """Save the table as CSV, as a person does, and return its pairs."""
    page = watched.page
    page.get_by_role("button", name="Table", exact=True).click()
    page.wait_for_selector(".g-table")
    if not page.get_by_role("button", name="Save as CSV").count():
        return set()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save as CSV").click()
    rows = list(csv.reader(io.StringIO(Path(saving.value.path()).read_text(encoding="utf-8-sig"))))
    assert rows[0][:2] == ["From", "To"]
    return {(row[0], row[1]) for row in rows[1:]}
