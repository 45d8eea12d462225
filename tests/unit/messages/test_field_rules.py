"""Where the value of one field comes from: the rules of a mapping file, one by one."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from ingest.messages.field_rules import FieldRule, getter, path_getter, paths_of

MESSAGE = {
    "a": {"b": [{"c": 1}, "x"], "0": "zero"},
    "n": "dw.orders",
    "at": 1.5,
    "flag": True,
    "none": None,
    "1": "one",
}


def rule_of(**rule: Any) -> FieldRule:
    """A rule as a file gives it."""
    return FieldRule.model_validate(rule)


def value(**rule: Any) -> Any:
    """What a rule takes off the message."""
    return getter(rule_of(**rule))(MESSAGE)


@pytest.mark.parametrize(
    ("path", "expected"),
    [("n", "dw.orders"), ("a.b.0.c", 1), ("a.b.1", "x"), ("a.b.2", None), ("a.b.x", None), ("a.0", "zero"),
     ("n.x", None), ("none.x", None), ("1", "one"), ("", None)],
)  # fmt: skip
def test_a_path_leads_into_objects_and_lists(path: str, expected: Any) -> None:
    """What is not there is None, whatever is in its way; digits are a key of an object."""
    assert path_getter(path)(MESSAGE) == expected


def test_a_rule_in_short_is_a_field() -> None:
    """A constant asks for nothing; a template is empty where one of its fields is."""
    assert FieldRule.model_validate("n") == FieldRule.model_validate({"field": "n"})
    assert value(value=7) == 7
    assert value(template="{n}/{a.b.0.c}") == "dw.orders/1"
    assert value(template="{n}/{none}") is None


def test_a_pattern_puts_its_groups_into_a_template() -> None:
    """What does not match is an error, which shows the value; a value that is not there stays so."""
    rule = {"field": "n", "pattern": r"(\w+)\.(\w+)(x)?", "template": "{2}@{1}{3}"}

    assert value(**rule) == "orders@dw"
    assert value(**rule | {"field": "none"}) is None
    with pytest.raises(ValueError, match=r"'zero' does not match"):
        value(**rule | {"field": "a.0"})


def test_a_value_that_is_too_long_for_a_pattern_is_rejected() -> None:
    """So that no value holds up a pattern."""
    get = getter(FieldRule.model_validate({"field": "n", "pattern": "(a*)b", "template": "{1}"}))

    with pytest.raises(ValueError, match="is not matched"):
        get({"n": "a" * 10_000_000})


@pytest.mark.parametrize(("unit", "expected"), [("s", 1_500_000), ("ms", 1_500), ("us", 2)])
def test_numbers_of_a_unit_become_microseconds(unit: str, expected: int) -> None:
    """Rounded; what is not a finite number is an error."""
    assert value(field="at", unit=unit) == expected
    assert value(field="none", unit=unit) is None
    for bad in ("flag", "n"):
        with pytest.raises(ValueError, match="is not a number"):
            value(field=bad, unit=unit)
    with pytest.raises(ValueError, match="is not a number"):
        getter(rule_of(field="at", unit=unit))({"at": float("inf")})


def test_values_are_translated_and_missing_ones_have_a_default() -> None:
    """By their text; what the table does not have stays as it is."""
    assert value(field="flag", map={"True": "online"}) == "online"
    assert value(field="n", map={"x": "y"}) == "dw.orders"
    assert value(field="none", map={"None": "gone"}, default="d") == "gone"
    assert value(field="missing.x", default="d") == "d"


@pytest.mark.parametrize(
    "rule", [{}, {"pattern": "a"}, {"field": "a", "pattern": "a"}, {"field": "a", "unit": "h"}, {"feild": "a"},
             {"field": "a", "pattern": "(", "template": "x"}, {"field": "a", "pattern": "(a+)+b", "template": "x"}],
)  # fmt: skip
def test_a_rule_that_makes_no_sense_is_rejected(rule: dict[str, Any]) -> None:
    """When the file is read, not at the first message."""
    with pytest.raises(ValidationError):
        rule_of(**rule)


def test_it_is_known_which_fields_a_rule_reads() -> None:
    """What no rule reads may be a field with a wrong name."""
    assert paths_of(rule_of(field="a.b")) == ["a.b"]
    assert paths_of(rule_of(template="{a}/{b.c}")) == ["a", "b.c"]
    assert paths_of(rule_of(value=1)) == []


@pytest.mark.parametrize(
    ("rule", "words"),
    [({"value": 7, "field": "n"}, "field has no effect beside value"),
     ({"value": 7, "unit": "s"}, "unit has no effect"),
     ({"value": 7, "template": "{n}"}, "template has no effect"), ({"value": 7, "default": 1}, "default has no effect"),
     ({"value": "a", "map": {"a": "b"}}, "map has no effect"),
     ({"field": "n", "template": "{at}"}, "field has no effect beside template: give one, or a pattern")],
)  # fmt: skip
def test_parts_of_a_rule_that_could_have_no_effect_are_refused(rule: dict[str, Any], words: str) -> None:
    """One of them counted, and nothing said which."""
    with pytest.raises(ValidationError, match=words):
        rule_of(**rule)
