"""The answer for a text whose worker failed."""

from __future__ import annotations

import signal

import pytest

from ingest.workers.failures import cause_of, opaque


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
