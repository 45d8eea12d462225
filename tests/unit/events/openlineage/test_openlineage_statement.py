"""A run as one statement about its task: edges, facts, columns, and how sure they are."""

from __future__ import annotations

from typing import Any

import pytest
from run_events import columns_of

from ingest.events.openlineage import edges
from ingest.events.openlineage.merging import Dataset, JobName, Picture
from ingest.events.openlineage.statement import Statement, agreement, has_sql, statement_of
from lineage_tt.model.edges import EdgeTuple
from lineage_tt.model.messages import Lineage, Problem

COLUMN = ("db:a#x", "db:b#y", "DIRECT", "TRANSFORMATION", "")


def task_of(job: JobName) -> str:
    """What tasks are called here."""
    return f"{job.namespace}/{job.name}"


def picture(inputs: dict[str, Any], outputs: dict[str, Any], *, run: Any = None, **job: Any) -> Picture:
    """A run that reads and writes datasets of ``db`` with these facets."""
    sides = [{f"db:{name}": Dataset("db", name, facets) for name, facets in side.items()} for side in (inputs, outputs)]
    return Picture(JobName("etl", "job"), job, sides[0], sides[1], run or {})


def said(given: Picture, parsed: Lineage | None = None) -> Statement:
    """What a run says of its task."""
    return statement_of(given, "etl/job", task_of, parsed)


def schema(*columns: str, kind: str | None = None) -> dict[str, Any]:
    """A schema facet."""
    return {"fields": [{"name": each, **({"type": kind} if kind else {})} for each in columns]}


def whole(source: str, target: str, subtype: str = "TRANSFORMATION") -> EdgeTuple:
    """An edge between datasets as a whole."""
    return f"db:{source}", f"db:{target}", "DIRECT", subtype, ""


def codes(found: Statement) -> list[tuple[str, str]]:
    """What is not known, and of what."""
    return [(each.code, each.subject) for each in found.lineage.problems]


def facts(found: Statement, *keys: str) -> set[tuple[str, str, str]]:
    """The facts of these keys."""
    return {fact for fact in found.facts if fact[1] in keys}


def test_a_run_that_states_columns_is_complete() -> None:
    """An input that no column comes from feeds the output as a whole."""
    found = said(picture({"a": {}, "c": {}}, {"b": {"columnLineage": columns_of(y=["a.x"])}}))

    assert list(found.lineage.edges) == sorted([COLUMN, whole("c", "b")])
    assert (found.lineage.coverage, codes(found)) == ("complete", [])


def test_a_run_that_states_tables_alone_is_partial() -> None:
    """Each input feeds each output; the outputs are named whose columns are not known."""
    found = said(picture({"a": {}, "c": {}}, {"b": {}, "d": {"columnLineage": columns_of(y=["a.x", "c.x"])}}))

    assert {edge for edge in found.lineage.edges if "#" not in edge[0]} == {whole("a", "b"), whole("c", "b")}
    assert (found.lineage.coverage, codes(found)) == ("partial", [("table-level", "db:b")])


def test_a_run_of_which_its_producer_could_not_read_all_is_partial() -> None:
    """Airflow says so of SQL that it cannot parse: its run was complete."""
    outputs: dict[str, Any] = {"b": {"columnLineage": columns_of(y=["a.x"])}}
    failed, fine = ({"extractionError": {"failed": each}} for each in (True, False))

    assert codes(said(picture({"a": {}}, outputs, run=failed))) == [("extraction-error", "")]
    assert said(picture({"a": {}}, outputs, run=failed)).lineage.coverage == "partial"
    assert said(picture({"a": {}}, outputs, run=fine)).lineage.coverage == "complete"


@pytest.mark.parametrize(
    ("targets", "coverage", "expected"),
    [("b", "complete", []), ("b", "partial", ["extraction-error"]), ("bc", "complete", ["extraction-error"])],
)
def test_sql_that_is_read_in_full_makes_up_for_its_producer(targets: str, coverage: Any, expected: list[str]) -> None:
    """Airflow's parser fails on texts that this one reads; where they write more than the run says, that is lost."""
    text = Lineage(edges=[("db:a#x", f"db:{each}#y", "DIRECT", "IDENTITY", "") for each in targets], coverage=coverage)
    found = said(picture({"a": {}}, {"b": {}}, run={"extractionError": {"failed": True}}), text)

    assert [code for code, _ in codes(found)] == expected
    assert found.lineage.coverage == ("partial" if expected else "complete")


