"""The graph page: picture, table and API say the same at every change point; the slider moves nothing; keys do all."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from browsers import Watched, violations_in_both_themes, watching
from playwright.sync_api import Browser
from services import Served, online

NODE = "hive:dws.revenue_daily#revenue"
SHOWN = """() => [...document.querySelectorAll('.g-port .g-row')].map((row) => row.title).sort()"""
PLACES = """() => Object.fromEntries([...document.querySelectorAll('.g-port .g-row, .g-port .g-head')].map((row) => {
    const at = row.getBoundingClientRect();
    return [row.title, [at.x, at.y]];
}))"""


def settled(watched: Watched) -> None:
    """Wait until what is shown is that of the address, with its window of change points, and is drawn."""
    watched.page.wait_for_selector('.g-main[data-settled="1"]')
    watched.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def point_of(watched: Watched) -> str:
    """The point in the page's address."""
    return str(watched.page.evaluate("() => new URLSearchParams(location.search).get('at') || 'now'"))


def lines_at(service: Served, at: str, **walk: Any) -> tuple[list[list[str]], list[str]]:
    """What the API gives at a point alone: pairs of nodes, and columns."""
    drawn = service.get("/v1/layout", params={"node": NODE, "at": at} | walk).json()["result"]
    pairs = sorted([line["source"], line["target"]] for line in drawn["lines"])
    return pairs, sorted(row["node"] for box in drawn["boxes"] for row in box["rows"])


def _note(asked: list[str], request: Any) -> None:
    asked.append(request.url)


def test_the_picture_is_what_the_api_gives_at_every_change_point(watched: Watched, service: Served) -> None:
    """Stepped back from now with the key [, the columns shown are those of the layout at that point alone."""
    watched.open("graph", node=NODE, direction="up")
    settled(watched)
    watched.page.keyboard.press("0")
    seen = set()
    for _ in range(70):
        at = point_of(watched)
        if at in seen:
            break
        seen.add(at)
        settled(watched)
        assert watched.page.evaluate(SHOWN) == lines_at(service, at, direction="up")[1], at
        if watched.page.locator(".g-slider .g-step").first.is_disabled():
            break
        watched.page.keyboard.press("[")
    assert len(seen) > 10


def test_a_step_of_the_slider_moves_nothing_that_stays(watched: Watched) -> None:
    """What is there before and after a step is at the same pixel, and no request is made for it."""
    watched.open("graph", node=NODE, direction="up", at="2026-06-01T00:00:00Z")
    settled(watched)
    watched.page.keyboard.press("0")
    kept = 0
    for _ in range(8):
        settled(watched)
        before = watched.page.evaluate(PLACES)
        asked: list[str] = []
        watched.page.on("request", partial(_note, asked))
        watched.page.keyboard.press("[")
        settled(watched)
        after = watched.page.evaluate(PLACES)
        both = before.keys() & after.keys()
        assert {name: after[name] for name in both} == {name: before[name] for name in both}
        assert [url for url in asked if "/v1/layout" in url] == []
        kept += len(both)
    assert kept > 50


KEYS = """(keys) => { for (const key of keys)
    document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true})); }"""


def test_nothing_moves_where_the_window_of_change_points_ends(browser: Browser, writable: Served) -> None:
    """Of more change points than a picture holds, those of all windows have one place for each node."""
    with watching(browser, writable.base) as watched:
        days = [f"2026-{1 + day // 28:02}-{1 + day % 28:02}T00:00:00Z" for day in range(90)]
        sources = [[f"x:moving.t{day * step % 13}#c" for step in (1, 3, 5)] for day in range(len(days))]
        sent = [
            online("fill", *((source, "x:moving.all#c") for source in sources[day]), at=at, event=f"{day}")
            for day, at in enumerate(days)
        ]
        assert writable.send(*sent).json()["result"]["accepted"] == len(days)
        watched.open("graph", node="x:moving.all#c", direction="up", at=days[-1])
        settled(watched)
        watched.page.keyboard.press("0")
        places: dict[str, list[float]] = {}
        points: set[str] = set()
        for _ in range(8):
            settled(watched)
            here = watched.page.evaluate(PLACES)
            assert {name: places[name] for name in here.keys() & places.keys()} == {
                name: here[name] for name in here.keys() & places.keys()
            }
            places |= here
            points.add(point_of(watched))
            watched.page.evaluate(KEYS, ["["] * 11)
        assert len(points) == 8
        assert len(places) > 10
        watched.clean()


