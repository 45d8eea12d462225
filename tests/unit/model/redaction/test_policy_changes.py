"""The message that records a change of the policy."""

from __future__ import annotations

from lineage_tt.model.redaction.policy import POLICY_KEY, POLICY_NODE, TextPolicy
from lineage_tt.model.redaction.policy_changes import policy_change


def test_a_policy_is_a_fact_from_a_moment_on() -> None:
    """Who adopted it and why are in the log as of any other message."""
    change = policy_change(TextPolicy.MASK, "law", 7, "ann")

    assert (change.node, change.fact_key, change.effective_at, change.reason, change.actor) == (
        POLICY_NODE, POLICY_KEY, 7, "law", "ann",
    )  # fmt: skip
    assert change.facts == [(POLICY_NODE, POLICY_KEY, "mask-literals")]
    assert policy_change(TextPolicy.MASK, "", 7).event_id != policy_change(TextPolicy.MASK, "", 7).event_id
