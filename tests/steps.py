"""How much work a call does, counted: a busy machine takes its time, and does no other number of steps."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

from lineage_tt.storage.processes import no_collections


def calls_of(work: Callable[[], object]) -> Counter[str]:
    """Run something; return how often each function was called in this thread, of Python and of C, by its name."""
    counted: Counter[str] = Counter()

    def note(frame: FrameType, event: str, called: Any) -> None:
        if event == "call":
            counted[frame.f_code.co_name] += 1
        elif event == "c_call":
            counted[called.__name__] += 1

    before = sys.getprofile()
    with no_collections():  # Hypothesis, where a test has loaded it, is called at each collection
        sys.setprofile(note)
        try:
            work()
        finally:
            sys.setprofile(before)
    return counted


def lines_of(work: Callable[[], object]) -> int:
    """Run something; return how many lines of Python ran in this thread: a loop's each time."""
    ran = 0

    def note(_frame: FrameType, event: str, _value: object) -> Any:
        nonlocal ran
        ran += event == "line"
        return note

    before = sys.gettrace()
    with no_collections():  # Hypothesis, where a test has loaded it, is called at each collection
        sys.settrace(note)
        try:
            work()
        finally:
            sys.settrace(before)
    return ran
