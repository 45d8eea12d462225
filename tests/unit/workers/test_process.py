"""The parent's handle on one worker process, with one that is started for all of these tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from waiting import until, until_stopped

from ingest.sql.jobs import ExtractionJob
from ingest.workers.cache import unpack
from ingest.workers.process import WorkerProcess
from ingest.workers.protocol import CRASH, DONE, READY, UNUSABLE, Setup


def job(sql: str) -> tuple[ExtractionJob, float]:
    """A request: a job, and how many times the usual time it has."""
    return ExtractionJob(sql, "hive", "n"), 1.0


def replies(worker: WorkerProcess, count: int) -> list[tuple[str, Any]]:
    """Send what waits, and return so many replies, or as many as came before the worker ended."""
    found: list[tuple[str, Any]] = []
    ended = False

    def came() -> bool:
        nonlocal ended
        worker.flush()
        more, ended = worker.receive()
        found.extend(more)
        return len(found) >= count or ended

    until(came, f"{count} replies")
    return found


@pytest.fixture(scope="module")
def worker() -> Iterator[WorkerProcess]:
    """One that does what the text says, and has said that it is ready."""
    made = WorkerProcess(Setup("hostile_functions:obey", (), 60.0, None))
    assert replies(made, 1) == [(READY, made.pid)]
    yield made
    made.kill()


def test_replies_come_in_the_order_of_the_requests(worker: WorkerProcess) -> None:
    """A job that fails is answered in its place."""
    for text in ("fine a", "raise", "sleep 0.01 b", "fine c"):
        worker.send(job(text))
    found = replies(worker, 4)

    assert [kind for kind, _ in found] == [DONE, CRASH, DONE, DONE]
    assert [unpack(said).reads[0] for kind, said in found if kind == DONE] == ["fine a", "sleep 0.01 b", "fine c"]
    assert found[1][1].startswith("ValueError")


def test_a_text_larger_than_the_pipe_goes_in_pieces(worker: WorkerProcess) -> None:
    """What is left waits here, and nothing blocks."""
    text = "fine " + "x" * (1 << 22)
    os.kill(worker.pid, signal.SIGSTOP)
    try:
        until_stopped(worker.pid)  # nobody reads
        worker.send(job(text))
        worker.flush()
        assert worker.has_outgoing
    finally:
        os.kill(worker.pid, signal.SIGCONT)
    ((kind, packed),) = replies(worker, 1)

    assert (kind, unpack(packed).reads) == (DONE, (text,))
    assert not worker.has_outgoing


def test_nothing_has_come_before_something_was_asked(worker: WorkerProcess) -> None:
    """An idle worker has not ended."""
    assert worker.receive() == ([], False)


def test_one_that_is_stopped_is_stalled_after_some_looks(worker: WorkerProcess) -> None:
    """As many in a row as are asked for; an answer, or new work, begins the count again."""
    os.kill(worker.pid, signal.SIGSTOP)
    try:
        until_stopped(worker.pid)
        until(lambda: worker.is_stalled(3), "the worker is seen idle")
        worker.heard()
        assert [worker.is_stalled(3) for _ in range(2)] == [False, False]
        until(lambda: worker.is_stalled(3), "the worker is seen idle again")
    finally:
        os.kill(worker.pid, signal.SIGCONT)


def test_a_worker_without_a_function_says_so_and_ends() -> None:
    """Its exit status is the interpreter's own; a request to it is lost without an error."""
    absent = WorkerProcess(Setup("hostile_functions:nothing", (), 1.0, None))
    ((kind, said),) = replies(absent, 1)
    until(lambda: absent.receive()[1], "the worker ends")
    absent.send(job("fine"))
    absent.flush()

    assert (kind, said) == (UNUSABLE, "hostile_functions:nothing cannot be imported: AttributeError")
    assert not absent.has_outgoing
    assert absent.kill() == 1
    assert absent.kill() == 1
