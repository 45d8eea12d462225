"""Eleven things that people come for, each done in the browser in at most four clicks, and each with a picture.

``LINEAGE_TT_SHOTS=1`` writes the pictures of the docs.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from browsers import Watched
from playwright.sync_api import Locator, expect

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "tasks"
BOARD = {"node": "bi:board/42#revenue", "direction": "up"}
DAY = "2026-05-01T00:00:00Z"
SQL = "INSERT OVERWRITE TABLE dws.revenue_daily SELECT channel, amount FROM dwd.payments"


class Person:
    """Somebody at the page; clicks are counted, typing is not."""

    def __init__(self, watched: Watched) -> None:
        self.watched = watched
        self.page = watched.page
        self.clicks = 0

    def click(self, target: Locator) -> None:
        """Click, and wait for what comes of it."""
        target.click()
        self.clicks += 1
        self.watched.settle()

    def button(self, name: str) -> None:
        """Click a button by its name."""
        self.click(self.page.get_by_role("button", name=name, exact=True).first)

    def link(self, name: str) -> None:
        """Click a link of the page or of the navigation by its name."""
        self.click(self.page.get_by_role("link", name=name, exact=True).first)

    def sees(self, words: str) -> None:
        """Check that the page says something."""
        expect(self.page.locator("#main")).to_contain_text(words, timeout=30_000)


def browse(person: Person) -> None:
    """Where is the table of daily sales?"""
    person.watched.open()
    for end in ("under=hive%3A", "under=hive%3Adws.", "node=hive%3Adws.sales_daily"):
        person.click(person.page.locator(f"#main a[href$='{end}']").first)
    person.sees("ordered_value")


def feeds(person: Person) -> None:
    """What feeds this table?"""
    person.watched.open("node", node="hive:dws.revenue_daily", at=DAY)
    person.link("What feeds it")
    expect(person.page.locator("[data-at]").nth(20)).to_be_attached()
    person.sees("dwd.payments")


def wrong_day(person: Person) -> None:
    """What fed the board on the day it was wrong, and what does the store say of it now?"""
    person.watched.open("graph", **BOARD, at="2026-03-05T00:00:00Z")
    person.sees("ods.payments")
    person.button("As known then…")
    expect(person.page.get_by_role("slider")).to_have_count(2)


def who(person: Person) -> None:
    """Which SQL makes this edge, and who put it in force?"""
    person.watched.open("graph", **BOARD, at=DAY)
    person.button("Table")
    person.click(person.page.locator(".g-table").get_by_text("hive:ads.revenue_board#revenue").first)
    person.sees("Who put it in force")
    person.sees("mei")


def compare(person: Person) -> None:
    """What did the release of 10 March change?"""
    person.watched.open("graph", **BOARD, at="2026-03-09T00:00:00Z")
    person.button("Pin A")
    person.button("Later change")
    person.click(person.page.get_by_role("button", name="Pin B"))
    person.sees("End comparison")
    expect(person.page.locator(".g-changes li", has_text="dws.revenue_daily").first).to_be_visible()


def release(person: Person) -> None:
    """What does the release change that is planned for the end of the month?"""
    person.watched.open("graph", **BOARD, at="2026-07-02T08:00:00Z@2026-07-02T08:00:00Z")
    person.button("Pin A")
    person.button("Later change")
    person.sees("planned")
    person.click(person.page.get_by_role("button", name="Pin B"))
    person.sees("vat_rates")
    person.sees("End comparison")


def versions(person: Person) -> None:
    """How does the text of a task differ from its first one?"""
    person.watched.open("task", task="dws_revenue_daily")
    person.click(person.page.get_by_role("button", name="as A").last)
    person.sees("lines differ")


def changes(person: Person) -> None:
    """What changed lately?"""
    person.watched.open()
    person.link("Changes")
    person.sees("dws_revenue_daily")


def health(person: Person) -> None:
    """What was rejected, and which tasks are not understood?"""
    person.watched.open()
    person.link("Health")
    person.sees("unknown-event")
    person.sees("opaque")


def impact(person: Person) -> None:
    """Who gets hurt by this text?"""
    person.watched.open("impact")
    person.page.get_by_label("Task", exact=True).first.fill("dws_revenue_daily")
    person.page.locator("textarea").first.fill(SQL)
    person.button("Assess")
    person.sees("ads_revenue_board")


def level(person: Person) -> None:
    """Which tables, without their columns, does a customer's record reach?"""
    person.watched.open("node", node="postgres://crm:5432:crm.public.customers", at=DAY)
    person.link("What it feeds")
    person.button("Tables")
    person.sees("dwd.customers")


TASKS: dict[str, Callable[[Person], None]] = {
    each.__name__.replace("_", "-"): each
    for each in (browse, feeds, wrong_day, who, compare, release, versions, changes, health, impact, level)
}


@pytest.mark.parametrize("name", TASKS)
def test_a_person_needs_at_most_four_clicks(watched: Watched, name: str) -> None:
    """Each task ends where its answer is on the page; one that nobody clicks for asks no question."""
    person = Person(watched)
    TASKS[name](person)

    assert 1 <= person.clicks <= 4
    if os.environ.get("LINEAGE_TT_SHOTS") == "1":
        PICTURES.mkdir(parents=True, exist_ok=True)
        watched.page.screenshot(path=str(PICTURES / f"{name}.png"))
