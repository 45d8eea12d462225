"""scripts/bench sql runs, and prints what it promises; how fast anything is, no test can say on a shared machine."""

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
    "statement_ms_p50", "statement_ms_p99", "statement_ms_p50_hive", "statement_ms_p99_hive", "statement_ms_p50_stream",
    "statement_ms_p99_stream", "text_ms_p50_stream", "text_ms_p99_stream", "wide_statement_s", "wide_growth",
    "rate_beside_nested",
    "vs_sqlglot_lineage",
}  # fmt: skip


@pytest.mark.slow
def test_the_sql_benchmark_prints_all_keys(shared_dir: Path, tmp_path: Path) -> None:
    """Over the Hive cases and a sample of the real stream every key has a figure; a peer that is absent has none."""
    environment = os.environ | {"LINEAGE_TT_SHARED": str(shared_dir), "LINEAGE_TT_BENCH_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "bench"), "sql", "--json"],
        capture_output=True, timeout=290, env=environment, cwd=tmp_path,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr.decode()
    document = json.loads(done.stdout)
    assert KEYS | {"vs_sqllineage"} <= document.keys()
    assert [key for key in KEYS if not document[key] > 0] == []
    assert document["statement_ms_p50"] <= document["statement_ms_p99"]
    assert document["wide_growth"] < 16  # the square of four; 4 is linear, but the machine is shared
    assert document["statements_hive"] > 1000
    assert document["machine"]["cores"] >= 1


def test_every_sql_key_is_explained() -> None:
    """The reference page has a word on each key."""
    page = (ROOT / "docs" / "reference" / "benchmarks.md").read_text(encoding="utf-8")

    assert [key for key in KEYS if f"`{key}`" not in page] == []
