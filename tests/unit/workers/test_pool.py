"""The pool keeps order, loses nobody's answer but that of the text that killed its worker, and ends with its parent."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from steps import calls_of

from ingest.sql import Extraction
from ingest.sql.jobs import ExtractionJob
from ingest.workers import slots
from ingest.workers.pool import ExtractionPool
from ingest.workers.slots import MAX_IN_FLIGHT


def job(sql: str, **columns: tuple[str, ...]) -> ExtractionJob:
    """A job with the columns given."""
    return ExtractionJob(sql, "hive", "h", "dw", columns=columns)


def codes(extraction: Extraction) -> list[str]:
    """The codes of its problems."""
    return [problem.code for problem in extraction.problems]


def eventually(holds: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Whether something comes to hold within some seconds."""
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


def runs(pid: int) -> bool:
    """Whether a process runs, zombies left out."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    return False


@pytest.fixture(scope="module")
def pool() -> Iterator[ExtractionPool]:
    """Two workers that do what the text says, with half a second of CPU time a job."""
    with ExtractionPool(2, time_limit=0.5, memory_limit=1 << 30, function="hostile_functions:obey") as obeying:
        obeying.start(2)
        yield obeying


def test_answers_come_in_order_from_both_workers(pool: ExtractionPool) -> None:
    """However long each job takes, the answers are in the order of the jobs, and both workers took part."""
    jobs = [job(f"sleep {0.02 * (i % 3)} {i} {'x' * (i % 5)}") for i in range(40)]

    answers = pool.map(jobs)

    assert [j.sql for j in jobs] == [a.reads[0] for a in answers]
    assert len({a.writes for a in answers}) == 2


@pytest.mark.long
@pytest.mark.parametrize(
    ("order", "code", "word"),
    [
        ("segfault", "worker-died", "SIGSEGV"),
        ("exit 7", "worker-died", "exit status 7"),
        ("spin", "timeout", "0.5 s"),
        ("eat", "crash", "MemoryError"),
        ("raise", "crash", "ValueError"),
        ("recurse", "crash", "RecursionError"),
        ("unpicklable", "crash", "line"),
    ],
)
def test_a_bad_text_costs_itself_only(pool: ExtractionPool, order: str, code: str, word: str) -> None:
    """A job that kills, hangs or breaks its worker is opaque with the reason; all others are answered, in order."""
    jobs = [job(f"fine {order} {i}") for i in range(30)]
    jobs.insert(11, job(order))

    answers = pool.map(jobs)

    bad = answers.pop(11)
    assert (codes(bad), bad.coverage, bad.edges) == ([code], "opaque", ())
    assert word in bad.problems[0].detail
    assert "s3cr3t" not in bad.problems[0].detail
    assert [a.reads[0] for a in answers] == [j.sql for j in jobs if j.sql != order]
    assert all(runs(pid) for pid in pool.pids)


def test_a_few_jobs_start_one_worker_and_many_start_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second worker is started only for texts that are as much work as its start."""
    monkeypatch.setattr("ingest.workers.waiting.PATIENCE", 60.0)  # on a busy machine one worker may be slow to start
    with ExtractionPool(2, function="hostile_functions:answer") as few, ExtractionPool(2) as none:
        few.map([job("a"), job("b"), job("c")])
        assert len(few.pids) == 1
        few.map([job(f"{i} {'x' * 5_000}") for i in range(40)])
        assert len(few.pids) == 2
        assert none.pids == []


def test_a_slow_job_does_not_hold_up_those_that_wait(tmp_path: Path) -> None:
    """Two jobs start with one worker; where the first takes long, another one answers the second meanwhile."""
    flag = tmp_path / "flag"
    with ExtractionPool(2, time_limit=60, function="hostile_functions:obey") as pool:
        slow, quick = pool.map([job(f"await {flag} {'slow' * 9}"), job(f"touch {flag}")])

    assert (codes(slow), codes(quick)) == ([], [])
    assert slow.writes != quick.writes


def test_a_worker_killed_from_outside_costs_nothing(pool: ExtractionPool, tmp_path: Path) -> None:
    """A job whose worker dies once is asked again, of another worker, and answered."""
    answer = pool.map([job(f"die-once {tmp_path / 'flag'}")])[0]

    assert codes(answer) == []
    assert answer.reads


def test_output_of_a_job_does_not_disturb_the_replies(pool: ExtractionPool) -> None:
    """What a job prints goes nowhere."""
    assert pool.map([job("print"), job("fine print")])[1].reads == ("fine print",)


