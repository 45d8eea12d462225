"""What a dbt project says, as messages: columns, tasks, edges, owners."""

from __future__ import annotations

from typing import Any

import pytest
from dbt_projects import catalog_of, model, node

from ingest.dbt.artifacts import Artifacts
from ingest.dbt.messages import Content, contents
from ingest.dbt.relations import Relations
from lineage_tt.model.messages import RejectedMessage

SEED = node("seed", "codes", original_file_path="seeds/codes.csv")


def all_said(
    *nodes: dict[str, Any], catalog: dict[str, Any] | None = None, dialect: str = "duckdb", **more: Any
) -> list[Content | RejectedMessage]:
    """All that a project of these nodes says."""
    kinds: dict[str, dict[str, Any]] = {
        "nodes": {},
        "sources": {},
        "exposures": {},
        "metrics": {},
        "semantic_models": {},
    }
    for each in nodes:
        kind = f"{each['resource_type']}s"
        kinds[kind if kind in kinds else "nodes"][each["unique_id"]] = each
    manifest = {"metadata": {}, **kinds, **more}
    return list(contents(Artifacts(manifest, catalog or {}, {}), Relations(manifest, dialect, "d", catalog)))


def said(*nodes: dict[str, Any], **more: Any) -> list[Content]:
    """The same of a project that can be read whole."""
    return [each for each in all_said(*nodes, **more) if isinstance(each, dict)]


def task_of(name: str, *nodes: dict[str, Any], **more: Any) -> Content:
    """What a project says of a task."""
    (found,) = (each for each in said(*nodes, **more) if each.get("task_id") == name)
    return found


def edges_of(name: str, *nodes: dict[str, Any], **more: Any) -> list[tuple[str, str, str]]:
    """The edges of a task: source, target, subtype."""
    return [(each["source"], each["target"], each["subtype"]) for each in task_of(name, *nodes, **more)["edges"]]


def test_columns_come_before_the_texts_that_are_read_with_them() -> None:
    """Datasets first, then models, seeds, metrics, exposures and tests; what is ephemeral says nothing."""
    catalog = catalog_of(model__shop__a={"id": "INT"}, seed__shop__codes={"id": "INT"})
    nodes = [
        node("test", "t"), node("exposure", "e"), node("metric", "m"), SEED, model("a", "select 1 as id"),
        model("inner", "select 1", config={"materialized": "ephemeral"}),
    ]  # fmt: skip

    assert [each.get("dataset") or each["task_id"] for each in said(*nodes, catalog=catalog)] == [
        "d:wh.main.a", "d:wh.main.codes", "model.shop.a", "seed.shop.codes", "metric.shop.m", "exposure.shop.e",
        "test.shop.t",
    ]  # fmt: skip


def test_the_catalog_gives_the_columns_and_their_order() -> None:
    """With what the project says of each, whatever case it writes; a column that only it describes is left out."""
    described = {"id": {"name": "id", "description": " the key\n", "tags": ["pii", "key"]}, "gone": {"name": "gone"}}
    catalog = {"nodes": {"model.shop.a": {"columns": {
        "1": {"name": "TOTAL", "type": "NUMBER", "index": 2}, "2": {"name": "ID", "type": "TEXT", "index": 1},
        "3": None,
    }}}}  # fmt: skip
    nodes = model("a", "select 1", columns=described, contract={"enforced": True}, description="Orders", tags="daily")
    found = said(nodes, catalog=catalog, dialect="snowflake")[0]

    assert found["columns"] == [
        {"name": "ID", "type": "TEXT", "labels": ["key", "pii"], "description": "the key"},
        {"name": "TOTAL", "type": "NUMBER"},
    ]
    assert (found["op"], found["description"], found["labels"]) == ("define", "Orders", ["daily"])


@pytest.mark.parametrize(
    ("contract", "is_stated"), [({"enforced": True}, True), ({"enforced": False}, False), (None, False)]
)
def test_a_contract_gives_the_columns_where_no_catalog_does(contract: Any, is_stated: bool) -> None:
    """Only one that is enforced: columns that are merely described may be few of many, and become facts."""
    columns = {"id": {"name": "id", "data_type": "int", "description": "the key"}, "b": {"name": "b", "tags": ["x"]}}
    found = said(model("a", "select 1", columns=columns, contract=contract, description="Orders"))[:-1]

    if is_stated:
        assert [each["columns"] for each in found] == [
            [{"name": "id", "type": "int", "description": "the key"}, {"name": "b", "labels": ["x"]}]
        ]
    else:
        assert [(each["node"], each["key"], each["values"]) for each in found] == [
            ("d:wh.main.a", "description", ["Orders"]), ("d:wh.main.a#id", "description", ["the key"]),
            ("d:wh.main.a#b", "label", ["x"]),
        ]  # fmt: skip


