"""Heat, clean-up and quality measured on a made history, whose messages have edges and no texts."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from bench_lib import machine
from bench_lib.history import History
from lineage_tt.governance.governance import Governance
from lineage_tt.governance.heat.asked import Asked

#: key → (what is asked, unit)
WANTED: Final = {
    "pagerank_s": ("≤ 1 at S, 10 at L", "s"),
    "heat_trend_s": ("", "s"),
    "redundancy_s": ("≤ 10 at S", "s"),
    "quality_s": ("", "s"),
}
RUNS: Final = 3


def measured(asks: Governance, history: History) -> dict[str, Any]:
    """Return the figures at the end of the history; the points are in memory, as after a first question."""
    end = int(history.facts["history_end"]) * 1000
    basis, before = asks.basis(end), asks.basis(end - 7 * 86_400_000_000)
    asks.points.at(basis), asks.points.at(before)
    asks.heat(basis, Asked(limit=1))  # what is compiled is not measured
    result: dict[str, Any] = {}
    for key, work in (
        ("pagerank_s", lambda: asks.heat(basis, Asked("column"))),
        ("heat_trend_s", lambda: asks.heat_trend(before, basis)),
        ("redundancy_s", lambda: asks.redundancy(basis)),
        ("quality_s", lambda: asks.quality(basis, "namespace")),
    ):
        result[key] = min(machine.timed(work) for _ in range(RUNS))
    assert np.isfinite(list(result.values())).all()
    return result