def test_workers_ignore_an_interrupt(pool: ExtractionPool) -> None:
    """Ctrl-C at the terminal reaches every process; the parent decides what happens to the workers."""
    pool.map([job("fine a"), job("fine b")])
    pids = pool.pids
    for pid in pids:
        os.kill(pid, signal.SIGINT)

    assert pool.map([job("fine after interrupt")])[0].reads == ("fine after interrupt",)
    assert pool.pids == pids


@pytest.mark.parametrize("order", ["stop at once, please", "hang"])
def test_a_worker_that_does_nothing_is_replaced(monkeypatch: pytest.MonkeyPatch, order: str) -> None:
    """A worker that neither answers nor uses the processor (stopped, or asleep) is replaced; its job is tried twice."""
    monkeypatch.setattr("ingest.workers.slots._GRACE", 0.1)
    with ExtractionPool(1, time_limit=0.1, function="hostile_functions:obey") as idle:
        stalled, fine = idle.map([job(order), job("fine")])

    assert (codes(stalled), codes(fine)) == (["timeout"], [])
    assert "did nothing" in stalled.problems[0].detail


def test_a_slow_moment_is_no_timeout() -> None:
    """Wall time is not a limit: a job that waits four times its limit without using the processor is answered."""
    with ExtractionPool(1, time_limit=0.3, function="hostile_functions:obey") as pool:
        slow = pool.map([job("sleep 1.2")])[0]

    assert codes(slow) == []


@pytest.mark.long
def test_a_busy_machine_is_no_timeout() -> None:
    """A job gets the same answer while as many others as it takes keep the processors busy: CPU time is counted."""
    with contextlib.ExitStack() as stack:
        for _ in range(4 * (os.cpu_count() or 1)):
            other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            stack.callback(other.wait)
            stack.callback(other.kill)
        with ExtractionPool(1, time_limit=1.0, function="hostile_functions:obey") as pool:
            begun = time.monotonic()
            busy = pool.map([job("burn 0.6")])[0]
            elapsed = time.monotonic() - begun

    assert codes(busy) == [], f"{elapsed:.1f} s of wall time"


@pytest.mark.long
def test_what_exceeds_its_time_is_tried_again_alone(tmp_path: Path) -> None:
    """A job that exceeds its CPU time once is tried again after all others, in a fresh worker, and answered."""
    flag = tmp_path / "flag"
    with ExtractionPool(2, time_limit=0.3, function="hostile_functions:obey") as pool:
        answers = pool.map([job(f"spin-once {flag}"), *(job(f"fine beside {i}") for i in range(20))])

    assert [codes(answer) for answer in answers] == [[]] * 21
    assert answers[0].writes[0] not in {answer.writes[0] for answer in answers[1:]}


def test_what_exceeds_its_memory_is_tried_again_alone(tmp_path: Path) -> None:
    """A job that runs out of memory once is tried again in a fresh worker, and answered."""
    with ExtractionPool(1, memory_limit=1 << 30, function="hostile_functions:obey") as pool:
        answers = pool.map([job(f"eat-once {tmp_path / 'flag'}"), job("fine")])

    assert [codes(answer) for answer in answers] == [[], []]


@pytest.mark.long
def test_what_failed_twice_is_not_tried_again() -> None:
    """The same text sent again and again costs its two tries once; a job with other parameters is another one."""
    with ExtractionPool(1, time_limit=0.2, function="hostile_functions:obey") as pool:
        pool.map([job("fine")])
        first = pool.map([job("spin")])[0]
        pids = pool.pids
        again = pool.map([job("spin")] * 50)

    assert codes(first) == ["timeout"]
    assert again == [first] * 50
    assert pool.pids == pids


@pytest.mark.long
def test_long_texts_have_more_time() -> None:
    """A text of two MiB may take three times as long as a short one."""
    with ExtractionPool(1, time_limit=0.4, function="hostile_functions:obey") as pool:
        assert codes(pool.map([job("burn 0.8 " + "x" * (2 << 20))])[0]) == []


@pytest.mark.long
def test_a_function_that_cannot_be_imported_is_said(pool: ExtractionPool) -> None:
    """Workers that never start make every job opaque with the reason, after three tries; the next call tries again."""
    with ExtractionPool(2, function="no_such_module:f") as broken:
        for _ in range(2):
            answers = broken.map([job("a"), job("b"), job("c")])
            assert [codes(a) for a in answers] == [["worker-died"]] * 3
            assert "no_such_module:f cannot be imported: ModuleNotFoundError" in answers[0].problems[0].detail


