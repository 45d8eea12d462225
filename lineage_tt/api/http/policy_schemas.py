"""Models of the answer about the store's text policy, for OpenAPI."""

from __future__ import annotations

from typing import Literal

from lineage_tt.api.http.schemas import Basis, Strict


class PolicySpan(Strict):
    """A policy, and the version from which it applies."""

    since: int
    policy: Literal["keep", "mask-literals", "drop-text"]


class PolicyTightened(Strict):
    """A policy, and the version up to which no message keeps more text than it allows."""

    upto: int
    policy: Literal["mask-literals", "drop-text"]


class Policy(Strict):
    """The text policy in force; ``older_versions_hold_more``: older versions keep more text than it allows."""

    policy: Literal["keep", "mask-literals", "drop-text"]
    spans: list[PolicySpan]
    tightened: PolicyTightened | None
    older_versions_hold_more: bool


class PolicyAnswer(Strict):
    """The answer to ``GET /v1/policy``."""

    basis: Basis
    result: Policy
