"""A small story of tasks with their times, and facts about them."""

from __future__ import annotations

from lineage_tt.governance.core.tasks import Use
from lineage_tt.governance.core.timings import MINUTE, Timing
from lineage_tt.model.answers import FactAsOf

#: load → clean → report → board, and a second source of the report.
STORY = [
    Use("load", "src:orders", "ods:orders"),
    Use("rates", "src:rates", "ods:rates"),
    Use("clean", "ods:orders", "dw:orders"),
    Use("report", "dw:orders", "ads:report"),
    Use("report", "ods:rates", "ads:report"),
    Use("board", "ads:report", "bi:board"),
]
TIMES = {
    "load": Timing(60 * MINUTE, "stated", 60 * MINUTE),
    "rates": Timing(10 * MINUTE, "stated"),
    "clean": Timing(30 * MINUTE, "stated"),
    "report": Timing(20 * MINUTE, "observed"),
}


def fact(node: str, key: str, value: str) -> FactAsOf:
    """A fact in force."""
    return FactAsOf(node, key, value, "task", "note:x", 1, 0, None)
