"""What the facets of a job and of its datasets state as edges."""

from __future__ import annotations

from typing import Any

import pytest
from run_events import columns_of

from ingest.events.openlineage import edges
from ingest.events.openlineage.merging import Dataset, JobName, Picture
from lineage_tt.model.edges import EdgeTuple

JOB = JobName("etl", "job")


def task_of(job: JobName) -> str:
    """What tasks are called here."""
    return f"{job.namespace}/{job.name}"


def picture(job: dict[str, Any] | None = None, run: dict[str, Any] | None = None, **outputs: dict[str, Any]) -> Picture:
    """A run that reads ``db:a`` and ``db:c`` and writes datasets with these facets."""
    read = {f"db:{name}": Dataset("db", name) for name in ("a", "c")}
    written = {f"db:{name}": Dataset("db", name, facets) for name, facets in outputs.items()}
    return Picture(JOB, job or {}, read, written, run or {})


def source(name: str, field: str | None = None, **more: Any) -> dict[str, Any]:
    """An input in a facet."""
    return {"namespace": "db", "name": name, **({"field": field} if field else {}), **more}


def entry(name: str, *inputs: dict[str, Any], **fields: list[dict[str, Any]]) -> dict[str, Any]:
    """An entry of a lineage facet."""
    return {**source(name), "inputs": list(inputs), "fields": {n: {"inputs": e} for n, e in fields.items()}}


def whole(source: str, target: str, subtype: str = "TRANSFORMATION", kind: str = "DIRECT") -> EdgeTuple:
    """An edge without an expression."""
    return source, target, kind, subtype, ""


@pytest.mark.parametrize(
    ("given", "kept"),
    [(("DIRECT", "identity"), ("DIRECT", "IDENTITY")), (("INDIRECT", "GROUPBY"), ("INDIRECT", "GROUP_BY")),
     (("ODD", "JOIN"), ("INDIRECT", "JOIN")), (("ODD", "odd"), ("DIRECT", "TRANSFORMATION")),
     (("indirect", None), ("INDIRECT", "CONDITIONAL")), (("DIRECT", "JOIN"), ("DIRECT", "TRANSFORMATION")),
     (("INDIRECT", "IDENTITY"), ("INDIRECT", "CONDITIONAL")), (("DIRECT", "MASKED"), ("DIRECT", "TRANSFORMATION")),
     (("IDENTITY", None), ("DIRECT", "IDENTITY")), (("aggregation", "SUM"), ("DIRECT", "AGGREGATION")),
     (("GROUPBY", ""), ("INDIRECT", "GROUP_BY"))],
)  # fmt: skip
def test_an_unknown_subtype_is_the_least_that_its_type_says(
    given: tuple[str, str | None], kept: tuple[str, str]
) -> None:
    """A known one has its own type where the facet's is unknown, and none of the other type."""
    assert edges.typed(*given) == kept


@pytest.mark.parametrize(
    ("type_", "subtype", "words"),
    [("DIRECT", "SUM", "'DIRECT' with the subtype 'SUM' is not known, and counts as DIRECT TRANSFORMATION"),
     ("DIRECT", "FILTER", "DIRECT TRANSFORMATION"), ("INDIRECT", "IDENTITY", "INDIRECT CONDITIONAL"),
     ("ODD", None, "DIRECT TRANSFORMATION"),
     ("direct", "identity", None), ("DIRECT", None, None), ("DIRECT", "", None), ("INDIRECT", "GROUPBY", None),
     ("IDENTITY", None, None), ("AGGREGATION", "SUM", None), ("MASKED", None, None), ("DIRECT", "MASKED", None),
     ("DIRECT", "ALIAS", None)],
)  # fmt: skip
def test_a_transformation_that_is_not_known_is_a_problem(type_: str, subtype: str | None, words: str | None) -> None:
    """The edge is there, and how the value is made was lost unseen."""
    how = {"transformations": [{"type": type_, "subtype": subtype}]}
    columns = {"columnLineage": {"fields": {"y": {"inputFields": [source("a", "x", **how)]}}}}
    facet = {"lineage": {"entries": [entry("b", source("a", "x", **how))]}}

    for found in (edges.stated(picture(b=columns), task_of), edges.stated(picture(facet, b={}), task_of)):
        assert len(found.edges) == 1
        assert [problem.code for problem in found.problems] == ([] if words is None else ["unreadable-facet"])
        assert words is None or words in found.problems[0].detail
    assert {fact[1] for fact in edges.stated(picture(b=columns), task_of).facts} == (
        {"masked"} if "MASKED" in (type_, subtype) else set()
    )


