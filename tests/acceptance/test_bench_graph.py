"""The graph's benchmark runs on a history cut down, compares itself with SQLite, and prints what it promises."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WALKS = [f"{walk}_{part}" for walk in ("hops3", "all") for part in ("hot", "cold", "p99")]
#: The keys that are an interface: docs/reference/benchmarks.md.
KEYS = {
    *(f"{key}_ms" for key in WALKS), *(f"{key}_vs_sqlite" for key in WALKS), "named_hot_ms", "named_vs_sqlite",
    "growth_with_size", "growth_with_history_now", "growth_with_history_past", "diff_ms", "diff_vs_sqlite",
    "batch_ms", "load_s", "first_answer_s", "bytes_per_rectangle",
}  # fmt: skip


@pytest.mark.slow
def test_the_benchmark_prints_all_keys(shared_dir: Path, tmp_path: Path) -> None:
    """On a history cut down to 300 tasks every key has a figure, and every answer is SQLite's."""
    command = [sys.executable, str(ROOT / "scripts" / "bench"), "graph", "--scale", "tiny", "--tasks", "300", "--json"]
    environment = os.environ | {"LINEAGE_TT_SHARED": str(shared_dir), "LINEAGE_TT_BENCH_DIR": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, timeout=290, env=environment, cwd=tmp_path)

    assert done.returncode == 0, done.stderr.decode()
    document = json.loads(done.stdout)
    assert KEYS - document.keys() == set()
    assert all(document[key] > 0 for key in KEYS)
    assert document["bytes_per_rectangle"] < 100
    assert document["rectangles"] > 1000


def test_every_key_is_explained() -> None:
    """The reference page has a word on each key."""
    page = (ROOT / "docs" / "reference" / "benchmarks.md").read_text(encoding="utf-8")

    assert [key for key in KEYS if f"`{key}`" not in page] == []
