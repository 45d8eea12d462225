"""Where the relay writes: an idempotent, transactional producer; the end of the topic shows how far it has come."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Final

from lineage_tt.events import CHANGED, LABELS_CHANGED
from lineage_tt.feed.records import VERSION_HEADER, Record
from lineage_tt.feed.relay import FencedError, OutletError, Place
from lineage_tt.kafka.library import load
from lineage_tt.kafka.reader import assign, event_in, last_record, open_consumer
from lineage_tt.kafka.settings import Topic
from lineage_tt.kafka.topics import Described, describe
from lineage_tt.model.errors import CorruptError, InvalidRequestError, UnavailableError
from lineage_tt.storage import failpoints

#: The broker ends a transaction that a dead relay left open after this time; the next relay ends it at once.
TRANSACTION_MS: Final = 60_000
#: The greatest size of a record's key, headers and framing, without the event.
FRAMING: Final = 16_384
#: How long to wait for the broker in one step, in seconds.
PATIENCE: Final = 10.0
#: Errors that a retry does not fix.
_HOPELESS: Final = frozenset(
    {
        *("KafkaConfigurationError", "SaslAuthenticationFailedError", "UnsupportedSaslMechanismError"),
        *("TopicAuthorizationFailedError", "ClusterAuthorizationFailedError", "GroupAuthorizationFailedError"),
        *("TransactionalIdAuthorizationFailedError", "MessageSizeTooLargeError", "InvalidTopicError"),
        *("NoOffsetForPartitionError", "IncompatibleBrokerVersion", "UnsupportedVersionError"),
    }
)


class KafkaOutlet:
    """The topics of one relay. Opening them fences any other relay of the same topic."""

    def __init__(self, topic: Topic, state: Topic | None = None, *, transactional_id: str | None = None) -> None:
        self._topic, self._state = topic, state
        self._kafka = load()
        self._producer: Any = None
        try:
            self._described = describe(topic)
            self._state_described = describe(state) if state else None
        except UnavailableError as error:
            raise OutletError(error.message, hint=error.hint) from error
        _check(topic, self._described, state, self._state_described)
        limits = [d.max_bytes for d in (self._described, self._state_described) if d]
        self.max_bytes = max(1_024, self._described.max_bytes - FRAMING)
        settings = topic.client(
            self._kafka.KafkaProducer.DEFAULT_CONFIG,
            client_id="lineage-tt-relay",
            transactional_id=transactional_id or f"lineage-tt.relay.{topic.name}",
            enable_idempotence=True,
            acks="all",
            transaction_timeout_ms=TRANSACTION_MS,
            max_request_size=max(limits),
            max_block_ms=int(1000 * PATIENCE),
            allow_auto_create_topics=False,
            metrics_enabled=False,
        )
        settings.setdefault("batch_size", 256 * 1024)
        settings.setdefault("retry_backoff_ms", 20)  # also the interval of waiting for the last transaction to end
        try:
            self._producer = self._kafka.KafkaProducer(**settings)
            self._producer.init_transactions()
        except Exception as error:
            self.close()
            raise self._ours(error) from error

    @property
    def config(self) -> dict[str, Any]:
        """The producer's effective settings, including secrets."""
        settings: dict[str, Any] = self._producer.config
        return settings

    def place(self, source: str) -> Place:
        """Return how far the topics are filled; refuse topics that hold another store's events."""
        try:
            changes, used = self._filled(self._topic, self._described, source)
            state = None
            if self._state and self._state_described:
                state, _ = self._filled(self._state, self._state_described, source)
        except self._kafka.errors.KafkaError as error:
            raise self._ours(error) from error
        return Place(changes, state, emptied=changes is None and used)

    def publish(self, records: Iterable[Record]) -> None:
        """Write records in one transaction; all of them are committed when it returns.

        Raises FencedError where another relay has taken over, OutletError where the broker did not take them.
        """
        names = self._topic.name, self._state.name if self._state else ""
        try:
            self._producer.begin_transaction()
            sent = [
                self._producer.send(names[record.state], record.value, key=record.key, headers=record.headers)
                for record in records
            ]
            failpoints.reach("q1:after")
            failpoints.reach("q2:before")
            self._within(PATIENCE, self._producer.commit_transaction)
            for future in sent:
                if future.failed():
                    raise future.exception
        except Exception as error:
            ours = self._ours(error)
            if not isinstance(ours, (OutletError, FencedError)):  # connecting again ends the transaction
                with suppress(Exception):
                    self._within(2.0, self._producer.abort_transaction)
            raise ours from error

    def _within(self, seconds: float, step: Callable[[], None]) -> None:
        """Run a step for which kafka-python would wait forever after the broker was killed and restarted."""
        outcome: list[BaseException | None] = []

        def take() -> None:
            try:
                step()
                outcome.append(None)
            except BaseException as error:  # raised in the waiting thread
                outcome.append(error)

        thread = threading.Thread(target=take, daemon=True)
        thread.start()
        thread.join(seconds)
        if not outcome:
            raise OutletError(f"the broker did not answer within {seconds:.0f} s", hint="it is retried")
        if outcome[0] is not None:
            raise outcome[0]

    def close(self) -> None:
        """Close the producer; what is not committed is discarded."""
        if self._producer is not None:
            with suppress(Exception):
                self._producer.close(timeout=1)
            with suppress(Exception):  # kafka-python fails to close while records are still to be sent
                self._producer._sender.force_close()
            self._producer = None

    def _filled(self, topic: Topic, described: Described, source: str) -> tuple[int | None, bool]:
        """Return the greatest version in a topic, None where there is none, and whether it ever held any record."""
        consumer = open_consumer(topic, described)
        try:
            parts = [self._kafka.TopicPartition(topic.name, number) for number in described.partitions]
            begins, ends = assign(consumer, parts)
            greatest: int | None = None
            for part in parts:
                record = last_record(consumer, part, begins[part], ends[part])
                if record is not None:
                    greatest = max(greatest or 0, _version_of(record, source, compacted=described.compacted))
            return greatest, any(begins.values())
        finally:
            consumer.close(autocommit=False, timeout_ms=2000)

    def _ours(self, error: Exception) -> Exception:
        """Return our error for an error of the client: fenced, or to be tried again."""
        if isinstance(error, (FencedError, OutletError, InvalidRequestError)):
            return error
        if _fenced(error):
            return FencedError(
                f"another relay has taken over {self._topic.name}", hint="run one relay for a topic; this one ends"
            )
        if not isinstance(error, self._kafka.errors.KafkaError):
            return error
        words = " ".join(str(error).split()) or type(error).__name__
        if type(error).__name__ in _HOPELESS:
            return UnavailableError(
                f"{','.join(self._topic.servers)} rejects: {words[:300]}",
                hint="check the settings, the permissions of this client, and the limits of the topic",
            )
        return OutletError(f"{','.join(self._topic.servers)} accepted nothing: {words[:300]}", hint="it is retried")


