"""Functions for worker processes in tests: they answer, hang, crash, exit, or use all memory."""

from __future__ import annotations

import ctypes
import os
import signal
import time

from ingest.sql import Extraction
from ingest.sql.jobs import ExtractionJob
from ingest.workers.work import run_job

__all__ = ["run_job"]


def answer(job: ExtractionJob) -> Extraction:
    """Answer with the text as the only dataset read, and the process id as the only dataset written."""
    return Extraction((), "complete", (), (job.sql,), (str(os.getpid()),), (), (), ())


def obey(job: ExtractionJob) -> Extraction:
    """Run the command in the text, then answer."""
    words = job.sql.split()
    match words[0]:
        case "hang":
            while True:
                time.sleep(0.01)
        case "spin":
            sum(range(10**12))  # in C, without returning to the interpreter
        case "sleep":
            time.sleep(float(words[1]))
        case "burn":
            burn(float(words[1]))
        case "spin-once":
            if is_first(words[1]):
                sum(range(10**12))
        case "eat-once":
            if is_first(words[1]):
                raise MemoryError
        case "segfault":
            ctypes.string_at(0)
        case "exit":
            os._exit(int(words[1]))
        case "eat":
            hoard = [bytes(1 << 26) for _ in range(1 << 12)]
            raise AssertionError(len(hoard))
        case "raise":
            raise ValueError("a message with s3cr3t in it")
        case "die-once":
            if is_first(words[1]):
                os.kill(os.getpid(), signal.SIGKILL)
                time.sleep(10)
        case "stop":
            os.kill(os.getpid(), signal.SIGSTOP)
            time.sleep(10)
        case "note":
            with open(words[1], "a") as file:
                file.write(f"{os.getpid()} {words[2]}\n")
        case "await":
            while not os.path.exists(words[1]):
                time.sleep(0.01)
        case "touch":
            os.close(os.open(words[1], os.O_CREAT))
        case "print":
            print("noise on standard output" * 1000, flush=True)
        case "recurse":
            recurse(job)
        case "unpicklable":
            return lambda: None  # type: ignore[return-value]
    return answer(job)


def is_first(flag: str) -> bool:
    """Return whether this is the first call, by creating a file."""
    if os.path.exists(flag):
        return False
    open(flag, "w").close()
    return True


def burn(seconds: float) -> None:
    """Use this number of seconds of CPU time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        sum(range(1_000))


def recurse(job: ExtractionJob) -> Extraction:
    """Recurse without end."""
    return recurse(job)


def lookup(job: ExtractionJob) -> Extraction:
    """Answer with lookups of the datasets that the text names, so that the cache has something to compare."""
    lookups = tuple((name, job.columns.get(name)) for name in job.sql.split())
    return Extraction((), "complete", (), (), (str(time.monotonic_ns()),), (), lookups, ())
