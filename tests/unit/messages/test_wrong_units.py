"""Times in a wrong unit are refused, with the unit that was meant; one option accepts them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ingest.messages.mapping import FieldMapping, MappingFile
from ingest.messages.native import parse_message
from lineage_tt.model.messages import Change, Message, RejectedMessage

SECONDS = 1_714_521_600  # 2024-05-01T00:00:00Z


def message(**fields: Any) -> Message:
    """A message of a task that goes offline, with these fields."""
    given = {"event_id": "e", "task_id": "t", "op": "offline", "effective_at": "2024-05-01T00:00:00Z"} | fields
    return parse_message(json.dumps(given).encode())


@pytest.mark.parametrize("field", ["effective_at", "produced_at", "recorded_at"])
@pytest.mark.parametrize(
    ("given", "unit"),
    [
        (SECONDS, "as seconds it would be 2024-05-01T00:00:00Z"),
        (SECONDS * 1_000, "as milliseconds it would be 2024-05-01T00:00:00Z"),
        ("1970-01-20T20:15:21.600000Z", "as milliseconds it would be 2024-05-01T00:00:00Z"),
        (
            SECONDS * 1_000_000_000,
            "as nanoseconds, or milliseconds taken for seconds, it would be 2024-05-01T00:00:00Z",
        ),
    ],
    ids=["seconds", "milliseconds", "text", "nanoseconds"],
)
def test_a_time_in_a_wrong_unit_is_refused(field: str, given: int | str, unit: str) -> None:
    """Seconds, milliseconds and nanoseconds where microseconds are wanted make a dead letter that names the unit."""
    refused = message(**{field: given})

    assert isinstance(refused, RejectedMessage)
    assert unit in refused.detail


@pytest.mark.parametrize(
    ("unit", "given"), [("s", SECONDS * 1_000), ("ms", SECONDS), ("us", SECONDS), ("us", SECONDS * 1_000)]
)
def test_a_mapping_with_a_wrong_unit_is_refused(unit: str, given: int) -> None:
    """The year 56,301 and January of 1970, which a mapping with a wrong unit makes, are refused."""
    names = {name: name for name in ("event_id", "task_id", "op")}
    rules = {"fields": names | {"effective_at": {"field": "at", "unit": unit}}}
    mapping = FieldMapping(MappingFile.model_validate(rules))

    refused = mapping.apply({"event_id": "e", "task_id": "t", "op": "offline", "at": given}, b"{}", None)

    assert isinstance(refused, RejectedMessage)
    assert "it would be 2024-05-01T00:00:00Z" in refused.detail


@pytest.mark.parametrize("given", ["1969-12-31T00:00:00Z", "1900-01-01T00:00:00Z", "1970-06-01T00:00:00Z", 0])
def test_other_old_times_are_accepted(given: int | str) -> None:
    """Times long ago, which no unit makes of a time of today, are accepted."""
    assert isinstance(message(effective_at=given), Change)


def test_an_option_accepts_the_first_weeks_of_1970(monkeypatch: pytest.MonkeyPatch) -> None:
    """With LINEAGE_TT_TIMES=any a change of January 1970 is one."""
    monkeypatch.setenv("LINEAGE_TT_TIMES", "any")
    accepted = message(effective_at=SECONDS)

    assert isinstance(accepted, Change)
    assert accepted.effective_at == SECONDS
