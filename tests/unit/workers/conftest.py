"""All tests of workers start real ones."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="package", autouse=True)
def _started(started_workers: None) -> None:
    """None of them is forked."""
