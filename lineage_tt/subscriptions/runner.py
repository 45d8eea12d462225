"""Delivery: reads the feed version by version, and sends each version to the subscriptions that it concerns."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import orjson

from lineage_tt.events import Event, event_of
from lineage_tt.graph import Graph
from lineage_tt.model.answers import FeedEntry
from lineage_tt.model.errors import InvalidRequestError, LineageError
from lineage_tt.store import Store
from lineage_tt.subscriptions.delivery import Send, sender
from lineage_tt.subscriptions.knowledge import Knowledge
from lineage_tt.subscriptions.model import KEY, NotDeliveredError, RefusedError, Subscription, delivery_kind
from lineage_tt.subscriptions.outbox import Outbox
from lineage_tt.subscriptions.stored import all_stored, subscriptions, version_of
from lineage_tt.subscriptions.watching import Watchers, labels_matching

#: How often an event is tried, at growing intervals, before it becomes a dead letter.
MAX_TRIES: Final = 8
FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 60.0
LOOK_EVERY: Final = 0.25


@dataclass(slots=True)
class Tally:
    """What a run did: events delivered, events given up, and the version reached."""

    delivered: dict[str, int] = field(default_factory=dict)
    given_up: dict[str, int] = field(default_factory=dict)
    version: int = 0


def event_for(entry: FeedEntry, store_id: str, subscription: str) -> Event:
    """Return the event of the changes that concern a subscription; a CloudEvents extension names the subscription."""
    return event_of(entry, store_id) | {"subscription": subscription}


class Runner:
    """Delivers subscriptions other than those to Kafka, which have their own relay (``topic``)."""

    def __init__(
        self,
        store: Store,
        outbox: Outbox,
        *,
        names: Sequence[str] = (),
        write: Callable[[str], None] = print,
        pause: Callable[[float], None] = time.sleep,
        skipped: Callable[[str, str], None] | None = None,
        label_events: Callable[[FeedEntry], Iterable[Event]] | None = None,
    ) -> None:
        """``skipped`` is called with the name of a skipped subscription and the reason, once for each reason.

        ``label_events`` makes the events of derived labels; without it, subscriptions to them are skipped.
        """
        self._store = store
        self._outbox = outbox
        self._names = set(names)
        self._write = write
        self._pause = pause
        self._senders: dict[Subscription, Send] = {}
        self._places: dict[str, int] = {}
        self._skipped = skipped
        self._label_events = label_events
        self._reported: set[tuple[str, str]] = set()
        self.tally = Tally()
        self.stopping = False

    def run(self, *, until_end: bool = False) -> Tally:
        """Deliver until ``stopping`` is set, or with ``until_end`` up to the store's last version.

        A subscription begins after the version that made it. Raises GapError where versions that it needs are gone.
        """
        self._outbox.drop_old(self._store.clock.now())
        deliverable = self._deliverable(self._store.refresh())
        begin = min((self._place(each) for each in deliverable), default=self._store.version)
        graph = self._store.graph()
        tail = self._store.tail(begin)
        watchers = self._watchers(graph, deliverable, begin)
        while not self.stopping:
            if not tail.wait(0 if until_end else LOOK_EVERY):
                if until_end:
                    break
                continue
            for entry in tail.read(500):
                if graph.version < entry.version:
                    graph.refresh()
                watchers.knowledge.take_in(entry)
                if any(key == KEY for _, _, key, *_ in entry.facts):
                    self._store.refresh()
                    watchers = self._watchers(
                        graph, self._deliverable(entry.version), entry.version, watchers.knowledge
                    )
                self._deliver(watchers, entry)
                if self.stopping:
                    return self.tally
            self.tally.version = tail.after
            for each in watchers.subscriptions:
                self._move(each.name, max(tail.after, self._place(each)))
        return self.tally

    def _deliverable(self, version: int) -> list[Subscription]:
        """Return the subscriptions to deliver; one that cannot be delivered here keeps its cursor and is reported."""
        result = []
        for each in all_stored(self._store, version):
            if self._names and each.name not in self._names:
                continue
            problem = each.problem or self._hindrance(each.subscription)
            if problem is not None:
                self._tell_skipped(each.name, problem)
            elif each.subscription is not None and delivery_kind(each.subscription.deliver) != "kafka":
                result.append(each.subscription)
        return result

    def _hindrance(self, subscription: Subscription | None) -> str | None:
        """Return why nothing can be sent here for a subscription: its program is not allowed, or its secret not set."""
        if subscription is not None and subscription.is_of_labels and self._label_events is None:
            return "it is about derived labels, whose rules are not known here"
        try:
            if subscription is not None and delivery_kind(subscription.deliver) != "kafka":
                self._sender(subscription)
        except InvalidRequestError as error:
            return str(error)
        return None

    def _sender(self, subscription: Subscription) -> Send:
        if subscription not in self._senders:
            self._senders[subscription] = sender(subscription, self._write)
        return self._senders[subscription]

    def _tell_skipped(self, name: str, problem: str) -> None:
        if self._skipped is not None and (name, problem) not in self._reported:
            self._reported.add((name, problem))
            self._skipped(name, problem)

    def _place(self, subscription: Subscription) -> int:
        """Return the version up to which a subscription was served; cached, since every match needs it."""
        if subscription.name not in self._places:
            known = self._outbox.cursor(subscription.name)
            self._places[subscription.name] = version_of(self._store, subscription.name) if known is None else known
        return self._places[subscription.name]

    def _move(self, name: str, version: int) -> None:
        self._outbox.move(name, version)
        self._places[name] = version

    def _watchers(
        self, graph: Graph, deliverable: list[Subscription], version: int, knowledge: Knowledge | None = None
    ) -> Watchers:
        return Watchers(graph, deliverable, knowledge or Knowledge(self._store, version))

    def _events(self, watchers: Watchers, entry: FeedEntry) -> Iterator[tuple[Subscription, Event]]:
        for subscription, part in watchers.matches(entry):
            yield subscription, event_for(part, self._store.id, subscription.name)
        of_labels = [each for each in watchers.subscriptions if each.is_of_labels]
        for event in self._label_events(entry) if of_labels and self._label_events else ():
            for subscription in of_labels:
                if (part_of := labels_matching(subscription, event)) is not None:
                    yield subscription, part_of

    def _deliver(self, watchers: Watchers, entry: FeedEntry) -> None:
        for subscription, event in self._events(watchers, entry):
            if entry.version <= self._place(subscription):
                continue
            problem = self._send(subscription, event)
            counted = self.tally.given_up if problem else self.tally.delivered
            if problem is None and self.stopping:
                return
            counted[subscription.name] = counted.get(subscription.name, 0) + 1
            if problem:
                self._outbox.give_up(subscription.name, entry.version, event, problem)
                self._places[subscription.name] = entry.version
            else:
                self._outbox.delivered(subscription.name, entry.version, self._store.clock.now())
                self._places[subscription.name] = entry.version

    def _send(self, subscription: Subscription, event: Event) -> str | None:
        """Send an event, with retries; return why it was given up, None if it was delivered or the runner must stop."""
        send = self._sender(subscription)
        problem = ""
        for pause in (*_pauses(), None):
            try:
                send(event)
                return None
            except RefusedError as error:
                return error.message
            except NotDeliveredError as error:
                problem = error.message
            if self.stopping or pause is None:
                break
            self._pause(pause)
        return f"tried {MAX_TRIES} times: {problem}"

    def resend(self, name: str | None) -> int:
        """Send the dead letters of one subscription, or of all, again; return how many were delivered."""
        deliverable = {each.name: each for each in self._deliverable(self._store.version)}
        done = 0
        for letter in self._outbox.undelivered(name):
            if (
                letter.subscription in deliverable
                and self._send(deliverable[letter.subscription], orjson.loads(letter.event)) is None
            ):
                self._outbox.forget(letter.subscription, letter.version)
                self._outbox.late(letter.subscription, letter.version, self._store.clock.now())
                done += 1
        return done


def deliver_notices(store: Store, events: Sequence[Event]) -> list[str]:
    """Deliver events of notices, each to its subject; return, in words, what could not be delivered.

    Notices go only to programs and addresses, not to streams or topics.
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


def _pauses() -> Iterator[float]:
    pause = FIRST_PAUSE
    for _ in range(MAX_TRIES - 1):
        yield pause
        pause = min(2 * pause, LONGEST_PAUSE)
