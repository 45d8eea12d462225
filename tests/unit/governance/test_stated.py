"""What people state under keys that governance reads: values that have no effect."""

from __future__ import annotations

import pytest

from lineage_tt.governance.rules.stated import without_effect


@pytest.mark.parametrize(
    ("key", "good", "bad"),
    [
        ("sla", "09:00", "nine"),
        ("duration", "2h", "long"),
        ("begins", "23:30", "noon"),
        ("partition", "day", "fortnight"),
        ("life-cycle", "retired", "gone"),
        ("retention", "30", "a month"),
    ],
)
def test_a_value_that_cannot_be_read_is_said_to_have_no_effect(key: str, good: str, bad: str) -> None:
    """One sentence a value, which names the key and the value; nothing of what is read."""
    assert list(without_effect(key, [good])) == []
    (said,) = without_effect(key, [good, bad])
    assert said.startswith(f"it has no effect as {key}: ")
    assert bad in said


def test_a_key_of_which_governance_knows_nothing_takes_any_value() -> None:
    """A description, an owner, a key of one's own."""
    assert list(without_effect("description", ["", "nine", "-1"])) == []
