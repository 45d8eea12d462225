"""Statements at random, validated by a Trino server: what it rejects is reported, and what it takes is not."""

from __future__ import annotations

import os
import random
import re
import secrets
from pathlib import Path

import pytest
from needs import lacking
from random_statements import TABLES, Statements, judged

from scripts.trino_lib.files import missing
from scripts.trino_lib.server import QueryFailedError, Trino

STATEMENTS = 600
#: The most statements about which the extractor may differ, of all.
UNLIKE = 0.01
#: What Trino rejects for reasons of its own, and what it has no statement for.
OWN = re.compile("not supported|mismatched|types don't match|must be of the same type")


@pytest.mark.slow
def test_what_trino_rejects_is_reported_and_nothing_else(tmp_path: Path) -> None:
    """Writes and views with names, lists and places that are now and then wrong; ORACLE_SEED repeats a run."""
    if reason := missing():
        lacking(reason)
    seed = int(os.environ.get("ORACLE_SEED") or secrets.randbits(32))
    print("seed", seed)
    made = Statements(random.Random(seed), with_first=False)
    counts, wrong = {True: 0, False: 0}, []
    with Trino(tmp_path / "server") as trino:
        trino.query("CREATE SCHEMA lake.db")
        for table, names in TABLES.items():
            trino.query(f"CREATE TABLE lake.db.{table} ({', '.join(f'{name} integer' for name in names)})")
        for _ in range(STATEMENTS):
            text, refused = made.statement().partition(" RETURNING ")[0], ""
            try:
                trino.query(f"EXPLAIN (TYPE VALIDATE) {text}", catalog="lake", schema="db")
            except QueryFailedError as error:
                refused = str(error)
            if OWN.search(refused):
                continue
            reported, complete, words = judged(text, "trino", "n:db")
            if reported != bool(refused) or not (refused or complete):
                wrong.append(f"{words}\n{refused}")
            counts[bool(refused)] += 1

    assert len(wrong) <= STATEMENTS * UNLIKE, "\n\n".join(wrong)
    assert min(counts.values()) > sum(counts.values()) / 5
