"""Fuzzed messages by file: each is accepted or one dead letter, and its neighbours come in."""

from __future__ import annotations

from pathlib import Path

import fuzzed
import pytest

from ingest.pipeline import Ingester
from lineage_tt import Store


@pytest.mark.timeout(fuzzed.SECONDS)
def test_in_a_file(tmp_path: Path) -> None:
    """Read, placed and committed in batches, as `lineage-tt ingest` does."""
    given = fuzzed.lines()
    (tmp_path / "f.jsonl").write_bytes(b"\n".join(given))
    with Ingester(Store.create(tmp_path / "s"), workers=2) as ingester:
        summary = ingester.ingest_file(str(tmp_path / "f.jsonl"))

    fuzzed.assert_counts(summary.received, summary.accepted, summary.rejected, summary.duplicates, given)
    fuzzed.assert_each_is_accounted_for(tmp_path / "s", given)
