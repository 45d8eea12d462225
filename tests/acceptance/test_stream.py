"""The real stream replays with no wrong answer: a sample here, all of it in ``scripts/verify-stream``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rounds import rounds

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "verify-stream"


@pytest.mark.parametrize(("axis", "seed"), [([], 1), (["--occurred", "--points", "40"], 3)])
def test_a_sample_of_the_stream_equals_a_replay_of_the_raw_files(shared_dir: Path, axis: list[str], seed: int) -> None:
    """Some datasets' years: tasks and edges after every commit; with late messages, the naive model's answers."""
    command = [sys.executable, str(SCRIPT), "--sample", str(rounds(250)), "--seed", str(seed), *axis]
    environment = os.environ | {"LINEAGE_TT_SHARED": str(shared_dir)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, env=environment)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "check is clean" in done.stdout
    counts = {what: int(count.replace(",", "")) for count, what in re.findall(r"(?m)^ +([\d,]+) (.*)$", done.stdout)}
    assert counts.pop("different") == 0
    assert len(counts) >= 3
    assert sum(counts.values()) > rounds(200)