@pytest.mark.parametrize(
    ("job", "columns", "edge"),
    [
        (None, {"fields": {"": {"inputFields": [source("a", "x")]}}}, 0),
        (None, {"fields": {"y": {"inputFields": [{**source("a"), "field": ""}, source("a", "x")]}}}, 1),
        (None, {"fields": {"y": {"inputFields": [source("", "x")]}}}, 0),
        (None, {"fields": {"y": {"inputFields": [{**source("a", "x"), "namespace": ""}]}}}, 0),
        ([entry("", source("a")), entry("b", source("a"))], None, 1),
        ([entry("b", {**source("a"), "field": ""}, source("c"))], None, 1),
        ([{**source("b"), "fields": {"": {"inputs": [source("a", "x")]}}}], None, 0),
    ],
)  # fmt: skip
def test_an_empty_name_names_nothing(job: Any, columns: Any, edge: int) -> None:
    """Neither a dataset nor a column of that name comes to be; the rest counts, and the task is partial."""
    facets = {"columnLineage": columns} if columns else {}
    found = edges.stated(picture({"lineage": {"entries": job}} if job else {}, b=facets), task_of)

    assert len(found.edges) == edge
    assert {problem.code for problem in found.problems} == {"unreadable-facet"}


def test_columns_are_fed_by_what_their_facet_names() -> None:
    """A column without further statements takes values; what concerns the whole output decides over it."""
    facet = columns_of(y=["a.x", "c.x"]) | {"dataset": [source("a", "w")]}
    facet["fields"]["y"]["inputFields"][1]["transformations"] = [
        {"type": "DIRECT", "subtype": "AGGREGATION", "description": " sum(x) "},
        {"type": "INDIRECT", "subtype": "JOIN"},
    ]  # fmt: skip
    found = edges.stated(picture(b={"columnLineage": facet}), task_of)

    assert found.edges == {
        whole("db:a#x", "db:b#y"), ("db:c#x", "db:b#y", "DIRECT", "AGGREGATION", "sum(x)"),
        whole("db:c#x", "db:b#y", "JOIN", "INDIRECT"), whole("db:a#w", "db:b", "CONDITIONAL", "INDIRECT"),
    }  # fmt: skip
    assert (found.unstated, found.says, found.problems) == ([], True, [])


@pytest.mark.parametrize(
    ("word", "kept"),
    [("IDENTITY", ("DIRECT", "IDENTITY")), ("filter", ("INDIRECT", "FILTER")), ("MASKED", ("DIRECT", "TRANSFORMATION")),
     ("odd", ("DIRECT", "TRANSFORMATION")), (None, ("DIRECT", "TRANSFORMATION"))],
)  # fmt: skip
def test_the_first_release_says_once_how_all_inputs_of_a_column_are_taken(
    word: str | None, kept: tuple[str, str]
) -> None:
    """With one description for all of them; a masked value is noted as such."""
    field = columns_of(y=["a.x", "c.x"])["fields"]["y"]
    field |= {"transformationType": word, "transformationDescription": "how"}
    found = edges.stated(picture(b={"columnLineage": {"fields": {"y": field}}}), task_of)

    assert found.edges == {(f"db:{name}#x", "db:b#y", *kept, "how") for name in ("a", "c")}
    masked = {("db:b#y", "masked", "db:a#x"), ("db:b#y", "masked", "db:c#x")}
    assert found.facts == (masked if word == "MASKED" else set())


