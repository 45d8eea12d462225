"""Delivering notices: each to the subscriptions that name its person as an owner, by those subscriptions' own ways."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lineage_tt.events import Event
from lineage_tt.model.errors import LineageError
from lineage_tt.subscriptions.delivery import sender
from lineage_tt.subscriptions.model import delivery_kind
from lineage_tt.subscriptions.stored import subscriptions

if TYPE_CHECKING:
    from lineage_tt.store import Store


def deliver(store: Store, events: Sequence[Event]) -> list[str]:
    """Deliver events of notices, each to its subject; return in words what could not be delivered.

    Only programs and addresses are delivered to: streams and topics take no notices.
    """
    known, failed = subscriptions(store), []
    for event in events:
        person = str(event["subject"])
        theirs = [each for each in known if person in each.owners]
        if not theirs:
            failed.append(f"{person}: no subscription names this owner")
        for each in theirs:
            kind = delivery_kind(each.deliver)
            if kind in ("stream", "kafka"):
                failed.append(f"{person}: {each.name} is delivered by {kind}, which takes no notices")
                continue
            try:
                sender(each, lambda line: None)(event)
            except LineageError as error:
                failed.append(f"{person}: {each.name}: {error.message}")
    return failed
