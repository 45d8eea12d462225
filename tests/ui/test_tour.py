"""The pictures of docs/how-to/browse.md, from the sample, so they never age. LINEAGE_TT_SHOTS=1 writes them again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from browsers import Watched
from playwright.sync_api import expect

TOUR = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "tour"
PAGE = TOUR.parents[1] / "how-to" / "browse.md"
REVENUE = "hive:dws.revenue_daily"
#: Each picture: the page, its state, and what must be seen in it.
PICTURES: dict[str, tuple[str, dict[str, str], str]] = {
    "home": ("", {}, "What do you want to trace?"),
    "graph": ("graph", {"node": f"{REVENUE}#revenue", "direction": "up", "at": "2026-03-05T12:00:00Z"}, "payments"),
    "node": ("node", {"node": REVENUE, "at": "2026-06-10T12:00:00Z"}, "refunded"),
    "task": ("task", {"task": "dws_revenue_daily", "a": "93", "b": "102"}, "hotfix of 2 March"),
    "changes": ("changes", {}, "planned: the board says"),
    "health": ("health", {}, "conflicting-duplicate"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_the_tour_shows_what_its_pictures_show(watched: Watched, name: str) -> None:
    """Each page of the tour shows what its picture shows, and the guide has the picture."""
    page, state, seen = PICTURES[name]
    watched.page.set_viewport_size({"width": 1180, "height": 760})
    watched.open(page, theme="light", lang="en", zone="UTC", **state)
    expect(watched.page.locator("#main")).to_contain_text(seen)
    if os.environ.get("LINEAGE_TT_SHOTS") == "1":
        TOUR.mkdir(parents=True, exist_ok=True)
        watched.page.screenshot(path=TOUR / f"{name}.png", animations="disabled")

    assert (TOUR / f"{name}.png").is_file()
    assert f"pictures/tour/{name}.png" in PAGE.read_text(encoding="utf-8")
