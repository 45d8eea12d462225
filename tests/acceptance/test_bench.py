"""The benchmark runs, and prints what it promises; how fast anything is, no test can say on a shared machine."""

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
    "scale", "messages", "machine", "batch_messages_per_s", "batch_vs_sqlite", "single_message_ms",
    "single_message_p99_ms", "ingest_rss_mib", "ingest_rss_growth", "edges_as_of_s", "edges_as_of_growth",
    "cold_cli_s", "cold_cli_vs_python", "ten_writers_ratio", "worst_wait_ratio",
    "worst_turn_wait_ratio", "worst_apart_ratio",
}  # fmt: skip


@pytest.mark.slow
def test_the_benchmark_prints_all_keys(shared_dir: Path, tmp_path: Path) -> None:
    """On a history cut down to 150 tasks every key has a figure; the real stream is left out, for it takes a minute."""
    command = [sys.executable, str(ROOT / "scripts" / "bench"), "store", "--scale", "tiny", "--json"]
    environment = os.environ | {"LINEAGE_TT_SHARED": str(shared_dir), "LINEAGE_TT_BENCH_DIR": str(tmp_path)}
    done = subprocess.run(
        [*command, "--tasks", "150", "--rounds", "1", "--no-real-stream", "--writers-seconds", "3"],
        capture_output=True, timeout=280, env=environment, cwd=tmp_path,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr.decode()
    document = json.loads(done.stdout)
    assert KEYS - document.keys() == set()
    assert all(document[key] > 0 for key in KEYS - {"scale", "machine"})
    assert document["messages"] > 1000
    assert document["machine"]["cores"] >= 1


def test_every_key_is_explained() -> None:
    """The reference page has a word on each key."""
    page = (ROOT / "docs" / "reference" / "benchmarks.md").read_text(encoding="utf-8")

    assert [key for key in KEYS | {"real_stream_s"} if f"`{key}`" not in page] == []
