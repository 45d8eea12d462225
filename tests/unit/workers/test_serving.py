"""What runs inside a worker process, as far as it runs here."""

from __future__ import annotations

import gc
import json
import os
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.sql.jobs import ExtractionJob
from ingest.workers.cache import unpack
from ingest.workers.protocol import CRASH, DONE, Setup
from ingest.workers.serving import Collector, describe, is_worker, load_function, os_write_all, run_here

JOB = ExtractionJob("fine", "hive", "n")


class Knot:
    """An object in a cycle with itself."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def collector() -> Iterator[Collector]:
    """One that takes the place of the interpreter's collection, which gets it back."""
    try:
        yield Collector()
    finally:
        gc.unfreeze()
        gc.enable()


def test_this_process_is_no_worker() -> None:
    """Another library may parse here."""
    assert not is_worker()


def test_a_function_is_named_by_its_module() -> None:
    """One that is not there is an error that says so."""
    assert load_function("json:dumps") is json.dumps
    with pytest.raises(ImportError):
        load_function("nowhere_at_all:f")
    with pytest.raises(AttributeError):
        load_function("json:nothing")


def test_cycles_are_looked_for_by_how_much_was_read(collector: Collector) -> None:
    """Not within a text, however many objects it makes, and not before a quarter of a million characters."""
    knot = Knot()
    seen = weakref.ref(knot)
    del knot
    collector.read(1 << 17)
    collector.read(1 << 17)
    assert not gc.isenabled()
    assert seen() is not None

    collector.read(1)
    assert seen() is None


def test_what_was_read_counts_once(collector: Collector) -> None:
    """After a collection it begins from nothing."""
    collector.read((1 << 18) + 1)
    knot = Knot()
    seen = weakref.ref(knot)
    del knot
    collector.read(1 << 18)

    assert seen() is not None


def test_an_error_is_described_without_its_message() -> None:
    """The message might quote the text, and with it a password; the place is where it was raised."""
    try:
        json.loads("{s3cr3t")
    except ValueError as error:
        said = describe(error)

    assert said.startswith("JSONDecodeError in decoder.py, line ")
    assert "s3cr3t" not in said
    assert describe(KeyError("s3cr3t")) == "KeyError"


def test_more_is_written_than_a_pipe_takes_at_once() -> None:
    """All of it, in order."""
    data = bytes(range(256)) * 4096
    read, write = os.pipe()
    pieces: list[bytes] = []

    def drain() -> None:
        while piece := os.read(read, 1 << 14):
            pieces.append(piece)

    reader = threading.Thread(target=drain)
    reader.start()
    os_write_all(write, data)
    os.close(write)
    reader.join()
    os.close(read)

    assert b"".join(pieces) == data


def test_a_job_that_is_run_here_gives_what_a_worker_would() -> None:
    """Its packed answer, with further arguments, or what went wrong."""
    kind, packed = run_here(Setup("hostile_functions:answer", (), 1.0, None), JOB)
    assert (kind, unpack(packed).reads, unpack(packed).writes) == (DONE, ("fine",), (str(os.getpid()),))

    failed = run_here(Setup("hostile_functions:obey", (), 1.0, None), ExtractionJob("raise", "hive", "n"))
    assert failed[0] == CRASH
    assert failed[1].startswith("ValueError in hostile_functions.py")
    assert "s3cr3t" not in failed[1]

    absent = run_here(Setup("hostile_functions:nothing", (), 1.0, None), JOB)
    assert (absent[0], absent[1].split()[0]) == (CRASH, "AttributeError")
    extra = run_here(Setup("hostile_functions:answer", (1,), 1.0, None), JOB)
    assert (extra[0], extra[1].split()[0], Path(__file__).name in extra[1]) == (CRASH, "TypeError", False)
