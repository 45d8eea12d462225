"""Questions in threads: those that parse SQL wait for each other without a thread, and a slow one says where it is."""

from __future__ import annotations

import asyncio
import logging
import threading
from pathlib import Path

import pytest
from loops import complete

from lineage_tt.api.http.problems import Problem
from lineage_tt.api.readers import Readers
from lineage_tt.api.reads.engine import Engine
from lineage_tt.api.reads.names import Names
from lineage_tt.api.reads.reading import Reading
from lineage_tt.store import Store

LIMIT = 0.5


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    """An engine over an empty store."""
    return Engine(Reading.of(Store.create(tmp_path / "store")), None, Names())


def again(engine: Engine) -> Engine:
    """Return an engine for another question."""
    return Engine(engine.reading.again(), None, Names())


def hang_in_a_parser(ended: threading.Event) -> str:
    """Wait as a question does whose worker processes do not answer."""
    ended.wait(20)
    return "late"


def test_a_question_that_parses_waits_without_a_thread(engine: Engine) -> None:
    """While one parses and others wait for it, a question that does not parse is answered at once."""
    readers, ended = Readers(2, 20), threading.Event()

    async def ask() -> tuple[str, list[bool], list[str]]:
        parsing = [
            asyncio.create_task(readers.run(again(engine), lambda _: hang_in_a_parser(ended), parses=True))
            for _ in range(3)
        ]
        await asyncio.sleep(0.1)
        answer = await readers.run(again(engine), lambda _: "at once")
        waiting = [task.done() for task in parsing]
        ended.set()
        return answer, waiting, await asyncio.gather(*parsing)

    assert complete(ask()) == ("at once", [False] * 3, ["late"] * 3)


def test_a_question_waits_for_a_thread_that_parses_after_its_caller_has_gone(engine: Engine) -> None:
    """Two threads never parse at once: one that exceeded the limit keeps its turn until it ends."""
    readers, ended, ran = Readers(2, LIMIT), threading.Event(), []

    async def ask() -> list[str]:
        first = readers.run(again(engine), lambda _: hang_in_a_parser(ended), parses=True)
        second = readers.run(again(engine), lambda _: ran.append("second"), parses=True)
        problems = await asyncio.gather(first, second, return_exceptions=True)
        ran.append("refused")
        ended.set()
        await readers.run(again(engine), lambda _: ran.append("third"), parses=True)
        return [problem.code for problem in problems if isinstance(problem, Problem)]

    assert complete(ask()) == ["too-slow", "busy"]
    assert ran == ["refused", "third"]


def test_the_log_says_where_a_slow_question_is(engine: Engine, caplog: pytest.LogCaptureFixture) -> None:
    """By the functions of its thread; values are not logged."""
    readers, ended = Readers(1, LIMIT), threading.Event()

    async def ask() -> None:
        with pytest.raises(Problem) as refused:
            await readers.run(engine, lambda _: hang_in_a_parser(ended))
        ended.set()
        assert refused.value.status == 503

    with caplog.at_level(logging.WARNING, "lineage_tt.api"):
        complete(ask())

    (message,) = caplog.messages
    assert "more than 0.5 s" in message
    assert "test_readers.py" in message
    assert "hang_in_a_parser" in message


def test_the_log_says_that_a_question_found_no_thread(engine: Engine, caplog: pytest.LogCaptureFixture) -> None:
    """One that waited for others, and was never begun, has nowhere to be."""
    readers, ended, ran = Readers(1, LIMIT), threading.Event(), []

    async def ask() -> None:
        slow = readers.run(again(engine), lambda _: hang_in_a_parser(ended))
        queued = readers.run(again(engine), lambda _: ran.append("begun"))
        problems = await asyncio.gather(slow, queued, return_exceptions=True)
        assert [type(problem) for problem in problems] == [Problem, Problem]
        ended.set()

    with caplog.at_level(logging.WARNING, "lineage_tt.api"):
        complete(ask())

    assert len(caplog.messages) == 2
    assert "all threads were busy" in caplog.messages[1]
    assert ran == []  # nobody waits for it: it is not begun late


def test_a_question_that_waits_for_its_turn_is_not_begun_once_the_service_stops(engine: Engine) -> None:
    """It is refused when the one before it has ended, instead of making the service wait for it, too."""
    readers, ended, ran = Readers(2, 20), threading.Event(), []

    async def ask() -> list[str]:
        first = asyncio.create_task(readers.run(again(engine), lambda _: hang_in_a_parser(ended), parses=True))
        await asyncio.sleep(0.1)
        second = asyncio.create_task(readers.run(again(engine), lambda _: ran.append("second"), parses=True))
        await asyncio.sleep(0.1)
        readers.interrupt()
        ended.set()
        results = await asyncio.gather(first, second, return_exceptions=True)
        return [result.code for result in results if isinstance(result, Problem)]

    assert complete(ask()) == ["stopping"]
    assert ran == []
