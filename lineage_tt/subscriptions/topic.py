"""A subscription's own topic: the relay, but only for the versions that concern the subscription.

As for the relay, the end of the topic shows how far it has come. ``previous_version`` is the version before it in this
topic, so that ``TopicReader`` detects gaps here as it does in the topic of all changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from lineage_tt.feed.parts import MAX_BYTES, split
from lineage_tt.feed.records import Record, record_of
from lineage_tt.feed.relay import Outlet, Progress, Relay
from lineage_tt.model.answers import FeedEntry
from lineage_tt.subscriptions.knowledge import Knowledge
from lineage_tt.subscriptions.model import Subscription
from lineage_tt.subscriptions.runner import event_for
from lineage_tt.subscriptions.stored import version_of
from lineage_tt.subscriptions.watching import Watchers

if TYPE_CHECKING:
    from lineage_tt.store import Store


class SubscribedRelay(Relay):
    """Relays to a topic what concerns one subscription, starting with the version that created it."""

    def __init__(
        self, store: Store, connect: Callable[[], Outlet], subscription: Subscription, *, binary: bool = False,
        watch: Callable[[Progress], None] | None = None,
    ) -> None:  # fmt: skip
        self._since = begin = version_of(store, subscription.name)
        super().__init__(store, connect, after=begin, binary=binary, watch=watch)
        self._subscription = subscription
        self._graph = store.graph()
        self._watchers = Watchers(self._graph, [subscription], Knowledge(store, begin))
        self._sent = 0

    def _send(self, outlet: Outlet, entries: list[FeedEntry], begin: int, state_at: int | None) -> None:
        if begin > self._since:  # stated by the topic; otherwise the topic is empty, and its first event follows none
            self._sent = max(self._sent, begin)
        records = [
            r for entry in entries if entry.version > begin for r in self.change_records(entry, outlet.max_bytes)
        ]
        if records:
            outlet.publish(records)
            self.progress.transactions += 1
        self.progress.at = max(self.progress.at, entries[-1].version)
        self._look()

    def change_records(self, entry: FeedEntry, max_bytes: int = MAX_BYTES) -> Iterator[Record]:
        """Yield the records of one version's event, none where it does not concern the subscription."""
        if self._graph.version < entry.version:
            self._graph.refresh()
        self._watchers.knowledge.take_in(entry)
        for _, part in self._watchers.matches(entry):
            event = event_for(part._replace(previous_version=self._sent), self._store.id, self._subscription.name)
            self._sent = entry.version
            self.progress.sent += 1
            for piece in split(event, max_bytes):
                yield record_of(piece, binary=self._binary)
