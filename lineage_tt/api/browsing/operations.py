"""What a person may do through the pages apart from sending messages: replay dead letters, subscribe, unsubscribe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from lineage_tt.subscriptions.model import Subscription


class Operations(Protocol):
    """Writes of a person, one at a time; ``lineage-tt serve`` provides the implementation."""

    def replay(self, versions: Sequence[int]) -> list[dict[str, Any]]:
        """Replay dead letters; return the outcome of each. InvalidRequestError for a version that is not one."""
        ...

    def subscribe(self, subscription: Subscription, actor: str | None) -> tuple[int, list[str]]:
        """Store a subscription, replacing one of the same name; return its version and notes on what it cannot see."""
        ...

    def unsubscribe(self, name: str, actor: str | None) -> int:
        """Remove a subscription; return the version. InvalidRequestError where it does not exist."""
        ...

    def close(self) -> None:
        """Close what was opened."""
        ...
