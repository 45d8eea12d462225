"""The store of the tests in which data files are removed."""

from __future__ import annotations

from pathlib import Path

import pytest
from purges import two_files

from lineage_tt import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store of two data files, both with texts."""
    return two_files(tmp_path)
