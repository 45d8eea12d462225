"""Coroutines run to their end, whatever else the thread of the tests does."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def complete(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in an event loop of its own, in a thread of its own; return its result, or raise its error.

    A browser leaves a loop running in the thread of the tests for as long as their process lives, and two cannot run
    in one thread.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()  # noqa: TID251 - in a thread without a loop