@pytest.mark.parametrize(
    ("integration", "coverage"), [("SPARK", "partial"), ("TRINO", "complete"), ("HIVE", "complete")]
)
def test_a_facet_without_a_single_column_states_tables_alone(integration: str, coverage: str) -> None:
    """Except where an engine says it, which knows the columns of each query: the output is made of literals."""
    facet: dict[str, Any] = {"fields": {"y": {"inputFields": []}}}
    kind = {"integration": integration, "processingType": "BATCH"}
    found = said(picture({"a": {}}, {"b": {"columnLineage": facet}}, jobType=kind))

    assert list(found.lineage.edges) == [whole("a", "b")]
    assert found.lineage.coverage == coverage
    assert codes(found) == ([("table-level", "db:b")] if coverage == "partial" else [])


def test_the_text_says_what_the_engine_leaves_open() -> None:
    """Of outputs of which it states no columns; what it states itself counts alone."""
    text = Lineage(edges=[("db:a#x", "db:b#z", "DIRECT", "IDENTITY", "x")], parser="p",
                   problems=[Problem("opaque-call", "", "p()")], outputs=[("db:b", ("z",)), ("db:other", ("w",))],
                   filled=[("db:b", ("z",)), ("db:other", ("w",))])  # fmt: skip
    open_ = said(picture({"a": {}}, {"b": {}}), text)
    stated = said(picture({"a": {}}, {"b": {"columnLineage": columns_of(y=["a.x"])}}), text)

    assert list(open_.lineage.edges) == list(text.edges)
    assert (codes(open_), open_.lineage.parser, open_.lineage.coverage) == ([("opaque-call", "p()")], "p", "partial")
    assert open_.lineage.outputs == open_.lineage.filled == [("db:b", ("z",))]
    assert list(stated.lineage.edges) == [COLUMN]
    assert (codes(stated), stated.lineage.parser, stated.lineage.outputs) == ([], None, [])


def test_a_text_that_is_not_complete_makes_the_run_partial() -> None:
    """Even where it names no problem."""
    text = Lineage(edges=[COLUMN], coverage="partial")

    assert said(picture({"a": {}}, {"b": {}}), text).lineage.coverage == "partial"
    assert said(picture({"a": {}}, {"b": {}}), Lineage(edges=[COLUMN])).lineage.coverage == "complete"


def test_trino_s_columns_and_those_of_the_text_are_one() -> None:
    """The kinds are the text's; the engine expands a star, so that it is not a problem."""
    kind = {"jobType": {"integration": "TRINO"}}
    sum_ = (*COLUMN[:3], "AGGREGATION", "sum(x)")
    text = Lineage(edges=[sum_, ("db:a#w", "db:d#y", "DIRECT", "IDENTITY", "")], coverage="partial",
                   problems=[Problem("unknown-columns", "", "db:a")])  # fmt: skip
    given = picture({"a": {}}, {"b": {"columnLineage": columns_of(y=["a.x"], z=["a.x"])}}, **kind)
    found = said(given, text)

    assert set(found.lineage.edges) == {sum_, ("db:a#x", "db:b#z", "DIRECT", "TRANSFORMATION", "")}
    assert (found.lineage.coverage, codes(found)) == ("complete", [])
    left = said(picture({"a": {}}, {"b": {}}, **kind), text)
    assert ("unknown-columns", "db:a") in codes(left)


def test_of_hive_s_columns_the_text_says_what_a_name_does() -> None:
    """Its edges say the same pairs otherwise; other pairs of the text are not taken."""
    facet = columns_of(y=["a.x"])
    facet["fields"]["y"]["inputFields"][0]["transformations"] = [{"type": "DIRECT", "description": "y"}]
    text = Lineage(edges=[(*COLUMN[:3], "AGGREGATION", "max(x)"), ("db:a#w", "db:b#y", "DIRECT", "IDENTITY", "w")])
    given = picture({"a": {}}, {"b": {"columnLineage": facet}}, jobType={"integration": "HIVE"})

    assert list(said(given, text).lineage.edges) == [(*COLUMN[:3], "AGGREGATION", "max(x)")]


