"""Answers that come in parts because they are large: the pages show all parts, or how many are missing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from browsers import Watched, watching
from playwright.sync_api import Browser, expect
from services import Served, online, serving

#: Versions whose edges fill more than one page of the feed, which holds 16 MB.
VERSIONS = 9
LONG = "x" * 25_000
#: One more than the list of changes draws, and more than the list of a column's edges.
EDGES = 5_001
#: Each closes one record and opens two: together they are more than a page of the history.
UPDATES = 501
#: Their product is more groups than the service gives at once.
MIDDLE, LEAVES = 101, 100


def updated(number: int) -> dict[str, Any]:
    """Return one of many changes of the same edge."""
    moment = (datetime(2024, 1, 1, tzinfo=UTC) + timedelta(minutes=number)).isoformat()
    message = online("often", ("x:often.s#c", "x:often.t#c"), at=moment, event=str(number))
    message["edges"][0]["expression"] = f"c + c{number}"
    return message | {"op": "update"}


@pytest.fixture(scope="module")
def heavy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service over a column of very many edges, very many pairs of tables, and long expressions at the end."""
    with serving(tmp_path_factory.mktemp("heavy") / "s", "--workers", "1") as served:
        wide = online("wide", *((f"x:wide.s#c{n:04}", "x:wide.t#c") for n in range(EDGES)))
        roots = [("x:pair.root#c", f"x:pair.m{m}#c") for m in range(MIDDLE)]
        pairs = [(f"x:pair.m{m}#c", f"x:pair.t{t}#c") for m in range(MIDDLE) for t in range(LEAVES)]
        assert served.send(wide, online("pairs", *roots, *pairs)).json()["result"]["accepted"] == 2
        often = [updated(number) for number in range(UPDATES)]
        assert served.send(*often).json()["result"]["accepted"] == UPDATES
        for version in range(VERSIONS):
            message = online(f"long{version}", *((f"x:long.s#c{n}", f"x:long.t{version}#c") for n in range(100)))
            for edge in message["edges"]:
                edge["expression"] = LONG
            assert served.send(message).json()["result"]["accepted"] == 1
        yield served


@pytest.fixture
def seen(browser: Browser, heavy: Served) -> Iterator[Watched]:
    """A page of it; at the end it must have been clean."""
    with watching(browser, heavy.base) as page:
        yield page
        page.clean()


def test_the_feed_has_the_newest_of_large_versions(seen: Watched, heavy: Served) -> None:
    """Where versions fill more than a page of the service, the newest of them were missing without a word."""
    last = heavy.get("/v1/stats").json()["basis"]["version"]
    answer = heavy.get("/v1/changes", params={"after": last - 100, "limit": 100}).json()
    assert answer["next_after"] < last, "the versions fit into one page: this test shows nothing"
    seen.open("changes")
    expect(seen.page.locator(".events > li").first).to_contain_text(f"long{VERSIONS - 1}")
    expect(seen.page.locator(".events > li")).to_have_count(100)
    recent = seen.page.locator("section[aria-labelledby=home-recent]")
    for lang, words in (("en", "Newer changes are left out"), ("zh", "未列出较新的变更")):
        seen.open(lang=lang)
        expect(recent).to_contain_text(words)


@pytest.mark.parametrize(
    ("lang", "total", "first"),
    [("en", "Showing {} of {}", "the first 10,000"), ("zh", "共 {1} 项，显示 {0} 项", "前 10,000 项")],
)
def test_lists_beside_a_picture_say_where_they_end(seen: Watched, lang: str, total: str, first: str) -> None:
    """Edges of a column, changes between points, the history of an edge, and groups say that they are cut."""
    drawer = seen.page.locator(".g-drawer")
    seen.open("graph", node="x:wide.t#c", direction="up", lock="x:wide.t#c", lang=lang)
    drawer.locator(".g-ends button.quiet").first.click()
    expect(drawer.get_by_role("note")).to_contain_text(total.format("2,000", "5,001"))
    seen.open("graph", node="x:wide.t#c", direction="up", pins="2023-01-01T00:00:00Z,2025-01-01T00:00:00Z", lang=lang)
    drawer.locator("> button.quiet").click()
    expect(drawer.get_by_role("note")).to_contain_text(total.format("5,000", "5,001"))
    seen.open("graph", node="x:often.t#c", direction="up", edge="x:often.s#c -> x:often.t#c", lang=lang)
    expect(drawer.get_by_role("note")).to_contain_text(first.replace("10,000", "1,000"))
    seen.open("graph", node="x:pair.root#c", direction="down", view="groups", by="dataset", lang=lang)
    expect(seen.page.locator(".g-table").get_by_role("note")).to_contain_text(first, timeout=60_000)