def test_a_model_is_its_compiled_text_and_where_names_in_it_are_looked_up() -> None:
    """Compiled SQL counts before the one that was written; a model in Python is only what it reads."""
    found = task_of("model.shop.a", model("a", "select 1") | {"raw_code": "select {{ x }}"})
    assert (found["sql"], found["target"], found["default_database"]) == ("select 1", "d:wh.main.a", "wh.main")
    assert (found["dialect"], found["namespace"]) == ("duckdb", "d")

    python = model("p", "def model(): ...", "seed.shop.codes", language="python")
    assert edges_of("model.shop.p", python, SEED) == [("d:wh.main.codes", "d:wh.main.p", "TRANSFORMATION")]
    assert "sql" not in task_of("model.shop.p", python, SEED)


def test_a_model_that_was_not_compiled_is_read_with_the_names_put_in() -> None:
    """As dbt parse and dbt ls leave it."""
    raw = node("model", "a", raw_code="{{ config(x=1) }}select id from {{ ref('codes') }}, {{ source('raw', 'o') }}")
    source = node("source", "o", source_name="raw")

    text = task_of("model.shop.a", raw, SEED, source)["sql"]
    assert text == 'select id from "wh"."main"."codes", "wh"."main"."o"'


@pytest.mark.parametrize(
    ("relation", "database"),
    [('"wh"."main"."a"', "wh.main"), ("main.a", "main"), ("a", ""), (None, "wh.main")],
)  # fmt: skip
def test_names_are_looked_up_as_deep_as_the_relation_lies(relation: str | None, database: str) -> None:
    """Some adapters leave the database out of names, though the node has one."""
    assert task_of("model.shop.a", model("a", "select 1", relation_name=relation))["default_database"] == database


def test_a_seed_comes_from_its_file() -> None:
    """By the package and the path in it; without either, by its id."""
    assert edges_of("seed.shop.codes", SEED) == [("file:shop/seeds/codes.csv", "d:wh.main.codes", "IDENTITY")]
    bare = SEED | {"package_name": None, "original_file_path": ""}
    assert edges_of("seed.shop.codes", bare) == [("file:seed.shop.codes", "d:wh.main.codes", "IDENTITY")]


def test_a_metric_counts_the_columns_of_its_measures() -> None:
    """Of those that it takes in alone; a measure that is an expression counts the table, beside others, too."""
    semantic = node("semantic_model", "s", depends_on={"nodes": ["seed.shop.codes"]}, measures=[
        {"name": "revenue", "expr": "total"}, {"name": "id"}, {"name": "half", "expr": "total / 2"}, {"name": "other"},
    ])  # fmt: skip

    def sources(*measures: str) -> list[str]:
        taken = {"input_measures": [{"name": each} for each in measures]}
        metric = node("metric", "m", depends_on={"nodes": ["semantic_model.shop.s"]}, type_params=taken)
        return [source for source, _, _ in edges_of("metric.shop.m", metric, semantic, SEED)]

    assert sources("revenue", "id") == ["d:wh.main.codes#id", "d:wh.main.codes#total"]
    assert sources("half") == sources() == ["d:wh.main.codes"]
    assert sources("revenue", "half") == ["d:wh.main.codes", "d:wh.main.codes#total"]


def test_a_test_takes_no_values() -> None:
    """Its edges are indirect: of its column in the table that it is attached to, of its ``field`` in the other."""
    relation = node(
        "test", "t", attached_node="model.shop.a", column_name="code", test_metadata={"kwargs": {"field": "id"}},
        depends_on={"nodes": ["model.shop.a", "seed.shop.codes"]},
    )  # fmt: skip
    odd = relation | {"column_name": "lower(code)", "test_metadata": None}
    own = model("a", "select 1")

    for test, ends in ((relation, ("#code", "#id")), (odd, ("", ""))):
        edges = task_of("test.shop.t", test, own, SEED)["edges"]
        assert edges == [
            {"source": f"d:wh.main.{name}{end}", "target": "dbt:test.shop.t", "type": "INDIRECT", "subtype": "FILTER"}
            for name, end in zip(("a", "codes"), ends, strict=True)
        ]


def test_a_relationship_that_is_attached_to_nothing_is_of_tables() -> None:
    """Its ``field`` belongs to one of them: it was taken as a column of both."""
    test = node(
        "test", "t", column_name="code", test_metadata={"kwargs": {"field": "id"}},
        depends_on={"nodes": ["model.shop.a", "seed.shop.codes"]},
    )  # fmt: skip
    named = test | {"test_metadata": {"kwargs": {"field": "id", "model": "{{ get_where_subquery(ref('a')) }}"}}}
    own = model("a", "select 1")

    assert [source for source, *_ in edges_of("test.shop.t", test, own, SEED)] == ["d:wh.main.a", "d:wh.main.codes"]
    assert [source for source, *_ in edges_of("test.shop.t", named, own, SEED)] == [
        "d:wh.main.a#code", "d:wh.main.codes#id"
    ]  # fmt: skip


