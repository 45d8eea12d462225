"""What single facets mean: deleted, masked, renamed, dropped, unreadable; and which of several statements counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from run_events import START, Event, columns_of, dataset, dataset_event, event, pairs, take

from lineage_tt import Store

A, B = "db:a", "db:b"


def run(folder: Path, *events: Event) -> Store:
    """Return the store that took these events in."""
    receipts = take(folder, events)
    assert {receipt.status for receipt in receipts} <= {"accepted"}
    return Store.open(folder)


def complete(**said: Any) -> Event:
    """Return the one event of a run."""
    return event("COMPLETE", START, **said)


def kinds(store: Store) -> set[tuple[str, str, str, str]]:
    """Return source, target, type and subtype of the edges."""
    return {(e.source, e.target, e.type, e.subtype) for e in store.as_of().edges()}


def facts(store: Store, at: int | None = None) -> set[tuple[str, str, str]]:
    """Return the facts in force."""
    return {(f.node, f.key, f.value) for f in store.as_of(at).facts()}


def field(name: str, *transformations: Event) -> Event:
    """Return an input field of the dataset ``a``."""
    return {"namespace": "db", "name": "a", "field": name, "transformations": list(transformations)}


def test_column_lineage_goes_before_the_lists(tmp_path: Path) -> None:
    """Where columns are reported, the pair of tables is not said beside them."""
    run(tmp_path, complete(inputs=[dataset("a")], outputs=[dataset("b", columnLineage=columns_of(y=["a.x"]))]))

    assert pairs(tmp_path) == {(f"{A}#x", f"{B}#y")}


def test_the_lineage_facet_goes_before_column_lineage(tmp_path: Path) -> None:
    """An output of which the lineage facet speaks has nothing else: the input that it does not name is the job's."""
    entry = {"namespace": "db", "name": "b", "type": "DATASET", "inputs": []}
    said = {"inputs": [dataset("a")], "outputs": [dataset("b", columnLineage=columns_of(y=["a.x"]))]}
    store = run(tmp_path, complete(**said, job_facets={"lineage": {"entries": [entry]}}))

    assert pairs(tmp_path) == {(A, "task:etl/job")}
    assert [task.coverage for task in store.as_of().tasks()] == ["complete"]  # reported as nothing


def test_an_input_that_no_column_shows_feeds_the_table(tmp_path: Path) -> None:
    """A table that is read and that columnLineage does not name feeds the output as a whole."""
    output = dataset("b", columnLineage=columns_of(y=["a.x"]))
    run(tmp_path, complete(inputs=[dataset("a"), dataset("filter")], outputs=[output]))

    assert pairs(tmp_path) == {(f"{A}#x", f"{B}#y"), ("db:filter", B)}


def test_tables_alone_are_not_complete(tmp_path: Path) -> None:
    """A walk to a column of a table of which only tables are reported says that it ends for want of knowledge."""
    columns = {"schema": {"fields": [{"name": "y"}]}}
    store = run(tmp_path, complete(inputs=[dataset("a")], outputs=[dataset("b", **columns)]))
    answer = store.as_of().upstream(f"{B}#y")

    assert pairs(tmp_path) == {(A, B)}
    assert not answer.completeness.complete


def test_transformations_have_types_and_masks(tmp_path: Path) -> None:
    """Types and subtypes are kept, unknown ones say the least that they can; a mask is a fact of the column."""
    said = [
        field("a", {"type": "DIRECT", "subtype": "AGGREGATION", "masking": True}),
        field("b", {"type": "INDIRECT", "subtype": "GROUP_BY"}),
        field("c", {"type": "DIRECT", "subtype": "MINE"}),
        field("d", {"type": "INDIRECT", "subtype": "MINE"}),
        field("e"),
        field("f", {"type": "direct", "subtype": "identity"}, {"type": "INDIRECT", "subtype": "FILTER"}),
    ]
    facet = {"fields": {"y": {"inputFields": said}}, "dataset": [field("g", {"type": "INDIRECT", "subtype": "SORT"})]}
    store = run(tmp_path, complete(inputs=[dataset("a")], outputs=[dataset("b", columnLineage=facet)]))

    assert kinds(store) == {
        (f"{A}#a", f"{B}#y", "DIRECT", "AGGREGATION"),
        (f"{A}#b", f"{B}#y", "INDIRECT", "GROUP_BY"),
        (f"{A}#c", f"{B}#y", "DIRECT", "TRANSFORMATION"),
        (f"{A}#d", f"{B}#y", "INDIRECT", "CONDITIONAL"),
        (f"{A}#e", f"{B}#y", "DIRECT", "TRANSFORMATION"),
        (f"{A}#f", f"{B}#y", "DIRECT", "IDENTITY"),
        (f"{A}#f", f"{B}#y", "INDIRECT", "FILTER"),
        (f"{A}#g", B, "INDIRECT", "SORT"),
    }
    assert facts(store) == {(f"{B}#y", "masked", f"{A}#a")}


