"""The pictures of docs/how-to/browse.md, from the sample, so they never age. LINEAGE_TT_SHOTS=1 writes them again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from browsers import Watched, watching
from playwright.sync_api import Browser, ViewportSize, expect
from services import Served

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

SIZE: ViewportSize = {"width": 1180, "height": 760}
LOOK = {"theme": "light", "lang": "en", "zone": "UTC"}
MONDAY = {"at": "2026-07-06T08:00:00Z"}
#: The same of the questions of governance, over the sample with its messages of July.
GOVERNED: dict[str, tuple[dict[str, str], str]] = {
    "labels": ({"node": "bi:board/17#contact", "at": "2026-06-05T12:00:00Z"}, "Brought by version 153"),
    "rules": (MONDAY, "hive:ads.vip_calls"),
    "core": (MONDAY | {"node": "bi:board/42", "task": "dwd_payments", "by": "2h"}, "breaks"),
    "cause": (MONDAY | {"node": f"{REVENUE}#revenue", "window": "-7d"}, "takes other rows"),
    "worth": (MONDAY, "hive:ads.campaign_calendar"),
    "quality": (MONDAY, "No engine reports columns here"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_the_tour_shows_what_its_pictures_show(watched: Watched, name: str) -> None:
    """Each page of the tour shows what its picture shows, and the guide has the picture."""
    page, state, seen = PICTURES[name]
    watched.page.set_viewport_size(SIZE)
    watched.open(page, **LOOK, **state)
    expect(watched.page.locator("#main")).to_contain_text(seen)
    pictured(watched, name)


@pytest.mark.parametrize("name", GOVERNED)
def test_the_tour_shows_the_questions_of_governance(browser: Browser, july: Served, name: str) -> None:
    """Each question of the tour shows what its picture shows, and the guide has the picture."""
    state, seen = GOVERNED[name]
    with watching(browser, july.base, viewport=SIZE) as watched:
        watched.open("govern", view=name, **LOOK, **state)
        watched.page.wait_for_selector(".page-govern .answer[aria-busy=false]")
        watched.settle()
        expect(watched.page.locator("#main")).to_contain_text(seen)
        pictured(watched, name)
        watched.clean()


def pictured(watched: Watched, name: str) -> None:
    """Write the picture of a page where that is asked for; check that it is there, and in the guide."""
    if os.environ.get("LINEAGE_TT_SHOTS") == "1":
        TOUR.mkdir(parents=True, exist_ok=True)
        watched.page.screenshot(path=TOUR / f"{name}.png", animations="disabled")

    assert (TOUR / f"{name}.png").is_file()
    assert f"pictures/tour/{name}.png" in PAGE.read_text(encoding="utf-8")
