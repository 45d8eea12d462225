"""Events with every facet of the specification: all are taken, what they state is answered, nothing is invented."""

from __future__ import annotations

import os
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from run_events import take
from spec_events import Maker, Spec

from lineage_tt import Store
from lineage_tt.model.edges import column_node, dataset_node

SEED = int(os.environ.get("LINEAGE_TT_SEED", random.Random().randrange(10**6)))
KINDS = ("RunEvent", "RunEvent", "JobEvent", "DatasetEvent")
Pair = tuple[str, str]
Fact = tuple[str, str, str]


def facet(holder: Mapping[str, Any], name: str) -> Any:
    """Return a facet that is there and was not deleted, an empty one else."""
    found = (holder.get("facets") or {}).get(name) or {}
    return {} if found.get("_deleted") else found


def node(given: Mapping[str, Any], own: str) -> str:
    """Return the node of a dataset, or of a job: the event's own where it has no name."""
    if given.get("type") == "JOB":
        return f"task:{given['namespace']}/{given['name']}" if "name" in given else own
    return dataset_node(given["namespace"], given["name"])


def explicit(entry: Mapping[str, Any], target: str, own: str) -> Iterator[Pair]:
    """Yield the pairs of an entry of a lineage facet."""
    columns = [(column_node(target, name), each["inputs"]) for name, each in entry.get("fields", {}).items()]
    for end, inputs in [(target, entry.get("inputs", ())), *columns]:
        for each in inputs:
            start = node(each, own)
            yield (column_node(start, each["field"]) if "field" in each and each["type"] != "JOB" else start), end


def by_columns(output: Mapping[str, Any]) -> Iterator[Pair]:
    """Yield the pairs of a columnLineage facet."""
    said, target = facet(output, "columnLineage"), dataset_node(output["namespace"], output["name"])
    fields = [(column_node(target, name), each["inputFields"]) for name, each in said.get("fields", {}).items()]
    for end, inputs in [*fields, (target, said.get("dataset", ()))]:
        yield from ((column_node(dataset_node(i["namespace"], i["name"]), i["field"]), end) for i in inputs)


def stated(event: Mapping[str, Any]) -> tuple[set[Pair], set[Pair]]:
    """Return the pairs that an event states, and those that its lists alone may add."""
    own = f"task:{event['job']['namespace']}/{event['job']['name']}"
    inputs, outputs = ({node(each, own): each for each in event[name]} for name in ("inputs", "outputs"))
    whole = facet(event["job"], "lineage")
    result = {pair for each in whole.get("entries", ()) for pair in explicit(each, node(each, own), own)}
    for name, each in {**inputs, **outputs}.items():
        result |= set(explicit(facet(each, "lineage"), name, own))
    if whole:
        return result, {(each, own) for each in inputs} | {(own, each) for each in outputs}
    for each in outputs.values():
        result |= set() if facet(each, "lineage") else set(by_columns(each))
    return result, {(source, target) for source in inputs for target in outputs}


def facts(holder: Mapping[str, Any], name: str) -> Iterator[Fact]:
    """Yield the owners, the description, the tags, the other names and the columns that facets state."""
    yield from ((name, "owner", each["name"]) for each in facet(holder, "ownership").get("owners", ()) if each["name"])
    if (words := facet(holder, "documentation").get("description", "")).strip():
        yield name, "description", words
    for tag in facet(holder, "tags").get("tags", ()):
        end = column_node(name, tag["field"]) if tag.get("field") else name
        yield end, "label", tag["key"] if tag["value"] in ("", "true") else f"{tag['key']}:{tag['value']}"
    for each in facet(holder, "symlinks").get("identifiers", ()):
        if (other := dataset_node(each["namespace"], each["name"])) != name:
            yield name, "alias", other
    for field in facet(holder, "schema").get("fields", ()):
        yield name, "column", field["name"]


@pytest.mark.parametrize("count", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_what_the_specification_allows_is_answered(shared_dir: Path, tmp_path: Path, count: int) -> None:
    """No event is rejected; edges are those stated, and those of the lists of inputs and outputs where allowed."""
    print("seed", SEED)
    spec, draw = Spec(shared_dir), random.Random(SEED)
    assert sum(map(len, spec.facets.values())) >= 38
    maker = Maker(spec, draw)
    events = [maker.event(draw.choice(KINDS), number) for number in range(count)]
    for event in events:
        spec.validate(event)
    receipts = take(tmp_path, events)
    store = Store.open(tmp_path)
    view = store.as_of()
    found: dict[str, set[Pair]] = defaultdict(set)
    for edge in view.edges():
        found[edge.task_id] |= {(edge.source, edge.target)}
    known = {(f.node, f.key, f.value) for f in view.facts()}
    known |= {(c.dataset, "column", c.column) for c in view.columns()}
    known |= {(f.node.partition("#")[0], "column", f.node.partition("#")[2]) for f in view.facts(key="type")}

    assert {receipt.status for receipt in receipts} == {"accepted"}
    assert not store.dead_letters()
    stated_pairs = 0
    for event in events:
        task, required, allowed, said = expected(event)
        stated_pairs += len(required)
        assert required <= found[task] <= required | allowed, event
        assert said <= known, (said - known, event)
    assert stated_pairs > count / 2


def expected(event: Mapping[str, Any]) -> tuple[str, set[Pair], set[Pair], set[Fact]]:
    """Return an event's task, the pairs that it states, those that it may have beside, and its facts."""
    if "dataset" in event:
        dataset = event["dataset"]
        name = dataset_node(dataset["namespace"], dataset["name"])
        lineage = facet(dataset, "lineage")
        pairs = explicit(lineage, name, f"task:dataset/{name}") if lineage else by_columns(dataset)
        return f"dataset/{name}", set(pairs), set(), set(facts(dataset, name))
    task = f"{event['job']['namespace']}/{event['job']['name']}"
    said = set(facts(event["job"], f"task:{task}"))
    for each in (*event["inputs"], *event["outputs"]):
        said |= set(facts(each, dataset_node(each["namespace"], each["name"])))
    return task, *stated(event), said


def test_the_reference_says_what_becomes_of_each_facet(shared_dir: Path) -> None:
    """Each facet of the specification has a row, and the page has no facet that is none."""
    page = (Path(__file__).parents[2] / "docs" / "reference" / "openlineage.md").read_text(encoding="utf-8")
    listed = {line.split("`")[1] for line in page.splitlines() if line.startswith("| `")}

    assert listed == {name for facets in Spec(shared_dir).facets.values() for name, _ in facets}
