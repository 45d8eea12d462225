"""The benchmark of governance runs on a history cut down, agrees with its peers, and prints what it promises."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: The keys that are an interface: docs/reference/benchmarks.md.
KEYS = {
    "labels_all_s", "labels_diff_day_ms", "labels_spread_s", "labels_vs_networkx", "labels_vs_duckdb",
    "labels_all_vs_duckdb", "labels_all_vs_duckdb_loaded", "labels_ready_s", "labels_ready_vs_networkx",
    "labels_ready_vs_duckdb", "rules_all_s",
    "pagerank_s", "heat_trend_s", "redundancy_s", "quality_s",
}  # fmt: skip


@pytest.mark.slow
def test_the_benchmark_prints_all_keys(shared_dir: Path, tmp_path: Path) -> None:
    """On a history cut down to 300 tasks every key has a figure; networkx and DuckDB find as many labels."""
    bench = str(ROOT / "scripts" / "bench")
    command = [sys.executable, bench, "governance", "--scale", "tiny", "--tasks", "300", "--json"]
    environment = os.environ | {"LINEAGE_TT_SHARED": str(shared_dir), "LINEAGE_TT_BENCH_DIR": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, timeout=290, env=environment, cwd=tmp_path)

    assert done.returncode == 0, done.stderr.decode()
    document = json.loads(done.stdout)
    assert all(document[key] > 0 for key in KEYS)


def test_every_key_is_explained() -> None:
    """The reference page has a word on each key."""
    page = (ROOT / "docs" / "reference" / "benchmarks.md").read_text(encoding="utf-8")

    assert [key for key in KEYS if f"`{key}`" not in page] == []