def test_what_is_dropped_is_not_written() -> None:
    """It is named, and says something of the task, though nothing flows."""
    change = {"lifecycleStateChange": {"lifecycleStateChange": "drop"}, "schema": schema("x")}
    found = said(picture({"a": {}}, {"b": change}))

    assert (found.dropped, found.says_lineage, found.is_empty) == (["db:b"], True, False)
    assert (list(found.lineage.edges), found.lineage.outputs, codes(found)) == ([], [], [])


def test_a_dataset_that_is_renamed_is_fed_by_what_it_was() -> None:
    """Column by column; a name that stays is not a rename."""

    def renamed(former: str) -> dict[str, Any]:
        change = {"lifecycleStateChange": "rename", "previousIdentifier": {"namespace": "db", "name": former}}
        return {"lifecycleStateChange": change, "schema": schema("x")}

    found = said(picture({"old": {}}, {"b": renamed("old")}))
    column = ("db:old#x", "db:b#x", "DIRECT", "IDENTITY", "")
    assert set(found.lineage.edges) == {whole("old", "b", "IDENTITY"), column}
    assert facts(found, "renamed_from") == {("db:b", "renamed_from", "db:old")}
    assert codes(found) == []

    unnamed = {"lifecycleStateChange": {"lifecycleStateChange": "RENAME"}}
    assert list(said(picture({"a": {}}, {"b": unnamed})).lineage.edges) == [whole("a", "b")]
    same = said(picture({"a": {}}, {"b": renamed("b")}))
    assert (list(same.lineage.edges), facts(same, "renamed_from")) == ([whole("a", "b")], set())


def test_a_query_that_renames_a_table_carries_all_columns_over() -> None:
    """Its event names no columns: column lineage ended there, and the text's own name of the table was a problem."""
    change = {"lifecycleStateChange": "RENAME", "previousIdentifier": {"namespace": "db", "name": "tmp"}}
    kind = {"integration": "TRINO", "processingType": "BATCH"}
    text = Lineage(edges=[], coverage="partial", problems=[Problem("unmatched-dataset", "", "sql:tmp")])
    found = said(picture({}, {"b": {"lifecycleStateChange": change}}, jobType=kind), text)

    star = ("db:tmp#*", "db:b#*", "DIRECT", "IDENTITY", "")
    assert set(found.lineage.edges) == {whole("tmp", "b", "IDENTITY"), star}
    assert (found.lineage.coverage, codes(found)) == ("complete", [])


def test_too_many_inputs_and_outputs_are_not_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    """The task says so and has no edges between them; as many as the limit are."""
    monkeypatch.setattr(edges, "MAX_TABLE_EDGES", 2)

    assert len(said(picture({"a": {}, "c": {}}, {"b": {}})).lineage.edges) == 2
    found = said(picture({"a": {}, "c": {}, "e": {}}, {"b": {}}))
    assert (list(found.lineage.edges), [code for code, _ in codes(found)]) == ([], ["too-many-edges", "table-level"])


def test_what_is_written_has_the_columns_of_its_schema() -> None:
    """With their types; columns that the text makes count where no schema names them."""
    text = Lineage(edges=[COLUMN], outputs=[("db:b", ("z",)), ("db:d", ("z",))], filled=[("db:b", ("z",))])
    found = said(picture({"a": {"schema": schema("x")}}, {"b": {"schema": schema("y", kind="int")}, "d": {}}), text)

    assert found.lineage.outputs == [("db:b", ("y",)), ("db:d", ("z",))]
    assert found.lineage.types == [("db:b", (("y", "int"),))]
    assert found.lineage.filled == []
    assert facts(found, "type") == {("db:a#x", "type", ""), ("db:b#y", "type", "int")}


def test_the_type_of_what_is_written_counts_before_that_of_what_was_read() -> None:
    """Of a dataset that a run changes."""
    given = picture({"a": {"schema": schema("x", "w", kind="int")}}, {"a": {"schema": schema("x", kind="text")}})

    assert facts(said(given), "type") == {("db:a#x", "type", "text"), ("db:a#w", "type", "int")}


