"""Fuzzed messages over HTTP: each has its receipt, and its neighbours come in."""

from __future__ import annotations

from pathlib import Path

import fuzzed
import pytest
from services import serving

from lineage_tt import Store

#: Messages in one request.
TOGETHER = 250


@pytest.mark.timeout(fuzzed.SECONDS)
def test_over_http(tmp_path: Path) -> None:
    """As JSON Lines, to a service of its own; nothing is on its standard error that looks like a traceback."""
    given = fuzzed.lines()
    store = tmp_path / "s"
    Store.create(store)
    counts = dict.fromkeys(("messages", "accepted", "rejected", "duplicate"), 0)
    with serving(store, "--allow-anonymous", "--no-graph") as service:
        for start in range(0, len(given), TOGETHER):
            body = b"\n".join(given[start : start + TOGETHER])
            answer = service.client.post("/v1/messages", content=body, headers={"content-type": "application/x-ndjson"})
            assert answer.status_code == 202, answer.text[:500]
            result = answer.json()["result"]
            for name in counts:
                counts[name] += result[name]
        errors = service.errors

    assert "Traceback" not in errors.read_text(encoding="utf-8")
    fuzzed.assert_counts(counts["messages"], counts["accepted"], counts["rejected"], counts["duplicate"], given)
    fuzzed.assert_each_is_accounted_for(store, given)
