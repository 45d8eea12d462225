"""Kinds of fields that messages of every kind have: names, instants, counters; edges."""

from __future__ import annotations

import os
from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import BeforeValidator, Field
from typing_extensions import TypedDict

from lineage_tt.model.edges import SUBTYPES, EdgeTuple
from lineage_tt.model.names import MAX_NAME_BYTES
from lineage_tt.model.times import FIRST, LAST, format_instant, parse_instant


def _no_truth(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("must be a whole number")
    return value


def _time(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("must be a time: ISO 8601 with a zone, or UTC microseconds as an integer")
    return value


#: An integer, or a string of one; JSON's ``true`` is none, though Python counts it as 1.
Integer = Annotated[int, BeforeValidator(_no_truth)]
Instant = Annotated[
    str | int,
    Field(
        union_mode="left_to_right",
        description="ISO 8601 with a zone (2024-05-01T08:00:00Z), or an integer: UTC microseconds",
        examples=["2024-05-01T08:00:00Z"],
    ),
    BeforeValidator(_time),
]
#: At most ``MAX_NAME_BYTES`` of UTF-8; a schema can only count characters, the bytes are counted on admission.
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_BYTES)]


#: The seconds, and the milliseconds, since 1970 of the years 1990 to 2099. Read as microseconds, all of them fall into
#: the first weeks of 1970, where no real change is.
_SECONDS: Final = range(631_152_000, 4_102_444_800)
_WRONG_UNIT: Final = range(_SECONDS.start, _SECONDS.stop * 1_000)
#: Set to ``any`` to accept such times in this process and its children.
TIMES_VARIABLE: Final = "LINEAGE_TT_TIMES"


def instant(value: str | int | None) -> int | None:
    """Return UTC microseconds; ValueError for what is not an instant, or for an instant in a wrong unit.

    The unit is wrong where the instant is outside the years 0001 to 9999, or in the weeks of 1970 into which seconds
    and milliseconds fall when they are taken for microseconds (unless LINEAGE_TT_TIMES is ``any``).
    """
    if value is None:
        return None
    result = value if isinstance(value, int) else parse_instant(value)
    if not FIRST <= result <= LAST:
        raise ValueError(
            f"{value} lies outside the years 0001 to 9999; integers are UTC microseconds, in a mapping the unit that "
            "it says" + _meant(result)
        )
    if result in _WRONG_UNIT and os.environ.get(TIMES_VARIABLE) != "any":
        as_text = isinstance(value, str)
        number = f"{format_instant(result)}: integers are UTC microseconds"
        problem = "probably made of a number in a wrong unit" if as_text else number
        advice = "Correct what writes it" if as_text else "Multiply it, or give its unit in the mapping"
        raise ValueError(f"{value} is {problem}{_meant(result)}. {advice}; {TIMES_VARIABLE}=any accepts such times")
    return result


def _meant(microseconds: int) -> str:
    """Return what a time in a wrong unit would be in the right one, in words; nothing where none fits."""
    readings = [
        ("seconds", microseconds),
        ("milliseconds", microseconds // 1_000),
        ("nanoseconds, or milliseconds taken for seconds,", microseconds // 1_000_000_000),
    ]
    for unit, seconds in readings:
        if seconds in _SECONDS:
            return f"; as {unit} it would be {format_instant(seconds * 1_000_000)}"
    return ""


def check_source_version(counter: int | None) -> None:
    """Raise ValueError for a counter that does not fit."""
    if counter is not None and not -(2**63) < counter < 2**63:
        raise ValueError("source_version: does not fit in 64 bits")


Type = Literal["DIRECT", "INDIRECT"]
Subtype = Literal[
    "IDENTITY", "TRANSFORMATION", "AGGREGATION",
    "JOIN", "FILTER", "GROUP_BY", "SORT", "WINDOW", "CONDITIONAL",
]  # fmt: skip


class EdgeMessage(TypedDict):
    """An edge between two nodes: ``namespace:name`` (a dataset) or ``namespace:name#column``."""

    source: Annotated[
        str, Field(max_length=MAX_NAME_BYTES, description="node that it comes from", examples=["hive:ods.orders#amt"])
    ]
    target: Annotated[
        str, Field(max_length=MAX_NAME_BYTES, description="node that it goes to", examples=["hive:dw.orders#amount"])
    ]
    type: NotRequired[Annotated[Type, Field(description="OpenLineage's; default DIRECT")]]
    subtype: NotRequired[
        Annotated[Subtype, Field(description="default IDENTITY; the first three are DIRECT, the others INDIRECT")]
    ]
    expression: NotRequired[Annotated[str, Field(description="normalised SQL of the target, if there is one to tell")]]


#: The fields of an edge.
EDGE_FIELDS: Final = frozenset(EdgeMessage.__annotations__)


def as_edge(edge: EdgeMessage) -> EdgeTuple:
    """Return an edge as the store's value; ValueError for a wrong subtype, or a node without a namespace."""
    source, target, kind = edge["source"], edge["target"], edge.get("type", "DIRECT")
    subtype = edge.get("subtype", "IDENTITY")
    if subtype not in SUBTYPES[kind]:
        raise ValueError(f"edges: {subtype} is not a subtype of {kind}: use one of {', '.join(SUBTYPES[kind])}")
    if ":" not in source or ":" not in target:
        raise ValueError(f"edges: {source!r} → {target!r}: write nodes as namespace:name or namespace:name#column")
    return source, target, kind, subtype, edge.get("expression", "")
