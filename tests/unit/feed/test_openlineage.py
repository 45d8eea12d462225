"""Versions as OpenLineage events: jobs with their lineage, datasets with what is known of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import orjson
import pytest

from lineage_tt import Store
from lineage_tt.events import store_urn
from lineage_tt.feed.openlineage import OpenLineageFeed, openlineage_events, openlineage_records
from lineage_tt.model.facts import Field, task_node
from lineage_tt.model.messages import NodeChange, TaskChange
from lineage_tt.testing import ManualClock, task_change

EDGES = [
    ("n:a#x", "n:b#y"),
    ("n:a#x", "n:b#y", "INDIRECT", "FILTER"),
    ("n:a", "n:b", "INDIRECT", "JOIN"),
    ("n:a#*", "n:b#*"),
]


def fact(key: str, *values: str, node: str = "n:a", at: int = 10) -> NodeChange:
    """A message of one key of a node."""
    facts = [(node, key, value) for value in values]
    return NodeChange(f"{node}/{key}/{at}", "fact", node, "set", at, fact_key=key, facts=facts)


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, dict[int, list[dict[str, Any]]]]:
    """A store, and the events of each of its versions."""
    store = Store.create(tmp_path_factory.mktemp("store"), clock=ManualClock(1_000_000))
    owned = replace(task_change("t", "online", 10, EDGES), facts=[(task_node("t"), "owner", "ann")])
    store.append([owned])  # 1
    store.append([task_change("t", "update", 20, [("n:a#x", "n:c#z")])])  # 2
    fields = [Field("x", "int"), Field("w")]
    store.append([NodeChange("d", "dataset", "n:a", "define", 10, fields=fields)])  # 3
    store.append([fact("label", "pii", "team:web"), fact("description", "all")])  # 4, 5
    store.append([NodeChange("no", "fact", "n:a", "clear", 30, fact_key="label")])  # 6
    store.append([task_change("t", "offline", 40)])  # 7
    feed = OpenLineageFeed(store)
    return store, {entry.version: feed.events(entry) for entry in store.changes()}


def test_a_task_is_a_job_with_all_its_lineage(story: tuple[Store, dict[int, list[dict[str, Any]]]]) -> None:
    """Transformations of one source are together; a star and a dataset have no field."""
    store, events = story
    (event,) = events[1]
    (entry,) = event["job"]["facets"]["lineage"]["entries"]
    (source,) = entry["fields"]["y"]["inputs"]

    assert event["job"]["namespace"] == store_urn(store.id)
    assert (event["inputs"], event["outputs"]) == ([{"namespace": "n", "name": "a"}], [{"namespace": "n", "name": "b"}])
    assert (source["field"], [how["subtype"] for how in source["transformations"]]) == ("x", ["IDENTITY", "FILTER"])
    assert ["field" in each for each in entry["inputs"]] == [False]
    assert event["job"]["facets"]["ownership"]["owners"] == [{"name": "ann"}]
    assert event["job"]["facets"]["lineage_tt"]["version"] == 1
    assert event["eventTime"] == "1970-01-01T00:00:01Z"


def test_a_table_that_is_no_longer_written_has_no_inputs(story: tuple[Store, dict[int, list[dict[str, Any]]]]) -> None:
    """And is not an output; a task that goes offline writes nothing."""
    _, events = story
    entries = {entry["name"]: entry for entry in events[2][0]["job"]["facets"]["lineage"]["entries"]}

    assert entries["b"] == {"namespace": "n", "name": "b", "type": "DATASET", "inputs": []}
    assert list(entries["c"]["fields"]) == ["z"]
    assert [output["name"] for output in events[2][0]["outputs"]] == ["c"]
    assert events[7][0]["outputs"] == []


def test_a_dataset_has_the_facets_of_its_facts(story: tuple[Store, dict[int, list[dict[str, Any]]]]) -> None:
    """Columns where they are declared; a label with a colon is a key and a value."""
    _, events = story
    facets = events[5][0]["dataset"]["facets"]

    assert [field["name"] for field in facets["schema"]["fields"]] == ["x", "w"]
    assert facets["schema"]["fields"][0]["type"] == "int"
    assert [(tag["key"], tag["value"]) for tag in facets["tags"]["tags"]] == [("pii", "true"), ("team", "web")]
    assert facets["documentation"]["description"] == "all"


def test_a_facet_whose_last_word_is_gone_is_deleted(story: tuple[Store, dict[int, list[dict[str, Any]]]]) -> None:
    """The others are sent as they are."""
    _, events = story
    facets = events[6][0]["dataset"]["facets"]

    assert facets["tags"]["_deleted"] is True
    assert facets["documentation"]["description"] == "all"


def test_a_column_has_its_own_words(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A description beside its type, a tag with its field."""
    store = Store.create(tmp_path_factory.mktemp("store"), clock=ManualClock(1_000_000))
    store.append([NodeChange("d", "dataset", "n:a", "define", 10, fields=[Field("x", "int")])])
    store.append([fact("description", "amount", node="n:a#x"), fact("label", "pii", node="n:a#x")])
    facets = list(openlineage_events(store.changes(), store))[-1]["dataset"]["facets"]

    assert facets["schema"]["fields"] == [{"name": "x", "type": "int", "description": "amount"}]
    assert facets["tags"]["tags"] == [{"key": "pii", "value": "true", "field": "x"}]


