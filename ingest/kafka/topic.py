"""A topic of task changes as a member of a consumer group reads it, from where the store's log says.

The broker's own committed offsets are written only for tools that watch lag. The log alone decides where to read on:
its commits hold the offsets together with the rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from lineage_tt.kafka.library import load
from lineage_tt.kafka.reader import open_consumer
from lineage_tt.kafka.settings import Topic
from lineage_tt.kafka.topics import describe, unavailable
from lineage_tt.model.errors import LineageError, UnavailableError
from lineage_tt.model.messages import SourcePosition

#: How long to wait for a broker at the start before retrying, in milliseconds.
BOOTSTRAP_MS: Final = 5_000
#: How long a client may take to learn a topic's partitions, in seconds.
METADATA_LIMIT: Final = 10.0
#: A member that sends no heartbeat for this many milliseconds loses its partitions to the others.
SESSION_MS: Final = 10_000


class LostMessagesError(LineageError):
    """The topic no longer holds messages that the store has not read."""

    kind = "gap"


class TaskTopic:
    """A consumer group's member. ``position`` returns how far the log holds a partition; it is asked at each rebalance.

    ``poll`` gives records by partition; ``rebalanced`` counts how often partitions were assigned or revoked, and
    ``revoked`` holds those revoked since it was last emptied.
    """

    def __init__(
        self, topic: Topic, group: str, position: Callable[[str], SourcePosition | None], *, accept_loss: bool = False
    ) -> None:
        self.topic, self.group = topic, group
        self._position = position
        self._accept_loss = accept_loss
        self._kafka = load()
        self._latest = topic.options.get("auto_offset_reset") == "latest"
        described = describe(topic)
        self._identity = described.identity
        self._source = f"kafka://{described.cluster}/{topic.name}"
        self._unplaced: set[Any] = set()
        self.revoked: set[Any] = set()
        self.rebalances = 0
        self._begun = time.monotonic()
        self._consumer = open_consumer(topic, described, **self._settings())
        try:
            self._subscribe()
        except BaseException:
            self.close()
            raise

    def _subscribe(self) -> None:
        """Subscribe once the client knows the topic's partitions.

        A group whose leader joins without knowing them learns that there are none, and joins again.
        """
        self._consumer.subscribe([self.topic.name], listener=self._listener())
        deadline = time.monotonic() + METADATA_LIMIT
        while not self._consumer._cluster.partitions_for_topic(self.topic.name):
            if time.monotonic() >= deadline:
                raise unavailable(self.topic, self._kafka.errors.KafkaTimeoutError("no metadata of the topic"))
            time.sleep(0.01)

    def _settings(self) -> dict[str, Any]:
        options = self.topic.options
        session = options.get("session_timeout_ms", SESSION_MS)
        return {
            "group_id": self.group,
            "bootstrap_timeout_ms": options.get("bootstrap_timeout_ms", BOOTSTRAP_MS),
            "session_timeout_ms": session,
            "heartbeat_interval_ms": options.get("heartbeat_interval_ms", min(3_000, session // 3)),
            "max_poll_records": options.get("max_poll_records", 10_000),
        }

    @property
    def config(self) -> dict[str, Any]:
        """The consumer's effective settings, secrets among them."""
        settings: dict[str, Any] = self._consumer.config
        return settings

    def source(self, part: Any) -> str:
        """Return the name under which the log keeps a partition's place."""
        return f"{self._source}/{part.partition}"

    def place(self, part: Any, offset: int) -> SourcePosition:
        """Return the position in a partition after which ``offset`` is the next to be read."""
        return SourcePosition(self.source(part), offset, self._identity)

    @property
    def unplaced(self) -> bool:
        """Whether new partitions must be put at their place before they are read."""
        return bool(self._unplaced)

    def seek(self) -> None:
        """Put newly assigned partitions at the place that the log holds.

        Raises LostMessagesError where retention took messages that the log does not have, unless loss is accepted.
        """
        try:
            for part in sorted(self._unplaced & self._consumer.assignment()):
                begin = self._consumer.beginning_offsets([part])[part]
                end = self._consumer.end_offsets([part])[part]
                if part in self._consumer.assignment():
                    self._consumer.seek(part, self._start(part, begin, end))
                    self._consumer.resume(part)
                self._unplaced.discard(part)
        except self._kafka.errors.KafkaTimeoutError:
            return  # the broker is away; what is not placed stays paused, and is placed when it is back
        except self._kafka.errors.KafkaError as error:
            raise unavailable(self.topic, error) from error

    def _start(self, part: Any, begin: int, end: int) -> int:
        known = self._position(self.source(part))
        if known is None or known.digest != self._identity:  # never read, or another topic of the same name
            return end if self._latest else begin
        if begin <= known.offset <= end:
            return known.offset
        if self._accept_loss:
            return begin if known.offset < begin else end
        lost = f"offsets {known.offset} to {begin - 1} of partition {part.partition} of {part.topic}"
        if known.offset > end:
            lost = f"partition {part.partition} of {part.topic} ends at {end}, before {known.offset}: what was after it"
        raise LostMessagesError(
            f"{lost} is gone, and was not read into this store",
            hint="send those messages again, then continue with --accept-loss",
        )

    def poll(self, timeout: float, most: int) -> dict[Any, list[Any]]:
        """Return what has come, by partition, waiting at most ``timeout`` seconds for the first record."""
        self._finish_join()
        try:
            polled: dict[Any, list[Any]] = self._consumer.poll(int(timeout * 1000), most)
        except self._kafka.errors.OffsetOutOfRangeError:
            self._unplaced |= self._consumer.assignment()  # retention was faster; placing says what is lost
            return {}
        except self._kafka.errors.KafkaError as error:
            if getattr(error, "retriable", False):
                return {}
            raise unavailable(self.topic, error) from error
        return {part: records for part, records in polled.items() if part not in self._unplaced}

    def _finish_join(self) -> None:
        """Have the next poll take up a join of the group that the last one left unfinished.

        kafka-python 3.0.12 forgets it where new metadata was the reason and this member leads the group: the member
        then waits without partitions and sends no heartbeats, for ever.
        """
        coordinator = self._consumer._coordinator
        if coordinator.rebalance_in_progress():
            coordinator.request_rejoin()

    def commit(self, offsets: dict[Any, int], *, wait: bool = False) -> None:
        """Commit to the broker how far the log holds the topic, for tools that watch lag; the log is what counts."""
        committed = {part: self._kafka.OffsetAndMetadata(offset, "", -1) for part, offset in offsets.items()}
        committed = {part: place for part, place in committed.items() if part in self._consumer.assignment()}
        if not committed:
            return
        try:
            if wait:
                self._consumer.commit(committed, timeout_ms=3000)
            else:
                self._consumer.commit_async(committed)
        except self._kafka.errors.KafkaError:
            pass  # another member has the partitions now, or the broker is away

    def lag(self) -> int | None:
        """Return how many records of this member's partitions it has not fetched; None: not known yet."""
        waiting = 0
        for part in self._consumer.assignment():
            high = self._consumer.highwater(part)
            if high is None or part in self._unplaced:
                return None
            waiting += max(0, high - self._at(part))
        return waiting

    @property
    def partitions(self) -> int:
        """How many partitions are this member's."""
        return len(self._consumer.assignment())

    def ends(self) -> dict[Any, int]:
        """Return where the assigned partitions end now."""
        parts = sorted(self._consumer.assignment())
        result: dict[Any, int] = self._consumer.end_offsets(parts) if parts else {}
        return result

    def past(self, ends: dict[Any, int]) -> bool:
        """Return whether everything before these ends, of what is assigned, was fetched."""
        if self.unplaced:
            return False
        parts = self._consumer.assignment()
        return all(part in ends and self._at(part) >= ends[part] for part in parts)

    def joined(self) -> bool:
        """Return whether the group has assigned partitions to this member, even none."""
        state = self._consumer.group_metadata().state
        return bool(self._consumer.assignment()) or (state == "<stable>" and time.monotonic() - self._begun > 3)

    def close(self) -> None:
        """Leave the group."""
        self._consumer.close(autocommit=False, timeout_ms=3000)

    def _at(self, part: Any) -> int:
        state = self._consumer._subscription.assignment.get(part)
        return state.position.offset if state is not None and state.position is not None else 0

    def _assigned(self, parts: Sequence[Any]) -> None:
        """Hold new partitions back until they are at their place; called in the client's own thread."""
        self.rebalances += 1
        self._unplaced |= set(parts)
        for part in parts:
            self._consumer.pause(part)
            self._consumer.seek(part, 0)  # any place will do: without one the client would ask the broker for it

    def _gone(self, parts: Sequence[Any]) -> None:
        self.revoked |= set(parts)
        self._unplaced -= set(parts)

    def _listener(self) -> Any:
        topic = self

        class Listener(self._kafka.ConsumerRebalanceListener):  # type: ignore[misc, name-defined]
            def on_partitions_assigned(self, assigned: Sequence[Any]) -> None:
                topic._assigned(assigned)

            def on_partitions_revoked(self, revoked: Sequence[Any]) -> None:
                topic._gone(revoked)

            def on_partitions_lost(self, lost: Sequence[Any]) -> None:
                topic._gone(lost)

        return Listener()


def connect(
    open_topic: Callable[[], TaskTopic], stopped: Callable[[], bool], patience: float, tell: Callable[[str], None]
) -> TaskTopic | None:
    """Return an opened topic, trying for ``patience`` seconds; None where it was stopped meanwhile.

    ``tell`` is called with the reason of a failure.
    """
    deadline = time.monotonic() + patience
    pause = 0.1
    while not stopped():
        try:
            return open_topic()
        except UnavailableError as error:
            if time.monotonic() >= deadline:
                raise
            tell(error.message)
        time.sleep(pause)
        pause = min(2 * pause, 2.0)
    return None
