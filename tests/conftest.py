"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from needs import lacking


def find_shared() -> Path | None:
    """Return the folder of shared material beside the checkout, None in a user's clone."""
    given = os.environ.get("LINEAGE_TT_SHARED")
    path = Path(given) if given else Path(__file__).resolve().parents[2] / "shared"
    return path if (path / "data").is_dir() else None


#: Folders of tests that start brokers, services, clusters and object stores: a machine that is busy with something else
#: makes one of them late now and then, so what fails is run once more, and the report counts it.
REAL_SYSTEMS = ("api", "impact", "kafka", "objects", "spark")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let tests against real systems be run once more."""
    for item in items:
        if item.path.parent.name in REAL_SYSTEMS:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The shared material; skips in a clone that has none, fails where CI=true."""
    path = find_shared()
    if path is None:
        lacking("../shared (or $LINEAGE_TT_SHARED) is not there: this test needs the project's shared data")
    return path
