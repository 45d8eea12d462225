"""Counts the steps of a call. Unlike its duration, the number of steps does not depend on the load of the machine."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any

from lineage_tt.storage.processes import no_collections


def calls_of(work: Callable[[], object]) -> Counter[str]:
    """Run ``work``; return how often this thread called each function of Python or C, by name."""
    counted: Counter[str] = Counter()

    def note(frame: FrameType, event: str, called: Any) -> None:
        if event == "call":
            counted[frame.f_code.co_name] += 1
        elif event == "c_call":
            counted[called.__name__] += 1

    before = sys.getprofile()
    with no_collections():  # Hypothesis, if a test has imported it, is called at each collection
        sys.setprofile(note)
        try:
            work()
        finally:
            sys.setprofile(before)
    return counted


def lines_of(work: Callable[[], object]) -> int:
    """Run ``work``; return how many lines of Python this thread ran, counting the lines of a loop each time."""
    ran = 0

    def note(_frame: FrameType, event: str, _value: object) -> Any:
        nonlocal ran
        ran += event == "line"
        return note

    before = sys.gettrace()
    with no_collections():  # Hypothesis, if a test has imported it, is called at each collection
        sys.settrace(note)
        try:
            work()
        finally:
            sys.settrace(before)
    return ran
