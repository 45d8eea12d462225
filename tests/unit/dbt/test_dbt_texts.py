"""The SQL of dbt's nodes: which text it is, and what takes the place of Jinja's calls in it."""

from __future__ import annotations

from typing import Any

import pytest
from dbt_projects import node

from ingest.dbt.relations import Relations
from ingest.dbt.texts import compiled, filled, namer_of_models, namer_of_sources, raw, with_names


def named(text: str) -> str:
    """A text in which models are m[PACKAGE.]NAME[vVERSION], sources s.SOURCE.TABLE; those called ``none`` are not."""

    def ref(package: str | None, name: str, version: str | None) -> str | None:
        suffix = "" if version is None else f"v{version or '?'}"
        return None if name == "none" else f"m[{package}.{name}{suffix}]" if package else f"m[{name}{suffix}]"

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
     ("{{ ref('p', 'a') }}", "m[p.a]"), ("{{ ref('a', v=2) }}", "m[av2]"),
     ("{{ ref('p', 'a', version='x') }}", "m[p.avx]"), ("{{ ref('a', v=\"1.5\" ) }}", "m[av1.5]"),
     ("{{ ref('a', v=newest) }}", "m[av?]"),
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


def project(*nodes: dict[str, Any]) -> Relations:
    """The nodes of a project."""
    return Relations({"nodes": {each["unique_id"]: each for each in nodes}}, "duckdb", "d")


def test_ref_means_a_model_of_the_own_package_first() -> None:
    """Else that of another package; one that names its package means that alone."""
    nodes = [
        node("model", "orders", unique_id="model.a.orders", package_name="a"),
        node("model", "orders"),
        node("seed", "codes", unique_id="seed.a.codes", package_name="a"),
    ]
    ref = namer_of_models(nodes[1], project(*nodes))

    assert ref(None, "orders", None) == "model.shop.orders"
    assert ref("a", "orders", None) == "model.a.orders"
    assert ref(None, "codes", None) == "seed.a.codes"
    assert ref("shop", "codes", None) is None
    assert ref(None, "nothing", None) is None


def test_ref_means_what_the_manifest_says_that_a_node_depends_on() -> None:
    """dbt may take the model of the root project before that of the reader's own package."""
    root = node("model", "orders", unique_id="model.a.orders", package_name="a")
    reader = node("model", "x", depends_on={"nodes": ["model.a.orders"]})

    assert namer_of_models(reader, project(root, node("model", "orders"), reader))(None, "orders", None) == (
        "model.a.orders"
    )


VERSIONS = [
    node("model", "orders", unique_id=f"model.shop.orders.v{number}", version=number, latest_version=2)
    for number in (1, 2, 10)
]


@pytest.mark.parametrize(
    ("inputs", "asked", "meant"),
    [([], None, 2), ([], "1", 1), ([], "10", 10), ([], "3", None), ([], "", None), ([10], "", 10), ([1, 2], "", None),
     ([1, 2], None, 2), ([1], None, 2), ([1], "10", 10)],
)  # fmt: skip
def test_ref_means_the_version_that_it_names_or_the_latest(
    inputs: list[int], asked: str | None, meant: int | None
) -> None:
    """The latest is what the project says it is; a version that is not a constant is the one that dbt has taken."""
    reader = node("model", "x", depends_on={"nodes": [f"model.shop.orders.v{number}" for number in inputs]})
    found = namer_of_models(reader, project(*VERSIONS, reader))(None, "orders", asked)

    assert found == (None if meant is None else f"model.shop.orders.v{meant}")


def test_versions_of_which_none_is_said_to_be_the_latest_are_not_guessed() -> None:
    """What the node depends on decides, else nothing."""
    versions = [{**each, "latest_version": None} for each in VERSIONS]
    reader = node("model", "x", depends_on={"nodes": ["model.shop.orders.v10"]})

    assert namer_of_models(reader, project(*versions, reader))(None, "orders", None) == "model.shop.orders.v10"
    assert namer_of_models(versions[0], project(*versions))(None, "orders", None) is None


def ephemeral(name: str, text: str, **more: Any) -> dict[str, Any]:
    """A model that is part of its readers."""
    return node("model", name, config={"materialized": "ephemeral"}, raw_code=text, relation_name=None, **more)


@pytest.mark.parametrize(
    ("text", "result"),
    [("select a from {{ ref('inner') }}",
      "with __dbt__cte__inner as (\nselect 1 as a\n)\nselect a from __dbt__cte__inner"),
     ("-- first\n{% set x = 1 %}WITH b as (select 2) select a from {{ ref('inner') }}, b",
      "-- first\n{% set x = 1 %}WITH __dbt__cte__inner as (\nselect 1 as a\n),  b as (select 2) select a from "
      "__dbt__cte__inner, b"),
     ("{% set q %} with z as (select 1) {% endset %}\nselect a from {{ ref('inner') }}",
      "with __dbt__cte__inner as (\nselect 1 as a\n)\n{% set q %} with z as (select 1) {% endset %}\n"
      "select a from __dbt__cte__inner"),
     ("with recursive b as (select 2) select a from {{ ref('inner') }}",
      "with recursive __dbt__cte__inner as (\nselect 1 as a\n),  b as (select 2) select a from __dbt__cte__inner"),
     ("select * from {{ ref('outer') }} join {{ ref('inner') }} using (a)",
      "with __dbt__cte__inner as (\nselect 1 as a\n), "
      "__dbt__cte__outer as (\nselect a from __dbt__cte__inner -- all\n)\n"
      "select * from __dbt__cte__outer join __dbt__cte__inner using (a)"),
     ("select * from {{ ref('orders') }}", 'select * from "wh"."main"."orders"'),
     ("select * from {{ ref('compiled') }}",
      "with __dbt__cte__compiled as (\nselect 3 as a\n)\nselect * from __dbt__cte__compiled")],
)  # fmt: skip
def test_an_ephemeral_model_is_a_cte_of_its_reader(text: str, result: str) -> None:
    """As dbt compiles it, each once, those that others read before them; it was read as a table that does not exist."""
    nodes = [
        ephemeral("inner", "{{ config(materialized='ephemeral') }}select 1 as a;"), node("model", "orders"),
        ephemeral("outer", "select a from {{ ref('inner') }} -- all"),
        ephemeral("compiled", "select {{ macro() }}", compiled_code="select 3 as a"),
    ]  # fmt: skip

    assert filled(text, nodes[1], project(*nodes)) == result


def test_ephemeral_models_that_read_each_other_end() -> None:
    """dbt refuses them; a manifest that has them does not stop the reading."""
    one, other = (
        ephemeral("one", "select * from {{ ref('other') }}"),
        ephemeral("other", "select * from {{ ref('one') }}"),
    )
    chain = [ephemeral(f"e{number}", f"select * from {{{{ ref('e{number + 1}') }}}}") for number in range(5000)]

    assert "{{ ref('a') }}" in filled("select * from {{ ref('a') }}", {}, project(one, other))
    assert filled("select * from {{ ref('e0') }}", {}, project(*chain)).count("__dbt__cte__e99 ") == 1


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