@pytest.mark.parametrize(
    ("word", "expected", "masked"),
    [("IDENTITY", "IDENTITY", False), ("MASKED", "TRANSFORMATION", True), ("", "TRANSFORMATION", False)],
)
def test_column_lineage_1_0_has_one_type_for_a_column(tmp_path: Path, word: str, expected: str, masked: bool) -> None:
    """``transformationType`` counts for all inputs of a column, its description is the expression."""
    said = {"inputFields": [field("x")], "transformationType": word, "transformationDescription": "md5(x)"}
    facet = {"fields": {"y": {**said, "inputFields": [{"namespace": "db", "name": "a", "field": "x"}]}}}
    store = run(tmp_path, complete(inputs=[dataset("a")], outputs=[dataset("b", columnLineage=facet)]))

    assert [(e.subtype, e.expression) for e in store.as_of().edges()] == [(expected, "md5(x)")]
    assert bool(facts(store)) is masked


def test_events_of_a_run_add_up(tmp_path: Path) -> None:
    """What the beginning says of the job, and the middle of columns, counts at the end; a facet may be deleted."""
    owned = {"ownership": {"owners": [{"name": "ann"}]}, "documentation": {"description": "old"}}
    gone = {"documentation": {"_deleted": True}}
    first = dataset("b", columnLineage=columns_of(y=["a.x"]), schema={"fields": [{"name": "y", "type": "int"}]})
    second = dataset("b", columnLineage=columns_of(z=["a.x"]), schema={"fields": [{"name": "z", "type": "int"}]})
    store = run(
        tmp_path,
        event("START", START, inputs=[dataset("a")], job_facets=owned),
        event("RUNNING", START + 1, outputs=[first], job_facets=gone),
        event("COMPLETE", START + 2, outputs=[second]),
    )

    assert pairs(tmp_path) == {(f"{A}#x", f"{B}#y"), (f"{A}#x", f"{B}#z")}
    assert facts(store) == {("task:etl/job", "owner", "ann"), (f"{B}#z", "type", "int")}
    assert [(c.column, c.type) for c in store.as_of().columns(B)] == [("z", "int")]


@pytest.mark.parametrize("ends", ["FAIL", "ABORT", "RUNNING"])
def test_what_failed_or_goes_on_says_nothing(tmp_path: Path, ends: str) -> None:
    """A run that failed, was aborted or is not over changes nothing."""
    output = dataset("b", columnLineage=columns_of(y=["a.x"]))
    assert take(tmp_path, [event("START", START), event(ends, START + 1, outputs=[output])]) == []


def test_a_rename_carries_columns_over(tmp_path: Path) -> None:
    """A dataset under a new name is fed by what it was, column by column, and says its former name."""
    change = {"lifecycleStateChange": "RENAME", "previousIdentifier": {"namespace": "db", "name": "a"}}
    schema = {"fields": [{"name": "x"}]}
    store = run(tmp_path, complete(outputs=[dataset("b", lifecycleStateChange=change, schema=schema)]))

    assert pairs(tmp_path) == {(A, B), (f"{A}#x", f"{B}#x")}
    assert (B, "renamed_from", A) in facts(store)