def test_workers_that_do_nothing_when_they_start_are_replaced_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Each is ended after the limit of a start, and the log says so: until then nobody knows why answers are late."""
    (tmp_path / "asleep_at_import.py").write_text("import time\ntime.sleep(600)\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(slots, "_START_LIMIT", 1.0)
    with ExtractionPool(1, function="asleep_at_import:f") as broken, caplog.at_level("WARNING", "lineage_tt.workers"):
        (answer,) = broken.map([job("a")])

    assert codes(answer) == ["worker-died"]
    assert answer.problems[0].detail == "workers do nothing when they start"
    assert caplog.messages == ["a worker process did not start: workers do nothing when they start"] * 3


def test_jobs_can_be_read_while_answers_are_taken(pool: ExtractionPool) -> None:
    """imap reads no more than its window ahead of the answer that is awaited."""
    read = 0

    def jobs() -> Iterator[ExtractionJob]:
        nonlocal read
        for i in range(60):
            read += 1
            yield job(f"fine window {i}")

    for taken, answer in enumerate(pool.imap(jobs(), window=8)):
        assert answer.reads == (f"fine window {taken}",)
        assert read <= taken + 9


def test_an_abandoned_iteration_leaves_the_pool_usable(pool: ExtractionPool) -> None:
    """Leaving imap early forgets what it still waited for."""
    abandoned = pool.imap((job(f"fine early {i}") for i in range(100)), window=50)
    next(abandoned)
    abandoned.close()  # type: ignore[attr-defined]

    assert pool.map([job("fine late")])[0].reads == ("fine late",)


def test_large_texts_and_answers_fit_through_the_pipes(pool: ExtractionPool) -> None:
    """Texts larger than a pipe's buffer come through both ways."""
    jobs = [job(f"fine {i} " + "y" * 700_000) for i in range(6)]

    assert [a.reads[0] for a in pool.map(jobs)] == [j.sql for j in jobs]


def test_no_worker_outlives_a_closed_pool() -> None:
    """Leaving the pool ends its workers, busy or idle."""
    with ExtractionPool(2, function="hostile_functions:obey") as closing:
        closing.start(2)
        closing.map([job("fine a"), job("fine b")])
        pids = closing.pids
        assert len(pids) == 2

    assert not any(runs(pid) for pid in pids)


PARENT = """
import sys, threading
sys.path[:0] = {path!r}
from ingest.sql.jobs import ExtractionJob
from ingest.workers import slots
from ingest.workers.pool import ExtractionPool
pool = ExtractionPool(2, time_limit=120, function="hostile_functions:obey")
pool.start(2)
pool.map([ExtractionJob("fine", "hive", "h"), ExtractionJob("fine b", "hive", "h")])
orders = [ExtractionJob(order, "hive", "h") for order in {orders!r}]
threading.Thread(target=pool.map, args=(orders,), daemon=True).start()
print(*pool.pids, flush=True)
threading.Event().wait()
"""


@pytest.mark.parametrize("orders", [["fine c"], ["hang", "spin"]])
def test_no_worker_outlives_a_killed_parent(orders: list[str]) -> None:
    """When the parent is killed with -9, its workers are gone within seconds, idle or stuck in a loop of C code."""
    script = PARENT.format(path=sys.path, orders=orders)
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(pids) == 2
        assert all(map(runs, pids))
        time.sleep(0.3)
        parent.kill()

    assert eventually(lambda: not any(map(runs, pids)))


def test_without_workers_jobs_run_here() -> None:
    """With no worker processes the same answers come from this process; what a job raises is its own problem."""
    with ExtractionPool(0, function="hostile_functions:obey") as here:
        fine, bad = here.map([job("fine"), job("raise")])

    assert fine.writes == (str(os.getpid()),)
    assert (codes(bad), bad.coverage) == (["crash"], "opaque")


def test_failures_are_not_cached() -> None:
    """A job that failed is tried again when it is asked again."""
    with ExtractionPool(0, function="hostile_functions:obey") as pool:
        pool.map([job("raise"), job("raise")])
        assert (pool.cache.hits, pool.cache.misses) == (0, 2)


@pytest.mark.long
def test_small_jobs_cost_little_and_the_long_one_does_not_wait_to_the_end(tmp_path: Path) -> None:
    """A small job takes few calls, however many there are; a job far longer than the others begins with the first."""
    with ExtractionPool(2, function="hostile_functions:obey") as pool:
        pool.map([job("fine 0"), job("fine 1")])
        calls = calls_of(lambda: pool.map([job(f"fine small {i}") for i in range(3_000)]))
        assert sum(calls.values()) / 3_000 < 150

        begun = tmp_path / "begun"
        pool.map([*(job(f"note {begun} {i}") for i in range(100)), job(f"note {begun} long {'long' * 50}")])
        noted = [line.split() for line in begun.read_text().splitlines()]
        (worker,) = [worker for worker, word in noted if word == "long"]
        assert len(noted) == 101
        assert [word for each, word in noted if each == worker].index("long") <= 2 * MAX_IN_FLIGHT
