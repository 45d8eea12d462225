"""The questions of governance in the browser: each answer is the API's, in both languages, without an axe violation."""

from __future__ import annotations

import pytest
from browsers import Watched, violations, watching
from playwright.sync_api import Browser, expect
from rounds import SHARE
from services import Served

MONDAY = "2026-07-06T08:00:00Z"
REVENUE = "hive:dws.revenue_daily#revenue"
#: Each view, in a state that shows something, and a word that it says then.
VIEWS = {
    "labels": ({}, "bi:board/60#phone"),
    "why": ({"view": "labels", "node": "bi:board/17#contact", "at": "2026-06-05T12:00:00Z"}, "Brought by version 153"),
    "rules": ({}, "hive:ads.vip_calls"),
    "core": ({"node": "bi:board/42", "task": "dwd_payments", "by": "2h"}, "breaks"),
    "cause": ({"node": REVENUE, "window": "-7d"}, "takes other rows"),
    "worth": ({}, "hive:ads.campaign_calendar"),
    "quality": ({}, "No engine reports columns here"),
}


def view(watched: Watched, name: str, **more: str) -> None:
    """Open a view in its state."""
    state, _ = VIEWS[name]
    watched.open("govern", **{"view": name, "at": MONDAY, "zone": "UTC", "lang": "en"} | state | more)
    watched.page.wait_for_selector(".page-govern .answer[aria-busy=false]")
    watched.settle()


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_says_what_the_service_answers(browser: Browser, july: Served, name: str) -> None:
    """It shows the answer, nothing is asked elsewhere, axe finds nothing in either theme, Chinese has all texts."""
    with watching(browser, july.base) as watched:
        view(watched, name)
        expect(watched.page.locator("#main")).to_contain_text(VIEWS[name][1])
        for theme in ("light", "dark"):
            watched.page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
            assert violations(watched.page, colours_alone=theme == "dark" and SHARE < 1) == []
        view(watched, name, lang="zh")
        untold = watched.page.evaluate(
            """() => document.querySelector("#main").innerText.match(
                /(^|\\s)(labels|rules|core|cause|worth|quality|govern|severity)\\.[a-z.]+/g)"""
        )
        assert untold is None
        watched.clean()


def test_the_timeline_is_the_table_beside_it(browser: Browser, july: Served) -> None:
    """Bars stand where the service says that tasks begin and end; those of the critical path are marked."""
    answer = july.get("/v1/core", params={"node": "bi:board/42", "valid_at": MONDAY}).json()["result"]

    with watching(browser, july.base) as watched:
        view(watched, "core")
        page = watched.page
        assert page.locator(".gantt-name").all_inner_texts() == [task["task_id"] for task in answer["tasks"]]
        marked = page.locator(".gantt-row:has(.critical) .gantt-name").all_inner_texts()
        assert sorted(marked) == sorted(answer["critical_path"])
        left = page.locator(".gantt-bar").evaluate_all("bars => bars.map(bar => bar.getBoundingClientRect().left)")
        starts = [task["start"] for task in answer["tasks"]]
        assert [starts[at] for at in sorted(range(len(left)), key=left.__getitem__)] == sorted(starts)
        watched.clean()


def test_a_state_is_an_address_and_keys_reach_it(browser: Browser, july: Served) -> None:
    """From the list of labels the keyboard leads to the way of one; the address of it shows the same when opened."""
    with watching(browser, july.base) as watched:
        view(watched, "labels")
        link = watched.page.get_by_role("link", name="bi:board/60#phone", exact=True)
        link.focus()
        watched.page.keyboard.press("Enter")
        watched.page.wait_for_selector(".label-card")
        shown = watched.page.locator("#main").inner_text()
        assert "ads_vip_calls" in shown
        watched.page.goto(watched.page.url)
        watched.page.wait_for_selector(".label-card")
        watched.settle()
        assert watched.page.locator("#main").inner_text() == shown
        watched.clean()


def test_only_new_violations_since_a_time(browser: Browser, july: Served) -> None:
    """With a time the rules list what is new since; the button shows all again."""
    with watching(browser, july.base) as watched:
        view(watched, "rules", since="2026-07-01T12:00:00Z")
        expect(watched.page.locator("tbody tr")).to_have_count(2)
        watched.page.get_by_role("button", name="Show all").click()
        expect(watched.page.locator("tbody tr")).to_have_count(12)
        watched.clean()
