"""Bytes that are not a message: a code, words without their content, ids where they can be read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from ingest.messages.refusals import refusal, too_deep


class Model(BaseModel):
    """Some message."""

    task_id: str
    size: int = 0


def error_of(given: Any) -> Exception:
    """Why it is no such message."""
    try:
        Model.model_validate_json(given) if isinstance(given, bytes) else Model(**given)
    except ValidationError as error:
        return error
    raise AssertionError("it is one")


@pytest.mark.parametrize(
    ("error", "code"),
    [(ValueError("words"), "invalid-message"), (RecursionError("deep"), "malformed-json"),
     (error_of(b"{"), "malformed-json"), (error_of({"task_id": 5}), "invalid-message"),
     (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"), "malformed-json"),
     (json.JSONDecodeError("bad", "{", 0), "malformed-json")],
)  # fmt: skip
def test_the_code_says_what_kind_of_error_it_is(error: Exception, code: str) -> None:
    """The bytes are kept whole, with their position."""
    found = refusal(b"raw", error, 7)

    assert (found.raw, found.code, found.position) == (b"raw", code, 7)


def test_words_hold_nothing_of_the_message() -> None:
    """They name the field, and are bounded."""
    assert "s3cret" not in refusal(b"", error_of({"task_id": "t", "size": "s3cret"}), None).detail
    assert refusal(b"", error_of({"task_id": "t", "size": "x"}), None).detail == "size: must be a whole number"
    assert len(refusal(b"", ValueError("x" * 9999), None).detail) == 2000


def test_a_dataset_without_a_kind_is_explained() -> None:
    """It is taken for a task's message, which lacks its task."""
    assert "has the kind 'dataset'" in refusal(b'{"dataset": "n:a"}', error_of({}), None).detail
    assert "has the kind" not in refusal(b'{"dataset": "n:a", "kind": "x"}', error_of({}), None).detail


@pytest.mark.parametrize(
    ("raw", "ids", "expected"),
    [(b'{"event_id": "e", "task_id": "t"}', (None, None), ("e", "t")),
     (b'{"event_id": "e", "task_id": "t"}', ("mapped", None), ("mapped", "t")),
     (b'{"event_id": 5, "task_id": "a\\u0000b"}', (None, None), (None, None)),
     (b'{"event_id": "%s"}' % (b"x" * 9999), (None, None), (None, None)),
     (b"[1]", (None, None), (None, None)),
     (b"{", (None, 7), (None, None)), (b"[" * 100_000, (None, None), (None, None))],
)  # fmt: skip
def test_ids_are_shown_where_they_can_be_read(
    raw: bytes, ids: tuple[Any, Any], expected: tuple[str | None, str | None]
) -> None:
    """Those that a mapping found come first; what cannot be printed is none."""
    found = refusal(raw, ValueError("x"), None, ids)

    assert (found.event_id, found.task_id) == expected


def test_what_is_nested_too_deep_is_told_by_its_name() -> None:
    """Its bytes are kept where they can be written."""
    assert json.loads(too_deep({"a": [1]}, "run").raw) == {"a": [1]}
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    found = too_deep(deep, "run 5")
    while deep:
        deep = deep[0]

    assert (found.code, json.loads(found.raw)) == ("malformed-json", {"left_out": "run 5"})
    assert "'run 5' is nested too deep" in found.detail
