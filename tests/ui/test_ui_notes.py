"""Notes of the service are on the page that asked, in the viewer's language; so is what the store no longer keeps."""

from __future__ import annotations

import ast
import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsers import Watched, violations, watching
from playwright.sync_api import Browser, expect
from services import Served, online, serving

import lineage_tt
from lineage_tt import Store, ui
from lineage_tt.log.log import Log
from lineage_tt.log.retention import Horizon
from lineage_tt.log.rewriting.rewrite import replace
from lineage_tt.testing import ManualClock, task_change

CODE = Path(lineage_tt.__file__).parent
TEXTS = Path(ui.__file__).parent / "app" / "texts.json"
NOON = 1_714_564_800_000_000
BEFORE_ALL = "2020-01-01T00:00:00Z"
MONDAY = "2026-07-06T08:00:00Z"
NOTE = ".completeness[role=note]"


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service over eight versions of a task, which keeps what was believed since version 6."""
    store = Store.create(tmp_path_factory.mktemp("short") / "s", clock=ManualClock(NOON))
    for number in range(8):
        edges = [("n:a#x", "n:b#x"), (f"n:a#c{number}", "n:b#x")]
        store.append([task_change("t", "update", NOON + number, edges, event_id=f"e{number}")])
    replace(Log.open(store.log_path), [], Horizon(6, store.log()[5].system_time))
    with serving(Path(str(store.log_path.parent)), "--read-only") as served:
        yield served


@functools.cache
def words_of_the_service() -> tuple[str, ...]:
    """All constant texts of the package: those that notes are made of are among them."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in CODE.rglob("*.py"))
    nodes = (node for tree in trees for node in ast.walk(tree))
    return tuple(node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


def test_every_translated_note_is_one_that_the_service_writes() -> None:
    """A note whose words change in the service loses its translation: the pages' texts must follow."""
    texts = json.loads(TEXTS.read_text(encoding="utf-8"))
    notes = {key: text.get("of", text["en"]) for key, text in texts.items() if key.startswith("note.")}
    assert len(notes) > 20
    for key, note in notes.items():
        for part in filter(str.strip, re.split(r"\{\w+\}|(?<=:) |(?<=;) ", note)):
            assert any(part.strip(" :;") in each for each in words_of_the_service()), f"{key}: {part!r}"


@pytest.mark.parametrize(("view", "notes"), [("labels", 4), ("rules", 2), ("worth", 2), ("quality", 1)])
def test_governance_says_why_it_shows_nothing(browser: Browser, july: Served, view: str, notes: int) -> None:
    """Before the first message each answer has the note that says so, in both languages."""
    with watching(browser, july.base) as watched:
        for lang, words in (("en", "the store holds nothing at this point"), ("zh", "该时间点没有数据")):
            watched.open("govern", view=view, at=BEFORE_ALL, lang=lang)
            watched.page.wait_for_selector(".page-govern .answer[aria-busy=false]")
            expect(watched.page.locator(NOTE).first).to_contain_text(words)
            assert watched.page.locator(NOTE).count() >= notes
            assert violations(watched.page) == []
        left = [each for each in watched.page.locator(NOTE).all_inner_texts() if re.search(r"\b(the|is|are)\b", each)]
        assert left == []
        watched.clean()


def test_every_answer_about_promises_says_how_complete_it_is(browser: Browser, july: Served) -> None:
    """The list of promises, a chain and a delay each have their line, and so has the critical path of a graph."""
    with watching(browser, july.base) as watched:
        watched.open("govern", view="core", at=MONDAY, node="bi:board/42", task="dwd_payments", by="2h")
        expect(watched.page.locator("section .completeness")).to_have_count(3)
        watched.open("graph", node="bi:board/42", at=MONDAY, direction="down", level="table", critical="1")
        expect(watched.page.locator(".g-foot .completeness")).to_have_count(2)
        watched.clean()


def test_falls_of_levels_say_how_complete_they_are(browser: Browser, july: Served) -> None:
    """Both lists of the page of labels have their line, as both answers have completeness."""
    with watching(browser, july.base) as watched:
        watched.open("govern", view="labels", at=MONDAY)
        for name in ("all", "falls"):
            expect(watched.page.locator(f"section[aria-labelledby={name}] .completeness").first).to_be_visible()
        watched.clean()


def test_a_subscription_that_sees_nothing_says_so(browser: Browser, writable: Served) -> None:
    """A pattern that matches no dataset is kept, with the note that it matches none; taking it back clears the note."""
    assert writable.send(online("seen", ("x:seen.s#c", "x:seen.t#c"))).json()["result"]["accepted"] == 1
    with watching(browser, writable.base) as watched:
        for lang, words in (("en", "no dataset that is known matches"), ("zh", "目前没有已知的数据集与")):
            watched.open("changes", lang=lang)
            section = watched.page.locator("section[aria-labelledby=subscriptions]")
            section.locator("input[name=name]").fill("unseen")
            section.locator("input[name=datasets]").fill("x:unseen.*")
            section.locator("form button").click()
            expect(section.locator(NOTE)).to_contain_text(words)
            section.locator("li", has_text="x:unseen.*").get_by_role("button").click()
            expect(section.locator(NOTE)).to_have_count(0)
        watched.clean()


def test_what_the_store_no_longer_keeps_is_shown(browser: Browser, short: Served) -> None:
    """A task's versions and an edge's history name the version up to which what had ended is gone."""
    with watching(browser, short.base) as watched:
        for lang, words in (("en", "What ended by version 6 is no longer kept"), ("zh", "版本 6 及之前已失效")):
            watched.open("task", task="t", lang=lang)
            expect(watched.page.locator("section[aria-labelledby=task-versions]")).to_contain_text(words)
            watched.open("graph", node="n:b#x", direction="up", edge="n:a#x -> n:b#x", lang=lang)
            expect(watched.page.locator(".g-drawer")).to_contain_text(words)
        watched.clean()


def translated(watched: Watched, note: str) -> str:
    """A note as a page shows it."""
    shown = watched.page.evaluate("note => import('/ui/app/texts.js').then((m) => m.translated(note))", note)
    assert isinstance(shown, str)
    return shown


def test_an_unknown_note_is_shown_as_it_is(browser: Browser, as_written: Served) -> None:
    """A sentence that no text translates, and one with other values, lose nothing."""
    with watching(browser, as_written.base) as watched:
        watched.open(lang="zh")
        assert translated(watched, "something that is new (and has signs: $& [1])") == (
            "something that is new (and has signs: $& [1])"
        )
        assert translated(watched, "$& [1] will read a:b#c from 2026-01-01 on") == "$& [1] 将自 2026-01-01 起读取 a:b#c"
        watched.clean()
