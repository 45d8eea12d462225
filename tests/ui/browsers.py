"""A real Chromium that looks at the pages, and notes what no page may do: errors, and requests to other origins."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode, urlsplit

from needs import lacking
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright
from rounds import SHARE

ROOT = Path(__file__).resolve().parents[2]
#: The browser without its windows takes half of the processor time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
SIZE: Final[ViewportSize] = {"width": 1280, "height": 800}
USUAL: Final[dict[str, Any]] = {"viewport": SIZE, "locale": "en-US", "timezone_id": "UTC", "reduced_motion": "reduce"}
#: Options that a tab takes, too.
_OF_TABS: Final = {"viewport"}


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
        lacking("there is no Chromium: apt-get install chromium-headless-shell")
    flags = ["--no-sandbox", "--force-color-profile=srgb", "--process-per-site"]
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=found, args=flags)
        keeper = browser.new_context(**USUAL).new_page()
        keeper.route("**", lambda asked: asked.fulfill(body=""))
        keeper.goto("http://127.0.0.1/")  # while it is there, the process of all pages of this site is
        yield browser
        browser.close()


@contextmanager
def watching(browser: Browser, base: str, **options: Any) -> Iterator[Watched]:
    """Give a page that knows nothing of those before it; options are those of a browser context (locale, …).

    Half of what a page costs is the start of its process. Pages of the usual profile are tabs of one, whose cookies,
    storage, permissions and cache are emptied first; options that a tab cannot take make a profile of their own.
    """
    own = None if options.keys() <= _OF_TABS else browser.new_context(**(USUAL | options))
    page = (own or _emptied(browser, base)).new_page()
    if own is None:
        page.set_viewport_size(options.get("viewport", SIZE))
    watched = Watched(base, page, [], [])
    page.on("pageerror", lambda error: watched.errors.append(str(error)))
    page.on("console", lambda said: watched.errors.append(said.text) if said.type == "error" else None)
    page.on("request", lambda asked: None if _own(asked.url, base) else watched.foreign.append(asked.url))
    try:
        yield watched
    finally:
        page.close()
        if own is not None:
            own.close()


def _emptied(browser: Browser, base: str) -> BrowserContext:
    context = browser.contexts[0]
    session = context.new_cdp_session(context.pages[0])
    session.send("Storage.clearDataForOrigin", {"origin": base, "storageTypes": "all"})
    session.send("Network.clearBrowserCache")  # a port may be that of a service before
    session.detach()
    context.clear_cookies()
    context.clear_permissions()
    return context


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


def violations(page: Page, *, colours_alone: bool = False) -> list[str]:
    """What axe-core finds on a page as it is: the rule and the first places, none where all is well."""
    page.evaluate(axe())  # not as a script of the page: its Content-Security-Policy would refuse it, as it must
    # the enhanced contrast is not a rule of a whole run either
    rules = {"runOnly": ["cat.color"], "rules": {"color-contrast-enhanced": {"enabled": False}}}
    found = page.evaluate(
        "rules => axe.run(document, {resultTypes: ['violations'], ...rules})", rules if colours_alone else {}
    )
    return [
        f"{each['id']}: {each['help']}: {[node['target'] for node in each['nodes'][:3]]}"
        for each in found["violations"]
    ]


def violations_in_both_themes(page: Page) -> list[str]:
    """What axe-core finds in both themes; in the dark one, short of the long form, by the rules about colours alone."""
    page.emulate_media(color_scheme="light")
    light = violations(page)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("() => matchMedia('(prefers-color-scheme: dark)').matches")
    return light + violations(page, colours_alone=SHARE < 1)
