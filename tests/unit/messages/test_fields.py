"""Kinds of fields that messages of every kind have."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from ingest.messages.fields import TIMES_VARIABLE, Instant, Integer, Name, check_source_version, instant
from lineage_tt.model.names import MAX_NAME_BYTES
from lineage_tt.model.times import FIRST, LAST


@pytest.mark.parametrize(
    ("given", "expected"),
    [(None, None), (0, 0), (FIRST, FIRST), (LAST, LAST), ("2024-05-01T12:00:00Z", 1_714_564_800_000_000),
     (-86_400_000_000, -86_400_000_000)],
)  # fmt: skip
def test_an_instant_is_utc_microseconds(given: Any, expected: int | None) -> None:
    """Or text with a zone."""
    assert instant(given) == expected


@pytest.mark.parametrize(
    ("given", "meant"),
    [(1_714_564_800, "as seconds it would be 2024-05-01T12:00:00Z"),
     (1_714_564_800_000, "as milliseconds it would be 2024-05-01T12:00:00Z"),
     (1_714_564_800_000_000_000, "as nanoseconds, or milliseconds taken for seconds, it would be 2024-05-01T12:00:00Z"),
     ("1970-01-20T20:16:04.800000Z", "probably made of a number in a wrong unit")],
)  # fmt: skip
def test_a_time_in_a_wrong_unit_is_rejected_with_the_one_that_was_meant(given: Any, meant: str) -> None:
    """In the first weeks of 1970 no real change takes effect."""
    with pytest.raises(ValueError, match=meant.replace(".", r"\.")):
        instant(given)


def test_such_times_are_accepted_where_they_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    """But not those outside of the years that there are."""
    monkeypatch.setenv(TIMES_VARIABLE, "any")

    assert instant(1_714_564_800) == 1_714_564_800
    with pytest.raises(ValueError, match="outside the years"):
        instant(LAST + 1)


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [(Integer, [1, "2", -3], [True, "x", 1.5, None]), (Instant, [5, "now"], [True, None, []]),
     (Name, ["a", "é" * 10], ["", "x" * (MAX_NAME_BYTES + 1), 5])],
)  # fmt: skip
def test_fields_take_what_they_say(kind: Any, good: list[Any], bad: list[Any]) -> None:
    """JSON's true is not a number, though Python counts it as 1."""
    adapter = TypeAdapter(kind)
    for each in good:
        adapter.validate_python(each)
    for each in bad:
        with pytest.raises(ValidationError):
            adapter.validate_python(each)


@pytest.mark.parametrize(
    ("given", "fits"), [(None, True), (0, True), (2**63 - 1, True), (2**63, False), (-(2**63), False)]
)
def test_a_counter_has_64_bits(given: int | None, fits: bool) -> None:
    """The least of them stands before every counter."""
    if fits:
        check_source_version(given)
    else:
        with pytest.raises(ValueError, match="64 bits"):
            check_source_version(given)