def test_a_drop_takes_the_declared_columns_away(tmp_path: Path) -> None:
    """A run that drops a dataset has no edge into it, and nobody declares its columns from then on."""
    change = {"lifecycleStateChange": "DROP"}
    declared = dataset_event(START - 10, "b", schema={"fields": [{"name": "x", "type": "int"}]})
    store = run(
        tmp_path, declared, complete(inputs=[dataset("a")], outputs=[dataset("b", lifecycleStateChange=change)])
    )

    assert [c.column for c in store.as_of(START - 1).columns(B)] == ["x"]
    assert store.as_of(START).columns(B) == []
    assert pairs(tmp_path) == set()


def test_dataset_events_have_a_timeline_for_each_facet(tmp_path: Path) -> None:
    """A later event changes the facets that it names and no others; a deleted one is gone from then on."""
    tags = {"tags": [{"key": "pii", "value": "true", "field": "x"}, {"key": "tier", "value": "gold"}]}
    store = run(
        tmp_path,
        dataset_event(START, "a", tags=tags, ownership={"owners": [{"name": "ann"}]}),
        dataset_event(START + 10, "a", tags={"tags": [{"key": "pii"}]}),
        dataset_event(START + 20, "a", ownership={"_deleted": True}),
    )

    assert facts(store, START) == {(f"{A}#x", "label", "pii"), (A, "label", "tier:gold"), (A, "owner", "ann")}
    assert facts(store, START + 10) == {(A, "label", "pii"), (A, "owner", "ann")}
    assert facts(store, START + 20) == {(A, "label", "pii")}


def test_nested_fields_are_columns(tmp_path: Path) -> None:
    """A schema's fields inside fields are columns of the dataset, named by their paths."""
    inner = [{"name": "city", "type": "string", "description": "where"}]
    fields = [{"name": "id", "type": "int"}, {"name": "address", "type": "struct", "fields": inner}]
    store = run(tmp_path, dataset_event(START, "a", schema={"fields": fields}))

    assert [(c.column, c.type, c.nested) for c in store.as_of().columns(A)] == [
        ("id", "int", False), ("address", "struct", False), ("address.city", "string", True),
    ]  # fmt: skip
    assert (f"{A}#address.city", "description", "where") in facts(store)


def test_a_facet_that_cannot_be_read_is_said_to_be_so(tmp_path: Path) -> None:
    """A columnLineage of a wrong shape is not a reason to refuse the run: its tables count, and it is not complete."""
    broken = dataset("b", columnLineage={"fields": {"y": {"inputFields": [{"name": "a"}]}}})
    store = run(tmp_path, complete(inputs=[dataset("a")], outputs=[broken]))
    problems = [problem["code"] for _, found in store.sql("SELECT 1, problems FROM log")[1] for problem in found]

    assert pairs(tmp_path) == {(A, B)}
    assert "unreadable-facet" in problems


@pytest.mark.parametrize(
    "text", ["2026-01-01T00:00:00", "2026-01-01T00:00:00.000000", "2026-01-01T01:00:00.0000000+01:00"]
)
def test_a_time_without_a_zone_is_utc(tmp_path: Path, text: str) -> None:
    """OpenLineage's own clients have written such times; the events were dead letters."""
    take(tmp_path, [event("COMPLETE", START, inputs=[dataset("a")], outputs=[dataset("b")]) | {"eventTime": text}])

    assert pairs(tmp_path, START) == {("db:a", "db:b")}
    assert pairs(tmp_path, START - 1) == set()


def test_a_job_that_overwrites_what_it_reads_states_both_schemas(tmp_path: Path) -> None:
    """The columns that it read were forgotten; of a column that is in both the type that is written counts."""
    read = dataset("a", schema={"fields": [{"name": "x", "type": "int"}, {"name": "old", "type": "text"}]})
    written = dataset("a", schema={"fields": [{"name": "x", "type": "bigint"}]})
    take(tmp_path, [event("COMPLETE", START, inputs=[read], outputs=[written])])
    types = {(fact.node, fact.value) for fact in Store.open(tmp_path).as_of().facts(key="type")}

    assert types == {("db:a#x", "bigint"), ("db:a#old", "text")}


