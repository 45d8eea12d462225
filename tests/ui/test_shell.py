"""The pages in a real browser: nothing from elsewhere, no error, a cookie that no script reads, no axe violation."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from browsers import Watched, violations, violations_in_both_themes, watching
from playwright.sync_api import Browser
from services import Served, online, serving

from lineage_tt import ui

FOLDER = Path(ui.__file__).parent
TOKEN = "canary-browser-token"
BOARD = "bi:board/42#revenue"
#: Every page, in a state that shows something of the sample.
PAGES = {
    "home": {},
    "node": {"node": "hive:dws.sales_daily", "at": "2026-05-01T00:00:00Z"},
    "task": {"task": "dws_sales_daily", "at": "2026-05-01T00:00:00Z"},
    "changes": {},
    "impact": {},
    "govern": {},
    "health": {},
    "graph": {"node": BOARD, "direction": "up", "at": "2026-05-01T00:00:00Z"},
}


def there() -> list[str]:
    """The pages that the router leads to."""
    return sorted(set(PAGES) & {path.stem for path in (FOLDER / "app" / "pages").glob("*.js")})


def test_every_page_of_the_router_is_tested() -> None:
    """A page that main.js leads to is in the table here, and its module is there."""
    named = set(re.findall(r'import\("\./pages/(\w+)\.js"\)', (FOLDER / "app" / "main.js").read_text(encoding="utf-8")))

    assert named == set(PAGES)
    assert there() == sorted(PAGES)


@pytest.mark.parametrize("name", there())
def test_a_page_asks_nobody_else_raises_nothing_and_is_for_everybody(watched: Watched, name: str) -> None:
    """Each page shows its heading, from this origin alone, without an error; axe-core finds nothing in either theme."""
    watched.open(name, **PAGES[name])

    assert watched.page.locator("#main h1").first.inner_text().strip()
    assert watched.page.locator("[style]:not(html)").evaluate_all(
        "all => all.filter(each => each.getAttribute('style').includes('url(')).length"
    ) == 0  # fmt: skip
    watched.clean()
    assert violations_in_both_themes(watched.page) == []


def test_axe_finds_what_is_wrong(watched: Watched) -> None:
    """The check itself works: an image without a text is found, and a colour that is too pale in one theme alone."""
    watched.open()
    watched.page.evaluate(
        """() => { const pale = document.createElement("p"); pale.id = "pale"; pale.textContent = "pale";
            document.querySelector("main").append(document.createElement("img"), pale);
            const rules = new CSSStyleSheet();
            rules.replaceSync("@media (prefers-color-scheme: dark) { #pale { color: #222; background: #111; } }");
            document.adoptedStyleSheets.push(rules); }"""
    )

    light, dark = violations(watched.page), violations_in_both_themes(watched.page)
    assert any(found.startswith("image-alt") for found in light)
    assert not any("#pale" in found for found in light)
    assert any(found.startswith("color-contrast") and "#pale" in found for found in dark)


def test_inline_scripts_do_not_run(watched: Watched) -> None:
    """The Content-Security-Policy refuses what somebody might get into a page: a script, an event's attribute."""
    watched.open()
    watched.page.evaluate(
        """() => { const script = document.createElement("script"); script.textContent = "window.bad = 1";
            document.body.append(script); const link = document.createElement("a");
            link.setAttribute("onclick", "window.bad = 2"); document.body.append(link); link.click(); }"""
    )

    assert watched.page.evaluate("() => window.bad") is None
    assert any("Content Security Policy" in error for error in watched.errors)
    watched.errors.clear()


def test_signing_in_gives_a_cookie_that_no_script_reads(browser: Browser, tmp_path: Path) -> None:
    """Without the token there is a form and no data; with it the pages work, and the token is nowhere in the page."""
    with (
        serving(tmp_path / "s", "--no-graph", "--workers", "1", token=TOKEN, LINEAGE_TT_TOKEN=TOKEN) as served,
        watching(browser, served.base) as watched,
    ):
        page = watched.page
        page.goto(f"{served.base}/")
        field = page.locator("input[type=password]")
        field.fill("wrong")
        field.press("Enter")
        page.get_by_role("alert").first.wait_for()
        field.fill(TOKEN)
        field.press("Enter")
        field.wait_for(state="detached")
        watched.settle()
        (cookie,) = page.context.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
        assert page.evaluate("() => document.cookie") == ""
        assert TOKEN not in page.evaluate("() => JSON.stringify([localStorage, sessionStorage, location.href])")
        assert page.request.get(f"{served.base}/v1/stats").status == 200
        assert watched.foreign == []


def test_english_and_chinese_say_the_same_keys() -> None:
    """Every text is there in both languages, with the same values to fill in; a note also as the service writes it."""
    texts = json.loads((FOLDER / "app" / "texts.json").read_text(encoding="utf-8"))
    assert len(texts) > 50
    lacking = [key for key, text in texts.items() if set(text) - {"of"} != {"en", "zh"} or not all(text.values())]
    lacking += [key for key, text in texts.items() if "of" in text and not key.startswith("note.")]
    differing = [key for key, text in texts.items() if _values(text.get("en", "")) != _values(text.get("zh", ""))]

    half = [key for key, text in texts.items() if re.search("[\u4e00-\u9fff][,:;?!]", text["zh"])]

    assert lacking == []
    assert differing == []
    assert half == []  # Chinese has its own commas and colons


def _values(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)", text))


def test_every_key_that_the_pages_use_has_a_text() -> None:
    """What t("…") names is in the file."""
    texts = json.loads((FOLDER / "app" / "texts.json").read_text(encoding="utf-8"))
    used = {
        key
        for path in (FOLDER / "app").rglob("*.js")
        for key in re.findall(r"""\bt\(\s*["']([\w.-]+)["']""", path.read_text(encoding="utf-8"))
    }

    assert len(used) > 50
    assert sorted(used - set(texts)) == []


def test_a_page_in_chinese_is_in_chinese(watched: Watched) -> None:
    """The language of the address is that of the page, and of its markup."""
    watched.open(lang="zh")

    assert watched.page.evaluate("() => document.documentElement.lang").startswith("zh")
    assert re.search(r"[\u4e00-\u9fff]", watched.page.locator("#main").inner_text())


def test_back_leads_back(watched: Watched) -> None:
    """Every state is an address: back shows the page before, with what it showed."""
    watched.open("node", **PAGES["node"])
    before = (watched.page.url, watched.page.locator("h1").first.inner_text())
    watched.open("health")
    watched.page.go_back()
    watched.settle()

    assert (watched.page.url, watched.page.locator("h1").first.inner_text()) == before


def test_hostile_names_are_text(browser: Browser, writable: Served) -> None:
    """A table named like markup is shown as its letters, on every page; nothing of it runs."""
    evil = "hive:dw.<img src=x onerror=window.bad=1>"
    sent = writable.send(online("<script>window.bad=2</script>", (f"{evil}#<b>c", "hive:dw.t#x"))).json()["result"]
    assert sent["accepted"] == 1, sent
    with watching(browser, writable.base) as watched:
        for name, state in (
            ("home", {}),
            ("node", {"node": evil}),
            ("task", {"task": "<script>window.bad=2</script>"}),
            ("changes", {}),
            ("graph", {"node": evil}),
        ):
            watched.open(name, **state)
            assert watched.page.evaluate("() => window.bad") is None
            assert watched.page.locator("#main img[src='x']").count() == 0
        assert "<img src=x" in watched.page.locator("#main").inner_text()
        watched.clean()
