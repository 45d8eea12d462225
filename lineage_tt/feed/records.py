"""Records for topics: an event of the feed as one record, and the current state as one record per edge."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, Protocol

import orjson

from lineage_tt.events import STATE, STATE_SCHEMA, Event, edge_object, encode, store_urn
from lineage_tt.model.answers import Basis, FeedEntry
from lineage_tt.model.times import format_instant

VERSION_HEADER: Final = "lineage-tt-version"


class Record(NamedTuple):
    """One record for a topic; with ``state``, for the topic of current state. Without a value it is a tombstone."""

    key: bytes
    value: bytes | None
    headers: list[tuple[str, bytes]]
    state: bool = False


class Fed(Protocol):
    """A store whose state fills a topic."""

    @property
    def id(self) -> str:
        """The store's identity."""

    def basis(self, *, version: int | None = None) -> Basis:
        """Return the point of a version."""

    def rectangles(self, version: int | None = None) -> Iterator[tuple[Any, ...]]:
        """Yield (task_id, source, target, type, subtype, expression, valid_from, valid_to) as known at a version."""


def record_of(event: Event, *, binary: bool = False) -> Record:
    """Return an event as a record: structured JSON or, in binary mode, only its data, with attributes in headers."""
    version = str(event["data"]["version"]).encode()
    key = str(event["subject"]).encode()
    if not binary:
        content = ("content-type", b"application/cloudevents+json; charset=UTF-8")
        return Record(key, encode(event), [content, (VERSION_HEADER, version)])
    names = (name for name in event if name not in ("data", "datacontenttype"))
    headers = [(f"ce_{name}", str(event[name]).encode()) for name in names]
    content = ("content-type", str(event["datacontenttype"]).encode())
    return Record(key, encode(event["data"]), [content, *headers, (VERSION_HEADER, version)])


def state_records(entry: FeedEntry, store_id: str) -> Iterator[Record]:
    """Yield what a version changes in the topic of current state: a record or a tombstone for each interval of an edge.

    A minus in the log removes a whole rectangle that an earlier plus added, so the topic need not be read.
    """
    sums: dict[tuple[object, ...], int] = {}
    for sign, *rectangle in entry.rectangles:
        key = tuple(rectangle)
        sums[key] = sums.get(key, 0) + sign
    for key, total in sums.items():
        if total:
            *edge, start, end = key
            yield _state_record(
                "insert" if total > 0 else None, entry.task_id or "", edge, (start, end), entry.version,
                format_instant(entry.system_time), store_id,
            )  # fmt: skip


def bootstrap_records(store: Fed, version: int) -> Iterator[Record]:
    """Yield the whole state as known at a version: what Debezium calls a read, ``op: r``."""
    time_known = format_instant(store.basis(version=version).system_time)
    for task, *edge, start, end in store.rectangles(version):
        yield _state_record("r", task, edge, (start, end), version, time_known, store.id)


def _state_record(
    op: str | None, task: str, edge: Iterable[object], stretch: tuple[object, object], version: int,
    known: str | None, store_id: str,
) -> Record:  # fmt: skip
    parts = [str(part) for part in edge]
    start, end = (format_instant(at) if isinstance(at, int) else None for at in stretch)
    key = orjson.dumps([task, *parts, start, end])
    headers = [(VERSION_HEADER, str(version).encode()), ("ce_source", store_urn(store_id).encode())]
    if op is None:
        return Record(key, None, headers, state=True)
    data = {
        "version": version,
        "system_time": known,
        "op": op,
        "before": None,
        "after": edge_object(task, parts),
        "valid_from": start,
        "valid_to": end,
    }
    event = {
        "specversion": "1.0",
        "id": f"{version}/{hashlib.sha256(key).hexdigest()[:32]}",
        "source": store_urn(store_id),
        "type": STATE,
        "subject": task,
        "time": known,
        "datacontenttype": "application/json",
        "dataschema": STATE_SCHEMA,
        "data": data,
    }
    headers = [("content-type", b"application/cloudevents+json; charset=UTF-8"), *headers]
    return Record(key, encode(event), headers, state=True)
