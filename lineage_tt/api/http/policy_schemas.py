"""What the answer about the store's text policy looks like, for the OpenAPI document."""

from __future__ import annotations

from typing import Literal

from lineage_tt.api.http.schemas import Basis, Strict


class PolicySpan(Strict):
    """From which version on a policy holds."""

    since: int
    policy: Literal["keep", "mask-literals", "drop-text"]


class PolicyTightened(Strict):
    """Up to which version nothing holds more than a policy allows."""

    upto: int
    policy: Literal["mask-literals", "drop-text"]


class Policy(Strict):
    """How much is kept of texts; ``older_versions_hold_more`` than the policy in force allows, until tightened."""

    policy: Literal["keep", "mask-literals", "drop-text"]
    spans: list[PolicySpan]
    tightened: PolicyTightened | None
    older_versions_hold_more: bool


class PolicyAnswer(Strict):
    """The answer of ``GET /v1/policy``."""

    basis: Basis
    result: Policy
