"""Answers as plain objects."""

from __future__ import annotations

import datetime
import math
from decimal import Decimal
from typing import Any

import orjson
import pytest

from lineage_tt.log.retention import Horizon
from lineage_tt.model.answers import Basis, DeadLetter, FactAsOf, FeedEntry, Lineage
from lineage_tt.model.edges import EdgeAsOf, Step
from lineage_tt.read.shapes import answer, cell, dead_letter_object, feed_object, known_by, lineage_result, record

EDGE = EdgeAsOf("t", "n:a#x", "n:b#y", "DIRECT", "IDENTITY", "", 3, 0, None)


def test_instants_are_text_and_open_ends_null() -> None:
    """All other fields are as they are; some may be left out."""
    found = record(FactAsOf("n:a", "label", "pii", "label", "l", 3, 0, None), without=["kind"])

    assert found["valid_from"] == "1970-01-01T00:00:00Z"
    assert found["valid_to"] is None
    assert found["version"] == 3
    assert "kind" not in found


def test_steps_are_written_as_records_are() -> None:
    """The fast form of an edge in a walk has the keys and values of the plain one."""
    [step] = lineage_result(Lineage(Basis(0, 3, 0), ("n:a#x",), (Step("down", 1, EDGE),)))["edges"]

    assert step == {"direction": "down", "steps": 1, "by_star": False, **record(EDGE)}


def test_an_answer_without_completeness_has_no_such_key() -> None:
    """Where it cannot be said, nothing is claimed."""
    assert answer({}, []) == {"basis": {}, "result": []}


def test_an_answer_over_all_valid_times_has_none() -> None:
    """And says from where on all is kept, where it goes over system time and something was dropped."""
    basis = Basis(5, 3, 0)

    assert known_by(basis) == {"valid_at": None, "version": 3, "system_time": "1970-01-01T00:00:00Z"}
    assert known_by(basis, Horizon(2, 0))["kept_from"] == {"version": 2, "system_time": "1970-01-01T00:00:00Z"}


def test_a_version_of_the_feed_has_signed_edges_and_facts() -> None:
    """Each change is an edge of its task with a sign; rectangles of the log are not shown."""
    entry = FeedEntry(3, 0, "t", "e", None, None, None, ((-1, *EDGE[1:6], 0, 1_000_000),),
                      facts=((1, "n:a", "label", "pii", 0, None),))  # fmt: skip
    found = feed_object(entry)

    assert found["changes"] == [{"sign": -1} | record(EDGE._replace(valid_to=1_000_000))]
    assert found["facts"][0] | {"sign": 1, "key": "label", "valid_to": None} == found["facts"][0]
    assert "rectangles" not in found


@pytest.mark.parametrize(("raw", "shown"), [("é".encode(), ("é", None)), (b"\xff\x00", (None, "ff00"))])
def test_a_dead_letters_bytes_are_text_or_hex(raw: bytes, shown: tuple[str | None, str | None]) -> None:
    """What is not UTF-8 is not lost; without ``whole`` only its size is shown."""
    letter = DeadLetter(1, 0, "c", "d", None, None, None, None, raw, None)
    found = dead_letter_object(letter, whole=True)

    assert (found["raw"], found["raw_hex"]) == shown
    assert dead_letter_object(letter, whole=False)["bytes"] == len(raw)
    assert "raw" not in dead_letter_object(letter, whole=False)


@pytest.mark.parametrize(
    ("value", "shown"),
    [(math.nan, "NaN"), (math.inf, "Infinity"), (-math.inf, "-Infinity"), (0.5, 0.5), (None, None), (True, True),
     (b"\x01", "01"), (memoryview(b"\x02"), "02"), ({1: (math.nan, b"a")}, {"1": ["NaN", "61"]}),
     (datetime.date(2026, 3, 5), "2026-03-05"), (Decimal("1.10"), "1.10"), (2**80, 2**80)],
    ids=lambda value: value.hex() if isinstance(value, memoryview) else repr(value),
)  # fmt: skip
def test_any_value_of_a_query_can_be_written_as_json(value: Any, shown: Any) -> None:
    """What JSON has no word for becomes text, inside lists and structures, too."""
    assert cell(value) == shown


def test_a_result_with_all_kinds_of_values_is_json() -> None:
    """orjson writes it without help."""
    assert orjson.dumps(cell([math.nan, {datetime.time(1): b"x"}])) == b'["NaN",{"01:00:00":"78"}]'