def test_an_output_of_which_no_facet_says_anything_is_left_to_the_caller() -> None:
    """A facet that is empty, was deleted or cannot be read says nothing; the last is reported."""
    found = edges.stated(
        picture(b={}, d={"columnLineage": {"fields": {}}}, e={"columnLineage": {"_deleted": True, "fields": 7}},
                g={"columnLineage": 7}, h={"columnLineage": columns_of(y=["a.x"])}), task_of,
    )  # fmt: skip

    assert found.unstated == ["db:b", "db:d", "db:e", "db:g"]
    assert [each.code for each in found.problems] == ["unreadable-facet"]
    assert found.problems[0].detail.startswith("the facet columnLineage cannot be read: ")


def test_what_can_be_read_of_a_facet_counts_and_the_rest_is_reported() -> None:
    """How many errors there are, and the first of them."""
    facet = columns_of(y=["a.x"], z=["a.x"])
    facet["fields"]["z"] = 7
    facet["fields"]["y"]["inputFields"].append({"name": "a"})
    found = edges.stated(picture(b={"columnLineage": facet}), task_of)

    assert found.edges == {whole("db:a#x", "db:b#y")}
    (problem,) = found.problems
    assert problem.detail.startswith("the facet columnLineage cannot be read whole, 3 errors in it: ")


def test_the_lineage_facet_of_a_job_speaks_for_all_its_outputs() -> None:
    """Columns that another facet names, and the lists of inputs and outputs, do not count beside it."""
    facet = {"entries": [entry("b", source("a"), y=[source("a", "x")]), entry("gone")]}
    found = edges.stated(picture({"lineage": facet}, b={"columnLineage": columns_of(y=["c.x"])}, d={}), task_of)

    assert found.edges == {whole("db:a", "db:b"), whole("db:a#x", "db:b#y")}
    assert (found.is_whole, found.unstated, found.explicit) == (True, [], {"db:b", "db:gone"})


def test_a_lineage_facet_of_a_run_counts_like_that_of_its_job() -> None:
    """Its drafts had it there, under another name of the entries."""
    found = edges.stated(picture(run={"lineage": {"lineage": [entry("b", source("a"))]}}, b={}), task_of)

    assert (found.edges, found.is_whole) == ({whole("db:a", "db:b")}, True)


def test_a_lineage_facet_of_a_dataset_counts_before_its_column_lineage() -> None:
    """It speaks for that dataset alone, and of an input, too; inputs that are none say that nothing feeds it."""
    facets = {"lineage": {"inputs": []}, "columnLineage": columns_of(y=["a.x"])}
    given = picture(b=facets, d={})
    given.inputs["db:c"].facets["lineage"] = {"fields": {"x": {"inputs": [source("a", "x")]}}}
    found = edges.stated(given, task_of)

    assert found.edges == {whole("db:a#x", "db:c#x")}
    assert (found.explicit, found.is_whole, found.unstated) == ({"db:b", "db:c"}, False, ["db:d"])


def test_a_column_that_feeds_a_whole_dataset_decides_over_it() -> None:
    """Into a column it gives values; so does a dataset as a whole. What the facet says itself counts first."""
    decides = source("c", "x", transformations=[{"type": "DIRECT", "subtype": "IDENTITY"}])
    facet = {"entries": [entry("b", source("a", "x"), source("a"), decides, y=[source("a", "x"), source("c")])]}

    assert edges.stated(picture({"lineage": facet}), task_of).edges == {
        whole("db:a#x", "db:b", "CONDITIONAL", "INDIRECT"), whole("db:a", "db:b"),
        whole("db:c#x", "db:b", "IDENTITY"), whole("db:a#x", "db:b#y"), whole("db:c", "db:b#y"),
    }  # fmt: skip


def test_a_job_is_a_source_or_a_target_as_its_task() -> None:
    """The event's own where no other is named; what is not a job and has no name is left out."""
    other = {"type": "job", "namespace": "etl", "name": "other", "field": "x"}
    facet = {"entries": [entry("b", {"type": "JOB"}, other, {"name": "a"}, {"namespace": "db"}),
                         {"type": "JOB", "inputs": [source("a")]},
                         {"namespace": "db", "inputs": [source("a")]}]}  # fmt: skip
    found = edges.stated(picture({"lineage": facet}), task_of)

    assert found.edges == {
        whole("task:etl/job", "db:b"), whole("task:etl/other", "db:b", "CONDITIONAL", "INDIRECT"),
        whole("db:a", "task:etl/job"),
    }  # fmt: skip
    assert found.explicit == {"db:b", "task:etl/job"}


