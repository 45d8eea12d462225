"""Rules of layers, names, and what people state of tables."""

from __future__ import annotations

import pytest
from ruled import Case, Pair, fact, tables_of, violations

from lineage_tt.governance.rules.checks import layers
from lineage_tt.governance.rules.settings import Layer, Settings

CASES: list[Case] = [
    ("layer_skip", [("t", "db:ods.a", "db:ads.b")], [("db:ads.b", "db:ods.a")]),
    ("layer_skip", [("t", "db:ods.a", "db:dw.dw_b"), ("u", "db:dw.dw_b", "db:ads.c")], None),
    ("layer_upward", [("t", "db:ads.a", "db:ods.b")], [("db:ods.b", "db:ads.a")]),
    ("layer_upward", [("t", "db:ods.a", "db:ods.b"), ("t", "x:other", "db:ods.b")], None),
    ("hard_coded_references", [("t", "file:/tmp/x.csv", "db:x")], [("file:/tmp/x.csv",)]),
    ("model_naming_conventions", [("t", "db:a", "db:dw.orders"), ("t", "db:a", "db:dw.dw_x")], [("db:dw.orders",)]),
    ("undocumented_models", [("t", "db:a", "db:b")], [("db:b",)]),
    ("models_without_owner", [("t", "db:a", "db:b")], [("db:b",)]),
    ("undocumented_sources", [("t", "db:a", "db:b"), ("u", "db:b", "db:c")], [("db:a",)]),
    ("untested_models", [("t", "db:a", "db:b")], [("db:b",)]),
    ("staging_dependent_on_staging", [("t", "db:ods.a", "db:ods.b")], [("db:ods.b", "db:ods.a")]),
    ("staging_dependent_on_staging", [("t", "db:dw.dw_a", "db:dw.dw_b"), ("u", "db:raw", "db:ods.b")], None),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "edges", "expected"), CASES)
def test_a_rule_finds_what_violates_it(rule: str, edges: list[Pair], expected: list[tuple[str, ...]] | None) -> None:
    """Subject and what else it concerns; nothing where the rule is kept."""
    assert violations(*edges).get(rule) == expected


LAYERED = Settings(layers=(Layer("ods", ("db:ods.*",), ()), Layer("dw", ("db:dw.*",), ("db:dw.fct_*", "db:dw.dim_*")),
                           Layer("ads", ("db:ads.*",), ()), Layer("app", ("db:app.*",), ())))  # fmt: skip


def test_a_table_that_reads_past_several_layers_names_them_from_the_bottom_up() -> None:
    """And the tasks that make the one of the other, no others."""
    tables = tables_of(("t", "db:ods.a", "db:app.b"), ("u", "db:ads.a", "db:app.b"))

    (found,) = layers.layer_skip(tables, LAYERED)
    assert found == ("db:app.b", ("db:ods.a",), "a table of app reads ods past dw, ads", ("t",))


def test_what_lies_in_no_layer_is_never_upward() -> None:
    """Neither a source outside of them, nor a target; within one layer nothing is above."""
    tables = tables_of(("t", "db:other", "db:ads.a"), ("t", "db:app.a", "db:other"), ("t", "db:app.a", "db:app.b"))

    assert list(layers.layer_upward(tables, LAYERED)) == []
    assert list(layers.layer_skip(tables, LAYERED)) == []


def test_a_name_fits_where_it_fits_any_pattern_of_its_layer() -> None:
    """A source of the layer counts, too; a layer without patterns for names takes all."""
    tables = tables_of(("t", "db:dw.raw", "db:dw.fct_a"), ("t", "db:ods.a", "db:dw.dim_b"))

    (found,) = layers.model_naming_conventions(tables, LAYERED)
    assert found == ("db:dw.raw", (), "a table of dw is called like db:dw.fct_* or db:dw.dim_*", ())


def test_without_layers_no_rule_of_them_speaks() -> None:
    """Whatever reads whatever."""
    tables = tables_of(("t", "db:app.a", "db:ods.b"), ("t", "db:ods.b", "db:ods.c"))

    for rule in (layers.layer_skip, layers.layer_upward, layers.staging_dependent_on_staging):
        assert list(rule(tables, Settings())) == []


def test_facts_speak_for_rules() -> None:
    """A description, an owner, and a check of a column, whatever it said."""
    facts = (
        fact("db:b", "description", "all orders"), fact("db:b", "owner", "ana"),
        fact("db:a", "description", "from the till"), fact("db:b#c", "check:not_null", '{"status": "failed"}'),
    )  # fmt: skip
    found = violations(("t", "db:a", "db:b"), facts=facts)

    silent = {"undocumented_models", "models_without_owner", "undocumented_sources", "untested_models"}
    assert silent.isdisjoint(found)


def test_a_description_of_a_column_is_none_of_its_table() -> None:
    """Nor is an owner of it."""
    facts = (fact("db:b#c", "description", "cents"), fact("db:b#c", "owner", "ana"))
    found = violations(("t", "db:a", "db:b"), facts=facts)

    assert (found["undocumented_models"], found["models_without_owner"]) == ([("db:b",)], [("db:b",)])
