"""The benchmark of the feed runs, and prints what it promises; how fast anything is, no test can say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from brokers import need_broker

ROOT = Path(__file__).resolve().parents[2]
KEYS = {
    "end_to_end_ms_p50", "end_to_end_ms_p99", "sustained_messages_per_s", "burst_drained_s", "closure_ms_per_change",
    "replica_changes_per_s",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_benchmark_of_the_feed_prints_its_keys(shared_dir: Path, tmp_path: Path) -> None:
    """With a short load and a small burst every key has a figure, and each is explained."""
    need_broker()
    command = [sys.executable, str(ROOT / "scripts" / "bench"), "feed", "--json"]
    command += ["--tasks", "60", "--seconds", "1", "--burst", "300"]
    environment = os.environ | {"LINEAGE_TT_SHARED": str(shared_dir), "LINEAGE_TT_BENCH_DIR": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, timeout=560, env=environment, cwd=tmp_path)

    assert done.returncode == 0, done.stderr.decode()
    document = json.loads(done.stdout)
    assert KEYS - document.keys() == set()
    assert all(document[key] > 0 for key in KEYS)
    page = (ROOT / "docs" / "reference" / "benchmarks.md").read_text(encoding="utf-8")
    assert [key for key in KEYS if f"`{key}`" not in page] == []
