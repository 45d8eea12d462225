"""JSON and refused messages as a policy keeps them, where no parser is at hand."""

from __future__ import annotations

import json

import pytest

from lineage_tt.model.redaction.documents import is_replayable, redacted_bytes, redacted_json
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.model.redaction.texts import DROPPED_TEXT, MASK

SECRET = "hunter2"
SQL = f"SELECT a FROM t WHERE b = '{SECRET}'"
STRICT = [TextPolicy.MASK, TextPolicy.DROP]


@pytest.mark.parametrize("policy", STRICT)
@pytest.mark.parametrize(
    "message",
    [
        {"sql": SQL}, {"note": SQL}, {"deep": [{"x": [SQL]}]}, {"params": {"day": SECRET}},
        {"expression": f"x = '{SECRET}'"},
    ],
    ids=["sql", "elsewhere", "deep", "params", "expression"],
)  # fmt: skip
def test_a_refused_message_loses_its_literals_wherever_they_are(policy: TextPolicy, message: dict[str, object]) -> None:
    """The fields stay, so that a reader sees what kind of message it was."""
    kept = redacted_bytes(json.dumps(message).encode(), policy)

    assert SECRET.encode() not in kept
    assert set(json.loads(kept)) == set(message)


@pytest.mark.parametrize("policy", STRICT)
@pytest.mark.parametrize(
    "raw",
    [f'{{"sql": "{SECRET}"', f"{SQL}", f'{{"a": NaN, "b": "{SECRET}"}}', f'{{"a": 1, "a": "{SECRET}"}}',
     f'{{"a": 1e999, "b": "{SECRET}"}}', '{"a":' * 100_000 + f'"{SECRET}"'],
    ids=["cut off", "no JSON", "NaN", "key twice", "too large", "too deep"],
)  # fmt: skip
def test_what_is_no_plain_json_goes_as_a_whole(policy: TextPolicy, raw: str) -> None:
    """Nobody can say where its literals are."""
    assert redacted_bytes(raw.encode(), policy) == DROPPED_TEXT.encode()


@pytest.mark.parametrize("policy", TextPolicy)
def test_without_sql_the_bytes_stay_the_same(policy: TextPolicy) -> None:
    """White space and order of keys, too: a refused message is what was sent."""
    raw = b'{ "b": 1,  "a": ["x", null, true] }'

    assert redacted_bytes(raw, policy) == raw
    assert redacted_bytes(b"", policy) == b""
    assert is_replayable(raw)


@pytest.mark.parametrize("policy", STRICT)
def test_what_lost_its_texts_is_not_sent_through_again(policy: TextPolicy) -> None:
    """A masked text is other SQL than the one that was refused; to mask it again changes nothing."""
    kept = redacted_bytes(json.dumps({"sql": SQL}).encode(), policy)

    assert not is_replayable(kept)
    assert redacted_bytes(kept, policy) == kept


def test_strings_that_hold_a_quote_are_masked_on_demand() -> None:
    """``quoted`` is for messages whose fields have unknown names."""
    raw = json.dumps({"stmt": f"b = '{SECRET}'"}).encode()

    assert redacted_bytes(raw, TextPolicy.MASK) == raw
    assert SECRET.encode() not in redacted_bytes(raw, TextPolicy.MASK, quoted=True)


def test_params_are_masked_by_value_and_keep_their_names() -> None:
    """Numbers say nothing that a text did."""
    kept = redacted_bytes(json.dumps({"params": {"dt": "x", "n": 3}, "sql": SQL}).encode(), TextPolicy.MASK)

    assert json.loads(kept)["params"] == {"dt": MASK, "n": 3}


def test_json_is_kept_byte_for_byte_where_nothing_changes() -> None:
    """Attributes and details without SQL; nothing at all stays nothing."""
    assert redacted_json(None, TextPolicy.DROP) is None
    assert redacted_json('{"b":1, "a":2}', TextPolicy.DROP) == '{"b":1, "a":2}'
    assert SECRET not in (redacted_json(json.dumps({"q": SQL}), TextPolicy.MASK) or "")
