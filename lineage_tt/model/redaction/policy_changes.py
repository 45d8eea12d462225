"""The message that records a change of the policy. It is separate from redaction so that readers need not load that."""

from __future__ import annotations

from lineage_tt.model.clock import unique_name
from lineage_tt.model.facts import FactTuple
from lineage_tt.model.messages import NodeChange
from lineage_tt.model.redaction.policy import POLICY_KEY, POLICY_NODE


def policy_change(policy: str, reason: str, now: int, actor: str | None = None, *, key: str = POLICY_KEY) -> NodeChange:
    """Return the message that records a policy from ``now`` (UTC microseconds) on; ``key`` says of what."""
    fact: FactTuple = (POLICY_NODE, key, str(policy))
    return NodeChange(
        unique_name(), "fact", POLICY_NODE, "set", now, fact_key=key, facts=[fact], actor=actor, reason=reason
    )
