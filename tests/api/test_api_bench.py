"""The service's benchmark runs and prints what it promises; how fast it is, no test can say on a shared machine."""

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
    "http_ms_p50", "http_ms_p99", "http_hot_ms_p50", "http_answers_per_s", "http_ms_p50_of_16", "batch_ms",
    "batch_with_edges_ms", "freshness_ms", "freshness_p99_ms", "listening_s", "first_answer_s", "ready_s",
    "service_rss_mib",
}  # fmt: skip


@pytest.mark.slow
def test_the_benchmark_of_the_service_prints_all_keys(shared_dir: Path, tmp_path: Path) -> None:
    """Over a history cut down to 150 tasks every key has a figure, and the reference page explains it."""
    command = [sys.executable, str(ROOT / "scripts" / "bench"), "service", "--scale", "tiny", "--json"]
    environment = os.environ | {"LINEAGE_TT_SHARED": str(shared_dir), "LINEAGE_TT_BENCH_DIR": str(tmp_path)}
    done = subprocess.run(
        [*command, "--tasks", "150", "--seconds", "0.5", "--questions", "20"],
        capture_output=True, timeout=280, env=environment, cwd=tmp_path,
    )  # fmt: skip
    page = (ROOT / "docs" / "reference" / "benchmarks.md").read_text(encoding="utf-8")

    assert done.returncode == 0, done.stderr.decode()
    document = json.loads(done.stdout)
    assert KEYS - document.keys() == set()
    assert all(document[key] > 0 for key in KEYS)
    assert [key for key in KEYS if f"`{key}`" not in page] == []
