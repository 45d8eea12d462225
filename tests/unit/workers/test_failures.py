"""The answer for a text whose worker failed."""

from __future__ import annotations

import signal

import pytest

from ingest.workers.failures import cause_of, opaque, why_not_started


def test_a_text_that_could_not_be_read_has_no_edges() -> None:
    """And says why."""
    found = opaque("timeout", "more than 5 s")

    assert (found.edges, found.coverage, found.lookups) == ((), "opaque", ())
    assert [(problem.code, problem.detail) for problem in found.problems] == [("timeout", "more than 5 s")]


@pytest.mark.parametrize(
    ("status", "words"),
    [(0, "exit status 0"), (3, "exit status 3"), (-signal.SIGKILL, "SIGKILL"), (-200, "signal 200")],
)
def test_how_a_process_ended_is_said_in_words(status: int, words: str) -> None:
    """A signal by its name, where it has one."""
    assert cause_of(status) == words


def test_a_worker_that_did_not_start_ended_or_did_nothing() -> None:
    """The signal that ended one that did nothing is our own, and says nothing."""
    assert why_not_started(3, stalled=False) == "workers do not start: exit status 3"
    assert why_not_started(-signal.SIGKILL, stalled=True) == "workers do nothing when they start"
