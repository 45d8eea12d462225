"""The pages over the sample: a service in its own process, one Chromium for all tests of a process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsers import ROOT, Watched, chromium, watching
from playwright.sync_api import Browser
from services import Served, serving

from ingest.pipeline import Ingester
from lineage_tt import Store, sample
from lineage_tt.ui.files import OTHER


@pytest.fixture(scope="session")
def packed_pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages as a wheel has them; services that a test starts itself give the modules as they are written."""
    folder = tmp_path_factory.mktemp("pages")
    subprocess.run([sys.executable, "scripts/pack-ui", str(folder)], check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    return folder


@pytest.fixture(scope="session")
def retail(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the retail sample, each message known since the platform recorded it."""
    folder = tmp_path_factory.mktemp("ui") / "retail"
    with Ingester(Store.create(folder), workers=1, system_times="recorded_at") as ingester:
        ingester.ingest_file(str(sample.messages()))
    return folder


@pytest.fixture(scope="session")
def service(retail: Path, packed_pages: Path) -> Iterator[Served]:
    """The sample, served for reading."""
    with serving(retail, "--read-only", "--workers", "1", **{OTHER: str(packed_pages)}) as served:
        yield served


@pytest.fixture(scope="session")
def july(tmp_path_factory: pytest.TempPathFactory, packed_pages: Path) -> Iterator[Served]:
    """The sample with its messages of July, under its rules."""
    folder = tmp_path_factory.mktemp("govern") / "s"
    with Ingester(Store.create(folder), workers=1, system_times="recorded_at") as ingester:
        ingester.ingest_file(str(sample.messages()))
        ingester.ingest_file(str(sample.governance_messages()))
    rules = str(sample.governance_rules())
    with serving(folder, "--read-only", "--workers", "1", "--rules", rules, **{OTHER: str(packed_pages)}) as served:
        yield served


@pytest.fixture(scope="session")
def writable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service that takes messages: each test writes tasks and tables of its own."""
    with serving(tmp_path_factory.mktemp("writable") / "s", "--workers", "1") as served:
        yield served


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium."""
    with chromium() as opened:
        yield opened


@pytest.fixture
def watched(browser: Browser, service: Served) -> Iterator[Watched]:
    """A page of the sample; at the end it must have been clean."""
    with watching(browser, service.base) as page:
        yield page
        page.clean()


@pytest.fixture(scope="session")
def as_written(retail: Path) -> Iterator[Served]:
    """The sample, with the pages' modules as they are written."""
    with serving(retail, "--read-only", "--workers", "1") as served:
        yield served