_FENCED: Final = ("ProducerFencedError", "InvalidProducerEpochError")


def _fenced(error: BaseException | None) -> bool:
    """Return whether an error, or its cause, is the broker's report that a newer producer exists."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if type(error).__name__ in _FENCED or any(
            name in str(error) for name in _FENCED
        ):  # kafka-python may only quote the broker's error
            return True
        inner = [arg for arg in error.args if isinstance(arg, BaseException)]
        error = inner[0] if inner else error.__cause__ or error.__context__
    return False


def _version_of(record: Any, source: str, *, compacted: bool) -> int:
    """Return the version that a record belongs to; InvalidRequestError where it is another store's."""
    headers = dict(record.headers)
    if VERSION_HEADER not in headers:
        raise InvalidRequestError(f"{record.topic} holds records that no relay wrote", hint="relay to another topic")
    version = int(headers[VERSION_HEADER])
    if "ce_source" in headers:
        actual = headers["ce_source"].decode()
    else:
        event = event_in(record)
        if not compacted and event["type"] not in (CHANGED, LABELS_CHANGED):
            raise CorruptError(f"{record.topic} holds {event['type']}", hint="relay to another topic")
        actual = event["source"]
    if actual != source:
        raise InvalidRequestError(
            f"{record.topic} holds the events of another store ({actual})", hint="relay to another topic"
        )
    return version


def _check(topic: Topic, described: Described, state: Topic | None, state_described: Described | None) -> None:
    if described.compacted:
        raise InvalidRequestError(
            f"{topic.name} is compacted: of a task it would keep the last version only",
            hint="set its cleanup.policy to delete, or name it as --state-topic",
        )
    if state and state_described and not state_described.compacted:
        raise InvalidRequestError(
            f"{state.name} is not compacted: it would grow without end", hint="set its cleanup.policy to compact"
        )
    if state and state.name == topic.name:
        raise InvalidRequestError("changes and state need two different topics", hint="name another")
