"""Answers as JSON."""

from __future__ import annotations

import datetime as dt
import json
import math
from decimal import Decimal
from uuid import UUID

import pytest

from lineage_tt.cli.render.objects import INSTANTS, cell, dead_letter_object, dumps
from lineage_tt.model.answers import Belief, DeadLetter, EdgeAsOf, LogEntry, TaskAsOf


@pytest.mark.parametrize(
    ("value", "made"),
    [
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (math.nan, "NaN"),
        (Decimal("1.10"), "1.10"),
        (b"\x00\xff", "00ff"),
        (dt.date(2024, 2, 29), "2024-02-29"),
        (dt.datetime(2024, 2, 29, 1, 2), "2024-02-29T01:02:00"),  # noqa: DTZ001
        (UUID(int=0), "00000000-0000-0000-0000-000000000000"),
        ({"a": [Decimal(1), (b"a",)]}, {"a": ["1", ["61"]]}),
        ({1: None}, {"1": None}),
        (2**80, 2**80),
        (True, True),
    ],
)
def test_every_value_of_duckdb_has_a_json_form(value: object, made: object) -> None:
    """Values that JSON has no form for become text, and nothing raises."""
    assert cell(value) == made
    assert json.loads(dumps(cell(value))) == made


def test_every_instant_of_an_answer_is_written_as_iso() -> None:
    """The fields that hold instants, of all answers, are those that are converted."""
    fields = {name for answer in (EdgeAsOf, TaskAsOf, Belief, LogEntry, DeadLetter) for name in answer._fields}

    timed = {name for name in fields if name.endswith(("_at", "_time", "_from", "_to"))}
    assert timed - {"derived_from"} == INSTANTS  # which is a version


def test_a_dead_letter_that_is_not_text_is_shown_as_hex() -> None:
    """Bytes that are not UTF-8 are given as hex, others as text."""
    letter = DeadLetter(1, 0, "not-json", "", None, None, None, None, b"\xff", None)

    assert dead_letter_object(letter, whole=True)["raw_hex"] == "ff"
    assert dead_letter_object(letter._replace(raw=b"a"), whole=True)["raw"] == "a"
    assert "raw" not in dead_letter_object(letter, whole=False)
