"""``scripts/bench events`` measures what it says, and fails where a run that changed nothing makes a version."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_a_small_run_gives_every_figure(tmp_path: Path) -> None:
    """Few jobs, few models: each key of the reference is there."""
    command = [sys.executable, str(ROOT / "scripts" / "bench"), "events", "--jobs", "3", "--runs", "2", "--json"]
    env = os.environ | {"TMPDIR": str(tmp_path)}
    done = subprocess.run([*command, "--models", "10"], capture_output=True, text=True, check=True, env=env)
    document = json.loads(done.stdout)

    expected = {"openlineage_events_per_s", "identical_run_ms", "lone_run_ms", "disk_force_ms", "dbt_manifest_s"}
    assert expected | {"dbt_unchanged_s", "machine"} <= document.keys()
    assert (document["events"], document["dbt_models"]) == (12, 10)
    assert 0 < document["dbt_unchanged_s"] < 60
