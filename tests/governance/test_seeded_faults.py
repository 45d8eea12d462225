"""Faults seeded into the sample's texts: a value is really wrong in DuckDB, and the fault is among the suspects.

The long form, with the real stream and beside plainer rules, is ``scripts/verify-root-cause``.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))

from verify_lib.seeding.epochs import Lineage, epoch_at
from verify_lib.seeding.experiment import DAYS, drawn, judged
from verify_lib.seeding.platform import Platform, sample_messages

from ingest.pipeline import Ingester
from ingest.resolve.comparing import SqlAnalyst
from lineage_tt import Store
from lineage_tt.impact.causes import comparing
from lineage_tt.model.times import parse_instant
from lineage_tt.sample import messages

SEED = 5
FAULTS = 6


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_seeded_faults_are_found_among_harmless_changes(tmp_path: Path) -> None:
    """Every fault is among the suspects, most among the first three, and more are first than by the latest change."""
    print(f"seed {SEED}")
    store = Store.create(tmp_path / "all")
    with Ingester(store, system_times="recorded_at") as ingester:
        ingester.ingest_file(str(messages()))
    platform = Platform("sample", sample_messages())
    at = parse_instant("2026-05-20T00:00:00Z")
    epoch = epoch_at(platform, Lineage(store), at, 30 * DAYS, SEED)
    draw = random.Random(SEED)
    changes: list[Any] = []
    with SqlAnalyst(1) as analyst:
        while len(changes) < FAULTS:
            case = drawn(epoch, draw)
            if case is not None:
                place = tmp_path / f"case-{len(changes)}"
                result = judged(epoch, case, place, analyst, comparing(analyst))
                assert result is not None, "the sample declares everything, so its columns are known"
                changes.append(result)

    assert len(epoch.house.tasks) >= 25
    assert all(each.read and each.suspects > 1 for each in changes)
    assert sum(each.read <= 3 for each in changes) >= FAULTS - 2
    assert sum(each.read == 1 for each in changes) > sum(each.latest == 1 for each in changes)
