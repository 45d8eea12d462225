"""States that people meet: four points beside each other, what was not known then, too much, nothing, no answer."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from browsers import Watched, violations, watching
from playwright.sync_api import Browser, expect
from services import Served, online, serving

BOARD = "bi:board/42#revenue"
REVENUE = "hive:dws.revenue_daily#revenue"
ASKED = "2026-03-05T12:00:00Z"
#: Before the hotfix of 2 March was entered.
THEN = "2026-03-06T09:00:00Z"
#: One dataset more than a picture holds.
TOO_MANY = 3_001


@pytest.fixture(scope="module")
def many(writable: Served) -> Served:
    """A service with a task that reads very many tables."""
    message = online("fill_all", *((f"x:m.t{number}#c", "x:m.all#c") for number in range(TOO_MANY)))
    assert writable.send(message).json()["result"]["accepted"] == 1
    return writable


def test_four_points_stand_beside_each_other_and_move_together(watched: Watched) -> None:
    """Each pane has its point and what is there then; a node of several is at one place in all, also after a zoom."""
    pins = ["2026-02-15T00:00:00Z", ASKED, "2026-05-01T00:00:00Z", f"{ASKED}@{THEN}"]
    watched.open("graph", node=REVENUE, direction="up", pins=",".join(pins), view="side")
    page = watched.page
    expect(page.locator(".g-pane")).to_have_count(4)
    assert page.locator(".g-pane-name b").all_inner_texts() == ["A", "B", "C", "D"]
    page.locator(".g-pane .g-port").first.focus()
    for zoom in (False, True):
        if zoom:
            box = page.locator(".g-pane .g-port").first.bounding_box()
            assert box is not None
            page.mouse.move(box["x"] + 40, box["y"] + 40)
            page.mouse.wheel(0, -300)
        page.evaluate("() => new Promise(done => setTimeout(() => requestAnimationFrame(() => setTimeout(done)), 200))")
        places = page.locator(".g-pane .g-port").evaluate_all(
            """all => all.map(port => { const at = port.getBoundingClientRect();
                return Object.fromEntries([...port.querySelectorAll(".g-head")].map(head => {
                    const box = head.getBoundingClientRect();
                    return [head.title, [Math.round(box.x - at.x), Math.round(box.y - at.y)]]; })); })"""
        )
        shared = [name for name in places[0] if all(name in each for each in places)]
        assert len(shared) > 1
        assert [name for name in shared if len({tuple(each[name]) for each in places}) > 1] == []


def test_what_was_not_known_then_is_counted(watched: Watched, service: Served) -> None:
    """The second slider folds open; the sentence below it has the counts of the difference of both points."""
    walk = {"node": REVENUE, "direction": "up"}
    at = f"{ASKED}@{THEN}"
    lines = service.get("/v1/layout", params=walk | {"at": f"{at},{ASKED}"}).json()["result"]["lines"]
    more, fewer = (sum(line["change"] == change for line in lines) for change in ("added", "removed"))
    assert more
    watched.open("graph", **walk, at=at, known="1")
    expect(watched.page.get_by_role("slider")).to_have_count(2)
    expect(watched.page.locator(".g-notyet")).to_contain_text(f"{more} edge")
    expect(watched.page.locator(".g-notyet")).to_contain_text(f"{fewer} edge")
    watched.page.get_by_role("slider").nth(1).focus()
    watched.page.keyboard.press("End")
    expect(watched.page.locator(".g-notyet")).to_contain_text("already known then")


def test_times_are_the_viewers_and_utc_on_hover(browser: Browser, service: Served) -> None:
    """In Shanghai a moment is eight hours later on the clock; pointing at it says UTC."""
    with watching(browser, service.base, timezone_id="Asia/Shanghai") as watched:
        watched.open("graph", node=REVENUE, direction="up", at=ASKED)
        shown = watched.page.locator(".g-when time").first
        expect(shown).to_contain_text("20:00")
        assert shown.get_attribute("datetime") == ASKED
        assert "12:00:00 UTC" in (shown.get_attribute("title") or "")
        watched.clean()


def test_nothing_moves_by_itself_for_those_who_ask_for_it(browser: Browser, service: Served) -> None:
    """Under ``prefers-reduced-motion`` no element has a transition or an animation that takes time."""
    moving = """() => [...document.querySelectorAll("*")].filter(each => { const style = getComputedStyle(each);
        return `${style.transitionDuration},${style.animationDuration}`.split(",").some(one => parseFloat(one) > 0.01);
    }).map(each => each.className)"""
    with watching(browser, service.base) as watched:
        for name, state in (("", {}), ("graph", {"node": REVENUE}), ("changes", {})):
            watched.open(name, **state)
            assert watched.page.evaluate(moving) == []
        watched.clean()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_is_too_large_says_what_to_do(browser: Browser, many: Served, lang: str) -> None:
    """A picture of more tables than it holds is an error with its limit and a way out; fewer steps are one."""
    with watching(browser, many.base) as watched:
        watched.open("graph", node="x:m.all#c", direction="up", lang=lang)
        expect(watched.page.get_by_role("alert")).to_contain_text("3,002 datasets")
        expect(watched.page.get_by_role("alert")).to_contain_text("depth")
        assert violations(watched.page) == []
        assert [each for each in watched.errors if "400" not in each] == []
        watched.errors.clear()  # the browser logs the 400 itself


def test_a_service_that_is_gone_is_said_and_asked_again(browser: Browser, tmp_path: Path) -> None:
    """When the service stops, a page says so with a button that asks again, and keeps its place."""
    with serving(tmp_path / "s", "--workers", "1") as served, watching(browser, served.base) as watched:
        served.send(online("one", ("x:a.s#c", "x:a.t#c")))
        watched.open("graph", node="x:a.t#c")
        served.stop()
        watched.page.get_by_role("button", name="Tables", exact=True).click()
        expect(watched.page.get_by_role("alert")).to_be_visible()
        expect(watched.page.get_by_role("alert").get_by_role("button")).to_be_visible()
        assert "level=table" in watched.page.url
        watched.errors.clear()  # the browser logs what it could not load


def test_an_empty_store_says_how_to_begin(browser: Browser, tmp_path: Path) -> None:
    """Without a message every page says what is missing, and raises nothing."""
    with serving(tmp_path / "s", "--workers", "1") as served, watching(browser, served.base) as watched:
        for name in ("", "changes", "health", "impact", "govern"):
            watched.open(name)
            assert watched.page.locator("#main h1").count() == 1
            assert violations(watched.page) == [], name
        watched.open()
        expect(watched.page.locator("#main")).to_contain_text("lineage-tt")
        watched.clean()


def test_a_dead_letter_is_replayed_and_a_subscription_kept(browser: Browser, writable: Served) -> None:
    """Who may write replays a letter and reads its outcome, subscribes to the feed, and takes that back."""
    edge = ("x:letter.s#c", "x:letter.t#c")
    assert writable.send(online("letter", edge)).json()["result"]["accepted"] == 1
    sent = writable.send(online("letter", edge, event="2") | {"op": "onlien"}).json()["result"]["receipts"]
    with watching(browser, writable.base) as watched:
        page = watched.page
        watched.open("health")
        page.get_by_label(re.compile(rf"\b{sent[0]['version']}$")).check()
        page.get_by_role("button", name="Replay").click()
        expect(page.locator("section[aria-labelledby=letters] [role=status]").first).to_contain_text("rejected")
        watched.open("changes")
        page.get_by_label("Name", exact=True).fill("ours")
        page.get_by_label("Datasets").fill("x:letter.*")
        page.get_by_role("button", name="Subscribe").click()
        ours = page.locator("section[aria-labelledby=subscriptions] li", has_text="x:letter.*")
        expect(ours).to_have_count(1)
        assert subscribed(writable) == {"ours": ["x:letter.*"]}
        ours.get_by_role("button").click()
        expect(ours).to_have_count(0)
        assert subscribed(writable) == {}
        watched.clean()


def subscribed(served: Served) -> dict[str, list[str]]:
    """The datasets of the test's own subscription by its name, nothing where there is none."""
    rows = served.get("/v1/subscriptions").json()["result"]
    return {row["name"]: row["subscription"]["datasets"] for row in rows if row["name"] == "ours"}


