"""The jobs that no worker has yet."""

from __future__ import annotations

import pytest

from ingest.sql.jobs import ExtractionJob
from ingest.workers.slots import Ticket
from ingest.workers.waiting import PATIENCE, WORTH_A_START, WaitingJobs, workers_worth


def ticket(length: int = 1) -> Ticket:
    """A job with a text of this length."""
    return Ticket(ExtractionJob("x" * length, "hive", "n"), (b"", "", "", "", None, (), "", b""))


def holding(*lengths: int) -> WaitingJobs:
    """A queue with texts of these lengths."""
    queue = WaitingJobs()
    for length in lengths:
        queue.add(ticket(length))
    return queue


def test_the_longest_text_is_first() -> None:
    """The queue gives its longest text first, and of texts of one length the oldest."""
    queue, one, other = WaitingJobs(), ticket(5), ticket(5)
    for each in (ticket(1), one, other, ticket(9)):
        queue.add(each)

    assert len(queue.take().job.sql) == 9
    assert queue.take() is one
    assert queue.take() is other
    assert len(queue.take().job.sql) == 1
    with pytest.raises(IndexError):
        queue.take()


def test_the_first_job_earns_a_worker_and_further_ones_take_much_text_or_many_jobs() -> None:
    """A first worker starts for any job, a second one for long texts or hundreds of short ones, none for no job."""
    few = holding(1, 2, 3)

    assert not WaitingJobs().earns_worker(0)
    assert few.earns_worker(0)
    assert not few.earns_worker(1)
    assert holding(WORTH_A_START, 1).earns_worker(1)
    assert holding(*[1] * 300).earns_worker(1)
    assert not holding(WORTH_A_START, 1).earns_worker(2)
    assert not holding(2 * WORTH_A_START).earns_worker(1)  # one job is the work of one


def test_what_left_the_queue_earns_nothing() -> None:
    """A job that was taken, dropped or given up no longer counts."""
    queue = holding(WORTH_A_START, 2, 3)
    queue.take()
    assert not queue.earns_worker(1)

    dropped = ticket(WORTH_A_START)
    queue.add(dropped)
    queue.forget({id(dropped)})
    assert (len(queue), queue.earns_worker(1)) == (2, False)

    assert len(queue.take_all()) == 2
    assert (len(queue), queue.earns_worker(0)) == (0, False)


def test_patience_begins_where_all_are_busy_and_ends_where_one_is_free() -> None:
    """Looking at the queue again does not restart the wait."""
    queue = holding(1)
    assert queue.patient_until == float("inf")
    queue.note(True, 10.0)
    queue.note(True, 11.0)
    assert queue.patient_until == 10.0 + PATIENCE
    queue.note(False, 12.0)
    assert queue.patient_until == float("inf")


def test_nobody_is_patient_for_a_queue_that_is_empty() -> None:
    """An empty queue waits for nothing, whether its last job was taken, dropped or given up."""
    queue = WaitingJobs()
    queue.note(True, 10.0)
    assert queue.patient_until == float("inf")

    dropped = ticket()
    queue.add(dropped)
    queue.note(True, 10.0)
    queue.forget({id(dropped)})
    assert queue.patient_until == float("inf")

    queue.add(ticket())
    queue.note(True, 10.0)
    queue.take_all()
    assert queue.patient_until == float("inf")


def test_as_many_workers_as_the_texts_are_worth() -> None:
    """A few texts are worth one worker, none are worth none, and there are never more workers than texts."""
    assert workers_worth(0, 0) == 0
    assert workers_worth(3, 900) == 1
    assert workers_worth(3, WORTH_A_START) == 2
    assert workers_worth(2, 9 * WORTH_A_START) == 2
