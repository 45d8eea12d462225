"""The shared case files: what engines and other tools' tests say, and how much of it must come out exactly."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def score(shared: Path, name: str, *options: str) -> dict:
    """Return the report of scripts/score-sql over one case file."""
    cases = shared / "data" / "sql_cases" / name
    command = [sys.executable, str(ROOT / "scripts" / "score-sql"), str(cases), "--json", "--by-tag", *options]
    done = subprocess.run(
        [*command, "--scorer", str(shared / "tools")], capture_output=True, text=True, timeout=250, check=True
    )
    report: dict = json.loads(done.stdout)
    return report


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options", "least"),
    [
        ("hive.jsonl", (), 0.995),
        ("hive_logger.jsonl", (), 1.0),
        ("sqllineage.jsonl", (), 0.96),  # it has no lineage from a table to its new name
        ("spark_tpcds.jsonl.gz", (), 1.0),
        ("spark_tpch.jsonl.gz", (), 1.0),
        ("spark_ssb.jsonl.gz", (), 1.0),
        ("spark_tpcds.jsonl.gz", ("--edges", "direct"), 0.98),
        ("spark_tpch.jsonl.gz", ("--edges", "direct"), 0.98),
        ("spark_ssb.jsonl.gz", ("--edges", "direct"), 0.98),
    ],
)
def test_cases_come_out_exactly(shared_dir, name, options, least):
    """Of each case file at least this share of the judged statements is exactly right."""
    (report,) = score(shared_dir, name, *options)["sources"].values()

    assert report["exact"] >= least, report


@pytest.mark.slow
def test_every_feature_of_hive_comes_out(shared_dir):
    """Every tag with ten or more statements is right in 98 of 100."""
    tags = score(shared_dir, "hive.jsonl")["tags"]

    assert {tag: found for tag, found in tags.items() if found["statements"] >= 10 and found["exact"] < 0.98} == {}


@pytest.mark.slow
def test_predicates_come_out_as_indirect_edges(shared_dir):
    """Of the columns that Hive's logger names as predicates, 95 of 100 are INDIRECT edges."""
    assert score(shared_dir, "hive_logger.jsonl")["predicates"]["recall"] >= 0.95
