"""The writes of people apart from messages: replay dead letters, subscribe, unsubscribe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from lineage_tt.subscriptions.model import Subscription


class Operations(Protocol):
    """The writes of people, which run one at a time. ``lineage-tt serve`` provides the implementation."""

    def replay(self, versions: Sequence[int]) -> list[dict[str, Any]]:
        """Replay dead letters; return the outcome of each. InvalidRequestError if a version is not a dead letter."""
        ...

    def subscribe(self, subscription: Subscription, actor: str | None) -> tuple[int, list[str]]:
        """Store or replace the subscription of this name; return its version and notes on what it cannot see."""
        ...

    def unsubscribe(self, name: str, actor: str | None) -> int:
        """Remove a subscription; return the version. InvalidRequestError if it does not exist."""
        ...

    def close(self) -> None:
        """Release all resources."""
        ...
