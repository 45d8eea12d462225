"""What would have been sent to a subscription for past versions, had it existed. Nothing is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from lineage_tt.events import Event, classes_of
from lineage_tt.model.answers import FeedEntry
from lineage_tt.store import Store
from lineage_tt.subscriptions.knowledge import Knowledge
from lineage_tt.subscriptions.model import Subscription
from lineage_tt.subscriptions.runner import event_for
from lineage_tt.subscriptions.watching import Match, Watchers, labels_matching

LabelEvents = Callable[[FeedEntry], Iterable[Event]]


class Tried(NamedTuple):
    """An event that would have been sent, with what a list shows of it: ``changes`` is how many it holds."""

    version: int
    subject: str
    changes: int
    actor: str | None
    classes: list[str]
    event: Event


def tried(store: Store, subscription: Subscription, after: int, label_events: LabelEvents) -> Iterator[Tried]:
    """Yield what would have been sent for each version after ``after``.

    ``label_events`` makes the events of derived labels of a version; only subscriptions to them use it.
    """
    if not subscription.is_of_labels:
        for _, part in matches_since(store, [subscription], after):
            event = event_for(part, store.id, subscription.name)
            changes = len(part.changes) + len(part.facts)
            yield Tried(part.version, part.subject, changes, part.actor, classes_of(part), event)
        return
    for entry in store.changes(after):
        for made in label_events(entry):
            if (event_part := labels_matching(subscription, made)) is not None:
                data = event_part["data"]
                yield Tried(
                    entry.version, entry.subject, len(data["changes"]), entry.actor, data["classes"], event_part
                )


def matches_since(store: Store, chosen: Sequence[Subscription], after: int) -> Iterator[Match]:
    """Yield what would have been sent to these subscriptions for each version after ``after``, had they existed."""
    watchers = Watchers(store.graph(), chosen, Knowledge(store, after))
    for entry in store.changes(after):
        watchers.knowledge.take_in(entry)
        yield from watchers.matches(entry)
