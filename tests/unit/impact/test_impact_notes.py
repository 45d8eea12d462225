"""Notes of a report."""

from __future__ import annotations

from typing import Any

import pytest
from reports import SALES, finding, report

from lineage_tt.impact.notes import unused_allowances
from lineage_tt.impact.policy import Allowed, Policy


@pytest.mark.parametrize(
    ("allowed", "is_unused"),
    [
        ({}, False),
        ({"kind": "stale-*"}, False),
        ({"kind": "hidden-*"}, True),
        ({"subject": "hive:dw.zz"}, True),
        ({"task": "zz", "until": "2000-01-01"}, True),
    ],
)
def test_an_allowance_in_force_that_covers_no_finding_is_named(allowed: dict[str, Any], is_unused: bool) -> None:
    """One that has ended is reported elsewhere, and not here."""
    entry = Allowed("a reason", **({"until": "2999-01-01"} | allowed))
    policy = Policy(allow=(entry,))
    is_over = entry.until < policy.today

    notes = list(unused_allowances(report(findings=[finding("stale-reader", subject=SALES)]), policy))

    expected = ["the allowance 'a reason' covers no finding of this release"]
    assert notes == (expected if is_unused and not is_over else [])