def test_every_key_press_is_a_step(watched: Watched) -> None:
    """Keys that come before the step before them is drawn count as well: five at once are five steps, and back."""
    watched.open("graph", node=NODE, direction="up", at="2026-06-01T12:34:56Z")
    settled(watched)
    stop = watched.page.get_by_role("slider")
    first = int(stop.get_attribute("aria-valuenow") or "")  # the change before the moment: where the first [ goes
    for keys, expected in (("[[[[[", first - 4), ("]]]]", first), ("[[]", first - 1)):
        watched.page.evaluate(KEYS, [*keys])
        settled(watched)
        assert int(stop.get_attribute("aria-valuenow") or "") == expected, keys
    earlier = watched.page.locator(".g-slider .g-step").first
    earlier.evaluate("button => { button.click(); button.click(); }")
    settled(watched)
    assert int(stop.get_attribute("aria-valuenow") or "") == first - 3


def test_arrows_follow_edges_and_enter_opens_what_is_behind(watched: Watched) -> None:
    """From a column, left goes along an edge to what feeds it; Enter opens the drawer; Escape closes it."""
    watched.open("graph", node=NODE, direction="up", at="2026-06-01T00:00:00Z")
    settled(watched)
    page = watched.page
    page.locator(".g-row.g-start").focus()
    page.keyboard.press("ArrowLeft")
    reached = page.evaluate("() => document.activeElement.title")
    assert reached.startswith("hive:dwd.")
    page.keyboard.press("Enter")
    page.wait_for_selector(".g-drawer")
    assert page.locator(".g-drawer .g-full").inner_text() == reached
    page.wait_for_selector(".g-row.g-lit")  # drawn in the frame after the drawer
    page.locator(".g-drawer .g-end").first.click()
    page.wait_for_selector(".g-rects .g-belief")
    page.wait_for_selector(".g-drawer mark")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.wait_for_selector(".g-drawer", state="detached")


def test_a_comparison_counts_and_lists_what_the_api_says(watched: Watched, service: Served) -> None:
    """Counts and list of changes are those of the layout of both points; unchanged boxes stay."""
    pins = "2026-03-05T00:00:00Z,2026-06-01T00:00:00Z"
    watched.open("graph", node=NODE, direction="up", pins=pins)
    settled(watched)
    drawn = service.get("/v1/layout", params={"node": NODE, "direction": "up", "at": pins}).json()["result"]
    changed = [line for line in drawn["lines"] if line["change"] != "same"]
    counts = watched.page.locator(".g-counts b").all_inner_texts()
    expected = [
        f"{glyph} {sum(line['change'] == change for line in changed)}"
        for glyph, change in (("+", "added"), ("−", "removed"), ("~", "changed"))
    ]
    assert counts == expected
    assert watched.page.locator(".g-changes li").count() == len(changed) > 0
    watched.page.locator(".g-changes .g-end").first.click()
    watched.page.wait_for_selector(".sql.diff")
    watched.page.wait_for_selector(".g-blame li")  # it was removed: who put it in force is asked where it was


def test_a_drag_of_the_slider_is_one_step_back(watched: Watched) -> None:
    """It stops at change points on its way, and the back button undoes all of it."""
    watched.open("graph", node=NODE, direction="up", at="2026-06-01T00:00:00Z")
    settled(watched)
    box = watched.page.locator(".g-track").bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    watched.page.mouse.move(box["x"] + box["width"] * 0.7, y)
    watched.page.mouse.down()
    for share in (0.6, 0.4, 0.2):
        watched.page.mouse.move(box["x"] + box["width"] * share, y, steps=3)
    watched.page.mouse.up()
    assert point_of(watched) < "2026-03"
    watched.page.go_back()
    assert point_of(watched) == "2026-06-01T00:00:00Z"


