"""Prediction equals history: a sample of the real stream here, all of it in ``scripts/verify-impact history``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from rounds import rounds

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "verify-impact"


def test_predictions_equal_what_ingest_recorded(shared_dir: Path) -> None:
    """Updates and offlines of the stream's first year, each predicted from the state before it, edge for edge."""
    sample = rounds(60)
    command = [sys.executable, str(SCRIPT), "history", "--years", "1", "--sample", str(sample), "--seed", "4"]
    environment = os.environ | {"LINEAGE_TT_SHARED": str(shared_dir)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, env=environment)

    assert done.returncode == 0, done.stdout + done.stderr
    counts = {what: int(count.replace(",", "")) for count, what in re.findall(r"(?m)^ +([\d,]+) (.*)$", done.stdout)}
    assert counts.pop("different") == 0
    assert set(counts) == {"updates predicted", "offlines predicted"}
    assert sum(counts.values()) == sample
