"""The rules of one dialect."""

from __future__ import annotations

from dataclasses import replace

from ingest.sql.dialects.rules import Identity, Rules


def test_a_dialect_is_read_by_the_parser_of_its_name() -> None:
    """Another one is named where that is not so; standard SQL's has no name."""
    assert Rules(identity=Identity("hive")).parser == "hive"
    assert Rules(identity=Identity("flink", parser="hive")).parser == "hive"
    assert Rules(identity=Identity("x", parser="")).parser == ""


def test_a_child_has_its_parents_rules_and_names_of_its_own() -> None:
    """Nothing of the identity is inherited; what is not said is as the parent has it."""
    parent = Rules(identity=Identity("a", parser="p", aliases=("b",)), keeps_case=True)
    child = replace(parent, identity=Identity("c"), default_schema="s")

    assert (child.name, child.parser, child.identity.aliases) == ("c", "c", ())
    assert (child.keeps_case, child.default_schema, parent.default_schema) == (True, "s", "default")


def test_rules_with_the_same_values_are_two_dialects() -> None:
    """What is remembered for one is never given for another."""
    one, other = Rules(identity=Identity("a")), Rules(identity=Identity("a"))

    assert len({one, other}) == 2
