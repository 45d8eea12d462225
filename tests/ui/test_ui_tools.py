"""What one does with a picture: filter it, ask for the ways between two nodes, save it, print it, look at the plan."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browsers import Watched, watching
from playwright.sync_api import Browser, expect
from services import Served, online

BOARD = "bi:board/42#revenue"
DAY = "2026-05-01T00:00:00Z"
WALK = {"node": BOARD, "direction": "up", "at": DAY}
SVG = "{http://www.w3.org/2000/svg}"
#: The lines of the sheet that is printed, and so of the picture.
PRINTED = """() => { dispatchEvent(new Event("beforeprint"));
    const found = [...document.querySelectorAll(".g-print path > title")].map(each => each.textContent.split("\\n")[0]);
    dispatchEvent(new Event("afterprint")); return found; }"""
Pairs = set[tuple[str, str]]


def answered(service: Served, **asked: str) -> list[dict[str, Any]]:
    """The lines that the service gives."""
    lines: list[dict[str, Any]] = service.get("/v1/layout", params=asked).json()["result"]["lines"]
    return lines


def pairs(lines: list[dict[str, Any]]) -> Pairs:
    """The ends of lines."""
    return {(line["source"], line["target"]) for line in lines}


def drawn(watched: Watched) -> Pairs:
    """The ends of the lines in the picture."""
    watched.page.wait_for_selector(".g-main[data-settled='1']")
    return {(source, target) for source, target in (line.split(" → ") for line in watched.page.evaluate(PRINTED))}


def dataset(node: str) -> str:
    """The dataset of a column."""
    return node.partition("#")[0]


def test_a_filter_keeps_what_the_service_says_of_each_line(watched: Watched, service: Served) -> None:
    """By kind and namespace through the panel, in the picture and in the foot, which says how many are hidden."""
    lines = answered(service, **WALK)
    page = watched.page
    watched.open("graph", **WALK)
    assert drawn(watched) == pairs(lines)
    page.locator("summary", has_text="Filter").click()
    counts = Counter(kind for line in lines for kind in line["kinds"])
    kind = min(counts, key=lambda each: (abs(counts[each] - len(lines) // 2), each))
    page.get_by_label("Kind of edge").select_option(kind)
    kept = [line for line in lines if kind in line["kinds"]]
    assert drawn(watched) == pairs(kept)
    assert len(pairs(kept)) < len(pairs(lines))
    expect(page.locator(".g-foot")).to_contain_text(f"the filter hides {len(lines) - len(kept)} edge")
    page.get_by_role("button", name="Clear filter").click()
    page.get_by_label("Namespace").select_option("bi")
    assert drawn(watched) == pairs([line for line in lines if "bi:" in (line["source"][:3], line["target"][:3])])


def test_a_filter_by_owner_or_label_keeps_what_touches_theirs(browser: Browser, july: Served) -> None:
    """Shown are the lines at a table or column of which it is said at that time, or of a task of which it is said."""
    walk = {"node": "bi:board/17#contact", "direction": "up", "at": "2026-06-05T12:00:00Z"}
    lines = answered(july, **walk)
    held: dict[tuple[str, str], set[str]] = {}
    for name in sorted({dataset(end) for pair in pairs(lines) for end in pair}):
        said = july.get("/v1/nodes", params={"node": name, "at": walk["at"]}).json()["result"]
        for each in (said, *said["columns"]):
            for field in ("owner", "label"):
                for word in each[f"{field}s"]:
                    held.setdefault((field, word), set()).add(each["node"])
    assert {field for field, _ in held} == {"owner", "label"}
    with watching(browser, july.base) as watched:
        for (field, word), nodes in sorted(held.items()):
            watched.open("graph", **walk, **{field: word})
            expected = {
                pair for pair in pairs(lines) if {end for node in pair for end in (node, dataset(node))} & nodes
            }
            expect(watched.page.locator(".g-foot")).to_contain_text(f"{len(expected)} edge")
            assert drawn(watched) == expected, (field, word)
        assert len(drawn(watched)) < len(lines)
        watched.clean()


def test_the_ways_between_two_nodes_are_those_of_the_edges(watched: Watched, service: Served) -> None:
    """Two ends chosen: lit is what is downstream of one and upstream of the other, and the address has it."""
    lines = answered(service, **WALK, level="table")
    ends = pairs(lines)

    def reached(start: str, ahead: bool) -> set[str]:
        found, queue = {start}, [start]
        while queue:
            at = queue.pop()
            fresh = {b if ahead else a for a, b in ends if (a if ahead else b) == at} - found
            found |= fresh
            queue += fresh
        return found

    target = dataset(BOARD)
    sources = sorted({a for a, _ in ends} - {b for _, b in ends})
    source = max(sources, key=lambda each: len(reached(each, True)))
    on_way = {pair for pair in ends if pair[0] in reached(source, True) and pair[1] in reached(target, False)}
    page = watched.page
    watched.open("graph", **WALK, level="table", lock=source)
    page.wait_for_selector(".g-main[data-settled='1']")
    page.get_by_role("button", name="Path to …").click()
    expect(page.locator(".g-drawer .g-note")).to_contain_text("other end")
    page.locator(f".g-head[title='{target}']").click()
    expect(page.locator(".g-foot")).to_contain_text(f"{len(on_way)} edge")
    expect(page.locator(".g-foot")).to_contain_text("on the path")
    page.wait_for_selector(".g-box.g-lit")
    lit = set(page.locator(".g-box.g-lit").evaluate_all("all => all.map(each => each.getAttribute('aria-label'))"))
    assert lit == {end for pair in on_way for end in pair}
    address = page.url
    page.get_by_role("link", name="Close path").click()
    expect(page.locator(".g-foot")).not_to_contain_text("on the path")
    page.goto(address)
    expect(page.locator(".g-foot")).to_contain_text("on the path")
    watched.settle()


def test_what_is_saved_is_the_picture(watched: Watched, service: Served) -> None:
    """CSV has its lines, SVG draws them with text as text and what was asked when, PNG is as large as the SVG says."""
    lines = answered(service, **WALK)
    watched.open("graph", **WALK)
    assert drawn(watched) == pairs(lines)
    rows = list(csv.DictReader(io.StringIO(saved(watched, "CSV").decode("utf-8-sig"))))
    assert {(row["source"], row["target"]) for row in rows} == pairs(lines)
    expected = {(line["source"], line["target"]): " ".join(line["tasks"]) for line in lines}
    assert {(row["source"], row["target"]): row["tasks"] for row in rows} == expected
    picture = ET.fromstring(saved(watched, "SVG"))
    titles = [each.findtext(f"{SVG}title") or "" for each in picture.iter(f"{SVG}path")]
    assert {tuple(title.split("\n")[0].split(" → ")) for title in titles if title} == pairs(lines)
    words = "\n".join(each.text or "" for each in picture.iter(f"{SVG}text"))
    assert "revenue" in words
    assert "as known at version" in words
    assert list(picture.iter(f"{SVG}script")) == list(picture.iter(f"{SVG}image")) == []
    image = saved(watched, "PNG")
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = (int.from_bytes(image[at : at + 4]) for at in (16, 20))
    scale = min(2, 8000 / float(picture.attrib["width"]), 8000 / float(picture.attrib["height"]))
    assert abs(width - scale * float(picture.attrib["width"])) <= 1
    assert abs(height - scale * float(picture.attrib["height"])) <= 1


def saved(watched: Watched, form: str) -> bytes:
    """Save the picture in a form, as a person does."""
    watched.page.locator("summary", has_text="Export").click()
    with watched.page.expect_download() as saving:
        watched.page.get_by_role("button", name=form, exact=True).click()
    assert saving.value.suggested_filename.endswith(form.lower())
    return Path(saving.value.path()).read_bytes()


def test_paper_has_the_whole_picture_and_nothing_else(watched: Watched) -> None:
    """What is printed is the sheet with the picture, on one page; toolbar, slider and head stay away."""
    page = watched.page
    watched.open("graph", **WALK)
    assert drawn(watched)
    page.emulate_media(media="print", reduced_motion="reduce")
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".g-print svg")).to_be_visible()
    for away in ("header", ".g-tools", ".g-time", ".g-port"):
        expect(page.locator(away).first).to_be_hidden()
    page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".g-print")).to_have_count(0)
    sheets = page.pdf(landscape=True)
    assert sheets.count(b"/Type /Page\n") + sheets.count(b"/Type/Page/") + sheets.count(b"/Type /Page ") <= 1
    assert len(sheets) > 10_000


def test_what_is_planned_is_hatched(watched: Watched, service: Served) -> None:
    """What was to come, as known then, is hatched in the slider; stepping there says that it is planned."""
    known = service.get("/v1/timeline", params={"node": BOARD, "at": "2026-08-02T00:00:00Z"}).json()["result"]["known"]
    version, recorded = known[-1]["version"], known[-1]["system_time"]
    at = f"{recorded}@v{version}"
    points = service.get("/v1/timeline", params={"node": BOARD, "direction": "up", "at": at}).json()["result"]["points"]
    planned = [point["valid_at"] for point in points if point["valid_at"] > recorded]
    assert planned, known[-3:]
    page = watched.page
    watched.open("graph", node=BOARD, direction="up", at=at)
    page.wait_for_selector(".g-main[data-settled='1']")
    assert page.locator(".g-planned").count() > 0
    fills = set(page.locator(".g-planned").evaluate_all("all => all.map(each => each.getAttribute('fill'))"))
    assert fills == {"url(#g-hatch)"}
    assert page.locator(".g-future").count() == 1
    expect(page.locator(".g-when")).not_to_contain_text("planned")
    page.keyboard.press("]")
    expect(page.locator(".g-when")).to_contain_text("planned")


def test_numbers_in_names_count_by_value(browser: Browser, writable: Served) -> None:
    """Columns of which no order is known are c1, c2, c10: in the box, in the drawer, on the page, by their ordinals."""
    names = [f"c{number}" for number in (1, 2, 9, 10, 11, 100)]
    change = online("numbers", *((f"x:numbers.s#{name}", f"x:numbers.t#{name}") for name in reversed(names)))
    with watching(browser, writable.base) as watched:
        assert writable.send(change).json()["result"]["accepted"] == 1
        watched.open("graph", node="x:numbers.t", direction="up", columns="x:numbers.t")
        watched.page.wait_for_selector(".g-drawer [data-ready='1']")
        boxes = watched.page.locator(".g-box").evaluate_all(
            "all => all.map(box => [...box.querySelectorAll('.g-row .g-label')].map(row => row.textContent))"
        )
        assert boxes == [names, names]
        assert watched.page.locator(".g-columns .g-end > span:first-child").all_inner_texts() == names
        watched.open("node", node="x:numbers.t")
        expect(watched.page.locator("tbody a.name")).to_have_text(names)
        columns = writable.get("/v1/nodes", params={"node": "x:numbers.t"}).json()["result"]["columns"]
        assert {each["column"]: each["ordinal"] for each in columns} == {name: i for i, name in enumerate(names, 1)}
        watched.clean()


#: Shift and scale of the picture.
VIEW = """() => { const found = new DOMMatrix(document.querySelector(".g-world").style.transform);
    return [found.e, found.f, found.a]; }"""


def test_wheel_drag_and_two_fingers_move_the_picture(browser: Browser, service: Served) -> None:
    """The wheel and two fingers scale around where they are, and a drag moves it by as much."""
    with watching(browser, service.base, has_touch=True) as watched:
        page = watched.page
        watched.open("graph", **WALK)
        page.wait_for_selector(".g-main[data-settled='1']")
        port = page.locator(".g-port").bounding_box()
        assert port is not None
        left, top = port["x"], port["y"]
        frame = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

        def moved(act: Callable[[], None]) -> tuple[list[float], list[float]]:
            page.evaluate(frame)
            before = page.evaluate(VIEW)
            act()
            page.evaluate(frame)
            return before, page.evaluate(VIEW)

        def place(view: list[float], x: float, y: float) -> tuple[float, float]:
            return (x - left - view[0]) / view[2], (y - top - view[1]) / view[2]

        page.mouse.move(left + 300, top + 120)
        before, after = moved(lambda: page.mouse.wheel(0, -200))
        assert after[2] > before[2] * 1.2
        assert place(after, left + 300, top + 120) == pytest.approx(place(before, left + 300, top + 120), abs=1)

        def drag() -> None:
            page.mouse.move(left + 8, top + 8)
            page.mouse.down()
            page.mouse.move(left + 48, top + 38, steps=4)
            page.mouse.up()

        before, after = moved(drag)
        assert (after[0] - before[0], after[1] - before[1], after[2]) == pytest.approx((40, 30, before[2]), abs=1)

        fingers = page.context.new_cdp_session(page)

        def pinch() -> None:
            for kind, apart in (("touchStart", 40), ("touchMove", 60), ("touchMove", 80), ("touchEnd", 0)):
                ends = [{"x": left + 300 + side * apart, "y": top + 120} for side in (-1, 1)] if apart else []
                fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": ends})

        before, after = moved(pinch)
        assert after[2] / before[2] == pytest.approx(2, rel=0.1)
        assert place(after, left + 300, top + 120) == pytest.approx(place(before, left + 300, top + 120), abs=12)
        watched.clean()
