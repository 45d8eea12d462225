"""Records for topics: the forms of an event, and the current state as records and tombstones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from lineage_tt.events import CHANGED, Event
from lineage_tt.feed.records import VERSION_HEADER, bootstrap_records, record_of, state_records
from lineage_tt.model.answers import Basis, FeedEntry

EDGE = ("n:a#x", "n:b#y", "DIRECT", "IDENTITY", "")
EVENT: Event = {
    "specversion": "1.0", "id": "3", "source": "urn:s", "type": CHANGED, "subject": "t",
    "datacontenttype": "application/json", "data": {"version": 3},
}  # fmt: skip


def entry(*rectangles: tuple[Any, ...]) -> FeedEntry:
    """Version 5 of task t with these changes, as the log holds them."""
    return FeedEntry(5, 1_000_000, "t", "e", None, None, None, (), rectangles=rectangles)


class Stored:
    """A store that holds one edge for ever and one for a second."""

    id = "s"

    def basis(self, *, version: int | None = None) -> Basis:
        """The point of a version."""
        return Basis(0, version or 0, 1_000_000)

    def rectangles(self, version: int | None = None) -> Iterator[tuple[Any, ...]]:
        """Both edges."""
        yield ("t", *EDGE, 0, None)
        yield ("t", *EDGE, 0, 1_000_000)


def test_a_structured_record_is_the_whole_event() -> None:
    """Key is the subject; the version is a header, so that a consumer need not parse the value."""
    record = record_of(EVENT)

    assert record.key == b"t"
    assert orjson.loads(record.value or b"") == EVENT
    assert dict(record.headers)[VERSION_HEADER] == b"3"
    assert not record.state


def test_a_binary_record_has_its_attributes_as_headers_and_its_data_alone() -> None:
    """As CloudEvents' Kafka binding has it: ``ce_`` and the attribute's name."""
    record = record_of(EVENT, binary=True)
    headers = dict(record.headers)

    assert orjson.loads(record.value or b"") == {"version": 3}
    assert headers["content-type"] == b"application/json"
    assert headers["ce_type"] == CHANGED.encode()
    assert {"ce_data", "ce_datacontenttype"} & set(headers) == set()


def test_what_a_version_adds_and_takes_away_at_once_is_no_change() -> None:
    """A minus and a plus of one rectangle add up to nothing, so the topic is not written."""
    assert list(state_records(entry((1, *EDGE, 0, None), (-1, *EDGE, 0, None)), "s")) == []


def test_a_stretch_that_ends_is_a_tombstone_for_the_key_that_began_it() -> None:
    """The key of the minus is that of the plus; a stretch with another end has another key."""
    [added] = state_records(entry((1, *EDGE, 0, None)), "s")
    removed, shorter = state_records(entry((-1, *EDGE, 0, None), (1, *EDGE, 0, 9)), "s")

    assert removed.key == added.key != shorter.key
    assert removed.value is None
    assert added.state
    assert removed.state
    assert orjson.loads(added.value or b"")["data"]["valid_to"] is None


def test_bootstrapped_records_have_the_keys_of_those_that_end_them() -> None:
    """A consumer that begins with the whole state understands the tombstones that follow."""
    first, second = bootstrap_records(Stored(), 4)
    ended = [record.key for record in state_records(entry((-1, *EDGE, 0, None)), "s")]

    assert [first.key] == ended
    assert second.key != first.key
    assert orjson.loads(first.value or b"")["data"]["op"] == "r"