def test_a_hash_in_a_name_is_escaped(tmp_path: Path) -> None:
    """The first ``#`` of a node ends its dataset, whatever the dataset is called."""
    run(tmp_path, complete(inputs=[dataset("a#b")], outputs=[dataset("c")]))

    assert pairs(tmp_path) == {("db:a%23b", "db:c")}


def test_reserved_names_are_refused_alone(tmp_path: Path) -> None:
    """A run that names a node of the store's own is a dead letter, and the others continue."""
    hostile = event("COMPLETE", START, run="r2", job="j2", inputs=[dataset("a")], outputs=[dataset("b")])
    hostile["outputs"][0]["namespace"] = "token"
    good = complete(inputs=[dataset("a")], outputs=[dataset("b")])
    receipts = take(tmp_path, [hostile, good])

    assert sorted(receipt.status for receipt in receipts) == ["accepted", "rejected"]
    assert pairs(tmp_path) == {(A, B)}


TEXTS = {"namespace": "policy", "name": "texts"}
LINKED = {"symlinks": {"identifiers": [{"namespace": "s3://x", "name": "b"}, {**TEXTS, "type": "TABLE"}]}}
FORMER = {"lifecycleStateChange": {"lifecycleStateChange": "RENAME", "previousIdentifier": TEXTS}}
MASKS = {"inputFields": [{**TEXTS, "field": "x", "transformations": [{"type": "DIRECT", "masking": True}]}]}


@pytest.mark.parametrize(
    "said",
    [
        complete(inputs=[dataset("a")], outputs=[dataset("b", **LINKED)]),
        complete(inputs=[dataset("a", **LINKED)], outputs=[dataset("b")]),
        complete(outputs=[dataset("b", **FORMER)]),
        complete(outputs=[dataset("b", columnLineage={"fields": {"y": MASKS}})]),
        complete(outputs=[dataset("b", lineage={"inputs": [{**TEXTS, "type": "DATASET"}]})]),
        complete(job_facets={"lineage": {"entries": [{**TEXTS, "type": "DATASET", "inputs": []}]}}, outputs=[TEXTS]),
        complete(inputs=[TEXTS]),
        complete(outputs=[TEXTS]),
        complete(outputs=[{**TEXTS, "facets": {"ownership": {"owners": [{"name": "me"}]}}}]),
        dataset_event(START, "b", **LINKED),
        dataset_event(START, "b", **FORMER),
        {**dataset_event(START, "b"), "dataset": {**TEXTS, "facets": {"tags": {"tags": [{"key": "pii"}]}}}},
    ],
)
def test_no_facet_leaves_a_trace_of_a_reserved_node(tmp_path: Path, said: Event) -> None:
    """Another name, a former name, a masked column, what is read or written: once the value of a fact stayed."""
    assert "rejected" in {receipt.status for receipt in take(tmp_path, [said])}
    store = Store.open(tmp_path)

    assert not [fact for fact in facts(store) if "policy:texts" in fact[0] + fact[2]]
    assert not [edge for edge in kinds(store) if "policy:texts" in edge[0] + edge[1]]


def test_jobs_that_a_run_follows_are_named(tmp_path: Path) -> None:
    """``jobDependencies`` is control, not data: facts of the tasks. Which runs those were makes no version."""

    def depends(run_id: str) -> Event:
        other = {"run": {"runId": run_id}, "dependency_type": "DIRECT_INVOCATION"}
        jobs = [{"job": {"namespace": "etl", "name": name}, **other} for name in ("load", "job")]
        return {"jobDependencies": {"upstream": jobs, "downstream": [{"job": {"namespace": "etl", "name": "after"}}]}}

    one = event("COMPLETE", START, run_facets=depends("x"))
    again = event("COMPLETE", START + 1_000_000, run="r2", run_facets=depends("y"))
    store = run(tmp_path, one, again)

    assert facts(store) == {
        ("task:etl/job", "runs_after", "task:etl/load"),
        ("task:etl/after", "runs_after", "task:etl/job"),
    }
    assert store.version == 1
    assert pairs(tmp_path) == set()
