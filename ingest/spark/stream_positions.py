"""Whether a stream can continue: the log, the topic and the checkpoint each say how far it came."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from ingest.kafka.topic import LostMessagesError
from ingest.spark import kafka_source
from lineage_tt.kafka.settings import read_topic
from lineage_tt.model.errors import InvalidRequestError


def check_places(uri: str, settings: Sequence[str], starting: Mapping[int, int], checkpoint: str) -> None:
    """Raise an error where continuing would leave messages out.

    LostMessagesError: the topic no longer holds what follows the log. InvalidRequestError: the checkpoint is ahead of
    the log, because it belongs to another store or this store was restored to an earlier state.
    """
    topic = read_topic(uri, settings)
    begins = kafka_source.offsets_of(topic, beginning=True)
    for number, offset in starting.items():
        if offset < begins.get(str(number), 0):
            raise LostMessagesError(
                f"offsets {offset} to {begins[str(number)] - 1} of partition {number} of {topic.name} are gone, and "
                "were not read into this store",
                hint="send those messages again, then continue with lineage-tt ingest --accept-loss",
            )
    for name, planned in planned_offsets(checkpoint).items():
        number = int(name)
        at = starting.get(number, begins.get(name, 0))
        if planned > at and kafka_source.holds_records(topic, number, at, planned):
            raise InvalidRequestError(
                f"the checkpoint {checkpoint} is at offset {planned} of partition {number}, the log at {at}: it "
                "belongs to another store, or to a later state of this one",
                hint="remove that folder: the log holds the position to continue from",
            )


def planned_offsets(checkpoint: str) -> dict[str, int]:
    """Return how far a checkpoint says that micro-batches are done, by partition; nothing where there is none yet."""
    folder = Path(checkpoint.removeprefix("file://"))
    done = [int(path.name) for path in (folder / "commits").glob("[0-9]*")]
    path = folder / "offsets" / str(max(done, default=-1))
    if not path.is_file():
        return {}
    document: dict[str, int] = json.loads(path.read_text(encoding="utf-8").splitlines()[-1])
    return document
