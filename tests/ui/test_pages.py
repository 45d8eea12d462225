"""Home and the pages of nodes, tasks, changes, impact and health, in a real browser."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from browsers import Watched, violations, watching
from playwright.sync_api import Browser, expect
from services import Served, serving

from lineage_tt import ui

REVENUE = "hive:dws.revenue_daily"
TEXTS = Path(ui.__file__).parent / "app" / "texts.json"
HOSTILE = "<img src=x onerror=alert(1)>"
WIDE = 2000
TOKEN = "canary-shell-token"
PAGES: dict[str, dict[str, str]] = {
    "": {},
    "node": {"node": REVENUE},
    "task": {"task": "dws_revenue_daily"},
    "changes": {},
    "impact": {},
    "health": {},
}


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service with a token over a table of 2,000 columns and a table whose name is markup."""
    folder = tmp_path_factory.mktemp("wide") / "store"
    with serving(folder, "--workers", "1", LINEAGE_TT_TOKEN=TOKEN) as served:
        columns = [{"name": f"c{number:04}", "type": "BIGINT"} for number in range(WIDE)]
        declared = {"kind": "dataset", "op": "define", "dataset": "hive:dw.wide", "columns": columns}
        declared |= {"event_id": "wide-1", "effective_at": "2026-01-01T00:00:00Z"}
        edge = {"source": "hive:ods.a#x", "target": f"hive:dw.{HOSTILE}#x"}
        hostile = {"event_id": "h-1", "task_id": HOSTILE, "op": "online", "effective_at": "2026-01-01T00:00:00Z"}
        headers = {"Authorization": f"Bearer {TOKEN}"}
        answer = httpx.post(f"{served.base}/v1/messages", json=[declared, hostile | {"edges": [edge]}], headers=headers)
        assert answer.json()["result"]["accepted"] == 2, answer.text
        yield served


@pytest.mark.parametrize("name", PAGES)
def test_every_page_has_one_heading_and_all_its_texts(watched: Watched, name: str) -> None:
    """No page shows a key in place of a text, in either language, and each has one first heading."""
    keys = {key.split(".")[0] for key in json.loads(TEXTS.read_text(encoding="utf-8"))} - {"graph", "time", "compare"}
    for lang in ("en", "zh"):
        watched.open(name, **PAGES[name], lang=lang)
        shown = watched.page.inner_text("body")

        assert watched.page.locator("h1").count() == 1, lang
        raw = [word for word in re.findall(r"(?<![\w.:/])[a-z]+\.[a-z.]+\b", shown) if word.split(".")[0] in keys]
        assert raw == [], lang


def test_search_goes_by_keyboard_to_a_table_and_back(watched: Watched) -> None:
    """Slash, a few letters, arrow and Enter open what was found; the back button returns."""
    watched.open()
    watched.page.keyboard.press("/")
    watched.page.keyboard.type("hive:dws.revenue_daily")
    expect(watched.page.get_by_role("option").first).to_be_visible()
    watched.page.keyboard.press("ArrowDown")
    chosen = watched.page.locator("[role=option][aria-selected=true]").inner_text().split("\n")[0]
    watched.page.keyboard.press("Enter")

    expect(watched.page.locator("h1")).to_have_text(chosen)
    watched.page.go_back()
    expect(watched.page.locator("h1")).to_have_text("What do you want to trace?")


def test_browsing_goes_from_namespace_to_table(watched: Watched) -> None:
    """Namespace, database and table are three clicks, and each step has an address."""
    watched.open()
    watched.page.locator(".browse-folder", has_text="hive").first.click()
    watched.page.locator(".browse-folder", has_text="dws").first.click()
    assert "under=hive%3Adws." in watched.page.url
    watched.page.locator(".browse-leaf", has_text="revenue_daily").click()

    expect(watched.page.locator("h1")).to_have_text(REVENUE)


def test_a_node_answers_at_the_point_of_the_address(watched: Watched) -> None:
    """Before the release of 10 March the table has no column ``refunded``; after it, it has."""
    rows = watched.page.locator("tbody a.name")
    watched.open("node", node=REVENUE, at="2026-03-01T00:00:00Z")
    assert "refunded" not in rows.all_inner_texts()
    watched.open("node", node=REVENUE, at="2026-04-01T00:00:00Z")
    assert "refunded" in rows.all_inner_texts()


def test_an_unknown_name_offers_similar_ones(watched: Watched) -> None:
    """A typo in a name is answered with names that one click goes to."""
    watched.page.goto(f"{watched.base}/?page=node&node=hive:dws.revenue_dayly")
    watched.page.get_by_role("alert").get_by_role("link", name=REVENUE, exact=True).click()
    expect(watched.page.locator("h1")).to_have_text(REVENUE)
    assert [each for each in watched.errors if "404" not in each] == []
    watched.errors.clear()  # the browser logs the 404 itself


def test_two_versions_of_a_task_are_compared(watched: Watched) -> None:
    """The difference of two versions shows the lines that went and came, as GET /v1/sql says."""
    watched.open("task", task="dws_revenue_daily", a="71", b="93")
    expect(watched.page.locator(".sql.diff")).to_be_visible()
    gone = [text.strip() for text in watched.page.locator(".diff tr.removed code").all_inner_texts()]
    come = [text.strip() for text in watched.page.locator(".diff tr.added code").all_inner_texts()]

    points = ",".join(f"{row}@v{version}" for row, version in effective(watched))
    result = watched.page.request.get(
        f"{watched.base}/v1/sql", params={"task": "dws_revenue_daily", "at": points}
    ).json()["result"]
    assert come != []
    assert come == [line["text"].strip() for line in result["diff"] if line["op"] == "added"]
    assert gone == [line["text"].strip() for line in result["diff"] if line["op"] == "removed"]