def test_an_exposure_shows_all_that_it_depends_on() -> None:
    """It is an end of its own, with the one who owns it."""
    board = node(
        "exposure", "board", depends_on={"nodes": ["seed.shop.codes"]}, owner={"name": "Ada", "email": "a@x.y"}
    )

    assert edges_of("exposure.shop.board", board, SEED) == [
        ("d:wh.main.codes", "dbt:exposure.shop.board", "TRANSFORMATION")
    ]
    assert task_of("exposure.shop.board", board, SEED)["owners"] == ["a@x.y"]


@pytest.mark.parametrize(
    ("more", "owners"),
    [({"group": "sales"}, ["lead@x.y"]), ({"config": {"group": "sales"}}, ["lead@x.y"]), ({"group": "none"}, []),
     ({"meta": {"owner": "Zoë"}}, ["Zoë"]),
     ({"config": {"meta": {"owner": ["b", "a", "b"]}}}, ["a", "b"]), ({"owner": {"name": ["c", 7, ""]}}, ["c"]),
     ({"owner": "a", "meta": {"owner": {"name": "b"}}, "group": "sales"}, ["a", "b", "lead@x.y"])],
)  # fmt: skip
def test_owners_are_stated_in_several_places(more: dict[str, Any], owners: list[str]) -> None:
    """On the node, in ``meta``, and by the group of its package; each counts once."""
    groups = {"group.shop.sales": {"owner": {"email": "lead@x.y", "name": "Lead"}}}

    assert task_of("model.shop.a", model("a", "select 1", **more), groups=groups)["owners"] == owners


def test_labels_are_those_of_the_node_and_of_its_configuration() -> None:
    """Sorted, each once, a single one without a list, too."""
    tagged = model("a", "select 1") | {"tags": ["b", "a", 7, ""], "config": {"tags": "c"}}

    assert task_of("model.shop.a", tagged)["labels"] == ["a", "b", "c"]
    assert task_of("model.shop.a", tagged | {"tags": "x", "config": ["c"]})["labels"] == ["x"]


def test_a_source_says_who_owns_it() -> None:
    """A model does so by its task, a source has none."""
    source = node("source", "o", meta={"owner": "ada"}, description="raw")

    assert [(each["key"], each["values"]) for each in said(source)] == [("description", ["raw"]), ("owner", ["ada"])]


def test_a_node_that_is_nested_too_deep_ends_no_other() -> None:
    """Deeper than JSON is written: it is kept as a dead letter of its task, once for each thing that it says."""
    deep: list[Any] = []
    for _ in range(600):
        deep = [deep]
    found = all_said(model("a", "select 1", meta=deep), model("b", "select 1"))
    letters = [each for each in found if isinstance(each, RejectedMessage)]

    assert {(each.task_id, each.code) for each in letters} == {("model.shop.a", letters[0].code)}
    assert "nested too deep" in letters[0].detail
    assert [each["task_id"] for each in found if isinstance(each, dict)] == ["model.shop.b"]


@pytest.mark.parametrize(
    ("field", "words"),
    [({"depends_on": ["model.shop.a"]}, "depends_on is not an object"), ({"depends_on": "x"}, "depends_on is not an"),
     ({"depends_on": {"nodes": "model.shop.a"}}, "depends_on.nodes is not a list"),
     ({"depends_on": {"nodes": ["model.shop.a", 5]}}, "depends_on.nodes is not a list of unique ids"),
     ({"compiled_code": 5}, "compiled_code is not a text"), ({"raw_code": ["x"]}, "raw_code is not a text"),
     ({"compiled_sql": {}}, "compiled_sql is not a text")],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["model", "exposure", "test"])
def test_a_node_whose_lineage_cannot_be_read_is_a_dead_letter(kind: str, field: dict[str, Any], words: str) -> None:
    """It was a task that reads nothing, as if all of it were known; its neighbours are as they were."""
    other = model("other", "select 1 as id")
    found = all_said(other, node(kind, "x") | field)

    (letter,) = (each for each in found if isinstance(each, RejectedMessage))
    assert (letter.task_id, letter.code) == (f"{kind}.shop.x", "invalid-message")
    assert words in letter.detail
    assert [each["task_id"] for each in found if isinstance(each, dict)] == ["model.shop.other"]


def test_fields_that_dbt_leaves_empty_are_no_fault() -> None:
    """An older or a parsed manifest has null where there is nothing."""
    found = all_said(node("seed", "s", depends_on={"macros": []}), node("exposure", "e", depends_on=None),
                     node("model", "m", compiled_code=None, raw_code="select 1 as a"))  # fmt: skip

    assert [each["task_id"] for each in found if isinstance(each, dict)] == [
        "model.shop.m", "seed.shop.s", "exposure.shop.e",
    ]  # fmt: skip