def test_a_rejected_edge_sends_the_tasks_that_state_it_again(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Without it; the mark itself is in no event. Reserved nodes are nobody's business."""
    store = Store.create(tmp_path_factory.mktemp("store"), clock=ManualClock(1_000_000))
    store.append([task_change("t", "online", 10, [("n:a#x", "n:b#y"), ("n:c#x", "n:b#y")])])
    mark = task_change("edge:1", "online", 10, [("n:a#x", "n:b#y", "DIRECT", "REJECTED")])
    store.append([mark])
    store.append([fact("k", "v", node="subscription:s")], own=True)
    feed = OpenLineageFeed(store)
    events = [feed.events(entry) for entry in store.changes()]

    assert [[event["job"]["name"] for event in each] for each in events[:2]] == [["t"], ["t"]]
    (entry,) = events[1][0]["job"]["facets"]["lineage"]["entries"]
    assert [source["name"] for source in entry["fields"]["y"]["inputs"]] == ["c"]
    assert events[2] == []


@pytest.mark.parametrize(
    ("node", "namespace", "name"),
    [
        ("kafka://b1:9092,b2:9092:orders", "kafka://b1:9092,b2:9092", "orders"),
        ("arn:aws:glue:us-east-1:12:table/db/t", "arn:aws:glue:us-east-1:12", "table/db/t"),
        ("my namespace:t", "my namespace", "t"), ("1st:t", "1st", "t"), (":t", "", "t"),
    ],
)  # fmt: skip
def test_a_dataset_of_any_namespace_stops_no_version(
    tmp_path_factory: pytest.TempPathFactory, node: str, namespace: str, name: str
) -> None:
    """Its namespace and name are those that it was given, and the versions after it are sent."""
    store = Store.create(tmp_path_factory.mktemp("store"), clock=ManualClock(1_000_000))
    store.append([task_change("t", "online", 10, [(f"{node}#x", "n:b#y")]), task_change("u", "online", 10, EDGES)])
    first, second = openlineage_events(store.changes(), store)

    assert first["inputs"] == [{"namespace": namespace, "name": name}]
    assert second["job"]["name"] == "u"


def test_records_of_one_task_have_one_key(story: tuple[Store, dict[int, list[dict[str, Any]]]]) -> None:
    """A relay finds its position in the headers; a version without changes has no record."""
    store, _ = story
    entry = next(store.changes())
    (record,) = openlineage_records(entry, OpenLineageFeed(store), store.id)

    assert (record.key, dict(record.headers)["lineage-tt-version"]) == (b"t", b"1")
    assert orjson.loads(record.value or b"")["job"]["name"] == "t"
    silent = entry._replace(changes=(), facts=())
    assert list(openlineage_records(silent, OpenLineageFeed(store), store.id)) == []
    assert isinstance(task_change("t", "online", 1), TaskChange)