def effective(watched: Watched) -> list[tuple[str, int]]:
    """Return when versions 71 and 93 came into force."""
    rows = watched.page.request.get(f"{watched.base}/v1/tasks/dws_revenue_daily/versions").json()["result"]
    return [(row["effective_at"], row["version"]) for row in rows if row["version"] in (71, 93)]


def test_the_feed_is_filtered(watched: Watched) -> None:
    """Words narrow the feed to versions that hold them, and the address keeps them."""
    watched.open("changes")
    everything = watched.page.locator(".events > li").count()
    watched.page.get_by_role("searchbox").fill("revenue without VAT")
    expect(watched.page.locator(".events > li").first).to_contain_text("VAT")

    assert 0 < watched.page.locator(".events > li").count() < everything
    assert "q=revenue" in watched.page.url


def test_impact_shows_who_gets_hurt(watched: Watched) -> None:
    """Text that drops columns is breaking, and those who read them are named."""
    watched.open("impact")
    watched.page.get_by_label("Task", exact=True).fill("dws_revenue_daily")
    watched.page.get_by_label("SQL of the task").fill(
        "INSERT OVERWRITE TABLE dws.revenue_daily SELECT channel, amount AS revenue, 1 AS orders, dt FROM ods.payments"
    )
    watched.page.get_by_role("button", name="Assess").click()
    expect(watched.page.locator(".verdict")).to_be_visible(timeout=30_000)

    expect(watched.page.locator(".ripple")).to_contain_text("ads.revenue_board")
    own = watched.page.get_by_label("Lineage of dws_revenue_daily after the change")
    drawn = own.locator("svg g > title").all_text_contents()
    assert {"hive:dws.revenue_daily", "hive:ods.payments"} <= set(drawn)
    touched = watched.page.get_by_label("Datasets touched by the change")
    marks = touched.locator("svg g text").all_text_contents()
    assert any(text.startswith("✕ ") for text in marks)
    assert violations(watched.page) == []


def test_impact_shows_errors_in_place(watched: Watched) -> None:
    """Text that cannot be read is marked at the line that the report names."""
    watched.open("impact")
    watched.page.get_by_label("Task", exact=True).fill("dws_revenue_daily")
    watched.page.get_by_label("SQL of the task").fill(
        "INSERT OVERWRITE TABLE dws.revenue_daily\nSELECT dt,\n  SUM(amount AS revenue FROM ods.payments"
    )
    watched.page.get_by_role("button", name="Assess").click()
    expect(watched.page.locator(".verdict")).to_contain_text("unknown", timeout=30_000)

    expect(watched.page.locator(".reasons .bad")).to_contain_text("line 3, column")
    expect(watched.page.locator(".sql li.bad")).to_contain_text("SUM(amount AS revenue")


def test_health_lists_the_dead_letters(watched: Watched) -> None:
    """The three rejected messages of the sample are there; without the right to write none can be replayed."""
    watched.open("health")

    codes = watched.page.locator("section[aria-labelledby=letters] .chip.bad").all_inner_texts()
    assert sorted(codes) == ["conflicting-duplicate", "invalid-message", "unknown-event"]
    assert watched.page.locator("input[type=checkbox]").count() == 0


def test_a_token_opens_a_wide_table_of_which_only_the_view_is_drawn(browser: Browser, wide: Served) -> None:
    """Without the token there is a form and nothing else; with it, 2,000 columns scroll and filter."""
    with watching(browser, wide.base) as watched:
        page = watched.page
        page.goto(f"{wide.base}/?page=node&node=hive:dw.wide")
        page.get_by_label("Token").fill("wrong")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("alert")).to_be_visible()
        page.get_by_label("Token").fill(TOKEN)
        page.get_by_role("button", name="Sign in").click()
        expect(page.locator("table[aria-rowcount='2001']")).to_be_visible(timeout=30_000)
        assert page.locator("tbody tr").count() <= 100
        assert "lineage-tt-session" not in page.evaluate("document.cookie")

        view = page.get_by_role("group", name="Columns")
        view.focus()
        page.keyboard.press("End")
        expect(page.get_by_role("link", name="c1999", exact=True)).to_be_visible()
        page.get_by_role("searchbox").first.fill("c0777")
        expect(page.locator("tbody a.name")).to_have_text(["c0777"])


def test_a_change_arrives_while_one_looks(browser: Browser, wide: Served) -> None:
    """A message that is sent while the feed is open appears in it by itself."""
    with watching(browser, wide.base) as watched:
        watched.page.request.post(f"{wide.base}/v1/session", data={"token": TOKEN})
        watched.page.goto(f"{wide.base}/?page=changes")
        expect(watched.page.locator(".chip.good")).to_contain_text("live", timeout=15_000)
        task = f"live-{time.time_ns()}"
        edge = {"source": "hive:ods.a#x", "target": "hive:dw.b#x"}
        message = {"event_id": task, "task_id": task, "op": "online", "effective_at": "2026-01-02T00:00:00Z"}
        sent = httpx.post(
            f"{wide.base}/v1/messages", json=message | {"edges": [edge]}, headers={"Authorization": f"Bearer {TOKEN}"}
        )
        assert sent.status_code == 202, sent.text

        expect(watched.page.locator(".events > li").first).to_contain_text(task, timeout=15_000)
