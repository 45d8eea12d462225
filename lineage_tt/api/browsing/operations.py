"""What a person may do through the pages besides sending messages: replay dead letters, subscribe, unsubscribe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from lineage_tt.subscriptions.model import Subscription


class Operations(Protocol):
    """Writes of a person, one at a time; ``lineage-tt serve`` brings what makes them."""

    def replay(self, versions: Sequence[int]) -> list[dict[str, Any]]:
        """Send dead letters through again; return the outcome of each. InvalidRequestError for what is none."""
        ...

    def subscribe(self, subscription: Subscription, actor: str | None) -> tuple[int, list[str]]:
        """Store a subscription, in place of one of its name; return its version and, in words, what it cannot see."""
        ...

    def unsubscribe(self, name: str, actor: str | None) -> int:
        """Take a subscription away; return the version. InvalidRequestError where there is none."""
        ...

    def close(self) -> None:
        """Close what was opened."""
        ...
