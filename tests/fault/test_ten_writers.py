"""Ten writers of one store, singles, batches, imports and compactions at once: nothing is lost, and nobody starves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: How long they write; ``scripts/faults together`` gives ten minutes.
SECONDS = int(os.environ.get("LINEAGE_TT_WRITERS_SECONDS", "4"))
#: From so many seconds on the waits and the rate are judged, too: a few appends say nothing about them.
ENOUGH = 60


@pytest.mark.slow
@pytest.mark.timeout(240 + 4 * SECONDS)
def test_ten_writers_at_one_store(tmp_path: Path) -> None:
    """Each message is there once, each writer gets its turns; over minutes none waits longer than twenty appends."""
    command = [sys.executable, str(ROOT / "scripts" / "bench"), "writers", "--seconds", str(SECONDS), "--json"]
    environment = os.environ | {"LINEAGE_TT_BENCH_DIR": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert set(document["ten_writers_waits"]) == {"single", "batch", "import", "compaction"}
    if SECONDS >= ENOUGH:
        assert document["worst_wait_ratio"] <= 20, done.stdout
        assert document["ten_writers_ratio"] >= 0.8, done.stdout
