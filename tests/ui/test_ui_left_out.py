"""What an answer leaves out, or cannot know, is on the page that shows the answer, in both languages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browsers import Watched, violations, watching
from crowds import BEGIN, HUB, LATER, RULES, TABLES, crowd
from playwright.sync_api import Browser, expect
from services import Served, await_, serving

EDGE = "x:text.s#a -> x:text.t#b"


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service over more of everything than a page lists."""
    folder = tmp_path_factory.mktemp("crowded")
    (folder / "governance.toml").write_text(RULES, encoding="utf-8")
    with serving(folder / "s", "--workers", "1", "--rules", str(folder / "governance.toml")) as served:
        messages = crowd()
        sent = served.send(*messages).json()["result"]
        assert sent["accepted"] == len(messages), [each for each in sent["receipts"] if each["status"] != "accepted"]
        await_(lambda: "notes" in served.get("/v1/search", params={"q": "x:fan.t"}).json())  # names follow
        edge = {"source": "x:wrong.s#c", "target": "x:wrong.t#c", "op": "reject", "at": BEGIN}
        assert served.client.post("/v1/edges", json=edge).status_code == 202
        yield served


@pytest.fixture
def seen(browser: Browser, crowded: Served) -> Iterator[Watched]:
    """A page of it; at the end it must have been clean."""
    with watching(browser, crowded.base) as page:
        yield page
        page.clean()


def test_a_search_says_how_many_names_it_leaves_out(seen: Watched) -> None:
    """Below the first 20 names are how many more match, and that not all names were compared; also in Chinese."""
    for lang, words in (
        ("en", ("further matches are left out", "than the 300 that")),
        ("zh", ("个匹配项未列出", "超过参与比较的 300 个")),
    ):
        seen.open(lang=lang)
        seen.page.get_by_role("combobox").fill("x:fan.t")
        notes = seen.page.locator(".search-list .completeness")
        expect(notes).to_have_count(2)
        for each in words:
            expect(seen.page.locator(".search-list")).to_contain_text(each)
        assert violations(seen.page) == []


def test_the_first_page_says_that_more_is_planned(seen: Watched) -> None:
    """Of 22 planned changes 20 are listed, and the list says that these are the first."""
    seen.open(lang="en")
    section = seen.page.locator("section[aria-labelledby=home-planned]")
    expect(section.locator("li")).to_have_count(20)
    expect(section.get_by_role("note")).to_contain_text("the first 20")
    seen.open(lang="zh")
    expect(section.get_by_role("note")).to_contain_text("前 20 项")


def test_a_node_says_what_of_its_readers_and_history_is_missing(seen: Watched) -> None:
    """A reader with 1,001 targets shows 20 and counts the others; a history made of edges says so."""
    seen.open("node", node=HUB, lang="en")
    readers = seen.page.locator("section[aria-labelledby=node-readers]")
    expect(readers.locator(".targets a")).to_have_count(20)
    expect(readers).to_contain_text(f"and {TABLES - 20} more datasets")
    history = seen.page.locator("section[aria-labelledby=node-history]")
    expect(history).to_contain_text("Columns that no edge names are missing")
    seen.open("node", node=HUB, lang="zh")
    expect(readers).to_contain_text(f"另有 {TABLES - 20} 个数据集")
    expect(history).to_contain_text("由边推得")


def test_completeness_counts_what_it_does_not_list(seen: Watched) -> None:
    """Unfolded, it lists 20 tasks, 20 ends and 5 reasons, each with how many more there are."""
    known = seen.page.locator(".g-foot details.completeness")
    for lang, words in (("en", ("and 1 more task", "and 1 more node")), ("zh", ("另有 1 个任务", "另有 1 个节点"))):
        seen.open("graph", node="x:gap.all#c", direction="up", lang=lang)
        known.locator("summary").click()
        for each in words:
            expect(known).to_contain_text(each)
    seen.open("graph", node="x:gap.seven", direction="up", level="table", lang="en")
    known.locator("summary").click()
    expect(known).to_contain_text("and 2 more")


def test_completeness_is_that_of_the_point_and_not_of_the_last_change_before(seen: Watched) -> None:
    """A task that becomes opaque moves no edge: lineage was called complete then, as at the change before it."""
    known = seen.page.locator(".g-foot .completeness")
    seen.open("graph", node="x:gap.all#c", direction="up", lang="en")
    expect(known).to_contain_text("21 tasks are only partly resolved")
    seen.page.get_by_role("button", name="Earlier change").click()
    expect(known).to_contain_text("Complete")
    seen.page.go_back()
    expect(known).to_contain_text("21 tasks are only partly resolved")


def test_edges_that_people_rejected_are_counted(seen: Watched) -> None:
    """Lineage without a rejected edge says that one is left out, though nothing is unresolved."""
    for lang, words in (("en", "Left out, as people rejected them: 1 edge"), ("zh", "已排除人工否定的 1 条边")):
        seen.open("graph", node="x:wrong.t#c", direction="up", lang=lang)
        expect(seen.page.locator(".g-foot .completeness.good")).to_have_count(1)
        expect(seen.page.locator(".g-foot")).to_contain_text(words)


