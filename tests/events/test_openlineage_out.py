"""Versions as OpenLineage events: what the specification accepts, and what a follower reads back."""

from __future__ import annotations

import itertools
import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from rounds import rounds
from run_events import START, take
from steps import calls_of

import lineage_tt.sample
from ingest.pipeline import Ingester
from lineage_tt import Store
from lineage_tt.curation.statements import add_alias, annotate, state_edge
from lineage_tt.feed.openlineage import OpenLineageFeed, openlineage_events
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import NodeChange
from lineage_tt.testing import task_change

RETAIL = Path(lineage_tt.sample.__file__).parent / "retail.jsonl"


@pytest.fixture(scope="module")
def retail(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the sample."""
    folder = tmp_path_factory.mktemp("out") / "retail"
    with Ingester(Store.create(folder), workers=1) as ingester:
        ingester.ingest_file(str(RETAIL))
    return folder


@pytest.fixture(scope="module")
def events(retail: Path) -> list[dict[str, Any]]:
    """The events of all versions of the sample."""
    store = Store.open(retail)
    return list(openlineage_events(store.changes(), store))


def schemas(shared: Path) -> dict[str, Any]:
    """Return the specification's schemas by their ids."""
    spec = shared / "data" / "openlineage" / "spec"
    found = [json.loads(path.read_text()) for path in (spec / "OpenLineage.json", *(spec / "facets").glob("*.json"))]
    return {schema["$id"]: schema for schema in found}


def test_the_specification_accepts_every_event(events: list[dict[str, Any]], shared_dir: Path) -> None:
    """Each event, and each facet in it, is valid as the specification's schemas have it."""
    assert len(events) >= 20
    assert validated(events, shared_dir)["lineage"] >= 10


def validated(events: list[dict[str, Any]], shared_dir: Path) -> Counter[str]:
    """Validate events and their facets; return how many facets of each name there are."""
    known = schemas(shared_dir)
    whole = known["https://openlineage.io/spec/2-0-2/OpenLineage.json"]

    def valid(pointer: str, given: Any) -> None:
        schema = {"$ref": pointer}
        jsonschema_rs.validator_for(schema, retriever=known.__getitem__).validate(given)

    facets: Counter[str] = Counter()
    for event in events:
        jsonschema_rs.validator_for(whole, retriever=known.__getitem__).validate(event)
        for name, facet in (event.get("job") or event["dataset"])["facets"].items():
            valid(facet["_schemaURL"], facet)
            facets[name] += 1
    return facets


def test_a_follower_has_the_lineage_of_the_store(retail: Path, events: list[dict[str, Any]], tmp_path: Path) -> None:
    """The events taken into another store, in any batches, give the edges that are in force in the first one."""
    take(tmp_path / "follower", events)
    ours, theirs = (
        {
            (e.source, e.target, e.type, e.subtype)
            for e in Store.open(folder).as_of().edges()
            if not e.source.endswith("#*") and not e.target.endswith("#*")
        }
        for folder in (retail, tmp_path / "follower")
    )

    assert len(ours) > 50
    assert ours <= theirs


def test_a_task_that_ends_leaves_its_tables_without_sources(tmp_path: Path) -> None:
    """The event of an offline task says of each table that nothing feeds it any more."""
    edge = {"source": "db:a#x", "target": "db:b#y", "type": "DIRECT", "subtype": "IDENTITY"}
    lines = [
        {"event_id": "1", "task_id": "t", "op": "online", "effective_at": "2026-01-01T00:00:00Z", "edges": [edge]},
        {"event_id": "2", "task_id": "t", "op": "offline", "effective_at": "2026-02-01T00:00:00Z"},
    ]
    path = tmp_path / "lines.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with Ingester(Store.create(tmp_path / "s"), workers=1) as ingester:
        ingester.ingest_file(str(path))
    command = [str(Path(sys.executable).with_name("lineage-tt")), "changes", "--format", "openlineage"]
    found = subprocess.run([*command, "--store", str(tmp_path / "s")], capture_output=True, text=True, check=True)
    first, last = map(json.loads, found.stdout.splitlines())

    assert first["job"]["facets"]["lineage"]["entries"][0]["fields"]["y"]["inputs"][0]["field"] == "x"
    assert last["job"]["facets"]["lineage_tt"]["effectiveAt"].startswith("2026-02-01T00:00:00")
    assert first["eventTime"] < last["eventTime"]
    assert last["job"]["facets"]["lineage"]["entries"] == [
        {"namespace": "db", "name": "b", "type": "DATASET", "inputs": []}
    ]


JULY = 1_782_864_000_000_000  # 2026-07-01T00:00:00Z


def told(store: Store, after: int = 0) -> list[dict[str, Any]]:
    """The events of the versions after one."""
    return list(openlineage_events(store.changes(after), store))


def pairs_of(event: dict[str, Any]) -> set[tuple[str, str]]:
    """The pairs of datasets, or of columns where they are named, that a JobEvent states."""
    pairs = set()
    for entry in event["job"]["facets"].get("lineage", {}).get("entries", ()):
        target = f"{entry['namespace']}:{entry['name']}"
        ends = [(target, each) for each in entry["inputs"]]
        ends += [
            (f"{target}#{name}", each) for name, held in entry.get("fields", {}).items() for each in held["inputs"]
        ]
        for end, each in ends:
            source = f"{each['namespace']}:{each['name']}"
            pairs.add((f"{source}#{each['field']}" if "field" in each else source, end))
    return pairs


def test_each_event_says_what_the_store_says_at_its_version(retail: Path, events: list[dict[str, Any]]) -> None:
    """Added up from the feed or asked of the store as of the version: the same pairs, whatever came before."""
    store = Store.open(retail)
    entries = {entry.version: entry for entry in store.changes()}
    for event in events:
        if "job" not in event:
            continue
        version = event["job"]["facets"]["lineage_tt"]["version"]
        entry = entries[version]
        at = max(entry.effective_at or 0, entry.system_time)
        expected = {
            tuple(node.removesuffix("#*") for node in (edge.source, edge.target))
            for edge in store.as_of(at, version=version).edges()
            if edge.task_id == event["job"]["name"]
        }
        assert pairs_of(event) == expected, version


def test_events_from_any_version_on_are_the_same(retail: Path, events: list[dict[str, Any]]) -> None:
    """Who begins in the middle, or begins again there, is told what everybody is told."""
    store = Store.open(retail)
    for after in range(0, store.version, 7):
        versions = [(each.get("job") or each["dataset"])["facets"]["lineage_tt"]["version"] for each in events]
        kept = [each for each, version in zip(events, versions, strict=True) if version > after]
        assert told(store, after) == kept
    feed = OpenLineageFeed(store)
    entries = list(store.changes())
    alone = {entry.version: OpenLineageFeed(store).events(entry) for entry in entries}
    again = [*entries, *entries[3:], *entries[:2], entries[-1]]
    assert [feed.events(entry) for entry in again] == [alone[entry.version] for entry in again]


def test_the_cost_of_a_version_does_not_grow_with_the_store(tmp_path: Path) -> None:
    """No query runs for a version, and the last of 800 versions takes as many steps as the first."""
    store = Store.create(tmp_path)
    store.append([task_change(f"t{n}", "online", START + n, [(f"db:a{n}#x", f"db:b{n}#y")]) for n in range(800)])
    feed, counted = OpenLineageFeed(store), []
    for entry in list(store.changes()):
        counted.append(calls_of(lambda entry=entry: feed.events(entry)))  # type: ignore[misc]

    assert all(20 < sum(calls.values()) <= sum(counted[0].values()) for calls in counted[1:])
    assert sum(calls["execute"] for calls in counted) == 0


def test_a_rejected_edge_is_in_no_event(tmp_path: Path, shared_dir: Path) -> None:
    """A follower once got the rejection itself as an edge; the tasks that state it are reported without it."""
    store = Store.create(tmp_path)
    edges = [("db:a#x", "db:c#x"), ("db:b#y", "db:c#y")]
    store.append([task_change("one", "online", START, edges), task_change("two", "online", START, edges[:1])])
    before = store.version
    state_edge(store, "reject", "db:a#x", "db:c#x", at=START)
    rejected = told(store, before)
    state_edge(store, "remove", "db:a#x", "db:c#x", at=START + 1)
    back = told(store, before + 1)
    state_edge(store, "reject", "db:a", "db:c", at=START + 2)
    whole = told(store, before + 2)

    assert {event["job"]["name"]: pairs_of(event) for event in rejected} == {"one": {edges[1]}, "two": set()}
    assert {event["job"]["name"]: pairs_of(event) for event in back} == {"one": set(edges), "two": {edges[0]}}
    assert {event["job"]["name"]: pairs_of(event) for event in whole} == {"one": {edges[1]}, "two": set()}
    validated([*rejected, *back, *whole], shared_dir)


def test_a_follower_loses_what_a_person_rejects(tmp_path: Path) -> None:
    """A task of which nothing is left was sent without an entry for its table, so that followers kept its edges."""
    store = Store.create(tmp_path / "ours")
    store.append([task_change("one", "online", START, [("db:a#x", "db:c#x")])])
    state_edge(store, "reject", "db:a", "db:c", at=START)
    take(tmp_path / "follower", told(store))

    assert Store.open(tmp_path / "follower").as_of().edges() == []


def test_a_rejected_alias_is_no_symlink(tmp_path: Path, shared_dir: Path) -> None:
    """Followers kept a symlink over which lineage no longer goes; taken back, the rejection brings it again."""
    store = Store.create(tmp_path)
    add_alias(store, "db:a", "s3://lake:a", at=START)
    add_alias(store, "db:a", "s3://lake:b", at=START)
    before = store.version
    for name in ("a", "b"):
        state_edge(store, "reject", f"s3://lake:{name}", "db:a", at=START + 1)
    state_edge(store, "remove", "s3://lake:a", "db:a", at=START + 2)
    events = told(store, before)
    facets = [event["dataset"]["facets"]["symlinks"] for event in events]

    assert [[each["name"] for each in facet.get("identifiers", ())] for facet in facets] == [["b"], [], ["a"]]
    assert [facet.get("_deleted") for facet in facets] == [None, True, None]
    validated(events, shared_dir)


def test_what_holds_for_a_dataset_and_for_its_columns_is_said_once(tmp_path: Path) -> None:
    """A LOCATION gives an edge between datasets and one between all columns: two equal transformations were sent."""
    store = Store.create(tmp_path)
    store.append([task_change("t", "online", START, [("db:a", "db:b"), ("db:a#*", "db:b#*")])])

    (entry,) = told(store)[0]["job"]["facets"]["lineage"]["entries"]
    assert [len(each["transformations"]) for each in entry["inputs"]] == [1]


def test_what_goes_to_a_task_is_told(tmp_path: Path, shared_dir: Path) -> None:
    """An edge to a task, from a column or another task, was in no event; it ends as that to a table does."""
    store = Store.create(tmp_path)
    edges = [("db:a#x", "task:load"), ("task:load", "task:send#2"), ("task:load", "db:b#y")]
    store.append([task_change("dag", "online", START, edges)])
    store.append([task_change("dag", "offline", START + 1)])
    first, last = told(store)
    jobs = first["job"]["namespace"]
    entries = {entry["name"]: entry for entry in first["job"]["facets"]["lineage"]["entries"]}

    assert [(entries[name]["type"], entries[name]["namespace"]) for name in ("load", "send#2")] == [("JOB", jobs)] * 2
    assert [(each["name"], each["field"]) for each in entries["load"]["inputs"]] == [("a", "x")]
    assert [(each["type"], each["name"]) for each in entries["send#2"]["inputs"]] == [("JOB", "load")]
    assert (first["inputs"], first["outputs"]) == (
        [{"namespace": "db", "name": "a"}],
        [{"namespace": "db", "name": "b"}],
    )
    assert [entry["inputs"] for entry in last["job"]["facets"]["lineage"]["entries"]] == [[], [], []]
    validated([first, last], shared_dir)


def test_an_edge_that_a_person_adds_is_a_job_of_its_own(tmp_path: Path) -> None:
    """Nobody else states it."""
    store = Store.create(tmp_path)
    state_edge(store, "add", "db:a#x", "db:c#x", at=START)

    (event,) = told(store)
    assert (event["job"]["name"], pairs_of(event)) == ("edge:db:a#x -> db:c#x", {("db:a#x", "db:c#x")})


def test_what_people_and_producers_say_of_datasets(tmp_path: Path, shared_dir: Path) -> None:
    """Aliases are symlinks, annotations facets of the dataset, with tags and descriptions of its columns."""
    store = Store.create(tmp_path)
    fields = [Field("id", "BIGINT", field_id=1), Field("email", "STRING", field_id=2)]
    store.append([NodeChange("1", "dataset", "db:a", "define", START, fields=fields)])
    add_alias(store, "db:a", "s3://lake:a", at=START)
    annotate(store, "db:a", "owner", ["ana"], at=START)
    annotate(store, "db:a#email", "label", ["pii"], at=START)
    annotate(store, "db:a#email", "description", ["where to write to"], at=START)
    annotate(store, "task:load", "owner", ["bob"], at=START)
    events = told(store)
    facets = events[-2]["dataset"]["facets"]

    assert facets["symlinks"]["identifiers"] == [{"namespace": "s3://lake", "name": "a", "type": "TABLE"}]
    assert facets["ownership"]["owners"] == [{"name": "ana"}]
    assert facets["tags"]["tags"] == [{"key": "pii", "value": "true", "field": "email"}]
    assert facets["schema"]["fields"] == [
        {"name": "id", "type": "BIGINT"}, {"name": "email", "type": "STRING", "description": "where to write to"},
    ]  # fmt: skip
    assert (events[-1]["job"]["name"], events[-1]["job"]["facets"]["ownership"]["owners"]) == (
        "load",
        [{"name": "bob"}],
    )
    assert validated(events, shared_dir)["symlinks"] > 0


def test_what_was_taken_away_is_deleted(tmp_path: Path, shared_dir: Path) -> None:
    """A follower that keeps facets it is not told of would show an owner for ever."""
    store = Store.create(tmp_path)
    fields = [Field("id", "BIGINT", field_id=1)]
    store.append([NodeChange("1", "dataset", "db:a", "define", START, fields=fields)])
    annotate(store, "db:a", "owner", ["ana"], at=START)
    annotate(store, "db:a", "owner", ["bob"], at=START + 1)
    before = store.version
    annotate(store, "db:a", "owner", [], at=START + 2)
    store.append([NodeChange("2", "dataset", "db:a", "drop", START + 3)])
    events = told(store)

    assert all("_deleted" not in event["dataset"]["facets"].get("ownership", {}) for event in events[:before])
    last = [event["dataset"]["facets"] for event in events[before:]]
    assert [facets[name]["_deleted"] for facets, name in zip(last, ("ownership", "schema"), strict=True)] == [True] * 2
    validated(events, shared_dir)
    take(tmp_path / "follower", events)
    follower = Store.open(tmp_path / "follower").as_of()
    assert (follower.facts(), follower.columns()) == ([], [])


def test_a_dataset_that_got_another_name_says_which_it_had(tmp_path: Path, shared_dir: Path) -> None:
    """The fact ``renamed_from`` is OpenLineage's RENAME, said once."""
    store = Store.create(tmp_path)
    fact = ("db:new", "renamed_from", "db:old")
    store.append([NodeChange("1", "fact", "db:new", "set", START, fact_key="renamed_from", facts=[fact])])
    annotate(store, "db:new", "owner", ["ana"], at=START)
    first, second = told(store)

    change = first["dataset"]["facets"]["lifecycleStateChange"]
    assert (change["lifecycleStateChange"], change["previousIdentifier"]) == (
        "RENAME",
        {"namespace": "db", "name": "old"},
    )
    assert "lifecycleStateChange" not in second["dataset"]["facets"]
    validated([first, second], shared_dir)


def test_what_the_product_keeps_for_itself_is_not_told(tmp_path: Path) -> None:
    """The policy of texts is a fact of a reserved node."""
    store = Store.create(tmp_path)
    store.set_text_policy("mask-literals", "privacy")

    assert told(store) == []


@pytest.mark.parametrize("seed", range(rounds(4, 2)))
def test_random_histories_told_and_asked_are_the_same(tmp_path: Path, seed: int) -> None:
    """Late, future, corrected and retracted changes: each event has the edges that the store has at its point."""
    draw = random.Random(seed)
    store = Store.create(tmp_path)
    sent: list[str] = []
    for number in range(40):
        task, at = f"t{draw.randrange(3)}", draw.choice([START, START + 5, JULY, JULY * 2]) + draw.randrange(3)
        op: Any = draw.choice(["update", "update", "update", "offline", "retract"])
        edges = [(f"db:a#{draw.choice('xyz')}", f"db:b#{draw.choice('uv')}") for _ in range(draw.randrange(3))]
        named = f"{task}/{number}"
        before = [each for each in sent if each.startswith(task)]
        if op == "retract" and not before:
            continue
        which = draw.choice(before) if op == "retract" else None
        store.append([task_change(task, op, None if which else at, edges, event_id=named, retracts=which)])
        sent.append(named)
    alone = [(entry, OpenLineageFeed(store).events(entry)) for entry in store.changes()]
    for entry, (event,) in alone:
        at = max(entry.effective_at or 0, entry.system_time)
        edges_then = store.as_of(at, version=entry.version).edges()
        found = {(edge.source, edge.target) for edge in edges_then if edge.task_id == entry.task_id}
        assert pairs_of(event) == found, f"seed {seed}, version {entry.version}"
    assert told(store) == list(itertools.chain(*(events for _, events in alone)))
