"""Services over the sample store, started once: one with its graph, one that answers from the files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from services import Served, serving

import lineage_tt.sample
from ingest.pipeline import Ingester
from lineage_tt import Store


@pytest.fixture(scope="session")
def sample_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the retail sample; nobody writes to it."""
    folder = tmp_path_factory.mktemp("api") / "retail"
    with Ingester(Store.create(folder), workers=1) as ingester:
        ingester.ingest_file(str(Path(lineage_tt.sample.__file__).parent / "retail.jsonl"))
    return folder


@pytest.fixture(scope="session")
def sample(sample_store: Path) -> Iterator[Served]:
    """A service over the sample that answers from its graph."""
    with serving(sample_store, "--read-only") as served:
        assert served.get("/v1/stats").json()["result"]["engine"] == "graph"
        yield served


@pytest.fixture(scope="session")
def sample_files(sample_store: Path) -> Iterator[Served]:
    """A service over the sample that answers from the files."""
    with serving(sample_store, "--read-only", "--no-graph") as served:
        assert served.get("/v1/stats").json()["result"]["engine"] == "files"
        yield served


@pytest.fixture(scope="module")
def taking_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the messages to ``taking`` are kept."""
    return tmp_path_factory.mktemp("taking") / "store"


@pytest.fixture(scope="module")
def taking(taking_store: Path) -> Iterator[Served]:
    """A service that takes messages, for the tests of one file: each writes under names of its own."""
    with serving(taking_store, "--workers", "1", "--no-graph") as served:
        yield served


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A service over a new store, which takes messages and answers from the files: it starts sooner."""
    with serving(tmp_path / "store", "--workers", "1", "--no-graph") as served:
        yield served
