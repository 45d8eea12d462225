"""The analyst of the impact diff, in this process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from ingest.resolve.comparing import Answer, ComparisonJob, DefinitionJob, SqlAnalyst, run
from ingest.sql.compare.meaning import definitions
from ingest.sql.jobs import ExtractionJob
from ingest.workers.work import run_job
from lineage_tt.governance.upkeep.redundancy.statements import Text
from lineage_tt.impact.texts import Side
from lineage_tt.model.messages import TaskChange

A, B = Side("SELECT a FROM t", "hive", "n"), Side("SELECT  a  FROM t -- why", "hive", "n")
OTHER = Side("SELECT b FROM t", "hive", "n")


@pytest.fixture(scope="module")
def analyst() -> Iterator[SqlAnalyst]:
    """One without worker processes."""
    with SqlAnalyst(0) as made:
        yield made


def test_a_job_weighs_both_of_its_texts() -> None:
    """The pool gives time by it."""
    assert ComparisonJob(A, OTHER).sql == A.sql + OTHER.sql


def test_differences_come_in_the_order_of_the_pairs(analyst: SqlAnalyst) -> None:
    """Space and comments are none; the same pair is compared each time it is asked for."""
    pairs = [(A, B), (A, OTHER), (A, A), (A, OTHER)]

    assert [found.same for found in analyst.compare(pairs)] == [True, False, True, False]
    assert analyst.compare([]) == []


def test_a_text_that_is_not_read_says_why(analyst: SqlAnalyst) -> None:
    """It is not the same as itself."""
    broken = Side("SELECT ((", "hive", "n")
    (found,) = analyst.compare([(broken, broken)])

    assert not found.same
    assert found.failure


def test_a_comparison_that_fails_in_the_pool_counts_as_unread(analyst: SqlAnalyst) -> None:
    """With the pool's code for what happened."""
    (found,) = analyst.compare([(A, None)])  # type: ignore[list-item]

    assert (found.same, found.failure) == (False, "crash")


def test_an_extraction_is_the_usual_one_without_single_statements() -> None:
    """Nobody reads them, so that they need not cross to another process."""
    job = ExtractionJob("INSERT INTO d.o SELECT * FROM d.t; CALL p()", "hive", "n", columns={"n:d.t": ("a", "b")})
    full = run_job(job)

    assert full.statements
    assert run(job) == replace(full, statements=())
    assert isinstance(run(ComparisonJob(A, B)), Answer)


def test_it_resolves_messages_as_the_resolver_does(analyst: SqlAnalyst) -> None:
    """Also where the same text comes again, between comparisons."""
    message = TaskChange("1", "t", "update", 0, sql="INSERT INTO d.o SELECT a FROM d.t", dialect="hive", namespace="n")
    first = analyst([(message, {})])
    analyst.compare([(A, OTHER)])
    again = analyst([(message, {})])

    assert first == again
    assert [tuple(edge)[:2] for edge in first[0].edges] == [("n:d.t#a", "n:d.o#a")]


def text(sql: str, *columns: str) -> Text:
    """A text that reads ``n:d.t`` and writes ``n:d.o``."""
    return Text("t", sql, "hive", frozenset(["n:d.t"]), "n:d.o", columns)


TEXTS = [
    text("INSERT OVERWRITE TABLE d.o SELECT a + 1, b FROM d.t WHERE c > 0", "x", "y"),
    text("INSERT OVERWRITE TABLE d.o SELECT rand() FROM d.t", "x"),
    text("INSERT OVERWRITE TABLE d.o SELECT ((", "x"),
    text("CREATE TABLE d.o AS SELECT a, max(b) AS b FROM d.t GROUP BY a"),
]


def test_texts_are_read_in_workers_as_in_this_process(analyst: SqlAnalyst) -> None:
    """What is not simple, and what is not SQL, says nothing."""
    expected = definitions(TEXTS)
    with SqlAnalyst(1) as working:
        assert working.define(TEXTS) == expected

    assert analyst.define(TEXTS) == expected
    assert [each is not None for each in expected] == [True, True, False, True]
    assert analyst.define([]) == []


def test_a_text_over_which_a_worker_fails_says_nothing(analyst: SqlAnalyst) -> None:
    """The others are read."""
    failing = TEXTS[0]._replace(sources=None)  # type: ignore[arg-type]

    assert analyst.define([TEXTS[3], failing]) == [*definitions([TEXTS[3]]), None]
    assert DefinitionJob(failing).sql == failing.sql
