"""Dismissed dead letters: facts of reserved nodes, which only the product writes, so that the log says who and why.

The node of the dead letter of version 7 is ``policy:dead-letter/7``, its key ``dismissed``, the value the reason.
"""

from __future__ import annotations

from typing import Final

from lineage_tt.model.clock import unique_name
from lineage_tt.model.facts import FactTuple
from lineage_tt.model.messages import NodeChange

DISMISSED: Final = "dismissed"
LETTER_NODE: Final = "policy:dead-letter/"


def dismissal(version: int, reason: str, now: int, actor: str | None = None) -> NodeChange:
    """Return the message that dismisses the dead letter of a version, from ``now`` (UTC microseconds) on."""
    fact: FactTuple = (f"{LETTER_NODE}{version}", DISMISSED, reason)
    return NodeChange(
        unique_name(), "fact", fact[0], "set", now, fact_key=DISMISSED, facts=[fact], actor=actor, reason=reason
    )