def test_what_a_task_only_reads_or_writes_is_a_fact() -> None:
    """No edge tells of it; a run that does both has edges."""
    reads, writes = said(picture({"a": {}, "c": {}}, {})), said(picture({}, {"b": {}}))

    assert facts(reads, "reads") == {("task:etl/job", "reads", "db:a"), ("task:etl/job", "reads", "db:c")}
    assert facts(writes, "writes") == {("task:etl/job", "writes", "db:b")}
    assert facts(said(picture({"a": {}}, {"b": {}})), "reads", "writes") == set()
    assert (reads.says_lineage, said(picture({}, {})).is_empty) == (True, True)


def test_tasks_above_and_before_are_facts() -> None:
    """A task is neither its own parent nor does it run after itself."""

    def named(name: str) -> dict[str, Any]:
        return {"job": {"namespace": "etl", "name": name}}

    run = {
        "parent": named("dag"),
        "jobDependencies": {"upstream": [named("up"), named("job")], "downstream": [named("on")]},
    }
    found = said(picture({}, {}, run=run))

    assert facts(found, "parent", "runs_after") == {
        ("task:etl/job", "parent", "task:etl/dag"), ("task:etl/job", "runs_after", "task:etl/up"),
        ("task:etl/on", "runs_after", "task:etl/job"),
    }  # fmt: skip
    assert facts(said(picture({}, {}, run={"parent": named("job")})), "parent") == set()


def test_a_dataset_that_is_read_and_written_has_the_facts_of_both() -> None:
    """Owners and labels of either side; the job's are of the task."""
    owner, tag = {"ownership": {"owners": [{"name": "ada"}]}}, {"tags": {"tags": [{"key": "pii"}]}}
    found = said(picture({"a": owner}, {"a": tag}, documentation={"description": "nightly"}))

    assert facts(found, "owner", "label", "description") == {
        ("db:a", "owner", "ada"), ("db:a", "label", "pii"), ("task:etl/job", "description", "nightly"),
    }  # fmt: skip


def test_a_name_that_is_not_known_in_full_makes_the_run_partial() -> None:
    """The problem is of that name."""
    found = said(picture({}, {}, lineage_tt_unresolved={"change": "DROP", "name": "sales"}))

    assert (codes(found), found.lineage.coverage, found.says_lineage) == (
        [("unresolved-name", "sales")],
        "partial",
        True,
    )


def test_sql_matters_where_something_is_written() -> None:
    """A text of a run that only reads tells nothing of an output."""
    assert has_sql(picture({}, {"b": {}}, sql={"query": "select 1"}))
    assert not has_sql(picture({"a": {}}, {}, sql={"query": "select 1"}))
    assert not has_sql(picture({}, {"b": {}}, sql={"query": 7}))


def test_engine_and_text_are_compared_by_the_values_that_both_state() -> None:
    """Conditions and whole datasets do not count, nor outputs of which the engine says nothing."""
    given = picture({"a": {}}, {"b": {"columnLineage": columns_of(y=["a.x"], z=["a.x"])}, "d": {}})
    text = Lineage(edges=[
        COLUMN, ("db:a#w", "db:b#y", "DIRECT", "IDENTITY", ""), whole("a", "b"),
        ("db:a#v", "db:b#y", "INDIRECT", "FILTER", ""), ("db:a#x", "db:d#y", "DIRECT", "IDENTITY", ""),
    ])  # fmt: skip

    assert agreement(given, task_of, text) == {
        "both": 1, "engine": 1, "sql": 1,
        "examples": {"engine": [("db:a#x", "db:b#z")], "sql": [("db:a#w", "db:b#y")]},
    }  # fmt: skip
    assert agreement(given, task_of, Lineage(edges=[(*COLUMN[:2], "INDIRECT", "FILTER", "")])) == {}
    assert agreement(picture({"a": {}}, {"b": {}}), task_of, text) == {}


def test_an_engine_without_kinds_is_compared_by_columns_of_any_kind() -> None:
    """The engine says which columns a star of the text is."""
    given = picture(
        {"a": {}}, {"b": {"columnLineage": columns_of(x=["a.x"], y=["a.w"])}}, jobType={"integration": "TRINO"}
    )
    text = Lineage(edges=[("db:a#*", "db:b#*", "DIRECT", "IDENTITY", ""), ("db:a#w", "db:b#y", "INDIRECT", "CASE", "")])

    assert agreement(given, task_of, text) == {"both": 2, "engine": 0, "sql": 0, "examples": {}}