def test_a_link_of_a_comparison_pins_each_point(watched: Watched) -> None:
    """Now becomes an instant and a version: the link shows the same tomorrow."""
    watched.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    watched.open("graph", node=NODE, direction="up", pins="2026-03-05T00:00:00Z,now")
    settled(watched)
    watched.page.get_by_role("button", name="Copy link").click()
    link = watched.page.evaluate(
        "() => new URL(await navigator.clipboard.readText()).searchParams.get('pins')".replace("() =>", "async () =>")
    )
    points = link.split(",")
    assert [each.partition("@v")[2].isdigit() for each in points] == [True, True]
    assert "now" not in link


def test_hostile_names_are_text(browser: Browser, writable: Served) -> None:
    """A column named like markup is shown as it is written: in the picture, the drawer and the table."""
    evil = '<img src=x onerror="document.title=1">'
    assert writable.send(online(evil, ("x:evil.b#c", f"x:evil.d#{evil}"))).json()["result"]["accepted"] == 1
    with watching(browser, writable.base) as page:
        page.open("graph", node="x:evil.b#c", lock=f"x:evil.d#{evil}")
        settled(page)
        assert page.page.locator(".g-row", has_text=evil).count() == 1
        assert page.page.locator(".g-drawer h2").inner_text() == evil
        page.open("graph", node="x:evil.b#c", view="table")
        settled(page)
        assert page.page.locator(".g-table td", has_text=evil).count() >= 1
        assert page.page.locator("#main img").count() == 0
        page.clean()


def test_a_link_pins_version_and_time_and_back_works(watched: Watched) -> None:
    """The copied link names an instant and a version; a step of the slider can be taken back."""
    watched.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    watched.open("graph", node=NODE, direction="up", at="2026-03-05T00:00:00Z")
    settled(watched)
    watched.page.get_by_role("button", name="Copy link").click()
    link = watched.page.evaluate("() => navigator.clipboard.readText()")
    assert "2026-03-05T00%3A00%3A00Z%40v" in link
    watched.page.keyboard.press("]")
    assert point_of(watched) != "2026-03-05T00:00:00Z"
    watched.page.go_back()
    assert point_of(watched) == "2026-03-05T00:00:00Z"


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"edge": f"hive:dwd.payments#amount -> {NODE}"},
        {"view": "table"},
        {"view": "groups"},
        {"pins": "2026-03-05T00:00:00Z,now"},
        {"known": "1", "at": "2026-03-05T12:00:00Z@2026-03-06T09:00:00Z"},
    ],
)
def test_the_page_is_for_everybody(watched: Watched, state: dict[str, str]) -> None:
    """axe-core finds nothing, in both themes, in each state of the page."""
    watched.open("graph", node=NODE, direction="up", **state)
    settled(watched)

    assert violations_in_both_themes(watched.page) == []


def test_the_critical_path_is_drawn(watched: Watched, service: Served) -> None:
    """The lines lit are made by the tasks of GET /v1/core, each from what the task before it writes."""
    at = "2026-05-01T00:00:00Z"
    watched.open("graph", node=NODE, direction="up", at=at)
    settled(watched)
    watched.page.get_by_label("Critical path").check()
    watched.page.wait_for_selector(".g-chain")
    path = service.get("/v1/core", params={"node": NODE, "valid_at": at}).json()["result"]["critical_path"]
    assert watched.page.locator(".g-chain a").all_inner_texts() == path
    assert len(path) > 1
    watched.page.wait_for_selector(".g-row.g-lit")
    lit = set(watched.page.locator(".g-row.g-lit").evaluate_all("all => all.map(each => each.title)"))
    drawn = service.get("/v1/layout", params={"node": NODE, "direction": "up", "at": at}).json()["result"]["lines"]
    made = {end for line in drawn if set(line["tasks"]) & set(path) for end in (line["source"], line["target"])}
    assert NODE in lit
    assert lit <= made
