"""A slice of scripts/fuzz-sql: random and damaged SQL through the worker processes, and the verdict itself."""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest

from ingest.sql import extract
from ingest.sql.jobs import ExtractionJob
from ingest.workers.cache import ExtractionCache
from ingest.workers.pool import ExtractionPool
from scripts.fuzz_lib.nested import nested_text
from scripts.fuzz_lib.verdict import fault_of, silence_of

ROOT = Path(__file__).resolve().parents[3]
COUNT = 800


@pytest.mark.slow
def test_random_and_damaged_sql_is_answered(shared_dir, tmp_path):
    """No crash, no hang, no empty answer without a reason; FUZZ_SEED repeats a run."""
    seed = os.environ.get("FUZZ_SEED") or str(secrets.randbits(32))
    kept = tmp_path / "failures.jsonl"
    command = [sys.executable, str(ROOT / "scripts" / "fuzz-sql"), "--count", str(COUNT), "--seed", seed]
    done = subprocess.run(
        [*command, "--failures", str(kept)],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
        env={**os.environ, "LINEAGE_TT_SHARED": str(shared_dir)},
    )
    print(done.stdout)

    assert done.returncode == 0, (seed, [json.loads(line) for line in kept.read_text().splitlines()], done.stderr)


@pytest.mark.long
def test_nested_and_mixed_sql_is_answered_in_time():
    """A slice of scripts/fuzz-sql --nested: none takes 2 s of CPU time, and each has an answer that may be given."""
    seed = int(os.environ.get("FUZZ_SEED") or secrets.randbits(32))
    texts = [nested_text(seed, number) for number in range(400)]
    jobs = [ExtractionJob(text.sql, text.dialect, "fuzz", "d", "fuzz:d.out", columns=text.columns) for text in texts]
    with ExtractionPool(2, time_limit=1.0, cache=ExtractionCache(0)) as pool:
        answers = pool.map(jobs)

    faults = [
        (seed, text.number, fault) for text, found in zip(texts, answers, strict=True) if (fault := fault_of(found))
    ]
    assert faults == []


def asked(sql):
    """Return the extraction of a text over the table t(a), written to n:d.o where it is a bare SELECT."""
    known = {"n:d.t": ("a",), "n:d.o": ("a",)}
    return extract(sql, dialect="spark", namespace="n", default_database="d", target="n:d.o", columns=known)


@pytest.mark.parametrize("sql", ["INSERT INTO o SELECT a FROM t", "CREATE TABLE k AS SELECT a FROM t"])
def test_an_answer_that_lost_its_edges_does_not_stand(sql):
    """The verdict sees that a text which moves rows was answered as if it did not."""
    whole = asked(sql)
    empty = extract("DROP TABLE x", dialect="spark", namespace="n")

    assert fault_of(whole) is None
    assert silence_of(whole, sql) is None
    assert silence_of(empty, sql) is not None


def test_an_answer_without_a_reason_does_not_stand():
    """Partial and opaque answers say why."""
    from dataclasses import replace

    found = asked("SELECT a FROM t")

    assert fault_of(replace(found, coverage="partial")) == "partial without a reason"


@pytest.mark.parametrize("sql", ["DROP TABLE t", "INSERT INTO o VALUES (1)", "DELETE FROM t", "-- from t", "SET x = 1"])
def test_what_has_no_lineage_may_be_empty(sql):
    """Statements that move no rows are complete without edges."""
    assert silence_of(asked(sql), sql) is None
