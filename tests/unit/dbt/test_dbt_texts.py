"""The SQL of dbt's nodes: which text it is, and what takes the place of Jinja's calls in it."""

from __future__ import annotations

from typing import Any

import pytest
from dbt_projects import node

from ingest.dbt.relations import Relations
from ingest.dbt.texts import compiled, namer_of_models, namer_of_sources, raw, with_names


def named(text: str) -> str:
    """A text in which models are called m[PACKAGE.]NAME and sources s.SOURCE.TABLE; those called ``none`` are not."""

    def ref(package: str | None, name: str) -> str | None:
        return None if name == "none" else f"m[{package}.{name}]" if package else f"m[{name}]"

    return with_names(text, ref, lambda source, table: None if table == "none" else f"s.{source}.{table}")


@pytest.mark.parametrize(
    ("held", "of_compiled", "of_raw"),
    [({"compiled_code": "select 1", "raw_code": "select 2"}, "select 1", "select 2"),
     ({"compiled_sql": "select 1", "raw_sql": "select 2"}, "select 1", "select 2"),
     ({"compiled_code": " \n", "raw_code": "\t"}, None, None), ({"compiled_code": 7, "raw_code": ["x"]}, None, None),
     ({"compiled_code": "x = 1", "raw_code": "x = 1", "language": "python"}, None, None), ({}, None, None)],
)  # fmt: skip
def test_a_node_has_the_text_that_either_generation_of_manifests_names(
    held: dict[str, Any], of_compiled: str | None, of_raw: str | None
) -> None:
    """Before dbt 1.3 the fields had other names; blank texts and those in Python are none."""
    assert (compiled(held), raw(held)) == (of_compiled, of_raw)


@pytest.mark.parametrize(
    ("text", "result"),
    [("from {{ ref('a') }} b", "from m[a] b"), ('{{ref("a")}}', "m[a]"), ("{{- ref( 'a' ) -}}", "m[a]"),
     ("{{ ref('p', 'a') }}", "m[p.a]"), ("{{ ref('a', v=2) }}", "m[a]"), ("{{ ref('p', 'a', version='x') }}", "m[p.a]"),
     ("{{ source('raw', 'orders') }}", "s.raw.orders"), ("{{ ref('a') }},{{ ref('b') }}", "m[a],m[b]"),
     ("{{ ref('none') }}", "{{ ref('none') }}"), ("{{ source('a','none') }}", "{{ source('a','none') }}"),
     ("{{ ref(name) }} {{ this }} {% if a %}", "{{ ref(name) }} {{ this }} {% if a %}"),
     ("{{ source('raw') }}", "{{ source('raw') }}")],
)  # fmt: skip
def test_references_become_relations_and_all_other_calls_stay(text: str, result: str) -> None:
    """With any quotes and spaces, with a package or a version; what names nothing known stays as it is."""
    assert named(text) == result


@pytest.mark.parametrize(
    ("text", "result"),
    [("{{ config(materialized='table') }}select 1", "select 1"), ("{{config(a=1)}}\n{{config()}}x", "\nx"),
     ("{{ config(post_hook='grant on {{ this }}',\n meta={'a': 1}) }}select 1 {{config()}}from {{ ref('m') }}",
      "\nselect 1 from m[m]"),
     ("{{ config(\n a={{ config( }},\n) }}x", "\n\nx"), ("select 1 {{ config(a", "select 1 {{ config(a")],
)  # fmt: skip
def test_config_is_left_out_with_what_is_in_it(text: str, result: str) -> None:
    """Up to its own end, also where it holds templates or brackets; its lines stay."""
    assert named(text) == result


@pytest.mark.parametrize("piece", ["{{config(", "{{ref('a',v=", "{{source('a','", "{{ref('a','b'", "{{ config( )"])
def test_templates_without_an_end_are_read_once(piece: str) -> None:
    """Two hundred thousand openings that nothing closes: to look for the end of each would take hours."""
    text = piece * (2 * 1024 * 1024 // len(piece))

    assert named(text) == text


def test_ref_means_a_model_of_the_own_package_first() -> None:
    """Else that of another package; one that names its package means that alone."""
    nodes = [
        node("model", "orders", unique_id="model.a.orders", package_name="a", relation_name="a_orders"),
        node("model", "orders", relation_name="shop_orders"),
        node("seed", "codes", unique_id="seed.a.codes", package_name="a", relation_name=None, alias="codes_v1"),
    ]
    ref = namer_of_models(nodes[1], Relations({"nodes": {each["unique_id"]: each for each in nodes}}, "duckdb", "d"))

    assert ref(None, "orders") == "shop_orders"
    assert ref("a", "orders") == "a_orders"
    assert ref(None, "codes") == "wh.main.codes_v1"
    assert ref("shop", "codes") is None
    assert ref(None, "nothing") is None


def test_source_means_the_table_that_its_identifier_names() -> None:
    """The relation that the manifest names counts first, then the parts; a table of another source is not meant."""
    tables = [
        node("source", "orders", source_name="raw"),
        node("source", "lines", source_name="raw", relation_name="", alias=None, identifier="l", database=None),
    ]
    source = namer_of_sources(Relations({"sources": {each["unique_id"]: each for each in tables}}, "duckdb", "d"))

    assert source("raw", "orders") == '"wh"."main"."orders"'
    assert source("raw", "lines") == "main.l"
    assert source("other", "orders") is None
