"""``relay``, and helpers for commands that run until they are stopped, such as ``ingest`` of a topic."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, Final, Protocol

import typer

from lineage_tt.cli.calls import Call, FormatOption, StoreOption, verb
from lineage_tt.cli.commands.governance.shared import LabelsBeside, LabelsOption, RulesOption, SceneOption, label_events
from lineage_tt.cli.render import objects
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.names import shown

if TYPE_CHECKING:
    from ingest.batches import Summary
    from ingest.kafka.ingest import Status
    from ingest.messages.mapping import FieldMapping
    from lineage_tt.feed.relay import Progress

KAFKA: Final = "kafka://"
#: How often a running command reports its progress, in seconds.
REPORT_EVERY: Final = 10.0
#: Seconds that a stopped command has to end regularly; nothing acknowledged is lost either way.
ENDING_GRACE: Final = 9.0

OptionsOption = Annotated[
    list[str] | None,
    typer.Option("--kafka-option", metavar="NAME=VALUE", help="Kafka client setting; secret as env:NAME or file:PATH."),
]


class Stoppable(Protocol):
    """A process that runs until ``stopping`` is set."""

    stopping: bool


@contextmanager
def until_stopped(running: Stoppable) -> Iterator[None]:
    """Stop ``running`` on SIGTERM; end the process if that takes too long."""

    def stop(number: int, frame: FrameType | None) -> None:
        running.stopping = True
        late = threading.Timer(ENDING_GRACE, os._exit, [0])
        late.daemon = True
        late.start()

    before, thresholds = signal.signal(signal.SIGTERM, stop), gc.get_threshold()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)  # millions of short-lived values, hardly any of them in a cycle
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        signal.signal(signal.SIGTERM, before)


class ProgressReporter:
    """Prints the progress of a command on standard error every ten seconds, and problems at once."""

    def __init__(self, name: str, quiet: bool) -> None:
        self._name, self._quiet = name, quiet
        self._printed_at = time.monotonic()
        self._done = 0
        self._problem = ""

    def of_ingest(self, status: Status) -> None:
        """Show the progress of an ingest."""
        lag = "lag unknown" if status.lag is None else f"lag {status.lag:,}"
        self._report(status.done, f"messages in the log, {lag}, {status.partitions} partitions", status.problem)

    def of_relay(self, progress: Progress) -> None:
        """Show the progress of a relay."""
        words = f"versions sent, at version {progress.at:,} of {progress.version:,}, lag {progress.lag:,}"
        self._report(progress.sent, words, progress.problem)

    def _report(self, done: int, words: str, problem: str) -> None:
        now = time.monotonic()
        seconds = now - self._printed_at
        if problem == self._problem and seconds < REPORT_EVERY:
            return
        if not self._quiet:
            rate = (done - self._done) / seconds if seconds > 0 else 0.0
            trouble = f": {shown(problem)}" if problem else ""
            print(f"{self._name}: {done:,} {words}, {rate:,.0f}/s{trouble}", file=sys.stderr, flush=True)
        self._printed_at, self._done, self._problem = now, done, problem


def ingest_topic(
    call: Call,
    uri: str,
    fields: FieldMapping | None,
    *,
    group: str | None,
    options: list[str] | None,
    until_end: bool,
    accept_loss: bool,
    workers: int,
    batch: int,
    quiet: bool,
) -> tuple[dict[str, Any], Summary]:
    """Ingest a topic until stopped; return the basis and the summary."""
    from ingest.kafka.ingest import KafkaIngester
    from lineage_tt.kafka.settings import read_topic

    topic = read_topic(uri, options or ())
    store = call.create()
    ingester = KafkaIngester(
        store,
        topic,
        group=group,
        mapping=fields,
        workers=workers,
        batch=batch,
        accept_loss=accept_loss,
        watch=ProgressReporter(topic.uri, quiet).of_ingest,
    )
    with until_stopped(ingester):
        summary = ingester.run(until_end=until_end)
    return objects.known_by(store.basis()), summary


def relay(
    ctx: typer.Context,
    topic: Annotated[str, typer.Argument(metavar="KAFKA://HOST:PORT/TOPIC", help="Topic for the changes.")],
    state_topic: Annotated[
        str | None, typer.Option("--state-topic", metavar="TOPIC", help="Also write the current state to this topic.")
    ] = None,
    binary: Annotated[
        bool, typer.Option("--binary", help="CloudEvents in binary mode: attributes in headers.")
    ] = False,
    openlineage: Annotated[
        bool, typer.Option("--openlineage", help="Send OpenLineage events instead of our own.")
    ] = False,
    labels: LabelsOption = False,
    scene: SceneOption = None,
    rules: RulesOption = None,
    after: Annotated[
        int | None, typer.Option(metavar="V", min=0, help="If the topic is empty: start after this version.")
    ] = None,
    create_topics: Annotated[bool, typer.Option("--create-topics", help="Create missing topics.")] = False,
    until_end: Annotated[
        bool, typer.Option("--until-end", help="Stop when the topic has all versions of the log.")
    ] = False,
    options: OptionsOption = None,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Print nothing until the summary.")] = False,
    store: StoreOption = None,
    output: FormatOption = None,
) -> None:
    """Send the changes of each version to a Kafka topic.

    Each version is sent once, and in order. The position is stored in the topic. A second relay to the same topic takes
    over, and the first one ends.
    """
    call = Call.of(ctx, store, output)
    LabelsBeside(labels, scene, rules, "openlineage" if openlineage else "events")  # rejects invalid combinations
    if openlineage and binary:
        raise InvalidRequestError("--binary is for CloudEvents, not for OpenLineage events", hint="leave it out")
    from lineage_tt.feed.openlineage import OpenLineageFeed, openlineage_records
    from lineage_tt.feed.relay import Relay
    from lineage_tt.kafka.outlet import KafkaOutlet
    from lineage_tt.kafka.settings import read_topic
    from lineage_tt.kafka.topics import create

    changes = read_topic(topic, options or ())
    state = _state_topic(changes.uri, changes.name, state_topic, options)
    opened = call.open(writing=True)
    if create_topics:
        create(changes, 1, {"cleanup.policy": "delete", "retention.ms": "-1"})
        if state:
            create(state, 1, {"cleanup.policy": "compact"})
    running = Relay(
        opened,
        lambda: KafkaOutlet(changes, state),
        state=state is not None,
        binary=binary,
        write=partial(openlineage_records, feed=OpenLineageFeed(opened), store_id=opened.id) if openlineage else None,
        beside=label_events(opened, rules, scene) if labels else None,
        after=after,
        watch=ProgressReporter(changes.uri, no_progress).of_relay,
    )
    with until_stopped(running):
        done = running.run(until_end=until_end, max_failures=5 if until_end else None)
    if call.output == "json":
        result = {"topic": changes.uri, "sent": done.sent, "version": done.at, "lag": done.lag}
        call.write_answer(objects.known_by(opened.basis()), result)
    else:
        call.write([f"{call.ink.strong(changes.uri)}: {done.sent:,} versions sent, at version {done.at}"])


def _state_topic(uri: str, changes: str, name: str | None, options: list[str] | None) -> Any:
    """Return the topic of current state, on the cluster of the topic of changes."""
    from lineage_tt.kafka.settings import read_topic

    if name is None:
        return None
    if name.startswith(KAFKA):
        raise InvalidRequestError("--state-topic takes a name: it is on the same cluster", hint="give the name alone")
    return read_topic(uri.removesuffix(changes) + name, options or ())


VERBS = {"relay": verb("relay", relay)}
