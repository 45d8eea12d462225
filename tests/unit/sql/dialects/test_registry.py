"""Rules by the name of their dialect."""

from __future__ import annotations

import pytest

from ingest.sql.dialects.families.standard import STANDARD
from ingest.sql.dialects.registry import BY_NAME, DIALECTS, SIMILAR, fallbacks, find_rules, rules_or_standard


def test_every_name_and_alias_leads_to_one_dialect() -> None:
    """In any case of its letters."""
    for rules in DIALECTS:
        for name in (rules.name, *rules.identity.aliases):
            assert find_rules(name.upper()) is rules
    assert len(BY_NAME) == sum(1 + len(rules.identity.aliases) for rules in DIALECTS)


@pytest.mark.parametrize("name", ["no such dialect", "hive "])
def test_a_dialect_that_is_not_known_is_read_as_standard_sql(name: str) -> None:
    """Where rules are needed; else it is said that there are none."""
    assert find_rules(name) is None
    assert rules_or_standard(name) is STANDARD


def test_engines_without_rules_have_near_ones() -> None:
    """None of them has rules of its own."""
    assert SIMILAR
    assert not set(SIMILAR) & set(BY_NAME)
    assert list(fallbacks()) == sorted(set(fallbacks()))