def test_a_job_that_names_no_output_says_nothing() -> None:
    """Reading alone is not a statement about lineage."""
    assert not edges.stated(picture(), task_of).says
    assert edges.stated(picture(b={}), task_of).says


def test_a_dataset_event_states_the_lineage_of_its_dataset() -> None:
    """By either facet; without one it says nothing about it."""
    facets = {"lineage": {"inputs": [source("a"), {"type": "JOB"}]}}
    found = edges.of_dataset("db:b", facets, task_of, JobName("dataset", "db:b"))

    assert found.edges == {whole("db:a", "db:b"), whole("task:dataset/db:b", "db:b")}
    assert found.says
    assert edges.of_dataset("db:b", {"columnLineage": columns_of(y=["a.x"])}, task_of, JOB).says
    assert not edges.of_dataset("db:b", {"schema": {}}, task_of, JOB).says


def test_each_input_feeds_each_output_as_a_whole() -> None:
    """Values flow in a way that is not known; without inputs or outputs there is no edge."""
    assert set(edges.table_edges(iter(["d:a", "d:b"]), ["d:x", "d:y"])) == {
        whole(source, target) for source in ("d:a", "d:b") for target in ("d:x", "d:y")
    }
    assert list(edges.table_edges([], ["d:x"])) == list(edges.table_edges(["d:a"], [])) == []


def test_what_a_facet_for_the_whole_job_leaves_out_is_the_job_s_own() -> None:
    """It read the inputs, and made the outputs, that no entry names."""
    facet = {"entries": [entry("b", source("a", "x")), entry("e")]}
    given = picture({"lineage": facet}, b={}, d={}, e={})
    found = edges.stated(given, task_of)

    assert set(edges.boundary(given, found, "task:t")) == {whole("db:c", "task:t"), whole("task:t", "db:d")}
    found.is_whole = False
    assert list(edges.boundary(given, found, "task:t")) == []


@pytest.mark.parametrize(
    ("job", "columns", "named"),
    [(None, {"fields": {"x": {"inputField": [source("a", "x")]}}}, "inputField"),
     (None, {"fields": {"x": {"from": [source("a", "x")]}}}, "fields.x.inputFields"),
     (None, {"fields": {}, "dataSet": [source("a", "x")]}, "dataSet"),
     (None, columns_of(y=["a.x"]) | {"dataset": [source("a", "w", transformation=[])]}, "transformation"),
     ([{"namespace": "db", "nme": "o"}], None, "nme"),
     ([{"namespace": "db", "who": "o"}], None, "an entry without namespace and name"),
     ([{**source("o"), "input": [source("a")]}], None, "input"),
     ([{**source("o"), "inputs": [{"namespace": "db", "nm": "a"}]}], None, "an input without namespace and name")],
)  # fmt: skip
def test_a_misspelt_key_in_a_lineage_facet_is_a_problem(job: Any, columns: Any, named: str) -> None:
    """Lineage was lost, and the task counted as complete."""
    facets = {"columnLineage": columns} if columns else {}
    found = edges.stated(picture({"lineage": {"entries": job}} if job else {}, o=facets), task_of)

    assert {problem.code for problem in found.problems} == {"unreadable-facet"}
    assert any(named in problem.detail for problem in found.problems)


def test_keys_that_producers_add_are_no_problem() -> None:
    """Standard keys, and those that resemble no field of the facet."""
    fields: dict[str, Any] = {"x": {"inputFields": [source("a", "x", vendor=1)]}, "w": {}}
    fields["y"] = {"inputFields": [], "confidence": 1}
    facet = {"_producer": "p", "_schemaURL": "s", "fields": fields, "z": 1}

    assert not edges.stated(picture(o={"columnLineage": facet}), task_of).problems
