"""Fixtures of the tests of impact: a store, and a folder beside it for what changes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from calling import CONTEXT
from releases import analyst, platform


@pytest.fixture(scope="session", autouse=True)
def _analyst() -> Iterator[None]:
    """Close the analyst of all releases at the end, where there was one."""
    yield
    if analyst.cache_info().currsize:
        analyst().close()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store in it."""
    folder = tmp_path_factory.mktemp("place")
    platform(folder / "store")
    return folder


@pytest.fixture
def work(place: Path, request: pytest.FixtureRequest) -> Path:
    """An empty folder beside the store, with an impact.toml that says how texts are read."""
    name = request.node.name.replace("[", "_").replace("]", "").replace("/", "_")
    folder = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=place))  # of its own where a test is run again
    (folder / "impact.toml").write_text(CONTEXT)
    return folder