def test_dropped_files_are_candidates(watched: Watched) -> None:
    """Two files dropped on the page are two tasks named like them; both are assessed."""
    watched.open("impact")
    watched.page.evaluate(
        """files => { const given = new DataTransfer();
            for (const [name, text] of files) given.items.add(new File([text], name));
            document.querySelector("form.impact").dispatchEvent(
                new DragEvent("drop", {dataTransfer: given, bubbles: true, cancelable: true})); }""",
        [["dws_revenue_daily.sql", "INSERT OVERWRITE TABLE dws.revenue_daily SELECT 1 AS orders FROM ods.payments"],
         ["fresh.sql", "INSERT OVERWRITE TABLE ads.fresh SELECT id FROM ods.payments"]],
    )  # fmt: skip
    tasks = watched.page.get_by_label("Task", exact=True)
    expect(tasks).to_have_count(2)
    assert [tasks.nth(at).input_value() for at in (0, 1)] == ["dws_revenue_daily", "fresh"]
    watched.page.get_by_role("button", name="Assess").click()
    expect(watched.page.locator(".verdict")).to_be_visible(timeout=30_000)
    assert watched.page.locator("section > .row > h2.mono").all_inner_texts() == ["dws_revenue_daily", "fresh"]


def test_a_task_lists_the_edges_of_a_version(watched: Watched, service: Served) -> None:
    """Under a version's edges are those that the feed says it began and ended."""
    watched.open("task", task="dws_revenue_daily", b="102", view="edges")
    event = service.get("/v1/changes", params={"after": 101, "limit": 1}).json()["result"][0]
    changes = event["data"]["changes"]
    assert changes
    rows = watched.page.locator("section[aria-labelledby=task-view] tbody tr")
    expect(rows).to_have_count(len(changes))
    words = json.dumps(changes)
    for name in rows.locator("a.name, a").all_inner_texts()[:6]:
        assert name.split("#")[-1].split(" ")[0] in words