def test_an_edge_says_what_of_its_text_and_messages_is_not_shown(seen: Watched) -> None:
    """The drawer says what it shows a part of: 21 expressions, the places of 21 edges in a text, eleven messages."""
    drawer = seen.page.locator(".g-drawer")
    for lang, words in (("en", "of 21 edges only the first 20"), ("zh", "共 21 条边，只查找前 20 条")):
        seen.open("graph", node="x:text.t#b", direction="up", edge=EDGE, at=BEGIN, lang=lang)
        expect(drawer.locator(".completeness")).to_contain_text(words)
        expect(drawer.locator("> .note")).to_contain_text("21")
        expect(drawer.locator(".g-expression")).to_have_count(5)
        assert violations(seen.page) == []
    seen.open("graph", node="x:same.t#c", direction="up", edge="x:same.s#c -> x:same.t#c", lang="en")
    expect(drawer.locator(".g-blame > li")).to_have_count(10)
    expect(drawer.get_by_role("note")).to_contain_text("Showing 10 of 11")


def test_a_difference_that_is_not_made_line_by_line_says_so(seen: Watched) -> None:
    """Two texts that differ over more than 2,000 lines: on the task's page, and in an edge's drawer."""
    for lang, words in (("en", "more than 2,000 lines, which are not compared"), ("zh", "超过 2,000 行，未逐行对比")):
        seen.open("task", task="texts", lang=lang)
        expect(seen.page.locator("section[aria-labelledby=task-view] .completeness")).to_contain_text(words)
        seen.open(
            "graph",
            node="x:text.t#b",
            direction="up",
            edge=EDGE,
            pins=f"{BEGIN},{LATER}",
            lang=lang,
        )
        expect(seen.page.locator(".g-drawer .completeness")).to_contain_text(words)


def test_impact_says_what_it_does_not_draw_or_assess(seen: Watched) -> None:
    """Datasets beyond the picture's 200 are counted, notes are shown, and a task without SQL is not taken silently."""
    for lang, again, undrawn, unread in (
        ("en", "another change scheduled", "Not drawn: ", "Not assessed, as it has no SQL: 1 task"),
        ("zh", "再次变更", "个数据集未绘制", "没有 SQL、未评估的任务：1 个"),
    ):
        seen.open("impact", namespace="x", lang=lang)
        page = seen.page
        tasks = page.locator(".candidate input")
        tasks.fill("hub")
        page.locator("textarea").fill("INSERT OVERWRITE TABLE fan.hub SELECT 1 AS other FROM fan.src")
        page.locator("form.impact button[type=button]").last.click()
        tasks.nth(1).fill("empty")
        page.locator("form.impact .primary").click()
        expect(page.locator(".verdict")).to_be_visible(timeout=60_000)
        main = page.locator("#main")
        for words in (again, undrawn, unread):
            expect(main).to_contain_text(words)


def test_impact_says_that_a_task_is_too_large_to_draw(seen: Watched) -> None:
    """Of more than 3,000 datasets there is no picture, and a sentence instead; the list has its edges."""
    seen.open("impact", namespace="x", lang="en")
    page = seen.page
    page.locator(".candidate input").fill("wide")
    page.locator("textarea").fill(
        "\n".join(f"INSERT INTO wide.t{place} (c) SELECT 1 AS c FROM wide.s{place};" for place in range(1_501))
    )
    page.locator("form.impact .primary").click()
    expect(page.locator(".verdict")).to_be_visible(timeout=60_000)
    main = page.locator("#main")
    expect(main).to_contain_text("or their datasets, are too many to draw")
    expect(main).not_to_contain_text("Internal")


def test_impact_says_that_it_takes_no_more_than_50_files(seen: Watched) -> None:
    """Of 51 dropped files the first 50 become candidates, and a sentence says that one did not."""
    seen.open("impact", lang="en")
    seen.page.evaluate(
        """() => { const given = new DataTransfer();
            for (let at = 0; at < 51; at++) given.items.add(new File(["SELECT 1"], `t${at}.sql`));
            document.querySelector("form.impact").dispatchEvent(
                new DragEvent("drop", {dataTransfer: given, bubbles: true, cancelable: true})); }"""
    )
    expect(seen.page.locator(".candidate")).to_have_count(50)
    expect(seen.page.get_by_role("note")).to_contain_text("Only the first 50 of 51 files")


def test_governance_says_that_its_lists_are_cut(seen: Watched) -> None:
    """Falls of levels and heat come as the first 1,000, and both lists say so; heat also of how many."""
    for lang, first, total in (("en", "the first 1,000", "Showing 1,000 of"), ("zh", "前 1,000 项", "显示 1,000 项")):
        seen.open("govern", view="labels", lang=lang)
        expect(seen.page.locator("section[aria-labelledby=falls]")).to_contain_text(first)
        seen.open("govern", view="worth", lang=lang)
        expect(seen.page.locator("section[aria-labelledby=heat]")).to_contain_text(total)


def test_a_root_cause_says_what_it_did_not_consider(seen: Watched) -> None:
    """Of 65 checks the nearest 64 count, of 41 edges of a suspect 40 are listed: the page shows both."""
    for lang, words, first in (
        ("en", "only the 64 nearest", "Showing 40 of 41"),
        ("zh", "只计最近的 64 个", "共 41 项，显示 40 项"),
    ):
        seen.open("govern", view="cause", node="x:check.t#c", lang=lang)
        expect(seen.page.locator(".completeness[role=note]")).to_contain_text(words)
        seen.page.locator(".suspects summary").click()
        expect(seen.page.locator(".suspects").get_by_role("note")).to_contain_text(first)
