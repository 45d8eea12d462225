"""A store with some commits, for tests of the log; ``conftest`` takes the fixtures."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lineage_tt import Store, TaskChange
from lineage_tt.model.messages import SourcePosition
from lineage_tt.testing import ManualClock, task_change

NOON = "2024-05-01T12:00:00Z"


def fill(folder: Path, commits: int) -> Store:
    """A store with so many commits of one message each, made the same each time but for the writers' names."""
    store = Store.create(folder, clock=ManualClock())
    for number in range(store.version, commits):
        store.append([message(number)], positions=[SourcePosition("file", number, "d")])
    return store


def message(number: int) -> TaskChange:
    """A message of its own."""
    return task_change(f"t{number}", "online", NOON, [(f"n:a#c{number}", "n:b#x")])


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with five commits, to be copied."""
    folder = tmp_path_factory.mktemp("template") / "lineage"
    fill(folder, 5)
    return folder


@pytest.fixture
def folder(template: Path, tmp_path: Path) -> Path:
    """A copy of the store with five commits."""
    return shutil.copytree(template, tmp_path / "lineage")
