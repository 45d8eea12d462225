"""Runs coroutines in tests, even if the thread of the tests already runs an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def complete(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in its own event loop and thread; return its result, or raise its error.

    After a test with a browser, an event loop runs in the thread of the tests until their process ends, and a thread
    cannot run two loops.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()  # noqa: TID251 - in a thread without a loop
