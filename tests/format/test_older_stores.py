"""Stores that older commits wrote open, answer and check as they did; ``scripts/make-old-store`` makes them."""

from __future__ import annotations

import gzip
import json
import tarfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from answers import answers, edges_at

from ingest.messages.native import parse_message
from lineage_tt import Store
from lineage_tt.maintenance.check import check

HERE = Path(__file__).parent
#: The commits whose stores are kept.
COMMITS = sorted(path.name.removesuffix(".tar.gz") for path in HERE.glob("*.tar.gz"))
#: Bytes of a store with its answers.
MAX_BYTES = 300_000


@pytest.fixture(params=COMMITS)
def commit(request: pytest.FixtureRequest) -> str:
    """A commit whose store is kept."""
    return str(request.param)


@pytest.fixture
def folder(commit: str, tmp_path: Path) -> Path:
    """A copy of its store."""
    with tarfile.open(HERE / f"{commit}.tar.gz") as packed:
        packed.extraction_filter = getattr(tarfile, "data_filter", None)  # Python before 3.11.4 has none
        packed.extractall(tmp_path / "store")
    return tmp_path / "store"


def noted(commit: str) -> dict[str, Any]:
    """Return what the commit's own code answered."""
    document: dict[str, Any] = json.loads(gzip.decompress((HERE / f"{commit}.json.gz").read_bytes()))
    return document


def now(store: Store) -> dict[str, Any]:
    """Return what this code answers, with lists in place of tuples."""
    document: dict[str, Any] = json.loads(json.dumps(answers(store)))
    return document


def test_a_store_is_kept() -> None:
    """There is at least one older store, and its files are small."""
    sizes = {commit: sum(path.stat().st_size for path in HERE.glob(f"{commit}.*")) for commit in COMMITS}

    assert sizes
    assert [commit for commit, size in sizes.items() if size > MAX_BYTES] == []


def test_an_older_store_answers_as_it_did(commit: str, folder: Path) -> None:
    """Changes, edges, columns, facts and lineage at points of both axes are those that the commit answered."""
    then = noted(commit)

    assert then["changes"]
    assert then["edges"]
    assert any(steps for _, steps in then["upstream"])
    assert now(Store.open(folder)) == then


def test_an_older_store_is_sound(folder: Path) -> None:
    """``check`` finds nothing wrong in its log and its snapshot."""
    assert check(folder) == []


def test_an_older_store_is_written_on(commit: str, folder: Path) -> None:
    """Messages that it has are duplicates, a new one gets the next version, and the past stays as it was."""
    then = noted(commit)
    store = Store.open(folder)
    lines = files("lineage_tt.sample").joinpath("retail.jsonl").read_bytes().splitlines()
    known = {entry[2] for entry in then["changes"]}
    sent = [parse_message(line) for line in lines[:20] if json.loads(line)["task_id"] in known]

    receipts = store.append(sent)
    fresh = store.append([parse_message(json.dumps(NEW).encode())])

    assert sent
    assert {receipt.status for receipt in receipts} == {"duplicate"}
    assert [(receipt.version, receipt.status) for receipt in fresh] == [(then["version"] + 1, "accepted")]
    assert [[at, version, edges_at(store, at, version)] for at, version, _ in then["edges"]] == then["edges"]
    assert check(folder) == []


NEW = {
    "event_id": "new-1", "task_id": "new", "op": "online", "effective_at": "2026-11-01T00:00:00Z",
    "edges": [{"source": "hive:ods.orders#amt", "target": "hive:new.orders#amt"}],
}  # fmt: skip
