"""The picture on the page, its table and the answer of the service hold the same edges, at every change point."""

from __future__ import annotations

import csv
import io
import os
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from browsers import Watched, watching
from orders import stream_sample
from playwright.sync_api import Browser
from rounds import rounds
from services import Served, online, serving

from ingest.messages.mapping import load_mapping
from ingest.pipeline import Ingester
from lineage_tt import Store

SEED = int(os.environ.get("LINEAGE_TT_SEED", "1"))
BOARD = "bi:board/42#revenue"
#: What the page prints, which is the picture: each line's title, and each box's.
_PRINTED = """() => { dispatchEvent(new Event("beforeprint"));
    const found = [...document.querySelectorAll(".g-print path > title")].map(each => each.textContent.split("\\n")[0]);
    const boxes = [...document.querySelectorAll(".g-print g > title")].map(each => each.textContent);
    dispatchEvent(new Event("afterprint")); return [found, boxes]; }"""


@pytest.mark.parametrize("level", ["column", "table"])
def test_picture_table_and_answer_agree_at_every_change_point(watched: Watched, service: Served, level: str) -> None:
    """At moments at which the board's lineage changes, in CI the last: lines printed, rows saved, edges answered."""
    walk = {"node": BOARD, "direction": "up", "level": level}
    points = moments(service, walk, "2026-05-01T00:00:00Z")
    assert len(points) > 8
    chosen = points[-rounds(len(points)) :]
    seen = {agreed(watched, service, walk, moment) for moment in chosen}
    assert len(seen) > rounds(4)


def test_they_agree_over_random_histories(browser: Browser, tmp_path: Path) -> None:
    """The same for tasks that come, change and go in any order, late and planned, seen from any node at any version."""
    draw = random.Random(SEED)
    print(f"LINEAGE_TT_SEED={SEED}")
    with serving(tmp_path / "s", "--workers", "1") as served, watching(browser, served.base) as watched:
        sent = random_history(draw, 60)
        assert served.send(*sent).json()["result"]["accepted"] > len(sent) // 2
        last = served.get("/v1/stats").json()["result"]["store"]["versions"]
        seen: set[frozenset[tuple[str, str]]] = set()
        for _ in range(rounds(6)):
            node = f"x:{draw.choice('ab')}.t{draw.randrange(6)}" + draw.choice(["", "#c0", "#c1"])
            level, way = draw.choice(["column", "table", "task"]), draw.choice(["both", "up", "down"])
            walk = {"node": node, "direction": way, "level": level}
            version = draw.randint(last // 2, last)
            points = moments(served, walk, f"2024-01-20T00:00:00Z@v{version}")
            for moment in draw.sample(points, min(len(points), 4)):
                seen.add(agreed(watched, served, walk, f"{moment}@v{version}"))
        assert len(seen) > rounds(6)
        watched.clean()


def test_they_agree_over_the_real_stream(browser: Browser, tmp_path: Path, shared_dir: Path) -> None:
    """The same in the store of the real stream's sample, from the table whose lineage changed most often."""
    lines = tmp_path / "stream.jsonl"
    lines.write_bytes(b"".join(line.text for line in stream_sample(shared_dir)))
    store = Store.create(tmp_path / "s")
    with Ingester(store, mapping=load_mapping("bqetl_stream"), workers=1) as ingester:
        ingester.ingest_file(str(lines))
    view = store.as_of()
    fed = Counter(edge.target.partition("#")[0] for edge in view.edges())
    with (
        serving(tmp_path / "s", "--read-only", "--workers", "1") as served,
        watching(browser, served.base) as watched,
    ):
        asked = [{"node": name, "direction": "up", "level": "table"} for name, _ in fed.most_common(12)]
        found = {walk["node"]: moments(served, walk, str(view.basis.to_json()["valid_at"])) for walk in asked}
        walk = max(asked, key=lambda each: len(found[each["node"]]))
        points = found[walk["node"]]
        assert len(points) > 3
        for level in ("table", "column"):
            for moment in points[-rounds(4, 2) :]:
                assert agreed(watched, served, walk | {"level": level}, moment) is not None
        watched.clean()


def random_history(draw: random.Random, count: int) -> list[dict[str, Any]]:
    """Return messages of eight tasks over twelve tables, without ends or orders that mean anything."""
    node = lambda: f"x:{draw.choice('ab')}.t{draw.randrange(6)}#c{draw.randrange(3)}"  # noqa: E731
    sent = []
    for number in range(count):
        change = online(f"task{draw.randrange(8)}", *((node(), node()) for _ in range(draw.randint(1, 4))))
        change |= {"event_id": f"e{number}", "effective_at": f"2024-01-{draw.randint(1, 28):02}T00:00:00Z"}
        if draw.random() < 0.2:
            change = {key: value for key, value in change.items() if key != "edges"} | {"op": "offline"}
        sent.append(change)
    return sent


def moments(service: Served, walk: dict[str, str], at: str) -> list[str]:
    """The valid times at which what a walk shows changes, none for a node that is not there."""
    answer = service.get("/v1/timeline", params=walk | {"at": at})
    return [point["valid_at"] for point in answer.json()["result"]["points"]] if answer.status_code == 200 else []


def agreed(watched: Watched, service: Served, walk: dict[str, str], at: str) -> frozenset[tuple[str, str]]:
    """Check that picture, table and answer have the same edges at a point; return their ends."""
    valid, _, version = at.partition("@v")
    point = {"valid_at": valid} | ({"version": version} if version else {})
    answer = service.get("/v1/lineage", params=walk | point).json()["result"]
    pairs = frozenset((edge["source"], edge["target"]) for edge in answer["edges"])
    watched.open("graph", **walk, at=at)
    watched.page.wait_for_selector("[data-settled='1']")
    lines, boxes = watched.page.evaluate(_PRINTED)
    assert {tuple(line.split(" → ")) for line in lines} == pairs, at
    assert len(lines) == len(pairs)
    ends = {node.partition("#")[0] for pair in pairs for node in pair}
    assert set(boxes) == ends | {node.partition("#")[0] for node in answer["start"]}, at
    assert _saved(watched) == pairs, at
    return pairs


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
