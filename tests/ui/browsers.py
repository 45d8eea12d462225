"""A real Chromium that looks at the pages, and notes what no page may do: errors, and requests to other origins."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode, urlsplit

from needs import lacking
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome")
WIDTH, HEIGHT = 1280, 800


class Watched(NamedTuple):
    """A page of a service, and what it did that it must not do."""

    base: str
    page: Page
    errors: list[str]
    foreign: list[str]

    def open(self, name: str = "", **state: str) -> None:
        """Go to a page in a state, and wait until nothing more is asked of the service."""
        asked = ({"page": name} if name else {}) | state
        self.page.goto(f"{self.base}/?{urlencode(asked)}")
        self.settle()

    def settle(self) -> None:
        """Wait until the page has what it asked for."""
        self.page.wait_for_selector("#main h1")
        self.page.wait_for_load_state("networkidle")
        self.page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")

    def clean(self) -> None:
        """Check that the page raised no error and asked no other origin."""
        assert self.errors == []
        assert self.foreign == []


@contextmanager
def chromium() -> Iterator[Browser]:
    """Give Debian's Chromium, without a window."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        lacking("there is no Chromium: apt-get install chromium")
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=found, args=["--no-sandbox", "--force-color-profile=srgb"])
        yield browser
        browser.close()


@contextmanager
def watching(browser: Browser, base: str, **options: Any) -> Iterator[Watched]:
    """Give a page of its own profile; options are those of a browser context (color_scheme, locale, …)."""
    given = {
        "viewport": {"width": WIDTH, "height": HEIGHT}, "locale": "en-US", "timezone_id": "UTC",
        "reduced_motion": "reduce",
    }  # fmt: skip
    context = browser.new_context(**(given | options))
    page = context.new_page()
    watched = Watched(base, page, [], [])
    page.on("pageerror", lambda error: watched.errors.append(str(error)))
    page.on("console", lambda said: watched.errors.append(said.text) if said.type == "error" else None)
    page.on("request", lambda asked: None if _own(asked.url, base) else watched.foreign.append(asked.url))
    try:
        yield watched
    finally:
        context.close()


def _own(url: str, base: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("data", "blob") or f"{parts.scheme}://{parts.netloc}" == base


@functools.cache
def axe() -> str:
    """The source of axe-core, fetched into .cache once."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "ui-tools"), "axe-core"], capture_output=True, text=True, timeout=120
    )
    if done.returncode:
        lacking(f"axe-core is not there, and could not be fetched: {done.stderr.strip()[-200:]}")
    return (Path(done.stdout.strip()) / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Page) -> list[str]:
    """What axe-core finds on a page as it is: the rule and the first places, none where all is well."""
    page.evaluate(axe())  # not as a script of the page: its Content-Security-Policy would refuse it, as it must
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{each['id']}: {each['help']}: {[node['target'] for node in each['nodes'][:3]]}"
        for each in found["violations"]
    ]
