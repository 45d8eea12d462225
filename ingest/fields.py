"""Kinds of fields that messages of every kind have: names, instants, counters."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from lineage_tt.names import MAX_NAME_BYTES
from lineage_tt.times import FIRST, LAST, parse_instant

Instant = Annotated[
    str | int,
    Field(
        union_mode="left_to_right",
        description="ISO 8601 with a zone (2024-05-01T08:00:00Z), or an integer: UTC microseconds",
        examples=["2024-05-01T08:00:00Z"],
    ),
]
#: At most ``MAX_NAME_BYTES`` of UTF-8; a schema can only count characters, the bytes are counted on admission.
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_BYTES)]


def instant(given: str | int | None) -> int | None:
    """Return UTC microseconds; ValueError for what is no instant, or one outside the years 0001 to 9999."""
    if given is None:
        return None
    found = given if isinstance(given, int) else parse_instant(given)
    if not FIRST <= found <= LAST:
        raise ValueError(f"{given} lies outside the years 0001 to 9999; integers are UTC microseconds")
    return found


def check_source_version(given: int | None) -> None:
    """Raise ValueError for a counter that does not fit."""
    if given is not None and not -(2**63) < given < 2**63:
        raise ValueError("source_version: does not fit in 64 bits")
